"""Cards as bits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.koikoi.piles import (
    ANIMALS,
    BLUE_RIBBONS,
    CHAFF,
    DECK,
    LIGHTS,
    POETRY_RIBBONS,
    RIBBONS,
    cards_of,
    is_four_pairs,
    month_cards,
    most_of_a_month,
    pile_of,
    same_month,
    subsets,
)


@given(st.sets(st.integers(0, 47)))
def test_a_pile_holds_its_cards(cards: set[int]) -> None:
    assert set(cards_of(pile_of(cards))) == cards


@pytest.mark.parametrize(
    ("cards", "complaint"), [([48], "0..47, got 48"), ([-1], "got -1"), ([3, 3], "twice")]
)
def test_what_is_no_pile_is_refused(cards: list[int], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        pile_of(cards)


def test_the_categories_divide_the_deck() -> None:
    parts = (LIGHTS, ANIMALS, RIBBONS, CHAFF)
    assert [part.bit_count() for part in parts] == [5, 9, 10, 24]
    assert sum(parts) == DECK
    assert cards_of(POETRY_RIBBONS) == (1, 5, 9)
    assert cards_of(BLUE_RIBBONS) == (21, 33, 37)


def test_subsets_are_all_there_once() -> None:
    found = list(subsets(0b10101))
    assert found == sorted(set(found))
    assert len(found) == 8
    assert list(subsets(0)) == [0]


def test_months() -> None:
    assert cards_of(month_cards(12)) == (44, 45, 46, 47)
    assert same_month(30, pile_of([28, 31, 32])) == pile_of([28, 31])
    assert most_of_a_month(pile_of([0, 1, 2, 4])) == 3
    assert is_four_pairs(pile_of([0, 1, 4, 5, 8, 9, 12, 13]))
    assert not is_four_pairs(pile_of([0, 1, 2, 3, 8, 9, 12, 13]))
    assert not is_four_pairs(pile_of([0, 1, 4, 5, 8, 9, 12, 17]))
