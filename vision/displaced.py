"""Where a card lies that was pushed by millimetres, block by block, so that a hand may cover part of it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.peak import beside_peak
from vision.frames import Gray
from vision.slots import BLOCKS, Floats, Slot

REACH_MM = 9.0
_MIN_MATCH = 0.8  # normalised correlation of a block with its own face
_MIN_TEXTURE = 6.0
_AGREE_MM = 1.2  # blocks of one card may disagree by this much: it may also have turned
_MIN_BLOCKS = 3


@dataclass(frozen=True, slots=True, eq=False)
class Shift:
    """How far a card lies from where it was.

    Attributes
    ----------
    shift_px : (2,), median over its blocks.
    blocks : number of blocks that agree.
    """

    shift_px: NDArray[np.float64]
    blocks: int


class Face:
    """A card's face, cut into blocks to be found again.

    Parameters
    ----------
    picture : (height, width), the field at rest.
    slot : where the card lies in it.
    reach_mm : how far from its place it is looked for.
    """

    def __init__(self, picture: Floats, slot: Slot, reach_mm: float = REACH_MM) -> None:
        self._reach_px = max(3, round(reach_mm * slot.px_per_mm))
        self._agree_px = max(1.0, _AGREE_MM * slot.px_per_mm)
        self._blocks: list[tuple[int, int, NDArray[np.uint8]]] = []
        corners = slot.upright_corners_px()
        rows, columns = BLOCKS
        half = (
            np.linalg.norm(corners[1] - corners[0]) / columns / 2,
            (np.linalg.norm(corners[2] - corners[1]) / rows / 2),
        )
        size = max(8, round(2 * float(np.mean(half))))
        for row in range(rows):
            for column in range(columns):
                u, v = (column + 0.5) / columns, (row + 0.5) / rows
                top = corners[0] + u * (corners[1] - corners[0])
                bottom = corners[3] + u * (corners[2] - corners[3])
                x, y = np.rint(top + v * (bottom - top) - size / 2).astype(int)
                if x < 0 or y < 0 or x + size > picture.shape[1] or y + size > picture.shape[0]:
                    continue
                block = picture[y : y + size, x : x + size]
                if float(block.std()) > _MIN_TEXTURE:
                    self._blocks.append((int(x), int(y), np.clip(block, 0, 255).astype(np.uint8)))

    @property
    def blocks(self) -> int:
        """How many blocks show enough of the print to be found again."""
        return len(self._blocks)

    def find(self, gray: Gray, origin_px: tuple[int, int] = (0, 0)) -> Shift | None:
        """Find the card near its old place.

        Parameters
        ----------
        gray : a frame or a cut-out of one.
        origin_px : (x, y) of the cut-out's corner in the frame.

        Returns
        -------
        Shift or None
            None where fewer than three blocks agree.
        """
        shifts = [
            shift for block in self._blocks if (shift := self._match(gray, origin_px, *block)) is not None
        ]
        if len(shifts) < _MIN_BLOCKS:
            return None
        places = np.array(shifts)
        near = np.linalg.norm(places[:, None] - places[None], axis=2) <= self._agree_px
        centre = int(near.sum(axis=1).argmax())
        group = places[near[centre]]
        if len(group) < _MIN_BLOCKS:
            return None
        return Shift(np.median(group, axis=0), len(group))

    def _match(
        self, gray: Gray, origin_px: tuple[int, int], x: int, y: int, block: NDArray[np.uint8]
    ) -> tuple[float, float] | None:
        size = block.shape[0]
        x, y = x - origin_px[0], y - origin_px[1]
        x0, y0 = max(0, x - self._reach_px), max(0, y - self._reach_px)
        window = gray[y0 : y + size + self._reach_px, x0 : x + size + self._reach_px]
        if window.shape[0] < size or window.shape[1] < size:
            return None
        scores = np.asarray(cv2.matchTemplate(window, block, cv2.TM_CCOEFF_NORMED), np.float32)
        _, best, _, (column, row) = cv2.minMaxLoc(scores)
        if not best >= _MIN_MATCH:
            return None
        return (
            x0 - x + column + beside_peak(scores[row], column),
            y0 - y + row + beside_peak(scores[:, column], row),
        )
