"""Where a card lies on the table: its middle and its direction; and cutting its picture out of the view."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.deck import Picture
from vision.card_gallery import COARSE, Floats
from vision.frames import Gray
from vision.table_plane import view_px

Poses = NDArray[np.float64]
"""Shape (N, 3): x and y of the card's middle in table millimetres, and the angle in radians by which the card
is turned clockwise from upright."""


def corners_mm(poses: Poses, size_mm: tuple[float, float]) -> NDArray[np.float64]:
    """Return the corners of cards, shape (N, 4, 2), clockwise from each card's own upper left."""
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(size_mm) / 2
    return on_table(poses, square)


def on_table(poses: Poses, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return where points of the card, shape (P, 2) from its middle, lie on the table; shape (N, P, 2)."""
    cos, sin = np.cos(poses[:, 2])[:, None], np.sin(poses[:, 2])[:, None]
    x, y = points_mm[:, 0], points_mm[:, 1]
    turned = np.stack([cos * x - sin * y, sin * x + cos * y], axis=2)
    return np.asarray(turned + poses[:, None, :2], np.float64)


def on_card(pose: NDArray[np.float64], points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return where points of the table, shape (..., 2), lie on one card, from its middle."""
    away = points_mm - pose[:2]
    cos, sin = np.cos(pose[2]), np.sin(pose[2])
    return np.stack(
        [cos * away[..., 0] + sin * away[..., 1], cos * away[..., 1] - sin * away[..., 0]], axis=-1
    )


def cell_centres_mm(grid: tuple[int, int], size_mm: tuple[float, float]) -> NDArray[np.float64]:
    """Return the middles of a card's cells, shape (cells, 2), row by row, from the card's middle."""
    x = ((np.arange(grid[0]) + 0.5) / grid[0] - 0.5) * size_mm[0]
    y = ((np.arange(grid[1]) + 0.5) / grid[1] - 0.5) * size_mm[1]
    return np.stack(np.meshgrid(x, y), axis=2).reshape(-1, 2)


def cut(
    view: Picture, poses: Poses, grid: tuple[int, int], size_mm: tuple[float, float], scale: float = 1.0
) -> Floats:
    """Cut cards out of the view from above.

    Parameters
    ----------
    view : the table from above, averaged beforehand over about a cell.
    poses : shape (N, 3).
    scale : pixels of `view` per pixel of the full view.

    Returns
    -------
    shape (N, cells, 3), gray values less 128.
    """
    places = (view_px(on_table(poses, cell_centres_mm(grid, size_mm))) + 0.5) * scale - 0.5
    # the library takes at most 32767 rows in one picture
    rows = 30_000
    parts = [
        cv2.remap(
            view,
            np.ascontiguousarray(part[..., 0], np.float32),
            np.ascontiguousarray(part[..., 1], np.float32),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        for part in np.split(places, range(rows, len(places), rows))
    ]
    return np.concatenate(parts).astype(np.float32) - np.float32(128)


def share_in(mask: Gray, poses: Poses, size_mm: tuple[float, float]) -> NDArray[np.float64]:
    """Return the share of each card that lies in a mask of the view; shape (N,).

    Parameters
    ----------
    mask : shape (height, width): 255 in it, 0 outside, in between for places that count less.
    poses : shape (N, 3).
    size_mm : width and height of a card.
    """
    places = np.rint(view_px(on_table(poses, cell_centres_mm(COARSE, size_mm)))).astype(np.intp)
    height, width = mask.shape
    x, y = places[..., 0].clip(0, width - 1), places[..., 1].clip(0, height - 1)
    return np.asarray(mask[y, x].mean(axis=1) / 255, np.float64)
