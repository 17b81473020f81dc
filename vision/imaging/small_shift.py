"""Measure how far a part of a picture moved, to a few hundredths of a pixel, by the slopes of its gray."""

import cv2
import numpy as np
from numpy.typing import NDArray

_STEPS = 3
_FARTHEST_PX = 4.0  # beyond it slopes tell nothing but that it is far


def shift_between(
    before: NDArray[np.float32], now: NDArray[np.float32], where: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Return by how much a part of a picture has moved, (2,) pixels right and down; (0, 0) for no part.

    `before`, `now`: two pictures, (h, w). `where`: (h, w), the part, as it lies in `now`.
    """
    moved = np.zeros(2)
    if not where.any():
        return moved
    rows, columns = np.nonzero(where)
    margin_px = 3
    top, left = max(int(rows.min()) - margin_px, 0), max(int(columns.min()) - margin_px, 0)
    part = slice(top, int(rows.max()) + 1 + margin_px), slice(left, int(columns.max()) + 1 + margin_px)
    was, then, inside = before[part], now[part], where[part]
    size = was.shape[1], was.shape[0]
    for _ in range(_STEPS):
        back = np.array([[1.0, 0.0, moved[0]], [0.0, 1.0, moved[1]]])
        way = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        seen = cv2.warpAffine(then, back, size, flags=way, borderMode=cv2.BORDER_REPLICATE)
        mean = (was + seen) / 2
        slopes = [cv2.Sobel(mean, cv2.CV_32F, *way, ksize=3, scale=1 / 8) for way in ((1, 0), (0, 1))]
        table = np.column_stack([*(one[inside] for one in slopes), np.ones(int(inside.sum()))])
        moved += np.linalg.lstsq(table, (was - seen)[inside], rcond=None)[0][:2]
        if float(np.abs(moved).max()) > _FARTHEST_PX:
            break
    return moved
