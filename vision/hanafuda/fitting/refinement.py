"""Move outlines onto the cards by comparison with the deck's pictures, which ignores shadows and grain.

Gauss-Newton on the differences of gray levels, for all cards of a photo at once. The gradients are those of
the deck's pictures, so they are computed once per deck (inverse compositional alignment).
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.decks.deck import Picture
from vision.hanafuda.crops import MARGIN, card_corners_in_crop, crop_size_px
from vision.hanafuda.finder import Corners

Floats = NDArray[np.float32]

_MIN_FIT: Final = 0.3  # correlation below which there was nothing to fit


class CardAligner:
    """Fits outlines to the cards of one deck; see `refine`.

    `pictures`: the deck's pictures; a card is given by its index among them.
    """

    def __init__(self, pictures: Sequence[Picture]) -> None:
        cards = [_template(picture) for picture in pictures]
        x, y = _cells().T
        self._wanted = _normalised(np.stack([card[y, x] for card in cards]))
        self._descent = np.stack([_descent(card) for card in cards])
        normal = self._descent.transpose(0, 2, 1) @ self._descent
        # Share of the mean that is added to the diagonal of the normal equations: a bare hill tells little
        # about some moves.
        damping = 1e-3
        normal += (
            damping * np.trace(normal, axis1=1, axis2=2)[:, None, None] / 8 * np.eye(8, dtype=np.float32)
        )
        self._inverse = np.linalg.inv(normal)

    def refine(
        self, crops: Sequence[Picture], outlines: Sequence[Corners], cards: Sequence[int]
    ) -> list[Corners]:
        """Return each outline as it fits its card best; unchanged if the fit fails or moves far.

        `crops`: what is seen in each outline, as `vision.hanafuda.crops.rectify` cuts it. `outlines`: shape
        (4, 2) each, px, clockwise from the card's upper left corner. `cards`: the card of each outline.
        """
        fitted: list[Corners] = []
        at_once = 300  # crops to stack vertically: OpenCV takes pictures of at most 32767 rows
        for first in range(0, len(outlines), at_once):
            some = outlines[first : first + at_once]
            soft = np.concatenate([_soft(crop) for crop in crops[first : first + at_once]])
            warps, fit = self._aligned(soft, np.array(cards[first : first + at_once], np.intp))
            fitted += [
                _moved(outline, warp) if likeness >= _MIN_FIT else outline
                for outline, warp, likeness in zip(some, warps, fit, strict=True)
            ]
        return fitted

    def _aligned(self, crops: Floats, cards: NDArray[np.intp]) -> tuple[NDArray[np.float64], Floats]:
        """Return the maps from each card's corners to their places in its crop, and how well they fit."""
        corners = card_corners_in_crop()
        warps = np.tile(np.eye(3), (len(cards), 1, 1))
        fit = np.zeros(len(cards), np.float32)
        moving = np.arange(len(cards))
        # After these only one outline in thirty would still move by a pixel: outlines without a card.
        iterations = 8
        for _ in range(iterations):
            which = cards[moving]
            seen = _normalised(_sampled(crops, moving, warps[moving]))
            wanted = self._wanted[which]
            fit[moving] = np.einsum("ni,ni->n", seen, wanted)
            error = seen / np.maximum(fit[moving], _MIN_FIT)[:, None] - wanted
            slope = np.matmul(error[:, None], self._descent[which])[:, 0, :, None]
            shift = np.matmul(self._inverse[which], slope)[..., 0].astype(np.float64)
            step = _homographies(corners + shift.reshape(-1, 4, 2))
            warps[moving] = warps[moving] @ np.linalg.inv(step)
            # Corners that move by less than this in an iteration, in crop pixels, have converged.
            settled_px = 0.04
            moving = moving[np.abs(shift).max(axis=1) > settled_px]
            if not len(moving):
                break
        return warps, fit


def _moved(outline: Corners, warp: NDArray[np.float64]) -> Corners:
    """Return an outline's corners after a warp of its crop; unchanged if they move far."""
    corners = card_corners_in_crop()
    to_picture = cv2.getPerspectiveTransform(corners.astype(np.float32), outline.astype(np.float32))
    moved = np.asarray(cv2.perspectiveTransform(corners[None], to_picture @ warp)[0], np.float64)
    short_px = float(np.linalg.norm(outline[1] - outline[0]))
    # How far a corner may move, in card widths: otherwise a card's back might be bent until it looks like a
    # hill.
    max_move = 0.15
    near = np.linalg.norm(moved - outline, axis=1).max() <= max_move * short_px
    return moved if near else outline


def _soft(crop: Picture) -> Floats:
    gray = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY).astype(np.float32)
    # Blur before the comparison, crop pixels: outlines that are several pixels off still converge.
    smoothing_px = 5
    return np.asarray(cv2.GaussianBlur(gray, (smoothing_px, smoothing_px), 0), np.float32)


def _template(picture: Picture) -> Floats:
    """Return a card's picture as a crop shows it, with its edge extended into the surroundings."""
    margin = 2 * MARGIN
    width, height = crop_size_px()
    card = cv2.resize(picture, (width - 2 * margin, height - 2 * margin), interpolation=cv2.INTER_AREA)
    wide = cv2.copyMakeBorder(card, margin, margin, margin, margin, borderType=cv2.BORDER_REPLICATE)
    return _soft(np.asarray(wide, np.uint8))


@cache
def _cells() -> NDArray[np.intp]:
    """Return every second pixel of the card in a crop, x and y, shape (P, 2)."""
    low, high = np.rint(card_corners_in_crop()[[0, 2]] + 0.5).astype(int)
    x, y = np.meshgrid(np.arange(low[0] + 1, high[0] - 1, 2), np.arange(low[1] + 1, high[1] - 1, 2))
    return np.stack([x.ravel(), y.ravel()], axis=1)


def _normalised(values: Floats) -> Floats:
    centred = values - values.mean(axis=1, keepdims=True)
    length = np.sqrt(np.einsum("ni,ni->n", centred, centred))[:, None]
    return np.asarray(centred / np.maximum(length, 1e-3), np.float32)


def _descent(card: Floats) -> Floats:
    """Return the change of the normalised values when each corner moves by a pixel; shape (P, 8)."""
    x, y = _cells().T
    across = (card[y, x + 1] - card[y, x - 1]) / 2
    down = (card[y + 1, x] - card[y - 1, x]) / 2
    corners = card_corners_in_crop()
    (left, top), (right, low) = corners[0], corners[2]
    u, v = (x - left) / (right - left), (y - top) / (low - top)
    # to first order a corner moves the points near it by its bilinear weight
    weights = np.stack([(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v], axis=1)
    change = np.stack([weights * across[:, None], weights * down[:, None]], axis=2).reshape(-1, 8)
    values = card[y, x]
    away = values - values.mean()
    length = max(float(np.linalg.norm(away)), 1e-3)
    change = (change - change.mean(axis=0)) / length
    # a change of contrast is not a move
    return np.asarray(change - np.outer(away / length, (away / length) @ change), np.float32)


def _sampled(crops: Floats, which: NDArray[np.intp], warps: NDArray[np.float64]) -> Floats:
    width, height = crop_size_px()
    # as one matrix product, and in place: this is repeated in every iteration
    places = (warps.reshape(-1, 3).astype(np.float32) @ _cells_and_ones()).reshape(len(warps), 3, -1)
    x, y = (np.divide(places[:, axis], places[:, 2]) for axis in range(2))
    x.clip(0, width - 1, out=x)
    y.clip(0, height - 1, out=y)
    y += (which[:, None] * height).astype(np.float32)
    return np.asarray(cv2.remap(crops, x, y, cv2.INTER_LINEAR))


@cache
def _cells_and_ones() -> Floats:
    """Return the cells as columns for multiplication with a homography, shape (3, P)."""
    cells = _cells()
    return np.vstack([cells.T, np.ones(len(cells))]).astype(np.float32)


def _homographies(ends: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the homographies from a card's corners in a crop to others (N, 4, 2); shape (N, 3, 3).

    In closed form, by way of the unit square (P. Heckbert, Fundamentals of Texture Mapping, 1989).
    """
    first, second, third, last = ends.transpose(1, 0, 2)
    bent = first - second + third - last
    ahead, below = second - third, last - third
    parallel = ahead[:, 0] * below[:, 1] - ahead[:, 1] * below[:, 0]
    # Twice the area, crop pixels, below which corners lie on a line and no homography exists.
    flat_px2 = 1e-6
    parallel = np.where(np.abs(parallel) < flat_px2, np.inf, parallel)
    far_x = (bent[:, 0] * below[:, 1] - bent[:, 1] * below[:, 0]) / parallel
    far_y = (ahead[:, 0] * bent[:, 1] - ahead[:, 1] * bent[:, 0]) / parallel
    of_square = np.empty((len(ends), 3, 3))
    of_square[:, :2, 0] = second - first + far_x[:, None] * second
    of_square[:, :2, 1] = last - first + far_y[:, None] * last
    of_square[:, :2, 2] = first
    of_square[:, 2, 0], of_square[:, 2, 1], of_square[:, 2, 2] = far_x, far_y, 1
    return np.asarray(of_square @ _to_square())


@cache
def _to_square() -> NDArray[np.float64]:
    """Return the map from a card in a crop to the unit square, shape (3, 3)."""
    (left, top), (right, low) = card_corners_in_crop()[[0, 2]]
    wide, high = right - left, low - top
    return np.array([[1 / wide, 0, -left / wide], [0, 1 / high, -top / high], [0, 0, 1]])
