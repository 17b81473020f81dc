"""Draws episodes: a cached table with the resting cards, and on it only what moves."""

from __future__ import annotations

import cv2
import numpy as np

from referee.facts import Hand
from referee.layout import CARD_HEIGHT_M, CARD_WIDTH_M, Layout
from referee.sides import Side
from vision.simulator.body import FOREARM_M, UPPER_ARM_M, BodySprites, body_sprites
from vision.simulator.camera import Camera
from vision.simulator.floors import floor_picture, light_picture
from vision.simulator.paths import Floats
from vision.simulator.physics import picture_angle
from vision.simulator.scene import Arm, Scene
from vision.simulator.sprites import Canvas, Pixels, Sprite, stamp
from vision.simulator.style import Style
from vision.simulator.torifuda import card_sprite

Box = tuple[int, int, int, int]
"""left, top, right, bottom in pixels."""

_FINE = 2
_SAMPLE_PX = 2.5
"""Between two samples of the exposure nothing moves farther than this."""
_MOST_SAMPLES = 14
_SLOW_PX = 0.8
_SHADE_SCALE = 4


class Renderer:
    """Draws what a camera sees, without the sensor's noise.

    Parameters
    ----------
    style, camera : the hall and where its camera hangs.
    exposure_s, readout_s : how long a row is exposed, and how much later the last row is than the first.
    in_colour : draw blue-green-red instead of gray.
    """

    def __init__(
        self,
        style: Style,
        camera: Camera,
        exposure_s: float,
        readout_s: float,
        rng: np.random.Generator,
        *,
        in_colour: bool = False,
    ) -> None:
        self.camera = camera
        self._style = style
        self._in_colour = in_colour
        self._exposure_s, self._readout_s = exposure_s, readout_s
        floor = floor_picture(style, camera, rng)
        self._floor = floor if in_colour else np.asarray(cv2.cvtColor(floor, cv2.COLOR_BGR2GRAY), np.uint8)
        self._light = light_picture(style, camera)
        self._light_small = np.asarray(
            cv2.resize(
                self._light,
                (camera.width_px // _SHADE_SCALE, camera.height_px // _SHADE_SCALE),
                interpolation=cv2.INTER_AREA,
            ),
            np.float32,
        )
        self._cards: dict[int, Sprite] = {}
        self._bodies: dict[Side, BodySprites] = {}
        for side, person in ((Side.NEAR, style.near), (Side.FAR, style.far)):
            sign = 1 if side is Side.NEAR else -1
            sun = style.sun[0] * sign, style.sun[1] * sign
            self._bodies[side] = body_sprites(person, sun, camera.px_per_m, in_colour)
        self._table = self._floor.copy()
        self._resting: dict[int, Floats] = {}
        self._still_key: bytes = b""
        self._still: Pixels | None = None

    # --- the table -------------------------------------------------------------------------------------

    def lay(self, layout: Layout) -> None:
        """Put the cards of a layout on a bare table."""
        self._table = self._floor.copy()
        self._resting = {}
        for placed in layout:
            assert placed.card is not None
            pose = np.array([placed.x_m, placed.y_m, picture_angle(placed.side, placed.angle_rad), 0.0])
            self._resting[placed.card] = pose
            self._stamp_card(Canvas(self._table), placed.card, pose)

    def remove(self, card: int) -> None:
        """Take a card off the table for good."""
        pose = self._resting.pop(card, None)
        if pose is not None:
            self._redraw([self._card_box(pose)])

    def _settle(self, scene: Scene, moving: list[int], t_s: float) -> None:
        """Bring the cached table up to date: moving cards are not on it, cards at rest are."""
        dirty: list[Box] = []
        for card in scene.moved_since(t_s + self._window_s()):
            old = self._resting.get(card)
            if card in moving:
                if old is not None:
                    dirty.append(self._card_box(self._resting.pop(card)))
                continue
            pose = scene.card_pose(card, t_s)
            if old is None or not np.array_equal(old, pose):
                if old is not None:
                    dirty.append(self._card_box(old))
                    del self._resting[card]
                self._resting[card] = pose  # at the end: what moved last lies on top
                dirty.append(self._card_box(pose))
        if dirty:
            self._redraw(dirty)

    def _redraw(self, boxes: list[Box]) -> None:
        self._still = None
        for left, top, right, bottom in boxes:
            part = Canvas(self._table).part(left, top, right, bottom)
            if part is None:
                continue
            rows, columns = part.pixels.shape[:2]
            part.pixels[:] = self._floor[part.top : part.top + rows, part.left : part.left + columns]
            for card, pose in self._resting.items():
                if _meet(self._card_box(pose), (left, top, right, bottom)):
                    self._stamp_card(part, card, pose)

    def _card_box(self, pose: Floats) -> Box:
        middle = self.camera.to_image(np.array([[pose[0], pose[1], pose[3]]]))[0]
        reach = 0.05 * self.camera.px_per_m_at(float(pose[3])) + 3
        return (
            int(middle[0] - reach),
            int(middle[1] - reach),
            int(middle[0] + reach) + 1,
            int(middle[1] + reach) + 1,
        )

    def _stamp_card(self, canvas: Canvas, card: int, pose: Floats) -> None:
        if card not in self._cards:
            density = self.camera.px_per_m * _FINE
            self._cards[card] = card_sprite(card, self._style, density, self._in_colour)
        sprite = self._cards[card]
        cos, sin = np.cos(pose[2]), np.sin(pose[2])
        half = np.array([CARD_WIDTH_M, CARD_HEIGHT_M]) / 2
        signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64)
        ground = pose[:2] + (signs * half) @ np.array([[cos, sin], [-sin, cos]])
        seen = self.camera.to_image(np.column_stack([ground, np.full(4, pose[3])]))
        origin = np.array(sprite.origin_px)
        source = origin + signs * half * sprite.px_per_m
        matrix = cv2.getPerspectiveTransform(source.astype(np.float32), seen.astype(np.float32))
        stamp(canvas, sprite, np.asarray(matrix), fine=_FINE)

    # --- frames ----------------------------------------------------------------------------------------

    def _window_s(self) -> float:
        return (self._exposure_s + self._readout_s) / 2

    def draw(self, scene: Scene, t_s: float) -> Pixels:
        """Draw the frame whose middle row is exposed around `t_s`. The result must not be changed."""
        reach_s = self._window_s()
        moving = scene.moving_cards(t_s - reach_s, t_s + reach_s)
        self._settle(scene, moving, t_s)
        arms = scene.arms(t_s)
        heads = {side: scene.head(side, t_s) for side in Side}
        key = b"".join(
            [
                *(arm.fingers.tobytes() + arm.elbow.tobytes() for arm in arms),
                *(h.tobytes() for h in heads.values()),
            ]
        )
        if not moving and self._still is not None and key == self._still_key:
            return self._still
        fast_arms, fast_cards, samples = self._speeds(scene, moving, t_s)
        shade = self._shade(arms, heads)
        picture = self._compose(
            Canvas(self._table),
            shade,
            scene,
            t_s,
            [card for card in moving if card not in fast_cards],
            [arm for arm in arms if (arm.side, arm.hand) not in fast_arms],
            heads,
        )
        if samples > 1:
            self._blur(picture, shade, scene, t_s, moving, fast_arms, fast_cards, heads, samples)
        self._still, self._still_key = (picture, key) if not moving else (None, b"")
        return picture

    def _speeds(
        self, scene: Scene, moving: list[int], t_s: float
    ) -> tuple[set[tuple[Side, Hand]], set[int], int]:
        """Tell what moves visibly while the shutter is open, and how many samples that needs."""
        reach_s = self._window_s()
        if reach_s == 0:
            return set(), set(), 1
        density = self.camera.px_per_m
        fastest = 0.0
        fast_arms: set[tuple[Side, Hand]] = set()
        for (side, hand), path in scene.episode.paths.items():
            ends = path.at(np.array([t_s - reach_s, t_s + reach_s]))
            way = float(np.hypot(*(ends[1] - ends[0])[:2])) * density
            way += abs(float(ends[1, 3] - ends[0, 3])) * 0.1 * density
            if way > _SLOW_PX:
                fast_arms.add((side, hand))
                fastest = max(fastest, way)
        fast_cards: set[int] = set()
        for card in moving:
            ends = np.array([scene.card_pose(card, t_s - reach_s), scene.card_pose(card, t_s + reach_s)])
            way = float(np.hypot(*(ends[1] - ends[0])[:2])) * density
            if abs(ends[:, :2]).max() < 1.0:
                fast_cards.add(card)
                fastest = max(fastest, min(way, 60.0))
        if not fast_arms and not fast_cards:
            return fast_arms, fast_cards, 1
        return fast_arms, fast_cards, int(np.clip(np.ceil(fastest / _SAMPLE_PX), 2, _MOST_SAMPLES))

    def _compose(
        self,
        table: Canvas,
        shade: Pixels,
        scene: Scene,
        t_s: float,
        cards: list[int],
        arms: list[Arm],
        heads: dict[Side, Floats],
    ) -> Pixels:
        """Draw cards and arms over (part of) the table, lit."""
        rows, columns = table.pixels.shape[:2]
        lit = shade[table.top : table.top + rows, table.left : table.left + columns]
        if self._in_colour:
            lit = cv2.merge([lit, lit, lit])
        under = table.pixels
        if cards:
            under = under.copy()
            for card in cards:
                self._stamp_card(Canvas(under, table.left, table.top), card, scene.card_pose(card, t_s))
        picture = np.asarray(cv2.multiply(under, lit, scale=1 / 255), np.uint8)
        canvas = Canvas(picture, table.left, table.top)
        for arm in arms:
            self._stamp_arm(canvas, arm)
        for side, head in heads.items():
            self._stamp_head(canvas, side, head)
        return picture

    def _blur(
        self,
        picture: Pixels,
        shade: Pixels,
        scene: Scene,
        t_s: float,
        moving: list[int],
        fast_arms: set[tuple[Side, Hand]],
        fast_cards: set[int],
        heads: dict[Side, Floats],
        samples: int,
    ) -> None:
        """Replace what moves by its mean over the exposure of each row."""
        reach_s = self._window_s()
        times = t_s + (np.arange(samples) + 0.5) / samples * 2 * reach_s - reach_s
        shots = [scene.arms(float(time)) for time in times]
        boxes = [self._arm_box(arm) for arms in shots for arm in arms if (arm.side, arm.hand) in fast_arms]
        boxes += [self._card_box(scene.card_pose(card, float(time))) for card in fast_cards for time in times]
        for left, top, right, bottom in _merged(boxes, self.camera.width_px, self.camera.height_px):
            weights = self._row_weights(times, t_s, top, bottom - top)
            total = np.zeros(picture[top:bottom, left:right].shape, np.float32)
            for arms, time, weight in zip(shots, times, weights, strict=True):
                lines = np.flatnonzero(weight)
                if not len(lines):
                    continue
                first, last = int(lines[0]), int(lines[-1]) + 1
                under = Canvas(self._table[top + first : top + last, left:right], left, top + first)
                shot = self._compose(under, shade, scene, float(time), moving, arms, heads)
                share = weight[first:last].astype(np.float32)
                total[first:last] += shot * share.reshape((-1, 1, 1) if self._in_colour else (-1, 1))
            picture[top:bottom, left:right] = np.rint(total)

    def _row_weights(self, times: Floats, t_s: float, top: int, rows: int) -> Floats:
        """Share of each sample in each row, shape (samples, rows); the shares of a row add up to 1."""
        if self._readout_s == 0:
            return np.full((len(times), rows), 1 / len(times))
        height = self.camera.height_px
        middle = t_s + ((top + np.arange(rows) + 0.5) / height - 0.5) * self._readout_s
        step = float(times[1] - times[0])
        opens, closes = middle - self._exposure_s / 2, middle + self._exposure_s / 2
        inside = np.minimum(times[:, None] + step / 2, closes) - np.maximum(times[:, None] - step / 2, opens)
        inside = np.maximum(inside, 0)
        return np.asarray(inside / inside.sum(axis=0))

    # --- people ----------------------------------------------------------------------------------------

    def _local_light(self, at_px: Floats) -> float:
        rows, columns = self._light_small.shape
        x = int(np.clip(at_px[0] / _SHADE_SCALE, 0, columns - 1))
        y = int(np.clip(at_px[1] / _SHADE_SCALE, 0, rows - 1))
        return round(float(self._light_small[y, x]), 2)

    def _stamp_arm(self, canvas: Canvas, arm: Arm) -> None:
        body = self._bodies[arm.side]
        points = self.camera.to_image(np.stack([arm.fingers, arm.wrist, arm.elbow, arm.shoulder]))
        light = self._local_light(points[0])
        hands = body.hands if arm.hand is Hand.RIGHT else body.leaning_hands
        ahead = np.array([np.sin(arm.angle), -np.cos(arm.angle)])
        tip = self.camera.to_image(np.array([[*(arm.fingers[:2] + 0.1 * ahead), arm.fingers[2]]]))[0]
        _stamp_along(canvas, hands[arm.hand], points[0], (tip - points[0]) / 0.1, None, light)
        limbs = (
            (body.forearm, 1, 2, FOREARM_M, arm.wrist[2] + arm.elbow[2]),
            (body.upper_arm, 2, 3, UPPER_ARM_M, arm.elbow[2] + arm.shoulder[2]),
        )
        for sprite, start, end, length_m, heights in limbs:
            along = (points[start] - points[end]) / length_m
            across = self.camera.px_per_m_at(float(heights) / 2)
            _stamp_along(canvas, sprite, points[start], along, across, light)

    def _stamp_head(self, canvas: Canvas, side: Side, head: Floats) -> None:
        at = self.camera.to_image(head[None])[0]
        density = self.camera.px_per_m_at(float(head[2]))
        if -0.35 * density < at[1] < self.camera.height_px + 0.35 * density:
            ahead = np.array([0.0, -density if side is Side.NEAR else density])
            _stamp_along(canvas, self._bodies[side].head, at, ahead, None, self._local_light(at))

    def _arm_box(self, arm: Arm) -> Box:
        ends = self.camera.to_image(np.stack([arm.fingers, arm.wrist, arm.elbow, arm.shoulder]))
        reach = 0.12 * self.camera.px_per_m_at(0.25)
        left, top = ends.min(axis=0) - reach
        right, bottom = ends.max(axis=0) + reach
        return int(left), int(top), int(right) + 1, int(bottom) + 1

    def _shade(self, arms: list[Arm], heads: dict[Side, Floats]) -> Pixels:
        """Return the light that reaches the table, 255 = all of it."""
        rows, columns = self._light_small.shape
        dark = np.zeros((rows, columns), np.uint8)
        soft = np.zeros((rows // 4, columns // 4), np.uint8)
        scale = self.camera.px_per_m / _SHADE_SCALE
        sun = np.array(self._style.sun)
        for arm in arms:
            joints = np.stack([arm.fingers, arm.wrist, arm.elbow, arm.shoulder])
            fallen = np.column_stack([joints[:, :2] + sun * joints[:, 2:], np.zeros(4)])
            seen = self.camera.to_image(fallen) / _SHADE_SCALE
            for (start, end), wide_m, depth in (
                ((0, 1), 0.085, 255),
                ((1, 2), 0.075, 200),
                ((2, 3), 0.12, 150),
            ):
                _thick_line(dark, seen[start], seen[end], wide_m * scale, depth)
        for side, head in heads.items():
            fallen = np.array([[*(head[:2] + sun * head[2]), 0.0], [*(head[:2] + sun * head[2]), 0.0]])
            fallen[1, 1] += 0.25 if side is Side.NEAR else -0.25
            seen = self.camera.to_image(fallen) / (_SHADE_SCALE * 4)
            _thick_line(soft, seen[0], seen[1], 0.36 * scale / 4, 255)
        edge = max(3, int(0.022 * scale) | 1)
        dark = cv2.blur(cv2.blur(dark, (edge, edge)), (edge, edge))
        soft = cv2.blur(cv2.blur(soft, (9, 9)), (7, 7))
        body = cv2.resize(soft, (columns, rows), interpolation=cv2.INTER_LINEAR)
        depth = np.float32(self._style.shadow / 255)
        lit = self._light_small * (1 - depth * dark) * (1 - depth * np.float32(0.7) * body) * 255
        size = (self.camera.width_px, self.camera.height_px)
        return np.asarray(cv2.resize(lit.astype(np.uint8), size, interpolation=cv2.INTER_LINEAR), np.uint8)


def _thick_line(picture: Pixels, start: Floats, end: Floats, wide: float, value: int) -> None:
    points = np.round(np.stack([start, end]) * 16).astype(int)
    cv2.line(
        picture,
        tuple(map(int, points[0])),
        tuple(map(int, points[1])),
        value,
        max(1, round(wide)),
        cv2.LINE_AA,
        4,
    )


def _stamp_along(
    canvas: Canvas, sprite: Sprite, at_px: Floats, ahead: Floats, across: float | None, light: float
) -> None:
    """Lay a sprite with its origin at `at_px` and its ahead along `ahead` (pixels for a metre)."""
    length = float(np.hypot(*ahead))
    if length == 0:
        return
    right = np.array([-ahead[1], ahead[0]]) / length * (length if across is None else across)
    axes = np.column_stack([right, -ahead]) / sprite.px_per_m
    offset = at_px - axes @ np.array(sprite.origin_px)
    stamp(canvas, sprite, np.column_stack([axes, offset]), light)


def _meet(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _merged(boxes: list[Box], width: int, height: int) -> list[Box]:
    """Join boxes that overlap, cut to the picture."""
    left: list[Box] = []
    for box in boxes:
        cut = max(box[0], 0), max(box[1], 0), min(box[2], width), min(box[3], height)
        if cut[0] >= cut[2] or cut[1] >= cut[3]:
            continue
        while True:
            hit = next((other for other in left if _meet(cut, other)), None)
            if hit is None:
                break
            left.remove(hit)
            cut = min(cut[0], hit[0]), min(cut[1], hit[1]), max(cut[2], hit[2]), max(cut[3], hit[3])
        left.append(cut)
    return left
