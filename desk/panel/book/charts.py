"""The book's charts as coordinates: the field as the player sees it, and reaction times."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from math import ceil, floor
from typing import Literal

from desk.panel.book.port import CardFigures, FamilyFigures, PlaceFigures, Timing, WeekFigures

FIELD_WIDTH, FIELD_HEIGHT = 400, 262
_CELL_WIDTH, _CELL_HEIGHT, _MIDDLE = 198, 38, 22
_MOST_COLOUR = 0.45
"""Opacity of a part where every card was taken: text on it stays readable in light and dark."""
DOTS_WIDTH = 400
PLOT_WIDTH, PLOT_HEIGHT, PLOT_BOTTOM = 400, 200, 176
_LEFT, _TOP = 34, 12
_DAY_WIDTH = 46  # width of a date label; nearer ones would overlap
_LABEL_WIDTH, _COUNT_WIDTH, _ROW_HEIGHT, _HEAD_HEIGHT = 78, 34, 17, 26


@dataclass(frozen=True, slots=True)
class FieldCell:
    """A part of the field: its corner, its size and the opacity of its colour, 0..1."""

    x: int
    y: int
    width: int
    height: int
    colour: float
    figures: PlaceFigures


@dataclass(frozen=True, slots=True)
class Tick:
    """A line of the scale: its coordinate and its milliseconds."""

    x: float
    ms: int


@dataclass(frozen=True, slots=True)
class DotRow:
    """A card's row: its typical time, and the line between the quartiles (None where one is not known)."""

    y: int
    x: float
    line: tuple[float, float] | None
    figures: CardFigures


@dataclass(frozen=True, slots=True)
class DotPlot:
    """Reaction times, the slowest card on top."""

    height: int  # height of the drawing; its width is `DOTS_WIDTH`
    # label_x, count_x: right edge of the names and left edge of the numbers of takes
    label_x: int
    count_x: int
    # ticks, rows: the lines of the scale and the cards
    ticks: Sequence[Tick]
    rows: Sequence[DotRow]


@dataclass(frozen=True, slots=True)
class Scale:
    """The vertical scale of a chart: the coordinate and the milliseconds of each line."""

    lines: Sequence[tuple[float, int]]


@dataclass(frozen=True, slots=True)
class Mark:
    """A median: its coordinates, the line between the quartiles, and the number of takes."""

    x: float
    y: float
    line: tuple[float, float] | None
    n: int


@dataclass(frozen=True, slots=True)
class WeekPlot:
    """Progress over weeks: the medians of matches and of practices alone."""

    scale: Scale
    weeks: Sequence[tuple[float, str]]  # the Mondays that label the axis, each with its x
    matches: Sequence[Mark]
    practices: Sequence[Mark]


@dataclass(frozen=True, slots=True)
class FamilyStrip:
    """A family's column: its middle, its cards' typical times spread sideways, and the family's median."""

    x: float
    figures: FamilyFigures
    cards: Sequence[tuple[float, float, CardFigures]]
    middle: float | None


@dataclass(frozen=True, slots=True)
class FamilyPlot:
    """Families side by side."""

    scale: Scale
    half: float
    strips: Sequence[FamilyStrip]


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
    """Return the plot of the cards whose reaction time is known, None if there is none."""
    timed = [(card["typical_ms"], card) for card in cards if card["reaction"]["n"]]
    rows_ms = [(ms, card) for ms, card in timed if ms is not None]
    if not rows_ms:
        return None
    ends = [end for ms, card in rows_ms for end in (ms, *_timing_ends(card["reaction"]))]
    step_ms = _step_ms(max(ends) - min(0.0, *ends))
    low_ms = step_ms * floor(min(0.0, *ends) / step_ms)
    high_ms = step_ms * max(1, ceil(max(ends) / step_ms))
    left, right = _LABEL_WIDTH + 8, DOTS_WIDTH - _COUNT_WIDTH - 20

    def x_of(ms: float) -> float:
        return round(left + (right - left) * (ms - low_ms) / (high_ms - low_ms), 1)

    rows = []
    for number, (ms, card) in enumerate(rows_ms):
        y = _HEAD_HEIGHT + number * _ROW_HEIGHT + _ROW_HEIGHT // 2
        rows.append(DotRow(y, x_of(ms), _line(card["reaction"], x_of), card))
    ticks = [Tick(x_of(ms), ms) for ms in range(low_ms, high_ms + 1, step_ms)]
    height = _HEAD_HEIGHT + len(rows) * _ROW_HEIGHT + 4
    return DotPlot(height, _LABEL_WIDTH, DOTS_WIDTH - _COUNT_WIDTH, ticks, rows)


def week_plot(weeks: Sequence[WeekFigures]) -> WeekPlot | None:
    """Return progress over weeks, None if no week has a time; weeks without play leave a gap."""
    timed = [week for week in weeks if _is_known(week["reaction"]) or _is_known(week["practice"])]
    if not timed:
        return None
    first, last = (date.fromisoformat(timed[end]["monday"]) for end in (0, -1))
    span = max(1, (last - first).days // 7)

    def x_of(monday: str) -> float:
        share = 0.5 if first == last else (date.fromisoformat(monday) - first).days / 7 / span
        return round(_LEFT + 14 + (PLOT_WIDTH - _LEFT - 28) * share, 1)

    timings = [timing for week in timed for timing in (week["reaction"], week["practice"])]
    scale, y_of = _upright([end for timing in timings for end in _timing_ends(timing)])
    apart = 3.5  # keeps a week's two marks from hiding each other

    def marks(kind: Literal["reaction", "practice"], shift: float) -> list[Mark]:
        return [
            _mark(x_of(week["monday"]) + shift, week[kind], y_of) for week in timed if _is_known(week[kind])
        ]

    named: list[tuple[float, str]] = []
    for week in timed:
        x = x_of(week["monday"])
        if not named or x - named[-1][0] >= _DAY_WIDTH:
            named.append((x, week["monday"][5:]))
    return WeekPlot(scale, named, marks("reaction", -apart), marks("practice", apart))


def family_plot(families: Sequence[FamilyFigures], cards: Sequence[CardFigures]) -> FamilyPlot | None:
    """Return the families side by side, None if no card has a time."""
    timed = {card["poem"]: card for card in cards if card["reaction"]["n"]}
    if not timed:
        return None
    middles = [family["reaction"]["median_ms"] or 0.0 for family in families]
    scale, y_of = _upright([*middles, *(card["typical_ms"] or 0.0 for card in timed.values())])
    width = (PLOT_WIDTH - _LEFT) / len(families)
    strips = []
    for number, family in enumerate(families):
        x = _LEFT + (number + 0.5) * width
        own = sorted(
            (timed[poem] for poem in family["poems"] if poem in timed),
            key=lambda card: card["typical_ms"] or 0.0,
        )
        room = 0.6 * width
        dots = [
            (round(x - room / 2 + room * (place + 0.5) / len(own), 1), y_of(card["typical_ms"] or 0.0), card)
            for place, card in enumerate(own)
        ]
        middle = family["reaction"]["median_ms"]
        strips.append(FamilyStrip(round(x, 1), family, dots, None if middle is None else y_of(middle)))
    return FamilyPlot(scale, round(width / 2, 1), strips)


def _upright(values_ms: Sequence[float]) -> tuple[Scale, Callable[[float], float]]:
    """Return a vertical scale that covers all values, and the function from a value to its y."""
    low, high = min(0.0, *values_ms), max(values_ms)
    step_ms = _step_ms(high - low)
    low_ms, high_ms = step_ms * floor(low / step_ms), step_ms * max(1, ceil(high / step_ms))

    def y_of(ms: float) -> float:
        return round(PLOT_BOTTOM - (PLOT_BOTTOM - _TOP) * (ms - low_ms) / (high_ms - low_ms), 1)

    return Scale([(y_of(ms), ms) for ms in range(low_ms, high_ms + 1, step_ms)]), y_of


def _mark(x: float, timing: Timing, y_of: Callable[[float], float]) -> Mark:
    return Mark(x, y_of(timing["median_ms"] or 0.0), _line(timing, y_of), timing["n"])


def _line(timing: Timing, place: Callable[[float], float]) -> tuple[float, float] | None:
    """Return the line between the quartiles, None where one of them is not known."""
    first, second = timing["quartiles_ms"] or (None, None)
    return None if first is None or second is None else (place(first), place(second))


def _is_known(timing: Timing) -> bool:
    return timing["median_ms"] is not None


def _timing_ends(timing: Timing) -> list[float]:
    """Return the known times that a chart has to hold."""
    times = (timing["median_ms"], *(timing["quartiles_ms"] or ()))
    return [each for each in times if each is not None]


def _step_ms(range_ms: float) -> int:
    """Return a round step that gives the scale at most six lines."""
    step_ms = 100
    while range_ms > 5 * step_ms:
        step_ms *= 2
    return step_ms
