"""Watches a card table: frames in, what lies where out, each time the table has come to rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.deck import Picture
from vision.card_gallery import CardGallery
from vision.frames import Frame, Gray
from vision.table_memory import PlacedCard, TableMemory
from vision.table_plane import TablePlane, find_markers, register, view_px
from vision.table_stillness import MIN_MOVED_PX, MOVED, TableStillness
from vision.table_zones import NEAR_MM, TableZones, Zone

REST_NS: Final = 190_000_000
"""How long nothing may have moved before the table is read."""
GLIMPSE_NS: Final = 120_000_000
"""How long nothing may have moved in a zone before it is looked at while arms move elsewhere."""
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


@dataclass(frozen=True, slots=True)
class CardGlimpsed:
    """A card that rests in a zone while something moves elsewhere.

    Attributes
    ----------
    t_ns : the instant of the picture.
    card_id : the card's id.
    zone : the zone.
    """

    t_ns: int
    card_id: str
    zone: Zone


class TableWatcher:
    """Feed it every frame; it answers when the table has come to rest.

    Parameters
    ----------
    gallery : the deck that is played with.
    zones : the table.
    glimpse_at : names of zones to look at even while arms move elsewhere: cards do not stay there long.

    Attributes
    ----------
    plane : where the table lies in the picture, None before three of its markers were seen.
    """

    def __init__(self, gallery: CardGallery, zones: TableZones, glimpse_at: Sequence[str] = ()) -> None:
        self.plane: TablePlane | None = None
        self._gallery = gallery
        self._zones = zones
        self._stillness = TableStillness()
        self._memory = TableMemory(gallery)
        self._arms: set[str] = set()
        self._read = False
        self._places = [_GlimpsedZone(zone) for zone in zones.zones if zone.name in glimpse_at]

    def feed(self, frame: Frame) -> list[TableSettled | CardGlimpsed]:
        """Look at one more frame; returns what has just been seen, which is mostly nothing."""
        settled = self._settled(frame)
        if settled is not None:
            return [settled]
        return list(self._glimpses(frame))

    def _settled(self, frame: Frame) -> TableSettled | None:
        """Return the table when it has just come to rest and was read."""
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
        for place in self._places:
            place.remember(self._stillness.small)
        return settled

    def _glimpses(self, frame: Frame) -> Iterator[CardGlimpsed]:
        """Yield the cards that lie still in one of the places looked at, each content once."""
        if self.plane is None or self._read:
            return
        for place in self._places:
            small = self._stillness.small
            where = place.mask(self.plane, small, frame.gray.shape[1])
            if frame.t_ns - self._stillness.moved_ns(where) < GLIMPSE_NS or not place.differs(small):
                continue
            place.remember(small)
            view = self.plane.from_above(frame.colour())
            for card in self._memory.glimpse(view, zone_mask(place.zone, view)):
                yield CardGlimpsed(frame.t_ns, self._gallery.ids[card], place.zone)

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


class _GlimpsedZone:
    """A zone that is looked at while other places move, and what it showed when it was last read."""

    def __init__(self, zone: Zone) -> None:
        self.zone = zone
        self._plane: TablePlane | None = None
        self._mask: NDArray[np.bool_] | None = None
        self._shown: Gray | None = None

    def mask(self, plane: TablePlane, small: Gray, frame_width: int) -> NDArray[np.bool_]:
        """Return where the zone lies in the small picture."""
        if self._mask is None or self._plane is not plane:
            left, top, right, bottom = self.zone.rect
            corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float64)
            scale = small.shape[1] / frame_width
            filled = np.zeros(small.shape, np.uint8)
            cv2.fillConvexPoly(filled, np.rint(plane.pixels(corners) * scale).astype(np.int32), 255)
            self._plane, self._mask = plane, filled > 0
        return self._mask

    def differs(self, small: Gray) -> bool:
        """Tell whether the zone shows something else than when it was last read."""
        if self._shown is None or self._mask is None:
            return True
        change = np.abs(small.astype(np.int16) - self._shown)[self._mask]
        return int(np.count_nonzero(change > MOVED)) >= MIN_MOVED_PX

    def remember(self, small: Gray) -> None:
        """Take what is shown for read."""
        self._shown = small


def zone_mask(zone: Zone, view: Picture) -> Gray:
    """Return the mask of a zone in the view from above, with room for cards that lie partly beside it."""
    left, top, right, bottom = zone.rect
    corners = view_px(np.array([[left, top], [right, bottom]]) + np.array([[-NEAR_MM], [NEAR_MM]]))
    (x, y), (far_x, far_y) = np.rint(corners).astype(int).clip(0)
    mask = np.zeros(view.shape[:2], np.uint8)
    mask[y:far_y, x:far_x] = 255
    return mask
