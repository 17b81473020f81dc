"""The printed tables: where their markers and zones are, in millimetres from the top left marker's corner."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from vision.plane.zones import Rect, TableZones, zones_of

Floats = NDArray[np.float64]

MARKER_MM: Final = 40.0  # outer side of a marker's black square, millimetres


class Edge(Enum):
    """An edge at which a player sits; the value is his viewing direction, radians clockwise from up."""

    BOTTOM = 0.0
    LEFT = np.pi / 2
    TOP = np.pi
    RIGHT = 3 * np.pi / 2

    @property
    def right(self) -> Floats:
        """The direction of this player's right hand, (2,)."""
        return np.array([np.cos(self.value), np.sin(self.value)])

    @property
    def ahead(self) -> Floats:
        """The direction in which this player looks, (2,)."""
        return np.array([np.sin(self.value), -np.cos(self.value)])


@dataclass(frozen=True, kw_only=True)
class PrintedTable:
    """A table of any game."""

    size_mm: tuple[float, float]  # width and height between the outer corners of the four markers
    edges: tuple[Edge, ...]  # where each seat sits, in playing order (to the right)
    stock: Rect  # where a face-down pile of cards lies

    @property
    def players(self) -> int:
        return len(self.edges)

    @property
    def markers(self) -> tuple[Rect, ...]:
        """The squares of the four markers, ids 0..3 clockwise from the top left."""
        width, height = self.size_mm
        lefts, tops = (0.0, width - MARKER_MM), (0.0, height - MARKER_MM)
        corners = ((lefts[0], tops[0]), (lefts[1], tops[0]), (lefts[1], tops[1]), (lefts[0], tops[1]))
        return tuple((x, y, x + MARKER_MM, y + MARKER_MM) for x, y in corners)

    @property
    def places(self) -> dict[str, Rect | tuple[Rect, ...]]:
        """The zones by name, as a recording lists them; several of one name are one per seat."""
        return {"stock": self.stock}

    def rects(self, name: str) -> tuple[Rect, ...]:
        """Return the zones of this name: one, or one per seat."""
        place = self.places[name]
        several = tuple(rect for rect in place if isinstance(rect, tuple))
        return several or (cast("Rect", place),)

    @property
    def zones(self) -> TableZones:
        """The same places as the eye uses them."""
        return zones_of(tomllib.loads(self.to_toml())["table"], "the printed table")

    def to_toml(self) -> str:
        """Return the `[table]` section of a recording."""
        rows = [f"size = {_numbers(self.size_mm)}"]
        for name, place in self.places.items():
            zones = self.rects(name)
            listed = ", ".join(_numbers(rect) for rect in zones)
            rows.append(f"{name} = {listed if zones == (place,) else f'[{listed}]'}")
        return "[table]\n" + "".join(f"{row}\n" for row in rows)


@dataclass(frozen=True, kw_only=True)
class KoiKoiTable(PrintedTable):
    """A table of Koi-Koi."""

    # field, turn: the middle, and where a drawn card is turned up
    field: Rect
    turn: Rect
    capture: tuple[Rect, ...]  # each seat's strip for its captured cards

    @property
    def places(self) -> dict[str, Rect | tuple[Rect, ...]]:
        return {"field": self.field, "stock": self.stock, "turn": self.turn, "capture": self.capture}


def _numbers(values: Iterable[object]) -> str:
    return "[" + ", ".join(f"{value:g}" for value in values) + "]"


def middle(rect: Rect) -> Floats:
    """Return the centre of a zone, (2,)."""
    return np.array([(rect[0] + rect[2]) / 2, (rect[1] + rect[3]) / 2])


def koikoi_table(players: int) -> KoiKoiTable:
    """Return a table for 2, 3 or 4 players of Koi-Koi; ValueError for another number of players."""
    if players == 2:
        return KoiKoiTable(
            size_mm=(800, 560),
            field=(150, 180, 560, 380),
            stock=(600, 180, 650, 250),
            turn=(600, 290, 650, 370),
            capture=((100, 420, 700, 550), (100, 10, 700, 140)),
            edges=(Edge.BOTTOM, Edge.TOP),
        )
    if players not in {3, 4}:
        raise ValueError(f"Koi-Koi is played by 2, 3 or 4, got {players}")
    strips: tuple[Rect, ...] = ((220, 420, 780, 550), (840, 60, 980, 500), (220, 10, 780, 140))
    edges = (Edge.BOTTOM, Edge.RIGHT, Edge.TOP, Edge.LEFT)
    return KoiKoiTable(
        size_mm=(1000, 560),
        field=(240, 180, 650, 380),
        stock=(700, 180, 750, 250),
        turn=(700, 290, 750, 370),
        capture=(*strips, (20, 60, 160, 500))[:players],
        edges=edges[:players],
    )


@dataclass(frozen=True, kw_only=True)
class KendoTable(PrintedTable):
    """A table for the Kendo cards."""

    court: tuple[Rect, ...]  # each seat's side of the court, where it lays its cards in order
    marks: tuple[Rect, ...]  # where each seat's HAJIME/IPPON card and HANSOKU halves lie
    piles: tuple[Rect, ...]  # the brown, red and green pile, face down; `stock` is the pile of played cards

    @property
    def places(self) -> dict[str, Rect | tuple[Rect, ...]]:
        return {"court": self.court, "marks": self.marks, "piles": self.piles, "done": self.stock}


KENDO_TABLE: Final = KendoTable(
    size_mm=(1000.0, 640.0),
    edges=(Edge.BOTTOM, Edge.TOP),
    stock=(45, 270, 125, 370),
    court=((180, 325, 840, 455), (180, 185, 840, 315)),
    marks=((560, 500, 820, 620), (180, 20, 440, 140)),
    piles=((875, 150, 945, 245), (875, 270, 945, 365), (875, 390, 945, 485)),
)
