"""A karuta layout as one line of text, for bug reports, tests and golden files.

    near 12 45|7 3/5|/|9 far 44|8/|/2|

Each seat is followed by its three rows, separated by `/`; the row next to the middle line comes first. In a
row, the cards left of `|` lie side by side from the left side line of the picture, the cards right of it up
to the right side line. A card is the number of its poem, or `?` if it could not be read. These marks follow
it where it is not in its nominal place:

`@x,y`  its centre in millimetres (x to the right, y towards near, from the centre of the field),
`^a`    its rotation in radians, clockwise in the picture,
`!`     when it lies upside down for its owner.

Numbers are written exactly: `parse_layout(format_layout(layout)) == layout` for every layout.
"""

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal

from referee.layout import CARD_WIDTH_M, ROWS, TERRITORY_WIDTH_M, Layout, PlacedCard, row_centre_y_m
from referee.sides import Side

_NUMBER = r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?"
_CARD = re.compile(rf"(\d+|\?)(?:@({_NUMBER}),({_NUMBER}))?(?:\^({_NUMBER}))?(!?)")
_LAYOUT = re.compile(r"\s*near\s+(?P<near>.*?)\s+far\s+(?P<far>.*?)\s*")


def _left_x_m(place: int) -> float:
    return -TERRITORY_WIDTH_M / 2 + (place + 0.5) * CARD_WIDTH_M


def _millimetres(length_m: float) -> str:
    return f"{Decimal(repr(length_m + 0.0)).scaleb(3).normalize():f}"


def _metres(length_mm: str) -> float:
    return float(Decimal(length_mm).scaleb(-3))


def format_layout(layout: Layout) -> str:
    """Write `layout` as one line."""
    return " ".join(f"{side} {_format_territory(layout, side)}" for side in Side)


def _format_territory(layout: Layout, side: Side) -> str:
    rows = ([placed for placed in layout.of(side) if placed.row == row] for row in range(ROWS))
    return "/".join(_format_row(row) for row in rows)


def _format_row(cards: Iterable[PlacedCard]) -> str:
    left: list[PlacedCard] = []
    right: list[PlacedCard] = []
    for placed in sorted(cards, key=_reading_order):
        begins_at_side_line = not right and placed.x_m == _left_x_m(len(left))
        (left if begins_at_side_line or placed.x_m < 0 else right).append(placed)
    lefts = [_format_card(placed, _left_x_m(place)) for place, placed in enumerate(left)]
    rights = [_format_card(placed, -_left_x_m(len(right) - 1 - place)) for place, placed in enumerate(right)]
    return f"{' '.join(lefts)}|{' '.join(rights)}"


def _reading_order(placed: PlacedCard) -> tuple[float, float, int, float, bool]:
    return placed.x_m, placed.y_m, placed.card or 0, placed.angle_rad, placed.faces_owner


def _format_card(placed: PlacedCard, nominal_x_m: float) -> str:
    text = "?" if placed.card is None else str(placed.card)
    if (placed.x_m, placed.y_m) != (nominal_x_m, row_centre_y_m(placed.side, placed.row)):
        text += f"@{_millimetres(placed.x_m)},{_millimetres(placed.y_m)}"
    if placed.angle_rad:
        text += f"^{placed.angle_rad!r}"
    return text if placed.faces_owner else f"{text}!"


def parse_layout(text: str) -> Layout:
    """Read a layout written by `format_layout` or by hand.

    Raises ValueError if a part cannot be read; the message names it and what was expected there.
    """
    seats = _LAYOUT.fullmatch(text)
    if seats is None:
        raise ValueError(f"a layout reads 'near ROW/ROW/ROW far ROW/ROW/ROW', got {text!r}")
    return Layout(tuple(placed for side in Side for placed in _parse_territory(seats[side.value], side)))


def _parse_territory(text: str, side: Side) -> Iterator[PlacedCard]:
    rows = text.split("/")
    if len(rows) != ROWS:
        raise ValueError(f"{side} needs {ROWS} rows separated by '/', got {len(rows)} in {text!r}")
    for row, cards in enumerate(rows):
        halves = cards.split("|")
        if len(halves) != 2:
            raise ValueError(
                f"{side} row {row} needs one '|' between its left and right cards, got {cards!r}"
            )
        left, right = (half.split() for half in halves)
        for place, card in enumerate(left):
            yield _parse_card(card, side, row, _left_x_m(place))
        for place, card in enumerate(reversed(right)):
            yield _parse_card(card, side, row, -_left_x_m(place))


def _parse_card(text: str, side: Side, row: int, nominal_x_m: float) -> PlacedCard:
    match = _CARD.fullmatch(text)
    if match is None:
        raise ValueError(
            f"{side} row {row}: a card reads like '17', '?' or '17@-303.4,51^0.02!', got {text!r}"
        )
    number, x_mm, y_mm, angle_rad, upside_down = match.groups()
    return PlacedCard(
        card=None if number == "?" else int(number),
        side=side,
        row=row,
        x_m=nominal_x_m if x_mm is None else _metres(x_mm),
        y_m=row_centre_y_m(side, row) if y_mm is None else _metres(y_mm),
        angle_rad=float(angle_rad or 0.0),
        faces_owner=not upside_down,
    )
