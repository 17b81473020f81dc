"""Estimate the field's scale from the rules, in case the cards' border was misread.

A border that blends with the floor or drowns in blur makes every card, and so the whole field, appear up to a
tenth too large. Rows and side lines then all lie too far out by the same share, which players never do: they
only leave wider gaps here and there. `calibration.field.lines` measures finely, but needs this start.
"""

from __future__ import annotations

from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.field.axes import row_of
from referee.layout import CARD_WIDTH_M, TERRITORY_WIDTH_M, row_centre_y_m
from referee.sides import Side

Floats = NDArray[np.float64]

SCALES: Final = np.arange(0.86, 1.1001, 0.005)
ROW_SPREADS_M: Final = (0.0005, 0.0015, 0.004)
GAP_SPREADS_M: Final = (0.0, 0.004)
SIDE_SPREADS_M: Final = (0.001, 0.003, 0.01)
"""Standard deviations, all tried, of rows, of all gaps of a side, and of side lines from the rules."""
SHIFT_SPREAD_M: Final = 0.02
SIDE_X_M: Final = (TERRITORY_WIDTH_M - CARD_WIDTH_M) / 2
ELSEWHERE_M: Final = 0.3
"""If no card lies out to a side line, the outermost one lies anywhere within this distance of it."""
PITCH_M: Final = 0.083
UNRULY: Final = 0.1  # probability that rows lie anywhere within a row's pitch: some outlines are no cards
LAID_OUT: Final = 0.7  # probability that cards lie out to both side lines
UNSEEN: Final = -4.0  # logarithm of the probability that a deck which seems to have no border has one
MIN_LEAD: Final = 3.0  # log likelihood ratio by which another scale must explain the field better


def scale_by_rules(centres_m: Floats, paper_width_m: float, spread_m: float) -> float:
    """Return the factor by which to scale the field so that it is laid as the rules want.

    Returns: float; 1 if nothing speaks clearly against the measure.

    Parameters
    ----------
    centres_m : shape (N, 2), the cards' centres in the field as measured.
    paper_width_m : the paper's width that this measure assumes.
    spread_m : standard deviation of that width.
    """
    paper_logs = -np.square((SCALES - 1) * paper_width_m / spread_m) / 2
    if paper_width_m == CARD_WIDTH_M:
        paper_logs = np.where(SCALES < 1, np.maximum(paper_logs, UNSEEN), paper_logs)
    logs = _rows_log(centres_m[:, 1]) + _sides_log(centres_m[:, 0]) + paper_logs
    best = int(logs.argmax())
    return float(SCALES[best]) if logs[best] - logs[np.abs(SCALES - 1).argmin()] > MIN_LEAD else 1.0


def gaps_of(side: Side, row: int) -> tuple[float, float, float]:
    """Return how far a row moves, per metre, if the gaps of near side, far side or middle widen."""
    return (float(row), 0.0, 0.5) if side is Side.NEAR else (0.0, float(-row), -0.5)


def _rows_log(y_m: Floats) -> Floats:
    """Return the log likelihood of the rows' places at each of `SCALES`."""
    places = [row_of(float(y)) for y in y_m]
    rows = list(dict.fromkeys(places))
    members = np.array([[place == row for place in places] for row in rows], np.float64)
    middles = members @ y_m / members.sum(axis=1)
    off = SCALES[:, None] * middles - [row_centre_y_m(*row) for row in rows]
    gaps = np.array([gaps_of(side, row) for side, row in rows])
    free = SHIFT_SPREAD_M**2 * np.ones((len(rows), len(rows)))
    tries = [
        _normal_logs(off, row_m**2 * np.eye(len(rows)) + gap_m**2 * gaps @ gaps.T + free)
        for row_m, gap_m in product(ROW_SPREADS_M, GAP_SPREADS_M)
    ]
    # rows that fit at no scale are partly no rows at all, and tell nothing
    anywhere = np.full(len(SCALES), np.log(UNRULY) - len(rows) * np.log(PITCH_M))
    return np.asarray(np.logaddexp.reduce([*tries, anywhere]))


def _sides_log(x_m: Floats) -> Floats:
    """Return the log likelihood of the outermost cards' places at each of `SCALES`."""
    off = SCALES[:, None] * [x_m.min(), x_m.max()] - np.array([-SIDE_X_M, SIDE_X_M])
    tries = [
        _normal_logs(off, side_m**2 * np.eye(2) + SHIFT_SPREAD_M**2) + np.log(LAID_OUT / len(SIDE_SPREADS_M))
        for side_m in SIDE_SPREADS_M
    ]
    anywhere = np.full(len(SCALES), np.log((1 - LAID_OUT) / ELSEWHERE_M**2))
    return np.asarray(np.logaddexp.reduce([*tries, anywhere]))


def _normal_logs(off: Floats, covariance: Floats) -> Floats:
    """Return the logarithms of a normal density, shape (T,), at places of shape (T, D)."""
    trust = np.linalg.inv(covariance)
    misfits = np.einsum("ti,ij,tj->t", off, trust, off)
    return np.asarray((np.linalg.slogdet(trust)[1] - misfits - off.shape[1] * np.log(2 * np.pi)) / 2)
