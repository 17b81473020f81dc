"""The table top with its markers and the cards at rest, redrawn only when one of them comes or goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from calibration.decks.deck import Deck
from referee.cards.hanafuda import HANAFUDA
from vision.plane.printed_table import MARKER_MM, PrintedTable, middle
from vision.simulator.drawing.camera import Camera
from vision.simulator.drawing.paths import Floats
from vision.simulator.drawing.sprites import Canvas, Pixels, Sprite, stamp
from vision.simulator.drawing.style import Colour

BACK: Final = -1  # stands for a card's back where a face's number is expected


@dataclass(frozen=True)
class CardSet:
    """A deck to lay on a table."""

    faces: Mapping[int, Pixels]  # number of a card to its picture, shape (height, width, 3), blue, green, red
    back: Pixels
    width_mm: float
    height_mm: float
    thick_mm: float = 0.6

    @classmethod
    def of_hanafuda(cls, deck: Deck, back: Colour) -> CardSet:
        """Return an enrolled hanafuda deck with a plain back, cards numbered 0..47."""
        faces = {HANAFUDA[card].index: picture for card, picture in deck.pictures.items()}
        return cls(faces, plain_back(deck.picture_size_px, back), deck.width_mm, deck.height_mm)

    def sprite(self, card: int, px_per_mm: float, blur_px: float, tint: Floats) -> Sprite:
        """Return a card, or `BACK`, with a soft shadow at its edge; its origin is the centre.

        `blur_px`: blur of the lens in the sprite's pixels. `tint`: (3,), white as the camera's white balance
        renders it.
        """
        picture = self.back if card == BACK else self.faces[card]
        size = round(self.width_mm * px_per_mm), round(self.height_mm * px_per_mm)
        round_mm = 1.6
        shape = _rounded(size, round_mm * px_per_mm)
        margin_mm = 2.0  # around the card, for the shadow at its edge
        margin = max(2, round(margin_mm * px_per_mm))
        height, width = shape.shape
        solid = np.zeros((height + 2 * margin, width + 2 * margin), np.float32)
        solid[margin:-margin, margin:-margin] = shape
        shadow = cv2.GaussianBlur(solid, (0, 0), margin * 0.45) * 0.4
        opacity = np.maximum(solid, shadow)
        bgr = np.zeros((*solid.shape, 3))
        bgr[margin:-margin, margin:-margin] = (
            cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA) * tint
        )
        bgr *= (solid / np.maximum(opacity, 1e-6))[..., None]
        if blur_px > 0.2:
            colour = cv2.GaussianBlur(bgr * opacity[..., None], (0, 0), blur_px)
            opacity = np.asarray(cv2.GaussianBlur(opacity, (0, 0), blur_px))
            bgr = colour / np.maximum(opacity, 1e-6)[..., None]
        origin = solid.shape[1] / 2 - 0.5, solid.shape[0] / 2 - 0.5
        return Sprite.of(bgr, np.asarray(opacity, np.float64), px_per_mm * 1000, origin, in_colour=True)


def plain_back(size_px: tuple[int, int], colour: Colour) -> Pixels:
    """Return a back of one colour with the grain of painted paper."""
    rng = np.random.default_rng(sum(colour))
    grain = cv2.GaussianBlur(rng.standard_normal((size_px[1], size_px[0]), np.float32), (0, 0), 3)
    tone = 1 + 0.05 * grain / grain.std()
    painted = np.asarray(tone)[..., None] * np.array(colour, np.float32)
    return np.asarray(np.clip(painted, 0, 255).astype(np.uint8))


def _rounded(size: tuple[int, int], radius: float) -> Floats:
    width, height = size
    x = np.abs(np.arange(width) - (width - 1) / 2)[None, :]
    y = np.abs(np.arange(height) - (height - 1) / 2)[:, None]
    out = np.hypot(np.maximum(x - (width / 2 - radius), 0), np.maximum(y - (height / 2 - radius), 0))
    return np.asarray(np.clip(radius - out + 0.5, 0, 1))


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
