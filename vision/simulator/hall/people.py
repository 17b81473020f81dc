"""Draw arms, heads and their shadows."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.facts import Hand
from referee.sides import BySide, Side
from vision.simulator.drawing.body import FOREARM_M, UPPER_ARM_M, body_sprites
from vision.simulator.drawing.camera import Camera
from vision.simulator.drawing.paths import Floats
from vision.simulator.drawing.soft_light import SMALLER, SoftLight, softened, thick_line
from vision.simulator.drawing.sprites import Box, Canvas, Pixels, box_around, stamp_along
from vision.simulator.drawing.style import Style
from vision.simulator.hall.scene import Arm

_SHADOW_LINES = ((0, 1, 0.085, 1.0), (1, 2, 0.075, 0.8), (2, 3, 0.12, 0.6))
"""From joint, to joint, width in metres, darkness: hand, forearm, upper arm."""


class People:
    """The two players as the camera sees them. `light`: light on each pixel, 0..1, shape (height, width)."""

    def __init__(self, style: Style, camera: Camera, light: Floats, *, in_colour: bool) -> None:
        self._camera = camera
        second, share = style.second_lamp
        self._lamps = [(np.array(style.sun), (1 - share) * style.shadow)]
        if share:
            self._lamps.append((np.array(second), share * style.shadow))
        self._light = SoftLight(camera, light)
        self._bodies = BySide.of(
            lambda side: body_sprites(
                style.near if side is Side.NEAR else style.far,
                style.sun if side is Side.NEAR else (-style.sun[0], -style.sun[1]),
                camera.px_per_m,
                in_colour=in_colour,
            )
        )

    def stamp_arm(self, canvas: Canvas, arm: Arm) -> None:
        if canvas.part(*self.arm_box(arm)) is None:
            return
        body = self._bodies[arm.side]
        ahead = np.array([np.sin(arm.angle), -np.cos(arm.angle)]) * 0.1
        tip = np.array([arm.fingers[0] + ahead[0], arm.fingers[1] + ahead[1], arm.fingers[2]])
        points = self._camera.to_image(np.stack([arm.fingers, arm.wrist, arm.elbow, arm.shoulder, tip]))
        light = self._light.at(points[0])
        hand = body.right_hand if arm.hand is Hand.RIGHT else body.left_hand
        right = self._camera.right_px(arm.fingers, arm.angle)
        along = (points[4] - points[0]) / 0.1
        stamp_along(canvas, hand, points[0], along, right=right, light=light)
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
        at = self._camera.to_image(head[None])[0]
        density = self._camera.px_per_m_at(float(head[2]), head[:2])
        head_reach_m = 0.3
        reach = head_reach_m * density
        box = int(at[0] - reach), int(at[1] - reach), int(at[0] + reach), int(at[1] + reach)
        if canvas.part(*box) is not None:
            ahead = np.array([0.0, -density if side is Side.NEAR else density])
            right = self._camera.right_px(head, 0.0 if side is Side.NEAR else np.pi)
            if right is not None:  # a head is round: it stays as long as it is wide
                ahead = np.array([right[1], -right[0]]) * density / max(float(np.hypot(*right)), 1e-6)
                right = None
            stamp_along(canvas, self._bodies[side].head, at, ahead, light=self._light.at(at))

    def arm_box(self, arm: Arm) -> Box:
        """Return the pixels that an arm can cover."""
        ends = self._camera.to_image(np.stack([arm.fingers, arm.wrist, arm.elbow, arm.shoulder]))
        arm_reach_m = 0.125
        return box_around(ends, arm_reach_m * self._camera.px_per_m_at(0.25))

    def shade(self, arms: Sequence[Arm], heads: BySide[Floats]) -> Pixels:
        """Return the light that reaches the table, shape (height, width), 255 for full light."""
        return self._light.left_by(
            *(shadow for sun, share in self._lamps for shadow in self._thrown(arms, heads, sun, share))
        )

    def _thrown(
        self, arms: Sequence[Arm], heads: BySide[Floats], sun: Floats, depth: float
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the share of a lamp's light that arms, and bodies, take away, each of the light's shape."""
        rows, columns = self._light.shape
        dark = np.zeros((rows, columns), np.uint8)
        times_smaller = 4  # heads are high above the table, so their shadows are drawn smaller by this again
        soft = np.zeros((rows // times_smaller, columns // times_smaller), np.uint8)
        scale = self._camera.px_per_m / SMALLER
        for arm in arms:
            joints = np.stack([arm.fingers, arm.wrist, arm.elbow, arm.shoulder])
            fallen = np.column_stack([joints[:, :2] + sun * joints[:, 2:], np.zeros(4)])
            seen = self._camera.to_image(fallen) / SMALLER
            for start, end, wide_m, darkness in _SHADOW_LINES:
                thick_line(dark, seen[start], seen[end], wide_m * scale, round(255 * darkness))
        for side, head in heads.items():
            neck = np.array([*(head[:2] + sun * head[2]), 0.0])
            back = neck + np.array([0.0, 0.25 if side is Side.NEAR else -0.25, 0.0])
            seen = self._camera.to_image(np.stack([neck, back])) / (SMALLER * times_smaller)
            thick_line(soft, seen[0], seen[1], 0.36 * scale / times_smaller, 255)
        arms_dark = softened(dark, 0.022 * scale)
        bodies_dark = cv2.resize(softened(soft, 0.11 * scale / times_smaller), (columns, rows))
        share = np.float32(depth / 255)
        return share * arms_dark, np.float32(0.7) * share * bodies_dark
