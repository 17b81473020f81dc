"""Prints hanafuda anew as another maker might have: for teaching the reader of foreign printings.

Every printing shares its motifs with the others: what lies where, and roughly in which colours. What differs
is the inks, the weight of the lines, the border, the ground, seals and writing, and the exact drawing. So all
of these are changed at random.
"""

from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]

DRAWING: Final = (96, 160)  # width and height at which a card is drawn anew before the camera looks at it
_RIBBONS: Final = ((-15.0, 15.0), (-15.0, 15.0), (200.0, 290.0))
"""Hues of ribbons in degrees: two in three are red, the others blue or violet."""


def reprinted(
    picture: Picture, rng: np.random.Generator, other: Picture | None = None, *, ribbon: bool = False
) -> Picture:
    """Return a card as another printer might have made it, of `DRAWING` size.

    Parameters
    ----------
    picture : the card.
    rng : the dice.
    other : the same card of another deck, from which a part is taken.
    ribbon : whether a ribbon is hung before the drawing.
    """
    card = _without_border(at_size(picture), rng)
    if other is not None:
        card = _patched(card, _without_border(at_size(other), rng), rng)
    if ribbon:
        card = _with_ribbon(card, rng)
    if rng.random() < 0.6:
        card = _heavier(card, rng)
    if rng.random() < 0.35:
        card = _filled(card, rng)
    if rng.random() < 0.85:
        card = _reinked(card, rng)
    if rng.random() < 0.2:
        card = _turned_hues(card, rng)
    if rng.random() < 0.2:
        card = _outlined(card, rng)
    if rng.random() < 0.3:
        card = _dotted(card, rng)
    if rng.random() < 0.35:
        card = _hatched(card, rng)
    card = _redrawn(card, rng)
    if rng.random() < 0.25:
        card = _stamped(card, rng)
    return bordered(card, rng)


def at_size(picture: Picture) -> Picture:
    """Return a card's picture at `DRAWING` size."""
    return np.asarray(cv2.resize(picture, DRAWING, interpolation=cv2.INTER_AREA), np.uint8)


def _without_border(card: Picture, rng: np.random.Generator) -> Picture:
    """Cut a random strip off each side: mostly as much as is border."""
    width, height = DRAWING
    cut = np.abs(rng.normal(0.055, 0.02)) + rng.normal(0, 0.01, 4)
    left, right = (int(np.clip(share, 0, 0.15) * width) for share in cut[:2])
    top, low = (int(np.clip(share * 0.62, 0, 0.1) * height) for share in cut[2:])
    return np.asarray(
        cv2.resize(card[top : height - low, left : width - right], DRAWING, interpolation=cv2.INTER_LINEAR)
    )


def _heavier(card: Picture, rng: np.random.Generator) -> Picture:
    """Make dark lines thicker or thinner."""
    size = int(rng.integers(2, 5))
    kernel = np.ones((size, size), np.uint8)
    changed = cv2.erode(card, kernel) if rng.random() < 0.6 else cv2.dilate(card, kernel)
    share = rng.uniform(0.3, 1)
    return np.asarray(cv2.addWeighted(changed, share, card, 1 - share, 0))


def _patched(card: Picture, other: Picture, rng: np.random.Generator) -> Picture:
    """Put a part of another deck's card in its place: a half, or some patches."""
    width, height = DRAWING
    rough: Any = rng.standard_normal((height // 8, width // 8)).astype(np.float32)
    rough = cv2.GaussianBlur(rough, (0, 0), rng.uniform(1.2, 4))
    field = cv2.resize(rough / max(float(rough.std()), 1e-6), DRAWING)
    share = np.clip((field + rng.normal(0, 0.4)) * rng.uniform(2, 12) + 0.5, 0, 1)[..., None]
    return np.asarray(card * (1 - share) + other * share, np.uint8)


def _with_ribbon(card: Picture, rng: np.random.Generator) -> Picture:
    """Hang a slip of paper before a plant, as a ribbon card shows it: slanting, bent, often written on."""
    card = card.copy()
    width, height = DRAWING
    x, y = rng.uniform(0.3, 0.7) * width, rng.uniform(0.4, 0.6) * height
    long, wide = rng.uniform(0.45, 0.75) * height, rng.uniform(0.2, 0.42) * width
    along = np.linspace(-0.5, 0.5, 9)
    middle = x + rng.normal(0, 0.2) * along * long + rng.normal(0, 0.04) * width * np.cos(along * np.pi)
    skew = rng.normal(0, 0.06) * height
    left = np.column_stack([middle - wide / 2, y + along * long - skew / 2])
    right = np.column_stack([middle + wide / 2, y + along * long + skew / 2])
    outline = np.rint(np.concatenate([left, right[::-1]])).astype(np.int32)
    paper = _ink(rng, _RIBBONS[int(rng.integers(len(_RIBBONS)))], (0.4, 1.0))
    if rng.random() < 0.1:
        paper = rng.uniform(200, 255, 3).astype(np.float32)
    cv2.fillPoly(card, [outline], [float(v) for v in paper], cv2.LINE_AA)
    if rng.random() < 0.7:
        line = [float(rng.uniform(0, 60))] * 3
        cv2.polylines(card, [outline], True, line, int(rng.integers(1, 4)), cv2.LINE_AA)
    if rng.random() < 0.4:
        signs = np.linspace(-0.38, 0.38, int(rng.integers(3, 6)))
        spots = np.column_stack([np.interp(signs, along, middle), y + signs * long])
        for spot in spots:
            for _ in range(4):
                ends = rng.normal(spot, wide / 6, (2, 2)).astype(int)
                cv2.line(
                    card, tuple(map(int, ends[0])), tuple(map(int, ends[1])), (20, 20, 20), 2, cv2.LINE_AA
                )
    return card


def _filled(card: Picture, rng: np.random.Generator) -> Picture:
    """Fill dark surfaces with another ink and leave their outlines: leaves and hills are not always black."""
    size = int(rng.integers(2, 5))
    inside: Any = cv2.erode((card.max(axis=2) < 110).astype(np.uint8), np.ones((size, size), np.uint8))
    inside = cv2.GaussianBlur(inside.astype(np.float32), (0, 0), 0.7)[..., None] * rng.uniform(0.7, 1)
    ink = _ink(rng, None, (0.25, 0.95), dull=True)
    return np.asarray(card * (1 - inside) + ink * inside, np.uint8)


def _turned_hues(card: Picture, rng: np.random.Generator) -> Picture:
    """Turn all hues alike, more or less washed out: what a card is, its colours alone do not tell."""
    hsv = cv2.cvtColor(card, cv2.COLOR_BGR2HSV)
    hsv[..., 0] = (hsv[..., 0].astype(int) + int(rng.integers(180))) % 180
    hsv[..., 1] = hsv[..., 1] * rng.uniform(0.3, 1)
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR), np.uint8)


def _reinked(card: Picture, rng: np.random.Generator) -> Picture:
    """Print black and green, red, blue and violet, yellow and brown with other inks each."""
    hsv = cv2.cvtColor(card, cv2.COLOR_BGR2HSV).astype(np.float32)
    hue, strong, value = hsv[..., 0] * 2, hsv[..., 1] / 255, hsv[..., 2] / 255
    coloured = np.clip((strong - 0.2) / 0.2, 0, 1) * np.clip((value - 0.25) / 0.15, 0, 1)

    def band(low: float, high: float) -> Floats:
        away = np.maximum(low - hue, hue - high)
        return np.asarray(np.clip(1 - away / 12, 0, 1) * coloured, np.float32)

    red = np.maximum(band(-20, 14), band(335, 380))
    yellow, green = band(22, 68), band(80, 175)
    blue = band(190, 320)
    dark = (1 - coloured) * np.clip((0.75 - value) / 0.25, 0, 1)
    bgr: Any = card.astype(np.float32)
    odd = 40 * (rng.random() < 0.3)
    kinds = (
        (np.maximum(dark, 0), _ink(rng, None, (0.05, 0.5), dull=True), rng.random() < 0.5),
        (green, _ink(rng, None, (0.05, 0.7), dull=True), rng.random() < 0.7),
        (red, _ink(rng, (-14 - odd / 2, 18 + odd / 2), (0.55, 1.0)), rng.random() < 0.6),
        (yellow, _ink(rng, (15 - odd / 2, 62 + odd), (0.5, 1.0)), rng.random() < 0.6),
        (blue, _ink(rng, (195 - odd, 310 + odd), (0.25, 0.95)), rng.random() < 0.6),
    )
    for share, ink, wanted in kinds:
        if wanted:
            own = share * rng.uniform(0.6, 1)
            # what was darker than the ink's own mean stays darker
            weight = float(share.sum())
            mean = float((share * value).sum()) / max(weight, 1e-3)
            light = np.clip(value / max(mean, 0.1), 0.5, 1.5)[..., None]
            bgr = bgr * (1 - own[..., None]) + own[..., None] * np.clip(ink * light, 0, 255)
    if rng.random() < 0.5:
        paper = np.clip(rng.normal((232, 240, 246), (16, 10, 8)), 170, 255) / 250
        bgr = bgr * paper
    if rng.random() < 0.12:  # red grounds for white ones
        ground = np.clip((value - 0.75) / 0.15, 0, 1) * np.clip((0.25 - strong) / 0.15, 0, 1)
        ink = _ink(rng, None, (0.4, 1.0))
        bgr = bgr * (1 - ground[..., None]) + ground[..., None] * ink
    return np.asarray(np.clip(bgr, 0, 255), np.uint8)


def _ink(
    rng: np.random.Generator,
    hues: tuple[float, float] | None,
    values: tuple[float, float],
    *,
    dull: bool = False,
) -> Floats:
    """Return a colour, blue, green, red, 0..255; a dull one is mostly near black, brown or green."""
    if hues is None:
        hue = float(
            rng.choice([rng.uniform(10, 40), rng.uniform(80, 170), rng.uniform(0, 360)], p=[0.25, 0.5, 0.25])
        )
    else:
        hue = float(rng.uniform(*hues))
    strong = rng.uniform(0, 0.9) if dull else rng.uniform(0.45, 1)
    value = rng.uniform(*values)
    pixel = np.array([[[hue % 360 / 2, strong * 255, value * 255]]], np.uint8)
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0], np.float32)


def _outlined(card: Picture, rng: np.random.Generator) -> Picture:
    """Draw surfaces as their outlines, more or less filled."""
    fine = (
        cv2.morphologyEx(card, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)).max(axis=2).astype(np.float32)
    )
    lines = np.clip(fine / 255 * rng.uniform(1, 2.5), 0, 1)[..., None]
    wash = rng.uniform(0, 0.9)
    paper = np.float32(rng.uniform(215, 255))
    bgr = paper * (1 - wash) + card.astype(np.float32) * wash
    return np.asarray(np.clip(bgr * (1 - lines) + rng.uniform(0, 90) * lines, 0, 255), np.uint8)


def _dotted(card: Picture, rng: np.random.Generator) -> Picture:
    """Strew dots over the ground, or take them away by a median."""
    if rng.random() < 0.3:
        return np.asarray(cv2.medianBlur(card, 5))
    paper = (card.min(axis=2) > 190).astype(np.float32)
    dots: Any = (rng.random(card.shape[:2]) < rng.uniform(0.005, 0.04)).astype(np.float32)
    dots = cv2.GaussianBlur(dots, (0, 0), rng.uniform(0.6, 1.1)) * 4
    share = np.clip(dots, 0, 0.9)[..., None] * paper[..., None]
    ink = rng.uniform(0, 110, 3)
    return np.asarray(card * (1 - share) + ink * share, np.uint8)


def _hatched(card: Picture, rng: np.random.Generator) -> Picture:
    """Draw light lines into dark surfaces: leaves and hills have them in some printings."""
    dark: Any = (card.max(axis=2) < 110).astype(np.uint8)
    dark = cv2.erode(dark, np.ones((3, 3), np.uint8)).astype(np.float32)
    width, height = DRAWING
    y, x = np.mgrid[:height, :width]
    angle, pitch = rng.uniform(0, np.pi), rng.uniform(4, 14)
    bend = rng.uniform(0, 6) * np.sin((x * np.sin(angle) - y * np.cos(angle)) / rng.uniform(8, 30))
    phase = (x * np.cos(angle) + y * np.sin(angle) + bend) / pitch * 2 * np.pi
    lines = np.clip((np.cos(phase) - rng.uniform(0.6, 0.9)) * 6, 0, 1) * dark * rng.uniform(0.3, 1)
    ink = rng.uniform(60, 255, 3)
    return np.asarray(card * (1 - lines[..., None]) + ink * lines[..., None], np.uint8)


def _redrawn(card: Picture, rng: np.random.Generator) -> Picture:
    """Move, stretch and bend the drawing: nobody draws a motif twice in the same place."""
    width, height = DRAWING
    grid: Any = np.mgrid[:height, :width].astype(np.float32)
    y, x = grid
    middle = rng.uniform((0.2 * width, 0.2 * height), (0.8 * width, 0.8 * height))
    stretch = 1 / rng.normal(1, 0.07, 2).clip(0.8, 1.25)
    turn = rng.normal(0, 0.06)
    away_x, away_y = x - middle[0], y - middle[1]
    shift = rng.normal(0, 0.025, 2) * (width, height)
    new_x = middle[0] + stretch[0] * (away_x * np.cos(turn) - away_y * np.sin(turn)) + shift[0]
    new_y = middle[1] + stretch[1] * (away_x * np.sin(turn) + away_y * np.cos(turn)) + shift[1]
    for scale, sigma in ((rng.uniform(0, 5), 24), (rng.uniform(0, 2.0), 9)):
        noise: Any = rng.standard_normal((height // 4, width // 4, 2)).astype(np.float32)
        noise = cv2.GaussianBlur(noise, (0, 0), sigma / 4)
        noise = cv2.resize(noise, DRAWING) / max(float(noise.std()), 1e-6) * scale * 0.6
        new_x, new_y = new_x + noise[..., 0], new_y + noise[..., 1]
    if rng.random() < 0.06:
        new_x = width - 1 - new_x
    mode = cv2.BORDER_REFLECT if rng.random() < 0.5 else cv2.BORDER_REPLICATE
    return np.asarray(
        cv2.remap(card, new_x.astype(np.float32), new_y.astype(np.float32), cv2.INTER_LINEAR, borderMode=mode)
    )


def _stamped(card: Picture, rng: np.random.Generator) -> Picture:
    """Add a maker's seal or a line of writing."""
    card = card.copy()
    width, height = DRAWING
    ink = [
        float(v) for v in (rng.uniform(0, 60, 3) if rng.random() < 0.5 else (40, 40, rng.uniform(170, 255)))
    ]
    if rng.random() < 0.5:
        x = int(rng.choice([0.2, 0.8]) * width + rng.normal(0, 4))
        y = int(rng.choice([0.13, 0.87]) * height + rng.normal(0, 4))
        radius = int(rng.integers(7, 14))
        cv2.circle(card, (x, y), radius, ink, -1, cv2.LINE_AA)
        for _ in range(6):
            ends = rng.normal((x, y), radius * 0.4, (2, 2)).astype(int)
            cv2.line(
                card, tuple(map(int, ends[0])), tuple(map(int, ends[1])), (240, 240, 240), 1, cv2.LINE_AA
            )
        return card
    start = rng.uniform(0.1, 0.5) * width, rng.uniform(0.1, 0.9) * height
    step = (rng.uniform(8, 12), 0.0) if rng.random() < 0.5 else (0.0, rng.uniform(8, 12))
    for number in range(int(rng.integers(2, 6))):
        at = (start[0] + step[0] * number, start[1] + step[1] * number)
        for _ in range(4):
            ends = rng.normal(at, 3, (2, 2)).astype(int)
            cv2.line(card, tuple(map(int, ends[0])), tuple(map(int, ends[1])), ink, 1, cv2.LINE_AA)
    return card


def bordered(card: Picture, rng: np.random.Generator) -> Picture:
    """Put a border of black, red, brown or none around the drawing."""
    share = rng.choice([0.0, rng.uniform(0.02, 0.06), rng.uniform(0.05, 0.11)], p=[0.12, 0.5, 0.38])
    if share == 0:
        return card
    width, height = DRAWING
    thick = max(1, round(share * width))
    inner = cv2.resize(card, (width - 2 * thick, height - 2 * thick), interpolation=cv2.INTER_AREA)
    if rng.random() < 0.6:
        ink = rng.uniform(5, 70) * np.ones(3) + rng.normal(0, 5, 3)
    else:
        ink = np.array([rng.uniform(10, 60), rng.uniform(10, 60), rng.uniform(80, 240)])
    framed = np.empty((height, width, 3), np.uint8)
    framed[:] = np.clip(ink, 0, 255)
    framed[thick : thick + inner.shape[0], thick : thick + inner.shape[1]] = inner
    return framed
