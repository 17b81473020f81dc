"""Distances of points from the outline of a card."""

import math

import numpy as np
from numpy.typing import NDArray


def outside_px(points: NDArray[np.float64], corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the distance (N,) of points (N, 2) outside a convex quadrilateral (4, 2); negative inside."""
    normals, offsets = _sides(corners)
    # edge by edge: the maximum of four numbers is much faster along long rows than along short ones
    reach = normals @ points.T
    reach -= offsets[:, None]
    return np.asarray(reach.max(axis=0))


def outside_grid_px(
    columns: NDArray[np.float64], rows: NDArray[np.float64], corners: NDArray[np.float64]
) -> NDArray[np.float32]:
    """Return the same as `outside_px` for a grid of points with `columns` (W,) and `rows` (H,); (H, W)."""
    normals, offsets = _sides(corners)
    farthest = np.full((len(rows), len(columns)), -np.inf, np.float32)
    for (x, y), offset in zip(normals, offsets, strict=True):
        along, down = (columns * x - offset).astype(np.float32), (rows * y).astype(np.float32)
        np.maximum(farthest, along + down[:, None], out=farthest)
    return farthest


def _sides(corners: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the outward normals (4, 2) of a convex quadrilateral's sides, and each side's offset (4,)."""
    points = corners.tolist()
    edges = [(x1 - x0, y1 - y0) for (x0, y0), (x1, y1) in zip(points, points[1:] + points[:1], strict=True)]
    turn = 1.0 if edges[0][0] * edges[1][1] > edges[0][1] * edges[1][0] else -1.0
    scales = [turn / math.hypot(x, y) for x, y in edges]
    normals = [(y * scale, -x * scale) for (x, y), scale in zip(edges, scales, strict=True)]
    offsets = [x * nx + y * ny for (x, y), (nx, ny) in zip(points, normals, strict=True)]
    return np.array(normals), np.array(offsets)
