"""Find cards by their print alone: three columns of kana where no paper stands out.

Worn paper, or that of another edition, may be as bright as the floor; it then has neither an outline nor the
known cards' contrast. But its ink is as dark as theirs and in the same places. So the brightness of papers
and floor is removed, and the rest is compared with the mean ink of the cards that can be read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.field.geometry import FieldGeometry
from calibration.peak import beside_summit
from referee.layout import CARD_HEIGHT_M, CARD_WIDTH_M, HALF_DEPTH_M, HALF_WIDTH_M
from vision.cards.poses import CardPoses
from vision.frames.frame import Gray

Floats = NDArray[np.float64]
Inks = NDArray[np.float32]

PX_PER_M: Final = 500.0
MARGIN_M: Final = 0.08  # how far outside the territories cards are searched for
HALF_FIELD_M: Final = np.array([HALF_WIDTH_M + MARGIN_M, HALF_DEPTH_M + MARGIN_M])
MAX_FINDS: Final = 50
CARD_PX: Final = (round(CARD_WIDTH_M * PX_PER_M), round(CARD_HEIGHT_M * PX_PER_M))
COLUMN_SIGMA_PX: Final = 1.0  # 2 mm: blurs the strokes of one text into columns that all texts share
RIM_PX: Final = 2  # 4 mm: largest width of a border plus the outline's error; within it a card holds no print
TEXT_PX: Final = CARD_PX[0] - 2 * RIM_PX, CARD_PX[1] - 2 * RIM_PX


@dataclass(frozen=True, slots=True, eq=False)
class PrintFinds:
    """Places with print like a card's."""

    centres_m: Floats  # shape (M, 2)
    upside_down: NDArray[np.bool_]  # shape (M,); whether the columns look upside down
    likeness: Floats  # shape (M,); correlation with the mean ink of the known cards


def search_print(
    gray: Gray,
    geometry: FieldGeometry,
    cards: CardPoses,
    read: NDArray[np.bool_],
    upside_down: NDArray[np.bool_],
) -> PrintFinds:
    """Find cards of which only the print is visible.

    `gray`: shape (height, width), uint8. `geometry`: its axes are the field's, so that cards are upright or
    upside down. `cards`: the cards already seen, N in all. `read`, `upside_down`: which of these can be read,
    at least one, and which are upside down; shape (N,).
    """
    ink = _ink(_flattened(gray, geometry))
    centres_px = (cards.centres_m[read] + HALF_FIELD_M) * PX_PER_M - 0.5
    bare = ink.copy()
    for corners in (cards.corners_m()[read] + HALF_FIELD_M) * PX_PER_M - 0.5:
        cv2.fillConvexPoly(bare, np.rint(corners).astype(np.int32), 0.0)
    # Share of the floor whose darkness counts as its weave: the strokes of forty cards cover 4 % of a field.
    woven_share = 0.95
    grain = np.float32(np.quantile(bare, woven_share))
    columns = _mean_ink(np.maximum(ink - grain, 0), centres_px, upside_down[read])
    ink = np.maximum(bare - grain, 0)
    even = cv2.GaussianBlur(ink, (0, 0), COLUMN_SIGMA_PX)
    likeness = [
        np.asarray(cv2.matchTemplate(even, card, cv2.TM_CCOEFF_NORMED))
        for card in (columns, columns[::-1, ::-1].copy())
    ]
    alike = np.maximum(*likeness)
    half = (np.array(TEXT_PX) - 1) / 2
    inks = cv2.blur(ink, TEXT_PX, anchor=(0, 0))[: alike.shape[0], : alike.shape[1]]
    min_ink = 0.25  # least ink, as a share of the known cards': print in gray ink has half of theirs
    best = np.where(inks > min_ink * float(columns.mean()), alike, 0.0)
    for centre in centres_px:
        _forget(best, centre - half)
    finds: list[Floats] = []
    turned, peaks = [], []
    min_likeness = 0.45  # least correlation with the known cards' ink at which a place is read
    while len(finds) < MAX_FINDS:
        _, peak, _, (x, y) = cv2.minMaxLoc(best)
        if peak < min_likeness:
            break
        finds.append(half + np.array([x, y]) + beside_summit(alike, x, y))
        turned.append(bool(likeness[1][y, x] > likeness[0][y, x]))
        peaks.append(peak)
        _forget(best, np.array([x, y]))
    centres_m = (np.array(finds).reshape(-1, 2) + 0.5) / PX_PER_M - HALF_FIELD_M
    return PrintFinds(centres_m, np.array(turned, bool), np.array(peaks))


def _flattened(gray: Gray, geometry: FieldGeometry) -> Gray:
    """Return the field seen straight from above, PX_PER_M pixels per metre."""
    width, height = (round(2 * side * PX_PER_M) for side in HALF_FIELD_M)
    coarse_px = 10  # lens and perspective are computed on a grid this coarse and interpolated in between
    columns, rows = np.meshgrid(
        np.arange(0, width + coarse_px, coarse_px), np.arange(0, height + coarse_px, coarse_px)
    )
    field_m = (np.stack([columns, rows], axis=-1) + 0.5) / PX_PER_M - HALF_FIELD_M
    coarse = geometry.to_image(field_m).astype(np.float32)
    finer = np.array([[1 / coarse_px, 0, 0], [0, 1 / coarse_px, 0]])
    maps = cv2.warpAffine(
        coarse,
        finer,
        (width, height),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    # The field is reduced to about half the picture's scale: blur first, or thin strokes are lost.
    soft = cv2.blur(gray, (2, 2)) if gray.shape[1] > 900 else gray
    return np.asarray(
        cv2.remap(soft, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),
        np.uint8,
    )


def _ink(plane: Gray) -> Inks:
    """Return by what share every pixel is darker than the paper or floor around it, 0..1."""
    # 18 mm: larger than any kana and less than half a card. What is darker than everything within this reach
    # is ink, and what is wider is floor or paper.
    kana_px = 9
    paper = cv2.morphologyEx(plane, cv2.MORPH_CLOSE, np.ones((kana_px, kana_px), np.uint8))
    return np.asarray(1 - plane / np.maximum(paper, 1).astype(np.float32), np.float32)


def _mean_ink(ink: Inks, centres_px: Floats, upside_down: NDArray[np.bool_]) -> Inks:
    total = np.zeros(TEXT_PX[::-1], np.float32)
    for (x, y), turned in zip(centres_px, upside_down, strict=True):
        card = cv2.getRectSubPix(ink, TEXT_PX, (float(x), float(y)))
        total += card[::-1, ::-1] if turned else card
    return np.asarray(cv2.GaussianBlur(total / len(centres_px), (0, 0), COLUMN_SIGMA_PX), np.float32)


def _forget(places: NDArray[Any], at: Floats) -> None:
    """Erase everything that would overlap a card found at `at` by more than a fifth of its side."""
    reach = 0.8 * np.array(CARD_PX)
    low = np.maximum(np.ceil(at - reach).astype(int), 0)
    high = np.maximum(np.floor(at + reach).astype(int) + 1, 0)
    places[low[1] : high[1], low[0] : high[0]] = 0
