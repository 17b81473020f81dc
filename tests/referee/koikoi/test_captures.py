"""Taking cards: none, one, one of two, all three."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.koikoi.captures import judge_capture, legal_takes
from referee.koikoi.flags import FlagId
from referee.koikoi.piles import month_of, pile_of


@pytest.mark.parametrize(
    ("field", "takes"),
    [([4, 9], [[]]), ([1, 9], [[1]]), ([1, 3, 9], [[1], [3]]), ([1, 2, 3, 9], [[1, 2, 3]])],
)
def test_what_a_card_of_january_may_take(field: list[int], takes: list[list[int]]) -> None:
    assert legal_takes(0, pile_of(field)) == tuple(map(pile_of, takes))


FIELD = {"none": [4, 9, 20], "one": [1, 9, 20], "two": [1, 3, 9, 20], "three": [1, 2, 3, 9, 20]}


@pytest.mark.parametrize(
    ("field", "taken", "faults"),
    [
        ("none", [9], [FlagId.WRONG_MONTH]),
        ("one", [], [FlagId.FORGOTTEN_CAPTURE]),
        ("one", [9], [FlagId.WRONG_MONTH]),
        ("one", [1, 9], [FlagId.EXTRA_CARD_TAKEN]),
        ("two", [], [FlagId.FORGOTTEN_CAPTURE]),
        ("two", [1, 3], [FlagId.TOOK_BOTH_OF_TWO]),
        ("two", [1, 20], [FlagId.EXTRA_CARD_TAKEN]),
        ("two", [1, 3, 20], [FlagId.EXTRA_CARD_TAKEN, FlagId.TOOK_BOTH_OF_TWO]),
        ("three", [], [FlagId.TOOK_ONE_OF_THREE]),
        ("three", [2], [FlagId.TOOK_ONE_OF_THREE]),
        ("three", [1, 2], [FlagId.TOOK_ONE_OF_THREE]),
        ("three", [9, 20], [FlagId.WRONG_MONTH]),
        ("three", [1, 2, 3, 9], [FlagId.EXTRA_CARD_TAKEN]),
    ],
)
def test_unlawful_captures(field: str, taken: list[int], faults: list[FlagId]) -> None:
    capture = judge_capture(0, pile_of(taken), pile_of(FIELD[field]))
    assert [fault for fault, _ in capture.faults] == faults
    # play may go on as it should have been, or as it was
    assert set(capture.takes) == {*legal_takes(0, pile_of(FIELD[field])), pile_of(taken)}


def test_a_forgotten_capture_stays_forgotten_unless_it_is_put_right() -> None:
    assert judge_capture(0, 0, pile_of([1, 9])).takes == (0, pile_of([1]))


def test_where_taking_is_free_nothing_is_forgotten() -> None:
    assert judge_capture(0, 0, pile_of([1, 9]), mandatory=False).faults == ()


@given(card=st.integers(0, 47), field=st.sets(st.integers(0, 47)), data=st.data())
def test_whatever_is_not_lawful_is_flagged_and_explained(
    card: int, field: set[int], data: st.DataObject
) -> None:
    lying = sorted(field - {card})
    taken = pile_of(data.draw(st.sets(st.sampled_from(lying)))) if lying else 0
    capture = judge_capture(card, taken, pile_of(lying))
    assert bool(capture.faults) == (taken not in legal_takes(card, pile_of(lying)))
    assert all(text for _, text in capture.faults)
    assert month_of(card) in range(1, 13)
