"""The zones of a card table: what lies where, in millimetres from the table's upper left corner.

That is the outer corner of the upper left marker or, on a table without markers, the corner pointed out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from calibration.decks.deck import deck_game
from vision.recordings.recording import RecordingError, is_number

HALF_CARD_MM: Final = deck_game("hanafuda").card_size_mm[1] / 2
Rect = tuple[float, float, float, float]  # left, top, right, bottom in table millimetres


@dataclass(frozen=True, slots=True)
class Zone:
    """A place for cards."""

    name: str  # such as `field`, `turn` or `capture`
    number: int  # seat or count, 0 if the name is unique
    rect: Rect

    def distance_mm(self, x_mm: float, y_mm: float) -> float:
        """Return the distance of a point from the zone, 0 inside."""
        left, top, right, bottom = self.rect
        return float(max(left - x_mm, x_mm - right, top - y_mm, y_mm - bottom, 0))


@dataclass(frozen=True, slots=True)
class TableZones:
    """A table's size and zones."""

    size_mm: tuple[float, float]  # width and height, from outer corner to outer corner of the markers
    zones: tuple[Zone, ...]
    # for a table without markers, the places of its corners in the picture: x and y as shares of the
    # picture's width and height, clockwise from the upper left; None if there are markers
    corners: tuple[tuple[float, float], ...] | None = None

    def at(self, x_mm: float, y_mm: float) -> Zone | None:
        """Return the zone of a card with this centre, None if it is beside all of them."""
        nearest = min(self.zones, key=lambda zone: zone.distance_mm(x_mm, y_mm), default=None)
        # a card with half of its length in a zone belongs to it
        is_near = nearest is not None and nearest.distance_mm(x_mm, y_mm) <= HALF_CARD_MM
        return nearest if is_near else None

    def side_of(self, zone: Zone) -> str:
        """Return the side of the table nearest to a zone: `bottom`, `right`, `top` or `left`."""
        left, top, right, bottom = zone.rect
        x, y = (left + right) / 2 / self.size_mm[0], (top + bottom) / 2 / self.size_mm[1]
        return min(("bottom", 1 - y), ("right", 1 - x), ("top", y), ("left", x), key=lambda side: side[1])[0]


def zones_of(table: Mapping[str, Any], place: str) -> TableZones:
    """Read the section `[table]` of a recording: `size`, and a rectangle or a list of them for every zone.

    `corners = [[x, y], ...]`, four shares of the picture's width and height clockwise from the upper left,
    give the place of a table without markers. Raises RecordingError if something is missing or is no
    rectangle.

    `place`: name of the section in errors.
    """
    if "size" not in table:
        raise RecordingError("{place}: expected size = [width, height] in millimetres", place=place)
    width, height = _numbers(table["size"], 2, f"{place} size")
    zones: list[Zone] = []
    for name, value in table.items():
        if name in {"size", "corners"}:
            continue
        several = isinstance(value, list) and bool(value) and isinstance(value[0], list)
        for number, rect in enumerate(value if several else [value]):
            left, top, right, bottom = _numbers(rect, 4, f"{place} {name}")
            if left >= right or top >= bottom:
                raise RecordingError(
                    "{place} {name}: expected [left, top, right, bottom], got {rect}",
                    place=place,
                    name=name,
                    rect=rect,
                )
            zones.append(Zone(name, number, (left, top, right, bottom)))
    corners = _corners(table["corners"], place) if "corners" in table else None
    return TableZones((width, height), tuple(zones), corners)


def _corners(value: object, place: str) -> tuple[tuple[float, float], ...]:
    """Read the four corners of a table, which must be in clockwise order."""
    problem = RecordingError(
        "{place}: corners are four places [x, y] as shares of the picture, clockwise from "
        "the upper left, got {value!r}",
        place=place,
        value=value,
    )
    if not isinstance(value, list) or len(value) != 4:
        raise problem
    places = [tuple(_numbers(each, 2, f"{place} corners", "shares of the picture")) for each in value]
    for number, (x, y) in enumerate(places):
        (before_x, before_y), (after_x, after_y) = places[number - 1], places[(number + 1) % 4]
        turns = (x - before_x) * (after_y - y) - (y - before_y) * (after_x - x)
        if not (0 <= x <= 1 and 0 <= y <= 1) or turns <= 0:
            raise problem
    return tuple((float(x), float(y)) for x, y in places)


def _numbers(value: object, count: int, place: str, unit: str = "millimetres") -> Sequence[float]:
    if not isinstance(value, list) or len(value) != count or not all(map(is_number, value)):
        raise RecordingError(
            "{place}: expected {count} numbers in {unit}, got {value!r}",
            place=place,
            count=count,
            unit=unit,
            value=value,
        )
    return [float(x) for x in value]
