"""Rounds of Koi-Koi in which a card of the deal cannot be read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from desk.koikoi.desk import KoiKoiDesk
from desk.koikoi.events import LoggedEvent, NextRound, TableSeen
from desk.koikoi.scribe.look import CardSeenBriefly, Look, UnreadPrint
from desk.koikoi.scribe.scribe import Scribe
from desk.koikoi.scribe.unread_deal import UnreadDeals
from referee.koikoi.events import Deal
from referee.koikoi.flags import FlagId
from referee.koikoi.house_rules import preset
from tests.desk.koikoi.koikoi_script import SECOND_MS, events_of, opened_desk, planned
from tests.slow_case import slow_case
from vision.simulator.cardtable.koikoi.game import RoundPlan


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
    for event in events_of(plan, players):
        seen.tell(event)
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
    for event in blinded(plan, 2, {first: {second: 0.6}, second: {first: 0.6}}):
        desk.tell(event)
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
    for event in blinded(plan, 2, {dealt: {dealt: 0.6, (dealt + 20) % 48: 0.59}}):
        desk.tell(event)
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
    for event in events:
        desk.tell(event)
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


def test_a_card_that_is_like_only_one_other_is_not_asked_for_once_that_is_read(tmp_path: Path) -> None:
    plan, dealt = next(
        (plan, left[0])
        for plan in map(planned, range(40))
        if (left := [card for card in plan.dealt if card not in taken_from_deal(plan)])
    )
    rival = next(move.card for turn in plan.turns for move in turn.moves if move.card // 4 != dealt // 4)
    desk = opened_desk(tmp_path)
    asked = []
    for event in blinded(plan, 2, {dealt: {rival: 0.71, dealt: 0.7, (dealt + 20) % 48: 0.4}}):
        desk.tell(event)
        asked.append(told(desk) == ["unsure"])
    assert asked[0]
    assert not asked[-1]
    assert plan.final is not None
    assert list(desk.game.match.rounds[-1].points) == plan.final["points"]


def begins_round(desk: KoiKoiDesk, look: Look) -> bool:
    return isinstance(desk.game.implied(TableSeen(look)), NextRound)


def test_a_new_deal_with_a_card_that_cannot_be_read_begins_the_next_round(tmp_path: Path) -> None:
    plan = planned(1)
    desk = opened_desk(tmp_path)
    for event in events_of(plan):
        desk.tell(event)
    again = planned(2)
    (first, *_) = blinded(again, 2, {again.dealt[0]: {}})
    assert isinstance(first, TableSeen)
    assert begins_round(desk, first.look)
    assert begins_round(desk, replace(first.look, unread=()))
    # cards of the round that is over are being gathered
    latest = desk.game.scribe.looks[-1]
    assert not begins_round(desk, replace(latest, captures=(frozenset(), frozenset())))


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
            for event in hidden(events_of(plan, players), under):
                desk.tell(event)
            desk.game.close()
            assert plan.final is not None
            record = desk.game.match.rounds[-1]
            assert list(record.points) == plan.final["points"]
            assert set(told(desk)) <= {"unsure"}


def test_a_card_that_shows_under_one_of_the_deal_was_dealt() -> None:
    reader = UnreadDeals(Scribe(preset(), players=2, dealer=0), size=8)
    dealt, none = frozenset({0, 8, 12, 16, 20, 24}), frozenset[int]()
    looks: list[tuple[set[int], set[int], int]] = [
        (set(), {40}, 0),
        ({40}, set(), 0),
        ({40, 34}, set(), 1),
        ({40, 34}, {37}, 1),
        ({40, 34, 37, 33}, set(), 1),
        ({40, 34, 37, 33, 29}, set(), 0),
    ]
    first = Look(0.0, dealt | {4}, none, (none, none), none, 0, none, {})
    reader.look(first)
    for number, (laid, turn, seat) in enumerate(looks, 1):
        look = replace(
            first,
            t_ms=SECOND_MS * number,
            field=dealt | laid,
            turn=frozenset(turn),
            captures=(frozenset({4, 5}), none),
            seats=frozenset({seat}),
            at_stock=bool(turn),
            over={0: 33} if 33 in laid else {},
        )
        reader.look(look)
    assert [flag.id.value for flag in reader.scribe.match.flags] == ["forgotten_capture"]


def test_a_fault_makes_no_unread_card_one_that_its_print_is_not() -> None:
    reader = UnreadDeals(Scribe(preset(), players=2, dealer=0), size=8)
    dealt, none = frozenset({5, 7, 20, 22, 28, 35, 40}), frozenset[int]()
    unread = UnreadPrint(100.0, 250.0, {6: 0.93, 4: 0.91, 15: 0.55})
    rest = dealt - {5} | {6}
    taken = frozenset({4, 5})
    steps: list[tuple[frozenset[int], set[int], frozenset[int], dict[int, int], int]] = [
        (dealt, set(), none, {}, 0),
        (dealt | {4, 6}, set(), none, {4: 5}, 0),
        (dealt | {4, 6}, {44}, none, {4: 5}, 0),
        (rest | {44}, set(), taken, {}, 0),
        (rest | {44, 15}, set(), taken, {}, 1),
        (rest | {44, 15}, {0}, taken, {}, 1),
        (rest | {44, 15, 0, 24}, set(), taken, {}, 0),
    ]
    for number, (field, turn, pile, over, seat) in enumerate(steps):
        reader.look(
            Look(
                SECOND_MS * number,
                field,
                frozenset(turn),
                (pile, none),
                none,
                0 if number else 1,
                frozenset({seat}) if number else none,
                {},
                bool(turn),
                unread=() if number else (unread,),
                over=over,
            )
        )
    assert [flag.id.value for flag in reader.scribe.match.flags] == ["took_one_of_three"]
    deal = reader.scribe.notes[0].event
    assert isinstance(deal, Deal)
    assert 6 in deal.field


def test_too_few_cards_are_no_misdeal_once_somebody_plays(tmp_path: Path) -> None:
    plan, three = next(with_three_of_a_month(2))
    desk = opened_desk(tmp_path)
    events = list(hidden(events_of(plan), {three[1]: three[0]}))
    first = events[0]
    assert isinstance(first, TableSeen)
    for t_ms in (100.0, 200.0, 300.0):
        desk.tell(TableSeen(replace(first.look, t_ms=t_ms)))
    assert told(desk) == ["misdeal"]
    for event in events[1:]:
        desk.tell(event)
    assert plan.final is not None
    assert list(desk.game.match.rounds[-1].points) == plan.final["points"]
    assert "misdeal" not in told(desk)


def test_a_card_that_was_glimpsed_as_it_was_dealt_is_taken_for_the_hidden_one(tmp_path: Path) -> None:
    plan, three = next(with_three_of_a_month(2))
    desk = opened_desk(tmp_path)
    desk.tell(CardSeenBriefly(500.0, three[0]))
    for event in hidden(events_of(plan), {three[0]: three[1]}):
        desk.tell(event)
        assert told(desk) == []
    assert plan.final is not None
    assert list(desk.game.match.rounds[-1].points) == plan.final["points"]


def test_the_next_round_is_called_for_when_its_deal_lies_there_with_a_card_hidden(tmp_path: Path) -> None:
    plan, three = next(with_three_of_a_month(2))
    desk = opened_desk(tmp_path)
    first, *others = hidden(events_of(plan), {three[1]: three[0]})
    desk.tell(first)
    desk.tell(NextRound(1001.0))
    for event in others:
        desk.tell(event)
    assert plan.final is not None
    assert list(desk.game.match.rounds[-1].points) == plan.final["points"]


def test_a_new_deal_begins_the_next_round_although_nobody_has_ended_this_one(tmp_path: Path) -> None:
    plan = planned(1)
    desk = opened_desk(tmp_path)
    told_of_play = [event for event in events_of(plan) if isinstance(event, TableSeen)]
    for event in told_of_play[:-4]:
        desk.tell(event)
    assert desk.game.match.table is not None
    assert desk.game.match.table.result is None
    latest, (deal, *_) = told_of_play[-5].look, events_of(planned(2))
    assert isinstance(deal, TableSeen)
    assert begins_round(desk, deal.look)
    # somebody only lifts his captured cards to count them
    assert not begins_round(desk, replace(latest, captures=(frozenset(), frozenset())))


def test_a_deal_is_recognised_after_a_misdeal(tmp_path: Path) -> None:
    desk = opened_desk(tmp_path)
    four = Look(
        1000.0,
        frozenset({0, 1, 2, 3, 8, 12, 16, 20}),
        frozenset(),
        (frozenset(),) * 2,
        frozenset(),
        0,
        frozenset(),
        {},
    )
    desk.tell(TableSeen(four))
    assert told(desk) == ["misdeal"]
    assert not begins_round(desk, replace(four, t_ms=2000.0))
    assert begins_round(desk, replace(four, t_ms=2000.0, field=frozenset({4, 9, 14, 19, 24, 29, 34, 39})))
