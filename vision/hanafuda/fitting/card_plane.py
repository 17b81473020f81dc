"""Fit the plane of a table to the cards on it: all have one size, so their outlines must agree.

Plane and cards are fitted together by Gauss-Newton; the cards' own places are eliminated from the equations
(Schur complement), so that thirty cards cost as little as three. Unlike `calibration.field.geometry` it
assumes nothing of the camera: a photo may be taken at any slant.
"""

from collections.abc import Sequence
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.hanafuda.pose import Poses, corners_mm

Floats = NDArray[np.float64]

AGREES: Final = 0.05
"""An outline agrees with the plane if its corners are off by less than this share of its size."""


def plane_through(outlines: Sequence[Floats], size_mm: tuple[float, float]) -> Floats | None:
    """Return the plane with which the outlines of cards agree best, or None if there is none.

    Returns: shape (3, 3), homography from table millimetres to pixels. Its origin and the direction of its
    axes are arbitrary.

    `outlines`: shape (4, 2) each, px, clockwise from a card's upper left or its lower right. `size_mm`: width
    and height of a card.
    """
    if not len(outlines):
        return None
    quads = np.array(outlines, np.float64)
    sizes = _sizes(quads)
    best, least = None, np.inf
    starts = 4  # outlines, those closest to the median size, to try as the first guess
    card = corners_mm(np.zeros((1, 3)), size_mm)[0].astype(np.float32)
    for start in np.argsort(np.abs(sizes - np.median(sizes)), kind="stable")[:starts]:
        guess = cv2.getPerspectiveTransform(card, quads[start].astype(np.float32))
        to_px = _fitted(np.asarray(guess, np.float64), quads, size_mm)
        if to_px is None:
            continue
        cost = float(np.minimum(off_plane(to_px, quads, size_mm), 2 * AGREES).sum())
        if cost < least:
            best, least = to_px, cost
        if least < len(quads) * AGREES / 4:
            break
    return best


def laid_on(to_px: Floats, quads: Floats, size_mm: tuple[float, float]) -> Poses:
    """Return the poses of the cards closest to outlines of shape (N, 4, 2), px; shape (N, 3)."""
    square = corners_mm(np.zeros((1, 3)), size_mm)[0]
    on_plane = mapped(np.asarray(np.linalg.inv(to_px), np.float64), quads)
    middle = on_plane.mean(axis=1)
    away = on_plane - middle[:, None]
    along = (square * away).sum(axis=(1, 2))
    across = (square[:, 0] * away[..., 1] - square[:, 1] * away[..., 0]).sum(axis=1)
    return np.asarray(np.column_stack([middle, np.arctan2(across, along)]), np.float64)


def off_plane(to_px: Floats, quads: Floats, size_mm: tuple[float, float]) -> Floats:
    """Return the distance of each outline's worst corner from a card's, as a share of its size; (N,)."""
    off = np.linalg.norm(laid_cards(to_px, quads, size_mm) - quads, axis=2).max(axis=1) / _sizes(quads)
    return np.asarray(np.where(np.isfinite(off), off, np.inf))


def laid_cards(to_px: Floats, quads: Floats, size_mm: tuple[float, float]) -> Floats:
    """Return the outlines of the cards closest to outlines of shape (N, 4, 2), px; the same shape."""
    return mapped(to_px, corners_mm(laid_on(to_px, quads, size_mm), size_mm))


def laid_pieces(to_px: Floats, pieces: Sequence[Floats], size_mm: tuple[float, float]) -> list[Floats]:
    """Return outlines of cards, px, that may lie where pieces are seen.

    A piece as large as a card is one card. Any other piece may be a part of a card, or of several: a card may
    lie in each of its corners.

    `pieces`: hulls, shape (P, 2) each, px.
    """
    outlines: list[Floats] = []
    for box in _boxes(to_px, pieces):
        sides = _sides(box)
        is_card = _is_sized(sides, size_mm)
        # a smaller piece may be the paper of a card whose border looks like the table
        if is_card or (np.sort(sides) < np.sort(size_mm)).all():
            upright = box if sides[0] < sides[1] else np.roll(box, -1, axis=0)
            outlines += list(laid_cards(to_px, mapped(to_px, upright)[None], size_mm))
        if not is_card:
            outlines += [mapped(to_px, card) for card in _in_corners(box, sides, size_mm)]
    return outlines


def sized(to_px: Floats, pieces: Sequence[Floats], size_mm: tuple[float, float]) -> list[bool]:
    """Tell which of the pieces, as in `laid_pieces`, are as large as a card."""
    return [_is_sized(_sides(box), size_mm) for box in _boxes(to_px, pieces)]


def _boxes(to_px: Floats, pieces: Sequence[Floats]) -> list[Floats]:
    """Return the corners of the smallest boxes on the plane that contain the pieces."""
    from_px = np.asarray(np.linalg.inv(to_px), np.float64)
    boxes = [cv2.boxPoints(cv2.minAreaRect(mapped(from_px, piece).astype(np.float32))) for piece in pieces]
    return [np.asarray(box, np.float64) for box in boxes]


def _sides(box: Floats) -> Floats:
    return np.asarray(np.linalg.norm(box[1:3] - box[:2], axis=1))


def _is_sized(sides: Floats, size_mm: tuple[float, float]) -> bool:
    most_off = 0.25  # a piece is as large as a card if its sides differ by less than this share
    return bool(np.abs(np.sort(sides) / np.sort(size_mm) - 1).max() < most_off)


def _in_corners(box: Floats, sides: Floats, size_mm: tuple[float, float]) -> list[Floats]:
    """Return the outlines of cards in the corners of a box, lengthwise and crosswise, mm."""
    along, across = (box[1] - box[0]) / sides[0], (box[2] - box[1]) / sides[1]
    cards = []
    for corner, right, down in zip(
        box, (along, -along, -along, along), (across, across, -across, -across), strict=True
    ):
        for width, height in (size_mm, size_mm[::-1]):
            card = corner + np.array(
                [np.zeros(2), right * width, right * width + down * height, down * height]
            )
            turned = card if right @ along * (down @ across) > 0 else card[::-1]
            first = np.linalg.norm(turned[1] - turned[0]) > np.linalg.norm(turned[2] - turned[1])
            cards.append(np.roll(turned, -1, axis=0) if first else turned)
    return cards


def mapped(homography: Floats, points: Floats) -> Floats:
    """Map points of shape (..., 2)."""
    there = points @ homography[:, :2].T + homography[:, 2]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(there[..., :2] / there[..., 2:])


def _sizes(quads: Floats) -> Floats:
    ahead = np.roll(quads, -1, axis=1)
    area = (quads[..., 0] * ahead[..., 1] - quads[..., 1] * ahead[..., 0]).sum(axis=1) / 2
    return np.asarray(np.sqrt(np.maximum(np.abs(area), 1e-6)), np.float64)


def _fitted(to_px: Floats, quads: Floats, size_mm: tuple[float, float]) -> Floats | None:
    """Move plane and cards together until the corners fit; return None if that fails."""
    to_px = to_px / to_px[2, 2]
    poses = laid_on(to_px, quads, size_mm)
    rounds = 10
    settled_px = 0.005
    for _ in range(rounds):
        of_plane, of_card, missing = _equations(to_px, poses, quads, size_mm)
        step = _solved(of_plane, of_card, missing)
        if step is None:
            return None
        to_px = to_px + np.append(step[0], 0).reshape(3, 3)
        poses = poses + step[1]
        if np.abs(of_plane @ step[0]).max() < settled_px:
            break
    return to_px


def _equations(
    to_px: Floats, poses: Poses, quads: Floats, size_mm: tuple[float, float]
) -> tuple[Floats, Floats, Floats]:
    """Return the equations of a step, px and weighted.

    Returns: how the corners' places change with the plane (N, 8, 8) and with each card's pose (N, 8, 3), and
    how far they are from where they should be (N, 8).
    """
    corners = corners_mm(poses, size_mm)
    depth = (corners @ to_px[2, :2] + to_px[2, 2])[..., None]
    seen = mapped(to_px, corners)
    missing = quads - seen
    outlier_px = 1.0  # outlines with a corner farther than this from a card's get less weight (Huber)
    weight = 1 / np.maximum(np.linalg.norm(missing, axis=2).max(axis=1) / outlier_px, 1)
    by_place = (to_px[:2, :2] - seen[..., :, None] * to_px[2, :2]) / depth[..., None]
    arm = corners - poses[:, None, :2]
    by_turn = by_place @ np.stack([-arm[..., 1], arm[..., 0]], axis=-1)[..., None]
    of_card = np.concatenate([by_place, by_turn], axis=-1).reshape(-1, 8, 3)
    point = np.concatenate([corners, np.ones_like(depth)], axis=-1) / depth
    none = np.zeros_like(point)
    x_row = np.concatenate([point, none, -seen[..., :1] * point[..., :2]], axis=-1)
    y_row = np.concatenate([none, point, -seen[..., 1:] * point[..., :2]], axis=-1)
    of_plane = np.stack([x_row, y_row], axis=2).reshape(-1, 8, 8)
    wide = weight[:, None, None]
    return of_plane * wide, of_card * wide, missing.reshape(-1, 8) * weight[:, None]


def _solved(of_plane: Floats, of_card: Floats, missing: Floats) -> tuple[Floats, Floats] | None:
    """Return the step of the plane (8,) and of every card's pose (N, 3); None if there is none."""
    turned = of_card.transpose(0, 2, 1)
    mixed, wanted = turned @ of_plane, turned @ missing[..., None]
    try:
        inverse = np.linalg.inv(turned @ of_card)
    except np.linalg.LinAlgError:
        return None
    plane_turned = of_plane.transpose(0, 2, 1)
    normal = (plane_turned @ of_plane - mixed.transpose(0, 2, 1) @ inverse @ mixed).sum(axis=0)
    right = (plane_turned @ missing[..., None] - mixed.transpose(0, 2, 1) @ inverse @ wanted).sum(axis=0)[
        :, 0
    ]
    # Origin and axes cannot be determined, so the shortest of all solutions is taken. It is scaled, since
    # some of the plane's numbers are a million times as large as others.
    scale = np.sqrt(np.maximum(np.diag((plane_turned @ of_plane).sum(axis=0)), 1e-30))
    scaled: Any = normal / np.outer(scale, scale)
    if not np.isfinite(scaled).all():
        return None
    of_plane_step = np.linalg.lstsq(scaled, right / scale, rcond=1e-8)[0] / scale
    of_card_step = (inverse @ (wanted - mixed @ of_plane_step[:, None]))[..., 0]
    return of_plane_step, of_card_step
