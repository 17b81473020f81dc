"""After an unseen part of a round, everything that may have happened in it stays possible."""

import random
from dataclasses import replace
from functools import reduce

import pytest

from referee.koikoi.events import Call, Deal, Declare, Draw, Missed, Play
from referee.koikoi.house_rules import preset
from referee.koikoi.match import Match, dealt_by_anybody, play, step
from referee.koikoi.piles import cards_of
from referee.koikoi.round import Ending, Phase, Round
from referee.koikoi.unseen_part import after_missed
from tests.referee.koikoi.koikoi_table import random_round

RULES = preset()
DEAL = Deal(1, 2, 0, (1, 9, 45, 12, 16, 20, 24, 30))


def flags(match: Match) -> list[str]:
    return [flag.id.value for flag in match.flags]


def seen_again(match: Match, *said: Declare) -> Missed:
    """Return the `Missed` event that shows the table of the only reading of `match`."""
    (table,) = match.readings
    piles = tuple(map(cards_of, table.piles))
    return Missed(table.players, table.dealer, cards_of(table.field), piles, said)


@pytest.mark.parametrize("first", [0, 1])
def test_a_round_dealt_by_nobody_knows_whom_is_begun_by_either_seat(first: int) -> None:
    match = dealt_by_anybody(step(Match(RULES), DEAL))
    for event in (Play(first, 0, (1,)), Draw(first, 8, (9,)), Play(1 - first, 2)):
        match = step(match, event)
    assert flags(match) == []
    assert {table.dealer for table in match.readings} == {first}


@pytest.mark.parametrize("moves", [0, 1, 2])
def test_a_hole_in_which_nothing_was_played_changes_nothing(moves: int) -> None:
    events = (Play(0, 0, (1,)), Draw(0, 8, (9,)), Play(1, 2), Draw(1, 3, (2,)))
    match = play(RULES, [DEAL, *events[:moves]])
    (before,) = match.readings
    match = step(match, seen_again(match))
    assert replace(match.readings[0], missed=before.missed) == before
    for event in events[moves:]:
        match = step(match, event)
    assert flags(match) == []


def test_who_completed_a_yaku_unseen_may_stop_or_go_on() -> None:
    before = play(RULES, [DEAL, Play(0, 0, (1,)), Draw(0, 8, (9,)), Play(1, 2), Draw(1, 3, (2,))])
    # in the hole seat 0 takes November's light and draws a card that stays
    missed = Missed(2, 0, (12, 16, 20, 24, 30, 5), ((0, 1, 8, 9, 44, 45), (2, 3)))
    stopped = step(step(before, missed), Declare(0, Call.STOP))
    assert flags(stopped) == []
    results = {table.result for table in stopped.readings}
    assert {(result.ending, result.winner, result.points) for result in results if result} == {
        (Ending.STOP, 0, (5, 0))
    }
    went_on = step(step(before, missed), Play(1, 6, (5,)))
    assert flags(went_on) == []


def test_nobody_is_thought_to_have_played_more_cards_than_he_held() -> None:
    events = random_round(random.Random(5), 2, RULES, show_hands=False, call_rate=1.0)
    ends = play(RULES, events)
    assert ends.rounds[0].table.result is not None
    for left in range(1, 6):
        seen = play(RULES, events[:-left])
        after = step(seen, seen_again(seen))
        assert after.readings
        for table in after.readings:
            assert min(table.hand_counts) >= 0
            assert table.stock >= 0


def told(table: Round) -> tuple[object, ...]:
    """Return what a state says of the round: hands, stock and turn matter as long as it lasts."""
    if table.result is not None:
        return table.field, table.piles, table.calls, table.result
    passed = table.last_turn if table.phase is Phase.HAND_CARD else None
    cards = table.field, table.piles, table.hand_counts, table.stock, table.unread
    return *cards, table.turn, table.phase, table.pile_before, table.calls, passed


@pytest.mark.parametrize("players", [2, 3])
def test_what_truly_happened_in_a_hole_stays_possible(players: int) -> None:
    dice = random.Random(players)
    for _ in range(5):
        events = random_round(dice, players, RULES, show_hands=False, call_rate=1.0)
        for begun in (*range(1, len(events), 3), len(events) - 1):
            ended = begun + dice.randrange(1, 2 * players)
            before = reduce(step, events[:begun], Match(RULES))
            after = reduce(step, events[begun:ended], before)
            said = [event for event in events[begun:ended] if isinstance(event, Declare)]
            possible = step(before, seen_again(after, *said)).readings
            assert told(after.readings[0]) in map(told, possible)


def test_a_round_that_was_joined_midway_may_be_anybodys_turn() -> None:
    """The deal was not seen; two turns later the round goes on, and the turn order is not flagged."""
    joined = step(Match(RULES), Missed(2, 0, (12, 16, 20, 24, 30, 45), ((0, 1, 8, 9), (2, 3))))
    turns = {(table.dealer, table.turn) for table in joined.readings}
    assert {(0, 0), (0, 1), (1, 0), (1, 1)} <= turns
    for seat in (0, 1):
        assert flags(step(joined, Play(seat, 44, (45,)))) == []


def test_a_fault_after_a_hole_is_flagged_without_blame_for_the_turn() -> None:
    before = play(RULES, [DEAL, Play(0, 0, (1,)), Draw(0, 8, (9,))])
    after = step(before, seen_again(before))
    # March goes along with November, whoever's turn it is
    assert flags(step(after, Play(0, 44, (12, 45)))) == ["extra_card_taken"]


def test_koikoi_that_was_called_in_a_hole_counts_and_passes_the_turn() -> None:
    three_lights = (Play(0, 0, (1,)), Draw(0, 8, (9,)), Play(1, 2), Draw(1, 3, (2,)), Play(0, 44, (45,)))
    before = play(RULES, [DEAL, *three_lights, Draw(0, 5)])
    after = step(before, seen_again(before, Declare(0, Call.KOIKOI)))
    assert {table.calls for table in after.readings} == {(1, 0)}
    assert after.readings[0].turn == 1
    assert flags(step(after, Play(1, 6, (5,)))) == []


def test_a_card_that_was_laid_unseen_left_the_hand_of_who_laid_it() -> None:
    match = step(step(Match(RULES), DEAL), Missed(2, 0, (9, 45, 12, 16, 20, 24, 30), ((0, 1), ())))
    counts = {
        (table.turn, table.phase): (table.hand_counts, table.stock, table.unread) for table in match.readings
    }
    stock = 48 - 2 * 8 - 8
    assert counts == {
        (0, Phase.DRAW): ((7, 8), stock, 0),
        (1, Phase.HAND_CARD): ((7, 8), stock - 1, 1),
        (1, Phase.DRAW): ((7, 7), stock - 1, 2),
        (0, Phase.HAND_CARD): ((7, 7), stock - 2, 3),
    }


def test_a_hand_card_that_was_still_due_may_have_been_laid_unseen() -> None:
    before = play(RULES, [DEAL, Draw(0, 8, (9,))])
    (drew,) = before.readings
    assert drew.phase is Phase.LATE_HAND_CARD
    laid = step(before, Missed(2, 0, (45, 12, 16, 20, 24, 30), ((0, 1, 8, 9), ()))).readings[0]
    assert (laid.turn, laid.phase) == (1, Phase.HAND_CARD)
    assert (laid.hand_counts, laid.stock) == ((7, 8), drew.stock)


def test_the_last_card_of_the_stock_may_have_been_drawn_unseen() -> None:
    (laid,) = play(RULES, [DEAL, Play(0, 0, (1,))]).readings
    (over,) = after_missed(
        replace(laid, hand_counts=(0, 0), stock=1),
        Missed(2, 0, (9, 45, 12, 16, 20, 24, 30, 36), ((0, 1), ())),
    )
    assert over.stock == 0
    assert over.result is not None
    assert over.result.ending is Ending.EXHAUSTED


def test_a_yaku_of_the_hand_card_before_a_hole_may_be_decided_on_after_it() -> None:
    three_lights = (Play(0, 0, (1,)), Draw(0, 8, (9,)), Play(1, 2), Draw(1, 3, (2,)), Play(0, 44, (45,)))
    before = play(RULES, [DEAL, *three_lights])
    after = step(before, seen_again(step(before, Draw(0, 5))))
    stopped = step(after, Declare(0, Call.STOP))
    assert flags(stopped) == []
    assert {table.result.points for table in stopped.readings if table.result} == {(5, 0)}


def test_a_decision_that_is_due_before_a_hole_may_be_told_after_it() -> None:
    three_lights = (Play(0, 0, (1,)), Draw(0, 8, (9,)), Play(1, 2), Draw(1, 3, (2,)), Play(0, 44, (45,)))
    before = play(RULES, [DEAL, *three_lights, Draw(0, 5)])
    # in the hole seat 1 laid a card: seat 0 must have gone on
    missed = replace(seen_again(before), field=(12, 16, 20, 24, 30, 5, 36))
    laid = step(before, missed)
    assert {table.owes for table in laid.readings if table.phase is Phase.DRAW and table.turn == 1} == {0}
    called = step(laid, Declare(0, Call.KOIKOI))
    assert flags(called) == []
    assert {table.calls for table in called.readings} == {(1, 0)}


def test_the_turn_before_an_unseen_one_was_the_seats_before() -> None:
    events = (Play(0, 0, (1,)), Draw(0, 8, (9,)), Play(1, 2), Draw(1, 3, (2,)))
    before = play(RULES, [Deal(1, 3, 0, (1, 9, 45, 12, 16, 20)), *events])
    (table,) = before.readings
    missed = Missed(3, 0, (12, 16, 20, 45, 36), (*map(cards_of, table.piles),))
    laid = next(now for now in step(before, missed).readings if now.phase is Phase.DRAW)
    assert (laid.turn, laid.last_turn) == (2, 1)


def test_a_card_of_the_stock_that_nobody_read_is_gone_from_it() -> None:
    """Seat 0 draws nothing that anybody sees, and seat 1 plays on."""
    before = play(RULES, [DEAL, Play(0, 0, (1,))])
    after = step(before, Play(1, 2))
    (left,) = {table.stock for table in before.readings}
    assert {table.stock for table in after.readings} == {left, left - 1}, "not drawn, or drawn and not seen"
