"""A model of the resting field, with and without each of its cards, for comparison with frames."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.field.slots import Face, Floats, Slot
from vision.frames.frame import Gray
from vision.frames.pyramid import halved, halvings_for
from vision.imaging.correlation import Spectra, spectra_of

_UNLIKE = (np.inf, 0.5, 0.25, 0.25)
"""Log factor from the previous fit beyond which a sample is no floor but a border or somebody's shade."""


def light_trend(picture: Floats, bare: NDArray[np.bool_]) -> Floats:
    """Return the brightness of the floor as a smooth surface whose logarithm is a polynomial.

    Returns: (h, w), relative to its usual level; constant if too little floor is seen.

    `picture`: (h, w), the field at rest. `bare`: (h, w), whether it shows the floor.
    """
    height, width = picture.shape
    sparse_px = 16  # every 16th pixel of each row and column is used
    some = slice(sparse_px // 2, None, sparse_px), slice(sparse_px // 2, None, sparse_px)
    darkest_gray = 4.0
    gray, seen = picture[some], bare[some] & (picture[some] > darkest_gray)
    fewest_samples = 200
    if np.count_nonzero(seen) < fewest_samples:
        return np.ones_like(picture)
    y, x = (np.linspace(-1, 1, size, dtype=np.float32) for size in gray.shape)
    degree = 2
    terms = [(i, j) for i in range(degree + 1) for j in range(degree + 1 - i)]
    surface = np.stack([np.outer(y**i, x**j) for i, j in terms], axis=-1)
    level = np.log(np.maximum(gray, darkest_gray))
    told = np.full_like(gray, np.median(level[seen]))
    for unlike in _UNLIKE:
        used = seen & (np.abs(level - told) < unlike)
        if np.count_nonzero(used) < fewest_samples:
            break
        held = surface[used].astype(np.float64)  # few terms, many pixels: normal equations are exact enough
        told = surface @ np.linalg.lstsq(held.T @ held, held.T @ level[used], rcond=None)[0]
    return np.asarray(cv2.resize(np.exp(told), (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


_LEVELS = 3  # gray levels to which a card is reduced: border, print and paper


@dataclass(frozen=True, slots=True, eq=False)
class Print:
    """A turned card at the coarse scale, reduced to a few gray levels."""

    # (levels, h, w), the share of each cell that the card covers, at the level closest to the cell's own
    shares: Floats
    area: float
    corner_px: NDArray[np.float64]  # (2,), its upper left corner, pixels


class FieldModel:
    """The resting field, with and without each of its cards.

    `picture`: (height, width) float32, the field at rest.
    """

    def __init__(self, picture: Floats, slots: Sequence[Slot]) -> None:
        self.picture = picture
        self.slots = tuple(slots)
        px_per_mm = float(np.median([slot.px_per_mm for slot in slots]))
        self.px_per_mm = px_per_mm
        cell_mm = 3.5  # approximate size of a coarse pixel
        self.halvings = halvings_for(px_per_mm, cell_mm)
        self._bounds = [_bounds(slot) for slot in slots]
        self._around: dict[tuple[int, int, int, int], frozenset[int]] = {}
        self._shrunk: dict[float, Floats] = {}
        self._papers: dict[int, float] = {}
        self._lit: tuple[Gray, float] | None = None
        self._faces: dict[int, Face] = {}
        self._prints: dict[tuple[int, float], Print] = {}
        self._spectra: dict[tuple[int, tuple[float, ...], tuple[int, int]], Spectra] = {}
        self._without: dict[tuple[frozenset[int], int, int, int, int], Floats] = {}
        self._levels: dict[int, tuple[Floats, float]] = {}
        self._fitting: dict[tuple[int, tuple[float, ...], tuple[int, int]], tuple[float, ...]] = {}
        self._turned: dict[tuple[int, float], tuple[Floats, Floats, NDArray[np.float64]]] = {}
        cards = np.zeros(picture.shape, np.uint8)
        for slot in slots:
            _fill(cards, slot, grow=1.08)
        self.covered = cards > 0
        free = (cards == 0).astype(np.float32)
        trend = light_trend(picture, ~self.covered)
        floor_mm = 70.0  # the floor under a card is estimated from the bare floor within this distance
        size = (2 * round(floor_mm * px_per_mm) + 1,) * 2
        total, weight = cv2.blur(picture / trend * free, size), cv2.blur(free, size)
        guessed = trend * total / np.maximum(weight, 1e-3)
        self.floor = np.where(cards > 0, guessed, picture).astype(np.float32)

    def without(self, gone: Collection[int], window: tuple[slice, slice]) -> Floats:
        """Return a window of the resting picture without the cards of the slots `gone`, at the coarse scale.

        The result is cached; do not write to it.
        """
        rows, columns = window
        key = frozenset(gone), rows.start, rows.stop, columns.start, columns.stop
        if key not in self._without:
            mask = np.zeros((rows.stop - rows.start, columns.stop - columns.start), np.uint8)
            for number in gone:
                _fill(mask, self.slots[number], grow=1.05, origin_px=(columns.start, rows.start))
            bare = np.where(mask > 0, self.floor[window], self.picture[window])
            self._without[key] = halved(bare, self.halvings)
        return self._without[key]

    def around(self, window: tuple[slice, slice]) -> frozenset[int]:
        """Return the slots whose cards may reach into a window of the picture; cached."""
        rows, columns = window
        key = rows.start, rows.stop, columns.start, columns.stop
        if key not in self._around:
            self._around[key] = frozenset(
                number
                for number, (x0, y0, x1, y1) in enumerate(self._bounds)
                if x0 < columns.stop and x1 > columns.start and y0 < rows.stop and y1 > rows.start
            )
        return self._around[key]

    def face(self, number: int) -> Face:
        """Return a card's face, for finding it near its place."""
        if number not in self._faces:
            self._faces[number] = Face(self.picture, self.slots[number])
        return self._faces[number]

    def light_around(self, number: int, gray: Gray) -> float:
        """Return the factor between a frame and the resting picture on the bare floor beside a card.

        Another card may lie there by now: pixels that differ much more than the whole picture are no bare
        floor.
        """
        slot = self.slots[number]
        beside_mm = 12.0
        margin = beside_mm * slot.px_per_mm
        low = np.maximum(np.floor(slot.corners_px.min(axis=0) - margin).astype(int), 0)
        high = np.ceil(slot.corners_px.max(axis=0) + margin).astype(int)
        window = (slice(low[1], high[1]), slice(low[0], high[0]))
        bare = ~self.covered[window]
        if not bare.any():
            return 1.0
        factors = gray[window][bare] / np.maximum(self.picture[window][bare], 1.0)
        usual = self._usual_light(gray)
        # log factor: a player's shade differs from the light of the whole picture by less
        most_shade = 0.22
        alike = factors[np.abs(np.log(np.maximum(factors, 1e-3) / max(usual, 1e-3))) < most_shade]
        least_bare = 0.1  # share of the surroundings that must be bare for that
        light = float(np.median(alike if len(alike) > least_bare * len(factors) else factors))
        least_light = 0.01
        return max(light, least_light)

    def _usual_light(self, gray: Gray) -> float:
        if self._lit is None or self._lit[0] is not gray:  # all cards of a frame ask in turn
            sparse_px = 8  # every 8th pixel is enough for the light of the whole picture
            some = slice(None, None, sparse_px), slice(None, None, sparse_px)
            everywhere = (gray[some] / np.maximum(self.picture[some], 1.0))[~self.covered[some]]
            self._lit = gray, float(np.median(everywhere)) if len(everywhere) else 1.0
        return self._lit[1]

    def shrunk(self, scale: float) -> Floats:
        """Return the resting picture at a smaller scale; cached."""
        if scale not in self._shrunk:
            size = tuple(int(side * scale) for side in self.picture.shape[::-1])
            small = cv2.resize(self.picture, size, interpolation=cv2.INTER_AREA)
            self._shrunk[scale] = np.asarray(small, np.float32)
        return self._shrunk[scale]

    def paper(self, number: int) -> float:
        """Gray level of a card's paper."""
        if number not in self._papers:
            slot = self.slots[number]
            low = np.maximum(np.floor(slot.corners_px.min(axis=0)).astype(int), 0)
            high = np.ceil(slot.corners_px.max(axis=0)).astype(int)
            inside = self.picture[low[1] : high[1], low[0] : high[0]]
            self._papers[number] = float(np.percentile(inside, 80))
        return self._papers[number]

    def levels(self, number: int) -> tuple[Floats, float]:
        """Return the typical gray levels of a coarse card, and their standard deviation."""
        if number not in self._levels:
            card, mask, _ = self.card(number, 0.0)
            inner_share = 0.9  # of a cell: then it shows the card alone
            inside = np.sort(card[mask > inner_share])
            levels = np.array([part.mean() for part in np.array_split(inside, _LEVELS)], np.float32)
            off = np.abs(inside[:, None] - levels).min(axis=1)
            level_sigma = 10.0  # lower bound: smear mixes a card's gray levels
            self._levels[number] = levels, max(level_sigma, float(np.sqrt(np.mean(off * off))))
        return self._levels[number]

    def print_of(self, number: int, angle_deg: float) -> Print:
        """Return a turned card reduced to its gray levels; cached, since it is asked for often."""
        key = number, angle_deg
        if key not in self._prints:
            levels, _ = self.levels(number)
            card, mask, corner = self.card(number, angle_deg)
            nearest = np.abs(card - levels[:, None, None]).argmin(axis=0)
            shares = mask * (nearest == np.arange(_LEVELS)[:, None, None])
            self._prints[key] = Print(shares.astype(np.float32), float(mask.sum()), corner)
        return self._prints[key]

    def fitting(
        self, number: int, angles_deg: tuple[float, ...], shape: tuple[int, int]
    ) -> tuple[float, ...]:
        """Return those of the angles at which `print_of` fits into a picture of `shape`; cached."""
        key = number, angles_deg, shape
        if key not in self._fitting:
            sizes = {angle: self.print_of(number, angle).shares.shape[1:] for angle in angles_deg}
            self._fitting[key] = tuple(
                angle for angle, (tall, wide) in sizes.items() if tall <= shape[0] and wide <= shape[1]
            )
        return self._fitting[key]

    def spectra_of_prints(
        self, number: int, angles_deg: tuple[float, ...], shape: tuple[int, int]
    ) -> Spectra:
        """Return the conjugate spectra (A, levels, ...) of `print_of`'s shares for several angles; cached.

        They are for correlation with pictures of `shape`, which must be as large as each print.
        """
        key = number, angles_deg, shape
        if key not in self._spectra:
            prints = [spectra_of(self.print_of(number, angle).shares, shape) for angle in angles_deg]
            self._spectra[key] = np.conj(np.stack(prints))
        return self._spectra[key]

    def card(self, number: int, angle_deg: float) -> tuple[Floats, Floats, NDArray[np.float64]]:
        """Return a card turned clockwise about its centre: picture, mask, and their corner in pixels.

        Both are at the model's coarse scale; the corner is a multiple of a coarse pixel. They are cached,
        since cards that fly side by side are painted into one another's pictures; do not write to them.
        """
        key = number, angle_deg
        if key not in self._turned:
            # turned cards to cache: a sweep of ten, eight pictures of each, and the angles tried
            most_turned = 512
            if len(self._turned) >= most_turned:
                self._turned.clear()
            self._turned[key] = self._turned_by(number, angle_deg)
        return self._turned[key]

    def _turned_by(self, number: int, angle_deg: float) -> tuple[Floats, Floats, NDArray[np.float64]]:
        slot = self.slots[number]
        cell = 2**self.halvings
        centre = slot.centre_px
        turn = cv2.getRotationMatrix2D((float(centre[0]), float(centre[1])), -angle_deg, 1.0)
        corners = slot.corners_px @ turn[:, :2].T + turn[:, 2]
        low = np.floor(corners.min(axis=0) / cell) * cell
        high = np.ceil(corners.max(axis=0) / cell) * cell
        turn[:, 2] -= low
        width, height = (int(extent) for extent in high - low)
        picture = cv2.warpAffine(self.picture, turn, (width, height), flags=cv2.INTER_LINEAR)
        mask = np.zeros((height, width), np.float32)
        cv2.fillConvexPoly(mask, np.rint((corners - low) * 16).astype(np.int32), 1.0, cv2.LINE_8, 4)
        return halved(np.asarray(picture, np.float32), self.halvings), halved(mask, self.halvings), low


def _bounds(slot: Slot) -> tuple[float, float, float, float]:
    """Return left, upper, right and lower bound, pixels, of a card enlarged by a tenth."""
    margin = 0.1 * float(np.ptp(slot.corners_px, axis=0).max())
    (x0, y0), (x1, y1) = slot.corners_px.min(axis=0) - margin, slot.corners_px.max(axis=0) + margin
    return float(x0), float(y0), float(x1), float(y1)


def _fill(mask: NDArray[np.uint8], slot: Slot, grow: float, origin_px: tuple[int, int] = (0, 0)) -> None:
    centre = slot.centre_px
    corners = centre + (slot.corners_px - centre) * grow - origin_px
    cv2.fillConvexPoly(mask, np.rint(corners * 16).astype(np.int32), 1, cv2.LINE_8, 4)
