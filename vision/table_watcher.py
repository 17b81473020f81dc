"""Watches a card table: frames in, what lies where out, each time the table has come to rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.card_gallery import CardGallery
from vision.frames import Frame
from vision.table_memory import PlacedCard, TableMemory
from vision.table_plane import TablePlane, find_markers, register
from vision.table_stillness import TableStillness
from vision.table_zones import TableZones, Zone

REST_NS: Final = 190_000_000
"""How long nothing may have moved before the table is read."""
MOVED_PX: Final = 2.0
"""Shift of a marker's corner from which the camera counts as moved."""


@dataclass(frozen=True, slots=True)
class TableCard:
    """A card that lies on the table.

    Attributes
    ----------
    card_id : the card's id, None where its print does not tell.
    zone : where it lies; None beside all zones.
    x_mm, y_mm, angle_rad : its middle on the table and its direction, clockwise from upright.
    visible : share of it that no other card covers; 0 for a card that is known to lie under others.
    confidence : 0..1 that it is this card.
    """

    card_id: str | None
    zone: Zone | None
    x_mm: float
    y_mm: float
    angle_rad: float
    visible: float
    confidence: float


@dataclass(frozen=True, slots=True)
class TableSettled:
    """The table at rest.

    Attributes
    ----------
    t_ns : since when it has been at rest.
    read_ns : the instant of the picture that was read.
    cards : what lies on it.
    arms : sides of the picture from which arms have reached in since the table was last at rest.
    """

    t_ns: int
    read_ns: int
    cards: tuple[TableCard, ...]
    arms: frozenset[str]


class TableWatcher:
    """Feed it every frame; it answers when the table has come to rest.

    Parameters
    ----------
    gallery : the deck that is played with.
    zones : the table.

    Attributes
    ----------
    plane : where the table lies in the picture, None before three of its markers were seen.
    """

    def __init__(self, gallery: CardGallery, zones: TableZones) -> None:
        self.plane: TablePlane | None = None
        self._gallery = gallery
        self._zones = zones
        self._stillness = TableStillness()
        self._memory = TableMemory(gallery)
        self._arms: set[str] = set()
        self._read = False

    def feed(self, frame: Frame) -> TableSettled | None:
        """Look at one more frame; returns the table when it has just come to rest and was read."""
        self._stillness.feed(frame)
        self._arms |= self._stillness.arms
        since_ns = self._stillness.still_since_ns
        if since_ns is None or self._stillness.arms:
            self._read = False
            return None
        if self._read or frame.t_ns - since_ns < REST_NS:
            return None
        self._register(frame)
        if self.plane is None:
            return None
        self._read = True
        cards = self._memory.read(self.plane.from_above(frame.colour()))
        settled = TableSettled(
            since_ns, frame.t_ns, tuple(map(self._table_card, cards)), frozenset(self._arms)
        )
        self._arms.clear()
        return settled

    def _register(self, frame: Frame) -> None:
        """Find the table's plane; keep the known one unless its markers have moved."""
        markers = find_markers(frame.gray)
        plane = register(markers, self._zones.size_mm)
        if plane is None:
            return
        if self.plane is not None:
            width, height = self._zones.size_mm
            corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
            shift = np.linalg.norm(plane.pixels(corners) - self.plane.pixels(corners), axis=1)
            if len(markers) < 4 or float(shift.max()) < MOVED_PX:
                return
        self.plane = plane

    def _table_card(self, placed: PlacedCard) -> TableCard:
        x_mm, y_mm, angle_rad = map(float, placed.seen.pose)
        return TableCard(
            None if placed.card is None else self._gallery.ids[placed.card],
            self._zones.at(x_mm, y_mm),
            x_mm,
            y_mm,
            angle_rad,
            0.0 if placed.covered else placed.seen.visible,
            placed.confidence,
        )
