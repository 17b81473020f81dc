"""The book's charts as numbers to draw: the field as the player sees it, and the reaction card by card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor

from desk.panel.book.port import CardFigures, PlaceFigures

FIELD_WIDTH, FIELD_HEIGHT = 400, 262
_CELL_WIDTH, _CELL_HEIGHT, _MIDDLE = 198, 38, 22
_MOST_COLOUR = 0.45
"""Of the colour where every card was taken: letters on it stay readable in light and dark."""
DOTS_WIDTH = 400
_LABEL_WIDTH, _COUNT_WIDTH, _ROW_HEIGHT, _HEAD_HEIGHT = 78, 34, 17, 26


@dataclass(frozen=True, slots=True)
class FieldCell:
    """A part of the field: its corner and size, and how much colour it gets, 0..1."""

    x: int
    y: int
    width: int
    height: int
    colour: float
    figures: PlaceFigures


@dataclass(frozen=True, slots=True)
class Tick:
    """A line of the scale: where, and its milliseconds."""

    x: float
    ms: int


@dataclass(frozen=True, slots=True)
class DotRow:
    """A card's row: the median, and the ends of the line between the quartiles (None for one take)."""

    y: int
    x: float
    line: tuple[float, float] | None
    figures: CardFigures


@dataclass(frozen=True, slots=True)
class DotPlot:
    """Reaction times, the slowest card on top.

    Attributes
    ----------
    height : of the whole drawing, whose width is `DOTS_WIDTH`.
    label_x, count_x : where names end and where numbers of takes begin.
    ticks, rows : what is drawn.
    """

    height: int
    label_x: int
    count_x: int
    ticks: Sequence[Tick]
    rows: Sequence[DotRow]


def field_cells(places: Sequence[PlaceFigures]) -> Iterator[FieldCell]:
    """Iterate over the parts of the field, the opponent's territory above the player's own."""
    for place in places:
        own = place["territory"] == "own"
        outwards = place["row"] * _CELL_HEIGHT
        y = FIELD_HEIGHT // 2 + _MIDDLE // 2 + outwards
        if not own:
            y = FIELD_HEIGHT // 2 - _MIDDLE // 2 - _CELL_HEIGHT - outwards
        x = 0 if place["half"] == "left" else FIELD_WIDTH - _CELL_WIDTH
        colour = round(_MOST_COLOUR * (place["takes"]["share"] or 0.0), 3)
        yield FieldCell(x, y, _CELL_WIDTH, _CELL_HEIGHT - 2, colour, place)


def dot_plot(cards: Sequence[CardFigures]) -> DotPlot | None:
    """Return the plot of the cards whose reaction time is known, None where there is none."""
    timed = [card for card in cards if card["reaction"]["median_ms"] is not None]
    if not timed:
        return None
    ends = [end for card in timed for end in _ends(card)]
    step_ms = _step_ms(max(ends) - min(0.0, *ends))
    low_ms = step_ms * floor(min(0.0, *ends) / step_ms)
    high_ms = step_ms * max(1, ceil(max(ends) / step_ms))
    left, right = _LABEL_WIDTH + 8, DOTS_WIDTH - _COUNT_WIDTH - 20

    def x_of(ms: float) -> float:
        return round(left + (right - left) * (ms - low_ms) / (high_ms - low_ms), 1)

    rows = []
    for number, card in enumerate(timed):
        quartiles = card["reaction"]["quartiles_ms"]
        line = None if quartiles is None else (x_of(quartiles[0]), x_of(quartiles[1]))
        y = _HEAD_HEIGHT + number * _ROW_HEIGHT + _ROW_HEIGHT // 2
        rows.append(DotRow(y, x_of(card["reaction"]["median_ms"] or 0.0), line, card))
    ticks = [Tick(x_of(ms), ms) for ms in range(low_ms, high_ms + 1, step_ms)]
    height = _HEAD_HEIGHT + len(rows) * _ROW_HEIGHT + 4
    return DotPlot(height, _LABEL_WIDTH, DOTS_WIDTH - _COUNT_WIDTH, ticks, rows)


def _ends(card: CardFigures) -> tuple[float, ...]:
    middle = card["reaction"]["median_ms"] or 0.0
    return (middle, *(card["reaction"]["quartiles_ms"] or ()))


def _step_ms(range_ms: float) -> int:
    """Return a round distance between at most six lines of the scale."""
    step_ms = 100
    while range_ms > 5 * step_ms:
        step_ms *= 2
    return step_ms
