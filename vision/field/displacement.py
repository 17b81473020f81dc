"""Find a card that was pushed by millimetres, block by block, so that a hand may cover part of it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.peak import beside_summit
from vision.field.slots import BLOCKS, MIN_TEXTURE, Floats, Slot
from vision.frames.frame import Gray

REACH_MM = 9.0
MIN_MATCH = 0.8  # normalised correlation of a card's print with itself


@dataclass(frozen=True, slots=True, eq=False)
class Shift:
    """How far a card lies from its place."""

    shift_px: NDArray[np.float64]  # (2,), median over its blocks
    blocks: int


class Face:
    """A card's face, cut into blocks that can be found again.

    `picture`: (height, width), the field at rest.
    """

    def __init__(self, picture: Floats, slot: Slot) -> None:
        self._reach_px = max(3, round(REACH_MM * slot.px_per_mm))
        agree_mm = 1.2  # blocks of one card may disagree by this much, since it may also have turned
        self._agree_px = max(1.0, agree_mm * slot.px_per_mm)
        self._blocks: list[tuple[int, int, NDArray[np.uint8]]] = []
        corners = slot.upright_corners_px()
        rows, columns = BLOCKS
        sides = np.linalg.norm(corners[1] - corners[0]), np.linalg.norm(corners[2] - corners[1])
        size = max(8, round(float(sides[0] / columns + sides[1] / rows) / 2))
        for row in range(rows):
            for column in range(columns):
                u, v = (column + 0.5) / columns, (row + 0.5) / rows
                top = corners[0] + u * (corners[1] - corners[0])
                bottom = corners[3] + u * (corners[2] - corners[3])
                x, y = np.rint(top + v * (bottom - top) - size / 2).astype(int)
                if x < 0 or y < 0 or x + size > picture.shape[1] or y + size > picture.shape[0]:
                    continue
                block = picture[y : y + size, x : x + size]
                if float(block.std()) > MIN_TEXTURE:
                    self._blocks.append((int(x), int(y), np.clip(block, 0, 255).astype(np.uint8)))

    @property
    def blocks(self) -> int:
        """Number of blocks with enough print to be found again."""
        return len(self._blocks)

    def find(self, gray: Gray, origin_px: tuple[int, int] = (0, 0)) -> Shift | None:
        """Find the card near its old place.

        Returns: None if fewer than three blocks agree.

        `gray`: a frame or a cut-out of one. `origin_px`: (x, y) of the cut-out's corner in the frame.
        """
        shifts = [
            shift for block in self._blocks if (shift := self._match(gray, origin_px, *block)) is not None
        ]
        min_blocks = 3
        if len(shifts) < min_blocks:
            return None
        places = np.array(shifts)
        near = np.linalg.norm(places[:, None] - places[None], axis=2) <= self._agree_px
        centre = int(near.sum(axis=1).argmax())
        group = places[near[centre]]
        if len(group) < min_blocks:
            return None
        ordered = np.sort(group, axis=0)  # for so few values, sorting is faster than np.median
        return Shift((ordered[(len(group) - 1) // 2] + ordered[len(group) // 2]) / 2, len(group))

    def _match(
        self, gray: Gray, origin_px: tuple[int, int], x: int, y: int, block: NDArray[np.uint8]
    ) -> tuple[float, float] | None:
        x, y = x - origin_px[0], y - origin_px[1]
        window, x0, y0 = self._around(gray, x, y, block)
        if window is None:
            return None
        scores = np.asarray(cv2.matchTemplate(window, block, cv2.TM_CCOEFF_NORMED), np.float32)
        _, best, _, (column, row) = cv2.minMaxLoc(scores)
        if not best >= MIN_MATCH:
            return None
        beside = beside_summit(scores, column, row)
        return x0 - x + column + beside[0], y0 - y + row + beside[1]

    def _around(self, gray: Gray, x: int, y: int, part: Gray) -> tuple[Gray | None, int, int]:
        """Return the window to search for a part that lay at (x, y), and its corner; None if outside."""
        tall, wide = part.shape
        x0, y0 = max(0, x - self._reach_px), max(0, y - self._reach_px)
        window = gray[y0 : y + tall + self._reach_px, x0 : x + wide + self._reach_px]
        return None if window.shape[0] < tall or window.shape[1] < wide else window, x0, y0
