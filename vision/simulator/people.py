"""Draws arms, heads and the shadows they throw."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from referee.facts import Hand
from referee.sides import BySide, Side
from vision.simulator.body import FOREARM_M, UPPER_ARM_M, body_sprites
from vision.simulator.camera import Camera
from vision.simulator.paths import Floats
from vision.simulator.scene import Arm
from vision.simulator.sprites import Box, Canvas, Pixels, stamp_along
from vision.simulator.style import Style

_SHADE_SCALE = 4
"""Shadows are soft: they are drawn this much smaller."""
_ARM_REACH_M = 0.125
_HEAD_REACH_M = 0.3
_SHADOW_LINES = ((0, 1, 0.085, 1.0), (1, 2, 0.075, 0.8), (2, 3, 0.12, 0.6))
"""From joint, to joint, width in metres, darkness: hand, forearm, upper arm."""


class People:
    """The two players as the camera sees them.

    Parameters
    ----------
    light : how bright each pixel is lit, 0..1, shape (height, width).
    """

    def __init__(self, style: Style, camera: Camera, light: Floats, *, in_colour: bool) -> None:
        self._camera = camera
        self._shadow, self._sun = style.shadow, np.array(style.sun)
        small = (camera.width_px // _SHADE_SCALE, camera.height_px // _SHADE_SCALE)
        self._light = np.asarray(cv2.resize(light, small, interpolation=cv2.INTER_AREA), np.float32)
        self._bodies = BySide.of(
            lambda side: body_sprites(
                style.near if side is Side.NEAR else style.far,
                style.sun if side is Side.NEAR else (-style.sun[0], -style.sun[1]),
                camera.px_per_m,
                in_colour=in_colour,
            )
        )

    def stamp_arm(self, canvas: Canvas, arm: Arm) -> None:
        """Draw a hand and its arm."""
        if canvas.part(*self.arm_box(arm)) is None:
            return
        body = self._bodies[arm.side]
        ahead = np.array([np.sin(arm.angle), -np.cos(arm.angle)]) * 0.1
        tip = np.array([arm.fingers[0] + ahead[0], arm.fingers[1] + ahead[1], arm.fingers[2]])
        points = self._camera.to_image(np.stack([arm.fingers, arm.wrist, arm.elbow, arm.shoulder, tip]))
        light = self._light_at(points[0])
        hands = body.hands if arm.hand is Hand.RIGHT else body.leaning_hands
        right = self._camera.right_px(arm.fingers, arm.angle)
        along = (points[4] - points[0]) / 0.1
        stamp_along(canvas, hands[arm.hand], points[0], along, right=right, light=light)
        limbs = (
            (body.upper_arm, 2, 3, UPPER_ARM_M, arm.elbow[2] + arm.shoulder[2]),
            (body.forearm, 1, 2, FOREARM_M, arm.wrist[2] + arm.elbow[2]),
        )
        for sprite, start, end, length_m, heights in limbs:
            along = (points[start] - points[end]) / length_m
            middle_m = (arm.wrist if start == 1 else arm.shoulder)[:2]
            across = self._camera.px_per_m_at(float(heights) / 2, middle_m)
            stamp_along(canvas, sprite, points[start], along, across=across, light=light)

    def stamp_head(self, canvas: Canvas, side: Side, head: Floats) -> None:
        """Draw a head with its shoulders."""
        at = self._camera.to_image(head[None])[0]
        density = self._camera.px_per_m_at(float(head[2]), head[:2])
        reach = _HEAD_REACH_M * density
        box = int(at[0] - reach), int(at[1] - reach), int(at[0] + reach), int(at[1] + reach)
        if canvas.part(*box) is not None:
            ahead = np.array([0.0, -density if side is Side.NEAR else density])
            right = self._camera.right_px(head, 0.0 if side is Side.NEAR else np.pi)
            if right is not None:  # a head is round: it stays as long as it is wide
                ahead = np.array([right[1], -right[0]]) * density / max(float(np.hypot(*right)), 1e-6)
                right = None
            stamp_along(canvas, self._bodies[side].head, at, ahead, light=self._light_at(at))

    def arm_box(self, arm: Arm) -> Box:
        """Return the pixels that an arm can cover."""
        ends = self._camera.to_image(np.stack([arm.fingers, arm.wrist, arm.elbow, arm.shoulder]))
        reach = _ARM_REACH_M * self._camera.px_per_m_at(0.25)
        left, top = ends.min(axis=0) - reach
        right, bottom = ends.max(axis=0) + reach
        return int(left), int(top), int(right) + 1, int(bottom) + 1

    def shade(self, arms: Sequence[Arm], heads: BySide[Floats]) -> Pixels:
        """Return the light that reaches the table, shape (height, width), 255 = all of it."""
        rows, columns = self._light.shape
        dark = np.zeros((rows, columns), np.uint8)
        soft = np.zeros((rows // 4, columns // 4), np.uint8)
        scale = self._camera.px_per_m / _SHADE_SCALE
        for arm in arms:
            joints = np.stack([arm.fingers, arm.wrist, arm.elbow, arm.shoulder])
            fallen = np.column_stack([joints[:, :2] + self._sun * joints[:, 2:], np.zeros(4)])
            seen = self._camera.to_image(fallen) / _SHADE_SCALE
            for start, end, wide_m, depth in _SHADOW_LINES:
                _thick_line(dark, seen[start], seen[end], wide_m * scale, round(255 * depth))
        for side, head in heads.items():
            neck = np.array([*(head[:2] + self._sun * head[2]), 0.0])
            back = neck + np.array([0.0, 0.25 if side is Side.NEAR else -0.25, 0.0])
            seen = self._camera.to_image(np.stack([neck, back])) / (_SHADE_SCALE * 4)
            _thick_line(soft, seen[0], seen[1], 0.36 * scale / 4, 255)
        edge = max(3, int(0.022 * scale) | 1)
        arms_dark = cv2.blur(cv2.blur(dark, (edge, edge)), (edge, edge))
        soft_edge = max(3, int(0.11 * scale / 4) | 1)
        bodies_dark = cv2.resize(
            cv2.blur(cv2.blur(soft, (soft_edge, soft_edge)), (soft_edge, soft_edge)), (columns, rows)
        )
        share = np.float32(self._shadow / 255)
        lit = self._light * (1 - share * arms_dark) * (1 - np.float32(0.7) * share * bodies_dark) * 255
        size = (self._camera.width_px, self._camera.height_px)
        return np.asarray(cv2.resize(lit.astype(np.uint8), size, interpolation=cv2.INTER_LINEAR), np.uint8)

    def _light_at(self, at_px: Floats) -> float:
        rows, columns = self._light.shape
        x = min(max(int(at_px[0] / _SHADE_SCALE), 0), columns - 1)
        y = min(max(int(at_px[1] / _SHADE_SCALE), 0), rows - 1)
        return float(self._light[y, x])


def _thick_line(picture: Pixels, start: Floats, end: Floats, wide: float, value: int) -> None:
    x0, y0, x1, y1 = (round(float(number) * 16) for number in (*start, *end))
    cv2.line(picture, (x0, y0), (x1, y1), value, max(1, round(wide)), cv2.LINE_AA, 4)
