"""How far points lie from the outline of a card."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def outside_px(points: NDArray[np.float64], corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how far each point (N, 2) lies outside a convex quadrilateral (4, 2); negative inside."""
    edges = np.roll(corners, -1, axis=0) - corners
    turn = np.sign(edges[0, 0] * edges[1, 1] - edges[0, 1] * edges[1, 0])
    normals = turn * np.stack([edges[:, 1], -edges[:, 0]], axis=1)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    reach = points @ normals.T - (corners * normals).sum(axis=1)
    return np.asarray(reach.max(axis=1))
