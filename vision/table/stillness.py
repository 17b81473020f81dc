"""Tell when a table rests: nothing moves, and no arm reaches in over the picture's edge."""

from __future__ import annotations

from collections import deque
from collections.abc import Set
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames.frame import Frame, Gray

MOVED: Final = 7
"""Gray levels by which a small pixel changes when something moves there; noise makes less than 2."""
LOOK_BACK_NS: Final = 100_000_000
"""Interval between compared pictures, so that slow hands move visibly at any frame rate."""
SIDES: Final = ("top", "bottom", "left", "right")


class TableStillness:
    """Watches frames for movement and arms; feed it every frame.

    `arms`: sides of the picture over which something reaches in now. `still_since_ns`: since when nothing has
    moved; None while something moves.
    """

    def __init__(self) -> None:
        self.arms: frozenset[str] = frozenset()
        self.still_since_ns: int | None = None
        self._recent: deque[tuple[int, Gray]] = deque()
        self._edge: NDArray[np.float32] | None = None
        # by place of the edge: what came to rest over it, NaN for nothing, and for how long it was seen bare
        self._laid = self._bare_ns = self._moved_edge_ns = np.zeros(0)
        self._has_rested = False
        self._moved_ns: NDArray[np.int64] | None = None

    @property
    def small(self) -> Gray:
        """The latest frame's small picture, 160 pixels wide; there must have been one."""
        return self._recent[-1][1]

    def quiet(self, since_ns: int | NDArray[np.int64]) -> NDArray[np.bool_]:
        """Tell where in the small picture nothing has moved since an instant, or since each pixel's own."""
        assert self._moved_ns is not None
        return np.asarray(self._moved_ns <= since_ns, bool)

    def moved_ns(self, x: float, y: float) -> int:
        """Return when something last moved near a point of the small picture; the first frame counts."""
        assert self._moved_ns is not None
        height, width = self._moved_ns.shape
        column, row = min(max(round(x), 1), width - 2), min(max(round(y), 1), height - 2)
        return int(self._moved_ns[row - 1 : row + 2, column - 1 : column + 2].max())

    def forget_edge(self) -> None:
        """Take the picture's rim anew: the camera was moved, and what is there now is no arm."""
        self._edge, self._has_rested = None, False

    def feed(self, frame: Frame) -> None:
        small = _small(frame.gray)
        self._recent.append((frame.t_ns, small))
        while len(self._recent) > 2 and self._recent[1][0] <= frame.t_ns - LOOK_BACK_NS:
            self._recent.popleft()
        # a lamp's flicker brightens the whole picture equally and is not motion
        before = self._recent[0][1]
        change = small.astype(np.int16) - before
        change -= np.int16(np.median(change[::4, ::4]))
        moved = np.abs(change) > MOVED
        if self._moved_ns is None:
            self._moved_ns = np.full(small.shape, frame.t_ns, np.int64)
        self._moved_ns[moved] = frame.t_ns
        min_moved_px = 3
        moving = int(np.count_nonzero(moved)) >= min_moved_px
        if moving:
            self.still_since_ns = None
        elif self.still_since_ns is None:
            self.still_since_ns = frame.t_ns
        step_ns = frame.t_ns - (self._recent[-2][0] if len(self._recent) > 1 else frame.t_ns)
        self._look_at_edge(frame.t_ns, step_ns, small, _edge(moved) > 0)

    def _look_at_edge(self, t_ns: int, step_ns: int, small: Gray, moved: NDArray[np.bool_]) -> None:
        edge = _edge(small).astype(np.float32)
        rested_ns = 0 if self.still_since_ns is None else t_ns - self.still_since_ns
        # Until the table has rested this long, an arm present from the first picture may be taken for the
        # edge.
        first_rest_ns = 400_000_000
        if self._edge is None or (not self._has_rested and rested_ns >= first_rest_ns):
            self._edge = edge.copy()
            self._laid, self._bare_ns = np.full_like(edge, np.nan), np.zeros(len(edge))
            self._moved_edge_ns = np.full(len(edge), float(t_ns))
        self._has_rested |= rested_ns >= first_rest_ns
        self._moved_edge_ns[moved] = t_ns
        edge -= np.median(edge - self._edge)
        arm_gray = 16  # gray levels by which an arm differs from the table's edge
        is_bare = np.abs(edge - self._edge) <= arm_gray
        self._bare_ns += np.where(is_bare, step_ns, 0)
        # What came to rest at the edge this long ago, as the whole table did, is no working arm but a change
        # of light, or a sleeve laid down.
        settle_ns = 3_000_000_000
        self._laid = np.where(is_bare, np.nan, edge if rested_ns > settle_ns else self._laid)
        # What lies there for so long as others go on playing, and longer than what was taken for the edge, is
        # the edge itself: an arm may have lain there before.
        stays = ~is_bare & (t_ns - self._moved_edge_ns > np.maximum(self._bare_ns, 12_000_000_000))
        self._edge, self._bare_ns = np.where(stays, edge, self._edge), np.where(stays, 0, self._bare_ns)
        # the edge follows slow changes of light everywhere but under arms
        self._edge += np.where(is_bare, np.float32(0.05), np.float32(0)) * (edge - self._edge)
        reaching = ~is_bare & ~(np.abs(edge - self._laid) <= arm_gray)
        height, width = small.shape
        parts = np.split(reaching, np.cumsum([width, width, height]))
        min_arm_px = 4
        self.arms = frozenset(
            side for side, part in zip(SIDES, parts, strict=True) if np.count_nonzero(part) >= min_arm_px
        )


def _small(gray: Gray) -> Gray:
    width_px = 160  # width of the small picture that is compared from frame to frame: an eighth of 720p
    height = round(width_px * gray.shape[0] / gray.shape[1])
    return np.asarray(cv2.resize(gray, (width_px, height), interpolation=cv2.INTER_AREA), np.uint8)


def _edge(small: Gray) -> NDArray[np.float64]:
    """Return the picture's rim: top, bottom, left and right, concatenated."""
    edge_px = 2
    return np.concatenate(
        [
            small[:edge_px].mean(axis=0),
            small[-edge_px:].mean(axis=0),
            small[:, :edge_px].mean(axis=1),
            small[:, -edge_px:].mean(axis=1),
        ]
    )


SHORTEST_NS: Final = 200_000_000
"""Least time from the table's rim to laying a card down: an arm that came later laid nothing."""


@dataclass(slots=True)
class _Reach:
    """An arm over the table: its side, when it came, and when it was last seen, nanoseconds."""

    side: str
    came_ns: int
    last_ns: int


class Reaches:
    """Remembers which arms reach in; see `at`."""

    def __init__(self) -> None:
        self._reaches: list[_Reach] = []
        self._now: dict[str, _Reach] = {}

    def feed(self, t_ns: int, sides: Set[str]) -> None:
        """Note the sides of the picture from which arms reach in at an instant."""
        self._now = {side: reach for side, reach in self._now.items() if side in sides}
        for side in sorted(sides - self._now.keys()):
            self._now[side] = _Reach(side, t_ns, t_ns)
            self._reaches.append(self._now[side])
        for reach in self._now.values():
            reach.last_ns = t_ns

    def clear(self) -> None:
        """Forget the arms, since the table has been at rest."""
        self._reaches.clear()
        self._now.clear()

    def at(self, t_ns: int) -> tuple[int | None, frozenset[str]]:
        """Return when the arm came that may have laid a card at an instant, and the sides of all such arms.

        If several players' arms may have, the earliest counts. If no arm was there, the card moved before,
        and the arm that came last is returned; None if there never was one.
        """
        # frames are compared with earlier ones, so a hand that has left still seems to move
        left_ns = t_ns - LOOK_BACK_NS
        there = [reach for reach in self._reaches if reach.came_ns <= t_ns and reach.last_ns >= left_ns]
        there = [reach for reach in there if reach.came_ns <= t_ns - SHORTEST_NS] or there
        there = there or self._reaches[-1:]
        came_ns = min((reach.came_ns for reach in there), default=None)
        return came_ns, frozenset(reach.side for reach in there)
