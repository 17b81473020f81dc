"""The golden table of the Kendo game: every play in every situation, reviewed by a person."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from referee.cards.kendo import Brown, Card, Green, Red, Technique, parse_card
from referee.kendo.bout import Bout, start
from referee.kendo.house_rules import house_rules, preset
from referee.kendo.judge import Played, Refused, judge_play, passed
from referee.kendo.standing import (
    Attack,
    Fudoshin,
    Jodan,
    MakiWaza,
    Nothing,
    Oshidashi,
    Seme,
    SemeAnswered,
    Standing,
)

RULES = preset()
MEN, DO = Technique.MEN, Technique.DO


def bout(standing: Standing, ippon: tuple[int, int] = (0, 0)) -> Bout:
    """Return a bout in which seat 0 has to act."""
    return replace(start(RULES), to_act=0, standing=standing, ippon=ippon, exchanges=(0, 0), draws=(0, 0))


SITUATIONS: dict[str, Bout] = {
    "nothing stands, 0-0": bout(Nothing()),
    "nothing stands, 1-0": bout(Nothing(), (1, 0)),
    "nothing stands, 1-1": bout(Nothing(), (1, 1)),
    "nothing stands, 1-1, IPPON SHOBU": replace(bout(Nothing(), (1, 1)), ippon_shobu=True),
    "brown attack MEN": bout(Attack(MEN)),
    "red attack MEN": bout(Attack(MEN, red=True)),
    "SEME": bout(Seme(reopens=1)),
    "SEME over a red attack DO": bout(Seme(1, Attack(DO, red=True), Attack(MEN, red=True))),
    "own SEME answered with MEN": bout(SemeAnswered(MEN)),
    "FUDOSHIN over a red attack DO": bout(Fudoshin(Attack(DO, red=True), Attack(MEN))),
    "OSHIDASHI": bout(Oshidashi()),
    "MAKI WAZA": bout(MakiWaza()),
    "JODAN NO KAMAE with MEN": bout(Jodan(MEN)),
}
BROWNS = [(card,) for card in Brown]
REDS = [parse_card("men>kote"), parse_card("kote>do")]


def plays() -> Iterator[tuple[Card, ...]]:
    """Iterate over every card alone and every green card with every brown card and two kinds of red ones."""
    yield from BROWNS
    yield from ((red,) for red in REDS)
    for green in Green:
        yield (green,)
        yield from ((green, brown) for brown in Brown)
        yield from ((green, red) for red in REDS)
    for green in Green:
        yield Green.MUSHIN, green, REDS[1]


def outcome(before: Bout, after: Bout) -> str:
    """Return the outcome of a play of seat 0 as text."""
    news = []
    for seat in (0, 1):
        if after.ippon[seat] > before.ippon[seat]:
            news.append(f"IPPON for {'own' if seat == 0 else 'opponent'}")
        if after.hansoku[seat] > before.hansoku[seat]:
            news.append(f"HANSOKU for {'own' if seat == 0 else 'opponent'}")
    news.append(f"{after.standing} {'against own' if after.to_act == 0 else 'against opponent'}")
    if after.opening:
        news[-1] = "own seat opens" if after.to_act == 0 else "opponent opens"
    if (
        after.hand_counts[0] < before.hand_counts[0]
        and not after.exchanges[0]
        and after.ippon == before.ippon
    ):
        news.append("without exchange and draw")
    marks = {
        "may cede": after.may_cede,
        "may ask for a new deal": after.may_ask_new_deal == 0,
        "last round": after.last_round == 0,
        "bout won": after.winner == 0,
        "bout lost": after.winner == 1,
    }
    return ", ".join([*news, *(word for word, holds in marks.items() if holds)])


def name(cards: tuple[Card, ...]) -> str:
    return " + ".join(str(card) for card in cards)


def test_golden_table(golden: Callable[[str, str], None]) -> None:
    judged = {
        (situation, cards): judge_play(before, cards)
        for situation, before in SITUATIONS.items()
        for cards in plays()
    }
    ever = {cards for (_, cards), ruling in judged.items() if isinstance(ruling, Played)}
    lines = [
        "# What seat 0 may play in every situation, with the row of the table and what follows; below it the",
        "# cards that other situations allow, by the row that forbids them here (x). The last block names",
        "# what no situation allows. Written by tests/referee/kendo/test_rows.py.",
    ]
    for situation, before in SITUATIONS.items():
        lines += ["", f"== {situation}", f"   no answer -> {outcome(before, passed(before))}"]
        refused = defaultdict(list)
        for cards in plays():
            ruling = judged[situation, cards]
            if isinstance(ruling, Played):
                lines.append(f"   {name(cards)} [{ruling.row.name}] -> {outcome(before, ruling.bout)}")
            elif cards in ever:
                refused[ruling.row].append(name(cards))
        lines += [f" x {row}: {', '.join(cards)}" for row, cards in refused.items()]
    never = defaultdict(list)
    for cards in plays():
        rows = {
            ruling.row for situation in SITUATIONS if isinstance(ruling := judged[situation, cards], Refused)
        }
        if cards not in ever:
            never[" or ".join(sorted(rows))].append(name(cards))
    lines += ["", "== never", *(f" x {row}: {', '.join(cards)}" for row, cards in never.items())]
    golden("kendo_table.txt", "\n".join(lines) + "\n")


def swapped(bout: Bout) -> Bout:
    """Return the same bout with the seats exchanged."""
    pairs = ("ippon", "hansoku", "exchanges", "draws", "spare_draws", "hand_counts")
    seats = ("to_act", "last_round", "may_ask_new_deal", "winner")
    standing = bout.standing
    if isinstance(standing, Seme):
        standing = replace(standing, reopens=1 - standing.reopens)
    changes: dict[str, Any] = {name: getattr(bout, name)[::-1] for name in pairs}
    changes |= {name: 1 - seat for name in seats if (seat := getattr(bout, name)) is not None}
    return replace(bout, standing=standing, **changes)


@pytest.mark.parametrize("situation", SITUATIONS)
def test_swapping_the_seats_swaps_the_result(situation: str) -> None:
    before = SITUATIONS[situation]
    assert passed(swapped(before)) == swapped(passed(before))
    for cards in plays():
        here, there = judge_play(before, cards), judge_play(swapped(before), cards)
        if isinstance(here, Played):
            assert isinstance(there, Played)
            assert there.bout == swapped(here.bout)
        else:
            assert there == here


@pytest.mark.parametrize("situation", SITUATIONS)
def test_the_order_of_the_cards_does_not_matter(situation: str) -> None:
    for cards in plays():
        assert judge_play(SITUATIONS[situation], cards) == judge_play(SITUATIONS[situation], cards[::-1])


@pytest.mark.parametrize("situation", SITUATIONS)
def test_every_refusal_names_a_row_and_a_reason(situation: str) -> None:
    from referee.kendo.rows import ROWS

    names = {row.name for row in ROWS}
    for cards in [*plays(), (*Brown,), (REDS[0], REDS[1]), (Green.BOGYO, Green.SEME)]:
        judged = judge_play(SITUATIONS[situation], cards)
        if not isinstance(judged, Played):
            assert judged.row in names
            assert judged.reason


def under(rules: str, situation: str) -> Bout:
    return replace(SITUATIONS[situation], rules=house_rules(rules))


@pytest.mark.parametrize(
    ("switch", "situation", "cards", "default", "switched"),
    [
        ("brown_fits = 'any'", "brown attack MEN", "do_uchi", "refused", "opponent opens"),
        ("tsubazeriai_alone = 'nothing_stands'", "nothing stands, 0-0", "tsubazeriai", "refused",
            "own seat opens, may cede"),
        ("mushin_alone = 'nothing_stands'", "nothing stands, 0-0", "mushin", "refused", "own seat opens"),
        ("mushin_companions = 'seme_or_tsubazeriai'", "brown attack MEN", "mushin tsubazeriai do>do",
            "refused", "own seat opens, may cede"),
        ("mushin_red_opens = 'player'", "brown attack MEN", "mushin do>do", "opponent opens",
            "own seat opens"),
        ("neutralised_red = 'gone'", "SEME over a red attack DO", "seme", "red attack do against own",
            "red attack men against opponent"),
        ("neutralised_red = 'gone'", "FUDOSHIN over a red attack DO", "fudoshin",
            "red attack do against own", "brown attack men against opponent"),
        ("after_parry_opens = 'defender'", "OSHIDASHI", "kaihi_suru", "opponent opens", "own seat opens"),
        ("after_parry_opens = 'defender'", "MAKI WAZA", "tsuyoi_kamae", "opponent opens", "own seat opens"),
    ],
)  # fmt: skip
def test_a_reading_is_a_switch(switch: str, situation: str, cards: str, default: str, switched: str) -> None:
    laid = tuple(parse_card(card) for card in cards.split())
    for rules, expected in (("", default), (f"[readings]\n{switch}", switched)):
        before = under(rules, situation)
        judged = judge_play(before, laid)
        assert (outcome(before, judged.bout) if isinstance(judged, Played) else "refused") == expected


def test_nothing_is_no_play() -> None:
    with pytest.raises(ValueError, match="at least one card"):
        judge_play(SITUATIONS["OSHIDASHI"], ())


@pytest.mark.parametrize("text", ["men", "men>foot", "kick", ""])
def test_unknown_cards(text: str) -> None:
    with pytest.raises(ValueError, match="there is no card"):
        parse_card(text)


def test_cards_are_written_as_they_are_read() -> None:
    cards: list[Card] = [*Brown, *Green, *(Red(left, right) for left in Technique for right in Technique)]
    assert [parse_card(str(card)) for card in cards] == cards
