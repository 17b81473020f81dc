"""The tatami with the resting cards, redrawn only where a card came or went."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np

from referee.layout import Layout
from vision.simulator.drawing.camera import Camera
from vision.simulator.drawing.paths import Floats
from vision.simulator.drawing.sprites import Box, Canvas, Pixels, Sprite, box_around, meet, stamp
from vision.simulator.drawing.style import Style
from vision.simulator.hall.scene import Scene
from vision.simulator.hall.torifuda import card_sprite
from vision.simulator.play.boxes import corners_m, lying_pose

_UNTURNED = np.zeros(3)
_SAMPLES_PER_PX = 2  # samples per pixel in each direction, so that the kana stay readable


class Table:
    """The floor and the cards at rest, not yet lit.

    `changes`: how often it was redrawn; equal numbers mean equal pictures.
    """

    def __init__(self, floor: Pixels, style: Style, camera: Camera) -> None:
        self.pixels = floor.copy()
        self.changes = 0
        self._floor, self._style, self._camera = floor, style, camera
        self._sprites: dict[int, Sprite] = {}
        self._resting: dict[int, Floats] = {}

    def lay(self, layout: Layout) -> None:
        """Put the cards of a layout on the bare floor."""
        self.pixels = self._floor.copy()
        self.changes += 1
        self._resting = {placed.card: lying_pose(placed) for placed in layout if placed.card is not None}
        cards = [*self._resting]
        with ThreadPoolExecutor(os.cpu_count()) as pool:  # OpenCV and NumPy leave the interpreter to others
            self._sprites |= dict(zip(cards, pool.map(self._sprite, cards), strict=True))
        for card, pose in self._resting.items():
            self.stamp_card(Canvas(self.pixels), card, pose)

    def _sprite(self, card: int) -> Sprite:
        density = self._camera.px_per_m * _SAMPLES_PER_PX
        return card_sprite(card, self._style, density, in_colour=self._floor.ndim == 3)

    def remove(self, card: int) -> None:
        """Take a card off the table for good."""
        pose = self._resting.pop(card, None)
        if pose is not None:
            self._redraw([self.card_box(pose)])

    def settle(self, scene: Scene, moving: Sequence[int], t_s: float, until_s: float) -> None:
        """Remove the cards that move and add those that rest again."""
        dirty: list[Box] = []
        for card in scene.moved_before(until_s):
            old = self._resting.get(card)
            if card in moving:
                if old is not None:
                    dirty.append(self.card_box(self._resting.pop(card)))
                continue
            pose = scene.card_pose(card, t_s)
            if old is None or not np.array_equal(old, pose):
                if old is not None:
                    dirty.append(self.card_box(self._resting.pop(card)))
                self._resting[card] = pose  # at the end: what moved last lies on top
                dirty.append(self.card_box(pose))
        if dirty:
            self._redraw(dirty)

    def _redraw(self, boxes: list[Box]) -> None:
        self.changes += 1
        for box in boxes:
            part = Canvas(self.pixels).part(*box)
            if part is None:
                continue
            rows, columns = part.pixels.shape[:2]
            part.pixels[:] = self._floor[part.top : part.top + rows, part.left : part.left + columns]
            for card, pose in self._resting.items():
                if meet(self.card_box(pose), box):
                    self.stamp_card(part, card, pose)

    def card_box(self, pose: Floats) -> Box:
        """Return the pixels that a card at x, y, angle, height can cover."""
        middle = self._camera.to_image(np.array([[pose[0], pose[1], pose[3]]]))
        card_reach_m = 0.05
        return box_around(middle, card_reach_m * self._camera.px_per_m_at(float(pose[3]), pose[:2]) + 3)

    def stamp_card(self, canvas: Canvas, card: int, pose: Floats) -> None:
        """Draw a card at x, y, angle, height."""
        if canvas.part(*self.card_box(pose)) is None:
            return
        sprite = self._sprites.get(card) or self._sprites.setdefault(card, self._sprite(card))
        seen = self._camera.to_image(self._corners_m(pose))
        source = np.array(sprite.origin_px) + corners_m(_UNTURNED) * sprite.px_per_m
        matrix = cv2.getPerspectiveTransform(source.astype(np.float32), seen.astype(np.float32))
        stamp(canvas, sprite, np.asarray(matrix), fine=_SAMPLES_PER_PX)

    def _corners_m(self, pose: Floats) -> Floats:
        """Return the corners (4, 3) of a card at x, y, angle, height, with its roll in the air."""
        flat = np.column_stack([corners_m(pose), np.full(4, pose[3])])
        most_rad = 1.2  # a card seen edge-on has no picture
        roll = min(self._style.tumble_rad_per_m * float(pose[3]), most_rad)
        if roll == 0:
            return flat
        half = (flat[1] + flat[2] - flat[0] - flat[3]) / 4
        sides = np.array([-1.0, 1.0, 1.0, -1.0])[:, None]
        lifted = half * np.cos(roll) + np.array([0.0, 0.0, float(np.hypot(*half[:2])) * np.sin(roll)])
        return np.asarray(flat + sides * (lifted - half))
