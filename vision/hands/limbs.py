"""Follow two arms that look like one region, each as a limb from its player's edge to its fingers.

Where arms cross, no pixel tells to whom it belongs, and a fast hand that comes out on the other side is no
longer connected to its own arm. But an arm is straight with one bend, it comes in from its player's edge, its
fingers keep their speed, and along its way it looks as it did when it was alone. The two limbs sought lie
inside what covers the field, explain most of it, and have these properties.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames.frame import Gray

Points = NDArray[np.float64]  # (..., 2), column and row in the players' map
Floats = NDArray[np.float32]
Worth = tuple[Floats, Floats]  # the result of `Body.worth_beside`

_HALF_MM = 32.0  # half of an arm's width
_SHARED = np.float32(0.05)  # worth of a cell that the other limb explains as well: almost nothing
_STEPS = np.linspace(0.5 / 14, 1 - 0.5 / 14, 14)  # the middles of 14 equal parts of each half of a limb
_NONE, _ALL = np.zeros_like(_STEPS), np.ones_like(_STEPS)
_WAY = np.array([np.r_[1 - _STEPS, _NONE], np.r_[_STEPS, 1 - _STEPS], np.r_[_NONE, _STEPS]])
"""(3, steps): weights of tip, bend and edge at each place along a limb, from the tip on."""
_PASSED = np.array([np.r_[_STEPS, _ALL], np.r_[_NONE, _STEPS]])
"""(2, steps): share of the way from tip to bend, and from bend to edge, before each place."""
_MEANS = np.array([np.r_[_ALL, _NONE], np.r_[_NONE, _ALL]], np.float32).T / np.float32(len(_STEPS))
"""(steps, 2): a product with it is the mean over each half."""
_UNLIKE_GRAY = np.float32(30.0)  # a cell that differs this much from the limb does not belong to it
_MOST_UNLIKE = np.float32(1.5)  # the most that counts, in multiples of that


@dataclass(frozen=True, slots=True, eq=False)
class Limb:
    """An arm in the players' map: from the edge where it comes in, over its bend, to its fingers."""

    # edge, bend, tip: (2,), column and row in the map
    edge: Points
    bend: Points
    tip: Points
    velocity: Points  # (2,), of the fingers, cells per millisecond
    looks: Floats  # (L,), its gray levels, cell by cell from the fingertips on

    def distance(self, columns: NDArray[np.intp], rows: NDArray[np.intp]) -> Floats:
        """Return the distance of map cells from the limb's axis, (N,) cells."""
        x, y = columns.astype(np.float32), rows.astype(np.float32)
        ways = (self.edge, self.bend), (self.bend, self.tip)
        return np.asarray(np.sqrt(np.minimum(*(_from_line_squared(x, y, *way) for way in ways))))

    def come_from(self, tip: Points, step_ms: float) -> Limb:
        """Return the limb with the velocity of its fingers, which were at `tip` `step_ms` ago."""
        return replace(self, velocity=(self.tip - tip) / step_ms)

    def seen_in(self, gray: Gray) -> Limb:
        """Return the limb with its looks taken from a picture."""
        length = float(np.hypot(*(self.tip - self.bend)) + np.hypot(*(self.bend - self.edge)))
        from_tip = np.arange(max(1.0, np.floor(length)))
        outer = float(np.hypot(*(self.tip - self.bend)))
        ends = np.array([0.0, max(outer, 1e-3), max(length, 2e-3)])
        x, y = (
            np.interp(from_tip, ends, [self.tip[axis], self.bend[axis], self.edge[axis]]) for axis in (0, 1)
        )
        height, width = gray.shape
        columns, rows = (
            np.clip(np.rint(one).astype(np.intp), 0, most) for one, most in ((x, width - 1), (y, height - 1))
        )
        return replace(self, looks=np.asarray(cv2.blur(gray, (3, 3))[rows, columns], np.float32))


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """Everything that lies over the field; two limbs are searched for in it."""

    worth: Floats  # (h, w), the gain of a limb per cell of its way: 1 deep inside the mask, negative outside
    gray: Gray  # (h, w), the picture
    cell_mm: float

    @classmethod
    def of(cls, mask: NDArray[np.bool_], gray: Gray, cell_mm: float) -> Body:
        """Weigh the cells of a mask (h, w)."""
        padded = cv2.copyMakeBorder(mask.astype(np.uint8), 1, 1, 1, 1, cv2.BORDER_REPLICATE)
        deep = cv2.distanceTransform(padded, cv2.DIST_L2, 3)[1:-1, 1:-1]
        worth = np.minimum(deep * np.float32(cell_mm / _HALF_MM), 1)
        outside_cost = 2.0  # cost per cell of a limb that leaves the mask
        return cls(
            np.where(mask, worth, np.float32(-outside_cost)),
            np.asarray(cv2.blur(gray, (3, 3)), np.uint8),
            cell_mm,
        )

    def bears(self, limb: Limb) -> bool:
        """Tell whether a limb still lies in the mask, and was not lost beside it."""
        column, row = np.stack([limb.tip, limb.bend, limb.edge], axis=1) @ _WAY
        height, width = self.worth.shape
        inside = self.worth[_within(row, height), _within(column, width)] > 0
        # a limb that reaches in less far, or lies in the mask with a smaller share, is lost
        shortest_mm, least_borne = 40.0, 0.6
        long = float(np.hypot(*(limb.tip - limb.edge))) * self.cell_mm > shortest_mm
        return long and float(inside.mean()) > least_borne

    def covered(self, limb: Limb) -> NDArray[np.bool_]:
        """Tell which cells a limb covers, (h, w)."""
        way = np.zeros(self.worth.shape, np.uint8)
        corners = np.round(np.stack([limb.edge, limb.bend, limb.tip]) * 8).astype(np.int32)
        cv2.polylines(way, [corners], False, 1, max(1, round(2 * _HALF_MM / self.cell_mm)), shift=3)
        return way > 0

    def worth_beside(self, other: Limb | None) -> Worth:
        """Return a limb's gain per cell, (h, w), and the part of it that requires the limb's looks.

        A cell that the other limb explains as well is worth almost nothing.
        """
        alike = np.maximum(self.worth, 0)
        if other is None:
            return self.worth, alike
        shared = self.covered(other)
        return np.where(shared & (alike > 0), alike * _SHARED, self.worth), np.where(shared, 0, alike)


def first_limb(own: NDArray[np.bool_], gray: Gray, *, from_bottom: bool, cell_mm: float) -> Limb | None:
    """Return the limb of a player's own region (h, w), separate from the other's; None if there is none."""
    rows, columns = np.nonzero(own)
    if not len(rows):
        return None
    last = rows.max() if from_bottom else rows.min()
    edge = np.array([np.median(columns[rows == last]), float(last)])
    points = np.stack([columns, rows], axis=1).astype(np.float64)
    aside_worth = 0.5  # weight of sideways distance from the edge: an arm's shade lies beside it
    tip = points[np.hypot(*((points - edge) * (aside_worth, 1.0)).T).argmax()]
    limb = Limb(edge, (edge + tip) / 2, tip, np.zeros(2), np.zeros(0, np.float32))
    body = Body.of(own, gray, cell_mm)
    worth = body.worth_beside(None)
    limb = _edge_moved(limb, body, worth, np.unique(columns[rows == last]).astype(np.float64))
    return _bend_moved(limb, body, worth).seen_in(gray)


def followed(limbs: tuple[Limb, Limb], body: Body, step_ms: float) -> tuple[Limb, Limb]:
    """Return the two limbs `step_ms` milliseconds later."""
    expected = [limb.tip + limb.velocity * step_ms for limb in limbs]
    fastest_mm_per_ms = 5.0
    slack_mm = 20.0  # of the fingers from the expected place, if they keep their direction
    reach = (slack_mm + fastest_mm_per_ms * step_ms) / body.cell_mm
    turn_mm_per_ms2 = 0.2  # added if they turn: sweeping hands change direction within 20 ms
    slack = float(np.hypot(slack_mm, turn_mm_per_ms2 * step_ms**2)) / body.cell_mm
    least_cells = 3  # cells along the border within which an arm's entry counts as unchanged
    along = least_cells + round(fastest_mm_per_ms * step_ms / body.cell_mm)
    now = [_shifted(limb, tip) for limb, tip in zip(limbs, expected, strict=True)]
    for one in (0, 1):
        worth, place = body.worth_beside(now[1 - one]), expected[one]
        near_by = np.arange(-along, along + 1) + now[one].edge[0]
        fingers = _edge_moved(_tip_moved(now[one], body, worth, place, (reach, slack)), body, worth, near_by)
        arm = _edge_moved(now[one], body, worth, near_by)  # an arm that went aside whole
        ways = [fingers, _tip_moved(arm, body, worth, place, (reach, slack))]
        if abs(fingers.edge[0] - now[one].edge[0]) > least_cells:  # the reach of its fingers depends on it
            ways[0] = _tip_moved(fingers, body, worth, place, (reach, slack))
        ways = [_bend_moved(way, body, worth) for way in ways]
        values = [_value(way, body, worth, place, slack) for way in ways]
        now[one] = ways[values.index(max(values))]
    first, second = (limb.come_from(before.tip, step_ms) for limb, before in zip(now, limbs, strict=True))
    return first, second


def _shifted(limb: Limb, tip: Points) -> Limb:
    return replace(limb, tip=tip, bend=limb.bend + (tip - limb.tip) / 2)


def _tip_moved(limb: Limb, body: Body, worth: Worth, expected: Points, within: tuple[float, float]) -> Limb:
    """Return the limb with its tip at the place of highest gain, and its bend carried along.

    `within` holds the farthest and the usual distance, in cells, of the tip from the expected place.
    """
    height, width = body.worth.shape
    reach, slack = within
    middle = expected
    coarse_cells = 3
    for step, far in ((coarse_cells, reach), (1, coarse_cells - 1)):
        tips = middle + _square(int(far // step) * step, step)
        tips = np.clip(tips, 0, (width - 1, height - 1))
        bends = limb.bend + (tips - limb.tip) / 2
        gain = (
            _gain(limb, body, worth, (limb.edge, bends, tips)) - (np.hypot(*(tips - expected).T) / slack) ** 2
        )
        middle = tips[int(gain.argmax())]
    return _shifted(limb, middle)


def _value(limb: Limb, body: Body, worth: Worth, expected: Points, slack: float) -> float:
    """Return a limb's gain, less for fingers that lie far from where they were expected."""
    gain = float(_gain(limb, body, worth, (limb.edge, limb.bend[None], limb.tip))[0])
    return gain - float(np.hypot(*(limb.tip - expected)) / slack) ** 2


def _bend_moved(limb: Limb, body: Body, worth: Worth) -> Limb:
    bend_mm = 24.0  # how far the bend is searched for around its last place
    bends = limb.bend + _square(int(np.ceil(bend_mm / body.cell_mm)))
    gain = _gain(limb, body, worth, (limb.edge, bends, limb.tip))
    return replace(limb, bend=bends[int(gain.argmax())])


def _edge_moved(limb: Limb, body: Body, worth: Worth, columns: NDArray[np.float64]) -> Limb:
    edges = np.stack(
        [np.clip(columns, 0, body.worth.shape[1] - 1), np.full(len(columns), limb.edge[1])], axis=1
    )
    bends = limb.bend + (edges - limb.edge) / 2
    best = int(_gain(limb, body, worth, (edges, bends, limb.tip)).argmax())
    return replace(limb, edge=edges[best], bend=bends[best])


def _gain(limb: Limb, body: Body, worth: Worth, ways: tuple[Points, Points, Points]) -> NDArray[np.float64]:
    """Return a limb's gain along candidate ways, (N,) cells.

    Parameters
    ----------
    body : what the limb is searched for in.
    worth : what cells are worth to the limb.
    ways : edges (N, 2) or (2,), bends (N, 2), and tips (N, 2) or (2,).
    """
    height, width = body.worth.shape
    edges, bends, tips = ways
    out, back = bends - tips, edges - bends
    lengths = np.stack([np.hypot(out[:, 0], out[:, 1]), np.hypot(back[:, 0], back[:, 1])], axis=1)
    # columns and rows each in a contiguous array (N, steps): thousands of ways are tried per frame
    ends = np.empty((2, len(bends), 3))
    for index, end in enumerate((tips, bends, edges)):
        ends[..., index] = np.atleast_2d(end).T
    column, row = ends @ _WAY
    cell = _within(row, height) * width + _within(column, width)
    gained = worth[0].take(cell)
    if len(limb.looks):
        place = np.minimum((lengths @ _PASSED).astype(np.intp), len(limb.looks) - 1)
        unlike = np.abs(limb.looks.take(place) - body.gray.take(cell)) / _UNLIKE_GRAY
        gained -= worth[1].take(cell) * np.minimum(unlike, _MOST_UNLIKE)
    along = lengths.sum(axis=1)
    chord = np.hypot(*(tips - edges).T)
    detour_cost = 1.15  # cost per cell by which the way over the bend is longer than the straight one
    return np.asarray(((gained @ _MEANS) * lengths).sum(axis=1) - detour_cost * (along - chord), np.float64)


def _within(places: NDArray[np.float64], size: int) -> NDArray[np.intp]:
    """Return the nearest cells to places along a side of `size` cells."""
    cells = np.rint(places).astype(np.intp)
    return np.asarray(np.minimum(np.maximum(cells, 0), size - 1))


@lru_cache(maxsize=64)
def _square(reach: int, step: int = 1) -> Points:
    """Return the points (N, 2) of a square grid around zero; cached, do not write to it."""
    side = np.arange(-(reach // step), reach // step + 1) * float(step)
    return np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)


def _from_line_squared(x: Floats, y: Floats, start: Points, end: Points) -> Floats:
    """Return the squared distance of places (N,) from a line segment."""
    (x0, y0), (x_way, y_way) = start.astype(np.float32), (end - start).astype(np.float32)
    x_off, y_off = x - x0, y - y0
    share = (x_off * x_way + y_off * y_way) / max(x_way * x_way + y_way * y_way, np.float32(1e-9))
    share = np.minimum(np.maximum(share, 0), 1)
    x_off -= share * x_way
    y_off -= share * y_way
    return np.asarray(x_off * x_off + y_off * y_off)
