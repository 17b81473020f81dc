"""The look of a torifuda: three columns of kana on washi with a coloured edge."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from referee.cards.poems import POEMS
from referee.layout import CARD_HEIGHT_M, CARD_WIDTH_M
from vision.simulator.art.glyphs import CELL_PX, load_typeface
from vision.simulator.drawing.paths import Floats
from vision.simulator.drawing.sprites import Pixels, Sprite
from vision.simulator.drawing.style import Style

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
