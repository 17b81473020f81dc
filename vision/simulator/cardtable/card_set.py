"""The cards on a simulated table: a picture for every card, and their common back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from calibration.decks.deck import Deck
from referee.cards.hanafuda import HANAFUDA
from vision.simulator.cardtable.sprites import flat_sprite
from vision.simulator.drawing.paths import Floats
from vision.simulator.drawing.sprites import Pixels, Sprite
from vision.simulator.drawing.style import Colour

BACK: Final = -1
"""Stands for a card's back where a face's number is expected."""


@dataclass(frozen=True)
class CardSet:
    """A deck to lay on a table.

    `faces`: number of a card to its picture, shape (height, width, 3), blue, green, red.
    """

    faces: Mapping[int, Pixels]
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
        """Return the picture of a card, or of `BACK`, as `flat_sprite` does."""
        picture = self.back if card == BACK else self.faces[card]
        size = round(self.width_mm * px_per_mm), round(self.height_mm * px_per_mm)
        round_mm = 1.6
        return flat_sprite(picture, _rounded(size, round_mm * px_per_mm), px_per_mm, blur_px, tint)


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
