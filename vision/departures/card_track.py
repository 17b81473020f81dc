"""The record of one card while a poem is watched.

A card that vanishes faster than a hand can cover it has left its place. A block of it is recognised or not as
a whole. So an edge that just reaches a row or a column of blocks hides all of them at once, however slow it
is; that alone proves nothing.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from referee.sides import Side
from vision.departures.departure import Departure, Window
from vision.field.slots import BLOCKS, Sight, Slot
from vision.frames.frame import Frame
from vision.hands.frame_map import FrameMap

_MOST_SIGHTS = 600


@dataclass(frozen=True, slots=True)
class EarlySighting:
    """A card that was seen away from its place while a poem is open: told at once, and no proof yet."""

    card: int | None  # which; `territory` where it lay
    territory: Side
    player: Side | None  # whose arm lies over its place now; None if nobody's or both players'
    t_ns: int  # the first frame that showed it


@dataclass(slots=True, eq=False)
class Track:
    """One card's sights, picture by picture."""

    slot: Slot
    window: Window  # the part of the picture that is kept of its departure
    active: bool = False  # whether it must be looked at even if nothing is seen to lie over it
    # what each frame in which it was looked at showed, in order of time
    sights: deque[Sight] = field(default_factory=lambda: deque(maxlen=_MOST_SIGHTS))
    # the pictures around the last sight in place; None while the card lies there
    departure: Departure | None = None

    def follow(self, sight: Sight, recent: Iterable[tuple[Frame, FrameMap]], proof_px: float) -> None:
        """Note what a frame shows: that the card is still in place, or its departure.

        `recent`: the frames before it, and what lay over the field in each. `proof_px`: a card seen this far
        from its place has moved.
        """
        self.sights.append(sight)
        departure = self.departure
        if departure is not None and departure.proven:
            return
        if departure is not None:
            in_place = departure.is_refuted(sight, proof_px)
        else:  # blocks that disagree and are far off: the card moved during the exposure
            in_place = sight.seen > 0 and sight.length_px < proof_px
        if in_place:
            self.departure = None
            return
        if departure is None:
            departure = self.departure = self._departed(sight, recent)
        departure.note(sight, proof_px)

    def _departed(self, sight: Sight, recent: Iterable[tuple[Frame, FrameMap]]) -> Departure:
        before = [(frame, over) for frame, over in recent if frame.t_ns < sight.t_ns]
        departure = Departure(self.window, before[-1][0].t_ns if before else sight.t_ns)
        # a hand looks like the floor if floor is seen beside a card that still lies there
        floorlike_looks, floorlike_blocks = 12, 2
        looks = list(self.sights)[-1 - floorlike_looks : -1]
        departure.floorlike = any(one.seen and one.bare >= floorlike_blocks for one in looks)
        for frame, over in before:
            departure.add(frame, over)
        if before:
            # a card that was not looked at in the frame before lay there, fully visible
            last = self.sights[-2] if len(self.sights) > 1 else None
            shown = last.shown if last is not None and last.t_ns == departure.still_ns else None
            if has_vanished(shown, sight.shown, sight.t_ns - departure.still_ns):
                departure.seen_gone_ns = sight.t_ns
                departure.vanished = departure.veiled = True
        return departure


def has_vanished(before: NDArray[np.bool_] | None, after: NDArray[np.bool_] | None, step_ns: int) -> bool:
    """Tell whether a card was lost from sight faster than a hand can have covered it.

    `before`, `after`: (B,), the blocks that showed its face in two pictures; None if it was not looked at and
    lay there fully visible. `step_ns`: the time between the two pictures.
    """
    whole = np.ones(BLOCKS, np.bool_).ravel()
    before, after = (whole if shown is None else shown for shown in (before, after))
    lost = (before & ~after).reshape(BLOCKS)
    rows, columns = np.count_nonzero(lost.any(axis=1)), np.count_nonzero(lost.any(axis=0))
    card_mm = 62.0  # between its width and its height
    lost_mm = np.count_nonzero(lost) / lost.size * card_mm
    fastest_mm_per_ms = 3.5  # speed of the edge of a hand that comes over a card
    return bool(min(rows, columns) > 1 and lost_mm > fastest_mm_per_ms * step_ns / 1e6)
