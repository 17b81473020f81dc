"""Field measures, placed cards and layouts as values."""

import pytest

from referee.layout import TERRITORY_DEPTH_M, Layout, PlacedCard, row_centre_y_m
from referee.sides import BySide, Side

ONE = PlacedCard(1, Side.NEAR, 0, -0.4, 0.05)
TWO = PlacedCard(2, Side.FAR, 2, 0.3, -0.2, angle_rad=0.1, faces_owner=False)
UNREAD = PlacedCard(None, Side.FAR, 1, 0.0, -0.13)


@pytest.mark.parametrize(
    ("side", "row", "y_m"),
    [(Side.NEAR, 0, 0.0515), (Side.NEAR, 2, 0.2175), (Side.FAR, 0, -0.0515), (Side.FAR, 1, -0.1345)],
)
def test_rows_lie_where_the_measures_put_them(side: Side, row: int, y_m: float) -> None:
    assert row_centre_y_m(side, row) == pytest.approx(y_m)


def test_a_territory_is_three_rows_and_two_gaps_deep() -> None:
    assert pytest.approx(0.239) == TERRITORY_DEPTH_M


@pytest.mark.parametrize("row", [-1, 3])
def test_rows_out_of_range_are_refused(row: int) -> None:
    with pytest.raises(ValueError, match=r"row must be 0\.\.2"):
        row_centre_y_m(Side.NEAR, row)
    with pytest.raises(ValueError, match=r"row must be 0\.\.2"):
        PlacedCard(1, Side.NEAR, row, 0.0, 0.0)


@pytest.mark.parametrize("card", [0, 101])
def test_cards_out_of_range_are_refused(card: int) -> None:
    with pytest.raises(ValueError, match=r"1\.\.100"):
        PlacedCard(card, Side.NEAR, 0, 0.0, 0.0)


def test_a_card_lies_on_the_field_at_most_once() -> None:
    with pytest.raises(ValueError, match=r"came twice: \[1\]"):
        Layout((ONE, ONE, TWO))


def test_a_layout_finds_its_cards() -> None:
    layout = Layout((ONE, TWO, UNREAD, UNREAD))
    assert (len(layout), layout.counts()) == (4, BySide(1, 3))
    assert (layout.find(2), layout.find(3)) == (TWO, None)
    assert (layout.side_of(2), layout.side_of(3)) == (Side.FAR, None)
    assert layout.without(2) == Layout((ONE, UNREAD, UNREAD))
    assert layout.without(3) == layout


def test_layouts_are_equal_when_the_same_cards_lie_alike() -> None:
    assert Layout((ONE, TWO)) == Layout((TWO, ONE))
    assert hash(Layout((ONE, TWO))) == hash(Layout((TWO, ONE)))
    assert Layout((UNREAD, UNREAD)) != Layout((UNREAD,))
    assert Layout((ONE,)) != (ONE,)


def test_from_the_opposite_seat_everything_is_turned_round() -> None:
    turned = Layout((ONE, TWO)).swap()
    assert turned.find(1) == PlacedCard(1, Side.FAR, 0, 0.4, -0.05)
    assert turned.swap() == Layout((ONE, TWO))


def test_a_layout_is_read_once_a_single_card_is() -> None:
    assert Layout((ONE, UNREAD)).is_read
    assert not Layout((UNREAD,)).is_read


def test_values_of_two_seats() -> None:
    pair = BySide(1, 2)
    assert (Side.NEAR.opponent, Side.FAR.opponent) == (Side.FAR, Side.NEAR)
    assert [pair[side] for side in Side] == [1, 2]
    assert list(pair.items()) == [(Side.NEAR, 1), (Side.FAR, 2)]
    assert (BySide.of(lambda side: pair[side]), BySide.both(3)) == (pair, BySide(3, 3))
    assert (pair.replaced(Side.NEAR, 5), pair.replaced(Side.FAR, 5)) == (BySide(5, 2), BySide(1, 5))
    assert (pair.swap(), pair.map(str)) == (BySide(2, 1), BySide("1", "2"))
