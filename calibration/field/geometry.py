"""Measure the plane of the field as the camera sees it, from nothing but the cards that lie on it.

Every torifuda is a 52 x 73 mm rectangle; a few of them fix perspective, scale and lens at once. The
rectangles' places and directions are fitted too, never assumed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.failure import FailedEstimation
from calibration.field.plane_shape import (
    LENS,
    Lens,
    corner_numbers,
    distort,
    flattened,
    laid_on,
    prior,
    shape_matrix,
    undistort,
)
from referee.sentence import Sentence

Floats = NDArray[np.float64]

MIN_CARDS: Final = 4
MIN_NOISE: Final = 0.004
"""Least error of a corner, in card widths (0.2 mm): weighs the cards against the priors."""
ITERATIONS: Final = 12
SETTLED: Final = 1e-4  # a step this small moves no point of the field by more than a tenth of a millimetre
NUDGE: Final = 1e-5


@dataclass(frozen=True, slots=True, eq=False)
class FieldGeometry:
    """The map between the picture and the field."""

    width_px: int
    height_px: int
    k1: float  # radial distortion as in `calibration.field.plane_shape`
    # shape (3, 3); undistorted picture coordinates (half widths from the centre) to metres
    homography: Floats
    residual_m: float  # median distance between the measured corners and those of 52 x 73 mm rectangles

    @property
    def middle_px(self) -> Floats:
        """Centre of the picture, where the lens's axis is assumed."""
        return np.array([self.width_px - 1, self.height_px - 1]) / 2

    def to_field(self, px: NDArray[np.floating]) -> Floats:
        """Map pixels, shape (..., 2), whose centres have integer coordinates, to the field, metres."""
        seen = (np.asarray(px, np.float64) - self.middle_px) / (self.width_px / 2)
        return _project(self.homography, undistort(seen, self.k1))

    def to_image(self, field_m: NDArray[np.floating]) -> Floats:
        """Map field points, shape (..., 2) in metres, to pixels, shape (..., 2)."""
        back = np.asarray(np.linalg.inv(self.homography), np.float64)
        ideal = _project(back, np.asarray(field_m, np.float64))
        return distort(ideal, self.k1) * (self.width_px / 2) + self.middle_px

    def moved(self, turn_rad: float, shift_m: NDArray[np.floating]) -> FieldGeometry:
        """Return the same camera with the field's axes turned by `turn_rad`, then shifted by `shift_m`."""
        cos, sin = np.cos(turn_rad), np.sin(turn_rad)
        motion = np.array([[cos, -sin, shift_m[0]], [sin, cos, shift_m[1]], [0, 0, 1]])
        return replace(self, homography=motion @ self.homography)

    def px_per_m(self, field_m: NDArray[np.floating]) -> float:
        """Return the picture's mean scale at a field point, shape (2,), in pixels per metre."""
        step = 1e-3 * np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
        at, right, down = self.to_image(np.asarray(field_m, np.float64) + step)
        return float(np.sqrt(abs(np.linalg.det(np.array([right - at, down - at])))) / 1e-3)


def _project(homography: Floats, points: Floats) -> Floats:
    mapped = points @ homography[:, :2].T + homography[:, 2]
    return np.asarray(mapped[..., :2] / mapped[..., 2:])


def fit_plane(
    corners_px: NDArray[np.floating],
    card_size_m: tuple[float, float],
    picture_size: tuple[int, int],
    lens: Lens | None = None,
) -> FieldGeometry | FailedEstimation:
    """Fit plane and lens to cards, with axes along the picture's and the origin at its centre.

    `corners_px`: shape (N, 4, 2); corners of each rectangle in order, beginning with a side of its width.
    `lens`: the camera's, if it was measured; few cards tell it badly.
    """
    if len(corners_px) < MIN_CARDS:
        return FailedEstimation(
            Sentence(
                "{n} cards found, at least {least} are needed to measure the field",
                n=len(corners_px),
                least=MIN_CARDS,
            ),
            Sentence("aim the camera straight down at the cards and light them evenly"),
        )
    width_px, height_px = picture_size
    middle = np.array([width_px - 1, height_px - 1]) / 2
    seen = (np.asarray(corners_px, np.float64) - middle) / (width_px / 2)
    card = corner_numbers(np.array(card_size_m) / card_size_m[0])

    likely, spread = prior(lens)
    parameters = likely
    weights = _of_one_size(parameters, seen, card)
    nudges = np.concatenate([np.zeros((1, likely.size)), NUDGE * np.eye(likely.size)])
    for _ in range(ITERATIONS):
        misfits, _ = _misfits(parameters + nudges, seen, card, weights)
        size = np.sqrt(np.square(misfits[0]).reshape(len(seen), -1).sum(axis=1) / 4)
        noise = max(MIN_NOISE, float(np.median(size)))
        # Cards that are badly cut (under a hand, half merged) are weighted down.
        weights = 1.0 / (1.0 + np.square(size / (2.5 * noise))) / np.square(noise)
        step = _step(misfits.reshape(len(nudges), -1), np.repeat(weights, 8), likely - parameters, spread)
        parameters = parameters + step
        if np.abs(step).max() < SETTLED:
            break
    misfits, scales = _misfits(parameters[None], seen, card, weights)
    misfit, scale = misfits[0], float(scales[0])
    residual_m = float(np.median(np.linalg.norm(misfit, axis=2))) * card_size_m[0]
    if not np.isfinite(scale) or residual_m > 0.004:
        return FailedEstimation(
            Sentence(
                "the cards found do not lie in one plane as 52 x 73 mm rectangles (typical misfit {mm} mm)",
                mm=f"{1e3 * residual_m:.1f}",
            ),
            Sentence("look from above, keep the whole field in the picture and the lens clean"),
        )
    width = card_size_m[0]
    homography = np.diag([scale, scale, 1.0]) @ shape_matrix(parameters) * [[width], [width], [1.0]]
    return FieldGeometry(width_px, height_px, float(parameters[LENS]), homography, residual_m)


def _of_one_size(parameters: Floats, seen: Floats, card: Floats) -> Floats:
    """Trust cards of about the usual size at first: 1 or 0, shape (N,)."""
    flat = flattened(shape_matrix(parameters[None]), parameters[None, LENS], seen)[0]
    sizes = np.abs(laid_on(flat, card)[1])
    return np.where(np.abs(sizes / np.median(sizes) - 1) < 0.2, 1.0, 0.0)


def _misfits(tries: Floats, seen: Floats, card: Floats, trust: Floats) -> tuple[Floats, Floats]:
    """Fit the rigid model card, of one size for all, to each flattened card (least squares).

    Returns: the residuals, shape (T, N, 4, 2), in card widths, and the scales in card widths per half width.

    `tries`: shape (T, 6), parameters of `calibration.field.plane_shape`. `trust`: shape (N,), weight of each
    card in the common size.
    """
    around, turns = laid_on(flattened(shape_matrix(tries), tries[:, LENS], seen), card)
    sizes = np.abs(turns) @ trust / trust.sum()
    misfit = around / sizes[:, None, None] - (turns / np.abs(turns))[..., None] * card
    return np.stack([misfit.real, misfit.imag], axis=-1), 1.0 / sizes


def _step(misfits: Floats, weights: Floats, from_likely: Floats, spread: Floats) -> Floats:
    """Solve for the parameters' step.

    `misfits`: shape (1 + P, M); at the present parameters, then with each parameter nudged. `from_likely`,
    `spread`: shape (P,); how far the parameters are from their likely values, and the prior's spread.
    """
    slopes = (misfits[1:] - misfits[0]).T / NUDGE
    precision = 1 / np.square(spread)
    normal = slopes.T @ (weights[:, None] * slopes) + np.diag(precision)
    pull = precision * from_likely - slopes.T @ (weights * misfits[0])
    return np.asarray(np.linalg.solve(normal, pull))
