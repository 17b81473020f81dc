"""Shapes of hands, arms, bodies and cards, in metres: x to the right, y ahead, z up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from referee.layout import CARD_HEIGHT_M, CARD_WIDTH_M

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Shape = tuple[Floats, list[tuple[int, ...]]]  # points (N, 3), and faces of their indices
CARD_HALF_M = (CARD_WIDTH_M / 2, CARD_HEIGHT_M / 2)
CARD_THICK_M = 0.0011
"""A torifuda is printed paper on board: the packs of three makers measure 10 to 12 cm for 100 cards."""

_FINGERS_MM = (
    ((-27, -55, 9.6), (-28.5, 21, 7.4)),
    ((-9, -52, 9.8), (-9.5, 23, 7.6)),
    ((9.5, -53, 9.4), (10, 21, 7.3)),
    ((26, -59, 8.6), (29, 14, 6.8)),
)
"""From knuckle to tip, each x, y, radius: pressed flat they fill the area by which the simulator touches."""
_PALM_MM = (
    ((-24, -60, 14), (-14, -126, 17)),
    ((-8, -58, 14), (-5, -130, 18)),
    ((9, -60, 14), (6, -130, 18)),
    ((23, -66, 13), (14, -126, 16)),
    ((0, -122, 20), (0, -172, 24)),
)
_THUMB_MM = ((-20, -114, 15), (-46, -82, 11), (-54, -52, 8.4))


@dataclass(frozen=True)
class Capsule:
    """A cone with round ends: where it begins and ends (3,), its radii there, and its height by its width."""

    start: Floats
    end: Floats
    start_m: float
    end_m: float
    flat: float = 1.0


@dataclass(frozen=True)
class Build:
    """What differs between two people's hands: size, and how far the fingers are spread."""

    size: float = 1.0
    spread: float = 0.0


def hand(build: Build, bend: float, *, is_left: bool) -> list[Capsule]:
    """Return a hand that stands on z = 0 around (0, 0), its fingers flat to drawn up: `bend` 0 to 1."""
    parts: list[Capsule] = []
    for (x0, y0, r0), (x1, y1, r1) in _FINGERS_MM:
        tip_x = x1 + build.spread * (x1 - 1) * 0.6
        tip_y = y1 - abs(build.spread * x1) * 0.25 - 26 * bend
        arch = 4 + 24 * bend
        places = [
            (x0, y0, 20 + 10 * bend, r0),
            (x0 + (tip_x - x0) * 0.48, y0 + (tip_y - y0) * 0.5, r0 + arch, r0 * 0.5 + r1 * 0.5),
            (x0 + (tip_x - x0) * 0.78, y0 + (tip_y - y0) * 0.8, r1 + arch * 0.55, r1 * 1.04),
            (tip_x, tip_y, r1, r1),
        ]
        parts += [_bone(a[:3], b[:3], a[3], b[3]) for a, b in pairwise(places)]
    for (x0, y0, r0), (x1, y1, r1) in _PALM_MM:
        rise = 35.0 if y0 < -100 else 21 + 8 * bend
        parts.append(_bone((x0, y0, rise), (x1, y1, 35), r0, r1, 0.72))
    (x0, y0, r0), (x1, y1, r1), (x2, y2, r2) = _THUMB_MM
    parts.append(_bone((x0, y0, 30), (x1, y1, 19 + 6 * bend), r0, r1))
    parts.append(_bone((x1, y1, 19 + 6 * bend), (x2 + 8 * bend, y2, r2 + 1), r1, r2))
    mirror = np.array([-1.0 if is_left else 1.0, 1, 1]) * build.size
    return [
        Capsule(
            one.start * mirror, one.end * mirror, one.start_m * build.size, one.end_m * build.size, one.flat
        )
        for one in parts
    ]


def _bone(start: Sequence[float], end: Sequence[float], r0: float, r1: float, flat: float = 1.0) -> Capsule:
    return Capsule(np.array(start) / 1000, np.array(end) / 1000, r0 / 1000, r1 / 1000, flat)


def limb(start_m: float, end_m: float, flat: float = 1.0) -> list[Capsule]:
    """Return a limb one metre long ahead from the origin: to be stretched between two joints."""
    return [Capsule(np.zeros(3), np.array([0.0, 1.0, 0.0]), start_m, end_m, flat)]


def trunk() -> list[Capsule]:
    """Return a leaning back with shoulders and neck, one metre from hips to shoulders."""
    hips, top = np.zeros(3), np.array([0.0, 1.0, 0.0])
    wide = np.array([0.165, 0.0, 0.0])
    return [
        Capsule(hips - wide * 0.3, top - wide * 0.6, 0.125, 0.11, 0.8),
        Capsule(hips + wide * 0.3, top + wide * 0.6, 0.125, 0.11, 0.8),
        Capsule(top - wide, top + wide, 0.065, 0.065),
    ]


def legs() -> list[Capsule]:
    """Return folded legs below hips at the origin, knees ahead."""
    return [
        Capsule(np.array([x * 0.6, -0.05, 0.13]), np.array([x, 0.33, 0.1]), 0.12, 0.085)
        for x in (-0.13, 0.13)
    ]


def head() -> list[Capsule]:
    """Return a head around the origin that looks ahead and down."""
    return [
        Capsule(np.array([0.0, -0.02, 0.0]), np.array([0.0, 0.02, -0.02]), 0.092, 0.085),
        Capsule(np.array([0.0, 0.03, -0.05]), np.array([0.0, 0.06, -0.1]), 0.062, 0.045),
        Capsule(np.array([0.0, -0.06, -0.06]), np.array([0.0, -0.1, -0.14]), 0.055, 0.055),
    ]


def hair() -> list[Capsule]:
    """Return the hair of the same head."""
    return [
        Capsule(np.array([0.0, -0.035, 0.012]), np.array([0.0, 0.02, 0.012]), 0.096, 0.088),
        Capsule(np.array([0.0, -0.05, -0.03]), np.array([0.0, -0.03, 0.0]), 0.082, 0.09),
    ]


def skin_tint(points: Floats, parts: Sequence[Capsule], skin: Sequence[float]) -> Floats:
    """Return the colours (N, 3) of a hand's points: pale nails, red knuckles, else skin."""
    tint = np.tile(np.array(skin, np.float64), (len(points), 1))
    for first in range(0, 12, 3):  # three bones to a finger
        knuckle, tip = parts[first].end, parts[first + 2]
        red = np.exp(-(np.linalg.norm(points - knuckle, axis=1) ** 2) / 0.009**2)[:, None]
        tint *= 1 - red * [0.05, 0.16, 0.18]
        nail = tip.end + np.array([0.0, 0.15, 0.9]) * tip.end_m
        away = (points - nail) / (np.array([0.75, 0.95, 0.7]) * tip.end_m)
        is_nail = (away**2).sum(axis=1) < 1
        tint[is_nail] = tint[is_nail] * [0.55, 0.45, 0.45] + [0.36, 0.28, 0.26]
    return np.clip(tint, 0, 1)


def surface(capsule: Capsule, around: int = 20, cap: int = 5) -> Shape:
    """Return the closed surface of a capsule: points (N, 3) and faces of their indices."""
    way = capsule.end - capsule.start
    length = float(np.linalg.norm(way))
    along = way / length if length > 1e-9 else np.array([0.0, 1.0, 0.0])
    side = np.cross(along, [0.0, 0.0, 1.0])
    side = np.array([1.0, 0.0, 0.0]) if np.linalg.norm(side) < 1e-6 else side / np.linalg.norm(side)
    up = np.cross(side, along) * capsule.flat
    turns = np.arange(around) * 2 * np.pi / around
    circle = np.cos(turns)[:, None] * side + np.sin(turns)[:, None] * up
    rings = [
        (centre + along * np.sin(tilt) * radius) + circle * np.cos(tilt) * radius
        for centre, radius, tilts in (
            (capsule.start, capsule.start_m, np.linspace(-1.5, 0, cap)),
            (capsule.end, capsule.end_m, np.linspace(0, 1.5, cap)),
        )
        for tilt in tilts
    ]
    count = len(rings)
    faces: list[tuple[int, ...]] = [
        (low + k, low + (k + 1) % around, low + around + (k + 1) % around, low + around + k)
        for low in range(0, (count - 1) * around, around)
        for k in range(around)
    ]
    faces += [tuple(range(around))[::-1], tuple((count - 1) * around + k for k in range(around))]
    return np.vstack(rings), faces


def sleeve(
    wrist_m: float, elbow_m: float, *, from_share: float, drop_m: float, seed: int, to_share: float = 1.06
) -> Shape:
    """Return an open, folded tube around a limb one metre long; it hangs by `drop_m`."""
    rng = np.random.default_rng(seed)
    around, rings = 40, 30
    turns = np.arange(around) * 2 * np.pi / around
    folds = rng.normal(0, 1, (6, 2))
    points = []
    for ring, share in enumerate(np.linspace(from_share, to_share, rings)):
        wave = sum(
            a * np.sin((k + 2) * turns + b * 3 + share * (7 + 3 * k)) for k, (a, b) in enumerate(folds)
        )
        radius = (wrist_m + (elbow_m - wrist_m) * share) * (1 + 0.035 * wave)
        x, z = np.cos(turns) * radius, np.sin(turns) * radius * 0.85
        z -= drop_m * np.clip(-np.sin(turns), 0, 1) * (1 - 0.6 * (share - from_share))
        points.append(np.column_stack([x, np.full(around, share) + 0.012 * wave * (ring == 0), z]))
    faces: list[tuple[int, ...]] = [
        (
            r * around + k,
            (r + 1) * around + k,
            (r + 1) * around + (k + 1) % around,
            r * around + (k + 1) % around,
        )
        for r in range(rings - 1)
        for k in range(around)
    ]
    return np.vstack(points), faces


def worn(sleeve_kind: str, part: str, seed: int) -> list[Shape]:
    """Return the sleeve over a `forearm` or an `upper arm`, if there is one: `kimono`, `shirt` or `short`."""
    cuts = {
        ("kimono", "forearm"): (0.055, 0.095, 0.35, 0.055),
        ("kimono", "upper arm"): (0.085, 0.1, -0.1, 0.03),
        ("shirt", "forearm"): (0.036, 0.056, 0.12, 0.0),
        ("shirt", "upper arm"): (0.056, 0.075, -0.1, 0.0),
        ("short", "upper arm"): (0.062, 0.08, 0.4, 0.0),
    }
    cut = cuts.get((sleeve_kind, part))
    if cut is None:
        return []
    return [sleeve(cut[0], cut[1], from_share=cut[2], drop_m=cut[3], seed=seed)]


def ring(share: float, radius_m: float) -> Shape:
    """Return a band around a limb one metre long, at a share of it."""
    return sleeve(radius_m, radius_m, from_share=share, drop_m=0.0, seed=1, to_share=share + 0.1)


def card(sag_m: float, twist_m: float) -> tuple[Floats, list[tuple[int, ...]], Floats, Ints]:
    """Return a bent card that lies on z = 0: points, faces, uv of the points, and materials.

    Material 0 is the printed face, 1 the back and the edge. A positive sag lifts the middle, a negative one
    both ends; a twist lifts two opposite corners.
    """
    columns, rows = 7, 11
    u, v = np.meshgrid(np.linspace(0, 1, columns), np.linspace(0, 1, rows))
    x, y = (u.ravel() - 0.5) * CARD_WIDTH_M, (v.ravel() - 0.5) * CARD_HEIGHT_M
    a, b = 2 * u.ravel() - 1, 2 * v.ravel() - 1
    rise = sag_m * (1 - b * b) + twist_m * (1 + a * b) / 2
    rise -= rise.min()
    count = columns * rows
    points = np.vstack([np.column_stack([x, y, rise + CARD_THICK_M]), np.column_stack([x, y, rise])])
    faces: list[tuple[int, ...]] = []
    kinds: list[int] = []
    for row in range(rows - 1):
        for column in range(columns - 1):
            k = row * columns + column
            square = (k, k + 1, k + columns + 1, k + columns)
            faces += [square, tuple(count + one for one in square[::-1])]
            kinds += [0, 1]
    rim = [
        *range(columns),
        *range(2 * columns - 1, count, columns),
        *range(count - 2, count - columns - 1, -1),
        *range(count - 2 * columns, 0, -columns),
    ]
    for k, after in zip(rim, [*rim[1:], rim[0]], strict=True):
        faces.append((count + k, count + after, after, k))
        kinds.append(1)
    uv = np.column_stack([u.ravel(), v.ravel()])
    return points, faces, np.vstack([uv, uv]), np.array(kinds)
