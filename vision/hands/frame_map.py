"""Map of the hands and things over the resting field in one frame, and of their owners."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.sides import Side
from vision.field.resting_map import UNIT
from vision.field.slots import Slot
from vision.frames.frame import Gray

NOBODY, NEAR, FAR, STRANGER = 0, 1, 2, 3
"""Labels in a map of players; a stranger's arm came in from the left or right, where no player sits."""
SIDES = {NEAR: Side.NEAR, FAR: Side.FAR}
OTHER = {NEAR: FAR, FAR: NEAR}  # the opponent's label


@dataclass(frozen=True, slots=True, eq=False)
class FrameMap:
    """The hands and things over the resting field in one frame."""

    # (h, w) uint8, 1 where the frame differs from the resting picture, and from the bare floor
    mask: NDArray[np.uint8]
    # (h, w) uint8, 1 where the frame differs from the resting picture, so also on bare floor that has
    # appeared
    changed: NDArray[np.uint8]
    # (h, w) uint8, `NEAR`, `FAR`, `STRANGER` or `NOBODY` for each pixel of the mask
    players: NDArray[np.uint8]
    area: int  # number of pixels in the mask
    light: Gray  # brightness relative to the resting picture, sparsely sampled, in units of 1/100
    small: Gray  # (h, w), the frame at the map's size
    shape_px: tuple[int, ...]  # shape of the full frame
    # (h, w) int64, since when arms of both players have been one region; 0 elsewhere
    met_ns: NDArray[np.int64]

    @property
    def scale(self) -> float:
        """Size of the map relative to the full frame."""
        return float(self.players.shape[1] / self.shape_px[1])

    def middles_px(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the centres of cells of the map in the full frame, shape (N, 2), x and y."""
        # x and y are contiguous: callers mostly need all of one
        return ((np.stack([columns, rows]).astype(np.float64) + 0.5) / self.scale - 0.5).T

    def player_in(self, box: NDArray[np.intp]) -> Side | None:
        """Return whose arm lies in a box (x0, y0, x1, y1) of the map; None if nobody's or both players'."""
        x0, y0, x1, y1 = box
        inside = self.players[y0:y1, x0:x1]
        near, far = bool((inside == NEAR).any()), bool((inside == FAR).any())
        return None if near == far else Side.NEAR if near else Side.FAR

    def light_near(self, points_px: NDArray[np.float64]) -> NDArray[np.float32]:
        """Return the brightness (N,) relative to the resting picture near points (N, 2) of the frame."""
        (height, width), (tall, wide) = self.shape_px, self.light.shape
        column = np.clip((points_px[:, 0] * wide / width).astype(np.intp), 0, wide - 1)
        row = np.clip((points_px[:, 1] * tall / height).astype(np.intp), 0, tall - 1)
        return np.asarray(self.light[row, column] / np.float32(UNIT), np.float32)

    @property
    def evenly_unlit(self) -> NDArray[np.float32]:
        """The frame at the map's size, corrected by one factor for the light of the whole field."""
        return self.small * np.float32(UNIT / np.median(self.light))

    @property
    def unlit(self) -> NDArray[np.float32]:
        """The frame at the map's size, corrected to the light of the resting picture."""
        height, width = self.small.shape
        wide = cv2.resize(self.light, (width, height), interpolation=cv2.INTER_LINEAR)
        return np.asarray(self.small * (UNIT / wide), np.float32)

    def light_at(self, window: tuple[slice, slice], cell: int = 1) -> NDArray[np.float32]:
        """Return the brightness relative to the resting picture in a window of the full frame.

        It is sampled at the centre of each square of `cell` pixels.
        """
        middle = (cell - 1) / 2
        rows, columns = (np.arange(part.start + middle, part.stop, cell, dtype=np.float32) for part in window)
        height, width = self.shape_px
        tall, wide = self.light.shape
        y = (rows + 0.5) * (tall / height) - 0.5
        x = (columns + 0.5) * (wide / width) - 0.5
        at_x, at_y = np.meshgrid(x, y)
        factor = cv2.remap(
            self.light.astype(np.float32), at_x, at_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(factor, np.float32) / np.float32(UNIT)


def box_of(slot: Slot, scale: float, size: tuple[int, int]) -> NDArray[np.intp]:
    """Return a slot's bounding box in the small map as x0, y0, x1, y1, enlarged by a cell on all sides."""
    width, height = (int(side * scale) for side in size)
    low = np.floor(slot.corners_px.min(axis=0) * scale).astype(np.intp) - 1
    high = np.ceil(slot.corners_px.max(axis=0) * scale).astype(np.intp) + 1
    return np.asarray(np.clip(np.concatenate([low, high]), 0, (width, height, width, height)))
