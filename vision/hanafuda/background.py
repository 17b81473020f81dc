"""The rest of a view beside known cards: the bare table, and things that no known card explains."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames.frame import Gray
from vision.hanafuda.pose import Poses, corners_mm, share_in
from vision.plane.table_plane import view_px


class Ground:
    """The parts of a view in which cards may lie, judged without those cards.

    `bare`: mask of the view, 255 where the bare table shows, less where it may; None if unknown. `untold`:
    mask of the view, 255 where something lies that no known card explains; None for everywhere. `size_mm`:
    width and height of a card.
    """

    def __init__(self, bare: Gray | None, untold: Gray | None, size_mm: tuple[float, float]) -> None:
        self._bare = bare
        self._untold = None if untold is None else untold.copy()
        self._size_mm = size_mm

    def tell(self, poses: Iterable[NDArray[np.float64]]) -> None:
        """Note poses of cards, shape (3,) each: they explain what is seen there."""
        if self._untold is not None:
            for pose in poses:
                outline = view_px(corners_mm(pose[None], self._size_mm))[0]
                cv2.fillConvexPoly(self._untold, np.rint(outline).astype(np.int32), 0)

    def is_untold(self, poses: Poses) -> NDArray[np.bool_]:
        """Tell at which `poses` something is seen that no known card explains, (N,)."""
        if self._untold is None:
            return np.ones(len(poses), bool)
        untold_share = 0.05  # of a proposed card that must lie on something unexplained
        return np.asarray(share_in(self._untold, poses, self._size_mm) >= untold_share, bool)

    def bare_share(self, poses: Poses, visible: NDArray[np.bool_] | None = None) -> NDArray[np.float64]:
        """Return the share of each card's cells, or of its `visible` ones, that show the bare table, (N,)."""
        if self._bare is None:
            return np.zeros(len(poses))
        return share_in(self._bare, poses, self._size_mm, visible)
