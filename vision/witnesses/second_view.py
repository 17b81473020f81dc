"""A second camera's pictures as the first camera would have taken them: both see the same plane.

Everything flat on the field has one place in each picture, and one map leads from one to the other: a
homography behind the second camera's lens. A rough map comes from scale-invariant features of prints and
floor (Lowe, 2004), after the second picture was tilted back by a few trial angles (Yu and Morel, 2011), since
features alone survive only half the slant of a camera beside the field. The exact map comes from matching
every card of the first picture in the second. Hands and heads stand above the plane and so appear at another
place than in the first picture; that is why a second camera sees what the first cannot.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.failure import FailedEstimation
from calibration.field.geometry import FieldGeometry
from calibration.field.plane_shape import distort
from calibration.peak import beside_summit
from vision.field.layout_reader import HALF_TERRITORIES_M
from vision.frames.frame import Gray

Floats = NDArray[np.float64]

_LEAST = 12  # fewest features, and fewest pairs of them that agree about one homography


@dataclass(frozen=True, slots=True, eq=False)
class SecondView:
    """The map between a second camera's pictures and the first camera's."""

    # `cv2.remap`'s two fixed-point maps, from the first picture's pixels
    to_second: tuple[NDArray[np.int16], NDArray[np.uint16]]
    # shape (height, width, 2), float32; where the first picture's pixels are in the second one
    places_px: NDArray[np.float32]
    second_size: tuple[int, int]  # width and height of the second picture
    residual_mm: float  # median distance on the field between the cards' places by the two pictures
    n: int  # number of cards found in both

    def as_first(self, gray: Gray) -> Gray:
        """Return a picture of the second camera as the first would have taken it.

        Beyond its edge the picture is continued: an arm that comes in there comes in from the edge of both.
        """
        return np.asarray(
            cv2.remap(gray, *self.to_second, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8
        )

    def row_shares(self, points_px: Floats) -> Floats:
        """Return the height in the second picture, as a share, of points (N, 2) of the first one; (N,)."""
        return self.places(points_px)[:, 1] / self.second_size[1]

    def sees(self, corners_px: Floats) -> bool:
        """Tell whether an outline (N, 2) of the first picture lies completely inside the second one."""
        places = self.places(corners_px)
        return bool(((places >= 0) & (places <= np.array(self.second_size) - 1)).all())

    def places(self, points_px: Floats) -> Floats:
        """Return the places in the second picture of points (N, 2) of the first one; (N, 2)."""
        x, y = np.asarray(points_px, np.float32).T
        return np.asarray(
            cv2.remap(self.places_px, x[None], y[None], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[0],
            np.float64,
        )


def match_views(
    first: Gray,
    geometry: FieldGeometry,
    cards_px: Sequence[Floats],
    second: Gray,
    before: SecondView | None = None,
) -> SecondView | FailedEstimation:
    """Find the map from a first camera's picture to a second one's.

    Returns: SecondView, or FailedEstimation if the two pictures have too little in common.

    Parameters
    ----------
    first : shape (height, width), uint8; the field at rest.
    cards_px : corners (4, 2) of the cards in the first picture.
    second : shape (height, width), uint8, the second camera's at about the same time; any size.
    before : the map of an earlier look, which only needs refinement if no camera was moved.
    """
    size = second.shape[1], second.shape[0]
    if before is not None and before.second_size == size:
        kept = _refined(before, first, geometry, cards_px, second)
        if kept:
            return kept
    rough = _rough_map(first, geometry, second)
    if not isinstance(rough, SecondView):
        return rough
    return _refined(rough, first, geometry, cards_px, second)


def _refined(
    view: SecondView, first: Gray, geometry: FieldGeometry, cards_px: Sequence[Floats], second: Gray
) -> SecondView | FailedEstimation:
    """Match each card of the first picture in the second, and fit the map to the matches."""
    least_cards = 4
    alike_share = 0.5
    reaches_px = (12, 5, 3)
    for search_px in reaches_px:
        seen = [each for each in cards_px if view.sees(each)]
        pairs = _laid(first, view.as_first(second), seen, search_px)
        if len(pairs) < max(least_cards, alike_share * len(seen)):
            return _nothing_alike(len(pairs))
        centres_px, found_px = np.array(pairs).swapaxes(0, 1)
        fitted = _fitted(geometry.to_field(centres_px), view.places(found_px), geometry, view.second_size)
        if not isinstance(fitted, SecondView):
            return fitted
        view = fitted
    return view


def _laid(first: Gray, seen: Gray, cards_px: Sequence[Floats], search_px: int) -> list[tuple[Floats, Floats]]:
    """Return the centre of each card of the first picture, and its place in the other picture."""
    pairs = []
    for corners in cards_px:
        (x0, y0), (x1, y1) = (
            np.floor(corners.min(axis=0)).astype(int),
            np.ceil(corners.max(axis=0)).astype(int),
        )
        around = seen[max(0, y0 - search_px) : y1 + search_px, max(0, x0 - search_px) : x1 + search_px]
        card = first[max(0, y0) : y1, max(0, x0) : x1]
        if min(x0, y0) < search_px or around.shape != (y1 - y0 + 2 * search_px, x1 - x0 + 2 * search_px):
            continue  # at the picture's edge
        likeness = np.asarray(cv2.matchTemplate(around, card, cv2.TM_CCOEFF_NORMED), np.float32)
        _, most, _, (column, row) = cv2.minMaxLoc(likeness)
        # Correlation of a card's two pictures from which they are taken for the same print.
        least_likeness = 0.55
        if most < least_likeness or not (0 < column < 2 * search_px and 0 < row < 2 * search_px):
            continue
        shift = np.array(beside_summit(likeness, column, row))
        centre = corners.mean(axis=0)
        pairs.append((centre, centre + shift + (column - search_px, row - search_px)))
    return pairs


def _rough_map(first: Gray, geometry: FieldGeometry, second: Gray) -> SecondView | FailedEstimation:
    """Find the second camera's view from features that both pictures show."""
    most_features = 2000
    sift = cv2.SIFT.create(nfeatures=most_features)
    known, known_marks = sift.detectAndCompute(first, None)
    places_m = geometry.to_field(np.array([each.pt for each in known]).reshape(-1, 2))
    reach_m = 0.15  # around both territories: floor and cards, seldom people
    reach = HALF_TERRITORIES_M + reach_m
    on_field = (np.abs(places_m) < reach).all(axis=1)
    if on_field.sum() < _LEAST:
        return _nothing_alike(0)
    places_m, known_marks = places_m[on_field], known_marks[on_field]
    best: tuple[Floats, Floats] = np.zeros((0, 2)), np.zeros((0, 2))
    trial_tilts_deg = (0.0, 35.0, 55.0)
    for tilt_deg in trial_tilts_deg:
        tilted, back = _tilted(second, tilt_deg)
        seen, marks = sift.detectAndCompute(tilted, None)
        if len(seen) < _LEAST:
            continue
        at = np.array([each.pt for each in seen])
        pairs = _pairs(known_marks, marks)
        seen_px = cv2.perspectiveTransform(at[None, pairs[:, 1]], back)[0]
        agreeing = _agreeing(places_m[pairs[:, 0]], np.asarray(seen_px, np.float64))
        if len(agreeing[0]) > len(best[0]):
            best = agreeing
        enough_pairs = 100
        if len(best[0]) >= enough_pairs:
            break
    if len(best[0]) < _LEAST:
        return _nothing_alike(len(best[0]))
    return _fitted(best[0], best[1], geometry, (second.shape[1], second.shape[0]))


def _nothing_alike(n: int) -> FailedEstimation:
    return FailedEstimation(
        f"the cameras agree about {n} things on the field: too few",
        "let the second camera see the same cards, lit and sharp, from beside the field: behind a player the "
        "body hides them",
    )


def _tilted(second: Gray, tilt_deg: float) -> tuple[Gray, Floats]:
    """Return the picture as if the camera looked more steeply down, and the map (3, 3) back to its pixels."""
    height, width = second.shape
    focal_widths = 1.15  # of usual cameras, in widths of the picture: a trial need not be exact
    focal_px = focal_widths * width
    camera = np.array([[focal_px, 0, width / 2], [0, focal_px, height / 2], [0, 0, 1]])
    lean = np.deg2rad(tilt_deg)
    turn = np.array([[1, 0, 0], [0, np.cos(lean), np.sin(lean)], [0, -np.sin(lean), np.cos(lean)]])
    steeper = camera @ turn @ np.linalg.inv(camera)
    corners = np.array([[[0, 0], [width, 0], [width, height], [0, height]]], np.float64)
    ends = cv2.perspectiveTransform(corners, steeper)[0]
    low, size = ends.min(axis=0), np.ptp(ends, axis=0)
    # a far edge that would be enlarged enormously shows no cards
    scale = min(1.0, 1.5 * width / size[0], 2.5 * height / size[1])
    fit = np.array([[scale, 0, -low[0] * scale], [0, scale, -low[1] * scale], [0, 0, 1]]) @ steeper
    flat = cv2.warpPerspective(second, fit, (int(size[0] * scale), int(size[1] * scale)))
    return np.asarray(flat, np.uint8), np.linalg.inv(fit)


def _pairs(known: NDArray[Any], seen: NDArray[Any]) -> NDArray[np.intp]:
    """Return the indices (N, 2) of features that match each other better than all others."""
    matches = cv2.BFMatcher(cv2.NORM_L2).knnMatch(known, seen, k=2)
    most_ratio = 0.8
    good = [
        pair[0] for pair in matches if len(pair) == 2 and pair[0].distance < most_ratio * pair[1].distance
    ]
    return np.array([(each.queryIdx, each.trainIdx) for each in good], np.intp).reshape(-1, 2)


def _agreeing(places_m: Floats, seen_px: Floats) -> tuple[Floats, Floats]:
    """Return the pairs that one homography explains, ignoring its lens."""
    nothing = np.zeros((0, 2)), np.zeros((0, 2))
    if len(places_m) < _LEAST:
        return nothing
    apart_mm = 6.0
    # millimetres: for coordinates far below 1 the search sees a degenerate case
    found, inside = cv2.findHomography(seen_px, places_m * 1e3, cv2.RANSAC, apart_mm, maxIters=5000)
    if not np.any(found):
        return nothing
    keep = inside[:, 0] == 1
    return places_m[keep], seen_px[keep]


def _fitted(
    places_m: Floats, seen_px: Floats, geometry: FieldGeometry, size: tuple[int, int]
) -> SecondView | FailedEstimation:
    """Fit plane and lens of the second camera to pairs of points."""
    middle, half = (np.array(size) - 1) / 2, size[0] / 2
    seen = (seen_px - middle) / half
    start, _ = cv2.findHomography(places_m, seen)
    if not np.any(start):
        return _nothing_alike(len(places_m))

    def misfit(parameters: Floats) -> Floats:
        off = (_shown(parameters, places_m) - seen) * half
        k1_spread = 0.05
        return np.append(off.ravel(), parameters[8] / k1_spread)

    from scipy.optimize import least_squares  # noqa: PLC0415 - slow to load, and few fields have two cameras

    plane = np.append((start / start[2, 2]).ravel()[:8], 0.0)
    fit = least_squares(misfit, plane, loss="soft_l1", x_scale="jac")
    to_second = np.append(fit.x[:8], 1.0).reshape(3, 3)
    if abs(np.linalg.det(to_second)) < 1e-9:
        return _nothing_alike(len(places_m))
    off_px = np.linalg.norm(misfit(fit.x)[:-1].reshape(-1, 2), axis=1)
    px_per_mm = float(np.sqrt(abs(np.linalg.det(to_second[:2, :2])))) * half / 1e3
    residual_mm = float(np.median(off_px)) / px_per_mm
    fine_mm = 1.5
    if residual_mm > fine_mm:
        return FailedEstimation(
            f"what both cameras see lies {residual_mm:.1f} mm apart",
            "keep the second camera still and the whole field in its picture",
        )
    rows, columns = np.mgrid[0 : geometry.height_px, 0 : geometry.width_px]
    field_m = geometry.to_field(np.stack([columns, rows], axis=-1).astype(np.float64))
    places = (_shown(fit.x, field_m) * half + middle).astype(np.float32)
    coarse, fine = cv2.convertMaps(places, np.empty(0, np.float32), cv2.CV_16SC2)
    maps = np.asarray(coarse, np.int16), np.asarray(fine, np.uint16)
    return SecondView(maps, places, size, residual_mm, len(places_m))


def _shown(parameters: Floats, places_m: Floats) -> Floats:
    """Return where a lens and a plane's map show points of the field, in half widths."""
    plane = np.append(parameters[:8], 1.0).reshape(3, 3)
    mapped = places_m @ plane[:, :2].T + plane[:, 2]
    return distort(mapped[..., :2] / mapped[..., 2:], float(parameters[8]))
