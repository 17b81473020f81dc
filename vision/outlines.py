"""How far points lie from the outline of a card."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_NEXT = np.array([1, 2, 3, 0])


def outside_px(points: NDArray[np.float64], corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how far each point (N, 2) lies outside a convex quadrilateral (4, 2); negative inside."""
    edges = corners[_NEXT] - corners
    turn = np.sign(edges[0, 0] * edges[1, 1] - edges[0, 1] * edges[1, 0])
    normals = turn * np.stack([edges[:, 1], -edges[:, 0]], axis=1)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    # edge by edge: the largest of four numbers is found far sooner along long rows than along short ones
    reach = normals @ points.T - (corners * normals).sum(axis=1)[:, None]
    return np.asarray(reach.max(axis=0))
