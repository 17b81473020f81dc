"""The plane of the field as the camera sees it, measured from nothing but the cards that lie on it.

Every torifuda is a 52 x 73 mm rectangle; a few of them fix perspective, scale and lens at once. Where the
rectangles lie and how they are turned is fitted along and never assumed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.failed import FailedEstimation
from calibration.lens import distort, undistort

Floats = NDArray[np.float64]

MIN_CARDS: Final = 4
MIN_NOISE: Final = 0.004
"""Least error of a corner, in card widths (0.2 mm): weighs the cards against the priors."""
# What lenses and tripods do, per parameter of `shape_matrix`, then the lens's k1; it decides only where few
# cards say nothing. Webcams and phones see 35 to 80 degrees across; their pixels are square.
PRIOR: Final = np.array([0.65, 0.0, 0.0, 0.0, 0.0, -0.005])
PRIOR_SPREAD: Final = np.array([0.45, 0.001, 0.001, 0.08, 0.08, 0.05])
ITERATIONS: Final = 12
SETTLED: Final = 1e-4
"""A step this small moves no point of the field by more than a tenth of a millimetre."""


@dataclass(frozen=True, slots=True, eq=False)
class FieldGeometry:
    """The map between the picture and the field.

    Attributes
    ----------
    width_px, height_px : size of the picture it belongs to.
    k1 : radial distortion as in `calibration.lens`.
    homography : shape (3, 3); undistorted picture coordinates (half widths from the middle) to metres.
    residual_m : median distance between the measured corners and those of 52 x 73 mm rectangles.
    """

    width_px: int
    height_px: int
    k1: float
    homography: Floats
    residual_m: float

    @property
    def middle_px(self) -> Floats:
        """Middle of the picture, where the lens's axis is assumed."""
        return np.array([self.width_px - 1, self.height_px - 1]) / 2

    def to_field(self, px: NDArray[np.floating]) -> Floats:
        """Map pixels to the field.

        Parameters
        ----------
        px : shape (..., 2); pixel centres have integer coordinates.

        Returns
        -------
        shape (..., 2), metres.
        """
        seen = (np.asarray(px, np.float64) - self.middle_px) / (self.width_px / 2)
        return project(self.homography, undistort(seen, self.k1))

    def to_image(self, field_m: NDArray[np.floating]) -> Floats:
        """Map field points, shape (..., 2) in metres, to pixels, shape (..., 2)."""
        back = np.asarray(np.linalg.inv(self.homography), np.float64)
        ideal = project(back, np.asarray(field_m, np.float64))
        return distort(ideal, self.k1) * (self.width_px / 2) + self.middle_px

    def moved(self, turn_rad: float, shift_m: NDArray[np.floating]) -> FieldGeometry:
        """Return the same camera with the field's axes turned by `turn_rad`, then shifted by `shift_m`."""
        cos, sin = np.cos(turn_rad), np.sin(turn_rad)
        motion = np.array([[cos, -sin, shift_m[0]], [sin, cos, shift_m[1]], [0, 0, 1]])
        return replace(self, homography=motion @ self.homography)

    def px_per_m(self, field_m: NDArray[np.floating]) -> float:
        """Return the picture's mean scale at a field point, shape (2,)."""
        step = 1e-3 * np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
        at, right, down = self.to_image(np.asarray(field_m, np.float64) + step)
        return float(np.sqrt(abs(np.linalg.det(np.array([right - at, down - at])))) / 1e-3)


def project(homography: Floats, points: Floats) -> Floats:
    """Map points of shape (..., 2) by a homography of shape (3, 3)."""
    mapped = points @ homography[:, :2].T + homography[:, 2]
    return np.asarray(mapped[..., :2] / mapped[..., 2:])


def fit_plane(
    corners_px: NDArray[np.floating], card_size_m: tuple[float, float], picture_size: tuple[int, int]
) -> FieldGeometry | FailedEstimation:
    """Fit plane and lens to cards.

    Parameters
    ----------
    corners_px : shape (N, 4, 2); corners of each rectangle in order, its first side being its width.
    card_size_m : width and height of the rectangles.
    picture_size : width and height of the picture in pixels.

    Returns
    -------
    FieldGeometry with axes along the picture's and the origin in its middle, or FailedEstimation.
    """
    if len(corners_px) < MIN_CARDS:
        return FailedEstimation(
            f"{len(corners_px)} cards found, at least {MIN_CARDS} are needed to measure the field",
            "aim the camera straight down at the cards and light them evenly",
        )
    width_px, height_px = picture_size
    middle = np.array([width_px - 1, height_px - 1]) / 2
    seen = (np.asarray(corners_px, np.float64) - middle) / (width_px / 2)
    model = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * np.array(card_size_m) / card_size_m[0]
    model -= model.mean(axis=0)

    parameters = PRIOR.copy()
    weights = _of_one_size(parameters, seen, model)
    for _ in range(ITERATIONS):
        trust = weights
        misfit, _ = _misfit(parameters, seen, model, trust)
        size = np.sqrt(np.square(misfit).sum(axis=(1, 2)) / 4)
        noise = max(MIN_NOISE, float(np.median(size)))
        # Cards that are badly cut (under a hand, half merged) lose their say.
        weights = 1.0 / (1.0 + np.square(size / (2.5 * noise))) / np.square(noise)
        residual = _residual(misfit, weights, parameters)
        slopes = np.empty((residual.size, parameters.size))
        for index in range(parameters.size):
            nudged = parameters.copy()
            nudged[index] += 1e-5
            moved = _residual(_misfit(nudged, seen, model, trust)[0], weights, nudged)
            slopes[:, index] = (moved - residual) / 1e-5
        step = np.linalg.lstsq(slopes, -residual, rcond=None)[0]
        parameters = parameters + step
        if np.abs(step).max() < SETTLED:
            break
    misfit, scale = _misfit(parameters, seen, model, weights)
    residual_m = float(np.median(np.linalg.norm(misfit, axis=2))) * card_size_m[0]
    if not np.isfinite(scale) or residual_m > 0.004:
        return FailedEstimation(
            "the cards found do not lie in one plane as 52 x 73 mm rectangles"
            f" (typical misfit {1e3 * residual_m:.1f} mm)",
            "look from above, keep the whole field in the picture and the lens clean",
        )
    homography = np.diag([scale, scale, 1.0]) @ shape_matrix(parameters)
    return FieldGeometry(
        width_px,
        height_px,
        float(parameters[-1]),
        homography * [[card_size_m[0]], [card_size_m[0]], [1]],
        residual_m,
    )


def shape_matrix(parameters: Floats) -> Floats:
    """Return the plane's homography, shape (3, 3), with scale 1 and without a turn or shift of its own.

    Parameters
    ----------
    parameters : logarithm of the focal length in half widths of the picture; aspect and shear of its pixels;
        the horizon (tangent of the tilt by focal length) in x and y. More of them are not looked at.
    """
    log_focal, aspect, shear, *horizon = parameters[:5]
    pixel = np.array([[np.exp(-aspect / 2), shear], [0.0, np.exp(aspect / 2)]])
    # Square pixels that look down at a slant see the plane squeezed along the slant: its metric in the
    # picture is 1 + f^2 h h^T. This is its root of determinant 1, in closed form for 2 x 2.
    lean = np.exp(log_focal) * np.array(horizon)
    metric = np.eye(2) + np.outer(lean, lean)
    area = np.sqrt(np.linalg.det(metric))
    root = (metric + area * np.eye(2)) / np.sqrt(area * (metric.trace() + 2 * area))
    whole = np.eye(3)
    whole[:2, :2] = root @ pixel
    whole[2, :2] = horizon @ pixel
    return whole


def _turns(parameters: Floats, seen: Floats, model: Floats) -> tuple[Floats, Floats, Floats]:
    """Flatten the cards and find the best turn and size of the model card on each, as complex numbers.

    Returns
    -------
    corners around each card's middle, shape (N, 4); the model's corners, shape (4,); turns, shape (N,).
    """
    flat = project(shape_matrix(parameters), undistort(seen, parameters[-1]))
    flat = flat - flat.mean(axis=1, keepdims=True)
    corners = flat[..., 0] + 1j * flat[..., 1]
    card = model[:, 0] + 1j * model[:, 1]
    return corners, card, (corners * card.conj()).sum(axis=1) / np.square(np.abs(card)).sum()


def _of_one_size(parameters: Floats, seen: Floats, model: Floats) -> Floats:
    """Trust, to begin with, the cards that are about as large as most: 1 or 0, shape (N,)."""
    sizes = np.abs(_turns(parameters, seen, model)[2])
    return np.where(np.abs(sizes / np.median(sizes) - 1) < 0.2, 1.0, 0.0)


def _misfit(parameters: Floats, seen: Floats, model: Floats, trust: Floats) -> tuple[Floats, float]:
    """Lay the rigid model card, of one size for all, onto each flattened card as well as it goes.

    Returns
    -------
    remaining differences, shape (N, 4, 2), in card widths, and the scale in card widths per half width.
    """
    corners, card, turns = _turns(parameters, seen, model)
    size = float((trust * np.abs(turns)).sum() / trust.sum())
    laid = (turns / np.abs(turns))[:, None] * card
    misfit = corners / size - laid
    return np.stack([misfit.real, misfit.imag], axis=-1), 1.0 / size


def _residual(misfit: Floats, weights: Floats, parameters: Floats) -> Floats:
    data = (misfit * np.sqrt(weights)[:, None, None]).ravel()
    return np.concatenate([data, (parameters - PRIOR) / PRIOR_SPREAD])
