"""Photos of a deck's cards lying on a table, drawn by the simulator."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from calibration.decks.deck import Deck
from vision.plane.printed_table import koikoi_table
from vision.simulator.cardtable.looks import LOOKS
from vision.simulator.cardtable.surface import CardSet, Surface
from vision.simulator.drawing.floors import floor_picture, light_picture

Photo = npt.NDArray[np.uint8]


def photo_of(
    deck: Deck, places: Mapping[int, tuple[float, float, float]], size_px: tuple[int, int] = (1920, 1080)
) -> Photo:
    """Return a photo of cards (index to x, y in millimetres and degrees) on a cloth."""
    surface, light = table_for(deck, size_px)
    poses = [(card, np.array([x, y, np.deg2rad(turn), 0, 0])) for card, (x, y, turn) in places.items()]
    lit = surface.draw(poses, 0) * light
    noise = np.random.default_rng(2).normal(0, 1.5, lit.shape[:2])[..., None]
    return np.clip(lit + noise, 0, 255).astype(np.uint8)


@cache
def table_for(deck: Deck, size_px: tuple[int, int]) -> tuple[Surface, npt.NDArray[np.float64]]:
    """Return a table for a deck and its light, made once for all tests."""
    look, rng, zones = LOOKS["cloth"], np.random.default_rng(1), koikoi_table(2)
    camera = look.camera(rng, size_px, zones.size_mm)
    bare = floor_picture(look.hall, camera, rng)
    cards = CardSet.of_hanafuda(deck, look.back)
    surface = Surface(bare, zones, cards, camera, blur_px=0.4, tint=np.ones(3))
    return surface, light_picture(look.hall, camera)[..., None]


def month_by_column() -> dict[int, tuple[float, float, float]]:
    """Return places for all 48 cards: twelve columns, a month in each."""
    return {card: (62.0 + card // 4 * 61, 90.0 + card % 4 * 125, card % 5 - 2.0) for card in range(48)}


def month_in_a_row(month: int) -> dict[int, tuple[float, float, float]]:
    """Return places for the four cards of a month, 0 for January, next to each other."""
    return {month * 4 + slot: (220.0 + slot * 110, 280.0, slot - 1.5) for slot in range(4)}


def save(photo: Photo, path: Path) -> Path:
    """Write a photo and return its path."""
    cv2.imwrite(str(path), photo, [cv2.IMWRITE_JPEG_QUALITY, 92])
    return path
