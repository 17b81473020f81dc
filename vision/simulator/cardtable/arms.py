"""The hands and forearms that reach over a card table, from any of its edges, with their shadows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.plane.printed_table import Edge
from vision.simulator.drawing.body import FOREARM_M, UPPER_ARM_M, WRIST_BEHIND_M, BodySprites, body_sprites
from vision.simulator.drawing.camera import Camera
from vision.simulator.drawing.paths import Floats
from vision.simulator.drawing.soft_light import SMALLER, SoftLight, softened, thick_line
from vision.simulator.drawing.sprites import Box, Canvas, Pixels, box_around, stamp_along
from vision.simulator.drawing.style import Style

_SHADOWS: Final = ((0, 1, 0.075), (1, 2, 0.07), (2, 3, 0.1))  # from joint, to joint, width in metres


@dataclass(frozen=True)
class Arm:
    """One arm: fingers, wrist, elbow and shoulder as rows x, y, height, metres from the table's centre."""

    owner: int
    joints: Floats

    @property
    def direction(self) -> Floats:
        """Direction of the fingers, (2,), length 1."""
        way = self.joints[0, :2] - self.joints[1, :2]
        return np.asarray(way / np.hypot(*way))


def arm_at(owner: int, edge: Edge, edge_m: float, fingers_m: Floats) -> Arm:
    """Return the arm with fingers at x, y, height, from a player's edge `edge_m` off the table's centre."""
    ahead, right = edge.ahead, edge.right
    # To the right of the hand's path, ahead of the table's edge, above the table.
    shoulder_m = (0.15, -0.42, 0.36)
    sideways = float(fingers_m[:2] @ right) * 0.6 + shoulder_m[0]
    shoulder = np.array([*(right * sideways - ahead * (edge_m - shoulder_m[1])), shoulder_m[2]])
    way = shoulder[:2] - fingers_m[:2]
    # fingers point ahead rather than away from the shoulder
    back = way / np.hypot(*way) * 0.5 - ahead * 0.5
    back /= np.hypot(*back)
    wrist = np.array([*(fingers_m[:2] + back * WRIST_BEHIND_M), fingers_m[2] + 0.035])
    rest = shoulder - wrist
    spare = max(0.0, (FOREARM_M + UPPER_ARM_M) ** 2 - float(rest @ rest))
    bend = min(0.4 * np.sqrt(spare), 0.13)
    share = FOREARM_M / (FOREARM_M + UPPER_ARM_M)
    elbow = wrist + rest * share + np.array([*(right * bend), 0.0])
    return Arm(owner, np.stack([fingers_m, wrist, elbow, shoulder]))


class Arms:
    """Draws arms and their shadows.

    Parameters
    ----------
    hall : its two people alternate around the table.
    light : light on each pixel, 0..1, shape (height, width).
    edges : from which each seat's hand comes in.
    """

    def __init__(self, hall: Style, camera: Camera, light: Floats, edges: Sequence[Edge]) -> None:
        self._camera = camera
        self._shadow, self._sun = hall.shadow, np.array(hall.sun)
        self._light = SoftLight(camera, light)
        self._bodies: dict[int, BodySprites] = {}
        for owner, edge in enumerate(edges):
            own = np.array([edge.right, -edge.ahead]) @ self._sun  # the sun as this player sees it
            person = (hall.near, hall.far)[owner % 2]
            sun = float(own[0]), float(own[1])
            self._bodies[owner] = body_sprites(person, sun, camera.px_per_m, in_colour=True)

    def stamp(self, canvas: Canvas, arm: Arm) -> None:
        if canvas.part(*self.box(arm)) is None:
            return
        body = self._bodies[arm.owner]
        tip = arm.joints[0] + np.array([*(arm.direction * 0.1), 0.0])
        points = self._camera.to_image(np.vstack([arm.joints, tip]))
        light = self._light.at(points[0])
        stamp_along(canvas, body.right_hand, points[0], (points[4] - points[0]) / 0.1, light=light)
        for sprite, start, end, length_m in (
            (body.upper_arm, 2, 3, UPPER_ARM_M),
            (body.forearm, 1, 2, FOREARM_M),
        ):
            across = self._camera.px_per_m_at(float(arm.joints[start, 2] + arm.joints[end, 2]) / 2)
            along = (points[start] - points[end]) / length_m
            stamp_along(canvas, sprite, points[start], along, across=across, light=light)

    def box(self, arm: Arm) -> Box:
        """Return the pixels that an arm can cover."""
        reach_m = 0.13
        return box_around(self._camera.to_image(arm.joints), reach_m * self._camera.px_per_m_at(0.25))

    def shade(self, arms: Sequence[Arm]) -> Pixels:
        """Return the light that reaches the table, shape (height, width), 255 for full light."""
        dark = np.zeros(self._light.shape, np.uint8)
        scale = self._camera.px_per_m / SMALLER
        for arm in arms:
            fallen = arm.joints.copy()
            fallen[:, :2] += self._sun * arm.joints[:, 2:]
            fallen[:, 2] = 0.0
            seen = self._camera.to_image(fallen) / SMALLER
            for start, end, wide_m in _SHADOWS:
                thick_line(dark, seen[start], seen[end], wide_m * scale, 255)
        return self._light.left_by(np.float32(self._shadow / 255) * softened(dark, 0.02 * scale))
