"""Find cards that the outline finder missed, by what the deck's cards look like on average.

Paper as bright as the floor has no outline, and a hand that touches a card spoils it. But once a few cards of
a deck are known, their mean picture (border, columns of text, paper) finds the others that lie square to the
field.
"""

from __future__ import annotations

import math
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.field.geometry import FieldGeometry
from calibration.peak import beside_summit
from referee.layout import CARD_HEIGHT_M, CARD_WIDTH_M, HALF_DEPTH_M, HALF_WIDTH_M
from vision.frames.frame import Gray

Floats = NDArray[np.float64]

PX_PER_M: Final = 500.0
MARGIN_M: Final = 0.08  # how far outside the territories cards are searched for
HALF_FIELD_M: Final = np.array([HALF_WIDTH_M + MARGIN_M, HALF_DEPTH_M + MARGIN_M])
MAX_FINDS: Final = 50
CARD_PX: Final = (round(CARD_WIDTH_M * PX_PER_M), round(CARD_HEIGHT_M * PX_PER_M))


def search(
    gray: Gray, geometry: FieldGeometry, centres_m: Floats, upside_down: NDArray[np.bool_]
) -> tuple[Floats, NDArray[np.bool_]]:
    """Find further cards.

    Returns: centres of places that look like a card, shape (M, 2), and whether they look upside down, (M,).

    Parameters
    ----------
    gray : shape (height, width), uint8.
    geometry : its axes are those of the field, so that cards stand upright or upside down.
    centres_m, upside_down : the cards already known, shape (N, 2) and (N,).
    """
    plane = flattened(gray, geometry)
    known_px = (centres_m + HALF_FIELD_M) * PX_PER_M - 0.5
    detail = _detail(plane)
    # Least amount of fine print, as a share of the known cards'; floor and hands have far less.
    min_detail = 0.5
    enough = min_detail * float(np.median(_at(detail, known_px)))
    half = np.array([CARD_PX[0] - 1, CARD_PX[1] - 1]) / 2
    # A match is given by its upper left corner; the map of detail is cut to such places.
    corner = detail[math.floor(half[1]) :, math.floor(half[0]) :]
    worth_looking = corner[: plane.shape[0] - CARD_PX[1] + 1, : plane.shape[1] - CARD_PX[0] + 1] > enough
    for centre in known_px:
        forget(worth_looking, centre - half)
    rows, columns = np.nonzero(worth_looking.any(axis=1))[0], np.nonzero(worth_looking.any(axis=0))[0]
    if not len(rows):
        return np.zeros((0, 2)), np.zeros(0, bool)

    template = _mean_card(plane, known_px, upside_down)
    top, left, bottom, right = int(rows[0]), int(columns[0]), int(rows[-1]) + 1, int(columns[-1]) + 1
    plane = plane[top : bottom + CARD_PX[1] - 1, left : right + CARD_PX[0] - 1]
    worth_looking = worth_looking[top:bottom, left:right]
    likeness = [
        cv2.matchTemplate(plane, card, cv2.TM_CCOEFF_NORMED)
        for card in (template, template[::-1, ::-1].copy())
    ]
    alike = np.maximum(*likeness)
    best = np.where(worth_looking, alike, 0.0)
    finds: list[tuple[float, float]] = []
    turned = []
    min_likeness = 0.45  # least correlation with the mean card at which a place is read
    while len(finds) < MAX_FINDS:
        _, peak, _, (x, y) = cv2.minMaxLoc(best)
        if peak < min_likeness:
            break
        beside = beside_summit(alike, x, y)
        finds.append((left + x + half[0] + beside[0], top + y + half[1] + beside[1]))
        turned.append(bool(likeness[1][y, x] > likeness[0][y, x]))
        forget(best, np.array([x, y]))
    centres = (np.array(finds).reshape(-1, 2) + 0.5) / PX_PER_M - HALF_FIELD_M
    return centres, np.array(turned, bool)


def _detail(plane: Gray) -> NDArray[np.uint8]:
    """Return the amount of fine print in a card-sized area around each place."""
    return np.asarray(cv2.blur(cv2.absdiff(plane, cv2.blur(plane, (7, 7))), CARD_PX), np.uint8)


def _at(picture: NDArray[np.uint8], places_px: Floats) -> NDArray[np.uint8]:
    columns, rows = np.round(places_px).astype(np.intp).T
    height, width = picture.shape
    return np.asarray(picture[np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)])


def flattened(gray: Gray, geometry: FieldGeometry) -> Gray:
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


def _mean_card(plane: Gray, centres_px: Floats, upside_down: NDArray[np.bool_]) -> NDArray[np.uint8]:
    total = np.zeros(CARD_PX[::-1])
    for (x, y), turned in zip(centres_px, upside_down, strict=True):
        card = cv2.getRectSubPix(plane, CARD_PX, (float(x), float(y)))
        total += card[::-1, ::-1] if turned else card
    return np.asarray(np.clip(total / len(centres_px), 0, 255), np.uint8)


def forget(places: NDArray[Any], at: Floats) -> None:
    """Erase everything that would overlap a card found at `at` by more than a fifth of its side."""
    reach = 0.8 * np.array(CARD_PX)
    low = np.maximum(np.ceil(at - reach).astype(int), 0)
    high = np.maximum(np.floor(at + reach).astype(int) + 1, 0)
    places[low[1] : high[1], low[0] : high[0]] = 0
