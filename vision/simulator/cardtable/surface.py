"""The table top with its markers and the cards at rest, redrawn only when one of them comes or goes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.plane.printed_table import MARKER_MM, PrintedTable, middle
from vision.simulator.cardtable.card_set import BACK, CardSet
from vision.simulator.drawing.camera import Camera
from vision.simulator.drawing.paths import Floats
from vision.simulator.drawing.sprites import Canvas, Pixels, Sprite, stamp

_FINE: Final = 2  # samples per pixel in each direction, so that fine print stays readable


class Surface:
    """Draws cards onto a table top that is not yet lit.

    `bare`: the table top through the camera, shape (height, width, 3); the markers are added to it.
    `blur_px`: blur of the lens in pixels. `tint`: (3,), white as the white balance renders it.
    """

    def __init__(
        self,
        bare: Pixels,
        zones: PrintedTable,
        cards: CardSet,
        camera: Camera,
        *,
        blur_px: float,
        tint: Floats,
    ) -> None:
        self._bare, self._zones, self._cards, self._camera = bare, zones, cards, camera
        self._blur_px, self._tint = blur_px * _FINE, tint
        self._size_mm = np.array([cards.width_mm, cards.height_mm])
        self._sprites: dict[int, Sprite] = {}
        self._middle_mm = np.array(zones.size_mm) / 2
        self._lay_markers()

    def to_metres(self, points_mm: Floats) -> Floats:
        """Convert table millimetres (N, 2) into the camera's metres from the table's centre (N, 2)."""
        return (np.asarray(points_mm, np.float64) - self._middle_mm) / 1000

    def draw(self, poses: Sequence[tuple[int, Floats]], stock: int) -> Pixels:
        """Return the table with cards at rest, the lowest first, and the face-down pile."""
        picture = self._bare.copy()
        canvas = Canvas(picture)
        for card, pose in poses:
            self.stamp_card(canvas, card, pose)
        self._stamp_pile(canvas, stock)
        return picture

    def stamp_card(self, canvas: Canvas, card: int, pose: Floats, light: float = 1.0) -> None:
        """Draw a card at x, y (mm), angle, height (mm), flip."""
        corners = self.corners_px(pose)
        low, high = (
            np.floor(corners.min(axis=0)).astype(int) - 4,
            np.ceil(corners.max(axis=0)).astype(int) + 5,
        )
        if canvas.part(int(low[0]), int(low[1]), int(high[0]), int(high[1])) is None:
            return
        shown = card if np.cos(pose[4]) >= 0 else BACK
        sprite = self._sprite(shown)
        half = self._size_mm / 2000 * sprite.px_per_m
        source = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half + sprite.origin_px
        matrix = cv2.getPerspectiveTransform(source.astype(np.float32), corners.astype(np.float32))
        stamp(canvas, sprite, np.asarray(matrix), light=light, fine=_FINE)

    def corners_px(self, pose: Floats) -> Floats:
        """Return a card's corners in the picture, (4, 2), clockwise from its own top left."""
        half_x, half_y = self._size_mm / 2
        lying = max(abs(float(np.cos(pose[4]))), 0.04)
        lift = half_x * float(np.sin(pose[4]))
        cos, sin = np.cos(pose[2]), np.sin(pose[2])
        corners = []
        for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            across, down = x * half_x * lying, y * half_y
            at = self.to_metres(pose[:2] + np.array([cos * across - sin * down, sin * across + cos * down]))
            height = max(pose[3] + abs(lift) * (1 + x), 0.0) / 1000
            corners.append([*at, height])
        return self._camera.to_image(np.array(corners))

    def _sprite(self, card: int) -> Sprite:
        if card not in self._sprites:
            scale = self._camera.px_per_m * _FINE / 1000
            self._sprites[card] = self._cards.sprite(card, scale, self._blur_px, self._tint)
        return self._sprites[card]

    def _stamp_pile(self, canvas: Canvas, number: int) -> None:
        if not number:
            return
        at = middle(self._zones.stock)
        layers = max(1, number // 2)
        side_brightness = 0.55  # relative brightness of the side of a pile
        for layer in range(layers):
            top = layer == layers - 1
            height = number * self._cards.thick_mm * (layer + 1) / layers
            # cards of a pile never lie exactly on top of each other
            slip = np.sin([3.1 * layer, 1.7 * layer]) * 0.25
            pose = np.array([*(at + slip), 0.01 * np.sin(layer), height, np.pi])
            self.stamp_card(canvas, BACK, pose, 1.0 if top else side_brightness)

    def _lay_markers(self) -> None:
        dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
        side = 240
        quiet_mm = 10.0  # white paper around a marker
        quiet = round(quiet_mm / MARKER_MM * side)
        for number, rect in enumerate(self._zones.markers):
            black = cv2.aruco.generateImageMarker(dictionary, number, side)
            sheet = cv2.copyMakeBorder(black, quiet, quiet, quiet, quiet, cv2.BORDER_CONSTANT, value=255)
            ink = 22 + sheet.astype(np.float64)[..., None] * (206 / 255) * self._tint
            sprite = Sprite.of(
                np.broadcast_to(ink, (*sheet.shape, 3)),
                np.ones(sheet.shape),
                side / MARKER_MM * 1000,
                (sheet.shape[1] / 2 - 0.5, sheet.shape[0] / 2 - 0.5),
                in_colour=True,
            )
            corners = np.array([[x, y] for x, y in ((0, 1), (2, 1), (2, 3), (0, 3))])
            at_mm = np.array(rect)[corners]
            seen = self._camera.to_image(np.column_stack([self.to_metres(at_mm), np.zeros(4)]))
            ends = np.array([[0, 0], [side, 0], [side, side], [0, side]]) + quiet - 0.5
            matrix = cv2.getPerspectiveTransform(ends.astype(np.float32), seen.astype(np.float32))
            stamp(Canvas(self._bare), sprite, np.asarray(matrix), fine=4)
