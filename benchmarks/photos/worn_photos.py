"""Photos as people take them of a worn deck: warm light, shadows, blur, JPEG, white paper, any size.

What lies below is a photo or a drawn ground; cards lie apart or touch. The print may be of another deck than
the one that is enrolled. The truth is exact.
"""

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np

from benchmarks.photos.laid_photos import Photo, TrueCard
from calibration.decks.deck import Deck
from referee.cards.hanafuda import HANAFUDA

_SIZE: Final = (1280, 960)
_FINE: Final = 2  # cards are drawn so much finer than the photo and averaged, as a sensor's pixels do


@dataclass(frozen=True)
class Manner:
    """How a photo is taken."""

    width_px: float  # of a card
    cards: int  # how many lie there at most
    blur_px: float  # standard deviation
    wear: float  # 0..1, how worn the cards are
    white: bool = False  # whether they lie on white paper, with no more than a faint edge and a shadow
    touching: bool = False  # whether they lie edge to edge in rows


def drawn_manner(dice: np.random.Generator) -> Manner:
    """Draw a manner: most cards 25 to 150 px wide, some down to 12."""
    small = dice.random() < 0.35
    width = float(np.exp(dice.uniform(*np.log([12, 28] if small else [28, 160]))))
    return Manner(
        width,
        int(dice.choice([1, 2, 4, 8, 16])),
        float(dice.uniform(0.3, 1.0) if width < 28 else dice.uniform(0.4, 2.0)),
        float(dice.uniform(0, 1)),
        white=bool(dice.random() < 0.3),
        touching=bool(dice.random() < 0.25),
    )


def worn_photo(deck: Deck, seed: int, manner: Manner | None = None, ground: Any | None = None) -> Photo:
    """Return a photo of some of a deck's cards.

    `deck`: whose prints lie there. `ground`: what they lie on, any size, blue, green, red; a plain one if
    there is none.
    """
    dice = np.random.default_rng(seed)
    how = manner or drawn_manner(dice)
    photo = _ground(dice, how, ground)
    to_photo = _view(dice)
    names = [str(name) for name in dice.permutation(list(deck.pictures))]
    lying = []
    for name, flat in zip(names, _places(dice, how), strict=False):
        seen = cv2.perspectiveTransform(flat[None].astype(np.float32), to_photo)[0].astype(np.float64)
        if (seen > 2).all() and (seen < np.array(_SIZE) - 3).all():
            photo = _laid(photo, _worn(deck.pictures[name], how.wear, dice), seen, how.width_px, dice)
            lying.append(TrueCard(HANAFUDA[name].index, seen, 1.0))
    kind = "white on white" if how.white else "touching" if how.touching else "apart"
    return Photo(kind, deck.name, _taken(photo, how, dice), tuple(lying))


def pale_rimmed(deck: Deck) -> Deck:
    """Return the deck with a rim of its cards' own paper in place of its border."""
    pictures = {}
    for name, picture in deck.pictures.items():
        rim = round(0.05 * picture.shape[1])
        paper = np.percentile(picture.reshape(-1, 3), 95, axis=0).tolist()
        inner = picture[rim:-rim, rim:-rim]
        wide = cv2.copyMakeBorder(inner, rim, rim, rim, rim, borderType=cv2.BORDER_CONSTANT, value=paper)
        pictures[name] = np.asarray(wide, np.uint8)
    return Deck(deck.game, f"{deck.name} pale", pictures)


def _ground(dice: np.random.Generator, how: Manner, ground: Any | None) -> Any:
    width, height = _SIZE
    if how.white:
        table = np.full((height, width, 3), dice.uniform(205, 245), np.float32)
        return table + cv2.GaussianBlur(dice.normal(0, 6, table.shape), (0, 0), 2).astype(np.float32)
    if ground is None:
        table = np.full((height, width, 3), dice.uniform(30, 200, 3), np.float32)
        return table + dice.normal(0, 4, (height, 1, 1)).astype(np.float32)
    return cv2.resize(ground, _SIZE, interpolation=cv2.INTER_AREA).astype(np.float32)


def _view(dice: np.random.Generator) -> Any:
    """Return a slant: the far side is smaller by up to a fifth."""
    width, height = _SIZE
    square = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    far = float(dice.uniform(0, 0.1))
    seen = square + np.array([[far, far / 2], [-far, far / 2], [0, 0], [0, 0]], np.float32) * [width, height]
    return cv2.getPerspectiveTransform(square, seen.astype(np.float32))


def _places(dice: np.random.Generator, how: Manner) -> list[Any]:
    """Return where the cards lie, shape (4, 2) each, clockwise from the upper left corner."""
    width, height = how.width_px, how.width_px * 54 / 33
    step = np.array([width, height]) * 1.01 if how.touching else np.full(2, 1.25 * np.hypot(width, height))
    across, down = np.maximum(((np.array(_SIZE) - 80) / step).astype(int), 1)
    if how.touching:
        across, down = min(int(across), 4), min(int(down), 4)
    start = (np.array(_SIZE) - (step * [across, down])) / 2 + step / 2
    order = dice.permutation(across * down)[: how.cards] if not how.touching else range(how.cards)
    places = []
    for number in order:
        if number >= across * down:
            break
        middle = start + step * [number % across, number // across]
        turn = 0.0 if how.touching else float(dice.uniform(0, 2 * np.pi))
        half = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
        cosine, sine = np.cos(turn), np.sin(turn)
        places.append(half @ np.array([[cosine, sine], [-sine, cosine]]) + middle)
    return places


def _worn(picture: Any, wear: float, dice: np.random.Generator) -> Any:
    """Rub the edges pale, scratch and stain."""
    height, width = picture.shape[:2]
    face = picture.astype(np.float32)
    y, x = np.mgrid[:height, :width]
    rim = np.minimum.reduce([x, y, width - 1 - x, height - 1 - y]) / width
    noise = cv2.GaussianBlur(dice.normal(0, 1, (height, width)), (0, 0), 4)
    pale = np.clip(wear * (1.2 - rim / 0.05 + 4 * noise), 0, 0.8)[..., None]
    face = face * (1 - pale) + np.array([190, 205, 215]) * pale
    fade = 0.25 * wear
    face = face * (1 - fade) + fade * np.array([120, 140, 150])
    for _ in range(int(6 * wear)):
        one, other = (dice.uniform(0, 1, (2, 2)) * [width, height]).astype(int).tolist()
        cv2.line(face, one, other, dice.uniform(90, 220, 3).tolist(), 1, cv2.LINE_AA)
    stain = cv2.GaussianBlur(dice.normal(0, 1, (height, width)), (0, 0), width / 6)
    return np.clip(face * (1 - 0.15 * wear * np.clip(stain / stain.std(), -1, 1))[..., None], 0, 255)


def _laid(photo: Any, face: Any, corners: Any, width_px: float, dice: np.random.Generator) -> Any:
    """Draw a card with the shadow of its edge and rounded corners."""
    height, width = face.shape[:2]
    low = np.maximum(np.floor(corners.min(axis=0)).astype(int) - 12, 0)
    high = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 13, _SIZE)
    extent = ((high - low) * _FINE).tolist()
    target = ((corners - low + 0.5) * _FINE - 0.5).astype(np.float32)
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, target)
    soft = cv2.GaussianBlur(face, (0, 0), max(width / width_px / _FINE / 2, 0.01))
    mask = np.zeros((height, width), np.float32)
    radius = width // 16
    cv2.rectangle(mask, (radius, 0), (width - 1 - radius, height - 1), 1, cv2.FILLED)
    cv2.rectangle(mask, (0, radius), (width - 1, height - 1 - radius), 1, cv2.FILLED)
    for x in (radius, width - 1 - radius):
        for y in (radius, height - 1 - radius):
            cv2.circle(mask, (x, y), radius, 1, cv2.FILLED)
    seen = cv2.warpPerspective(soft, matrix, extent, borderMode=cv2.BORDER_REPLICATE)
    share = cv2.warpPerspective(mask, matrix, extent)
    size = tuple((high - low).tolist())
    seen = cv2.resize(seen, size, interpolation=cv2.INTER_AREA)
    share = cv2.resize(share, size, interpolation=cv2.INTER_AREA)[..., None]
    thick = max(width_px / 33 * 0.8, 0.5)
    shift = np.array([[1, 0, thick * 0.7], [0, 1, thick]], np.float32)
    shade = cv2.GaussianBlur(cv2.warpAffine(share[..., 0], shift, size), (0, 0), max(thick, 0.4))[..., None]
    part = photo[low[1] : high[1], low[0] : high[0]]
    dark = part * (1 - float(dice.uniform(0.15, 0.5)) * shade)
    photo[low[1] : high[1], low[0] : high[0]] = dark * (1 - share) + seen * share
    return photo


def _taken(photo: Any, how: Manner, dice: np.random.Generator) -> Any:
    """Light the scene unevenly and warmly, blur, add noise and compress it."""
    width, height = _SIZE
    y, x = np.mgrid[:height, :width].astype(np.float32)
    slope = dice.uniform(-0.2, 0.2, 2)
    light = 1 + slope[0] * (x / width - 0.5) + slope[1] * (y / height - 0.5)
    edge = (x - width * dice.uniform(0, 1)) * np.cos(turn := dice.uniform(0, 6.3)) + y * np.sin(turn)
    light *= 1 - float(dice.uniform(0, 0.35)) / (1 + np.exp(-np.clip(edge / 25, -30, 30)))
    warm = np.array([dice.uniform(0.6, 1), dice.uniform(0.85, 1), 1])
    lit = photo * light[..., None] * warm * float(dice.uniform(0.65, 1.1))
    lit = cv2.GaussianBlur(lit, (0, 0), how.blur_px) + dice.normal(0, dice.uniform(1, 5), lit.shape)
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(dice.integers(55, 95))]
    _, data = cv2.imencode(".jpg", np.clip(lit, 0, 255).astype(np.uint8), quality)
    return cv2.imdecode(data, cv2.IMREAD_COLOR)
