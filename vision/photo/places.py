"""Group the outlines on a photo by place: proposals repeat each other, and a place holds one card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.imaging.quadrilaterals import Corners

SAME_OUTLINE: Final = 0.03
"""Distance of corners, in card widths, within which two outlines are one: a pixel or two."""


def distinct(outlines: Sequence[Corners], within: float = SAME_OUTLINE) -> list[Corners]:
    """Return the outlines, shape (4, 2) each, without those that repeat an earlier one.

    `outlines`: px. `within`: distance of corners, in card widths, within which two are one.
    """
    if not outlines:
        return []
    quads = np.stack(outlines)
    away_px = np.abs(quads[:, None] - quads[None]).max(axis=(2, 3))
    within_px = within * np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)
    same = away_px < within_px[:, None]
    kept: list[int] = []
    for number in range(len(outlines)):
        if not same[number, kept].any():
            kept.append(number)
    return [outlines[number] for number in kept]


def in_view(outlines: Sequence[Corners], shape: tuple[int, ...]) -> list[Corners]:
    """Return the outlines that a card can have in a picture: convex, clockwise, with their centre in it.

    A plane that was fitted to something else may place outlines beyond its horizon.

    `outlines`: shape (4, 2) each, px.
    """
    if not outlines:
        return []
    quads = np.stack(outlines)
    ahead = np.roll(quads, -1, axis=1) - quads
    then = np.roll(ahead, -1, axis=1)
    with np.errstate(invalid="ignore", over="ignore"):
        convex = (ahead[..., 0] * then[..., 1] - ahead[..., 1] * then[..., 0] > 0).all(axis=1)
        middle = quads.mean(axis=1)
        inside = ((middle >= 0) & (middle < shape[1::-1])).all(axis=1)
    sound = convex & inside & np.isfinite(quads).all(axis=(1, 2))
    return [outline for outline, good in zip(outlines, sound, strict=True) if good]


def one_for_each_place(outlines: Sequence[Corners], reach: float = 1.0) -> list[int]:
    """Return the indices of the outlines to keep: the first one of each place.

    `outlines`: shape (4, 2) each, px, clockwise.
    """
    same = overlaps(outlines, outlines, reach)
    kept: list[int] = []
    for number in range(len(outlines)):
        if not same[number, kept].any():
            kept.append(number)
    return kept


def overlaps(some: Sequence[Corners], others: Sequence[Corners], reach: float = 1.0) -> NDArray[np.bool_]:
    """Tell which outlines are at one place: the centre of either lies inside the other; shape (N, M).

    `some`, `others`: shape (4, 2) each, px, clockwise; N and M of them.
    """
    one = np.array(some, np.float64).reshape(-1, 4, 2)
    two = np.array(others, np.float64).reshape(-1, 4, 2)
    first, second = one.mean(axis=1), two.mean(axis=1)
    wide_one = first[:, None] + reach * (one - first[:, None])
    wide_two = second[:, None] + reach * (two - second[:, None])
    return _holds(wide_one, second) | _holds(wide_two, first).T


def all_touch(pieces: Sequence[NDArray[np.float64]], cards: Sequence[Corners]) -> bool:
    """Tell whether all pieces touch cards, as parts of covered cards do.

    `pieces`: hulls, shape (P, 2) each, px. `cards`: outlines, shape (4, 2) each, px.
    """
    touching_times = 1.3  # factor by which a card's outline is enlarged to find what touches it
    wide = [(middle := card.mean(axis=0)) + touching_times * (card - middle) for card in cards]
    hulls = [piece.astype(np.float32) for piece in pieces]
    return all(
        any(cv2.intersectConvexConvex(hull, card.astype(np.float32))[0] > 0 for card in wide)
        for hull in hulls
    )


def _holds(quads: Corners, points: Corners) -> NDArray[np.bool_]:
    """Tell which clockwise outlines (N, 4, 2) contain which points (M, 2); shape (N, M)."""
    side = (np.roll(quads, -1, axis=1) - quads)[:, None]
    away = points[None, :, None] - quads[:, None]
    return np.asarray((side[..., 0] * away[..., 1] - side[..., 1] * away[..., 0] >= 0).all(axis=2))
