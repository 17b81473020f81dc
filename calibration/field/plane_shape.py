"""Parametrise how a camera shows a plane, with few numbers that describe lenses and tripods.

Square pixels that look at a plane at a slant see it squeezed along the slant, by an amount that the focal
length ties to the convergence of parallels. So slant and squeeze are fitted together.

Lenses distort radially with one coefficient: in half widths from the picture's centre, an ideal point at
radius r is seen at r (1 + k1 r^2). Negative k1 is the barrel distortion of wide lenses.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def distort(ideal: Floats, k1: float) -> Floats:
    """Return where the lens shows ideal points; both of shape (..., 2), in half widths."""
    return np.asarray(ideal * (1.0 + k1 * np.square(ideal).sum(axis=-1, keepdims=True)))


def undistort(seen: Floats, k1: float | Floats) -> Floats:
    """Return the ideal points of seen ones; both of shape (..., 2), in half widths.

    Handles several lenses at once if k1 broadcasts against (..., 1). Newton's method on the radius; four
    steps are exact to 1e-9 for any lens whose picture does not fold.
    """
    radius = np.sqrt(np.square(seen).sum(axis=-1, keepdims=True))
    ideal = radius
    for _ in range(4):
        square = k1 * np.square(ideal)
        ideal = ideal - (ideal * (1.0 + square) - radius) / (1.0 + 3.0 * square)
    return np.asarray(seen * np.divide(ideal, radius, out=np.ones_like(ideal), where=radius > 0))


FOCAL, ASPECT, SHEAR, HORIZON_X, HORIZON_Y, LENS = range(6)
"""Logarithm of the focal length in half widths of the picture; aspect and shear of its pixels; tangent of the
tilt divided by the focal length, in x and in y; and k1 as in `calibration.field.plane_shape`."""
PRIOR: Final = np.array([0.65, 0.0, 0.0, 0.0, 0.0, -0.005])
PRIOR_SPREAD: Final = np.array([0.45, 0.001, 0.001, 0.08, 0.08, 0.05])
"""Usual values of webcams and phones, per parameter; they matter only if there are few cards."""
FOCAL_SPREAD: Final = 0.02
K1_SPREAD: Final = 0.003  # how well a measured lens is known: some change with the focus


@dataclass(frozen=True, slots=True)
class Lens:
    """A lens as measured by `shinpan calibrate --lens`."""

    focal: float  # focal length in half widths of the picture
    k1: float  # radial distortion as in `calibration.field.plane_shape`


def prior(lens: Lens | None) -> tuple[Floats, Floats]:
    """Return the parameters' likely values and their spread, both of shape (6,)."""
    likely, spread = PRIOR.copy(), PRIOR_SPREAD.copy()
    if lens is not None:
        likely[FOCAL], likely[LENS] = np.log(lens.focal), lens.k1
        spread[FOCAL], spread[LENS] = FOCAL_SPREAD, K1_SPREAD
    return likely, spread


def shape_matrix(parameters: Floats) -> Floats:
    """Return the homographies from picture to plane with scale 1 and without turn or shift.

    Returns: shape (..., 3, 3), for undistorted coordinates in half widths and parameters of shape (..., 6).
    """
    focal, squeeze = np.exp(parameters[..., FOCAL]), np.exp(parameters[..., ASPECT] / 2)
    pixel = np.zeros((*parameters.shape[:-1], 2, 2))
    pixel[..., 0, 0], pixel[..., 1, 1], pixel[..., 0, 1] = 1 / squeeze, squeeze, parameters[..., SHEAR]
    # The plane's metric in the picture is 1 + f^2 h h^T, of determinant 1 + |f h|^2. This is its root, scaled
    # to determinant 1, in closed form for 2 x 2.
    horizon = parameters[..., HORIZON_X : HORIZON_Y + 1]
    lean = focal[..., None] * horizon
    square = np.square(lean).sum(axis=-1)[..., None, None]
    area = np.sqrt(1 + square)
    metric = np.eye(2) + lean[..., :, None] * lean[..., None, :]
    root = (metric + area * np.eye(2)) / np.sqrt(area * (2 + square + 2 * area))
    whole = np.zeros((*parameters.shape[:-1], 3, 3))
    whole[..., :2, :2] = root @ pixel
    whole[..., 2:, :2] = horizon[..., None, :] @ pixel
    whole[..., 2, 2] = 1.0
    return whole


def flattened(homographies: Floats, k1: Floats, seen: Floats) -> Floats:
    """Map the seen corners of N cards, (N, 4, 2) in half widths, to the plane: (T, N, 4, 2), for T tries."""
    ideal = undistort(seen.reshape(1, -1, 2), k1[:, None, None])
    mapped = ideal @ homographies[:, :, :2].swapaxes(1, 2) + homographies[:, None, :, 2]
    return np.asarray(mapped[..., :2] / mapped[..., 2:]).reshape(len(k1), *seen.shape)


def laid_on(corners: Floats, card: Floats) -> tuple[Floats, Floats]:
    """Fit a model card to flattened cards (least squares).

    Returns: the corners around each card's centre as complex numbers, shape (..., 4), and the turn and size
    of the best-fitting model as a complex number, shape (...).

    `corners`: shape (..., 4, 2). `card`: shape (..., 4), the model's corners around its centre as complex
    numbers.
    """
    around = (corners - corners.mean(axis=-2, keepdims=True)) @ np.array([1, 1j])
    turns = (around * card.conj()).sum(axis=-1) / np.square(np.abs(card)).sum(axis=-1)
    return np.asarray(around), np.asarray(turns)


def corner_numbers(size: Floats) -> Floats:
    """Return the corners of cards of width and height `size`, shape (..., 2), as complex numbers (..., 4)."""
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2
    return np.asarray(signs * size[..., None, :] @ np.array([1, 1j]))
