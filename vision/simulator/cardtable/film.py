"""A script as a camera sees it: one picture for every instant at which a frame arrives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from vision.plane.printed_table import PrintedTable
from vision.simulator.cardtable.arms import Arm, Arms, arm_at
from vision.simulator.cardtable.card_set import CardSet
from vision.simulator.cardtable.looks import Look
from vision.simulator.cardtable.script import Script
from vision.simulator.cardtable.surface import Surface
from vision.simulator.drawing.camera import Camera
from vision.simulator.drawing.floors import floor_picture, light_picture
from vision.simulator.drawing.paths import Floats
from vision.simulator.drawing.sensor import Sensor, frame_times
from vision.simulator.drawing.shutter import Shutter
from vision.simulator.drawing.sprites import Box, Canvas, Pixels


class Film:
    """Draws a script.

    `camera`: how the table appears in the picture; the exact truth for corners.

    Parameters
    ----------
    seed : for camera, light and noise.
    size_px : width and height of the pictures.
    fps : pictures a second.
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
