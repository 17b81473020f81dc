"""Draw episodes as a camera exposes them: row by row, over its exposure time."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.facts import Hand
from referee.sides import BySide, Side
from vision.simulator.drawing.body import body_sprites, stamp_arm
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
from vision.simulator.drawing.sensor import Shutter
from vision.simulator.drawing.sprites import Box, Canvas, Pixels, box_around, meet, stamp_along
from vision.simulator.drawing.style import Style
from vision.simulator.hall.scene import Arm, Scene
from vision.simulator.hall.table import Table

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
        hand = body.right_hand if arm.hand is Hand.RIGHT else body.left_hand
        right, camera = self._camera.right_px(arm.fingers, arm.angle), self._camera
        stamp_arm(canvas, arm.joints, tip, hand, right, camera=camera, light=self._light, body=body)

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
        arm_reach_m = 0.125
        return box_around(self._camera.to_image(arm.joints), arm_reach_m * self._camera.px_per_m_at(0.25))

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
            seen = fallen_px(self._camera, arm.joints, sun)
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


@dataclass(frozen=True)
class _Cast:
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
        self.table = Table(floor, style, camera)
        self._people = People(style, camera, light_picture(style, camera), in_colour=in_colour)
        self._still_key: tuple[int, bytes] = (-1, b"")
        self._still: Pixels | None = None

    def draw(self, scene: Scene, t_s: float) -> Pixels:
        """Draw the frame whose middle row is exposed around `t_s`; do not modify the result."""
        reach_s = self._shutter.reach_s
        moving = scene.moving_cards(t_s - reach_s, t_s + reach_s)
        self.table.settle(scene, moving, t_s, t_s + reach_s)
        leans = scene.leans(t_s)
        arms = scene.arms(t_s, leans)
        heads = BySide.of(lambda side: scene.head(side, leans[side]))
        places = [np.concatenate([arm.fingers, arm.wrist, arm.shoulder]) for arm in arms]
        key = self.table.changes, np.concatenate([*places, heads.near, heads.far]).tobytes()
        if not moving and self._still is not None and key == self._still_key:
            return self._still
        haste = self._haste(scene, moving, t_s)
        shade = self._people.shade(arms, heads)
        steady = _Cast(
            [card for card in moving if card not in haste.cards],
            [arm for arm in arms if (arm.side, arm.hand) not in haste.arms],
            heads,
        )
        picture = self._compose(Canvas(self.table.pixels), shade, scene, t_s, steady)
        if haste.samples > 1:
            times = t_s + ((np.arange(haste.samples) + 0.5) / haste.samples * 2 - 1) * reach_s
            shots = {float(time): _Cast(moving, scene.arms(float(time), leans), heads) for time in times}
            self._blur(picture, shade, scene, t_s=t_s, haste=haste, shots=shots)
        self._still, self._still_key = (None, (-1, b"")) if moving else (picture, key)
        return picture

    def _haste(self, scene: Scene, moving: Sequence[int], t_s: float) -> _Haste:
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
                self.table.stamp_card(under, card, scene.card_pose(card, t_s))
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
        boxes += [self.table.card_box(scene.card_pose(card, time)) for card in haste.cards for time in shots]
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
                under = Canvas(self.table.pixels[top:bottom, left:right][rows], left, top + first)
                shot = self._compose(under, shade, scene, time, cast)
                total[rows] += shot * weight[rows].reshape((-1, 1, 1) if self._in_colour else (-1, 1))
            picture[top:bottom, left:right] = np.rint(total)


def _merged(boxes: Sequence[Box], width: int, height: int) -> list[Box]:
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
