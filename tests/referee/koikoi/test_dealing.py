"""Before the first card: the dealer, the deal and the starting hands."""

from __future__ import annotations

import pytest

from referee.koikoi.dealing import first_dealer, hand_claim, misdeal, next_dealer
from referee.koikoi.events import Call, Deal
from referee.koikoi.house_rules import house_rules, preset
from referee.koikoi.piles import pile_of

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
