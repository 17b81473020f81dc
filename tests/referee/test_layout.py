"""Field measures, placed cards and layouts as values."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.facts import Contact, Gap, KimarijiCompleted, PoemStarted, Touch, Unprovable
from referee.layout import TERRITORY_DEPTH_M, Layout, PlacedCard, row_centre_y_m
from referee.notation import format_layout, parse_layout
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


@pytest.mark.parametrize(
    "make",
    [
        lambda t_unc_ns: PoemStarted(1, 0, t_unc_ns),
        lambda t_unc_ns: KimarijiCompleted(1, 0, t_unc_ns),
        lambda t_unc_ns: Touch(1, Side.NEAR, 0, t_unc_ns),
        lambda t_unc_ns: Unprovable(1, None, 0, t_unc_ns, "under_head"),
    ],
)
def test_no_measurement_is_perfect(make: Callable[[int], object]) -> None:
    make(1)
    for t_unc_ns in (0, -1):
        with pytest.raises(ValueError, match=f"positive number of nanoseconds .*got {t_unc_ns}"):
            make(t_unc_ns)


@pytest.mark.parametrize("confidence", [-0.01, 1.01])
def test_confidence_is_a_probability(confidence: float) -> None:
    with pytest.raises(ValueError, match=r"0\.\.1"):
        Touch(1, Side.NEAR, 0, 1, confidence=confidence)


def test_a_touch_may_be_likelier_late_than_early() -> None:
    even, uneven = Touch(1, Side.NEAR, 100, 9), Touch(1, Side.NEAR, 100, 9, sides_ns=(4, 9))
    assert (even.earliest_ns, even.latest_ns) == (91, 109)
    assert (uneven.earliest_ns, uneven.latest_ns) == (96, 109)
    assert uneven.moved(50, 3) == Touch(1, Side.NEAR, 50, 3)
    for sides_ns in ((4, 8), (0, 9), (9, 10)):
        with pytest.raises(ValueError, match="the larger 9 ns"):
            Touch(1, Side.NEAR, 100, 9, sides_ns=sides_ns)


def test_a_swept_card_is_out_at_the_end_of_its_sweep() -> None:
    swept = Touch(1, Side.NEAR, 100, 9, sides_ns=(4, 9), out_ns=(300, 401))
    out = swept.way_out
    assert out is not None
    assert (out.contact, out.player, out.earliest_ns, out.latest_ns) == (
        Contact.PUSHED_OUT,
        Side.NEAR,
        299,
        401,
    )
    assert out.way_out is out
    assert Touch(1, Side.NEAR, 100, 9).way_out is None
    with pytest.raises(ValueError, match=r"\(300, 300\)"):
        Touch(1, Side.NEAR, 100, 9, out_ns=(300, 300))


def test_a_gap_ends_after_it_begins() -> None:
    assert Gap(5, 5, "dropped_frames").t_to_ns == 5
    with pytest.raises(ValueError, match=r"5\.\.4 ns"):
        Gap(5, 4, "dropped_frames")


def test_a_touch_from_the_opposite_seat() -> None:
    touch = Touch(7, Side.NEAR, 0, 1, territory=Side.FAR)
    assert touch.turned() == Touch(7, Side.FAR, 0, 1, territory=Side.NEAR)
    nameless = Touch(7, None, 0, 1)
    assert nameless.turned() == nameless


LINE = "near 12 45|7 3/5|/|9 far 44|8/|/2|"

metres = st.floats(-2, 2, allow_nan=False) | st.sampled_from([-0.409, -0.357, 0.409, 0.0, -0.0])


@st.composite
def placed_cards(draw: st.DrawFn, card: int | None) -> PlacedCard:
    side, row = draw(st.sampled_from(Side)), draw(st.integers(0, 2))
    return PlacedCard(
        card=card,
        side=side,
        row=row,
        x_m=draw(metres),
        y_m=draw(metres | st.just(row_centre_y_m(side, row))),
        angle_rad=draw(st.just(0.0) | st.floats(-4, 4)),
        faces_owner=draw(st.booleans()),
    )


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
    known: list[int | None] = list(draw(st.sets(st.integers(1, 100), max_size=12)))
    unread: list[int | None] = [None] * draw(st.integers(0, 3))
    return Layout(tuple(draw(placed_cards(card)) for card in [*known, *unread]))


@given(layouts())
def test_parsing_what_was_formatted_gives_it_back(layout: Layout) -> None:
    line = format_layout(layout)
    assert "\n" not in line
    assert parse_layout(line) == layout


rows = st.lists(st.integers(0, 6), min_size=12, max_size=12)


@given(rows)
def test_handwritten_lines_settle_after_one_round(counts: list[int]) -> None:
    numbers = iter(range(1, 101))
    groups = [" ".join(str(next(numbers)) for _ in range(count)) for count in counts]
    halves = [f"{left}|{right}" for left, right in zip(groups[::2], groups[1::2], strict=True)]
    line = f"near {'/'.join(halves[:3])} far {'/'.join(halves[3:])}"
    assert format_layout(parse_layout(line)) == line


@given(layouts())
def test_the_order_of_cards_does_not_show(layout: Layout) -> None:
    backwards = Layout(tuple(reversed(layout.cards)))
    assert backwards == layout
    assert hash(backwards) == hash(layout)
    assert format_layout(backwards) == format_layout(layout)


def test_a_line_means_these_places() -> None:
    layout = parse_layout(LINE)
    assert format_layout(layout) == LINE
    assert layout.counts().near == 6
    first, last = layout.find(12), layout.find(3)
    assert first is not None
    assert last is not None
    assert (first.side, first.row, first.x_m, first.y_m) == (Side.NEAR, 0, -0.409, 0.0515)
    assert (last.side, last.row, last.x_m) == (Side.NEAR, 0, 0.409)
    assert layout.side_of(2) is Side.FAR


def test_a_long_row_runs_past_the_middle() -> None:
    line = f"near {' '.join(map(str, range(1, 17)))}|/|/| far |/|/|"
    assert format_layout(parse_layout(line)) == line


def test_a_card_out_of_place_says_so() -> None:
    line = "near 17@-303.35,50.8^0.02!|?@0.5,-1000/|/| far |/|/|"
    layout = parse_layout(line)
    assert layout.cards == (
        PlacedCard(17, Side.NEAR, 0, -0.30335, 0.0508, angle_rad=0.02, faces_owner=False),
        PlacedCard(None, Side.NEAR, 0, 0.0005, -1.0),
    )
    assert format_layout(layout) == line


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "near ROW/ROW/ROW far ROW/ROW/ROW"),
        ("near 1|/| far |/|/|", "near needs 3 rows"),
        ("near |/|/| far |/1 2/|", "far row 1 needs one '|'"),
        ("near |/|/x| far |/|/|", "near row 2: a card reads like"),
        ("near 101|/|/| far |/|/|", r"numbered 1\.\.100"),
        ("near 5|/|/| far 5|/|/|", "came twice"),
    ],
)
def test_what_cannot_be_read_is_named(line: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_layout(line)
