"""Tell when a table rests: nothing moves, and no arm reaches in over the picture's edge."""

from collections import Counter, deque
from collections.abc import Iterator, Set
from dataclasses import dataclass
from enum import StrEnum
from statistics import median_low
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.field.picture_quality import PAPER, edge_blur_px
from vision.field.stillness import LAG_NS
from vision.frames.frame import LACKING_STEPS, Frame, Gray
from vision.frames.light_meter import LightMeter
from vision.plane.table_plane import TablePlane

MOVED: Final = 7
"""Gray levels by which a small pixel changes when something moves there; noise makes less than 2."""
QUIET_NS: Final = 120_000_000
"""How long nothing may have moved in a place before it is examined while arms move elsewhere."""
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
        while len(self._recent) > 2 and self._recent[1][0] <= frame.t_ns - LAG_NS:
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
        left_ns = t_ns - LAG_NS
        there = [reach for reach in self._reaches if reach.came_ns <= t_ns and reach.last_ns >= left_ns]
        there = [reach for reach in there if reach.came_ns <= t_ns - SHORTEST_NS] or there
        there = there or self._reaches[-1:]
        came_ns = min((reach.came_ns for reach in there), default=None)
        return came_ns, frozenset(reach.side for reach in there)


class TableHoles:
    """Feed it every frame after the stillness; see `feed`."""

    def __init__(self) -> None:
        self._last_ns: int | None = None
        self._rested = False
        pace_pictures = 31  # pictures whose median step is the film's usual one: about a second
        self._paces_ns: deque[int] = deque(maxlen=pace_pictures)
        self._shown: NDArray[np.uint8] | None = None
        self._blocked_ns: int | None = None
        self._plane: TablePlane | None = None
        self._mask: NDArray[np.bool_] | None = None

    def remember(self, small: NDArray[np.uint8]) -> None:
        """Remember a picture of the table as it was just read."""
        self._shown = small.copy()

    def feed(
        self, t_ns: int, stillness: TableStillness, plane: TablePlane | None, width_px: int
    ) -> tuple[int, int] | None:
        """Return the stretch that ends with this frame and in which cards may have moved unseen, or None.

        If the table rests after lost pictures just as it rested before, it was not touched: two equal
        pictures enclose the stretch. What lies still for less than `QUIET_NS` is not examined anyway.

        `t_ns`: instant of the frame. `stillness`: has seen the frame. `plane`: the table's plane, None while
        unknown. `width_px`: width of the frames.
        """
        last_ns, self._last_ns = self._last_ns, t_ns
        rested, self._rested = self._rested, stillness.still_since_ns is not None and not stillness.arms
        if last_ns is None:
            return None
        usual_ns = median_low(self._paces_ns) if self._paces_ns else t_ns - last_ns
        self._paces_ns.append(t_ns - last_ns)
        blocked = self._unblocked(t_ns, last_ns, stillness, plane, width_px)
        if blocked is not None:
            return blocked
        is_hole = t_ns - last_ns > max(QUIET_NS, LACKING_STEPS * usual_ns)
        return (last_ns, t_ns) if is_hole and not (rested and self._rested) else None

    def _unblocked(
        self, t_ns: int, last_ns: int, stillness: TableStillness, plane: TablePlane | None, width_px: int
    ) -> tuple[int, int] | None:
        """Return the start and end of a blocked view that has just become free, else None."""
        if self._rested or not self._is_blocked(stillness, plane, width_px):
            since_ns, self._blocked_ns = self._blocked_ns, None
            return None if since_ns is None or t_ns - since_ns <= QUIET_NS else (since_ns, t_ns)
        if self._blocked_ns is None:
            self._blocked_ns = last_ns
        return None

    def _is_blocked(self, stillness: TableStillness, plane: TablePlane | None, width_px: int) -> bool:
        small = stillness.small
        if plane is None or self._shown is None or self._shown.shape != small.shape:
            return False
        if self._mask is None or self._plane is not plane:
            filled = np.zeros(small.shape, np.uint8)
            outline = plane.corners_px * small.shape[1] / width_px
            cv2.fillConvexPoly(filled, np.rint(outline).astype(np.int32), 255)
            self._plane, self._mask = plane, filled > 0
        now, shown = small[self._mask].astype(np.float32), self._shown[self._mask].astype(np.float32)
        # Share of the table's area that must differ for the view to count as blocked, if its correlation with
        # the last reading is low as well. The arms of four players who reach in at once cover less (four
        # times 75 mm by 300 mm of a table of 800 mm by 560 mm are a fifth).
        blocked_share = 0.5
        if np.count_nonzero(np.abs(now - shown) > MOVED) <= blocked_share * len(now):
            return False
        # a switched lamp, or a camera that corrects its exposure, leaves the picture's structure unchanged
        spread = float(now.std() * shown.std())
        alike = float(((now - now.mean()) * (shown - shown.mean())).mean()) / spread if spread else 0.0
        return alike < blocked_share


class Unreadable:
    """Times in which nothing can be read, since the light is unsteady or the picture blurred; see `feed`.

    `since_ns`: since when; the first frame counts.
    """

    def __init__(self) -> None:
        self.is_on = False
        self.since_ns = 0
        self._last_ns: int | None = None

    def feed(self, t_ns: int, *, is_on: bool) -> tuple[int, int] | None:
        """Return a stretch in which nothing can be read, both as it begins and as it ends; else None.

        The beginning is told at once: what people say from then on does not concern the table as it lay.

        `is_on`: whether it cannot be read.
        """
        last_ns, self._last_ns = self._last_ns, t_ns
        if last_ns is None:
            self.since_ns = last_ns = t_ns
        if is_on == self.is_on:
            return None
        self.is_on = is_on
        from_ns = last_ns if is_on else self.since_ns
        self.since_ns = t_ns
        return from_ns, t_ns


_LOOK_NS: Final = 1_000_000_000
_LOOKS, _FEWEST_LOOKS = 8, 2
"""Number of latest looks that count, and how many of them must agree: a hunting lens is reported, too."""


class Lack(StrEnum):
    """What the pictures may lack."""

    FEW_PICTURES = "few_pictures"
    DARK = "dark"
    BLURRED = "blurred"
    UNSTEADY_LIGHT = "unsteady_light"
    REST = "rest"  # the table has not come to rest for long: somebody stands before the camera


class PictureChecks:
    """Looks at a table's pictures; `feed` belongs to the eye's thread."""

    def __init__(self) -> None:
        self._light = LightMeter()
        self._stillness = TableStillness()
        self._t_ns, self._rested_ns = 0, 0
        self._looks: deque[frozenset[Lack]] = deque(maxlen=_LOOKS)
        self._looked_ns: int | None = None
        self._compared_ns: int | None = None
        self._came = 0

    def feed(self, frame: Frame) -> None:
        self._light.feed(frame)
        self._came += 1
        self._t_ns = frame.t_ns
        if self._looked_ns is None:
            self._looked_ns, self._came, self._rested_ns = frame.t_ns, 0, frame.t_ns
        elif frame.t_ns - self._looked_ns >= _LOOK_NS:
            fps = self._came * 1e9 / (frame.t_ns - self._looked_ns)
            self._looks.append(frozenset(self._found(frame, fps)))
            self._looked_ns, self._came = frame.t_ns, 0
        self._look_for_rest(frame)

    def _look_for_rest(self, frame: Frame) -> None:
        # the eye compares every picture; a table that rests is at rest for longer than this
        if self._compared_ns is not None and frame.t_ns - self._compared_ns < LAG_NS:
            return
        self._compared_ns = frame.t_ns
        self._stillness.feed(frame)
        if self._light.is_unsteady:  # the picture's rim lies in other light then, and no arm over it
            self._stillness.forget_edge()
            self._rested_ns = frame.t_ns
        if self._stillness.still_since_ns is not None and not self._stillness.arms:
            self._rested_ns = frame.t_ns

    @property
    def has_arm(self) -> bool:
        """Whether something reaches in over the picture's edge now."""
        return bool(self._stillness.arms)

    @property
    def moves(self) -> bool:
        """Whether something moves in the picture now."""
        return self._stillness.still_since_ns is None

    def lacks(self) -> list[Lack]:
        times = Counter(lack for look in tuple(self._looks) for lack in look)
        lacks = {lack for lack, count in times.items() if count >= _FEWEST_LOOKS}
        restless_ns = 8_000_000_000  # hands that play leave the table sooner
        if self._t_ns - self._rested_ns > restless_ns:
            lacks.add(Lack.REST)
        return sorted(lacks)

    def _found(self, frame: Frame, fps: float) -> Iterator[Lack]:
        fewest_fps = 12.0  # a card that is laid and taken at once rests for a fifth of a second
        if fps < fewest_fps:
            yield Lack.FEW_PICTURES
        brightest = float(np.quantile(frame.gray[::4, ::4], 0.98))  # paper: cards and markers lie there
        if brightest < PAPER.least:
            yield Lack.DARK
        most_blur_px = 1.3  # a Gaussian of 1 pixel measures as this; a lens in focus has less
        blur_px = edge_blur_px(frame.gray)
        if blur_px is not None and blur_px > most_blur_px:
            yield Lack.BLURRED
        if self._light.is_unsteady:
            yield Lack.UNSTEADY_LIGHT
