"""The pictures kept around the moment a card was last seen in place."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.frames import Gray
from vision.hands import Over
from vision.slots import Floats, Sight

_PROOF_BLOCKS = 3
_PROOF_LOOKS = 4
_PROOF_NS = 30_000_000


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A cut-out of one frame around a card.

    Attributes
    ----------
    t_ns : instant of the frame.
    gray : the cut-out.
    over : what lay over the whole field, and whose it was.
    light : factor between the cut-out and the resting picture, of the cut-out's shape.
    """

    t_ns: int
    gray: Gray
    over: Over
    light: Floats


@dataclass(slots=True, eq=False)
class Departure:
    """A card that is no longer seen in place.

    Attributes
    ----------
    origin_px : (x, y) of the cut-outs' upper left corner in the frame.
    still_ns : the last instant at which the card was seen in place.
    views : a few before that instant and those after it, in order of time.
    open : more views are wanted.
    moved : the card was seen elsewhere since.
    final_shift_px : (2,), where it lies in the end, if it stayed near.
    settled_ns : the instant at which that was seen.
    proven : it was seen elsewhere for long enough, even if it should come back.
    proof_shift_px : (2,), where it lay then.
    moved_since_ns, moved_looks : how long and how often it was seen elsewhere.
    """

    origin_px: tuple[int, int]
    still_ns: int
    views: list[View]
    open: bool = True
    moved: bool = False
    final_shift_px: NDArray[np.float64] | None = None
    settled_ns: int = 0
    proven: bool = False
    proof_shift_px: NDArray[np.float64] | None = None
    moved_since_ns: int | None = None
    moved_looks: int = 0

    def note_moved(self, sight: Sight) -> None:
        """Note that the card was seen elsewhere; seen so often and long enough, that is proof in itself."""
        self.moved = True
        if sight.seen < _PROOF_BLOCKS:
            return
        if self.moved_since_ns is None:
            self.moved_since_ns = sight.t_ns
        self.moved_looks += 1
        if self.moved_looks >= _PROOF_LOOKS and sight.t_ns - self.moved_since_ns >= _PROOF_NS:
            self.proven = True
            self.proof_shift_px = sight.shift_px.astype(np.float64)

    def after(self) -> list[View]:
        """Return the views after the card was last seen in place."""
        return [view for view in self.views if view.t_ns > self.still_ns]
