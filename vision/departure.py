"""The pictures kept around the moment a card was last seen in place."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.frames import Gray
from vision.hands import Over
from vision.slots import Floats


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
    final_shift_px : (2,), where it lies in the end, if it stayed near.
    settled_ns : the instant at which that was seen.
    """

    origin_px: tuple[int, int]
    still_ns: int
    views: list[View]
    open: bool = True
    final_shift_px: NDArray[np.float64] | None = None
    settled_ns: int = 0

    def after(self) -> list[View]:
        """Return the views after the card was last seen in place."""
        return [view for view in self.views if view.t_ns > self.still_ns]
