"""Tell whether the hands have left the field, before the facts of an open poem are final.

Whatever reaches in from outside the picture is a hand, unless it is as bright as paper all over and no larger
than the cards that have left: those may lie in a row up to the picture's edge. A shade or a sleeve on the
field's outer margin, where no card lies, does not count either.
"""

from collections import deque
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.departures.outcome import proof_px
from vision.field.slots import SEEN_BLOCKS, sights_of
from vision.frames.frame import Frame, Gray
from vision.hands.frame_map import FrameMap
from vision.poem.watcher import PoemWatcher

_UNEVEN = np.log(1.6)  # log ratio of the light on one card to that on most: beyond it the card is shaded
_FINGER = np.ones((2, 2), np.uint8)  # cells


class Clearance:
    """The field at rest, for telling arms that reach in from cards that left or lie elsewhere.

    `watcher`: the poem's watcher, whose resting cards and floor are used. `outline_px`: the field's corners
    in the picture, shape (4, 2).
    """

    def __init__(self, watcher: PoemWatcher, outline_px: NDArray[np.float64]) -> None:
        self._grid, self._proof_px = watcher.grid, proof_px(watcher.px_per_mm)
        self._map = watcher.map
        scale = watcher.map.scale
        self._cells_per_mm = watcher.px_per_mm * scale
        width, height = watcher.map.size
        core = np.zeros((height, width), np.uint8)
        cv2.fillConvexPoly(core, np.rint(outline_px * scale).astype(np.int32), 1)
        margin_mm = 20.0  # inside the field's outline; only cards count there: shades and sleeves reach in
        margin = round(margin_mm * self._cells_per_mm)
        core = np.asarray(cv2.erode(core, np.ones((2 * margin + 1,) * 2, np.uint8), borderValue=0), np.uint8)
        self._cards = np.zeros((height, width), np.uint8)  # number of the slot, from 1; 0 beside the slots
        for number, slot in enumerate(self._grid.slots, 1):
            cv2.fillConvexPoly(self._cards, np.rint(slot.corners_px * scale).astype(np.int32), number)
        self._card_cells = float(np.count_nonzero(self._cards)) / max(len(self._grid.slots), 1)
        self._watched = np.asarray(core | (self._cards > 0), np.uint8)
        papers = [watcher.field.paper(number) for number in range(len(self._grid.slots))]
        self._lately: deque[tuple[int, Gray]] = deque()
        paper_share = 0.72  # of the cards' paper: a cell of a printed card is brighter, skin is darker
        self._paper = paper_share * float(np.median(papers))

    def cards_in_place(self, gray: Gray) -> list[bool]:
        """Tell for each slot whether some of its card's face is still seen in its place.

        Two blocks are needed: bare, grainy floor sometimes looks like one block of a face.
        """
        looks = self._grid.look(gray)
        if not looks.seen.any():
            return [False] * len(looks.seen)
        tiny = 1e-3
        # relative to the light on most blocks and, for a nudged camera, to their shift
        uneven = np.abs(np.log(np.maximum(looks.gain, tiny) / np.median(looks.gain[looks.seen])))
        off_px = np.hypot(*np.moveaxis(looks.shift_px - np.median(looks.shift_px[looks.seen], axis=0), 2, 0))
        most_off_px = 1.0
        own = looks.seen & (uneven < _UNEVEN) & (off_px < most_off_px)
        fewest_blocks = 2
        return [int(blocks) >= fewest_blocks for blocks in own.sum(axis=1)]

    def lay_still(self, frames: Sequence[Frame]) -> bool:
        """Tell whether every card was seen in its place a while ago, whatever hands and light passed over it.

        `frames` are the pictures until now, in order of time; in the last one the cards lie in their places.
        """
        still = np.zeros(len(self._grid.slots), np.bool_)
        lain_ns = 300_000_000  # how long it has lain there
        due_ns = frames[-1].t_ns - lain_ns
        # how far back, and how often, to look
        lain_since_ns, look_ns = 1_500_000_000, 100_000_000
        for frame in reversed(frames):
            if still.all() or frame.t_ns < frames[-1].t_ns - lain_since_ns:
                break
            if frame.t_ns <= due_ns:
                sights = sights_of(self._grid.look(frame.gray), frame.t_ns)
                still |= [sight.seen >= SEEN_BLOCKS and sight.length_px < self._proof_px for sight in sights]
                due_ns = frame.t_ns - look_ns
        return bool(still.all())

    def hands_over_field(
        self, over: FrameMap, gone: NDArray[np.bool_], t_ns: int = 0, poem: int | None = None
    ) -> bool:
        """Tell whether something that reaches in from outside the picture lies over the field.

        A knee or a sleeve that has lain still for long does not, unless it lies at the card that is read.

        Parameters
        ----------
        over : what lies over the picture.
        gone : (S,), whether each slot's card was seen to have left.
        t_ns : the instant of that picture.
        """
        min_arm_cells = 6  # cells of the small map: a tip about two fingers wide
        if cv2.countNonZero(over.mask & self._watched) <= min_arm_cells:
            return False
        is_gone = np.zeros(256, np.uint8)
        is_gone[1 : len(gone) + 1] = gone
        vacated = np.asarray(cv2.LUT(self._cards, is_gone), np.bool_)
        arms = self._arms(over, vacated, int(gone.sum()))
        if not arms.any():
            return False
        may_be_floor = (vacated | (self._cards == 0)) & self._map.is_floor(over)
        # single cells at a card's edge show a mixture of card and floor
        fingers = cv2.morphologyEx(arms & self._watched & ~may_be_floor, cv2.MORPH_OPEN, _FINGER)
        stays = self._stays(over, t_ns) & ~self._around(poem)
        playing = np.where(stays, 0, fingers).astype(np.uint8)
        return cv2.countNonZero(playing) > min_arm_cells

    def _stays(self, over: FrameMap, t_ns: int) -> NDArray[np.bool_]:
        """Tell where the picture has not changed for long, (h, w)."""
        stays_ns, step_ns = 1_500_000_000, 100_000_000  # no playing hand lies still for as long
        alike_gray = 10.0  # a cell's noise, and the light of a hand beside it
        lately = self._lately
        if not lately or t_ns - lately[-1][0] >= step_ns:
            lately.append((t_ns, over.small))
        while len(lately) > 1 and t_ns - lately[1][0] >= stays_ns:
            lately.popleft()
        if t_ns - lately[0][0] < stays_ns or t_ns - lately[0][0] > 2 * stays_ns:
            return np.zeros(over.small.shape, np.bool_)
        apart = [cv2.absdiff(small, over.small) for _, small in lately]
        return np.asarray(np.max(apart, axis=0) < alike_gray)

    def _around(self, poem: int | None) -> NDArray[np.bool_]:
        """Tell which cells lie at the card that is read, (h, w)."""
        numbers = [number for number, slot in enumerate(self._grid.slots, 1) if slot.card == poem]
        at = np.isin(self._cards, numbers).astype(np.uint8)
        around_mm = 60.0  # hands that lie as near may still take it
        around = round(around_mm * self._cells_per_mm)
        return cv2.dilate(at, np.ones((2 * around + 1,) * 2, np.uint8)) > 0

    def _arms(self, over: FrameMap, vacated: NDArray[np.bool_], left_cards: int) -> NDArray[np.uint8]:
        """Return 1 where something reaches in from outside, (h, w), except cards in a row up to the edge.

        `vacated` marks the slots that cards have left: grainy floor shows there, and may be joined to the
        cards. `left_cards` is how many cards left, the most that can lie in a row.
        """
        joined = cv2.morphologyEx(over.mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        count, regions, stats, _ = cv2.connectedComponentsWithStats(joined)
        height, width = over.mask.shape
        left, top, wide, tall, area = stats.T
        arms = (left <= 1) | (top <= 1) | (left + wide >= width - 1) | (top + tall >= height - 1)
        arms[0] = False
        darker = (joined > 0) & (over.unlit <= self._paper)
        dark = cv2.morphologyEx(darker.astype(np.uint8), cv2.MORPH_OPEN, _FINGER) > 0
        beside = np.bincount(regions[~vacated], minlength=count)
        dark_share = 0.15  # the most in a region of cards: a hand has a sleeve, or at least a shadow
        is_dark = np.bincount(regions[dark & ~vacated], minlength=count) > dark_share * beside
        # area per card that left: the card, the place it left, and whole cells along the edges
        spread_times = 2.5
        arms &= is_dark | (area > spread_times * left_cards * self._card_cells)
        return np.asarray(arms.astype(np.uint8).take(regions) & over.mask)
