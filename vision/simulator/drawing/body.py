"""Hands, arms and heads from above, modelled as rounded shapes and lit from the side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np

from vision.simulator.drawing.camera import Camera
from vision.simulator.drawing.floors import SoftLight
from vision.simulator.drawing.paths import Floats
from vision.simulator.drawing.sprites import Canvas, Sprite, stamp_along
from vision.simulator.drawing.style import Colour, Person

Bone = tuple[float, float, float, float, float, float, float]
"""x, y, radius at the start; x, y, radius at the end, millimetres; ratio of height to width."""

WRIST_BEHIND_M = 0.136  # from the centre of the fingers back to the wrist
FOREARM_M = 0.26
UPPER_ARM_M = 0.30

_FINGERS: tuple[Bone, ...] = (
    (-27, -54, 9.6, -29, 14, 7.6, 1.0),
    (-9, -50, 9.8, -9.5, 23, 7.9, 1.0),
    (9.5, -52, 9.4, 11, 16, 7.4, 1.0),
    (26, -58, 8.6, 30, -1, 6.6, 1.0),
)
_PALM: tuple[Bone, ...] = (
    (-25, -58, 14, -15, -126, 17, 0.75),
    (-9, -56, 14, -5, -130, 18, 0.78),
    (9, -58, 14, 6, -130, 18, 0.75),
    (24, -64, 13, 14, -126, 16, 0.7),
    (0, -122, 25, 0, -189, 26, 0.8),
)
_THUMB: tuple[Bone, ...] = ((-20, -114, 15, -44, -80, 11, 0.9), (-44, -80, 11, -50, -44, 8.2, 0.95))


_NAIL = np.array([190.0, 195.0, 225.0])


@dataclass(frozen=True)
class BodySprites:
    """The pictures of one player; each is modelled when it is first drawn, since heads and arms come late."""

    person: Person
    light: tuple[float, float]  # direction of the shadows, times their length
    scale: float  # pixels per millimetre
    in_colour: bool  # blue-green-red instead of gray

    @cached_property
    def right_hand(self) -> Sprite:
        """The right hand, fingers together."""
        return self._hand(1, spread=0.0)

    @cached_property
    def left_hand(self) -> Sprite:
        """The left hand, which players lean on, fingers spread."""
        return self._hand(-1, spread=0.35)

    @cached_property
    def forearm(self) -> Sprite:
        person, scale, length = self.person, self.scale, FOREARM_M * 1000
        grid = _Grid(-105, 105, -length - 70, 40, scale)
        _, gy = grid.axes()
        skin = _relief(grid, [(0, 90, 23, 0, -length - 120, 40, 0.9)])
        bgr = self._lit(skin.height, np.array(person.skin, np.float64), 2.5, scale)
        cover = skin.cover(scale)
        if person.sleeve_from < 1:
            cuff = -length * person.sleeve_from
            wide, end = (58, 92) if person.wide_sleeve else (38, 54)
            cloth = _relief(grid, [(0, cuff + 60, wide - 8, 0, -length - 120, end, 0.6)])
            # The cuff is a straight edge, not round.
            dressed = cloth.cover(scale) * np.clip((cuff - gy) * scale + 0.5, 0, 1)
            shaded = self._lit(cloth.height, _cloth(grid, person.sleeve, 5), 3, scale)
            hem = 1 - 0.25 * np.exp(-(((gy - cuff + 9) / 1.5) ** 2))
            bgr = bgr * (1 - dressed[..., None]) + shaded * (hem * dressed)[..., None]
            cover = np.maximum(cover, dressed)
        cover = cover * _fade(gy, 2, 30) * _fade(gy, -length + 20, -length - 60)
        return self._sprite(grid, bgr, cover)

    @cached_property
    def upper_arm(self) -> Sprite:
        person, scale, length = self.person, self.scale, UPPER_ARM_M * 1000
        bare = person.sleeve_from >= 1
        elbow, shoulder = (37, 46) if bare else (77, 98) if person.wide_sleeve else (51, 66)
        grid = _Grid(-115, 115, -length - 120, 100, scale)
        relief = _relief(grid, [(0, 0, elbow, 0, -length, shoulder, 0.65)])
        colour = np.array(person.skin, np.float64) if bare else _cloth(grid, person.sleeve, 6)
        bgr = self._lit(relief.height, colour, 3, scale)
        return self._sprite(grid, bgr, relief.cover(scale))

    @cached_property
    def head(self) -> Sprite:
        """Hair with its whorl, and the shoulders behind it; ahead is where the player looks."""
        person, scale = self.person, self.scale * 0.8  # hair shows no finer detail
        grid = _Grid(-260, 260, -270, 130, scale)
        shoulders = _relief(grid, [(-165, -60, 85, 165, -60, 85, 0.5), (0, -70, 120, 0, -140, 125, 0.5)])
        face = _relief(grid, [(0, 60, 34, 0, 66, 30, 0.6), (0, 84, 10, 0, 100, 8, 0.8)])
        skull = _relief(grid, [(0, -12, 84, 0, 18, 76, 1.0)])
        gx, gy = grid.axes()
        whorl = np.arctan2(gx - 12, gy + 30)
        strands = 0.5 * np.sin(whorl * 46 + np.hypot(gx, gy) * 0.09) + 0.5 * np.sin(whorl * 23 + 2)
        hair = np.array(person.hair, np.float64) * (1.35 + 0.5 * strands[..., None])
        bgr = self._lit(shoulders.height, _cloth(grid, person.sleeve, 7), 4, scale)
        cover = shoulders.cover(scale)
        for part, colour in ((face, np.array(person.skin, np.float64)), (skull, hair)):
            over = part.cover(scale)[..., None]
            bgr = bgr * (1 - over) + self._lit(part.height, colour, 3, scale) * over
            cover = np.maximum(cover, part.cover(scale))
        return self._sprite(grid, bgr, cover)

    def _sprite(self, grid: _Grid, bgr: Floats, cover: Floats) -> Sprite:
        return Sprite.of(bgr, cover, grid.scale * 1000, grid.origin_px, in_colour=self.in_colour)

    def _lit(self, height: Floats, colour: Floats, soft_mm: float, scale: float) -> Floats:
        """Shade a relief (height, width) of colour (height, width, 3) or (3,)."""
        smooth = cv2.GaussianBlur(height, (0, 0), soft_mm * scale)
        slope_y, slope_x = np.gradient(smooth, 1 / scale)
        length = np.sqrt(slope_x**2 + (slope_y**2 + 1))
        towards = np.array([-self.light[0], -self.light[1], 1.0])
        towards = towards / np.linalg.norm(towards)
        shine = (towards[2] - slope_x * towards[0] - slope_y * towards[1]) / length
        shine = np.clip(shine, 0, 1)
        hollow = np.clip((cv2.GaussianBlur(height, (0, 0), 5 * scale) - height) / 14, 0, 0.4)
        return np.asarray(colour * ((0.52 + 0.52 * shine) * (1 - hollow))[..., None])

    def _hand(self, mirror: int, spread: float) -> Sprite:
        shape, size, scale = self.person.shape, self.person.shape.size, self.scale
        spread += shape.spread
        fingers = [
            (x0 * mirror, y0, r0, (x1 + spread * (x1 - 1)) * mirror, y1 - abs(spread * x1) * 0.25, r1, tall)
            for x0, y0, r0, x1, y1, r1, tall in (
                _sized(bone, size, reach) for bone, reach in zip(_FINGERS, shape.reach, strict=True)
            )
        ]
        palm = [_sized(bone, size) for bone in (*_PALM, _THUMB[0])]
        rest = [
            (x0 * mirror, y0, r0, x1 * mirror, y1, r1, tall)
            for x0, y0, r0, x1, y1, r1, tall in (*palm, _sized(_THUMB[1], size, shape.thumb))
        ]
        grid = _Grid(-78 * size, 78 * size, -196 * size, 40 * size, scale)
        relief = _relief(grid, [*fingers, *rest])
        skin = np.broadcast_to(np.array(self.person.skin, np.float64), (*grid.shape, 3)).copy()
        gx, gy = grid.axes()
        for x0, y0, _, x1, y1, r1, _ in fingers:  # nails, and the folds of the knuckles
            nail = ((gx - x1) / (r1 * 0.55)) ** 2 + ((gy - y1 - r1 * 0.25) / (r1 * 0.7)) ** 2 < 1
            skin[nail] = skin[nail] * 0.55 + _NAIL * 0.45
            for share in (0.42, 0.7):
                fold = np.exp(-(((gy - (y0 + (y1 - y0) * share)) / 1.6) ** 2))
                middle = x0 + (x1 - x0) * share
                skin[:, _within(gx[0], middle - 7, middle + 7)] *= 1 - 0.1 * fold[..., None]
        bgr = self._lit(relief.height, skin, 1.6, scale)
        return self._sprite(grid, bgr, relief.cover(scale))


def stamp_arm(
    canvas: Canvas,
    joints: Floats,
    tip: Floats,
    hand: Sprite,
    right: Floats | None = None,
    *,
    camera: Camera,
    light: SoftLight,
    body: BodySprites,
) -> None:
    """Draw one arm.

    `joints`: (4, 3), fingers, wrist, elbow and shoulder as x, y, height, metres. `tip`: (3,), a point 10 cm
    ahead of the fingers. `right`: see `stamp_along`.
    """
    points = camera.to_image(np.vstack([joints, tip]))
    lit = light.at(points[0])
    stamp_along(canvas, hand, points[0], (points[4] - points[0]) / 0.1, right=right, light=lit)
    for sprite, start, length_m in ((body.upper_arm, 2, UPPER_ARM_M), (body.forearm, 1, FOREARM_M)):
        height_m = float(joints[start, 2] + joints[start + 1, 2]) / 2
        across = camera.px_per_m_at(height_m, joints[1 if start == 1 else 3, :2])
        along = (points[start] - points[start + 1]) / length_m
        stamp_along(canvas, sprite, points[start], along, across=across, light=lit)


@dataclass(frozen=True)
class _Grid:
    """The sheet on which a part is modelled: millimetres, y ahead, `scale` pixels per millimetre."""

    left: float
    right: float
    bottom: float
    top: float
    scale: float

    def axes(self) -> tuple[Floats, Floats]:
        """Return x, shape (1, width), and y, shape (height, 1)."""
        x = np.arange(self.left, self.right, 1 / self.scale)
        y = np.arange(self.top, self.bottom, -1 / self.scale)
        return x[None, :], y[:, None]

    @property
    def shape(self) -> tuple[int, int]:
        x, y = self.axes()
        return y.size, x.size

    @property
    def origin_px(self) -> tuple[float, float]:
        return -self.left * self.scale, self.top * self.scale


@dataclass(frozen=True)
class _Relief:
    """A rounded shape: its height, and how deep a point lies inside its outline, both in millimetres."""

    height: Floats
    inside: Floats

    def cover(self, scale: float) -> Floats:
        """Return the opacity, with an outline that is soft over one pixel."""
        return np.clip(self.inside * scale + 0.5, 0.0, 1.0)


def _relief(grid: _Grid, bones: Sequence[Bone]) -> _Relief:
    """Return the union of rounded bones; points beyond the soft outline count as far away."""
    x, y = grid.axes()
    height, inside = np.zeros(grid.shape), np.full(grid.shape, -np.inf)
    for x0, y0, r0, x1, y1, r1, tall in bones:
        reach = max(r0, r1) + 1 / grid.scale
        columns = _within(x[0], min(x0, x1) - reach, max(x0, x1) + reach)
        rows = _within(y[:, 0], min(y0, y1) - reach, max(y0, y1) + reach)
        gx, gy, part = x[:, columns], y[rows], (rows, columns)
        along_x, along_y = x1 - x0, y1 - y0
        share = np.clip(((gx - x0) * along_x + (gy - y0) * along_y) / (along_x**2 + along_y**2), 0, 1)
        radius = r0 + (r1 - r0) * share
        away = np.hypot(gx - x0 - share * along_x, gy - y0 - share * along_y)
        height[part] = np.maximum(height[part], np.sqrt(np.maximum(radius**2 - away**2, 0)) * tall)
        inside[part] = np.maximum(inside[part], radius - away)
    return _Relief(height, inside)


def _within(axis: Floats, low: float, high: float) -> slice:
    hit = np.flatnonzero((axis >= low) & (axis <= high))
    return slice(int(hit[0]), int(hit[-1]) + 1) if len(hit) else slice(0)


def _sized(bone: Bone, size: float, reach: float = 1.0) -> Bone:
    """Return a bone of a hand scaled by `size`, with its length scaled by `reach` as well."""
    x0, y0, r0, x1, y1, r1, tall = bone
    ends = (x0, y0, r0, x0 + (x1 - x0) * reach, y0 + (y1 - y0) * reach, r1)
    x0, y0, r0, x1, y1, r1 = (size * one for one in ends)
    return x0, y0, r0, x1, y1, r1, tall


def _cloth(grid: _Grid, colour: Colour, seed: int) -> Floats:
    rng = np.random.default_rng(seed)
    folds = cv2.GaussianBlur(
        rng.normal(0, 1, grid.shape), (0, 0), sigmaX=5 * grid.scale, sigmaY=34 * grid.scale
    )
    return np.asarray(np.array(colour, np.float64) * (1 + 0.09 * (folds / folds.std())[..., None]))


def _fade(gy: Floats, solid_mm: float, gone_mm: float) -> Floats:
    """Return an opacity that fades between two places of a limb, so that joints show no seam."""
    return np.clip((gy - gone_mm) / (solid_mm - gone_mm), 0.0, 1.0)


@lru_cache(maxsize=16)  # halls are drawn again and again
def body_sprites(
    person: Person, sun: tuple[float, float], px_per_m: float, *, in_colour: bool
) -> BodySprites:
    """Return one player's pictures; `sun` is the direction of the shadows as the player sees them."""
    return BodySprites(person, (sun[0] * 1.6, sun[1] * 1.6), px_per_m * 1.15 / 1000, in_colour)
