"""Find printed square markers (ArUco), whatever they lie on and however wide their white rim is.

OpenCV's detector runs first, set to keep outlines that lie close together: the marker's own and that of the
paper around it. A marker that it misses is fitted as a whole, print against picture, starting from dark
quadrilaterals, and from bright spots that lie as the marker's white cells do: on a cloth as black as its ink,
a marker without a rim has no outline at all.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.field.marker_models import CELL, MarkerModels
from calibration.field.marker_places import SMALLEST_PX, Points, bright_spots, dark_squares, root_of

Gray = NDArray[np.uint8]
Floats = NDArray[np.float32]

BLURS: Final = (0.15, 0.5, 0.9)
"""Standard deviations of the models' blur in cells: sharp, and up to 2 px over cells of 2.5 px."""
LIKE: Final = 0.95  # least correlation of a fitted marker with its model
SURELY: Final = 0.97
"""From this correlation on OpenCV's corners are kept: the paper's outline or a wrong corner lowers it."""
ALMOST: Final = 0.5  # least correlation before the fit: an outline may be a cell off
LEAD: Final = 0.5
"""Most that the marker may leave unexplained, as a share of what the next likely print leaves: a blurred
marker shows little more than its dark square, which anything dark has."""
LEAST_CONTRAST: Final = 4.0
"""Gray levels, root mean square, below which a print is no more than a camera's noise."""
_ELSEWHERE: Final = 0.06
"""Share of a marker's side, a third of a cell; a corner that moves further is a different corner."""
_OBLONG: Final = 2.0  # largest ratio of a marker's sides: a camera looks down at 30 degrees
_LEANING: Final = 0.45
"""Largest cosine of a corner: a marker lies crosswise before a camera that looks down at 40 degrees."""
_EDGED: Final = 5.0  # pixels per cell from which a marker's outer corners are sharper than the blur is wide
_UNLIKE: Final = 0.03
"""How much less like its model a marker may be with corners at its outer edges: printers vary the cells of
one marker by a tenth."""
_SHARPEN: Final = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 0.02)
_SHRINK: Final = (1.0, 0.85)  # scales at which an outline is tried
_BENDS_PX: Final = 40.0
"""Side of a marker, pixels, from which perspective is fitted: 2 % of it is about one pixel."""
_TURNS: Final = 24
_RADII: Final = np.linspace(0.35, 2.1, 6)
"""Radii at which prints are compared, in standard deviations of the white cells: within the rim."""
_MOST_FITS: Final = 24
_STEPS: Final = 15


@dataclass(frozen=True, slots=True, eq=False)
class _Fitted:
    """A fitted marker: its number, its corners (4, 2) in pixels, and its correlation with its model."""

    number: int
    corners: Points
    likeness: float


class MarkerFinder:
    """Finds some markers of a family; it keeps nothing from one picture to the next.

    `numbers`: the markers to find; all others are ignored.
    """

    def __init__(self, family: cv2.aruco.Dictionary, numbers: Sequence[int]) -> None:
        self._numbers = tuple(numbers)
        self._cells = family.markerSize + 2
        self._family = family
        self._prints = [
            np.asarray(cv2.aruco.generateImageMarker(family, number, self._cells) > 0, np.float32)
            for number in numbers
        ]

    def find(self, gray: Gray, *, thoroughly: bool = True) -> dict[int, Points]:
        """Return the corners of each marker seen, shape (4, 2), clockwise from its own upper left.

        `gray`: shape (height, width). `thoroughly`: also fit markers that OpenCV misses; without, a picture
        costs hardly more than OpenCV takes.
        """
        found, outlines = self._detected(gray)
        if thoroughly and len(found) < len(self._numbers):
            self._add(found, self._by_outline(gray, outlines, found))
        if thoroughly and len(found) < len(self._numbers):
            self._add(found, self._by_spots(gray, found))
        return {number: fitted.corners for number, fitted in sorted(found.items())}

    def _detected(self, gray: Gray) -> tuple[dict[int, _Fitted], list[Points]]:
        """Return the markers that OpenCV's detector finds, and the outlines that it rejects."""
        corners, ids, rejected = self._detector(gray.shape[1], gray.shape[0]).detectMarkers(gray)
        # OpenCV's stubs promise numbers, but it returns none if it sees no marker
        numbers = np.asarray(ids if len(corners) else []).ravel()
        found: dict[int, _Fitted] = {}
        for number, quad in zip(numbers, corners, strict=True):
            if int(number) in self._numbers:
                square = np.asarray(quad, np.float64).reshape(4, 2)
                likeness = self._likeness(gray, int(number), square)
                if likeness < SURELY and (fitted := self._fit(gray, int(number), square)):
                    square, likeness = fitted.corners, fitted.likeness
                if likeness >= LIKE:
                    self._add(found, [_Fitted(int(number), square, likeness)])
        return found, [np.asarray(quad, np.float64).reshape(4, 2) for quad in rejected]

    def _detector(self, width: int, height: int) -> cv2.aruco.ArucoDetector:
        settings = cv2.aruco.DetectorParameters()
        settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
        # by default only the outer one of two outlines so near to each other is kept: the paper's
        settings.minMarkerDistanceRate = 0.01
        settings.minGroupDistance = 0.01
        settings.minMarkerPerimeterRate = min(0.03, 4 * SMALLEST_PX / max(width, height))
        return cv2.aruco.ArucoDetector(self._family, settings)

    @cached_property
    def _models(self) -> list[MarkerModels]:
        """Models of the prints, one set for each blur."""
        return [MarkerModels.of(self._prints, blur) for blur in BLURS]

    @cached_property
    def _size(self) -> int:
        return self._cells * CELL

    @cached_property
    def _square(self) -> Floats:
        """Corners of a model, shape (4, 2)."""
        end = self._size - 0.5
        return np.array([[-0.5, -0.5], [end, -0.5], [end, end], [-0.5, end]], np.float32)

    def _patch(self, gray: Gray, quad: Points) -> Floats:
        """Return a quadrilateral's content, warped to a model's square, as a row."""
        plane = cv2.getPerspectiveTransform(self._square, quad.astype(np.float32))
        return _sampled(gray, plane, self._size).reshape(-1)

    def _table(self, patch: Floats) -> Floats:
        """Return the correlation of a patch with every model, -1..1: shape (blurs, 4 * prints)."""
        return np.stack([models.likeness(patch) for models in self._models])

    def _likeness(self, gray: Gray, number: int, quad: Points) -> float:
        """Return the correlation of a quadrilateral's content with a marker, -1..1."""
        row = 4 * self._numbers.index(number)
        return float(self._table(self._patch(gray, quad))[:, row].max())

    def _fit(self, gray: Gray, number: int, quad: Points) -> _Fitted | None:
        """Fit a marker to the picture from a rough outline; None if it is none."""
        place = self._numbers.index(number)
        side = float(np.sqrt(max(cv2.contourArea(quad.astype(np.float32)), 1)))
        low = np.maximum(np.floor(quad.min(axis=0) - 0.3 * side).astype(int), 0)
        high = np.ceil(quad.max(axis=0) + 0.3 * side).astype(int) + 1
        part = gray[low[1] : high[1], low[0] : high[0]]
        if min(part.shape, default=0) < SMALLEST_PX:
            return None
        # a picture finer than the model is blurred to the model's scale, or they differ by its fine grain
        if side > self._size:
            sigma = 0.4 * side / self._size
            part = np.asarray(cv2.GaussianBlur(part, (0, 0), sigma), np.uint8)
        corners = self._climbed(part, place, quad - low, side) + low
        if not _is_squarish(corners) or np.linalg.norm(corners - quad, axis=1).max() > 0.5 * side:
            return None
        corners = self._sharpened(gray, number, corners, side)
        likeness = self._is_it(gray, place, corners)
        return None if likeness is None else _Fitted(number, corners, likeness)

    def _sharpened(self, gray: Gray, number: int, corners: Points, side: float) -> Points:
        """Refine a large marker's corners by its outer edges, unless these are not visible."""
        inside = (corners >= 0).all() and (corners <= np.array(gray.shape[::-1]) - 1).all()
        if side < _EDGED * self._cells or not inside:
            return corners
        window = max(2, min(5, round(0.3 * side / self._cells)))
        start = np.ascontiguousarray(corners, np.float32)
        seen = cv2.cornerSubPix(gray, start, (window, window), (-1, -1), _SHARPEN)
        moved = np.asarray(seen, np.float64).reshape(4, 2)
        if not _is_near(moved, corners, _ELSEWHERE):
            return corners
        best = self._likeness(gray, number, corners)
        return moved if self._likeness(gray, number, moved) > best - _UNLIKE else corners

    def _climbed(self, part: Gray, place: int, start: Points, side: float) -> Points:
        """Move a quadrilateral so that its content fits a print best (Gauss-Newton).

        A marker is so small that perspective changes its scale by only a percent or two from end to end. A
        small marker cannot show that: what seems to be perspective is noise.
        """
        square = np.asarray(cv2.getPerspectiveTransform(self._square, start.astype(np.float32)), np.float64)
        affine = cv2.estimateAffine2D(self._square, start.astype(np.float32))[0]
        plane, best, best_fit = np.vstack([affine, [0, 0, 1]]), square, -1.0
        bends = False
        for _ in range(_STEPS):
            patch = _sampled(part, plane, self._size).reshape(-1)
            fits = [models.likeness_with(patch, 4 * place) for models in self._models]
            blur = int(np.argmax(fits))
            if fits[blur] <= best_fit + 1e-4:
                if bends or side < _BENDS_PX:
                    break
                bends, plane = True, best
                continue
            best, best_fit = plane, fits[blur]
            move = self._models[blur].step(patch, 4 * place, bends=bends)
            if move is None:
                break
            plane = plane @ np.linalg.inv(move)
            plane = plane / plane[2, 2]
        return np.asarray(
            cv2.perspectiveTransform(self._square[None].astype(np.float64), best)[0], np.float64
        )

    def _is_it(self, gray: Gray, place: int, quad: Points) -> float | None:
        """Return a place's likeness to a marker; None if it is too low or might be another print."""
        patch = self._patch(gray, quad)
        if float(patch.std()) < LEAST_CONTRAST:
            return None
        table = self._table(patch)
        blur = int(table[:, 4 * place].argmax())
        likeness = float(table[blur, 4 * place])
        others = np.delete(table, 4 * place, axis=1)
        left, left_by_others = 1 - likeness**2, 1 - float(others.max()) ** 2
        return likeness if likeness >= LIKE and left <= LEAD * left_by_others else None

    def _by_outline(self, gray: Gray, outlines: list[Points], found: dict[int, _Fitted]) -> Iterator[_Fitted]:
        """Yield markers fitted to dark outlines."""
        free = (quad for quad in outlines if _is_squarish(quad) and not _lies_on(quad, found))
        starts = [start for quad in free for start in self._guesses(gray, quad) if start[1] not in found]
        yield from self._best_fits(gray, starts)

    def _guesses(self, gray: Gray, outline: Points) -> Iterator[tuple[float, int, Points]]:
        """Yield the markers that an outline may be: likeness, number and corners."""
        middle = outline.mean(axis=0)
        # an outline may be the outer edge of the blur, or that of the paper
        quads = [middle + (outline - middle) * scale for scale in _SHRINK]
        tables = [self._table(self._patch(gray, quad)).max(axis=0) for quad in quads]
        for place, number in enumerate(self._numbers):
            rows = slice(4 * place, 4 * place + 4)
            table, quad = max(zip(tables, quads, strict=True), key=lambda one: float(one[0][rows].max()))
            turn = int(table[rows].argmax())
            if table[rows][turn] >= ALMOST:
                yield float(table[rows][turn]), number, np.roll(quad, -turn, axis=0)

    def _best_fits(self, gray: Gray, starts: list[tuple[float, int, Points]]) -> Iterator[_Fitted]:
        starts.sort(key=lambda start: -start[0])
        done: list[tuple[int, Points]] = []
        for _, number, quad in starts:
            if len(done) >= _MOST_FITS:
                return
            if any(number == other and _is_near(quad, tried, 2 * _ELSEWHERE) for other, tried in done):
                continue
            done.append((number, quad))
            if fitted := self._fit(gray, number, quad):
                yield fitted

    def _by_spots(self, gray: Gray, found: dict[int, _Fitted]) -> Iterator[_Fitted]:
        """Yield markers fitted to groups of bright spots on dark ground."""
        small, scale = gray, 1.0
        while min(small.shape) > 2 * SMALLEST_PX:
            starts = [one for spot in bright_spots(small, self._cells) for one in self._turned(small, *spot)]
            starts += [one for dark in dark_squares(small, self._cells) for one in self._guesses(small, dark)]
            missing = [
                (likeness, number, (quad + 0.5) / scale - 0.5)
                for likeness, number, quad in starts
                if number not in found
            ]
            yield from self._best_fits(gray, missing)
            small = np.asarray(
                cv2.resize(small, None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA), np.uint8
            )
            scale = small.shape[1] / gray.shape[1]

    def _turned(self, small: Gray, mean: Points, spread: Points) -> Iterator[tuple[float, int, Points]]:
        """Yield the markers that fit this mean and spread of white cells: likeness, number and corners."""
        patch = _levelled(_at(small, mean, spread))
        table = (self._rings @ patch).reshape(len(self._numbers), _TURNS)
        for place, turn in enumerate(table.argmax(axis=1)):
            likeness = float(table[place, turn])
            if likeness < ALMOST:
                continue
            angle = 2 * np.pi * turn / _TURNS
            middle, root = self._white[place]
            cos, sin = np.cos(angle), np.sin(angle)
            linear = spread @ np.array([[cos, -sin], [sin, cos]]) @ np.linalg.inv(root)
            quad = (self._square - middle) @ linear.T + mean
            if _is_squarish(quad):
                yield likeness, self._numbers[place], quad

    @cached_property
    def _white(self) -> list[tuple[Points, Points]]:
        """Centre of each print's white cells in a model, and the square root of their covariance."""
        found = []
        for cells in self._prints:
            rows, columns = np.nonzero(cells > 0.5)
            points = (np.column_stack([columns, rows]) + 0.5) * CELL - 0.5
            spread = np.cov(points.T, bias=True) + np.eye(2) * CELL**2 / 12
            found.append((points.mean(axis=0), root_of(spread)))
        return found

    @cached_property
    def _rings(self) -> Floats:
        """Each print as rings around its white cells' centre, turned in steps: shape (prints * turns, N)."""
        rows = []
        for place, (middle, root) in enumerate(self._white):
            model = self._models[1].plain[4 * place].reshape(self._size, self._size)
            rings = _at(np.asarray(255 * model, np.uint8), middle, root).reshape(_TURNS, -1)
            # a print turned by some steps shows in each direction what it has that many steps before
            rows += [_levelled(np.roll(rings, turn, axis=0).reshape(-1)) for turn in range(_TURNS)]
        return np.stack(rows)

    @staticmethod
    def _add(found: dict[int, _Fitted], more: Iterable[_Fitted]) -> None:
        """Add markers to those found; of two readings of one marker the likelier counts."""
        for fitted in more:
            known = found.get(fitted.number)
            if known is None or fitted.likeness > known.likeness:
                found[fitted.number] = fitted


def _at(gray: Gray, mean: Points, spread: Points) -> Floats:
    """Return the gray levels around a place, direction by direction, ring by ring: shape (points,)."""
    angles = 2 * np.pi * np.arange(_TURNS) / _TURNS
    way = np.column_stack([np.cos(angles), np.sin(angles)])
    points = ((way[:, None] * _RADII[:, None]).reshape(-1, 2) @ spread.T + mean).astype(np.float32)
    seen = cv2.remap(gray, points[:, :1], points[:, 1:], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.float32).reshape(-1)


def _levelled(values: Floats) -> Floats:
    """Return values minus their mean, scaled to length 1."""
    flat = values - values.mean()
    return np.asarray(flat / max(float(np.linalg.norm(flat)), 1e-6), np.float32)


def _sampled(gray: Gray, plane: Any, size: int) -> Floats:
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpPerspective(
        gray, np.asarray(plane, np.float64), (size, size), flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(seen, np.float32)


def _is_squarish(quad: Points) -> bool:
    """Tell whether a quadrilateral may be a square that lies on a table."""
    if not cv2.isContourConvex(quad.astype(np.float32)):
        return False
    sides = np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1)
    ways = (np.roll(quad, -1, axis=0) - quad) / np.maximum(np.roll(sides, -1), 1e-6)[:, None]
    lean = np.abs((ways * np.roll(ways, 1, axis=0)).sum(axis=1)).max()
    return bool(
        sides.min() >= SMALLEST_PX * 0.6 and sides.max() <= _OBLONG * sides.min() and lean <= _LEANING
    )


def _is_near(quad: Points, other: Points, share: float) -> bool:
    """Tell whether corners differ by less than a share of their square's side."""
    side = np.linalg.norm(quad[0] - quad[1])
    return bool(np.linalg.norm(quad - other, axis=1).max() < share * side)


def _lies_on(quad: Points, found: dict[int, _Fitted]) -> bool:
    x, y = quad.mean(axis=0).tolist()
    outlines = (fitted.corners.astype(np.float32) for fitted in found.values())
    return any(cv2.pointPolygonTest(outline, (x, y), False) >= 0 for outline in outlines)
