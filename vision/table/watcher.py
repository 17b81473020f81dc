"""Watch a card table: frames in, what lies where out, each time the table has come to rest."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from calibration.finding import Status
from vision.field.picture_quality import BLUR_MM, edge_blur_px
from vision.field.stillness import LAG_NS
from vision.frames.frame import Frame
from vision.frames.light_meter import LightMeter
from vision.hanafuda.gallery import CardGallery
from vision.hanafuda.seen_card import PlacedCard
from vision.plane.table_plane import (
    MARKER_PLACES,
    Points,
    TablePlane,
    find_markers,
    plane_of_corners,
    register,
)
from vision.plane.zones import HALF_CARD_MM, TableZones, Zone
from vision.poem.knock_watch import KnockWatch
from vision.table.glance import TableGlance
from vision.table.memory import TableMemory
from vision.table.stillness import Reaches, TableHoles, TableStillness, Unreadable

REST_NS: Final = 190_000_000  # how long nothing may have moved before the table is read


@dataclass(frozen=True, slots=True)
class TableCard:
    """A card that lies on the table."""

    card_id: str | None  # the card's id, None if its print is ambiguous
    zone: Zone | None  # where it lies; None beside all zones
    # x_mm, y_mm, angle_rad: its centre on the table and its direction, clockwise from upright
    x_mm: float
    y_mm: float
    angle_rad: float
    visible: float  # share of it that no other card covers; 0 for a card that is known to lie under others
    confidence: float  # probability, 0..1, that it is this card
    rested_ns: int  # when something last moved at its centre: a new card has lain there since then
    # likeness to each card, -1..1, if the print is ambiguous or little of it is visible
    alike: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TableSettled:
    """The table at rest."""

    t_ns: int  # since when it has been at rest
    cards: tuple[TableCard, ...]
    # sides of the picture from which arms have reached in since the table was last at rest
    arms: frozenset[str]
    # names of the zones in whose centre something has moved since then, and when it first did
    visited: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CardGlimpsed:
    """A card that rests in a place while something moves elsewhere."""

    t_ns: int
    card_id: str
    zone: Zone | None  # where it lies; None beside all zones
    rested_ns: int  # when something last moved at its centre
    # names of the zones in whose centre something moved after the table was last at rest and before the card
    # came to lie there
    visited: frozenset[str] = frozenset()
    over: str | None = None  # id of the card that it lies on, among those known before; None if there is none
    # when the arm came that may have laid it there, None if there was none since the table was last at rest;
    # see `vision.table.stillness.Reaches`
    reached_ns: int | None = None
    arms: frozenset[str] = frozenset()  # sides of the picture from which such arms reached in


@dataclass(frozen=True, slots=True)
class StripGlimpsed:
    """An ambiguous print, mostly a strip of a card, that rests while something moves elsewhere."""

    t_ns: int
    zone: Zone | None  # where it lies; None beside all zones
    alike: Mapping[str, float]  # its likeness to each card, -1..1


@dataclass(frozen=True, slots=True)
class TableUnseen:
    """A stretch in which the table was not seen and may have been touched.

    The camera was moved, pictures were lost, something stood before the table, or nothing could be read there
    since the light was unsteady or the picture blurred.
    """

    # t_from_ns, t_to_ns: the last picture before and the first one after
    t_from_ns: int
    t_to_ns: int


TableFact = TableSettled | CardGlimpsed | StripGlimpsed | TableUnseen  # anything that is seen of a table


def is_news(placed: PlacedCard, memory: TableMemory, zones: TableZones) -> bool:
    """Tell whether a card seen for a moment is new, or was captured since the table was at rest."""
    known = memory.known(placed.card)
    if known is None:
        return True
    zone, was = (zones.at(*map(float, card.seen.pose[:2])) for card in (placed, known))
    return zone is not None and zone.name == "capture" and (was is None or was.name != "capture")


class TableWatcher:
    """Feed it every frame; it answers when the table has come to rest.

    `glimpse_at`: names of zones to examine even while arms move elsewhere, since cards do not stay there
    long.

    `plane`: the table's plane in the picture, None before three of its markers were seen at rest. `markers`:
    numbers of the markers in the picture that showed most of them. `blank_looks`: how often the table came to
    rest while no card has ever been named; 0 once one was.
    """

    def __init__(self, gallery: CardGallery, zones: TableZones, glimpse_at: Sequence[str] = ()) -> None:
        self.plane: TablePlane | None = None
        self.markers: frozenset[int] = frozenset()
        self.blank_looks = 0
        self._has_named = False
        self._searched_ns: int | None = None
        self._is_hard_to_see = True
        self._gallery = gallery
        self.zones = zones
        self._stillness = TableStillness()
        self._holes = TableHoles()
        self._meter, self._light = LightMeter(), Unreadable()
        self._unclear, self._is_unclear, self._looked_ns = Unreadable(), False, 0
        self._knocks = KnockWatch()
        self._memory = TableMemory(gallery)
        self._arms: set[str] = set()
        self._reaches = Reaches()
        self._visited_ns: dict[str, int] = {}
        self._read = False
        self._read_ns = 0
        self._tried_ns: int | None = None
        self._glance = TableGlance([zone for zone in zones.zones if zone.name in glimpse_at], gallery.size_mm)

    def feed(self, frame: Frame) -> list[TableFact]:
        """Look at the next frame; return what has just been seen, which is mostly nothing."""
        knock = self._knocks.feed(frame)
        if knock is not None:
            self._stillness.forget_edge()
            if self.zones.corners is None:
                self.plane = None  # until the markers are seen at rest
        self._stillness.feed(frame)
        hole = self._holes.feed(frame.t_ns, self._stillness, self.plane, frame.gray.shape[1])
        unseen: list[TableFact] = [] if hole is None else [TableUnseen(*hole)]
        if knock is not None:
            unseen.append(TableUnseen(knock.t_from_ns, knock.t_to_ns))
        self._meter.feed(frame)
        dazzled = self._light.feed(frame.t_ns, is_on=self._meter.is_unsteady)
        if dazzled is not None:
            unseen.append(TableUnseen(*dazzled))
            self._stillness.forget_edge()
            self._glance.forget()
        if self._light.is_on:
            self._read, self._tried_ns = False, None
            return unseen
        settled = self._settled(frame)
        seen = list(self._glimpses(frame)) if settled is None else [settled]
        unclear = self._unclear.feed(frame.t_ns, is_on=self._is_unclear)
        if unclear is not None:
            unseen.append(TableUnseen(*unclear))
        return [*unseen, *seen]

    def _settled(self, frame: Frame) -> TableSettled | None:
        """Return the table if it has just come to rest and was read, else None."""
        self._arms |= self._stillness.arms
        self._reaches.feed(frame.t_ns, self._stillness.arms)
        self._note_visits(frame)
        if self._stillness.still_since_ns is None or self._stillness.arms:
            self._read, self._tried_ns = False, None
            return None
        since_ns = max(self._stillness.still_since_ns, self._light.since_ns)
        if self._read or frame.t_ns - since_ns < REST_NS:
            return None
        # After an error the table is read again this much later, if it still rests.
        again_ns = 3_000_000_000
        if self._tried_ns is not None and frame.t_ns - self._tried_ns < again_ns:
            return None
        self._register(frame)
        if self.plane is None or self._looks_unclear(frame, self.plane):
            return None
        if self._unclear.is_on:
            since_ns = frame.t_ns
        self._tried_ns = frame.t_ns
        cards = self._memory.read(self.plane.from_above(frame.colour()))
        placed = tuple(self._table_card(card, frame, self.plane) for card in cards)
        self._read = True
        self._has_named |= any(card.card_id is not None for card in placed)
        self.blank_looks = 0 if self._has_named else self.blank_looks + 1
        settled = TableSettled(since_ns, placed, frozenset(self._arms), self._visited_ns)
        self._read_ns = frame.t_ns
        self._arms.clear()
        self._visited_ns = {}
        self._reaches.clear()
        self._glance.remember(self._stillness.small)
        self._holes.remember(self._stillness.small)
        return settled

    @property
    def shows_small_cards(self) -> bool:
        """Whether cards are so small in the picture that they are misread; nothing is read then."""
        # on simulated rounds of Koi-Koi all is right at 14 and more, half is wrong at 9
        least_px = 14.0
        return self.plane is not None and min(self._gallery.size_mm) * self.plane.px_per_mm < least_px

    def _looks_unclear(self, frame: Frame, plane: TablePlane) -> bool:
        """Tell whether a picture is too coarse or too blurred to be read: a lens may hunt for its focus."""
        if frame.t_ns - self._looked_ns >= LAG_NS:
            blur_px = edge_blur_px(frame.gray)
            is_blurred = blur_px is not None and BLUR_MM.judge(blur_px / plane.px_per_mm) is Status.FAIL
            self._is_unclear = is_blurred or self.shows_small_cards
            self._looked_ns = frame.t_ns
        return self._is_unclear

    def _note_visits(self, frame: Frame) -> None:
        """Remember in which zones something has moved since the table was last at rest."""
        if self.plane is None or self._stillness.still_since_ns is not None:
            return
        for zone in self.zones.zones:
            left, top, right, bottom = zone.rect
            middle_mm = np.array([(left + right) / 2, (top + bottom) / 2])
            moved_ns = self._moved_ns(middle_mm, frame, self.plane)
            if zone.name not in self._visited_ns and moved_ns > self._read_ns:
                self._visited_ns[zone.name] = moved_ns

    def _moved_ns(self, place_mm: Points, frame: Frame, plane: TablePlane) -> int:
        x, y = plane.pixels(place_mm) * self._stillness.small.shape[1] / frame.gray.shape[1]
        return self._stillness.moved_ns(float(x), float(y))

    def _glimpses(self, frame: Frame) -> Iterator[CardGlimpsed | StripGlimpsed]:
        """Yield what lies still in one of the zones to glimpse at, each content once."""
        if self.plane is None or self._read:
            return
        where = self._glance.new(self._stillness, frame.t_ns, self.plane, frame.gray.shape[1])
        if where is None or self._looks_unclear(frame, self.plane):
            return
        found = self._memory.glimpse(self.plane.from_above(frame.colour()), where)
        if any(placed.card is not None for placed in found):
            self._glance.told(self._stillness.small)
        for placed in found:
            card = self._table_card(placed, frame, self.plane)
            if card.card_id is None:
                yield StripGlimpsed(frame.t_ns, card.zone, card.alike)
            elif is_news(placed, self._memory, self.zones):
                visited = frozenset(
                    name for name, since_ns in self._visited_ns.items() if since_ns <= card.rested_ns
                )
                over = self._under(placed)
                reached_ns, arms = self._reaches.at(card.rested_ns)
                yield CardGlimpsed(
                    frame.t_ns, card.card_id, card.zone, card.rested_ns, visited, over, reached_ns, arms
                )

    def _under(self, placed: PlacedCard) -> str | None:
        lying = [card for card in self._memory.cards if card.card is not None and card.card != placed.card]
        away_mm = [float(np.linalg.norm(card.seen.pose[:2] - placed.seen.pose[:2])) for card in lying]
        if not away_mm or min(away_mm) > HALF_CARD_MM:
            return None
        under = lying[int(np.argmin(away_mm))].card
        return None if under is None else self._gallery.ids[under]

    def _register(self, frame: Frame) -> None:
        """Find the table's plane; keep the known one unless its markers have moved."""
        if self.zones.corners is not None:
            if self.plane is None:
                size_px = frame.gray.shape[1], frame.gray.shape[0]
                self.plane = plane_of_corners(self.zones.corners, self.zones.size_mm, size_px)
            return
        markers = find_markers(frame.gray, thoroughly=False)
        self._is_hard_to_see &= len(markers) < len(MARKER_PLACES)
        if self._is_hard_to_see and self._may_search(frame.t_ns):
            markers = find_markers(frame.gray)
        if len(markers) > len(self.markers):
            self.markers = frozenset(markers)
        plane = register(markers, self.zones.size_mm)
        if plane is None:
            return
        if self.plane is not None:
            shift = np.linalg.norm(plane.corners_px - self.plane.corners_px, axis=1)
            moved_px = 2.0  # shift of a corner of the picture from which the camera counts as moved
            if len(markers) < 4 or float(shift.max()) < moved_px:
                return
        self.plane = plane

    def _may_search(self, t_ns: int) -> bool:
        """Tell whether it is time to search for markers thoroughly."""
        # Least time between thorough searches: each takes as long as several pictures.
        search_ns = 1_000_000_000
        if self._searched_ns is not None and t_ns - self._searched_ns < search_ns:
            return False
        self._searched_ns = t_ns
        return True

    def _table_card(self, placed: PlacedCard, frame: Frame, plane: TablePlane) -> TableCard:
        x_mm, y_mm, angle_rad = map(float, placed.seen.pose)
        unsure = placed.card is None or not placed.sure
        alike = zip(self._gallery.ids, placed.seen.likeness, strict=True)
        return TableCard(
            None if placed.card is None else self._gallery.ids[placed.card],
            self.zones.at(x_mm, y_mm),
            x_mm,
            y_mm,
            angle_rad,
            0.0 if placed.covered else placed.seen.visible,
            placed.confidence,
            self._moved_ns(placed.seen.pose[:2], frame, plane),
            {card: round(float(worth), 3) for card, worth in alike} if unsure else {},
        )
