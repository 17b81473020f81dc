"""Hands, arms and heads from above, modelled as rounded shapes and lit from the side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from referee.facts import Hand
from vision.simulator.paths import Floats
from vision.simulator.sprites import Sprite
from vision.simulator.style import Colour, Person

Bone = tuple[float, float, float, float, float, float, float]
"""x, y, radius at the start; x, y, radius at the end; how tall compared with wide. In millimetres."""

WRIST_BEHIND_M = 0.122
"""From the middle of the fingers back to the wrist."""
FOREARM_M = 0.26
UPPER_ARM_M = 0.30

_FINGERS: tuple[Bone, ...] = (
    (-27, -40, 9.6, -29, 28, 7.6, 1.0),
    (-9, -36, 9.8, -9.5, 37, 7.9, 1.0),
    (9.5, -38, 9.4, 11, 30, 7.4, 1.0),
    (26, -44, 8.6, 30, 13, 6.6, 1.0),
)
_PALM: tuple[Bone, ...] = (
    (-25, -44, 14, -15, -112, 17, 0.75),
    (-9, -42, 14, -5, -116, 18, 0.78),
    (9, -44, 14, 6, -116, 18, 0.75),
    (24, -50, 13, 14, -112, 16, 0.7),
    (0, -108, 25, 0, -175, 26, 0.8),
)
_THUMB: tuple[Bone, ...] = (
    (-20, -100, 15, -44, -66, 11, 0.9),
    (-44, -66, 11, -50, -30, 8.2, 0.95),
)


@dataclass(frozen=True)
class BodySprites:
    """The pictures of one player."""

    hands: dict[Hand, Sprite]
    leaning_hands: dict[Hand, Sprite]
    forearm: Sprite
    upper_arm: Sprite
    head: Sprite


def _relief(
    bones: Sequence[Bone], left: float, right: float, bottom: float, top: float, scale: float
) -> Floats:
    """Return the height of the union of bones on a grid, in millimetres; -inf beside them."""
    x = np.arange(left, right, 1 / scale)
    y = np.arange(top, bottom, -1 / scale)
    gx, gy = np.meshgrid(x, y)
    height = np.full(gx.shape, -np.inf)
    for x0, y0, r0, x1, y1, r1, tall in bones:
        along = np.array([x1 - x0, y1 - y0])
        share = np.clip(((gx - x0) * along[0] + (gy - y0) * along[1]) / (along @ along), 0, 1)
        radius = r0 + (r1 - r0) * share
        away2 = (gx - x0 - share * along[0]) ** 2 + (gy - y0 - share * along[1]) ** 2
        inside = radius**2 - away2
        dome = np.sqrt(np.maximum(inside, 0)) * tall
        height = np.where(inside > 0, np.maximum(height, dome), height)
    return height


def _lit(height: Floats, colour: Floats, light: tuple[float, float], scale: float, soft: float) -> Floats:
    """Shade a relief (height, width) of colour (height, width, 3) or (3,)."""
    ground = np.where(np.isfinite(height), height, 0)
    smooth = cv2.GaussianBlur(ground, (0, 0), soft * scale)
    slope_y, slope_x = np.gradient(smooth, 1 / scale)
    normal = np.stack([-slope_x, -slope_y, np.ones_like(smooth)], -1)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    towards = np.array([-light[0], -light[1], 1.0])
    towards /= np.linalg.norm(towards)
    shine = np.clip(normal @ towards, 0, 1)
    hollow = np.clip((cv2.GaussianBlur(ground, (0, 0), 5 * scale) - ground) / 14, 0, 0.4)
    return np.asarray(colour * ((0.52 + 0.52 * shine) * (1 - hollow))[..., None])


def _cut_out(
    height: Floats, bgr: Floats, scale: float, origin_mm: tuple[float, float], in_colour: bool
) -> Sprite:
    solid = cv2.GaussianBlur(np.isfinite(height).astype(np.float64), (0, 0), max(0.35, 0.35 * scale))
    origin_px = (origin_mm[0] * scale - 0.5, origin_mm[1] * scale - 0.5)
    return Sprite.of(bgr, np.clip(solid, 0, 1), scale * 1000, origin_px, in_colour)


def _hand(
    person: Person, light: tuple[float, float], scale: float, hand: Hand, spread: float, in_colour: bool
) -> Sprite:
    mirror = 1 if hand is Hand.RIGHT else -1
    fingers = [
        (x0, y0, r0, x1 + spread * (x1 - 1), y1 - abs(spread * x1) * 0.25, r1, tall)
        for x0, y0, r0, x1, y1, r1, tall in _FINGERS
    ]
    bones = [
        (x0 * mirror, y0, r0, x1 * mirror, y1, r1, tall)
        for x0, y0, r0, x1, y1, r1, tall in (*fingers, *_PALM, *_THUMB)
    ]
    left, right, bottom, top = -78, 78, -182, 52
    height = _relief(bones, left, right, bottom, top, scale)
    skin = np.broadcast_to(np.array(person.skin, np.float64), (*height.shape, 3)).copy()
    gx, gy = np.meshgrid(np.arange(left, right, 1 / scale), np.arange(top, bottom, -1 / scale))
    for x0, y0, _, x1, y1, r1, _ in fingers:  # nails, and the folds of the knuckles
        x0, x1 = x0 * mirror, x1 * mirror
        nail = ((gx - x1) / (r1 * 0.55)) ** 2 + ((gy - y1 - r1 * 0.25) / (r1 * 0.7)) ** 2 < 1
        skin[nail] = skin[nail] * 0.55 + np.array([190, 195, 225]) * 0.45
        for share in (0.42, 0.7):
            fold = np.exp(-(((gy - (y0 + (y1 - y0) * share)) / 1.6) ** 2)) * (
                np.abs(gx - (x0 + (x1 - x0) * share)) < 7
            )
            skin *= 1 - 0.1 * fold[..., None]
    return _cut_out(height, _lit(height, skin, light, scale, 1.6), scale, (-left, top), in_colour)


def _cloth(height: Floats, colour: Colour, scale: float, seed: int) -> Floats:
    """Give cloth its folds, along the arm."""
    rng = np.random.default_rng(seed)
    folds = cv2.GaussianBlur(rng.normal(0, 1, height.shape), (0, 0), sigmaX=5 * scale, sigmaY=34 * scale)
    folds /= folds.std()
    return np.asarray(np.array(colour, np.float64) * (1 + 0.09 * folds[..., None]))


def _forearm(person: Person, light: tuple[float, float], scale: float, in_colour: bool) -> Sprite:
    length = FOREARM_M * 1000
    cuff = -length * person.sleeve_from
    skin_bone: Bone = (0, 8, 25, 0, -length, 37, 0.9)
    wide, end = (58, 88) if person.wide_sleeve else (38, 50)
    sleeve: Bone = (0, cuff - wide * 0.55, wide, 0, -length, end, 0.7)
    left, right, bottom, top = -100, 100, -length - 95, 40
    skin = _relief([skin_bone], left, right, bottom, top, scale)
    cloth = _relief([sleeve], left, right, bottom, top, scale) if person.sleeve_from < 1 else skin * np.nan
    covered = np.isfinite(cloth)
    if person.sleeve_from < 1:  # the cuff is a straight edge, not a ball
        gy = np.arange(top, bottom, -1 / scale)[:, None]
        covered &= gy < cuff
    bgr = _lit(skin, np.broadcast_to(np.array(person.skin, float), (*skin.shape, 3)), light, scale, 2.5)
    if covered.any():
        shaded = _lit(
            np.where(covered, cloth, -np.inf), _cloth(cloth, person.sleeve, scale, 5), light, scale, 3
        )
        bgr = np.where(covered[..., None], shaded, bgr)
    height = np.where(covered, np.nan_to_num(cloth), skin)
    return _cut_out(height, bgr, scale, (-left, top), in_colour)


def _upper_arm(person: Person, light: tuple[float, float], scale: float, in_colour: bool) -> Sprite:
    length = UPPER_ARM_M * 1000
    bare = person.sleeve_from >= 1
    thick = (88, 100) if person.wide_sleeve else (50, 66)
    bone: Bone = (0, 0, 37 if bare else thick[0], 0, -length, 46 if bare else thick[1], 0.7)
    left, right, bottom, top = -115, 115, -length - 120, 100
    height = _relief([bone], left, right, bottom, top, scale)
    colour = (
        np.broadcast_to(np.array(person.skin, float), (*height.shape, 3))
        if bare
        else _cloth(height, person.sleeve, scale, 6)
    )
    return _cut_out(height, _lit(height, colour, light, scale, 3), scale, (-left, top), in_colour)


def _head(person: Person, light: tuple[float, float], scale: float, in_colour: bool) -> Sprite:
    """Hair with its whorl, and the shoulders behind it; ahead is where the player looks."""
    left, right, bottom, top = -260, 260, -250, 130
    shoulders = _relief(
        [(-165, -60, 85, 165, -60, 85, 0.5), (0, -70, 120, 0, -140, 125, 0.5)],
        left,
        right,
        bottom,
        top,
        scale,
    )
    skull = _relief([(0, -12, 84, 0, 18, 76, 1.0)], left, right, bottom, top, scale)
    face = _relief(
        [(0, 60, 34, 0, 66, 30, 0.6), (0, 84, 10, 0, 100, 8, 0.8)], left, right, bottom, top, scale
    )
    gx, gy = np.meshgrid(np.arange(left, right, 1 / scale), np.arange(top, bottom, -1 / scale))
    whorl = np.arctan2(gx - 12, gy + 30)
    strands = 0.5 * np.sin(whorl * 46 + np.hypot(gx, gy) * 0.09) + 0.5 * np.sin(whorl * 23 + 2)
    hair = np.array(person.hair, float) * (1.35 + 0.5 * strands[..., None])
    bgr = _lit(shoulders, _cloth(shoulders, person.sleeve, scale, 7), light, scale, 4)
    skin = np.array(person.skin, float)
    bgr = np.where(np.isfinite(face)[..., None], _lit(face, skin, light, scale, 3), bgr)
    bgr = np.where(np.isfinite(skull)[..., None], _lit(skull, hair, light, scale, 3) + 8, bgr)
    height = np.fmax(np.fmax(shoulders, face), skull)
    return _cut_out(height, bgr, scale, (-left, top), in_colour)


def body_sprites(person: Person, sun: tuple[float, float], px_per_m: float, in_colour: bool) -> BodySprites:
    """Model one player; `sun` is the direction of the light in the player's own picture."""
    scale = px_per_m * 1.15 / 1000
    light = (sun[0] * 1.6, sun[1] * 1.6)
    return BodySprites(
        {hand: _hand(person, light, scale, hand, 0.0, in_colour) for hand in Hand},
        {hand: _hand(person, light, scale, hand, 0.35, in_colour) for hand in Hand},
        _forearm(person, light, scale, in_colour),
        _upper_arm(person, light, scale, in_colour),
        _head(person, light, scale * 0.8, in_colour),
    )
