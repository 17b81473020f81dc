"""Prints torifuda that do not exist, photographs them badly and cuts them out again: the reader's lessons.

Everything a deck or a camera may do differently is drawn at random: typeface, place, size and pitch of the
text, crooked glyphs, brush pressure, kana printed across in another ink, paper, border, neighbours, light,
resolution, blur, noise and compression.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.layout import CARD_HEIGHT_M, CARD_WIDTH_M
from torifuda.overprint import random_overprint
from torifuda.typefaces import CELL_PX, EM_PX
from vision.cards.poses import card_crops
from vision.torifuda.face_reader import BLANK, COLUMN_SLOTS, ILLEGIBLE, KANA, SLOTS, slot_classes

WIDTH_MM: Final = 1e3 * CARD_WIDTH_M
HEIGHT_MM: Final = 1e3 * CARD_HEIGHT_M
PX_PER_MM: Final = 3.0
MARGIN_MM: Final = 9.0  # table and neighbouring cards around the printed card
OVERPRINTED: Final = 0.5  # share of the lessons' cards with kana printed across

Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class Typography:
    """Where a deck puts its kana, in mm on the card, origin in the card's centre."""

    em: float
    pitch: float
    column_pitch: float
    shift: tuple[float, float]
    jitter: float
    turn_deg: float
    slant: float
    weight: float

    @classmethod
    def draw(cls, rng: Rng) -> Typography:
        """Draw a deck's typography, wider than any that was measured."""
        pitch = rng.uniform(9.2, 13.6)
        em = np.clip(pitch * rng.uniform(0.72, 1.08), 7.0, 13.0)
        slack_x = WIDTH_MM / 2 - 2.0 - em / 2
        column_pitch = min(rng.uniform(max(10.5, 0.95 * em), 16.8), slack_x)
        return cls(
            em=em,
            pitch=pitch,
            column_pitch=column_pitch,
            shift=(rng.normal(0, 0.9), rng.normal(0, 1.3)),
            jitter=abs(rng.normal(0, 0.4)),
            turn_deg=abs(rng.normal(0, 2.5)),
            slant=rng.normal(0, 0.05),
            weight=rng.normal(0, 1.0),
        )


def random_text(rng: Rng, poems: Sequence[str]) -> str:
    """Draw a torifuda text: a poem's own, or any kana in the shape of one."""
    if rng.random() < 0.4:
        text = str(rng.choice(poems))
        return text.replace("む", "ん") if rng.random() < 0.1 else text
    length = 10 + int(rng.choice([3, 4, 4, 4, 5, 5, 6]))
    return "".join(rng.choice(list(KANA), length))


def print_ink(text: str, glyphs: NDArray[np.uint8], typography: Typography, rng: Rng) -> NDArray[np.uint8]:
    """Set a text.

    `glyphs`: cells of one typeface, shape (kana, CELL_PX, CELL_PX).

    Returns: ink on the card alone, shape (HEIGHT_MM * PX_PER_MM, WIDTH_MM * PX_PER_MM), uint8: 255 = ink.
    """
    ink = np.zeros((round(HEIGHT_MM * PX_PER_MM), round(WIDTH_MM * PX_PER_MM)), np.uint8)
    slots = slot_classes(text)
    top = 0
    # A sixth kana is squeezed in by some decks and hangs below the others' columns elsewhere.
    hangs = rng.random() < 0.5
    for column, count in enumerate(COLUMN_SLOTS):
        kana = [c for c in slots[top : top + count] if c != BLANK]
        top += count
        pitch = typography.pitch * (0.83 if len(kana) == 6 and not hangs else 1.0)
        pitch = min(pitch, (HEIGHT_MM - 4 - 0.8 * typography.em) / max(len(kana) - 1, 1))
        first_mm = -2.0 * typography.pitch
        if hangs and len(kana) == 6:
            first_mm = max(-2.0 * pitch, -HEIGHT_MM / 2 + 2 + typography.em / 2)
            first_mm = min(first_mm, HEIGHT_MM / 2 - 2 - 0.45 * typography.em - 5 * pitch)
        for row, kana_class in enumerate(kana):
            x = (
                (1 - column) * typography.column_pitch
                + typography.shift[0]
                + rng.normal(0, typography.jitter)
            )
            y = first_mm + row * pitch + typography.shift[1] + rng.normal(0, typography.jitter)
            _stamp(ink, glyphs[kana_class], (x, y), typography, rng)
    return ink


def _stamp(
    ink: NDArray[np.uint8],
    glyph: NDArray[np.uint8],
    at_mm: tuple[float, float],
    typography: Typography,
    rng: Rng,
) -> None:
    scale = typography.em * PX_PER_MM / EM_PX
    turn = np.deg2rad(rng.normal(0, typography.turn_deg))
    stretch = np.exp(rng.normal(0, 0.05, 2)) * scale * np.exp(rng.normal(0, 0.03))
    shape = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ np.array(
        [[1.0, -typography.slant], [0, 1.0]]
    )
    shape = shape * stretch
    size = int(CELL_PX * scale * 1.2) + 2
    x, y = (at_mm[0] + WIDTH_MM / 2) * PX_PER_MM, (at_mm[1] + HEIGHT_MM / 2) * PX_PER_MM
    left, top = int(x - size / 2), int(y - size / 2)
    offset = np.array([x - left, y - top]) - shape @ np.array([CELL_PX / 2, CELL_PX / 2])
    stamp = cv2.warpAffine(glyph, np.column_stack([shape, offset]), (size, size), flags=cv2.INTER_LINEAR)
    y0, x0, y1, x1 = max(top, 0), max(left, 0), min(top + size, ink.shape[0]), min(left + size, ink.shape[1])
    if y0 < y1 and x0 < x1:
        part = ink[y0:y1, x0:x1]
        np.maximum(part, stamp[y0 - top : y1 - top, x0 - left : x1 - left], out=part)


def smooth_field(rng: Rng, shape: tuple[int, int], grain_px: float) -> NDArray[np.float32]:
    """Draw a smooth random field with spread 1."""
    rows, columns = (int(n / grain_px) + 3 for n in shape)
    coarse = rng.standard_normal((rows, columns)).astype(np.float32)
    return np.asarray(cv2.resize(coarse, shape[::-1], interpolation=cv2.INTER_CUBIC), np.float32)


def _brush(ink: NDArray[np.uint8], weight: float, rng: Rng) -> NDArray[np.float32]:
    """Press the brush harder or softer, here and there; let the hand shake."""
    if rng.random() < 0.5:
        shape = ink.shape
        bend = rng.uniform(0.5, 2.4)
        columns, rows = np.meshgrid(
            np.arange(shape[1], dtype=np.float32), np.arange(shape[0], dtype=np.float32)
        )
        bent = [axis + bend * smooth_field(rng, shape, 12) for axis in (columns, rows)]
        ink = np.asarray(cv2.remap(ink, bent[0], bent[1], cv2.INTER_LINEAR), np.uint8)
    soft = cv2.GaussianBlur(ink, (0, 0), rng.uniform(0.6, 1.3)).astype(np.float32)
    inked = soft[ink > 127]
    # Measured against the typeface's own strokes, so that thin ones do not vanish under a soft brush.
    soft /= np.percentile(inked, 70) if inked.size else 255.0
    level = 0.5 - 0.12 * np.clip(weight, -1.3, 2.2)
    pressure = level + rng.uniform(0, 0.10) * smooth_field(rng, ink.shape, rng.uniform(5, 30))
    return np.asarray(np.clip((soft - pressure) * rng.uniform(2.5, 8) + 0.5, 0, 1), np.float32)


def _face(ink: NDArray[np.float32], across: NDArray[np.float32] | None, rng: Rng) -> NDArray[np.float32]:
    """Put ink on paper with a border, gray values 0..255; what is printed across has an ink of its own."""
    paper = rng.uniform(150, 252)
    face = np.full(ink.shape, paper, np.float32)
    height, width = ink.shape
    if rng.random() < 0.85:
        border = rng.uniform(0.03, 0.9) * paper
        thick = max(1, round(rng.uniform(0.3, 4.2) * PX_PER_MM))
        inset = round(rng.uniform(0, 1.8) * PX_PER_MM) if rng.random() < 0.15 else 0
        cv2.rectangle(
            face,
            (inset, inset),
            (width - 1 - inset, height - 1 - inset),
            border,
            thickness=2 * thick if not inset else thick,
        )
    dark = paper * rng.uniform(0.03, 0.45)
    if across is None:
        return face * (1 - ink) + dark * ink
    # The inks of a press let each other through; a stamp, or a press that prints black first, hides some.
    face *= 1 - rng.uniform(0.08, 0.8) * across
    printed = face * (1 - ink) + dark * ink
    hides = rng.uniform(0, 0.6) if rng.random() < 0.2 else 0.0
    return np.asarray(printed + hides * across * (face - printed), np.float32)


def photograph(
    face: NDArray[np.float32], neighbours: Sequence[NDArray[np.float32]], px_per_mm: float, rng: Rng
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Lay the card on a table beside neighbours and look at it through a poor camera.

    Returns: picture, uint8, and the card's corners in it, shape (4, 2), in reading order.
    """
    margin = round(MARGIN_MM * PX_PER_MM)
    height, width = face.shape
    table = np.full((height + 2 * margin, width + 2 * margin), rng.uniform(15, 235), np.float32)
    table += rng.uniform(0, 10) * smooth_field(rng, table.shape, rng.uniform(2, 12))
    for dx, dy, neighbour in zip((-1, 1, 0, 0), (0, 0, -1, 1), neighbours, strict=False):
        gap = rng.uniform(0.0, 2.5) if dx else rng.uniform(0, 12)
        x = margin + dx * (width + round(gap * PX_PER_MM)) + (round(rng.normal(0, 12)) if dy else 0)
        y = margin + dy * (height + round(gap * PX_PER_MM)) + (round(rng.normal(0, 3)) if dx else 0)
        if rng.random() < 0.45:
            _paste(table, neighbour, x, y)
    table[margin : margin + height, margin : margin + width] = face
    if rng.random() < 0.5:
        table *= np.exp(rng.uniform(0.02, 0.14) * smooth_field(rng, table.shape, rng.uniform(60, 300)))
    table *= rng.uniform(0.45, 1.1)

    defocus_px = abs(rng.normal(0, 0.45))
    lens = float(np.hypot(defocus_px, 0.42)) * PX_PER_MM / px_per_mm
    if lens > 0.3:
        table = np.asarray(cv2.GaussianBlur(table, (0, 0), lens), np.float32)
    if rng.random() < 0.1:
        table = _smeared(table, rng.uniform(0, 1.6) * PX_PER_MM / px_per_mm, rng)

    angle = np.deg2rad(rng.normal(0, 5))
    scale = px_per_mm / PX_PER_MM
    turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    turn[0] *= np.exp(rng.normal(0, 0.02))
    size = np.array([table.shape[1] * scale, table.shape[0] * scale])
    offset = size / 2 + rng.uniform(-0.5, 0.5, 2) - turn @ (np.array(table.shape[::-1]) / 2)
    affine = np.column_stack([turn, offset])
    shape = (int(size[0]), int(size[1]))
    seen = cv2.warpAffine(table, affine, shape, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    picture = np.asarray(seen, np.float32)
    noise = rng.uniform(0.5, 5.0) if rng.random() < 0.9 else rng.uniform(5, 10)
    picture += np.float32(noise) * rng.standard_normal(picture.shape, np.float32)
    if rng.random() < 0.15:
        picture = np.asarray(1.6 * picture - 0.6 * cv2.GaussianBlur(picture, (0, 0), 1.0), np.float32)
    pixels = np.clip(picture, 0, 255).astype(np.uint8)
    if rng.random() < 0.4:
        _, packed = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, int(rng.uniform(45, 95))])
        pixels = np.asarray(cv2.imdecode(packed, cv2.IMREAD_GRAYSCALE), np.uint8)
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]]) + margin - 0.5
    return pixels, (corners @ turn.T + offset).astype(np.float32)


def _paste(table: NDArray[np.float32], card: NDArray[np.float32], x: int, y: int) -> None:
    y0, x0 = max(y, 0), max(x, 0)
    y1, x1 = min(y + card.shape[0], table.shape[0]), min(x + card.shape[1], table.shape[1])
    if y0 < y1 and x0 < x1:
        table[y0:y1, x0:x1] = card[y0 - y : y1 - y, x0 - x : x1 - x]


def _smeared(picture: NDArray[np.float32], length_px: float, rng: Rng) -> NDArray[np.float32]:
    size = 2 * int(length_px / 2) + 3
    kernel = np.zeros((size, size), np.float32)
    direction = rng.uniform(0, np.pi)
    reach = length_px / 2 * np.array([np.cos(direction), np.sin(direction)])
    middle = np.array([size // 2, size // 2])
    for step in np.linspace(-1, 1, 15):
        x, y = np.round(middle + step * reach).astype(int)
        kernel[y, x] += 1
    return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.float32)


def _covered(
    face: NDArray[np.float32], labels: NDArray[np.int64], ink: NDArray[np.float32], rng: Rng
) -> NDArray[np.float32]:
    """Let a hand, a sleeve or another card lie over part of the face, and mark what it hides."""
    height, width = face.shape
    angle = rng.uniform(0, 2 * np.pi)
    reach = rng.uniform(-0.1, 0.75)
    direction = np.array([np.cos(angle), np.sin(angle)])
    half = abs(direction[0]) * width / 2 + abs(direction[1]) * height / 2
    columns, rows = np.meshgrid(np.arange(width) - width / 2, np.arange(height) - height / 2)
    depth = columns * direction[0] + rows * direction[1] + half * (1 - 2 * reach)
    bulge = 0 if rng.random() < 0.4 else rng.uniform(5, 30)
    mask = (depth + bulge * smooth_field(rng, (height, width), rng.uniform(20, 60)) > 0).astype(np.float32)
    mask = cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.5, 4))
    shade = rng.uniform(15, 245) + rng.uniform(0, 15) * smooth_field(rng, (height, width), rng.uniform(6, 60))
    covered_ink = ink * mask
    for slot, (x0, y0, x1, y1) in enumerate(_slot_boxes()):
        if labels[slot] == BLANK:
            continue
        total = ink[y0:y1, x0:x1].sum()
        if total > 0 and covered_ink[y0:y1, x0:x1].sum() > 0.45 * total:
            labels[slot] = ILLEGIBLE
    return np.asarray(face * (1 - mask) + shade * mask, np.float32)


def _slot_boxes() -> list[tuple[int, int, int, int]]:
    boxes = []
    for column, count in enumerate(COLUMN_SLOTS):
        for row in range(count):
            x, y = WIDTH_MM / 2 + (1 - column) * 14, HEIGHT_MM / 2 + (row - 2) * 12
            boxes.append(
                (
                    round((x - 6) * PX_PER_MM),
                    round((y - 6) * PX_PER_MM),
                    round((x + 6) * PX_PER_MM),
                    round((y + 6) * PX_PER_MM),
                )
            )
    return boxes


def _foreign(rng: Rng) -> tuple[NDArray[np.float32], int]:
    """Draw a face that is no torifuda: a back, a picture card, bare floor, or plain paper."""
    shape = (round(HEIGHT_MM * PX_PER_MM), round(WIDTH_MM * PX_PER_MM))
    kind = rng.integers(4)
    face = np.full(shape, rng.uniform(20, 245), np.float32)
    if kind == 0:
        return face, BLANK
    if kind == 1:
        return face + rng.uniform(5, 50) * smooth_field(rng, shape, rng.uniform(4, 60)), ILLEGIBLE
    if kind == 2:
        for _ in range(int(rng.integers(3, 60))):
            centre = (int(rng.uniform(0, shape[1])), int(rng.uniform(0, shape[0])))
            axes = (int(rng.uniform(2, 50)), int(rng.uniform(2, 50)))
            cv2.ellipse(
                face,
                centre,
                axes,
                rng.uniform(0, 360),
                0,
                rng.uniform(90, 360),
                rng.uniform(0, 255),
                int(rng.integers(-1, 9)) or 1,
            )
        return face, ILLEGIBLE
    period = rng.uniform(2, 25)
    angle = rng.uniform(0, np.pi)
    columns, rows = np.meshgrid(np.arange(shape[1]), np.arange(shape[0]))
    wave = np.sin(2 * np.pi * (columns * np.cos(angle) + rows * np.sin(angle)) / period)
    if rng.random() < 0.5:
        wave *= np.sin(2 * np.pi * (columns * np.sin(angle) - rows * np.cos(angle)) / period)
    return (face + rng.uniform(5, 60) * wave).astype(np.float32), ILLEGIBLE


def lesson(
    faces: Sequence[NDArray[np.uint8]], poems: Sequence[str], rng: Rng, overprinted: float = OVERPRINTED
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Make one lesson.

    Returns: crop, shape (CROP_HEIGHT_PX, CROP_WIDTH_PX), uint8, and the class of each slot, shape (SLOTS,).

    Parameters
    ----------
    faces : glyph cells per typeface file, each of shape (kana, CELL_PX, CELL_PX).
    poems : the torifuda texts.
    overprinted : share of cards with kana printed across.
    """
    chance = rng.random()
    labels = np.full(SLOTS, ILLEGIBLE)
    glyphs = faces[int(rng.integers(len(faces)))]
    typography = Typography.draw(rng)
    if chance < 0.05:
        face, label = _foreign(rng)
        labels[:] = label
    else:
        text = random_text(rng, poems)
        ink = _brush(print_ink(text, glyphs, typography, rng), typography.weight, rng)
        across = random_overprint(faces, ink.shape, PX_PER_MM, rng) if rng.random() < overprinted else None
        face = _face(ink, across, rng)
        labels = np.array(slot_classes(text))
        if chance < 0.10:
            face, labels = np.ascontiguousarray(face[::-1, ::-1]), np.full(SLOTS, ILLEGIBLE)
        elif chance < 0.25:
            face = _covered(face, labels, ink, rng)
    cards = [_neighbour(rng, face) for _ in range(4)]
    px_per_mm = float(
        rng.choice(
            [rng.uniform(0.46, 0.62), rng.uniform(0.9, 1.25), np.exp(rng.uniform(-0.6, 1.1))],
            p=[0.3, 0.4, 0.3],
        )
    )
    picture, corners = photograph(face, cards, px_per_mm, rng)
    # Corners are found to a fraction of a pixel, on a bad day to one or two.
    loose = min(abs(rng.normal(0, 0.5)), 1.2) * max(1.0, 0.6 * px_per_mm)
    corners += (rng.normal(0, loose, 2) + rng.normal(0, 0.6 * loose, (4, 2))).astype(np.float32)
    return card_crops(picture, corners[None])[0], labels


def _neighbour(rng: Rng, face: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return a card like this one, as far as its edge can tell."""
    return np.ascontiguousarray(face[::-1, ::-1] if rng.random() < 0.5 else face)
