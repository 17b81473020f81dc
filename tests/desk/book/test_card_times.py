"""The slowest cards: shrunk towards the player's mean as far as they are unlucky."""

from __future__ import annotations

import pytest

from benchmarks.book.reactions import CardCell, measured_cards
from desk.book.card_times import card_times


def test_a_player_without_takes_has_no_times() -> None:
    assert card_times([]) == {}
    assert card_times([(1, 300.0, False), (2, 400.0, False)]) == {}


def test_one_take_of_a_card_moves_it_less_than_ten() -> None:
    others = [(poem, 500.0 + 10 * (poem % 5), True) for poem in range(1, 21) for _ in range(5)]
    once = card_times([*others, (30, 900.0, True)])[30]
    often = card_times([*others, *[(30, 900.0, True)] * 10])[30]
    assert 500 < once.ms < often.ms < 900
    assert 0 < once.above < often.above


def test_a_lost_card_is_slower_than_one_taken_at_that_time() -> None:
    others = [(poem, 400.0 + 20 * poem, True) for poem in range(1, 21) for _ in range(3)]
    taken = card_times([*others, *[(30, 600.0, True)] * 3])[30]
    lost = card_times([*others, *[(30, 600.0, False)] * 3])[30]
    assert lost.ms > taken.ms


def test_of_cards_that_are_all_alike_the_slowest_are_not_far_off() -> None:
    found = measured_cards(CardCell(spread=0.0, takes=3), samples=10)
    assert found["slowest_20_ms"] < 660, "without shrinking 776"


@pytest.mark.parametrize("opponent_ms", [None, 600])
@pytest.mark.parametrize(("spread", "takes"), [(0.1, 3), (0.25, 3), (0.25, 10)])
def test_the_error_is_near_that_of_who_knows_all_spreads(
    spread: float, takes: int, opponent_ms: float | None
) -> None:
    found = measured_cards(CardCell(spread, takes, opponent_ms), samples=10)
    assert found["error_ms"] < 1.2 * found["best_ms"]
    assert found["error_ms"] < found["own_mean_ms"]
