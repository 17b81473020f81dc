"""No card of a deck is named twice: of several claims to one the others are doubted."""

import pytest

from vision.photo.hanafuda_photo import each_once, shared_out


def test_of_many_equal_claims_to_one_card_none_is_named() -> None:
    """A chessboard gave 122 squares that all looked like the same bare hill."""
    shared = shared_out([("08-1", 0.99)] * 122, 0.7)
    assert all(card is None and chance < 0.01 for card, chance in shared)


def test_the_much_better_claim_stays() -> None:
    shared = shared_out([("08-1", 0.72), ("08-1", 0.9999), (None, 0.2), ("01-1", 0.8)], 0.7)
    assert [card for card, _ in shared] == [None, "08-1", None, "01-1"]
    assert shared[1][1] > 0.99
    assert shared[2:] == [(None, 0.2), ("01-1", 0.8)]


def test_chaff_is_there_as_often_as_the_deck_has_it() -> None:
    """The willow has one chaff card, the pine two, the paulownia three; which is named means nothing."""
    pines = shared_out([("01-3", 0.99), ("01-3", 0.99)], 0.7)
    assert {card for card, _ in pines} == {"01-3", "01-4"}
    assert all(card is None for card, _ in shared_out([("01-3", 0.99)] * 5, 0.7))


@pytest.mark.parametrize("copies", [1, 2, 3])
def test_shares_of_claims_add_up_to_no_more_than_the_copies(copies: int) -> None:
    chances = each_once([0.999, 0.99, 0.9, 0.9, 0.2], copies)
    assert sum(chances) <= copies
    assert chances == sorted(chances, reverse=True)
    assert each_once([0.8], copies) == pytest.approx([0.8])
