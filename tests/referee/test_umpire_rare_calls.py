"""What an umpire is rarely asked, at all tables: what happened, told in a line, and the call.

Karuta: near's cards are 1 to 4, far's 51 to 55; 100 is dead. L is a line of the club's Koi-Koi rules, a
numeral a section of the Kendo text, C.04.1 FIDE's basic rules for Swiss systems.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.facts import Hand
from referee.karuta.contacts import PoemFact
from referee.karuta.declarations import BrokeRule, Conduct, PlayingHand, SharedFault, WrongHand
from referee.karuta.house_rules import PRESETS
from referee.karuta.ruleset import BothFault, SimultaneousPush
from referee.koikoi.events import Call, Deal, Declare, Event, Play
from referee.koikoi.house_rules import house_rules as koikoi_rules
from referee.koikoi.match import play
from referee.koikoi.piles import pile_of
from referee.koikoi.score import one_card_away, scorer
from referee.tournament.division import Division, System
from referee.tournament.events import DivisionOpened, EntrantWithdrawn, ResultEntered, RoundDrawn
from referee.tournament.pairing import Result
from referee.tournament.standings import standings
from referee.tournament.state import RefusedError
from tests.referee.karuta.judged_poem import DEAD, FAR, NEAR, judge, says
from tests.referee.karuta.judged_poem import pushed as out
from tests.referee.karuta.test_umpire_evening import F, N, far, near, starts
from tests.referee.kendo import test_umpire_evening as kendo
from tests.referee.koikoi.test_umpire_evening import (
    ANIMALS,
    BLUE,
    BOAR,
    BUTTERFLIES,
    CHAFF,
    CRANE,
    CURTAIN,
    DEER,
    MOON,
    PHOENIX,
    PLAIN,
    POETRY,
    RAIN_MAN,
    SAKE,
)
from tests.referee.tournament.played import Played, players

HOUSE = replace(
    PRESETS["kyogi"], both_fault=BothFault.CANCEL_FAULTS, simultaneous_push=SimultaneousPush.NEARER_TOUCH
)
RIGHT, LEFT = Hand.RIGHT, Hand.LEFT

KARUTA: dict[str, tuple[str, int, tuple[PoemFact, ...], str]] = {
    "each brushes an own card, and the read one is dead": (
        "kyogi", DEAD, (near(1, 500), far(51, 510)), "nobody takes, near faults, far faults",
    ),
    "far strikes its own side twice, near its own row, and the card lies on": (
        "kyogi", N, (far(53, 480), far(54, 490), near(2, 500)),
        "nobody takes, far faults, near sends 1",
    ),
    "far's early hand comes again and is first": (
        "kyogi", N, (starts(N), far(N, -100), far(N, 400)), "far takes, far faults",
    ),
    "the German club only warns of the early hand": (
        "seed-000", N, (starts(N), far(N, -100), far(N, 400)), "far takes, far sends 1",
    ),
    "the left hand is void, the right one comes in time": (
        "official", N, (PlayingHand(FAR, RIGHT), far(N, 480, LEFT), far(N, 500, RIGHT), near(N, 520)),
        "far takes, far sends 1",
    ),
    "the left hand is void, and near comes first": (
        "official", N, (PlayingHand(FAR, RIGHT), far(N, 480, LEFT), near(N, 500), far(N, 520, RIGHT)),
        "near takes",
    ),
    "the left hand in the other territory is void, too": (
        "official", N, (PlayingHand(FAR, RIGHT), far(53, 480, LEFT), near(N, 500)), "near takes",
    ),
    "the left hand at a dead card is one fault and not two": (
        "seed-001", DEAD, (PlayingHand(NEAR, RIGHT), near(1, 500, LEFT)),
        "nobody takes, near faults, far sends 1",
    ),
    "near's own card, taken with the wrong hand, is far's": (
        "seed-000", N, (near(N, 500), WrongHand(NEAR, N)), "far takes, far sends 1",
    ),
    "a hand is held while a dead card is read": (
        "seed-001", DEAD, (BrokeRule(NEAR, Conduct.GRABBED_HAND),), "nobody takes, near faults, far sends 1",
    ),
    "the same elsewhere is forbidden and costs nothing": (
        "kyogi", DEAD, (BrokeRule(NEAR, Conduct.GRABBED_HAND),), "nobody takes",
    ),
    "hands fall on one another, where the document is silent": (
        "seed-001", DEAD, (near(1, 500), SharedFault(NEAR)), "nobody takes, near faults, far sends 1",
    ),
    "both push it out at once, and far had touched beside it": (
        "house", N, (near(3, 480), far(2, 490), out(N, NEAR, 550), out(N, FAR, 550)),
        "far takes, far sends 1",
    ),
    "both fault and far takes from near: the club lets the faults alone cancel": (
        "house", N, (near(53, 480), far(54, 490), far(N, 500)),
        "far takes, near faults, far faults, far sends 1",
    ),
    "near pushes the read card out after far's finger was on it": (
        "official", F, (far(F, 470), near(52, 480), out(F, NEAR, 520)), "far takes",
    ),
    "near strikes the middle of its row, and far's finger is at the read card before": (
        "official", N, (near(2, 480), far(N, 490), near(N, 510)), "far takes, far sends 1",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", KARUTA)
def test_the_rare_call_at_the_mat(case: str) -> None:
    preset, poem, facts, call = KARUTA[case]
    rules = HOUSE if preset == "house" else PRESETS[preset]
    assert says(judge(poem, *facts, rules=rules)) == call


# (rules, cards, own calls, the other's, base, points)
KOIKOI: dict[str, tuple[str, tuple[int, ...], int, int, int, int]] = {
    "wiki: five lights": ("fuda-wiki", (CRANE, CURTAIN, MOON, RAIN_MAN, PHOENIX), 0, 0, 15, 30),
    "wiki: three dry lights are six": ("fuda-wiki", (CRANE, MOON, PHOENIX), 0, 0, 6, 6),
    "wiki: an own call pays nothing, the other's doubles": ("fuda-wiki", (CRANE, MOON, PHOENIX), 1, 1, 6, 12),
    "leaflet: exactly seven": ("nintendo", (*POETRY, *PLAIN[:2]), 0, 0, 7, 14),
    "recorded games: boar, deer, butterflies stand beside five animals": (
        "koikoi-japan", (BOAR, DEER, BUTTERFLIES, *ANIMALS[:2]), 0, 0, 6, 6,
    ),
    "recorded games: both ribbons pay beside the two fives, and the six are ribbons": (
        "koikoi-japan", (*POETRY, *BLUE), 0, 0, 22, 22,
    ),
    "recorded games: the cup under the blossoms is one, and three after a call": (
        "koikoi-japan", (CURTAIN, SAKE), 0, 0, 1, 1,
    ),
    "hard: seven doubles, boar, deer, butterflies and two more": (
        "bga-hard", (BOAR, DEER, BUTTERFLIES, *ANIMALS[:2], SAKE, 29), 0, 0, 8, 16,
    ),
    "hard: both ribbons are two fives and the ribbons": ("bga-hard", (*POETRY, *BLUE), 0, 0, 12, 24),
    "soft: no threshold, own calls multiply": ("bga-soft", (CRANE, MOON, PHOENIX), 1, 0, 5, 10),
    "soft: the other's calls pay nothing": ("bga-soft", (CRANE, MOON, PHOENIX), 0, 2, 5, 5),
    "L91: six chaff ribbons and animals short by one each": (
        "kasu-2008", (*CHAFF[:9], *PLAIN, *ANIMALS[:4]), 0, 0, 0, 0,
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", KOIKOI)
def test_the_rare_points_at_the_table(case: str) -> None:
    rules, cards, own, other, base, points = KOIKOI[case]
    score = scorer(koikoi_rules(f'base = "{rules}"')).score(pile_of(cards), own, other)
    assert (score.base, score.points) == (base, points)


def test_what_is_one_card_away_is_worth_its_best_card() -> None:
    """Eight chaff and the cup: any of 16 chaff makes ten; the curtain beside the cup is worth five."""
    away = one_card_away(scorer(koikoi_rules("")), pile_of((*CHAFF[:8], SAKE)))
    told = {row.yaku: (len(row.cards), row.base) for row in away}
    assert told["hanamizake"] == (1, 5)
    assert told["tsukimizake"] == (1, 5)
    assert told["kasu"] == (16, 1)


@pytest.mark.parametrize(
    ("events", "told"),
    [
        ((Play(0, 0, (1, 47)),), (1, "card 47 was taken and had never been on the field")),
        (
            (Play(0, 0, (1,)), Declare(0, Call.TESHI)),
            (2, "teshi must be claimed before the first card: the declaration does not count"),
        ),
        ((Declare(1, Call.KUTTSUKI),), (1, "player 1 cannot claim kuttsuki: the declaration does not count")),
    ],
)
def test_what_the_umpire_says_and_of_which_line(events: tuple[Event, ...], told: tuple[int, str]) -> None:
    hands = ((0, 4, 8, 13, 17, 21, 25, 32), (2, 6, 10, 14, 18, 22, 26, 31))
    match = play(koikoi_rules(""), (Deal(1, 2, 0, (1, 5, 9, 45, 12, 16, 20, 24), hands), *events))
    assert told in [(flag.event, str(flag.text)) for record in match.rounds for flag in record.flags]


# --- bouts -------------------------------------------------------------------------------------------------

BOUTS: dict[str, tuple[str, str]] = {
    "III.2: the chain breaks, and who cannot answer loses the point": (
        "0 men_uchi, 1 men>kote, 0 kote>do, 1 -", "1-0, 1 opens",
    ),
    "III.1: two brown cards answer nothing": (
        "0 men_uchi, 1 men_uchi+men_uchi", "0-0, brown attack men against 1, illegal_play: brown",
    ),
    "III.2: two red cards at once answer nothing": (
        "0 men_uchi, 1 men>kote+men>do", "0-0, brown attack men against 1, illegal_play: red",
    ),
    "III.3e: no KAIHI SURU against OSHIDASHI": ("0 oshidashi, 1 -", "0-0, HANSOKU 1, 1 opens"),
    "III.3e: KAIHI SURU in time": ("0 oshidashi, 1 kaihi_suru", "0-0, 0 opens"),
    "III.3f: MAKI WAZA and a firm stance": ("0 maki_waza, 1 tsuyoi_kamae", "0-0, 0 opens"),
    "III.3f: the sword falls": ("0 maki_waza, 1 -", "0-0, HANSOKU 1, 1 opens"),
}  # fmt: skip


@pytest.mark.parametrize("case", BOUTS)
def test_the_rare_call_at_the_bout(case: str) -> None:
    line, call = BOUTS[case]
    assert kendo.says(kendo.after(line, (0, 0))) == call


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("0 men_uchi, 1 kote>do", "kote>do receives kote, and brown attack men stands"),
        ("0 men_uchi, 1 mushin+men>kote+bogyo", "only seme may join MUSHIN and a red card"),
        ("0 kote>do", "a red card"),
    ],
)
def test_the_words_at_the_bout(line: str, words: str) -> None:
    flags = kendo.after(line, (0, 0)).flags
    assert [words in str(flag.text) for flag in flags] == [True], [str(flag.text) for flag in flags]


def test_a_bout_that_is_won_is_won_from_either_seat() -> None:
    bout = kendo.after("0 men_uchi, 1 -", (1, 0)).bout
    assert (bout.winner, bout.swap().winner, bout.swap().ippon) == (0, 1, (0, 2))


# --- rounds ------------------------------------------------------------------------------------------------

SWISS = Division("S", system=System.SWISS, rounds=3, clubs_apart=1)


def test_a_swiss_of_twenty_rounds_is_held_and_one_of_21_is_not() -> None:
    Played(replace(SWISS, rounds=20), players(4))
    with pytest.raises(RefusedError, match=r"^class S: a Swiss has 1 to 20 rounds, got 21$"):
        Played(replace(SWISS, rounds=21), players(4))


def test_clubs_stay_apart_for_as_many_rounds_as_the_class_says_and_no_longer() -> None:
    """C.04.1, 5. Two clubs of two, apart for one round: in the second the winners, of one club, meet."""
    played = Played(SWISS, players(4, 2))
    drawn = played.draw()
    assert all(one % 2 != other % 2 for one, other in drawn.pairs)
    played.decide(lambda one, other: one if one % 2 else other)
    assert {frozenset(pair) for pair in played.draw().pairs} == {frozenset({1, 3}), frozenset({2, 4})}


def test_who_is_out_of_an_elimination_is_told_so_and_nobody_in_a_swiss_is() -> None:
    knocked = Played(Division("B"), players(4))
    knocked.draw()
    knocked.decide(min)
    assert sum(not row.is_in for row in standings(knocked.course)) == 2
    swiss = Played(SWISS, players(4))
    swiss.draw()
    swiss.decide(min)
    assert not any(not row.is_in for row in standings(swiss.course))


def test_words_of_a_refusal_name_the_class_and_the_match() -> None:
    played = Played(Division("B"), players(4))
    with pytest.raises(RefusedError, match=r"^expected a class of B, got 'Z'$"):
        played.state.course("Z")
    with pytest.raises(
        RefusedError, match=r"^class D: an elimination ends with its final: expected no number"
    ):
        played.add(DivisionOpened(Division("D", rounds=3)))
    played.draw()
    played.add(EntrantWithdrawn(1))
    with pytest.raises(RefusedError, match=r"^player 1 has withdrawn already$"):
        played.add(EntrantWithdrawn(1))


def test_a_win_without_play_counts_as_a_point_and_bars_the_next_bye() -> None:
    """C.04.1, 4: as many points without playing as a win gives, and no bye after it."""
    played = Played(SWISS, players(5))
    played.add(RoundDrawn("S", ((1, 2), (3, 4)), (5,)))
    played.add(ResultEntered("S-1-1", Result(0, by_default=True)), ResultEntered("S-1-2", Result(0, 5)))
    assert played.draw().byes[0] in {2, 4}
