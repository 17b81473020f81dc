"""Tell shade from hands: where a card's own print is seen no hand lies, and what darkens it is shade.

A hand over the field is found by its difference from the resting picture (`vision.hands.player_map`), and its
shade reaches some centimetres beyond its fingers. Shade makes print darker but leaves its strokes in place,
while fingers hide them. So the card is rectified to a millimetre per pixel and compared with itself at rest,
in small windows, up to light that varies slowly.
"""

from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.poses import FLAT_PX, laid_flat
from vision.departures.departure import Departure, View
from vision.field.model import FieldModel
from vision.field.slots import Floats, Slot


@dataclass(frozen=True, slots=True, eq=False)
class SeenPrint:
    """Which part of a card's print a picture shows."""

    # (73, 52) bool, whether print is seen, at a millimetre per pixel, along the card's upright corners
    seen: NDArray[np.bool_]
    to_card: NDArray[np.float64]  # (3, 3), homography from pixels of the frame to pixels of `seen`
    corners_px: NDArray[np.float64]  # (4, 2), where the card lies, pixels of the frame

    def share_at(self, points_px: NDArray[np.float64], side_mm: float) -> NDArray[np.float64]:
        """Return the share of a square of `side_mm` around each point (N, 2) that shows print, (N,).

        Squares on the card's edge count by their part on the card; squares off the card have share 0.
        """
        if not len(points_px):
            return np.zeros(0)
        side = max(1, round(side_mm))
        share = cv2.blur(self.seen.astype(np.float32), (side, side))
        at = cv2.perspectiveTransform(points_px.reshape(-1, 1, 2), self.to_card)[:, 0]
        most = np.array(self.seen.shape[::-1]) - 1
        inside = np.clip(at, 0, most)
        column, row = np.rint(inside).astype(np.intp).T
        off = np.abs(at - inside)
        near = np.maximum(off[:, 0], off[:, 1]) <= side_mm / 2
        return np.where(near, share[row, column], 0.0).astype(np.float64)


def print_in(
    field: FieldModel, number: int, departure: Departure, view: View, *, may_fly: bool
) -> SeenPrint | None:
    """Return where a moved card's print is seen in a view; None if the card's place is not known.

    `departure`: the pictures around the beginning of its motion. `may_fly`: whether the card set off before
    this picture.
    """
    place = None
    if view.t_ns > departure.still_ns:
        place = departure.place_in(view, field.face(number))
        if place is None and may_fly:
            return None
    slot = field.slots[number]
    corners_px = slot.corners_px if place is None else slot.corners_px + place.shift_px
    return departure.once(("print", view.t_ns), partial(print_seen, field.picture, slot, view, corners_px))


def print_seen(picture: Floats, slot: Slot, view: View, corners_px: NDArray[np.float64]) -> SeenPrint:
    """Compare a card in a view with itself at rest.

    `corners_px`: (4, 2), where it lies now, pixels of the frame, in the order of the slot's corners.
    """
    wide, tall = FLAT_PX
    flat = np.array([[0, 0], [wide - 1, 0], [wide - 1, tall - 1], [0, tall - 1]], np.float32)
    upright = slot.upright_corners_px()
    turned = int(np.argmin(np.hypot(*(slot.corners_px - upright[0]).T)))
    now_px = np.roll(corners_px, -turned, axis=0)
    origin = np.array([view.window[1].start, view.window[0].start])
    rest = laid_flat(picture, upright)
    now = laid_flat(view.gray, now_px - origin)
    to_card = cv2.getPerspectiveTransform(now_px.astype(np.float32), flat)
    return SeenPrint(_alike(rest, now), np.asarray(to_card, np.float64), corners_px)


def _alike(rest: Floats, now: Floats) -> NDArray[np.bool_]:
    """Tell where one picture of a card equals the other one in another light."""
    light = _wide(now) / np.maximum(_wide(rest), 1)  # shade is soft: what varies slowly is light
    lit = np.asarray(now / np.maximum(light, 0.05), np.float32)
    rest_mean, lit_mean = _blurred(rest), _blurred(lit)
    rest_var = _blurred(rest * rest) - rest_mean * rest_mean
    lit_var = _blurred(lit * lit) - lit_mean * lit_mean
    common = _blurred(rest * lit) - rest_mean * lit_mean
    gain = common / np.maximum(rest_var, 1.0)
    unlike = lit_var - gain * common
    least_texture = 8.0  # standard deviation, gray levels, of a window that shows print
    printed = rest_var > least_texture**2
    gain_range = (0.5, 1.5)  # of the print's contrast, apart from the light
    # share of a window's variance that blur and a shade's own edge may leave unexplained
    unexplained_share = 0.2
    noise_gray = 2.5
    fits = (
        (gain > gain_range[0])
        & (gain < gain_range[1])
        & (unlike < unexplained_share * lit_var + noise_gray**2)
    )
    light_range = (0.25, 1.3)  # from the shade of a hand that nearly touches to flicker
    fits &= (light > light_range[0]) & (light < light_range[1])
    seen = printed & fits
    # paper without strokes counts if it lies in the same shade as the print around it
    weight = _wide(seen.astype(np.float32))
    dimmed = _wide(np.where(seen, now / np.maximum(rest, 1), 0).astype(np.float32)) / np.maximum(weight, 1e-3)
    expected = rest * dimmed
    least_support = 0.1  # share of the surroundings that must show print
    paper_share, paper_gray = 0.1, 4.0  # largest difference of paper in one shade
    paper = (
        ~printed & (weight > least_support) & (np.abs(now - expected) < paper_share * expected + paper_gray)
    )
    return np.asarray(seen | paper)


def _wide(picture: Floats) -> Floats:
    spread_mm = 15  # paper without strokes is judged by the print this far around it
    return np.asarray(cv2.blur(picture, (spread_mm, spread_mm)), np.float32)


def _blurred(picture: Floats) -> Floats:
    window_mm = 9  # as wide as a kana with its neighbours' ends, and hardly wider than half a finger
    return np.asarray(cv2.blur(picture, (window_mm, window_mm)), np.float32)
