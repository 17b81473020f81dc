"""Find fingers that came to rest on a card which did not move.

From above, fingers on a card look like fingers a hand's breadth over it. But a card locks the fingers that
lie on it: they come fast, stop at once, and lie as still as the card. A hand in the air brakes slowly and
sways. So only fingers that stopped dead may have touched a card that lies where it lay. That is no proof.
"""

from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.contact.approach import Hands
from vision.departures.departure import View
from vision.field.model import FieldModel
from vision.hands.frame_map import SIDES, FrameMap
from vision.imaging.small_shift import shift_between

_STEP_NS = 14_000_000  # least time between compared pictures: the least motion that counts is seen in it
_HOLE_NS = 60_000_000  # pictures farther apart are not compared
_FINGERS_MM2 = 300.0  # of a card below the hand's end: a fingertip and a half
_HAND_MM = 70.0  # around a card's centre: the part of a hand whose motion counts
# Of 23 touches that moved nothing, in drawn simulated halls and in recordings of two other renderers, these
# four tell 19 and 3 of 21 hands that stopped in the air:
_STILL_MPS = 0.008  # from one picture to the next
_LOCKED_MPS = 0.004  # on average over the rest
_FAST_MPS = 0.1  # a hand as fast as this has not stopped yet
_BRAKES_NS = 50_000_000  # longest time between fast and still: a hand that brakes in the air takes 0.1 s
_RESTS_NS = 30_000_000  # shortest rest


class Rest(NamedTuple):
    """Fingers at rest on a card: its slot, whose they are, and between which instants they lay still."""

    number: int
    player: int
    from_ns: int
    to_ns: int


@dataclass(slots=True)
class _Stay:
    """Fingers over a card."""

    slow_ns: int | None = None  # how long they have been slow since they were fast; None if never fast
    from_ns: int | None = None  # since when they lie still, and until `to_ns`
    to_ns: int = 0
    way_mm: float = 0.0  # how far they seemed to move meanwhile


class StillFingers:
    """Follows the fingers over the cards of a poem and notes those that come to rest."""

    def __init__(self, field: FieldModel, scale: float) -> None:
        self._field, self._scale = field, scale
        self._stays: dict[tuple[int, int], _Stay] = {}
        self._latest: tuple[int, FrameMap] | None = None
        self._found: list[Rest] = []
        self._waiting: set[tuple[int, int]] = set()
        self._homes: set[tuple[int, int]] = set()
        self._cards: NDArray[np.int32] | None = None  # number of the slot at each cell, from 1; else 0

    @property
    def rests(self) -> list[Rest]:
        """The first rest of each player's fingers on each card until now, even if it still lasts."""
        firsts: dict[tuple[int, int], Rest] = {}
        for one in [*self._found, *(self._rest(key, stay) for key, stay in self._stays.items())]:
            if one is not None:
                firsts.setdefault((one.number, one.player), one)
        return [*firsts.values()]

    def feed(self, t_ns: int, over: FrameMap) -> None:
        """Look at the map of the next frame."""
        if self._latest is not None and t_ns - self._latest[0] < _STEP_NS:
            return
        before, self._latest = self._latest, (t_ns, over)
        here = self._fingers(t_ns, over) if over.area else {}
        for key in [key for key in self._stays if key not in here]:
            self._end(key)
            if key in self._waiting:  # whose hand comes back over its own cards goes where it waited
                self._homes.add(key)
        if before is None or t_ns - before[0] > _HOLE_NS:
            self._stays = {key: _Stay() for key in here}
            return
        for key, hand in here.items():
            moved_px = shift_between(before[1].unlit, over.unlit, hand)
            mm = float(np.hypot(*moved_px)) / self._scale / self._field.px_per_mm
            self._note(key, mm / ((t_ns - before[0]) / 1e6), before[0], t_ns)

    def _note(self, key: tuple[int, int], mps: float, from_ns: int, to_ns: int) -> None:
        """Note how fast fingers moved over a card between two pictures."""
        stay, step_ns = self._stays.setdefault(key, _Stay()), to_ns - from_ns
        if mps >= _FAST_MPS:
            self._end(key)
            self._stays[key] = _Stay(slow_ns=0)
        elif mps > _STILL_MPS:
            self._end(key)  # what drifts on after it lay still was not locked
            lay = stay.slow_ns is None or stay.from_ns is not None
            self._stays[key] = _Stay(None if lay else (stay.slow_ns or 0) + step_ns)
        elif stay.from_ns is not None:
            stay.to_ns, stay.way_mm = to_ns, stay.way_mm + mps * step_ns / 1e6
        elif stay.slow_ns is not None and stay.slow_ns <= max(_BRAKES_NS, step_ns):
            stay.from_ns, stay.to_ns, stay.way_mm = from_ns, to_ns, mps * step_ns / 1e6
        elif stay.slow_ns is None and self._field.slots[key[0]].side is SIDES[key[1]]:
            self._waiting.add(key)

    def _end(self, key: tuple[int, int]) -> None:
        rest = self._rest(key, self._stays.pop(key))
        if rest is not None:
            self._found.append(rest)

    def _rest(self, key: tuple[int, int], stay: _Stay) -> Rest | None:
        """Return the rest of fingers that lay as still as the card below them; None if they did not."""
        if key in self._homes or stay.from_ns is None or stay.to_ns - stay.from_ns < _RESTS_NS:
            return None
        if stay.way_mm > _LOCKED_MPS * (stay.to_ns - stay.from_ns) / 1e6:
            return None
        return Rest(*key, stay.from_ns, stay.to_ns)

    def _fingers(self, t_ns: int, over: FrameMap) -> dict[tuple[int, int], NDArray[np.bool_]]:
        """Return the cards with fingers over them and whose these are, with the hand around them, (h, w)."""
        view = View(t_ns, np.zeros((0, 0), np.uint8), (slice(0), slice(0)), over)
        hands = Hands(self._field, (), self._scale)
        if self._cards is None:
            self._cards = np.zeros(over.players.shape, np.int32)
            for index, card in enumerate(self._field.slots, 1):
                corners = np.rint(card.corners_px * self._scale).astype(np.int32)
                cv2.fillConvexPoly(self._cards, corners, index)
        cell_mm = 1 / self._scale / self._field.px_per_mm
        found = {}
        for player in SIDES:
            cells = hands.cells(view, player)
            if not len(cells.rows):
                continue
            tips = hands.ends(view, player)
            below = np.bincount(self._cards[cells.rows[tips], cells.columns[tips]])
            for number in np.flatnonzero(below * cell_mm**2 >= _FINGERS_MM2):
                if number:
                    slot = self._field.slots[number - 1]
                    away_px = np.abs(cells.points_px - slot.centre_px).max(axis=1)
                    near = away_px < _HAND_MM * slot.px_per_mm
                    hand = np.zeros(over.players.shape, np.uint8)
                    hand[cells.rows[near], cells.columns[near]] = 1
                    around = np.ones((3, 3), np.uint8)  # the hand's outline tells most of its motion
                    found[int(number) - 1, player] = cv2.dilate(hand, around).astype(np.bool_)
        return found
