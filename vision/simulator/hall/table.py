"""The tatami with the resting cards, redrawn only where a card came or went."""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

import cv2
import numpy as np

from referee.cards.poems import POEMS
from referee.layout import CARD_HEIGHT_M, CARD_WIDTH_M, Layout
from vision.simulator.art.glyphs import CELL_PX, load_typeface
from vision.simulator.drawing.camera import Camera
from vision.simulator.drawing.paths import Floats
from vision.simulator.drawing.sprites import Box, Canvas, Pixels, Sprite, box_around, meet, stamp
from vision.simulator.drawing.style import Style
from vision.simulator.hall.scene import Scene
from vision.simulator.play.field import corners_m, lying_pose

_DRAWN_PX_PER_M = 4000.0
"""Drawing scale: a card must be a whole number of pixels wide and high, or its shape would be 0.3 % off."""


def text_ink(columns: tuple[str, ...], typeface: str) -> Floats:
    """Draw the kana of a card, shape (height, width), 0..1 where 1 is full ink."""
    scale = _DRAWN_PX_PER_M
    ink = np.zeros((round(CARD_HEIGHT_M * scale), round(CARD_WIDTH_M * scale)))
    glyphs = load_typeface(typeface)
    kana_m = 0.0136
    size = round(kana_m * scale)
    column_pitch_m = 0.0152
    kana_pitch_m = 0.0128
    top_m = 0.0098  # from the upper edge to the centre of the first kana
    for number, column in enumerate(columns):
        # Only one card has six kana in a column, so they stand closer.
        pitch = min(kana_pitch_m, (CARD_HEIGHT_M - 2 * top_m) / max(len(column) - 1, 1))
        x = (CARD_WIDTH_M / 2 + (1 - number) * column_pitch_m) * scale
        for place, kana in enumerate(column):
            y = (top_m + place * pitch) * scale
            cell = cv2.resize(
                glyphs[kana],
                (size, size),
                interpolation=cv2.INTER_AREA if size < CELL_PX else cv2.INTER_LINEAR,
            )
            left, top = round(x - size / 2), round(y - size / 2)
            place_in = ink[max(top, 0) : top + size, max(left, 0) : left + size]
            np.maximum(place_in, cell[-place_in.shape[0] :, : place_in.shape[1]] / 255, out=place_in)
    inked = ink > 0
    ink[inked] **= 0.75  # brush strokes are fuller than type
    return ink


@lru_cache(maxsize=len(POEMS))
def _washi(poem: int) -> tuple[Floats, float]:
    """Return the grain of a card's paper, (height, width), and its brightness relative to other cards."""
    rng = np.random.default_rng(poem)
    shape = round(CARD_HEIGHT_M * _DRAWN_PX_PER_M), round(CARD_WIDTH_M * _DRAWN_PX_PER_M)
    grain = cv2.GaussianBlur(rng.normal(0, 1, shape), (0, 0), 6) * 12
    return np.asarray(grain), float(rng.normal(0, 0.012))


@lru_cache(maxsize=8)  # the same for all cards of a hall
def _opacity(margin: int, finer: float, blur: float) -> Pixels:
    """Return the opacity of a card with the shadow at its edge; see `_shrunk`."""
    height, width = round(CARD_HEIGHT_M * _DRAWN_PX_PER_M), round(CARD_WIDTH_M * _DRAWN_PX_PER_M)
    solid = np.zeros((height + 2 * margin, width + 2 * margin))
    solid[margin:-margin, margin:-margin] = 1
    shadow = cv2.GaussianBlur(solid, (0, 0), margin * 0.4) * 0.45
    return np.asarray(np.clip(_shrunk(np.maximum(solid, shadow), finer, blur), 0, 1) * 255).astype(np.uint8)


def _shrunk(picture: Floats, finer: float, blur: float) -> Floats:
    """Return a picture in the sprite's own pixels, each `finer` drawn ones wide, and blurred by `blur`."""
    # Rounded to whole pixels a card would be up to 0.4 % too large or too small, so it is resampled.
    small = (int(np.ceil(picture.shape[1] / finer)), int(np.ceil(picture.shape[0] / finer)))
    shrink = np.array([[finer, 0, finer / 2 - 0.5], [0, finer, finer / 2 - 0.5]])
    fine = cv2.GaussianBlur(picture, (0, 0), 0.3 * finer)
    seen = cv2.warpAffine(fine, shrink, small, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    return np.asarray(cv2.GaussianBlur(seen, (0, 0), blur))


@lru_cache(maxsize=128)  # halls are drawn repeatedly, by a second camera or another film
def card_sprite(poem: int, style: Style, px_per_m: float, *, in_colour: bool) -> Sprite:
    """Return the picture of a torifuda; its origin is the centre of the card."""
    scale = _DRAWN_PX_PER_M
    ink = text_ink(POEMS[poem].torifuda_columns, style.typeface)
    grain, bright = _washi(poem)
    face = np.array(style.paper, np.float64) * (1 + 0.01 * grain + bright)[..., None]
    face *= (1 - ink)[..., None]
    face += np.array(style.ink, np.float64) * ink[..., None]
    edge_m = 0.0013
    edge = round(edge_m * scale)
    face[:edge] = face[-edge:] = face[:, :edge] = face[:, -edge:] = style.border
    margin_m = 0.003  # around the card, for the shadow at its edge
    margin = round(margin_m * scale)
    sheet = np.zeros((face.shape[0] + 2 * margin, face.shape[1] + 2 * margin, 3))
    sheet[margin:-margin, margin:-margin] = face
    finer, blur = scale / px_per_m, max(style.defocus_px, 0.3) * 2
    # The shadow is black, and the card is opaque: its colours are premultiplied as they are.
    colour = np.clip(_shrunk(sheet, finer, blur), 0, 255).astype(np.uint8)
    return Sprite(
        np.asarray(colour if in_colour else cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY), np.uint8),
        _opacity(margin, finer, blur),
        px_per_m,
        (sheet.shape[1] / finer / 2 - 0.5, sheet.shape[0] / finer / 2 - 0.5),
    )


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
