"""Whose hand: everything that lies over the resting field, told apart by the edge it came in from.

The field is seen at about 7 mm per pixel. What differs from the resting picture (hands, sleeves, heads,
shadows, flying cards) is cut into connected regions; a region that reaches the bottom edge belongs to the
near player, the top edge to the far player. Regions that reach neither, or both because two arms have met,
are followed: each of their pixels belongs to whom the spot it has moved from belonged to in the frame before.
What is new, and much nearer one edge than any arm, has come from there.
A hand that passes under the other arm comes out on its other side as something new: what clearly lies along
one of the two arms that met belongs to that one (`vision.meeting`).
When the arms have parted they are followed back again; what both ways say alike is as good as never met. That
takes long, so it waits until it is asked for, and is done frame by frame.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.sides import Side
from vision.frames import Gray
from vision.meeting import Meeting
from vision.optical_flow import Motion
from vision.resting_map import UNIT, RestingMap

NOBODY, NEAR, FAR = 0, 1, 2
"""Labels in a map of players."""

_PIXEL_MM = 7.0
_MIN_REGION_MM2 = 300.0  # about a fingertip
_LONGEST_MEETING = 480  # frames that are looked through again when arms part
_KEPT, _KEPT_STEP_NS = 480, 8_000_000  # maps that are kept for cards that were hidden, no more often than so
_EDGE_MM, _EDGE_WEIGHT = 100.0, 3.0
"""What is new, and this near a player's edge, nearer by this factor than to any arm, is that player's."""


def halvings_for(px_per_mm: float) -> int:
    """Return how often a picture is halved so that its pixels measure about 7 mm."""
    return max(0, round(float(np.log2(max(px_per_mm * _PIXEL_MM, 1.0)))))


def shrink(gray: Gray, halvings: int) -> Gray:
    """Halve a picture's sides `halvings` times; each step averages 2 x 2 pixels."""
    for _ in range(halvings):
        height, width = gray.shape
        gray = np.asarray(cv2.resize(gray, (width // 2, height // 2), interpolation=cv2.INTER_AREA), np.uint8)
    return gray


@dataclass(frozen=True, slots=True, eq=False)
class Over:
    """What lies over the resting field in one frame.

    Attributes
    ----------
    mask : (h, w) uint8, 1 where the frame differs from the resting picture, and from the bare floor.
    changed : (h, w) uint8, the same where the bare floor has come into view, too.
    players : (h, w) uint8, `NEAR`, `FAR` or `NOBODY` for each pixel of the mask.
    area : number of pixels in the mask.
    light : brightness relative to the resting picture, sparsely sampled, in units of 1/100.
    small : (h, w), the frame at the map's size.
    shape_px : shape of the full frame.
    met_ns : (h, w) int64, where arms of both players look like one: since when; 0 elsewhere, and where
        following them back from when they parted has shown the same player.
    """

    mask: NDArray[np.uint8]
    changed: NDArray[np.uint8]
    players: NDArray[np.uint8]
    area: int
    light: Gray
    small: Gray
    shape_px: tuple[int, ...]
    met_ns: NDArray[np.int64]

    @property
    def scale(self) -> float:
        """Size of the map relative to the full frame."""
        return float(self.players.shape[1] / self.shape_px[1])

    def middles_px(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return where cells of the map have their middles in the full frame, shape (N, 2), x and y."""
        return (np.stack([columns, rows], axis=1).astype(np.float64) + 0.5) / self.scale - 0.5

    def player_in(self, box: NDArray[np.intp]) -> Side | None:
        """Return whose arm lies in a box (x0, y0, x1, y1) of the map; None for nobody's or both players'."""
        x0, y0, x1, y1 = box
        inside = self.players[y0:y1, x0:x1]
        near, far = bool((inside == NEAR).any()), bool((inside == FAR).any())
        return None if near == far else Side.NEAR if near else Side.FAR

    def light_near(self, points_px: NDArray[np.float64]) -> NDArray[np.float32]:
        """Return the brightness relative to the resting picture near points (N, 2) of the full frame."""
        (height, width), (tall, wide) = self.shape_px, self.light.shape
        column = np.clip((points_px[:, 0] * wide / width).astype(np.intp), 0, wide - 1)
        row = np.clip((points_px[:, 1] * tall / height).astype(np.intp), 0, tall - 1)
        return np.asarray(self.light[row, column] / np.float32(UNIT), np.float32)

    @property
    def unlit(self) -> NDArray[np.float32]:
        """The frame at the map's size, under the light of the resting picture."""
        height, width = self.small.shape
        wide = cv2.resize(self.light, (width, height), interpolation=cv2.INTER_LINEAR)
        return np.asarray(self.small * (UNIT / wide), np.float32)

    def light_at(self, window: tuple[slice, slice], cell: int = 1) -> NDArray[np.float32]:
        """Return the brightness relative to the resting picture in a window of the full frame.

        It is sampled in the middle of each square of `cell` pixels.
        """
        middle = (cell - 1) / 2
        rows, columns = (np.arange(part.start + middle, part.stop, cell, dtype=np.float32) for part in window)
        height, width = self.shape_px
        tall, wide = self.light.shape
        y = (rows + 0.5) * (tall / height) - 0.5
        x = (columns + 0.5) * (wide / width) - 0.5
        at_x, at_y = np.meshgrid(x, y)
        factor = cv2.remap(
            self.light.astype(np.float32), at_x, at_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(factor, np.float32) / np.float32(UNIT)


class PlayerMap:
    """Follows through time which player each region over the field belongs to.

    Parameters
    ----------
    resting : pictures of the field at rest.
    bare : the resting field without its cards: where a card has left, the floor is nobody's hand.
    px_per_mm : scale of the full picture.
    """

    def __init__(self, resting: Sequence[Gray], bare: NDArray[np.float32], px_per_mm: float) -> None:
        self.halvings = halvings_for(px_per_mm)
        self.scale = 0.5**self.halvings
        small = [shrink(gray, self.halvings) for gray in resting]
        self._ground = RestingMap(small, shrink(np.rint(bare).astype(np.uint8), self.halvings))
        self._min_region = max(3, round(_MIN_REGION_MM2 * (px_per_mm * self.scale) ** 2))
        self._nobody = np.zeros(self._ground.rest.shape, np.uint8)
        self._never = np.zeros(self._ground.rest.shape, np.int64)
        for shared in (self._nobody, self._never):
            shared.setflags(write=False)
        self._cell_mm = 1 / (px_per_mm * self.scale)
        self._met_ns = self._never
        self._trail = _Trail(self._nobody, self._ground.rest, Meeting(self._cell_mm))
        self._motion = Motion()
        self._meeting: deque[tuple[int, Over]] = deque(maxlen=_LONGEST_MEETING)
        self._ways_back: deque[_WayBack] = deque()
        self._kept: deque[tuple[int, Over]] = deque(maxlen=_KEPT)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the map."""
        height, width = self._ground.rest.shape
        return width, height

    def feed(self, gray: Gray, t_ns: int = 1) -> Over:
        """Divide what lies over the field in the next frame, taken at `t_ns` (> 0)."""
        small = shrink(gray, self.halvings)
        light, wide, changed = self._ground.changed(small, t_ns)
        mask = changed
        if cv2.countNonZero(changed) >= self._min_region:
            mask = changed & self._ground.covered(small, wide)
        area = cv2.countNonZero(mask)
        meets = False
        if area < self._min_region:
            self._trail.players, self._met_ns = self._nobody, self._never
            self._trail.small = small
        else:
            regions = _Regions.of(mask, self._min_region)
            self._follow(self._trail, regions, small, t_ns)
            self._met_ns = regions.met_since(self._met_ns, t_ns)
            meets = bool(regions.meets.any())
        over = Over(mask, changed, self._trail.players, area, light, small, gray.shape, self._met_ns)
        if area >= self._min_region and (not self._kept or t_ns - self._kept[-1][0] >= _KEPT_STEP_NS):
            self._kept.append((t_ns, over))
        if meets:
            self._meeting.append((t_ns, over))
        elif self._meeting:
            waiting = list(self._meeting)
            self._ways_back.append(_WayBack(waiting, self._back(tuple(waiting), over, t_ns), deque()))
            self._meeting.clear()
            while sum(len(way.waiting) for way in self._ways_back) > _LONGEST_MEETING:
                self.look_back()
        return over

    def kept(self, from_ns: float, to_ns: float) -> list[tuple[int, Over]]:
        """Return what lay over the field between two instants in the last seconds, with its instants."""
        return [(t_ns, over) for t_ns, over in self._kept if from_ns < t_ns < to_ns]

    def look_back(self, to_ns: int = 0) -> bool:
        """Follow arms that have parted back by one frame; False where no frame since `to_ns` waits for that.

        What is known of arms that met is final for these frames then. It only becomes less: what was never
        one for long need not be followed back.
        """
        while self._ways_back and not self._ways_back[0].waiting:
            self._ways_back.popleft()
        for way in self._ways_back:
            if way.waiting and way.waiting[-1][0] >= to_ns:
                alike = way.found.popleft() if way.found else next(way.steps)
                _, over = way.waiting.pop()
                over.met_ns[alike] = 0
                return True
        return False

    def work_ahead(self) -> bool:
        """Find out a part of what `look_back` will ask; False where all is known. Nothing is told by it."""
        for way in self._ways_back:
            if len(way.found) < len(way.waiting):
                way.found.append(next(way.steps))
                return True
        return False

    def is_floor(self, over: Over) -> NDArray[np.bool_]:
        """Tell where a frame may show bare floor, (h, w), in the light around it or in the whole picture's.

        Arms that fill a corner of the picture spoil what is known of the light there.
        """
        return self._ground.is_floor(over.small, over.light)

    def _back(
        self, meeting: Sequence[tuple[int, Over]], parted: Over, t_ns: int
    ) -> Generator[NDArray[np.bool_], None, None]:
        """Follow arms that have parted back through their meeting, and say where both ways are alike."""
        trail = _Trail(parted.players, parted.small, Meeting(self._cell_mm))
        trail.arms.apart(parted.players == NEAR, parted.players == FAR, parted.small, t_ns)
        for at_ns, earlier in reversed(meeting):
            self._follow(trail, _Regions.of(earlier.mask, self._min_region), earlier.small, at_ns)
            yield trail.players == earlier.players

    def _follow(self, trail: _Trail, regions: _Regions, small: Gray, t_ns: int) -> None:
        """Take a trail on to a frame, that after or before its last one."""
        players = regions.owner[regions.number]
        if regions.contested.any():
            inside = regions.contested[regions.number]
            followed = self._followed(inside, small, trail) if trail.players.any() else players
            clear = (
                trail.arms.divided(regions.largest_meeting(), small, t_ns) if regions.meets.any() else None
            )
            if clear is not None:
                followed = np.where(clear[0], NEAR, np.where(clear[1], FAR, followed))
            labels = np.asarray(np.where(inside, followed, players), np.uint8)
            nearest, away = _nearest_label(labels)
            for region in np.flatnonzero(regions.without(labels) & regions.contested):
                part = regions.number == region
                nearest[part] = self._from_edge(part, away) or nearest[part]
            players = np.where(inside, nearest, players)
        trail.players = np.asarray(players * regions.joined, np.uint8)
        trail.small = small
        if not regions.meets.any():
            trail.arms.apart(trail.players == NEAR, trail.players == FAR, small, t_ns)

    def _from_edge(self, part: NDArray[np.bool_], away: NDArray[np.float32]) -> int:
        """Return whose edge something new has come in from, `NOBODY` where it is not that near one.

        An arm may be as gray as the floor at the edge, and a film may have a black rim.

        Parameters
        ----------
        part : (h, w), its pixels.
        away : (h, w), how far each pixel is from what is known to be somebody's.
        """
        rows = np.flatnonzero(part.any(axis=1))
        from_top, from_bottom = int(rows[0]) + 1, len(part) - int(rows[-1])
        nearest = min(from_top, from_bottom)
        if nearest * self._cell_mm > _EDGE_MM or nearest * _EDGE_WEIGHT > away[part].min():
            return NOBODY
        return FAR if from_top < from_bottom else NEAR

    def _followed(self, inside: NDArray[np.bool_], small: Gray, trail: _Trail) -> NDArray[np.uint8]:
        """Return for each pixel of contested regions whose it was where it has moved from."""
        if len(np.unique(trail.players)) < 3:  # only one player's arm was there
            return trail.players
        origin = self._motion.origins(small, trail.small, inside)
        carried = cv2.remap(trail.players, *origin, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(cv2.medianBlur(carried * inside, 3), np.uint8)


@dataclass(slots=True, eq=False)
class _Trail:
    """How far the arms have been followed, forwards or backwards in time.

    Attributes
    ----------
    players, small : the players' map of the last frame, and that frame at the map's size.
    arms : follows the two arms that have met.
    """

    players: NDArray[np.uint8]
    small: Gray
    arms: Meeting


@dataclass(frozen=True, slots=True, eq=False)
class _WayBack:
    """A meeting to be looked through again.

    Attributes
    ----------
    waiting : the frames of which what is known of the arms has not been told yet.
    steps : goes through them from the last to the first; says where both ways are alike, (h, w).
    found : what it has said that has not been told yet.
    """

    waiting: list[tuple[int, Over]]
    steps: Generator[NDArray[np.bool_], None, None]
    found: deque[NDArray[np.bool_]]


@dataclass(frozen=True, slots=True, eq=False)
class _Regions:
    """The connected regions of a mask; R regions, number 0 is the field itself.

    Attributes
    ----------
    number : (h, w), the region of each pixel.
    joined : (h, w), the mask with its smallest gaps closed.
    owner : (R,), the player from whose edge alone a region comes in, else `NOBODY`.
    contested : (R,), it reaches neither edge or both.
    meets : (R,), it reaches both.
    """

    number: NDArray[np.int32]
    joined: NDArray[np.uint8]
    owner: NDArray[np.uint8]
    contested: NDArray[np.bool_]
    meets: NDArray[np.bool_]

    @classmethod
    def of(cls, mask: NDArray[np.uint8], min_area: int) -> _Regions:
        """Cut a mask into its regions; those below `min_area` pixels are nobody's."""
        joined = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.uint8)
        _, number, stats, _ = cv2.connectedComponentsWithStats(joined)
        top, tall, area = stats[:, cv2.CC_STAT_TOP], stats[:, cv2.CC_STAT_HEIGHT], stats[:, cv2.CC_STAT_AREA]
        counts = area >= min_area
        counts[0] = False
        at_top, at_bottom = top <= 1, top + tall >= mask.shape[0] - 1
        owner = np.where(at_top, FAR, NEAR) * (counts & (at_top != at_bottom))
        return cls(
            np.asarray(number, np.int32),
            joined,
            owner.astype(np.uint8),
            np.asarray(counts & (at_top == at_bottom)),
            np.asarray(counts & at_top & at_bottom),
        )

    def without(self, labels: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Tell which regions hold no labelled pixel, (R,)."""
        return np.asarray(np.bincount(self.number.ravel(), (labels > 0).ravel(), len(self.owner)) == 0)

    def largest_meeting(self) -> NDArray[np.bool_]:
        """Return the largest region that reaches both edges, (h, w)."""
        sizes = np.bincount(self.number.ravel(), minlength=len(self.meets)) * self.meets
        return np.asarray(self.number == sizes.argmax())

    def met_since(self, before_ns: NDArray[np.int64], t_ns: int) -> NDArray[np.int64]:
        """Return since when each pixel's region has held arms of both players, 0 for none; (h, w)."""
        since_ns = np.zeros(len(self.meets), np.int64)
        for region in np.flatnonzero(self.meets):
            earlier = before_ns[self.number == region]
            since_ns[region] = min(earlier[earlier > 0], default=t_ns)
        return since_ns[self.number]


def _nearest_label(labels: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Return for each pixel the label of the closest labelled pixel, and how many pixels away that is.

    Where there is none they are `NOBODY` and infinite.
    """
    if not labels.any():
        return np.zeros_like(labels), np.full(labels.shape, np.inf, np.float32)
    free = (labels == NOBODY).astype(np.uint8)
    away, index = cv2.distanceTransformWithLabels(free, cv2.DIST_L2, 3, labelType=cv2.DIST_LABEL_PIXEL)
    table = np.zeros(int(index.max()) + 1, np.uint8)
    at = free == 0
    table[index[at]] = labels[at]
    return table[index], np.asarray(away, np.float32)
