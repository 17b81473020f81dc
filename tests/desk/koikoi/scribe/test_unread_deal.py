"""Rounds of Koi-Koi in which a card of the deal cannot be read."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count, islice
from pathlib import Path

import pytest

from desk.koikoi.desk import KoiKoiDesk
from desk.koikoi.events import LoggedEvent, NextRound, TableSeen
from desk.koikoi.lines import lines_of_rounds, minutes_of, with_lost_rounds
from desk.koikoi.page.state import shown
from desk.koikoi.page.view import koikoi_view
from desk.koikoi.scribe.look import CardSeenBriefly, Look, UnreadPrint
from desk.panel.words import words
from referee.koikoi.flags import FlagId
from tests.desk.koikoi.koikoi_script import Table, drawn, events_of, opened_desk, planned, played, tell
from tests.slow_case import slow_case
from vision.simulator.cardtable.koikoi.game import RoundPlan, plan_round


def blinded(plan: RoundPlan, players: int, alike: Mapping[int, Mapping[int, float]]) -> Iterator[LoggedEvent]:
    """Yield a round of which some cards cannot be read as long as they lie in the middle."""
    for event in events_of(plan, players):
        if not isinstance(event, TableSeen):
            yield event
            continue
        unread = tuple(
            UnreadPrint(100.0 * number, 250.0, alike[card])
            for number, card in enumerate(alike)
            if card in event.look.field
        )
        look = replace(
            event.look, field=frozenset(event.look.field - alike.keys()), unread=unread, unnamed=len(unread)
        )
        yield TableSeen(look)


def told(desk: KoiKoiDesk) -> list[str]:
    """Return what the desk asks and flags."""
    flags = [flag.id.value for flag in desk.game.match.flags]
    return flags + [flag.id.value for flag in desk.game.scribe.flags]


def outcome(desk: KoiKoiDesk) -> tuple[object, ...]:
    """Return the latest round's piles and points."""
    record = desk.game.match.rounds[-1]
    return record.table.piles, record.points


def taken_from_deal(plan: RoundPlan) -> list[int]:
    """Return the dealt cards that are captured, in their order."""
    return [card for turn in plan.turns for move in turn.moves for card in move.taken if card in plan.dealt]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", [0, 1, *map(slow_case, range(2, 6))])
def test_a_card_that_is_taken_for_another_shows_what_it_is_when_it_is_captured(
    tmp_path: Path, seed: int, players: int
) -> None:
    plan = planned(seed, players)
    seen = opened_desk(tmp_path / "seen", players)
    tell(seen, events_of(plan, players))
    dealt = taken_from_deal(plan)[0]
    other = next(card for card in (0, 13, 26, 39) if card // 4 != dealt // 4 and card not in plan.dealt)
    desk = opened_desk(tmp_path / "unread", players)
    asked = False
    for event in blinded(plan, players, {dealt: {other: 0.6, dealt: 0.59}}):
        desk.tell(event)
        asked |= FlagId.UNSURE.value in told(desk)
    desk.game.close()
    seen.game.close()
    assert asked
    assert told(desk) == told(seen) == []
    assert outcome(desk) == outcome(seen)


def test_two_cards_of_a_deal_that_cannot_be_read(tmp_path: Path) -> None:
    plan = planned(0)
    first, second = taken_from_deal(plan)[:2]
    desk = opened_desk(tmp_path)
    tell(desk, blinded(plan, 2, {first: {second: 0.6}, second: {first: 0.6}}))
    desk.game.close()
    assert told(desk) == []
    assert set(taken_from_deal(plan)) <= {
        card for pile in desk.game.match.rounds[-1].table.piles for card in range(48) if pile >> card & 1
    }


def test_a_card_that_stays_unread_is_asked_for_once_and_the_round_goes_on(tmp_path: Path) -> None:
    plan, dealt = next(
        (plan, left[0])
        for plan in map(planned, range(40))
        if (left := [card for card in plan.dealt if card not in taken_from_deal(plan)])
    )
    desk = opened_desk(tmp_path)
    tell(desk, blinded(plan, 2, {dealt: {dealt: 0.6, (dealt + 20) % 48: 0.59}}))
    assert plan.final is not None
    assert list(desk.game.match.rounds[-1].points) == plan.final["points"]
    (asked,) = desk.game.scribe.flags
    assert asked.id is FlagId.UNSURE
    assert str(dealt) in asked.text


def test_a_person_says_what_a_card_is_that_nobody_could_read(tmp_path: Path) -> None:
    plan = planned(1)
    dealt = taken_from_deal(plan)[-1]
    other = next(card for card in range(48) if card // 4 != dealt // 4 and card not in plan.dealt)
    desk = opened_desk(tmp_path)
    events = iter(blinded(plan, 2, {dealt: {other: 0.6, dealt: 0.59}}))
    desk.tell(next(events))
    assert told(desk) == ["unsure"]
    desk.correct_card(other, dealt)
    assert told(desk) == []
    assert dealt in desk.game.scribe.looks[-1].field
    tell(desk, events)
    assert told(desk) == []
    assert plan.final is not None
    assert list(desk.game.match.rounds[-1].points) == plan.final["points"]


def test_a_card_that_all_others_leave_is_not_asked_for(tmp_path: Path) -> None:
    plan = planned(1)
    desk = opened_desk(tmp_path)
    dealt = plan.dealt[0]
    rival = next(card for card in range(48) if card // 4 != dealt // 4 and card not in plan.dealt)
    (first, *_) = blinded(plan, 2, {dealt: {dealt: 0.6, rival: 0.59}})
    desk.tell(first)
    assert told(desk) == ["unsure"]
    assert isinstance(first, TableSeen)
    # the others have been read where they lie, every one of them
    others = frozenset(range(48)) - {dealt}
    everything = replace(first.look, captures=(others - first.look.field, frozenset()), t_ms=5000.0)
    desk.game.reader.look(everything)
    assert FlagId.UNSURE not in {flag.id for flag in desk.game.scribe.flags if "deal" in flag.text}


def begins_round(desk: KoiKoiDesk, look: Look) -> bool:
    return isinstance(desk.game.implied(TableSeen(look)), NextRound)


def hidden(events: Iterator[LoggedEvent], under: Mapping[int, int]) -> Iterator[LoggedEvent]:
    """Yield a round of which nothing is seen of some cards as long as others, by card, lie in the middle."""
    for event in events:
        if not isinstance(event, TableSeen):
            yield event
            continue
        gone = {card for card, over in under.items() if {card, over} <= event.look.field}
        yield TableSeen(replace(event.look, field=event.look.field - gone))


def with_three_of_a_month(players: int) -> Iterator[tuple[RoundPlan, list[int]]]:
    """Yield rounds in which three of a month are dealt, and those three."""
    for seed in range(400):
        plan = planned(seed, players)
        for month in range(12):
            if len(three := [card for card in plan.dealt if card // 4 == month]) == 3:
                yield plan, three


@pytest.mark.parametrize("players", [2, slow_case(3), 4])
def test_a_round_begins_although_a_card_of_the_deal_lies_under_others(tmp_path: Path, players: int) -> None:
    rounds = list(islice(with_three_of_a_month(players), 2))
    assert len(rounds) == 2
    for number, (plan, three) in enumerate(rounds):
        for place, card in enumerate(three):
            desk = opened_desk(tmp_path / f"{number}_{card}", players)
            under = {card: three[place - 1]}
            tell(desk, hidden(events_of(plan, players), under))
            desk.game.close()
            assert plan.final is not None
            record = desk.game.match.rounds[-1]
            assert list(record.points) == plan.final["points"]
            assert set(told(desk)) <= {"unsure"}


def test_a_new_deal_begins_the_next_round_although_nobody_has_ended_this_one(tmp_path: Path) -> None:
    plan = planned(1)
    desk = opened_desk(tmp_path)
    told_of_play = [event for event in events_of(plan) if isinstance(event, TableSeen)]
    tell(desk, told_of_play[:-4])
    assert desk.game.match.table is not None
    assert desk.game.match.table.result is None
    latest, (deal, *_) = told_of_play[-5].look, events_of(planned(2))
    assert isinstance(deal, TableSeen)
    assert begins_round(desk, deal.look)
    # somebody only lifts his captured cards to count them
    assert not begins_round(desk, replace(latest, captures=(frozenset(), frozenset())))


def with_a_first_card_that_takes_none() -> Iterator[RoundPlan]:
    """Yield rounds whose first hand card stays in the middle."""
    for seed in count():
        plan = planned(seed)
        if not plan.turns[0].moves[0].taken:
            yield plan


def in_a_hurry(plan: RoundPlan, unseen: int | None = None) -> Iterator[LoggedEvent]:
    """Yield a round whose table first rests when the first drawn card has been turned up.

    The cards that are laid before are seen one by one, all but `unseen`.
    """
    deal, *others = events_of(plan)
    assert isinstance(deal, TableSeen)
    yield TableSeen(replace(deal.look, t_ms=10.0, field=frozenset()))
    for number, card in enumerate([*plan.dealt, plan.turns[0].moves[0].card]):
        if card != unseen:
            yield CardSeenBriefly(100.0 * (number + 1), card, seats=frozenset({plan.turns[0].player}))
    resting = next(n for n, one in enumerate(others) if isinstance(one, TableSeen) and one.look.turn)
    yield from others[resting:]


@pytest.mark.parametrize("number", range(3))
def test_the_deal_is_what_was_seen_first_in_the_middle(tmp_path: Path, number: int) -> None:
    plan = [plan for plan, _ in zip(with_a_first_card_that_takes_none(), range(3), strict=False)][number]
    desk = opened_desk(tmp_path)
    tell(desk, in_a_hurry(plan))
    assert plan.final is not None
    record = desk.game.match.rounds[-1]
    assert list(record.points) == plan.final["points"]
    assert not desk.game.match.flags
    assert not desk.game.scribe.flags


def test_where_a_card_of_it_was_not_seen_the_deal_is_not_known(tmp_path: Path) -> None:
    plan = next(with_a_first_card_that_takes_none())
    desk = opened_desk(tmp_path)
    for event in in_a_hurry(plan, unseen=plan.dealt[2]):
        desk.tell(event)
        if isinstance(event, TableSeen) and event.look.turn:
            break
    assert desk.game.scribe.awaits_deal


DEALT = (8, 32, 5, 13, 17, 21, 25, 1)
THING = UnreadPrint(170.0, 370.0, {30: 0.6})


def beside(seen: TableSeen, thing: UnreadPrint = THING) -> TableSeen:
    """The same table with an object in the middle that is no card."""
    look = seen.look
    return TableSeen(replace(look, unread=(*look.unread, thing), unnamed=look.unnamed + 1))


def sentences(desk: KoiKoiDesk) -> list[str]:
    """The first message of the page, in both languages."""
    return [koikoi_view(shown(desk), words(language))["sentence"] for language in ("en", "ja")]


@pytest.mark.parametrize("is_read", [True, False])
def test_a_thing_too_many_is_told_at_once_and_a_deal_that_was_put_right_counts(
    tmp_path: Path, is_read: bool
) -> None:
    desk = opened_desk(tmp_path)
    table = Table((*DEALT, 40) if is_read else DEALT)
    desk.tell(table.look() if is_read else beside(table.look()))
    assert all("9" in text and "8" in text and "{" not in text for text in sentences(desk))
    assert sentences(desk)[0] != sentences(desk)[1]
    for _ in range(4):  # nobody looks at the page
        desk.tell(table.look() if is_read else beside(table.look()))
    table.field -= {40}
    desk.tell(table.look())
    assert shown(desk)["deal"] is None
    assert shown(desk)["phase"] == "hand_card"
    assert shown(desk)["flags"] == []


def test_what_lay_there_before_the_deal_is_no_card_of_it(tmp_path: Path) -> None:
    """While the eighth card is still in the dealer's hand, a thing that cannot be read makes eight."""
    desk = opened_desk(tmp_path)
    table = Table(())
    desk.tell(beside(table.look()))
    for card in DEALT:
        table.field.add(card)
        desk.tell(beside(table.look(0)))
    for move in (played(9, 8), drawn(33, 32)):
        for seen in table.move(0, move):
            desk.tell(beside(seen))
    view = shown(desk)
    assert view["deal"] is None
    assert view["flags"] == []
    assert view["seats"][0]["captures"] == [8, 9, 32, 33]
    assert view["field"] == sorted(set(DEALT) - {8, 32})


def _undealt_round(table: Table) -> Iterator[LoggedEvent]:
    """A round whose deal has ten cards from the beginning, and of which a capture is seen."""
    table.field, table.piles = {*DEALT, 40, 44}, [set(), set()]
    yield table.look()
    yield from table.move(0, played(9, 8))


def test_a_later_round_that_was_not_understood_is_known_as_lost(tmp_path: Path) -> None:
    desk = opened_desk(tmp_path)
    tell(desk, events_of(planned(5)))
    table = Table((), t_ms=900_000.0)
    desk.tell(NextRound(table.t_ms))
    desk.tell(table.look())
    lost = [bool(desk.game.reader.lost_rounds)]
    tell(desk, _undealt_round(table))
    lost.append(bool(desk.game.reader.lost_rounds))
    desk.tell(NextRound(table.t_ms))
    lost.append(bool(desk.game.reader.lost_rounds))
    assert lost == [False, True, True]
    minutes = with_lost_rounds(minutes_of(desk.game.match), desk.game.reader.lost_rounds)
    understood, missing = minutes["rounds"]
    assert understood["end"] is not None
    assert (missing["end"], missing["certain"], missing["points"]) == (None, False, [0, 0])
    assert [flag["id"] for flag in missing["flags"]] == ["unsure"]
    assert minutes["certain"] is False
    assert "nothing is known of this round" in lines_of_rounds(minutes)[-2]


@pytest.mark.parametrize("dealer", [0, 1])
def test_whoever_deals_after_a_lost_round_is_not_accused(tmp_path: Path, dealer: int) -> None:
    desk = opened_desk(tmp_path)
    tell(desk, events_of(planned(5)))
    lost = Table((), t_ms=900_000.0)
    desk.tell(NextRound(lost.t_ms))
    tell(desk, _undealt_round(lost))
    desk.tell(NextRound(lost.t_ms))
    plan = plan_round(9, 2, dealer, None)
    table = Table(plan.dealt, t_ms=lost.t_ms)
    desk.tell(table.look())
    for turn in plan.turns[:4]:
        tell(desk, table.play(turn))
    assert desk.game.match.flags == ()
    assert shown(desk)["flags"] == []
