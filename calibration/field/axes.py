"""Place the field's axes as the players see them: from rows, territories and the cards' orientation."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from referee.layout import CARD_WIDTH_M, ROWS, TERRITORY_WIDTH_M, row_centre_y_m
from referee.sides import Side

Floats = NDArray[np.float64]

ROW_TOLERANCE_M: Final = 0.012  # cards this close to a row's line certainly lie in it
PLACES: Final = tuple((side, row) for side in Side for row in range(ROWS))
LINES_M: Final = np.array([row_centre_y_m(side, row) for side, row in PLACES])
IS_FAR: Final = np.array([side is Side.FAR for side, _ in PLACES])


@dataclass(frozen=True, slots=True, eq=False)
class Axes:
    """The field's axes relative to the plane's provisional ones."""

    turn_rad: float  # how far the plane must be turned, clockwise in the picture
    shift_m: Floats  # shape (2,); what to add after the turn

    def apply(self, points_m: Floats) -> Floats:
        """Turn and shift points of shape (..., 2), metres."""
        cos, sin = np.cos(self.turn_rad), np.sin(self.turn_rad)
        return np.asarray(points_m @ np.array([[cos, sin], [-sin, cos]]) + self.shift_m)


def find_axes(centres_m: Floats, angles_rad: Floats, upside_down: NDArray[np.bool_]) -> Axes:
    """Find the field's axes.

    `centres_m`: shape (N, 2), origin near the picture's centre, x right and y down. `angles_rad`: clockwise
    turn of the cards' long sides from upright, within a half turn. `upside_down`: whether the text is so in
    the picture, as on far cards.
    """
    turn = -_row_direction(centres_m, angles_rad)
    x_m, y_m = Axes(turn, np.zeros(2)).apply(centres_m).T
    return Axes(turn, np.array([_centre_shift(x_m), _best_shift(y_m, upside_down)]))


def row_of(y_m: float) -> tuple[Side, int]:
    """Return territory and row of a card centred at `y_m`: those of the nearest row."""
    return PLACES[int(np.abs(LINES_M - y_m).argmin())]


def _row_direction(centres_m: Floats, angles_rad: Floats) -> float:
    """Return the rows' direction, clockwise from the picture's x axis.

    Neighbours in a row, two card widths apart or more, show it better than the cards' own angles.
    """
    typical = float(np.median(angles_rad))
    away = centres_m[None] - centres_m[:, None]
    turned = away @ np.array([[np.cos(typical), -np.sin(typical)], [np.sin(typical), np.cos(typical)]])
    same_row = (turned[..., 0] > 2 * CARD_WIDTH_M) & (np.abs(turned[..., 1]) < 0.03 + 0.03 * turned[..., 0])
    if same_row.sum() < 3:
        return typical
    slopes = np.arctan2(turned[same_row][:, 1], turned[same_row][:, 0])
    weights = turned[same_row][:, 0]
    order = np.argsort(slopes)
    half = np.searchsorted(np.cumsum(weights[order]), weights.sum() / 2)
    return typical + float(slopes[order][half])


def _best_shift(y_m: Floats, upside_down: NDArray[np.bool_]) -> float:
    """Return the shift along y that puts most cards on row lines and on their owner's side."""
    tries = np.unique(np.round((LINES_M[None] - y_m[:, None]).ravel(), 3))
    tries = tries[np.abs(tries) < 0.35]
    if not len(tries):
        return 0.0
    off = y_m[None, :, None] + tries[:, None, None] - LINES_M
    on_line = np.exp(-np.square(off / ROW_TOLERANCE_M) / 2)
    facing = np.where(upside_down[:, None] == IS_FAR, 1.0, 0.35)
    score = (on_line * facing).max(axis=2).sum(axis=1) - 0.5 * np.square(tries / 0.15)
    # Half the tries lie within a millimetre of the best; averaging the cards on their lines does the rest.
    best = float(tries[score.argmax()])
    nearest = np.abs(y_m[:, None] + best - LINES_M).argmin(axis=1)
    left = LINES_M[nearest] - y_m
    close = np.abs(left - best) < 2 * ROW_TOLERANCE_M
    return float(left[close].mean()) if close.any() else best


def _centre_shift(x_m: Floats) -> float:
    """Return the shift along x that puts the territories' centre at 0."""
    left, right = x_m.min() - CARD_WIDTH_M / 2, x_m.max() + CARD_WIDTH_M / 2
    slack = TERRITORY_WIDTH_M - (right - left)
    middle = -(left + right) / 2
    if slack < 0.03:
        return float(middle)  # cards reach both outer edges
    # otherwise the shift is known only to within the slack: take the smallest possible one
    return float(np.clip(0.0, middle - slack / 2, middle + slack / 2))
