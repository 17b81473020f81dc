"""A script as a camera sees it: one picture for every instant at which a frame arrives."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.plane.printed_table import Edge, PrintedTable
from vision.simulator.cardtable.looks import Look
from vision.simulator.cardtable.script import Script
from vision.simulator.cardtable.surface import CardSet, Surface
from vision.simulator.drawing.body import (
    FOREARM_M,
    UPPER_ARM_M,
    WRIST_BEHIND_M,
    BodySprites,
    body_sprites,
    stamp_arm,
)
from vision.simulator.drawing.camera import Camera
from vision.simulator.drawing.floors import (
    SMALLER,
    SoftLight,
    fallen_px,
    floor_picture,
    light_picture,
    softened,
    thick_line,
)
from vision.simulator.drawing.paths import Floats
from vision.simulator.drawing.sensor import Sensor, Shutter, frame_times
from vision.simulator.drawing.sprites import Box, Canvas, Pixels, box_around
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

    `hall`: its two people alternate around the table. `light`: light on each pixel, 0..1, shape (height,
    width). `edges`: from which each seat's hand comes in.
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
        hand, camera, light = body.right_hand, self._camera, self._light
        stamp_arm(canvas, arm.joints, tip, hand, camera=camera, light=light, body=body)

    def box(self, arm: Arm) -> Box:
        """Return the pixels that an arm can cover."""
        reach_m = 0.13
        return box_around(self._camera.to_image(arm.joints), reach_m * self._camera.px_per_m_at(0.25))

    def shade(self, arms: Sequence[Arm]) -> Pixels:
        """Return the light that reaches the table, shape (height, width), 255 for full light."""
        dark = np.zeros(self._light.shape, np.uint8)
        scale = self._camera.px_per_m / SMALLER
        for arm in arms:
            seen = fallen_px(self._camera, arm.joints, self._sun)
            for start, end, wide_m in _SHADOWS:
                thick_line(dark, seen[start], seen[end], wide_m * scale, 255)
        return self._light.left_by(np.float32(self._shadow / 255) * softened(dark, 0.02 * scale))


class Film:
    """Draws a script.

    `camera`: how the table appears in the picture; the exact truth for corners.

    `seed`: for camera, light and noise. `size_px`: width and height of the pictures. `fps`: pictures a
    second.
    """

    def __init__(
        self,
        script: Script,
        cards: CardSet,
        zones: PrintedTable,
        look: Look,
        *,
        seed: int,
        size_px: tuple[int, int] = (1280, 720),
        fps: float = 30.0,
    ) -> None:
        self.script, self.fps, self.size_px = script, fps, size_px
        self._hall = look.hall
        rng = np.random.default_rng(seed)
        self._rng = rng
        self.camera: Camera = look.camera(rng, size_px, zones.size_mm)
        self._shutter = Shutter(float(rng.uniform(*look.hall.exposure_s)), 0.0)
        self._sensor = Sensor(look.hall, size_px, self._shutter, rng, in_colour=True)
        light = light_picture(look.hall, self.camera) * _shadow_edge(rng, size_px, look.shade)
        bare = floor_picture(look.hall, self.camera, rng)
        tint = 1 + rng.normal(0, look.warm, 3)
        blur = look.hall.defocus_px
        self.surface = Surface(bare, zones, cards, self.camera, blur_px=blur, tint=tint)
        self._edges = zones.edges
        self._arms = Arms(look.hall, self.camera, light, self._edges)
        self._half_m = np.array(zones.size_mm) / 2000
        self._rest_key: tuple[object, ...] = ()
        self._resting: Pixels | None = None
        self._plain_shade = self._arms.shade([])
        self._still_key: tuple[object, ...] = ()
        self._still: Pixels | None = None

    def pictures(self) -> Iterator[tuple[int, Pixels]]:
        """Yield the film: instant in nanoseconds and picture, shape (height, width, 3), blue, green, red."""
        for t_s in frame_times(self.fps, self._hall, self._shutter, self._rng):
            if t_s > self.script.length_s:
                return
            yield round(t_s * 1e9), self.picture(t_s)

    def picture(self, t_s: float) -> Pixels:
        """Return what the camera delivers at `t_s`."""
        return self._sensor.expose(self.draw(t_s), t_s)

    def draw(self, t_s: float) -> Pixels:
        """Return the picture at `t_s` without the sensor's noise; do not modify it."""
        reach_s = self._shutter.reach_s
        moving = [
            card
            for card, track in self.script.cards_at(t_s).items()
            if track.is_there(t_s) and track.is_moving(t_s - reach_s, t_s + reach_s)
        ]
        arms = self.arms_at(t_s)
        table, key = self._table(t_s, moving)
        if not moving and not arms:
            if self._still is None or self._still_key != key:
                self._still = self._lit(table, self._plain_shade)
                self._still_key = key
            return self._still
        shade = self._arms.shade(arms) if arms else self._plain_shade
        picture = self._compose(Canvas(table), shade, t_s, moving, arms)
        samples, box = self._haste(t_s, moving)
        if samples > 1 and box is not None:
            part = Canvas(table).part(*box)
            if part is not None:
                rows, columns = part.pixels.shape[:2]
                total = np.zeros(part.pixels.shape, np.float32)
                for share in (np.arange(samples) + 0.5) / samples * 2 - 1:
                    then = t_s + share * self._shutter.exposure_s / 2
                    total += self._compose(part, shade, then, moving, self.arms_at(then))
                inside = picture[part.top : part.top + rows, part.left : part.left + columns]
                inside[:] = np.rint(total / samples)
        return picture

    def _table(self, t_s: float, moving: Sequence[int]) -> tuple[Pixels, tuple[object, ...]]:
        """Return the table with everything that rests, and a key that identifies this state."""
        cards = self.script.cards_at(t_s)
        resting = [
            (track.rested_at(t_s), card)
            for card, track in cards.items()
            if track.is_there(t_s) and card not in moving
        ]
        stock = self.script.stock_at(t_s)
        key = (stock, *sorted(resting))
        if self._resting is None or key != self._rest_key:
            poses = [(card, cards[card].at(t_s)) for _, card in sorted(resting)]
            self._resting, self._rest_key = self.surface.draw(poses, stock), key
        return self._resting, key

    def _compose(
        self, table: Canvas, shade: Pixels, t_s: float, moving: Sequence[int], arms: Sequence[Arm]
    ) -> Pixels:
        rows, columns = table.pixels.shape[:2]
        under = Canvas(table.pixels.copy() if moving else table.pixels, table.left, table.top)
        cards = self.script.cards_at(t_s)
        for card in sorted(moving, key=lambda card: cards[card].rested_at(t_s)):
            self.surface.stamp_card(under, card, cards[card].at(t_s))
        picture = self._lit(
            under.pixels, shade[table.top : table.top + rows, table.left : table.left + columns]
        )
        canvas = Canvas(picture, table.left, table.top)
        for arm in arms:
            self._arms.stamp(canvas, arm)
        return picture

    @staticmethod
    def _lit(pixels: Pixels, shade: Pixels) -> Pixels:
        return np.asarray(cv2.multiply(pixels, cv2.merge([shade, shade, shade]), scale=1 / 255), np.uint8)

    def arms_at(self, t_s: float) -> list[Arm]:
        seen = []
        for owner, track in self.script.hands.items():
            pose = track.at(t_s)
            fingers = np.array([*self.surface.to_metres(pose[:2]), pose[3] / 1000])
            edge = self._edges[owner]
            edge_m = float(abs(edge.ahead) @ self._half_m)
            arm = arm_at(owner, edge, edge_m, fingers)
            left, top, right, bottom = self._arms.box(arm)
            if left < self.size_px[0] and top < self.size_px[1] and right > 0 and bottom > 0:
                tip = self.camera.to_image(fingers[None])[0]
                if (tip > -60).all() and tip[0] < self.size_px[0] + 60 and tip[1] < self.size_px[1] + 60:
                    seen.append(arm)
        return seen

    def _haste(self, t_s: float, moving: Sequence[int]) -> tuple[int, Box | None]:
        """Return how many samples show the motion within an exposure smoothly, and the motion's box."""
        half_s = self._shutter.exposure_s / 2
        fastest_px = 0.0
        boxes = []
        cards = self.script.cards_at(t_s)
        for card in moving:
            track = cards[card]
            ends = [self.surface.corners_px(track.at(t_s + way_s)) for way_s in (-half_s, half_s)]
            fastest_px = max(fastest_px, float(np.abs(ends[1] - ends[0]).max()))
            both = np.vstack(ends)
            boxes.append((*(both.min(axis=0) - 5), *(both.max(axis=0) + 6)))
        before, after = self.arms_at(t_s - half_s), self.arms_at(t_s + half_s)
        if len(before) == len(after):
            for first, last in zip(before, after, strict=True):
                way_m = float(np.abs(last.joints[0] - first.joints[0]).max())
                if way_m * self.camera.px_per_m > 0.5:
                    fastest_px = max(fastest_px, way_m * self.camera.px_per_m)
                    boxes += [self._arms.box(first), self._arms.box(last)]
        sample_px = 3.0  # farthest motion between two samples of the exposure
        most_samples = 5
        samples = int(np.clip(np.ceil(fastest_px / sample_px), 1, most_samples))
        if not boxes:
            return 1, None
        spread = np.array(boxes)
        left, top = np.floor(spread[:, :2].min(axis=0)).astype(int)
        right, bottom = np.ceil(spread[:, 2:].max(axis=0)).astype(int)
        return samples, (int(left), int(top), int(right), int(bottom))


def _shadow_edge(rng: np.random.Generator, size_px: tuple[int, int], shade: tuple[float, float]) -> Floats:
    """Return the light beside a large object that blocks it: a straight, soft edge; (height, width)."""
    width, height = size_px
    angle, depth = rng.uniform(0, 2 * np.pi), rng.uniform(*shade)
    y, x = np.mgrid[0:height, 0:width]
    way = (x / width - 0.5) * np.cos(angle) + (y / width - 0.5 * height / width) * np.sin(angle)
    softness = rng.uniform(0.01, 0.08)
    return np.asarray(1 - depth / (1 + np.exp(-(way - rng.uniform(0.1, 0.35)) / softness)))
