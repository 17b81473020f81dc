"""Two readers of a simulated table: the real one on pictures, and one that knows where the cards lie."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.cards.hanafuda import by_index
from vision.hanafuda.gallery import CardGallery, Floats
from vision.hanafuda.placed_card import PlacedCard
from vision.hanafuda.pose import corners_mm as corners_of_poses
from vision.hanafuda.seen_card import MIN_VISIBLE, SeenCard
from vision.plane.table_plane import TablePlane, find_markers, register, view_px
from vision.plane.zones import TableZones
from vision.simulator.cardtable.bustle import corners_mm
from vision.simulator.cardtable.film import Film
from vision.table.memory import SLIVER, TableMemory
from vision.table.watcher import is_news

_MM_PER_PX: Final = 2.0
_GREEN_HEAVY: Final = np.array([[0.114, 0.587, 0.299]], np.float32)
_NO_LIKENESS: Final = np.zeros(48, np.float32)
_NO_LIKENESS.setflags(write=False)


class CardReader(Protocol):
    """Reads cards at an instant."""

    def read(self, t_s: float) -> tuple[PlacedCard, ...]:
        """Return the cards on the table, which must be at rest."""

    def glimpse(self, t_s: float, card: int) -> PlacedCard | None:
        """Return what is read where a card has come to lie; None if nothing is."""

    def name(self, card: int) -> str:
        """Return a card's id."""

    def alike(self, _: PlacedCard, /) -> dict[str, float]:
        """Return the likeness of an uncertain print to each card, by id."""


class PictureReader:
    """Reads the film's pictures with the eye's own memory of the table."""

    def __init__(self, film: Film, gallery: CardGallery, zones: TableZones) -> None:
        self._film, self._gallery, self._zones = film, gallery, zones
        self._memory = TableMemory(gallery)
        self._plane: TablePlane | None = None

    def read(self, t_s: float) -> tuple[PlacedCard, ...]:
        """Return the cards on the table at rest; none before its markers are seen."""
        picture = self._film.picture(t_s)
        if self._plane is None:
            gray = cv2.transform(picture, _GREEN_HEAVY)
            self._plane = register(find_markers(np.asarray(gray, np.uint8)), self._zones.size_mm)
        if self._plane is None:
            return ()
        return self._memory.read(self._plane.from_above(picture))

    def glimpse(self, t_s: float, card: int) -> PlacedCard | None:
        if self._plane is None:
            return None
        view = self._plane.from_above(self._film.picture(t_s))
        where = np.zeros(view.shape[:2], np.uint8)
        pose = self._film.script.cards_at(t_s)[card].at(t_s)
        outline = view_px(corners_of_poses(pose[None, :3], self._gallery.size_mm))[0]
        cv2.fillConvexPoly(where, np.rint(outline).astype(np.int32), 255)
        around_px = 15
        where = np.asarray(cv2.dilate(where, np.ones((around_px, around_px), np.uint8)), np.uint8)
        # of what is seen there the nearest is the new card
        seen = self._memory.glimpse(view, where)
        news = [
            placed for placed in seen if placed.card is None or is_news(placed, self._memory, self._zones)
        ]
        return min(news, key=lambda placed: float(np.hypot(*(placed.seen.pose - pose[:3])[:2])), default=None)

    def name(self, card: int) -> str:
        return self._gallery.ids[card]

    def alike(self, placed: PlacedCard, /) -> dict[str, float]:
        """Return the likeness of the print to each card."""
        likeness = placed.seen.likeness
        return {card: round(float(worth), 3) for card, worth in zip(self._gallery.ids, likeness, strict=True)}


class ScriptReader:
    """Knows what lies where; hidden cards it can only remember, and sometimes it fails to read.

    Parameters
    ----------
    unread : share of the cards of a deal that stay unread where they lie, although they are visible.
    missed : share of the cards that are not glimpsed.
    slivers : share of the new, hardly visible cards that stay unread.
    seed : for the dice of all three.
    """

    def __init__(
        self,
        film: Film,
        size_mm: tuple[float, float],
        *,
        unread: float = 0.0,
        missed: float = 0.0,
        slivers: float = 0.5,
        seed: int = 0,
    ) -> None:
        self._film = film
        self._shape = tuple(round(side / _MM_PER_PX) + 60 for side in reversed(size_mm))
        self._unread, self._missed, self._slivers = unread, missed, slivers
        self._rng = np.random.default_rng(seed)
        self._places: dict[int, tuple[tuple[float, ...], bool]] = {}
        self._alike: dict[tuple[int, tuple[float, ...]], Floats] = {}

    def read(self, t_s: float) -> tuple[PlacedCard, ...]:
        """Return the cards that lie open, and those remembered below them."""
        seen = self._open(t_s)
        places: dict[int, tuple[tuple[float, ...], bool]] = {}
        cards = []
        # With less the print is often ambiguous; of three cards that share a slot half is visible and read.
        little_seen = 0.4
        for card, (pose, visible) in seen.items():
            place = tuple(np.round(pose[:3], 1).tolist())
            known = self._places.get(card)
            stays = known is not None and known[0] == place
            if not stays and visible < MIN_VISIBLE:
                continue
            chance = self._unread if visible >= little_seen and not self._places else 0.0
            if visible < little_seen:
                # the print of a sliver that nobody has seen being laid there is often ambiguous
                chance = self._slivers
            named = known[1] if stays and known is not None else self._rng.random() >= chance
            places[card] = place, named
            covered = visible < MIN_VISIBLE
            if named:
                sure = stays or visible >= SLIVER
                cards.append(replace(self._placed(card, pose, visible, covered=covered), sure=sure))
            elif not covered:
                like = self._alike.setdefault((card, place), _alike(card, int(self._rng.integers(48))))
                cards.append(self._placed(None, pose, visible, covered=False, likeness=like))
        self._places = places
        return tuple(cards)

    def glimpse(self, t_s: float, card: int) -> PlacedCard | None:
        """Return a card if it is new and enough of it is visible."""
        if self._places.get(card, ((), False))[1]:
            return None
        pose, visible = self._open(t_s)[card]
        if visible < SLIVER or self._rng.random() < self._missed:
            return None
        return self._placed(card, pose, visible, covered=False)

    def name(self, card: int) -> str:
        return by_index(card).id

    def alike(self, placed: PlacedCard, /) -> dict[str, float]:
        """Return the likeness of the print to each card: to its own, and to another one if it is not read."""
        if placed.card is not None:
            return {self.name(placed.card): 1.0}
        likeness = placed.seen.likeness
        return {by_index(card).id: float(worth) for card, worth in enumerate(likeness) if worth > 0}

    def _open(self, t_s: float) -> dict[int, tuple[NDArray[np.float64], float]]:
        cards = self._film.script.cards_at(t_s)
        lying = sorted(
            (track.rested_at(t_s), card)
            for card, track in cards.items()
            if track.is_there(t_s) and np.cos(track.at(t_s)[4]) >= 0
        )
        owner = np.full(self._shape, -1, np.int16)
        areas: dict[int, int] = {}
        for _, card in lying:
            own = np.zeros(self._shape, np.uint8)
            at = corners_mm(cards[card].at(t_s)) / _MM_PER_PX + 30
            cv2.fillConvexPoly(own, np.rint(at * 16).astype(np.int32), 1, shift=4)
            areas[card] = max(int(own.sum()), 1)
            owner[own > 0] = card
        counts = np.bincount(owner[owner >= 0], minlength=48)
        return {card: (cards[card].at(t_s), float(counts[card] / areas[card])) for card in areas}

    @staticmethod
    def _placed(
        card: int | None,
        pose: NDArray[np.float64],
        visible: float,
        *,
        covered: bool,
        likeness: Floats = _NO_LIKENESS,
    ) -> PlacedCard:
        seen = SeenCard(pose[:3], int(likeness.argmax()) if card is None else card, likeness, visible)
        return PlacedCard(
            card, seen, covered=covered, confidence=0.0 if card is None else 1.0, wholly=visible >= SLIVER
        )


def _alike(card: int, other: int) -> Floats:
    likeness = np.zeros(48, np.float32)
    likeness[[card, other]] = 0.6
    return likeness
