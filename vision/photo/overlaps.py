"""Read the cards of a photo that others cover: the whole ones give the table's plane, then it is peeled."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.decks.deck import Picture
from vision.frames.frame import Gray
from vision.hanafuda.bare_table import DOUBTFUL, LIKE_TABLE, largest_channel, like_table
from vision.hanafuda.candidates import (
    lines_mm,
    poses_along,
    poses_beside,
    poses_of_blobs,
    poses_turned,
    sides_mm,
)
from vision.hanafuda.finder import MIN_LEFT, WITH_SHADOW
from vision.hanafuda.fitting.card_plane import laid_on, mapped
from vision.hanafuda.gallery import CardGallery
from vision.hanafuda.peeling import Peeler
from vision.hanafuda.pose import Poses, corners_mm, fanned, share_in
from vision.hanafuda.seen_card import MIN_VISIBLE, SeenCard
from vision.plane.printed_table import MARKER_MM
from vision.plane.table_plane import (
    MARGIN_MM,
    PX_PER_MM,
    VIEW_TO_MM,
    TablePlane,
    find_markers,
    view_px,
)

Corners = NDArray[np.float64]

_MARKERS_MM: Final = (0.85 * MARKER_MM, 1.6 * MARKER_MM)
"""Least and largest side of a piece that may be a marker, with or without the white around it."""
_PATCH_PX: Final = round(1.4 * MARKER_MM * PX_PER_MM)
"""Side of the picture in which a marker is searched for: some of its white, nothing of its surroundings."""


def covered_cards(
    picture: Picture,
    gallery: CardGallery,
    plane: TablePlane,
    table: Picture,
    whole: Sequence[tuple[Corners, int]],
    *,
    hints: Sequence[Corners] = (),
    markers: Sequence[Corners] = (),
) -> list[tuple[SeenCard, Corners]]:
    """Return the cards that are only partly visible, with their corners in the photo, px.

    `table`: the picture, in any size, as it would look without anything on the table. `whole`: outline and
    card of those that are fully visible. `hints`: further outlines, near which a card may lie. `markers`:
    outlines of things that are known not to be cards.
    """
    known = []
    odds = np.zeros(len(gallery.ids), np.float32)
    poses = laid_on(plane.to_px, np.array([quad for quad, _ in whole]).reshape(-1, 4, 2), gallery.size_mm)
    for pose, (_, card) in zip(poses, whole, strict=True):
        known.append(SeenCard(pose, card, np.zeros(len(gallery.ids), np.float32), 1.0))
        odds[card] = -2
    view = plane.from_above(picture)
    bare = np.asarray(like_table(view, _from_above(plane, table, picture)), np.uint8)
    left = _left_over(plane, bare, gallery.size_mm, known, markers)
    if not left.any():
        return []
    near = laid_on(plane.to_px, np.array(hints).reshape(-1, 4, 2), gallery.size_mm)
    near[:, 2] %= np.pi
    near = np.concatenate([near, poses_of_blobs(left, gallery.size_mm)])
    peeler = Peeler(view, gallery, bare * np.uint8(DOUBTFUL), odds, left, drawn=False)

    def likely(proposals: Poses) -> Poses:
        min_there = 0.1  # least share of a covered card's place that must be unexplained
        return proposals[share_in(left, proposals, gallery.size_mm) >= min_there]

    # cards of a fan mostly lie parallel to the one on top: then no line has to be followed
    beside = fanned(list(_around(left, poses, gallery.size_mm)), gallery.size_mm)
    beside = np.concatenate([beside, poses_along(sides_mm(left), gallery.size_mm)])
    found = peeler.peel(likely(np.concatenate([near, beside])), tuple(known), clear=True)
    left = _without(left, found, gallery.size_mm)
    if not left.any():
        return _outlined(found, plane, gallery.size_mm)
    along = poses_along(lines_mm(view, _widened(left, 6), picture), gallery.size_mm)
    found += peeler.peel(likely(np.concatenate([near, along])), (*known, *found))
    # borders of one colour meet without a visible line: what is still left lies parallel to its neighbours,
    # or is fanned out below them
    left = _without(left, found, gallery.size_mm)
    while left.any():
        around = _around(left, np.array([card.pose for card in (*known, *found)]), gallery.size_mm)
        beside = np.concatenate(
            [poses_beside(around, gallery.size_mm), poses_turned(around, gallery.size_mm)]
        )
        beside = beside[share_in(left, beside, gallery.size_mm) >= MIN_VISIBLE]
        new = peeler.peel(beside, (*known, *found))
        if not new:
            break
        found += new
        left = _without(left, new, gallery.size_mm)
    return _outlined(found, plane, gallery.size_mm)


def _around(left: Gray, poses: Poses, size_mm: tuple[float, float]) -> Poses:
    """Return the poses of cards beside which something lies."""
    beside_px = 10  # how near to a card, in pixels of the view, another one below it must show
    return poses[share_in(_widened(left, beside_px), poses, size_mm) > 0]


def _outlined(
    found: Sequence[SeenCard], plane: TablePlane, size_mm: tuple[float, float]
) -> list[tuple[SeenCard, Corners]]:
    return [(card, plane.pixels(corners_mm(card.pose[None], size_mm)[0])) for card in found]


def _from_above(plane: TablePlane, small: Picture, picture: Picture) -> Picture:
    """Return a smaller copy of a picture as `TablePlane.from_above` returns the picture."""
    scale = np.diag([small.shape[1] / picture.shape[1], small.shape[0] / picture.shape[0], 1.0])
    scale[:2, 2] = 0.5 * np.diag(scale)[:2] - 0.5
    width, height = plane.view_size_px
    # The bare table's colours change slowly, so only every 8th pixel of the view is computed.
    coarse_px = 8
    few = np.diag([coarse_px, coarse_px, 1.0])
    few[:2, 2] = 0.5 * coarse_px - 0.5
    seen = cv2.warpPerspective(
        small,
        scale @ plane.to_px @ VIEW_TO_MM @ few,
        (-(-width // coarse_px), -(-height // coarse_px)),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    wide = cv2.resize(seen, None, fx=coarse_px, fy=coarse_px, interpolation=cv2.INTER_LINEAR)
    return np.asarray(wide[:height, :width], np.uint8)


def _without(left: Gray, cards: Sequence[SeenCard], size_mm: tuple[float, float]) -> Gray:
    """Remove cards, with some margin, and small remains from a mask of the view."""
    rest = left.copy()
    for card in cards:
        outline = view_px(corners_mm(card.pose[None], (size_mm[0] + 4, size_mm[1] + 4)))[0]
        cv2.fillConvexPoly(rest, np.rint(outline).astype(np.int32), 0)
    return _large_parts(rest, MIN_LEFT * size_mm[0] * size_mm[1] * PX_PER_MM**2)


def _widened(mask: Gray, by_px: int) -> Gray:
    return np.asarray(cv2.dilate(mask, np.ones((2 * by_px + 1,) * 2, np.uint8)), np.uint8)


def _left_over(
    plane: TablePlane,
    bare: Gray,
    size_mm: tuple[float, float],
    known: Sequence[SeenCard],
    markers: Sequence[Corners],
) -> Gray:
    """Mask everything on the table that is no known card and no marker.

    `bare`: mask of the view, nonzero where the bare table seems to show. `markers`: their outlines in the
    photo, px.
    """
    left = np.asarray(bare == 0, np.uint8) * np.uint8(255)
    edge = round(MARGIN_MM * PX_PER_MM) + 2
    for side in (left, left[::-1], left.T, left.T[::-1]):
        side[:edge] = 0  # outside the photo there is nothing
    quiet_zone = 1.6  # factor by which a marker with the white around it is larger
    for corners in markers:
        outline = view_px(mapped(np.asarray(np.linalg.inv(plane.to_px), np.float64), corners))
        quiet = (outline - outline.mean(axis=0)) * quiet_zone + outline.mean(axis=0)
        cv2.fillConvexPoly(left, np.rint(quiet).astype(np.int32), 0)
    return _without(left, known, size_mm)


def _large_parts(mask: Gray, least_px: float) -> Gray:
    """Return the mask's parts that are larger than an area, without single pixels of grain.

    Parts separated only by a line of print count as one.
    """
    opened = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    if cv2.countNonZero(opened) <= least_px:
        return np.zeros_like(opened)
    x, y, width, height = cv2.boundingRect(opened)
    inner = opened[y : y + height, x : x + width]
    joined_px = 2  # parts closer than twice this, in pixels of the view, are one
    _, parts = cv2.connectedComponents(_widened(inner, joined_px), connectivity=8, ltype=cv2.CV_16U)
    parts[inner == 0] = 0
    large = np.where(np.bincount(parts.ravel()) > least_px, 255, 0).astype(np.uint8)
    large[0] = 0  # the ground
    inner[:] = large[parts]
    return opened


def seen_markers(picture: Picture, to_px: NDArray[np.float64], pieces: Sequence[Corners]) -> list[Corners]:
    """Return the outlines, px, of those pieces that are markers of a table's corners.

    `to_px`: shape (3, 3), homography from millimetres to pixels. `pieces`: hulls of things on the table,
    shape (P, 2) each, px.
    """
    from_px = np.asarray(np.linalg.inv(to_px), np.float64)
    found = []
    for piece in pieces:
        middle, sides, _ = cv2.minAreaRect(mapped(from_px, piece).astype(np.float32))
        if not _MARKERS_MM[0] < min(sides) <= max(sides) < _MARKERS_MM[1]:
            continue
        half = _PATCH_PX / 2
        to_mm = np.array(
            [[1, 0, middle[0] * PX_PER_MM - half], [0, 1, middle[1] * PX_PER_MM - half], [0, 0, PX_PER_MM]]
        )
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        patch = cv2.warpPerspective(picture, to_px @ to_mm, (_PATCH_PX, _PATCH_PX), flags=flags)
        gray = np.asarray(cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY), np.uint8)
        found += [mapped(to_px @ to_mm, corners) for corners in find_markers(gray, thoroughly=False).values()]
    return found


def rest_of_photo(picture: Picture, table: Picture, known: Sequence[Corners]) -> Corners:
    """Return coarse places, px, of things beside everything known; shape (N, 2).

    `table`: the picture, in any size, as it would look without anything on the table. `known`: outlines,
    shape (4, 2) each, px; at least one.
    """
    rough_times = 4  # the places are found in a picture this much smaller
    small = cv2.resize(picture, None, fx=1 / rough_times, fy=1 / rough_times, interpolation=cv2.INTER_AREA)
    wide = cv2.resize(table, (small.shape[1], small.shape[0]))
    quads = (np.stack(known) + 0.5) / rough_times - 0.5
    least_px = min(cv2.contourArea(quad.astype(np.float32)) for quad in quads)
    left = np.asarray(largest_channel(np.asarray(cv2.absdiff(small, wide), np.uint8)) >= LIKE_TABLE, np.uint8)
    middle = quads.mean(axis=1, keepdims=True)
    for quad in middle + (quads - middle) * WITH_SHADOW:
        cv2.fillConvexPoly(left, np.rint(quad).astype(np.int32), 0)
    _, parts = cv2.connectedComponents(left, connectivity=8, ltype=cv2.CV_16U)
    parts[left == 0] = 0
    large = np.bincount(parts.ravel()) > MIN_LEFT / 2 * least_px
    large[0] = False
    y, x = np.nonzero(large[parts])
    return np.asarray((np.column_stack([x, y]) + 0.5) * rough_times - 0.5, np.float64)


def seen_table(
    to_px: NDArray[np.float64], picture: Picture, places: Corners, size_mm: tuple[float, float]
) -> TablePlane | None:
    """Return a plane with origin and size such that it contains some places; None if that is impossible.

    `to_px`: shape (3, 3), homography from millimetres to pixels, see `vision.hanafuda.fitting.card_plane`.
    `places`: shape (N, 2), px; at least one. `size_mm`: a card's; this much is added on all sides, as far as
    the picture shows it.
    """
    height, width = picture.shape[:2]
    middle = np.array([[[width / 2, height / 2], [width / 2 + 1, height / 2]]])
    start, right = cv2.perspectiveTransform(middle, np.linalg.inv(to_px))[0]
    (x, y), length = right - start, float(np.linalg.norm(right - start))
    # aligned with the picture, it contains the least area outside the picture
    to_px = to_px @ np.array([[x / length, -y / length, 0], [y / length, x / length, 0], [0, 0, 1]])
    from_px = np.asarray(np.linalg.inv(to_px), np.float64)
    corners = mapped(from_px, np.array([[0.0, 0], [width, 0], [width, height], [0, height]]))
    low, high = corners.min(axis=0), corners.max(axis=0)
    # No photo shows more of a table than this, or its far end is too small to read.
    max_side_mm = 1600.0
    if not np.isfinite(corners).all() or (high - low).max() > max_side_mm:
        return None
    lying = mapped(from_px, places)
    low = np.maximum(low, lying.min(axis=0) - max(size_mm))
    high = np.minimum(high, lying.max(axis=0) + max(size_mm))
    shift = np.array([[1, 0, low[0]], [0, 1, low[1]], [0, 0, 1]])
    return TablePlane((float(high[0] - low[0]), float(high[1] - low[1])), to_px @ shift)
