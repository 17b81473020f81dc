"""A card's pose on the table, its centre and direction; and cutting its picture out of the view."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.decks.deck import Picture
from vision.frames.frame import Gray
from vision.hanafuda.gallery import ALMOST_WHOLE, COARSE, Floats
from vision.plane.table_plane import MARGIN_MM, PX_PER_MM

SAME_MM: Final = 6.0  # two readings of one card's place differ by less
Poses = NDArray[np.float64]
"""Shape (N, 3): x and y of the card's centre in table millimetres, and the angle in radians by which the card
is turned clockwise from upright."""


def corners_mm(poses: Poses, size_mm: tuple[float, float]) -> NDArray[np.float64]:
    """Return the corners of cards, shape (N, 4, 2), clockwise from each card's own upper left."""
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(size_mm) / 2
    return on_table(poses, square)


def on_table(poses: Poses, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the places on the table of points of the card, (P, 2) from its centre; shape (N, P, 2)."""
    cos, sin = np.cos(poses[:, 2])[:, None], np.sin(poses[:, 2])[:, None]
    x, y = points_mm[:, 0], points_mm[:, 1]
    turned = np.stack([cos * x - sin * y, sin * x + cos * y], axis=2)
    return np.asarray(turned + poses[:, None, :2], np.float64)


@cache
def cell_centres_mm(grid: tuple[int, int], size_mm: tuple[float, float]) -> NDArray[np.float64]:
    """Return the centres of a card's cells, shape (cells, 2), row by row, from the card's centre."""
    x = ((np.arange(grid[0]) + 0.5) / grid[0] - 0.5) * size_mm[0]
    y = ((np.arange(grid[1]) + 0.5) / grid[1] - 0.5) * size_mm[1]
    return np.stack(np.meshgrid(x, y), axis=2).reshape(-1, 2)


def cut(
    view: Picture, poses: Poses, grid: tuple[int, int], size_mm: tuple[float, float], scale: float = 1.0
) -> Floats:
    """Cut cards out of the view from above.

    Returns: shape (N, cells, 3), gray levels minus 128.

    `view`: the table from above, averaged beforehand over about a cell. `poses`: shape (N, 3). `scale`:
    pixels of `view` per pixel of the full view.
    """
    unit = PX_PER_MM * scale
    start = (MARGIN_MM * PX_PER_MM + 0.5) * scale - 0.5
    places_x, places_y = cell_places(poses, grid, size_mm, unit, start)
    seen = _looked_up(view, places_x, places_y, cv2.INTER_LINEAR)
    return np.subtract(seen, np.float32(128), dtype=np.float32)


def _looked_up(picture: NDArray[np.uint8], x: Floats, y: Floats, method: int) -> NDArray[np.uint8]:
    """Return a picture's values at places of shape (N, cells); outside it those of its nearest edge."""
    most_rows = 30_000  # crops to cut at once: OpenCV takes at most 32767 rows in one picture
    parts = [
        cv2.remap(
            picture,
            x[first : first + most_rows],
            y[first : first + most_rows],
            method,
            borderMode=cv2.BORDER_REPLICATE,
        )
        for first in range(0, len(x), most_rows)
    ]
    if not parts:
        return np.zeros((*x.shape, *picture.shape[2:]), np.uint8)
    return np.asarray(parts[0] if len(parts) == 1 else np.concatenate(parts), np.uint8)


def share_in(
    mask: Gray, poses: Poses, size_mm: tuple[float, float], visible: NDArray[np.bool_] | None = None
) -> NDArray[np.float64]:
    """Return the share of each card that lies in a mask of the view; shape (N,).

    `mask`: shape (height, width): 255 inside, 0 outside, in between for places that count less. `poses`:
    shape (N, 3). `visible`: shape (N, cells of the coarse grid), the cells of each card that count; by
    default all.
    """
    x, y = cell_places(poses, COARSE, size_mm, PX_PER_MM, MARGIN_MM * PX_PER_MM)
    looked_up = _looked_up(mask, x, y, cv2.INTER_NEAREST)
    if visible is None:
        return np.asarray(looked_up.mean(axis=1) / 255, np.float64)
    seen = np.maximum(np.count_nonzero(visible, axis=1), 1)
    return np.asarray((looked_up * visible).sum(axis=1) / seen / 255, np.float64)


def cell_places(
    poses: Poses, grid: tuple[int, int], size_mm: tuple[float, float], unit: float = 1.0, start: float = 0.0
) -> tuple[Floats, Floats]:
    """Return x and y of cards' cells, shape (N, cells) each, in `unit` per millimetre.

    `start`: position of the table's origin, in the same unit.
    """
    cos, sin = np.cos(poses[:, 2]) * unit, np.sin(poses[:, 2]) * unit
    x, y = (poses[:, :2] * unit + start).T
    cells = _cells(grid, size_mm)
    # as matrix products, since many poses with many cells each are evaluated
    return (
        np.stack([cos, -sin, x], axis=1).astype(np.float32) @ cells,
        np.stack([sin, cos, y], axis=1).astype(np.float32) @ cells,
    )


@cache
def _cells(grid: tuple[int, int], size_mm: tuple[float, float]) -> Floats:
    centres = cell_centres_mm(grid, size_mm)
    return np.vstack([centres.T, np.ones(len(centres))]).astype(np.float32)


def uncovered(
    poses: Poses, over: Poses, grid: tuple[int, int], size_mm: tuple[float, float]
) -> NDArray[np.bool_]:
    """Tell which cells of cards no other card covers, not even partly; shape (N, cells).

    `poses`: shape (N, 3). `over`: shape (M, 3), the cards that lie over them.
    """
    open_to_sight = np.ones((len(poses), grid[0] * grid[1]), bool)
    apart = poses[:, None, :2] - over[:, :2]
    which, cards = np.nonzero(np.square(apart).sum(axis=2) < size_mm[0] ** 2 + size_mm[1] ** 2)
    if not len(which):
        return open_to_sight
    # relative to each covering card's centre and direction
    cos, sin = np.cos(over[cards, 2]), np.sin(over[cards, 2])
    (x, y), turn = apart[which, cards].T, poses[which, 2] - over[cards, 2]
    seen_from = np.column_stack([cos * x + sin * y, cos * y - sin * x, turn])
    away_x, away_y = cell_places(seen_from, grid, size_mm)
    slack = size_mm[0] / grid[0] / 2
    beside = (np.abs(away_x) > size_mm[0] / 2 + slack) | (np.abs(away_y) > size_mm[1] / 2 + slack)
    first = np.flatnonzero(np.diff(which, prepend=-1))
    open_to_sight[which[first]] = np.logical_and.reduceat(beside, first, axis=0)
    return open_to_sight


def around(poses: Poses, aside_mm: float) -> NDArray[np.float64]:
    """Return poses shifted a little to all eight sides; shape (N, 8, 3)."""
    cos, sin = np.cos(poses[:, 2:]), np.sin(poses[:, 2:])
    x, y = aside_mm * np.array([(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]).T
    turn = np.repeat(poses[:, 2:], len(x), axis=1)
    return np.stack([poses[:, :1] + cos * x - sin * y, poses[:, 1:2] + sin * x + cos * y, turn], axis=2)


def same_places(poses: Poses, places: Poses) -> NDArray[np.bool_]:
    """Tell which poses are at which places, with either end up; shape (N, M)."""
    away_mm = np.linalg.norm(poses[:, None, :2] - places[:, :2], axis=2)
    turn = np.abs(poses[:, None, 2] - places[:, 2]) % np.pi
    same_rad = 0.3  # two cards cannot lie within this of one another and both be visible
    return np.asarray((away_mm < SAME_MM) & (np.minimum(turn, np.pi - turn) < same_rad))


Mask = NDArray[np.bool_]

SCREEN: Final = 0.15
"""Likeness, less the print's monotony requirement, below which a proposal is dropped: a pose that is 3 mm off
costs a detailed print half of its likeness."""


@dataclass(slots=True, eq=False)
class Proposals:
    """Poses at which cards may lie, with what is known of each so far: arrays of equal length."""

    poses: Poses
    bare: NDArray[np.float64]
    crops: Floats
    visible: Mask
    surplus: Floats
    best: NDArray[np.intp]
    changed: Mask

    @classmethod
    def none(cls, grid: tuple[int, int]) -> Proposals:
        """Return no proposals; `grid` holds the cells of their crops."""
        cells = grid[0] * grid[1]
        return cls(
            np.zeros((0, 3)),
            np.zeros(0),
            np.zeros((0, cells, 3), np.float32),
            np.zeros((0, cells), bool),
            np.zeros(0, np.float32),
            np.zeros(0, np.intp),
            np.zeros(0, bool),
        )

    def add(self, poses: Poses, bare: NDArray[np.float64], crops: Floats, visible: Mask) -> None:
        """Add proposals that nobody has examined yet."""
        count = len(poses)
        self.poses = np.concatenate([self.poses, poses])
        self.bare = np.concatenate([self.bare, bare])
        self.crops = np.concatenate([self.crops, crops])
        self.visible = np.concatenate([self.visible, visible])
        self.surplus = np.concatenate([self.surplus, np.full(count, -1, np.float32)])
        self.best = np.concatenate([self.best, np.zeros(count, np.intp)])
        self.changed = np.concatenate([self.changed, np.ones(count, bool)])

    def keep(self, which: Mask) -> None:
        if which.all():
            return
        self.poses, self.bare = self.poses[which], self.bare[which]
        self.crops, self.visible = self.crops[which], self.visible[which]
        self.surplus, self.best = self.surplus[which], self.best[which]
        self.changed = self.changed[which]

    def tiers(self, first: Poses, handicap: Floats, *, clear: bool) -> Iterator[tuple[Floats, float]]:
        """Yield each proposal's value, -1 for those that wait, and the least value accepted, tier by tier.

        First come fully visible places, and cards in their former places even if partly covered now: as long
        as these are not found, their visible part may look like a strip of another card. Then come strips
        that look very much like their card, and last all others.

        `first`: shape (L, 3), places of cards that are most likely still there. `handicap`: shape (2 K,),
        additional likeness that each card needs.
        """
        there = same_places(self.poses, first).any(axis=1)
        fit = self.surplus + handicap[self.best]
        holds_likeness = 0.8  # coarse likeness from which a card still lies in its former place
        on_top = np.where(there, fit >= holds_likeness, self.visible.mean(axis=1) > ALMOST_WHOLE)
        wait = np.float32(-1)
        # Likeness, less the print's monotony requirement, of a clear case: most places of covered cards had
        # 0.48 and more, few other places did.
        clear_likeness = 0.42
        yield np.where(on_top, self.surplus, wait), clear_likeness
        striking_likeness = 0.88  # coarse likeness from which a strip is examined before others
        yield np.where(fit >= striking_likeness, self.surplus, wait), clear_likeness
        yield self.surplus, clear_likeness
        if not clear:
            yield self.surplus, SCREEN


def fanned(found: Sequence[NDArray[np.float64]], size_mm: tuple[float, float]) -> Poses:
    """Return the poses of cards fanned out below known cards, along either of their sides.

    Of a card in a fan hardly more than a strip of border is seen, which need not give a line.
    """
    poses = [np.zeros((0, 3))]
    # Step between the places at which fanned cards are searched for.
    fan_step_mm = 4.0
    most_apart = 0.9  # of a card's side, the largest distance between fanned cards
    for pose in found:
        cos, sin = np.cos(pose[2]), np.sin(pose[2])
        for axis, side_mm in (((cos, sin), size_mm[0]), ((-sin, cos), size_mm[1])):
            steps = np.arange(fan_step_mm, most_apart * side_mm, fan_step_mm)
            away = np.concatenate([steps, -steps])[:, None]
            poses.append(np.column_stack([pose[:2] + away * axis, np.full(len(away), pose[2])]))
    return np.concatenate(poses)


def distinct_places(
    proposals: Poses, surplus: Floats, promise: NDArray[np.floating[Any]], screen: float = SCREEN
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the most promising proposals, one for each place, and all that one of them represents."""
    chosen: list[int] = []
    spoken_for: list[NDArray[np.intp]] = [np.zeros(0, np.intp)]
    left = np.flatnonzero(surplus >= screen)
    left = left[np.argsort(-promise[left], kind="stable")]
    poses = proposals[left]
    at_once = 40  # places examined closely in one round
    while len(chosen) < at_once and len(left):
        chosen.append(int(left[0]))
        same = _near(poses, poses[0])
        spoken_for.append(left[same])
        left, poses = left[~same], poses[~same]
    return np.array(chosen, np.intp), np.concatenate(spoken_for)


def _near(proposals: Poses, other: Poses) -> Mask:
    """Tell which proposals lie at nearly the same place as another one."""
    away = np.abs(proposals - other)
    turned = np.minimum(away[:, 2], np.pi - away[:, 2])
    return np.asarray((away[:, 0] < 3) & (away[:, 1] < 3) & (turned < 0.15), bool)


def touching(proposals: Poses, cards: Sequence[NDArray[np.float64]], size_mm: tuple[float, float]) -> Mask:
    """Tell which proposals may be covered by a card at one of the poses `cards`."""
    if not cards:
        return np.zeros(len(proposals), bool)
    middles = np.array([pose[:2] for pose in cards])
    away = np.linalg.norm(proposals[:, None, :2] - middles, axis=2).min(axis=1)
    return np.asarray(away < np.hypot(*size_mm), bool)
