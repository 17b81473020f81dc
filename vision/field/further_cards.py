"""The cards seen on a field, with those that have no outline of their own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.field.geometry import FieldGeometry
from calibration.peak import beside_summit
from referee.layout import CARD_HEIGHT_M, CARD_WIDTH_M, HALF_DEPTH_M, HALF_WIDTH_M
from vision.cards.border import refine
from vision.cards.poses import CardPoses, joined, sizes
from vision.frames.frame import Gray
from vision.torifuda.face_reader import MIN_LIKENESS, FaceReadings, TorifudaReader
from vision.torifuda.prior_knowledge import DeckFaces, PriorKnowledge

READS_WELL: Final = -1.2  # log-likelihood per slot above which a face need not be tried the other way up


@dataclass(frozen=True, slots=True, eq=False)
class SeenCards:
    """Cards of a picture."""

    poses: CardPoses
    upside_down: NDArray[np.bool_]  # shape (N,); whether the text is upside down in the picture
    readings: FaceReadings
    # shape (N,); whether print proves that a card lies there, whatever its paper looks like
    printed: NDArray[np.bool_]

    def only(self, keep: NDArray[np.bool_]) -> SeenCards:
        return SeenCards(
            self.poses[keep], self.upside_down[keep], self.readings.only(keep), self.printed[keep]
        )

    def joined(self, other: SeenCards) -> SeenCards:
        return SeenCards(
            joined(self.poses, other.poses),
            np.concatenate([self.upside_down, other.upside_down]),
            self.readings.joined(other.readings),
            np.concatenate([self.printed, other.printed]),
        )

    def completed_by(self, more: SeenCards) -> SeenCards:
        """Add cards that can be read, each once.

        An illegible find in the same place was a bad outline of the same card, and is dropped.
        """
        clear = self.readings.best() > MIN_LIKENESS
        same_place = self._same_place(more)
        new = more.only(np.asarray(~same_place[clear].any(axis=0)))
        return self.only(np.asarray(clear | ~same_place.any(axis=1))).joined(new)

    def with_printed(self, more: SeenCards) -> SeenCards:
        """Add illegible cards that have print; mark earlier outlines in the same place as printed, too."""
        same_place = self._same_place(more)
        new = more.only(np.asarray(~same_place.any(axis=0)))
        confirmed = replace(self, printed=self.printed | same_place.any(axis=1))
        return confirmed.joined(replace(new, printed=np.ones(len(new.poses), bool)))

    def _same_place(self, other: SeenCards) -> NDArray[np.bool_]:
        """Tell which of the other's M cards lie in the same place as which of these N, shape (N, M)."""
        away_m = self.poses.centres_m[:, None] - other.poses.centres_m[None]
        return np.asarray(np.linalg.norm(away_m, axis=2) < 0.7 * CARD_WIDTH_M)


def read_both_ways(
    gray: Gray,
    geometry: FieldGeometry,
    poses: CardPoses,
    upside_down: NDArray[np.bool_],
    faces: DeckFaces | None,
) -> SeenCards:
    """Read every face the expected way up, and those that read badly the other way up, too.

    `gray`: shape (height, width), uint8. `upside_down`: shape (N,); which cards are expected upside down in
    the picture.
    """
    reader = TorifudaReader()
    corners = geometry.to_image(poses.corners_m())
    corners[upside_down] = np.roll(corners[upside_down], -2, axis=1)
    first = reader.read(gray, corners, faces)
    doubtful = np.flatnonzero(first.best() < READS_WELL)
    second = reader.read(gray, np.roll(corners[doubtful], -2, axis=1), faces)
    better = second.best() > first.best()[doubtful]
    turned, upside_down = doubtful[better], upside_down.copy()
    upside_down[turned] = ~upside_down[turned]
    readings = first.replaced(turned, second.only(better))
    return SeenCards(poses, upside_down, readings, np.zeros(len(poses), bool))


def read_by_colour(
    pale: Gray, geometry: FieldGeometry, seen: SeenCards, unnamed: NDArray[np.bool_], faces: DeckFaces | None
) -> SeenCards:
    """Read cards again in a picture in which coloured print pales, and keep the better reading of each.

    `pale`: the picture by its `vision.frames.frame.brightest_channel`, shape (height, width), uint8.
    `unnamed`: which cards to read again, shape (N,).
    """
    again = read_both_ways(pale, geometry, seen.poses[unnamed], seen.upside_down[unnamed], faces)
    better = again.readings.best() > seen.readings.best()[unnamed]
    places, upside_down = np.flatnonzero(unnamed)[better], seen.upside_down.copy()
    upside_down[places] = again.upside_down[better]
    readings = seen.readings.replaced(places, again.readings.only(better))
    return replace(seen, upside_down=upside_down, readings=readings)


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


SIZE_TOLERANCE: Final = 0.09
"""Largest relative difference from a card's size: beyond it lies a hand, a sheet or a merged pair."""


def with_further_cards(
    gray: Gray, geometry: FieldGeometry, seen: SeenCards, known: PriorKnowledge
) -> SeenCards:
    """Add cards found by their print; paper as dim as the floor is a card even if it cannot be read."""
    clear = seen.readings.best() > MIN_LIKENESS
    if not clear.any():
        return seen
    finds = search_print(gray, geometry, seen.poses, clear, seen.upside_down)
    if not len(finds.centres_m):
        return seen
    angles = np.full(len(finds.centres_m), np.median(seen.poses.angles_rad))
    poses = CardPoses(finds.centres_m, angles)
    found = _read_at(gray, geometry, poses, finds.upside_down, known)
    readable = found.readings.best() > MIN_LIKENESS
    seen = seen.completed_by(found.only(readable))
    kana_pitch_m = 0.0125  # from one kana of a column to the next, within a millimetre, on the decks on sale
    # Columns match as well one kana higher or lower; the reader decides where the text begins.
    for shift_m in (-kana_pitch_m, kana_pitch_m):
        left = np.flatnonzero(~readable)
        shifted = CardPoses(poses.centres_m[left] + np.array([0.0, shift_m]), angles[left])
        more = _read_at(gray, geometry, shifted, finds.upside_down[left], known)
        read = more.readings.best() > MIN_LIKENESS
        seen = seen.completed_by(more.only(read))
        readable[left[read]] = True
    # Correlation with the ink of the legible cards from which on an illegible place is a card, too. On 12
    # fields of five cards in gray and on bare tatami dim cards had at least 0.62 and floor less than 0.45;
    # print of another kind (mirrored kana) had 0.57.
    like_print = 0.52
    return seen.with_printed(found.only(~readable & (finds.likeness > like_print)))


def _read_at(
    gray: Gray,
    geometry: FieldGeometry,
    poses: CardPoses,
    upside_down: NDArray[np.bool_],
    known: PriorKnowledge,
) -> SeenCards:
    settled = _settled(gray, geometry, poses)
    return read_both_ways(gray, geometry, settled, upside_down, known.faces)


def _settled(gray: Gray, geometry: FieldGeometry, poses: CardPoses) -> CardPoses:
    """Move poses onto the edges around them if these agree with a card's shape."""
    refined = refine(gray, geometry.to_image(poses.corners_m()))
    corners = geometry.to_field(refined)
    widths, heights = sizes(corners)
    fits = (np.abs(widths / CARD_WIDTH_M - 1) < SIZE_TOLERANCE) & (
        np.abs(heights / CARD_HEIGHT_M - 1) < SIZE_TOLERANCE
    )
    better = CardPoses.of_corners(corners)
    return CardPoses(
        np.where(fits[:, None], better.centres_m, poses.centres_m),
        np.where(fits, better.angles_rad, poses.angles_rad),
    )
