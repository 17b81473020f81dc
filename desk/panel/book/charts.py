"""The book's charts as coordinates: the field as the player sees it, and reaction times."""

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from math import ceil, floor
from typing import Any, Literal

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


def field_cells(places: Sequence[PlaceFigures]) -> Iterator[dict[str, Any]]:
    """Iterate over the parts of the field, the opponent's territory above the player's own.

    Each has its corner, its size, the opacity of its `colour` (0..1) and its `figures`.
    """
    width, height = _CELL_WIDTH, _CELL_HEIGHT - 2
    for place in places:
        outwards = place["row"] * _CELL_HEIGHT
        y = FIELD_HEIGHT // 2 + _MIDDLE // 2 + outwards
        if place["territory"] != "own":
            y = FIELD_HEIGHT // 2 - _MIDDLE // 2 - _CELL_HEIGHT - outwards
        x = 0 if place["half"] == "left" else FIELD_WIDTH - _CELL_WIDTH
        colour = round(_MOST_COLOUR * (place["takes"]["share"] or 0.0), 3)
        yield {"x": x, "y": y, "width": width, "height": height, "colour": colour, "figures": place}


def dot_plot(cards: Sequence[CardFigures]) -> dict[str, Any] | None:
    """Return the plot of the cards whose reaction time is known, None if there is none.

    It has its `height`, the right edge of the names (`label_x`) and the left edge of the numbers of takes
    (`count_x`), `ticks` (the lines of the scale: x and milliseconds), and `rows`, the slowest card on top:
    the `x` of its typical time and the `line` between the quartiles (None where one is not known).
    """
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

    middles = range(_HEAD_HEIGHT + _ROW_HEIGHT // 2, _HEAD_HEIGHT + len(rows_ms) * _ROW_HEIGHT, _ROW_HEIGHT)
    return {
        "height": _HEAD_HEIGHT + len(rows_ms) * _ROW_HEIGHT + 4,
        "label_x": _LABEL_WIDTH,
        "count_x": DOTS_WIDTH - _COUNT_WIDTH,
        "ticks": [(x_of(ms), ms) for ms in range(low_ms, high_ms + 1, step_ms)],
        "rows": [
            {"y": y, "x": x_of(ms), "line": _line(card["reaction"], x_of), "figures": card}
            for y, (ms, card) in zip(middles, rows_ms, strict=True)
        ],
    }


def week_plot(weeks: Sequence[WeekFigures]) -> dict[str, Any] | None:
    """Return progress over weeks, None if no week has a time; weeks without play leave a gap.

    It has its vertical `scale` (y and milliseconds of each line), the `weeks` that label the axis (x and
    Monday), and the medians of `matches` and of `practices` alone, each with its place, the `line` between
    the quartiles (None where one is not known) and the number `n` of takes.
    """
    timed = [week for week in weeks if _timing_ends(week["reaction"]) or _timing_ends(week["practice"])]
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

    def marks(kind: Literal["reaction", "practice"], shift: float) -> list[dict[str, Any]]:
        return [
            {"x": x_of(week["monday"]) + shift, "y": y_of(ms), "line": _line(timing, y_of), "n": timing["n"]}
            for week in timed
            for timing in (week[kind],)
            if (ms := timing["median_ms"]) is not None
        ]

    named: list[tuple[float, str]] = []
    for week in timed:
        x = x_of(week["monday"])
        if not named or x - named[-1][0] >= _DAY_WIDTH:
            named.append((x, week["monday"][5:]))
    matches, practices = marks("reaction", -apart), marks("practice", apart)
    return {"scale": scale, "weeks": named, "matches": matches, "practices": practices}


def family_plot(families: Sequence[FamilyFigures], cards: Sequence[CardFigures]) -> dict[str, Any] | None:
    """Return the families side by side, None if no card has a time.

    It has its `scale` as above, and a strip for each family, `half` a width to both sides of its `x`: its
    cards' typical times spread sideways (x, y and card) and the `middle`, the family's median.
    """
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
        y = None if middle is None else y_of(middle)
        strips.append({"x": round(x, 1), "figures": family, "cards": dots, "middle": y})
    return {"scale": scale, "half": round(width / 2, 1), "strips": strips}


def _upright(values_ms: Sequence[float]) -> tuple[list[tuple[float, int]], Callable[[float], float]]:
    """Return a vertical scale that covers all values, and the function from a value to its y."""
    low, high = min(0.0, *values_ms), max(values_ms)
    step_ms = _step_ms(high - low)
    low_ms, high_ms = step_ms * floor(low / step_ms), step_ms * max(1, ceil(high / step_ms))

    def y_of(ms: float) -> float:
        return round(PLOT_BOTTOM - (PLOT_BOTTOM - _TOP) * (ms - low_ms) / (high_ms - low_ms), 1)

    return [(y_of(ms), ms) for ms in range(low_ms, high_ms + 1, step_ms)], y_of


def _line(timing: Timing, place: Callable[[float], float]) -> tuple[float, float] | None:
    """Return the line between the quartiles, None where one of them is not known."""
    first, second = timing["quartiles_ms"] or (None, None)
    return None if first is None or second is None else (place(first), place(second))


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
