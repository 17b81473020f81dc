"""Places at which cards may lie, what is known of each so far, and where more cards are to be expected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.hanafuda.gallery import Floats
from vision.hanafuda.pose import Poses, same_places

Mask = NDArray[np.bool_]

SCREEN: Final = 0.15
"""Likeness, less the print's monotony requirement, below which a proposal is dropped: a pose that is 3 mm off
costs a detailed print half of its likeness."""
WHOLE: Final = 0.8  # visible share of a card that lies on top


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
        on_top = np.where(there, fit >= holds_likeness, self.visible.mean(axis=1) > WHOLE)
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
