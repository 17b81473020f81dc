"""Before the first card: the dealer, the deal and the starting hands."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.koikoi.captures import judge_capture, legal_takes
from referee.koikoi.dealing import first_dealer, hand_claim, misdeal, next_dealer
from referee.koikoi.events import Call, Deal
from referee.koikoi.flags import FlagId
from referee.koikoi.house_rules import house_rules, preset
from referee.koikoi.piles import (
    ANIMALS,
    BLUE_RIBBONS,
    CHAFF,
    DECK,
    LIGHTS,
    POETRY_RIBBONS,
    RIBBONS,
    cards_of,
    month_of,
    pile_of,
)

KASU = preset()
WIKI = preset("fuda-wiki")
PLAIN_FIELD = (3, 6, 10, 14, 18, 22, 26, 30)


def test_equal_lowest_months_draw_again_or_the_higher_card_deals() -> None:
    assert first_dealer([4, 6], KASU) is None
    higher = house_rules("dealer.first_tie = 'higher_card'")
    assert first_dealer([6, 4], higher) == 1
    assert first_dealer([6, 7], higher) is None
    assert (first_dealer((1, 0), WIKI), first_dealer((1, 0), KASU)) == (1, None)
    assert first_dealer([20, 47, 8], higher) == 2


@pytest.mark.parametrize(
    ("rules", "winner", "expected"),
    [
        ("kasu-2008", 0, 0),
        ("kasu-2008", 2, 1),
        ("kasu-2008", None, 1),
        ("fuda-wiki", 2, 2),
        ("fuda-wiki", None, 0),
    ],
)
def test_who_deals_next(rules: str, winner: int | None, expected: int) -> None:
    assert next_dealer(4, 0, winner, preset(rules)) == expected


def test_wrong_numbers_of_cards_are_a_misdeal() -> None:
    assert misdeal(Deal(1, 2, 0, PLAIN_FIELD[:7]), KASU) == "8 cards belong in the middle, 7 lie there"
    hands = ((0, 4, 8, 12, 16, 20, 24, 28), (1, 5, 9, 13, 17, 21, 25))
    assert "they got [8, 7]" in str(misdeal(Deal(1, 2, 0, PLAIN_FIELD, hands), KASU))


@pytest.mark.parametrize(
    ("field", "rules", "reason"),
    [
        ((0, 1, 2, 3, 4, 8, 12, 16), KASU, "all four"),
        ((0, 1, 2, 7, 4, 8, 12, 16), KASU, None),
        ((0, 1, 2, 7, 4, 8, 12, 16), house_rules("field.three_of_a_month = 'redeal'"), "three cards"),
        ((0, 1, 4, 5, 8, 9, 12, 13), KASU, None),
        ((0, 1, 4, 5, 8, 9, 12, 13), WIKI, "four pairs"),
        ((0, 0, 4, 5, 8, 9, 12, 13), WIKI, None),
    ],
)
def test_fields_that_are_dealt_again(field: tuple[int, ...], rules: object, reason: str | None) -> None:
    found = misdeal(Deal(1, 2, 0, field), rules)  # type: ignore[arg-type]
    assert found is None if reason is None else reason in str(found)


TESHI = pile_of([0, 1, 2, 3, 4, 8, 12, 16])
TESHI_WITH_PAIRS = pile_of([0, 1, 2, 3, 4, 5, 8, 9])
KUTTSUKI = pile_of([0, 1, 4, 5, 8, 9, 12, 13])


@pytest.mark.parametrize(
    ("hand", "players", "ruleset", "expected"),
    [
        (TESHI, 2, "kasu-2008", (Call.TESHI, False)),
        (TESHI_WITH_PAIRS, 2, "kasu-2008", (Call.TESHI, False)),
        (KUTTSUKI, 2, "kasu-2008", (Call.KUTTSUKI, False)),
        (TESHI, 4, "kasu-2008", (Call.TESHI, True)),
        (KUTTSUKI, 3, "kasu-2008", None),
        (TESHI, 2, "koikoi-japan", (Call.TESHI, True)),
        (pile_of(PLAIN_FIELD), 2, "kasu-2008", None),
    ],
)
def test_what_a_starting_hand_is_worth(
    hand: int, players: int, ruleset: str, expected: tuple[Call, bool] | None
) -> None:
    claim = hand_claim(1, hand, players, preset(ruleset))
    assert (claim and (claim.what, claim.redeal)) == expected


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
def test_what_is_not_lawful_is_flagged_and_told(card: int, field: set[int], data: st.DataObject) -> None:
    lying = sorted(field - {card})
    taken = pile_of(data.draw(st.sets(st.sampled_from(lying)))) if lying else 0
    capture = judge_capture(card, taken, pile_of(lying))
    assert bool(capture.faults) == (taken not in legal_takes(card, pile_of(lying)))
    assert all(text for _, text in capture.faults)
    assert month_of(card) in range(1, 13)
