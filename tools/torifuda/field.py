"""Lays printed torifuda on a floor and takes a picture from above: examination papers for the layout reader.

Not the product's simulator and not its renderer: a still picture in any typeface, with exact truth, made to
differ from both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.cards.kana import unvoiced
from referee.cards.poems import POEMS
from referee.layout import CARD_WIDTH_M, ROWS, TERRITORY_WIDTH_M, Layout, PlacedCard, row_centre_y_m
from referee.sides import Side
from torifuda.overprint import Overprint, overprint_ink
from torifuda.printer import HEIGHT_MM, PX_PER_MM, WIDTH_MM, Rng, Typography, print_ink, smooth_field
from vision.torifuda.kana import KANA

FLOOR_MM: Final = (1500.0, 1000.0)
FLOOR_PX_PER_MM: Final = 2.4
_MM: Final = 1e3


INKS: Final = {
    "pink": (240, 150, 190),
    "red": (215, 40, 50),
    "blue": (40, 90, 200),
    "green": (30, 150, 70),
    "orange": (245, 150, 40),
}
"""Red, green and blue of the inks in which beginners' editions print the kimariji."""


@dataclass(frozen=True, slots=True)
class Kimariji:
    """How a deck prints its kimariji across its cards, large and in an ink of its own.

    Attributes
    ----------
    glyphs : cells of the typeface, shape (kana, CELL_PX, CELL_PX).
    passes : share of the light that the ink lets through to a gray camera.
    size : em as a share of the largest that the card holds.
    beside : how far from the middle it stands, as shares of the room that is left.
    bolder : by what share of an em the strokes are thickened.
    """

    glyphs: NDArray[np.uint8]
    passes: float
    size: float
    beside: tuple[float, float]
    bolder: float

    @classmethod
    def draw(cls, glyphs: NDArray[np.uint8], ink: str, rng: Rng) -> Kimariji:
        """Draw a deck's own: at least half as large as its cards hold, often beside the middle."""
        luma = float(np.dot(INKS[ink], (0.299, 0.587, 0.114))) / 255
        place = (0.0, 0.0) if rng.random() < 0.5 else (float(rng.uniform(-1, 1)), float(rng.uniform(-1, 1)))
        return cls(glyphs, luma, float(rng.uniform(0.6, 1.0)), place, float(rng.uniform(0, 0.05)))

    def across(self, card: int, shape: tuple[int, int]) -> NDArray[np.float32]:
        """Return how much of each pixel of a poem's card the ink covers, 0..1."""
        kana = [KANA.index(sound) for sound in unvoiced(POEMS[card].kimariji) if sound in KANA]
        rows = len(kana) if len(kana) <= 3 else -(-len(kana) // 2)
        columns = -(-len(kana) // rows)
        em = self.size * min((WIDTH_MM - 4) / columns, (HEIGHT_MM - 4) / rows)
        places = np.array([[-(i // rows), i % rows] for i in range(len(kana))]) * em
        places -= (places.min(axis=0) + places.max(axis=0)) / 2
        room = np.array([WIDTH_MM - columns * em, HEIGHT_MM - rows * em]) / 2
        places += np.array(self.beside) * room
        laid = Overprint(tuple(kana), places, em, 0.0, self.bolder * em, 0.0)
        return overprint_ink(laid, self.glyphs, shape, PX_PER_MM)


@dataclass(frozen=True, slots=True)
class Deck:
    """How a deck is printed: border, paper and ink as gray values, its typography and kimariji."""

    typography: Typography
    paper: float
    ink: float
    border: float
    border_mm: float
    kimariji: Kimariji | None = None

    @classmethod
    def draw(cls, rng: Rng) -> Deck:
        """Draw a deck like those on sale: block shift up to 1.2 mm, size 12 %, pitch -15 %, jitter 0.5 mm."""
        size = 1 + rng.uniform(-0.12, 0.12)
        typography = Typography(
            em=10.6 * size,
            pitch=12.4 * (1 - rng.uniform(0, 0.15)),
            column_pitch=15.0 * (1 - rng.uniform(0, 0.10)),
            shift=(rng.uniform(-1.2, 1.2), rng.uniform(-1.2, 1.2)),
            jitter=rng.uniform(0, 0.5),
            turn_deg=rng.uniform(0, 2.5),
            slant=0.0,
            weight=rng.uniform(-0.3, 0.6),
        )
        paper = rng.uniform(195, 245)
        # Green, black, red or no border at all, as gray values.
        kind = rng.integers(4)
        border = (rng.uniform(70, 120), rng.uniform(20, 50), rng.uniform(60, 110), paper)[kind]
        border_mm = 0.0 if kind == 3 else rng.uniform(0.8, 3.2)
        return cls(typography, paper, rng.uniform(15, 55), border, border_mm)


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera above the field. `k1` is in units of the focal length, as everywhere."""

    width: int = 1280
    height: int = 720
    mm_across: float = 1180.0
    height_mm: float = 1600.0
    tilt_deg: float = 1.0
    tilt_towards_deg: float = 0.0
    turn_deg: float = 0.0
    k1: float = -0.03
    blur_px: float = 0.5
    noise: float = 2.5
    exposure: float = 1.0

    @classmethod
    def draw(cls, rng: Rng, width: int = 1280, height: int = 720, tilt_deg: float = 6.0) -> Camera:
        """Draw a camera within the limits that the product promises."""
        return cls(
            width=width,
            height=height,
            mm_across=rng.uniform(1100, 1300),
            height_mm=rng.uniform(1300, 1900),
            tilt_deg=rng.uniform(0, tilt_deg),
            tilt_towards_deg=rng.uniform(0, 360),
            turn_deg=rng.normal(0, 1.2),
            k1=rng.uniform(-0.15, 0.02),
            blur_px=rng.uniform(0.3, 0.9),
            noise=rng.uniform(1, 4),
            exposure=rng.uniform(0.6, 1.05),
        )

    def see(self, floor_mm: NDArray[np.floating]) -> NDArray[np.float64]:
        """Project points of the floor, shape (N, 2) in mm, to pixels, shape (N, 2)."""
        focal_px = self.width * self.height_mm / self.mm_across
        turn, tilt, towards = np.deg2rad([self.turn_deg, self.tilt_deg, self.tilt_towards_deg])
        axis = np.array([np.cos(towards), np.sin(towards), 0.0]) * tilt
        lean, _ = cv2.Rodrigues(axis)
        spin, _ = cv2.Rodrigues(np.array([0.0, 0.0, turn]))
        points = np.column_stack([floor_mm, np.zeros(len(floor_mm))]) @ (lean @ spin).T
        points[:, 2] += self.height_mm
        flat = points[:, :2] / points[:, 2:]
        flat *= 1 + self.k1 * (flat**2).sum(axis=1, keepdims=True)
        return np.asarray(flat * focal_px + np.array([self.width - 1, self.height - 1]) / 2)


def random_layout(rng: Rng, cards: int, spread_deg: float = 0.8) -> Layout:
    """Deal `cards` torifuda to the rows of both sides, packed towards the outer edges as players do."""
    numbers = rng.permutation(np.arange(1, 101))[:cards]
    places: list[PlacedCard] = []
    free = [(side, row, end) for side in Side for row in range(ROWS) for end in (-1, 1)]
    filled = dict.fromkeys(free, 0.0)
    for number in numbers:
        open_ends = [
            place
            for place in free
            if filled[place[0], place[1], -1] + filled[place[0], place[1], 1] < TERRITORY_WIDTH_M - 0.06
        ]
        side, row, end = open_ends[int(rng.integers(len(open_ends)))]
        gap = 0.0006 if rng.random() < 0.6 else rng.uniform(0, 0.004)
        if rng.random() < 0.1:
            gap += 0.054
        x = end * (TERRITORY_WIDTH_M / 2 - filled[side, row, end] - CARD_WIDTH_M / 2)
        if filled[side, row, -1] + filled[side, row, 1] + gap + CARD_WIDTH_M < TERRITORY_WIDTH_M - 0.002:
            filled[side, row, end] += CARD_WIDTH_M + gap
        else:
            filled[side, row, end] += CARD_WIDTH_M + 0.0003
        y = row_centre_y_m(side, row) + rng.normal(0, 0.0008)
        turn = rng.normal(0, np.deg2rad(spread_deg) * (1 if gap > 0.002 else 0.3))
        places.append(PlacedCard(int(number), side, row, x, y, float(turn)))
    return Layout(tuple(places))


def card_corners_m(placed: PlacedCard) -> NDArray[np.float64]:
    """Return a card's corners in field metres, shape (4, 2), in reading order."""
    half = np.array([WIDTH_MM, HEIGHT_MM]) / 2 / _MM
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    angle = placed.angle_rad + (np.pi if (placed.side is Side.FAR) == placed.faces_owner else 0.0)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray(corners @ turn.T + np.array([placed.x_m, placed.y_m]))


def print_card(
    text: str, glyphs: NDArray[np.uint8], deck: Deck, rng: Rng, card: int | None = None
) -> NDArray[np.float32]:
    """Print one card, gray values, shape (HEIGHT_MM, WIDTH_MM) times PX_PER_MM.

    Parameters
    ----------
    card : whose kimariji is printed across it, where the deck does so.
    """
    ink = (
        cv2.GaussianBlur(print_ink(text, glyphs, deck.typography, rng), (0, 0), 0.7).astype(np.float32) / 255
    )
    face = np.full(ink.shape, deck.paper, np.float32)
    thick = round(deck.border_mm * PX_PER_MM)
    if thick:
        edges = np.ones(ink.shape, bool)
        edges[thick:-thick, thick:-thick] = False
        face[edges] = deck.border
    if deck.kimariji is not None and card is not None:
        face *= 1 - (1 - deck.kimariji.passes) * deck.kimariji.across(card, (ink.shape[0], ink.shape[1]))
    return np.asarray(face * (1 - ink) + deck.ink * ink, np.float32)


def picture(  # noqa: PLR0917
    layout: Layout,
    texts: dict[int, str],
    glyphs: NDArray[np.uint8],
    deck: Deck,
    camera: Camera,
    rng: Rng,
    hands: int = 0,
    shadow: bool = True,
) -> tuple[NDArray[np.uint8], NDArray[np.float64], NDArray[np.float64]]:
    """Take the picture of a layout.

    Returns
    -------
    gray picture; true corners per card in pixels, shape (N, 4, 2), in reading order; and the covered share of
    each card, shape (N,).
    """
    shape = (round(FLOOR_MM[1] * FLOOR_PX_PER_MM), round(FLOOR_MM[0] * FLOOR_PX_PER_MM))
    level = rng.uniform(25, deck.paper - 40)
    floor = np.full(shape, level, np.float32)
    floor += rng.uniform(1, 6) * smooth_field(rng, shape, rng.uniform(6, 14))
    for _ in range(int(rng.integers(0, 3))):
        y = int(rng.uniform(0, shape[0]))
        cv2.line(
            floor,
            (0, y),
            (shape[1], y + int(rng.normal(0, 20))),
            float(floor[0, 0] * rng.uniform(0.4, 0.8)),
            int(rng.uniform(3, 12)),
        )
    to_px = np.array(FLOOR_MM) / 2
    blank = np.zeros(shape, np.float32)
    for placed in layout:
        card = texts[placed.card] if placed.card is not None else ""
        face = (
            print_card(card, glyphs, deck, rng, placed.card) if card else np.full((219, 156), 60, np.float32)
        )
        source = (
            np.array([[0, 0], [face.shape[1], 0], face.shape[1::-1], [0, face.shape[0]]], np.float32) - 0.5
        )
        target = ((card_corners_m(placed) * _MM + to_px) * FLOOR_PX_PER_MM - 0.5).astype(np.float32)
        left, top = np.floor(target.min(axis=0)).astype(int) - 2
        right, bottom = np.ceil(target.max(axis=0)).astype(int) + 3
        warp = cv2.getPerspectiveTransform(source, (target - np.array([left, top])).astype(np.float32))
        size = (int(right - left), int(bottom - top))
        mask = cv2.warpPerspective(np.ones_like(face), warp, size, flags=cv2.INTER_AREA)
        laid = cv2.warpPerspective(face, warp, size, borderMode=cv2.BORDER_REPLICATE)
        part = floor[top:bottom, left:right]
        # A card throws a hair of shadow on the floor and on its neighbours.
        blank[top:bottom, left:right] = np.maximum(blank[top:bottom, left:right], mask)
        soft = cv2.GaussianBlur(mask, (0, 0), 2.0)
        part *= 1 - 0.25 * soft * (1 - mask)
        part[:] = part * (1 - mask) + laid * mask
    if shadow:
        floor *= np.exp(0.12 * smooth_field(rng, shape, 900))
    hidden = np.zeros(shape, np.float32)
    for _ in range(hands):
        tip = np.array([rng.uniform(0.15, 0.85) * shape[1], rng.uniform(0.25, 0.75) * shape[0]])
        root = np.array([tip[0] + rng.normal(0, 300), -100 if rng.random() < 0.5 else shape[0] + 100])
        cv2.line(
            hidden,
            (int(tip[0]), int(tip[1])),
            (int(root[0]), int(root[1])),
            1.0,
            int(rng.uniform(60, 100) * FLOOR_PX_PER_MM),
        )
        skin = rng.uniform(80, 180)
        dark = cv2.GaussianBlur(hidden, (0, 0), 30)
        floor *= 1 - 0.3 * dark
        floor[hidden > 0] = skin + rng.uniform(0, 10) * smooth_field(rng, shape, 60)[hidden > 0]
    corners = np.array([camera.see(card_corners_m(placed) * _MM) for placed in layout])
    covered = np.array(
        [
            cv2.warpPerspective(
                hidden,
                cv2.getPerspectiveTransform(
                    ((card_corners_m(placed) * _MM + to_px) * FLOOR_PX_PER_MM).astype(np.float32),
                    np.array([[0, 0], [26, 0], [26, 36], [0, 36]], np.float32),
                ),
                (26, 36),
            ).mean()
            for placed in layout
        ]
    )
    return _seen(floor, camera, rng), corners, covered


def _seen(floor: NDArray[np.float32], camera: Camera, rng: Rng) -> NDArray[np.uint8]:
    """Look at the floor through the camera; where each pixel looks is solved on a coarse grid of pixels."""
    fine, coarse = 2, 8
    # One coarse cell beyond the picture on all sides, so that nothing is extrapolated.
    nodes = [(np.arange(-1, -(-n // coarse) + 1) + 0.5) * coarse - 0.5 for n in (camera.width, camera.height)]
    grid = np.stack(np.meshgrid(*nodes), -1)
    looks_at = np.zeros(grid.reshape(-1, 2).shape)
    scale = camera.mm_across / camera.width
    for _ in range(30):
        looks_at -= scale * (camera.see(looks_at) - grid.reshape(-1, 2))
    on_floor = ((looks_at + np.array(FLOOR_MM) / 2) * FLOOR_PX_PER_MM - 0.5).reshape(grid.shape)
    # Neither `remap`, which rounds to 1/32 of a cell, nor cubic, which bends straight lines.
    size = (grid.shape[1] * coarse * fine, grid.shape[0] * coarse * fine)
    dense = cv2.resize(on_floor.astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
    inside = dense[coarse * fine :, coarse * fine :][: camera.height * fine, : camera.width * fine]
    maps = [np.ascontiguousarray(inside[..., axis]) for axis in (0, 1)]
    soft = cv2.GaussianBlur(floor, (0, 0), max(0.3, 0.3 * FLOOR_PX_PER_MM * scale / fine))
    large = cv2.remap(soft, maps[0], maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    image = cv2.resize(large, (camera.width, camera.height), interpolation=cv2.INTER_AREA)
    image = cv2.GaussianBlur(image, (0, 0), camera.blur_px) * camera.exposure
    image += camera.noise * rng.standard_normal(image.shape).astype(np.float32)
    return np.asarray(np.clip(image, 0, 255), np.uint8)
