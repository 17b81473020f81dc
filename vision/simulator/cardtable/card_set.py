"""The cards on a simulated table: a picture for every card, and their common back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from calibration.decks.deck import Deck
from referee.cards.hanafuda import HANAFUDA
from vision.simulator.drawing.paths import Floats
from vision.simulator.drawing.sprites import Pixels, Sprite
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
    """Return a filled rectangle with round corners, 0..1."""
    width, height = size
    x = np.abs(np.arange(width) - (width - 1) / 2)[None, :]
    y = np.abs(np.arange(height) - (height - 1) / 2)[:, None]
    out = np.hypot(np.maximum(x - (width / 2 - radius), 0), np.maximum(y - (height / 2 - radius), 0))
    return np.asarray(np.clip(radius - out + 0.5, 0, 1))
