"""A face cut into tiles that are matched separately, so that a hand may hide some of them."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.field.slots import Floats

_TURNED = np.ones((3, 3), np.uint8)


class Tiles:
    """The tiles of a face."""

    def __init__(self, face: Floats, boxes: Sequence[tuple[slice, slice]]) -> None:
        self.boxes = tuple(boxes)
        self._prints = [np.ascontiguousarray(face[box]) for box in boxes]
        places = np.arange(face.size).reshape(face.shape)
        in_turn = [places[box].ravel() for box in boxes]
        self._pixels = np.concatenate(in_turn) if boxes else np.zeros(0, np.intp)
        self._sizes = np.array([len(one) for one in in_turn], np.intp)
        self._starts = np.cumsum(self._sizes) - self._sizes

    def __len__(self) -> int:
        return len(self.boxes)

    def normed(self, picture: Floats) -> Floats:
        """Return the tiles' pixels (P,) of a picture of the face's size, each tile of mean 0, length 1."""
        found = picture.reshape(-1)[self._pixels]
        found = found - np.repeat(np.add.reduceat(found, self._starts) / self._sizes, self._sizes)
        lengths = np.sqrt(np.add.reduceat(found * found, self._starts))
        flat_length = 1e-3  # lower bound of a tile's length, for tiles without print
        return np.asarray(found / np.repeat(np.maximum(lengths, flat_length), self._sizes), np.float32)

    def alike(self, one: Floats, others: Floats) -> Floats:
        """Return the correlation (..., T) of each tile of two pictures (..., P), as `normed` returns them."""
        return np.asarray(np.add.reduceat(one * others, self._starts, axis=-1), np.float32)

    def around(self, shown: Floats, reach_px: int) -> Floats:
        """Return the correlation of each tile with a picture at shifts of up to `reach_px` each way.

        `shown`: (h + 2 reach_px, w + 2 reach_px), the face's surroundings.

        Returns: (T, 2 reach_px + 1, 2 reach_px + 1); each shift gets the best value within a pixel, since the
        card may have turned a little more than expected.
        """
        scores = [
            cv2.matchTemplate(
                shown[rows.start : rows.stop + 2 * reach_px, columns.start : columns.stop + 2 * reach_px],
                tile,
                cv2.TM_CCOEFF_NORMED,
            )
            for (rows, columns), tile in zip(self.boxes, self._prints, strict=True)
        ]
        beside = cv2.dilate(np.stack(scores, axis=-1), _TURNED)
        side = 2 * reach_px + 1
        return np.asarray(beside, np.float32).reshape(side, side, -1).transpose(2, 0, 1)

    def mask(self, seen: NDArray[np.bool_], shape: tuple[int, ...]) -> NDArray[np.uint8]:
        """Return 255 on the tiles that are `seen`, (T,), for a face of some shape, and 0 elsewhere."""
        shown = np.zeros(shape, np.uint8)
        for box, is_seen in zip(self.boxes, seen, strict=True):
            shown[box] = 255 * is_seen
        return shown


def framed(picture: Floats, low: NDArray[np.intp], high: NDArray[np.intp]) -> Floats:
    """Return a part of a picture between corners (x, y), black outside the picture."""
    found = np.zeros((int(high[1] - low[1]), int(high[0] - low[0])), np.float32)
    left, top = np.maximum(low, 0)
    right, bottom = np.minimum(high, picture.shape[::-1])
    if left < right and top < bottom:
        inside = slice(top - low[1], bottom - low[1]), slice(left - low[0], right - low[0])
        found[inside] = picture[top:bottom, left:right]
    return found
