"""The one-line notation of a layout: exact in both directions, with clear error messages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.layout import Layout, PlacedCard, row_centre_y_m
from referee.notation import format_layout, parse_layout
from referee.sides import Side

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
