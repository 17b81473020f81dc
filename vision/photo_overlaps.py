"""Reads the cards of a photo that others cover: the whole ones tell how the table lies, then it is peeled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.deck import Picture
from vision.bare_table import DOUBTFUL, like_table
from vision.card_candidates import lines_mm, poses_along, poses_beside, poses_of_blobs
from vision.card_gallery import CardGallery
from vision.card_peeling import MIN_VISIBLE, Peeler, SeenCard
from vision.card_plane import laid_on
from vision.card_pose import corners_mm, share_in
from vision.frames import Gray
from vision.hanafuda_finder import MIN_LEFT
from vision.table_plane import MARGIN_MM, PX_PER_MM, TablePlane, find_markers, view_px

Corners = NDArray[np.float64]

_QUIET_PX: Final = 12
"""Around a marker so much of the view belongs to it."""
MAX_SIDE_MM: Final = 1600.0
"""No photo of a table shows more of it than this, or its far end is too small to read."""


def covered_cards(
    picture: Picture,
    gallery: CardGallery,
    plane: TablePlane,
    whole: Sequence[tuple[Corners, int]],
    hints: Sequence[Corners] = (),
) -> list[tuple[SeenCard, Corners]]:
    """Return the cards that are only partly seen, with their corners in the photo, px.

    Parameters
    ----------
    whole : outline and card of those that are seen wholly.
    hints : further outlines, about where a card may lie.
    """
    known = []
    odds = np.zeros(len(gallery.ids), np.float32)
    poses = laid_on(plane.to_px, np.array([quad for quad, _ in whole]).reshape(-1, 4, 2), gallery.size_mm)
    for pose, (_, card) in zip(poses, whole, strict=True):
        known.append(SeenCard(pose, card, np.zeros(len(gallery.ids), np.float32), 1.0))
        odds[card] = -2
    view = plane.from_above(picture)
    bare = np.asarray(like_table(view), np.uint8)
    left = _left_over(view, bare, gallery.size_mm, known)
    if not left.any():
        return []
    near = laid_on(plane.to_px, np.array(hints).reshape(-1, 4, 2), gallery.size_mm)
    near[:, 2] %= np.pi
    peeler = Peeler(view, gallery, bare * np.uint8(DOUBTFUL), odds, left)
    proposals = np.concatenate(
        [
            near,
            poses_of_blobs(left, gallery.size_mm),
            poses_along(lines_mm(view, _widened(left, 6)), gallery.size_mm),
        ]
    )
    found = peeler.peel(proposals, tuple(known))
    # where borders of one colour meet no line is seen: what is still left lies as its neighbours do
    left = _without(left, found, gallery.size_mm)
    if left.any():
        lying = np.array([card.pose for card in (*known, *found)])
        around = lying[share_in(_widened(left, 10), lying, gallery.size_mm) > 0]
        beside = poses_beside(around, gallery.size_mm)
        beside = beside[share_in(left, beside, gallery.size_mm) >= MIN_VISIBLE]
        found += peeler.peel(beside, (*known, *found))
    return [(card, plane.pixels(corners_mm(card.pose[None], gallery.size_mm)[0])) for card in found]


def _without(left: Gray, cards: Sequence[SeenCard], size_mm: tuple[float, float]) -> Gray:
    """Take cards, with some room around them, out of a mask of the view; small rests go too."""
    rest = left.copy()
    for card in cards:
        outline = view_px(corners_mm(card.pose[None], (size_mm[0] + 4, size_mm[1] + 4)))[0]
        cv2.fillConvexPoly(rest, np.rint(outline).astype(np.int32), 0)
    return _large_parts(rest, MIN_LEFT * size_mm[0] * size_mm[1] * PX_PER_MM**2)


def _widened(mask: Gray, by_px: int) -> Gray:
    return np.asarray(cv2.dilate(mask, np.ones((2 * by_px + 1,) * 2, np.uint8)), np.uint8)


def _left_over(view: Picture, bare: Gray, size_mm: tuple[float, float], known: Sequence[SeenCard]) -> Gray:
    """Mask what lies on the table and is no known card and no marker.

    Parameters
    ----------
    bare : mask of the view, not 0 where the bare table seems to show.
    """
    left = np.asarray(bare == 0, np.uint8) * np.uint8(255)
    edge = round(MARGIN_MM * PX_PER_MM) + 2
    for side in (left, left[::-1], left.T, left.T[::-1]):
        side[:edge] = 0  # beside the photo there is nothing
    least_px = MIN_LEFT * size_mm[0] * size_mm[1] * PX_PER_MM**2
    left = _without(left, known, size_mm)
    if not left.any():
        return left  # looking for markers is dear
    x, y, width, height = cv2.boundingRect(_widened(left, _QUIET_PX))
    gray = np.asarray(cv2.cvtColor(view[y : y + height, x : x + width], cv2.COLOR_BGR2GRAY), np.uint8)
    markers = find_markers(gray)
    for corners in markers.values():
        quiet = (corners - corners.mean(axis=0)) * 1.6 + corners.mean(axis=0) + (x, y)
        cv2.fillConvexPoly(left, np.rint(quiet).astype(np.int32), 0)
    return _large_parts(left, least_px) if markers else left


def _large_parts(mask: Gray, least_px: float) -> Gray:
    """Return the mask's parts that are larger than an area, without single pixels of grain."""
    opened = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    if cv2.countNonZero(opened) <= least_px:
        return np.zeros_like(opened)
    x, y, width, height = cv2.boundingRect(opened)
    inner = opened[y : y + height, x : x + width]
    _, parts, stats, _ = cv2.connectedComponentsWithStats(inner, connectivity=8, ltype=cv2.CV_16U)
    large = np.where(stats[:, cv2.CC_STAT_AREA] > least_px, 255, 0).astype(np.uint8)
    large[0] = 0  # the ground
    inner[:] = large[parts]
    return opened


def seen_table(to_px: NDArray[np.float64], picture: Picture) -> TablePlane | None:
    """Return a plane with its origin and size so that it holds what the picture shows; None where it cannot.

    Parameters
    ----------
    to_px : shape (3, 3), from millimetres to pixels, as `vision.card_plane` finds it.
    """
    height, width = picture.shape[:2]
    middle = np.array([[[width / 2, height / 2], [width / 2 + 1, height / 2]]])
    start, right = cv2.perspectiveTransform(middle, np.linalg.inv(to_px))[0]
    (x, y), length = right - start, float(np.linalg.norm(right - start))
    # turned as the picture is, it holds least of what the picture does not show
    to_px = to_px @ np.array([[x / length, -y / length, 0], [y / length, x / length, 0], [0, 0, 1]])
    edge = np.array([[[0, 0], [width, 0], [width, height], [0, height]]], np.float64)
    corners = cv2.perspectiveTransform(edge, np.linalg.inv(to_px))[0]
    low, high = corners.min(axis=0), corners.max(axis=0)
    if not np.isfinite(corners).all() or (high - low).max() > MAX_SIDE_MM:
        return None
    shift = np.array([[1, 0, low[0]], [0, 1, low[1]], [0, 0, 1]])
    return TablePlane((float(high[0] - low[0]), float(high[1] - low[1])), to_px @ shift)
