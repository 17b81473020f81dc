"""Makes lessons for the reader of foreign hanafuda: crops of photos as `vision.hanafuda.crops` cuts them."""

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np

from hanafuda.printer import DRAWING, Floats, Picture, bordered, reprinted


def photographed(
    card: Picture, size: tuple[int, int], corners: Floats, off: float, rng: np.random.Generator
) -> Picture:
    """Return a crop of a card on a photo.

    Parameters
    ----------
    card : of `DRAWING` size.
    size : width and height of the crop.
    corners : shape (4, 2), where the card's corners are in the crop.
    off : how far the corners are off, standard deviation in shares of the card's width.
    """
    shrink = rng.uniform(0.25, 1.0)  # the camera's own pixels
    small = cv2.resize(card, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    source = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * (small.shape[1], small.shape[0]) - 0.5
    wide = corners[1, 0] - corners[0, 0]
    target = corners + rng.normal(0, off, (4, 2)) * wide + rng.normal(0, off, 2) * wide
    matrix = cv2.getPerspectiveTransform(source.astype(np.float32), target.astype(np.float32))
    crop: Any = np.empty((size[1], size[0], 3), np.uint8)
    crop[:] = np.clip(rng.uniform(20, 220) + rng.normal(0, 25, 3), 0, 255)
    if rng.random() < 0.4:  # wood and straw have lines
        crop = np.clip(crop + rng.normal(0, 20, (size[1], 1, 1)), 0, 255).astype(np.uint8)
    crop = cv2.warpPerspective(
        small, matrix, size, dst=crop, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_TRANSPARENT
    )
    seen: Any = crop.astype(np.float32)
    gradient = np.linspace(-1, 1, size[0])[None, :] * rng.normal(0, 0.08) + np.linspace(-1, 1, size[1])[
        :, None
    ] * rng.normal(0, 0.08)
    seen *= (rng.uniform(0.45, 1.1) * (1 + gradient))[..., None] * np.clip(rng.normal(1, 0.06, 3), 0.8, 1.2)
    gray = seen.mean(axis=2, keepdims=True)
    seen = gray + (seen - gray) * (rng.uniform(0.35, 1.25) if rng.random() < 0.9 else rng.uniform(0, 0.35))
    lift = rng.uniform(0, 45) * (rng.random() < 0.6)  # faded black, glare
    seen = seen * (1 - lift / 255) + lift
    if rng.random() < 0.7:
        seen = cv2.GaussianBlur(seen, (0, 0), rng.uniform(0.3, 1.3))
    seen += rng.normal(0, rng.uniform(1, 8), seen.shape)
    return np.asarray(np.clip(seen, 0, 255), np.uint8)


def no_card(
    cards: Sequence[Picture], size: tuple[int, int], corners: Floats, rng: np.random.Generator
) -> Picture:
    """Return a crop that shows no card, or one far from where it should be."""
    kind = rng.random()
    card = cards[int(rng.integers(len(cards)))]
    if kind < 0.45:  # pieces of cards
        card = reprinted(card, rng)
        middle = corners.mean(axis=0)
        angle = rng.uniform(0.35, 2 * np.pi - 0.35)
        if rng.random() < 0.5:
            angle = rng.normal(0, 0.1)
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        reach = corners[2] - corners[0]
        shift = (
            rng.uniform(0.3, 0.8, 2) * rng.choice([-1, 1], 2) * reach * rng.permutation([1.0, rng.random()])
        )
        moved = (corners - middle) @ turn * rng.uniform(0.5, 2.2) + middle + shift
        return photographed(card, size, moved.astype(np.float32), 0.02, rng)
    width, height = DRAWING
    plain = np.empty((height, width, 3), np.uint8)
    plain[:] = np.clip(rng.uniform(0, 230) + rng.normal(0, 60, 3), 0, 255)
    if kind < 0.75:  # a back with its pattern
        noise: Any = rng.standard_normal((height, width, 1)).astype(np.float32)
        noise = cv2.GaussianBlur(noise, (0, 0), rng.uniform(0.5, 8))[..., None]
        plain = np.clip(plain + noise / noise.std() * rng.uniform(0, 30), 0, 255).astype(np.uint8)
        return photographed(bordered(plain, rng), size, corners, 0.03, rng)
    plain = _patterned(plain, rng) if rng.random() < 0.4 else plain
    for _ in range(int(rng.integers(0, 8))):
        _draw_thing(plain, rng)
    if rng.random() < 0.5:
        return photographed(bordered(plain, rng), size, corners, 0.02, rng)
    return photographed(plain, size, corners, 0.1, rng)


def _patterned(ground: Picture, rng: np.random.Generator) -> Picture:
    """Print a ground with stripes, checks, rings or waves in another colour."""
    height, width = ground.shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float32)
    angle, pitch = rng.uniform(0, np.pi), rng.uniform(5, 40)
    along = x * np.cos(angle) + y * np.sin(angle)
    across = y * np.cos(angle) - x * np.sin(angle)
    middle = rng.uniform(0, 1, 2) * (width, height)
    wave = (
        np.sin(along / pitch * 2 * np.pi),
        np.sin(along / pitch * 2 * np.pi) * np.sin(across / pitch * 2 * np.pi),
        np.sin(np.hypot(x - middle[0], y - middle[1]) / pitch * 2 * np.pi),
        np.sin((along + rng.uniform(2, 12) * np.sin(across / rng.uniform(4, 20))) / pitch * 2 * np.pi),
    )[int(rng.integers(4))]
    share = np.clip(wave * rng.uniform(1, 12) + 0.5, 0, 1)[..., None]
    return np.asarray(ground * (1 - share) + rng.uniform(0, 255, 3) * share, np.uint8)


def _draw_thing(ground: Picture, rng: np.random.Generator) -> None:
    """Draw a surface, a ring, a line or a letter: playing cards, notes and boxes show such."""
    width, height = ground.shape[1], ground.shape[0]
    colour = [float(v) for v in rng.uniform(0, 255, 3)]
    points = (rng.uniform(0, 1, (int(rng.integers(3, 6)), 2)) * (width, height)).astype(np.int32)
    x, y = map(int, points[0])
    thick = int(rng.integers(1, 6))
    match int(rng.integers(4)):
        case 0:
            cv2.fillConvexPoly(ground, cv2.convexHull(points), colour, cv2.LINE_AA)
        case 1:
            filled = cv2.FILLED if rng.random() < 0.5 else thick
            cv2.circle(ground, (x, y), int(rng.integers(4, 40)), colour, filled, cv2.LINE_AA)
        case 2:
            cv2.polylines(ground, [points], bool(rng.random() < 0.3), colour, thick, cv2.LINE_AA)
        case _:
            letter = chr(int(rng.integers(48, 91)))
            font, size = cv2.FONT_HERSHEY_DUPLEX, float(rng.uniform(0.4, 4))
            cv2.putText(ground, letter, (x, y), font, size, colour, thick, cv2.LINE_AA)
