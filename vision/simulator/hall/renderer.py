"""Draw episodes as a camera exposes them: row by row, over its exposure time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from referee.facts import Hand
from referee.layout import Layout
from referee.sides import BySide, Side
from vision.simulator.drawing.camera import Camera
from vision.simulator.drawing.floors import floor_picture, light_picture
from vision.simulator.drawing.paths import Floats
from vision.simulator.drawing.shutter import Shutter
from vision.simulator.drawing.sprites import Box, Canvas, Pixels, meet
from vision.simulator.drawing.style import Style
from vision.simulator.hall.people import People
from vision.simulator.hall.scene import Arm, Scene
from vision.simulator.hall.table import Table


@dataclass(frozen=True)
class _Cast:
    """Things drawn over the table."""

    cards: Sequence[int]
    arms: Sequence[Arm]
    heads: BySide[Floats]


@dataclass(frozen=True)
class _Haste:
    """Things that move visibly within one exposure, and how many samples show it smoothly."""

    arms: frozenset[tuple[Side, Hand]]
    cards: frozenset[int]
    samples: int


class Renderer:
    """Draws what a camera sees, before the sensor's noise.

    `rng`: determines the pattern of the floor. `in_colour`: draw blue-green-red instead of gray.
    """

    def __init__(
        self,
        style: Style,
        camera: Camera,
        shutter: Shutter,
        rng: np.random.Generator,
        *,
        in_colour: bool = False,
    ) -> None:
        self.camera = camera
        self._shutter = shutter
        self._in_colour = in_colour
        floor = floor_picture(style, camera, rng)
        if not in_colour:
            floor = np.asarray(cv2.cvtColor(floor, cv2.COLOR_BGR2GRAY), np.uint8)
        self._table = Table(floor, style, camera)
        self._people = People(style, camera, light_picture(style, camera), in_colour=in_colour)
        self._still_key: tuple[int, bytes] = (-1, b"")
        self._still: Pixels | None = None

    def lay(self, layout: Layout) -> None:
        """Put the cards of a layout on a bare table."""
        self._table.lay(layout)

    def remove(self, card: int) -> None:
        """Take a card off the table for good."""
        self._table.remove(card)

    def draw(self, scene: Scene, t_s: float) -> Pixels:
        """Draw the frame whose middle row is exposed around `t_s`; do not modify the result."""
        reach_s = self._shutter.reach_s
        moving = scene.moving_cards(t_s - reach_s, t_s + reach_s)
        self._table.settle(scene, moving, t_s, t_s + reach_s)
        leans = scene.leans(t_s)
        arms = scene.arms(t_s, leans)
        heads = BySide.of(lambda side: scene.head(side, leans[side]))
        places = [np.concatenate([arm.fingers, arm.wrist, arm.shoulder]) for arm in arms]
        key = self._table.changes, np.concatenate([*places, heads.near, heads.far]).tobytes()
        if not moving and self._still is not None and key == self._still_key:
            return self._still
        haste = self._haste(scene, moving, t_s)
        shade = self._people.shade(arms, heads)
        steady = _Cast(
            [card for card in moving if card not in haste.cards],
            [arm for arm in arms if (arm.side, arm.hand) not in haste.arms],
            heads,
        )
        picture = self._compose(Canvas(self._table.pixels), shade, scene, t_s, steady)
        if haste.samples > 1:
            times = t_s + ((np.arange(haste.samples) + 0.5) / haste.samples * 2 - 1) * reach_s
            shots = {float(time): _Cast(moving, scene.arms(float(time), leans), heads) for time in times}
            self._blur(picture, shade, scene, t_s=t_s, haste=haste, shots=shots)
        self._still, self._still_key = (None, (-1, b"")) if moving else (picture, key)
        return picture

    def _haste(self, scene: Scene, moving: Sequence[int], t_s: float) -> _Haste:
        """Find what moves visibly during the exposure."""
        ends_s = t_s + np.array([-1.0, 1.0]) * self._shutter.reach_s
        density = self.camera.px_per_m
        fastest_px = 0.0
        arms = set()
        slow_px = 0.8  # smaller motions during the exposure are drawn sharp
        for key, path in scene.episode.paths.items():
            first, last = path.at(ends_s)
            way_px = (float(np.hypot(*(last - first)[:2])) + abs(float(last[3] - first[3])) * 0.1) * density
            if way_px > slow_px:
                arms.add(key)
                fastest_px = max(fastest_px, way_px)
        cards = set()
        seen_m = 1.0  # cards farther from the centre are outside any picture
        for card in moving:
            first, last = scene.card_pose(card, float(ends_s[0])), scene.card_pose(card, float(ends_s[1]))
            if min(np.abs(first[:2]).max(), np.abs(last[:2]).max()) < seen_m:
                cards.add(card)
                fastest_px = max(fastest_px, float(np.hypot(*(last - first)[:2])) * density)
        sample_px = 2.5  # farthest motion between two samples of the exposure
        most_samples = 14
        samples = int(np.clip(np.ceil(fastest_px / sample_px), 2, most_samples)) if arms or cards else 1
        return _Haste(frozenset(arms), frozenset(cards), samples)

    def _compose(self, table: Canvas, shade: Pixels, scene: Scene, t_s: float, cast: _Cast) -> Pixels:
        """Draw cards, arms and heads over a part of the table, lit."""
        rows, columns = table.pixels.shape[:2]
        lit = shade[table.top : table.top + rows, table.left : table.left + columns]
        if self._in_colour:
            lit = np.asarray(cv2.merge([lit, lit, lit]), np.uint8)
        under = table
        if cast.cards:
            under = Canvas(table.pixels.copy(), table.left, table.top)
            for card in cast.cards:
                self._table.stamp_card(under, card, scene.card_pose(card, t_s))
        picture = np.asarray(cv2.multiply(under.pixels, lit, scale=1 / 255), np.uint8)
        canvas = Canvas(picture, table.left, table.top)
        for arm in cast.arms:
            self._people.stamp_arm(canvas, arm)
        for side, head in cast.heads.items():
            self._people.stamp_head(canvas, side, head)
        return picture

    def _blur(
        self,
        picture: Pixels,
        shade: Pixels,
        scene: Scene,
        *,
        t_s: float,
        haste: _Haste,
        shots: dict[float, _Cast],
    ) -> None:
        """Replace moving parts by their mean over each row's exposure; `shots` maps instants to casts."""
        times = np.array([*shots])
        boxes = [
            self._people.arm_box(arm)
            for cast in shots.values()
            for arm in cast.arms
            if (arm.side, arm.hand) in haste.arms
        ]
        boxes += [self._table.card_box(scene.card_pose(card, time)) for card in haste.cards for time in shots]
        for left, top, right, bottom in _merged(boxes, self.camera.width_px, self.camera.height_px):
            lines = np.arange(top, bottom, dtype=np.float64)
            weights = self._shutter.row_weights(times, t_s, lines, self.camera.height_px)
            total = np.zeros(picture[top:bottom, left:right].shape, np.float32)
            for (time, cast), weight in zip(shots.items(), weights.astype(np.float32), strict=True):
                lit_rows = np.flatnonzero(weight)
                if not len(lit_rows):
                    continue
                first = int(lit_rows[0])
                rows = slice(first, int(lit_rows[-1]) + 1)
                under = Canvas(self._table.pixels[top:bottom, left:right][rows], left, top + first)
                shot = self._compose(under, shade, scene, time, cast)
                total[rows] += shot * weight[rows].reshape((-1, 1, 1) if self._in_colour else (-1, 1))
            picture[top:bottom, left:right] = np.rint(total)


def _merged(boxes: Sequence[Box], width: int, height: int) -> list[Box]:
    """Merge overlapping boxes, clipped to the picture."""
    joined: list[Box] = []
    for box in boxes:
        cut = max(box[0], 0), max(box[1], 0), min(box[2], width), min(box[3], height)
        if cut[0] >= cut[2] or cut[1] >= cut[3]:
            continue
        while (hit := next((other for other in joined if meet(cut, other)), None)) is not None:
            joined.remove(hit)
            cut = min(cut[0], hit[0]), min(cut[1], hit[1]), max(cut[2], hit[2]), max(cut[3], hit[3])
        joined.append(cut)
    return joined
