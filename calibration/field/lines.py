"""Refine the field by the lines that its players laid cards on: straight rows, out to two side lines.

A card's print gives its size to about 0.1 mm: more than a millimetre over the whole field. The field itself
is the longer ruler: rows lie 83 mm apart, 103 mm across the middle line, and the outermost cards end 87 cm
apart (`referee.layout`). How exactly these players keep to that is unknown, so the picture decides: rows that
fit the rule at one scale are believed, others hardly count. Rows are straight in any case, which helps plane
and lens.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.field.axes import row_of
from calibration.field.geometry import MIN_NOISE, FieldGeometry
from calibration.field.plane_shape import (
    HORIZON_X,
    HORIZON_Y,
    LENS,
    PRIOR,
    Lens,
    corner_numbers,
    flattened,
    laid_on,
    prior,
    shape_matrix,
)
from referee.layout import CARD_WIDTH_M, TERRITORY_WIDTH_M, row_centre_y_m
from referee.sides import Side

Floats = NDArray[np.float64]

ROUNDS: Final = 5
SETTLED_M: Final = 3e-5  # the fit ends after a round that moves no card further than this
CORNER_NOISE_M: Final = MIN_NOISE * CARD_WIDTH_M
SLIP_M: Final = 0.0004  # standard deviation of a card from its line; nobody lays cards straighter than this
ROW_SPREADS_M: Final = (0.0003, 0.001, 0.003)
GAP_SPREADS_M: Final = (0.0, 0.004)
SIDE_SPREADS_M: Final = (0.0004, 0.0015, 0.005, 0.015)
"""Standard deviations, all tried, of rows, of all gaps of a side, and of side lines from the rules.

A player who leaves wider gaps leaves them between all rows: that must not pass for a larger scale.
"""
AT_SIDE_M: Final = 0.024
"""Cards this close to their outermost place are laid out to the side line; the next place is 52 mm away.
Until the lines are fitted, few cards in a small picture may leave one side of the field off by 20 mm."""
TURN_SPREAD_RAD: Final = 0.01
NUDGE: Final = 1e-6
SHAPE: Final = slice(4, 4 + PRIOR.size)
PAPER: Final = slice(SHAPE.stop, SHAPE.stop + 2)
"""Parameters are log scale, turn, shift in x and y; the plane's shape; and, in metres, the error of the
measured border and the smear of the paper: how much it was measured too wide and too low."""
CLEAR_SMEAR_M: Final = 0.0004
"""A larger smear is believed from the start: the picture is blurred in one direction."""


@dataclass(frozen=True, slots=True, eq=False)
class _Lines:
    """The assignment of cards to lines, and where the rules want the lines: M cards on G lines."""

    # card, axis: shape (M,); index of the card, and of the coordinate that its line keeps constant
    card: NDArray[np.intp]
    axis: NDArray[np.intp]
    members: Floats  # shape (G, M); 1 if a card belongs to a line
    want_m: Floats  # shape (M,); that coordinate by the rules
    # shape (T, G, G), m^2; covariance of the lines' deviations from the rules, for T tries
    covariances: Floats

    @classmethod
    def through(cls, centres_m: Floats) -> _Lines:
        """Find the rows, and the side lines if cards lie there; centres of shape (N, 2), metres."""
        places = [row_of(float(y)) for y in centres_m[:, 1]]
        found = [
            (np.flatnonzero([other == place for other in places]), 1, row_centre_y_m(*place))
            for place in dict.fromkeys(places)
        ]
        gaps = np.array([gaps_of(side, row) for side, row in dict.fromkeys(places)])
        for x_m in (-SIDE_X_M, SIDE_X_M):
            at = np.flatnonzero(np.abs(centres_m[:, 0] - x_m) < AT_SIDE_M)
            found += [(at, 0, x_m)] if len(at) else []
        counts = [len(cards) for cards, _, _ in found]
        line = np.repeat(np.arange(len(found)), counts)
        tries = product(ROW_SPREADS_M, GAP_SPREADS_M, SIDE_SPREADS_M)
        return cls(
            np.concatenate([cards for cards, _, _ in found]),
            np.repeat([axis for _, axis, _ in found], counts),
            (line == np.arange(len(found))[:, None]).astype(np.float64),
            np.repeat([want for _, _, want in found], counts),
            np.array([_covariance(gaps, len(found), *tried) for tried in tries]),
        )

    def step(self, normal: Floats, pull: Floats, off: Floats, slopes: Floats) -> Floats:
        """Add the lines to the cards' normal equations of P parameters and solve them.

        Returns: shape (P,), averaged over `covariances`, each weighted by how well it explains the picture.

        `off`, `slopes`: shape (M,) and (M, P); how far each card lies off its line, and the derivatives.
        """
        line = self.members.argmax(axis=0)
        plain = self.members / self.members.sum(axis=1, keepdims=True)
        # a card off its row does not tell where the row lies
        weights = _trust(off - (plain @ off)[line], SLIP_M)
        held = self.members @ weights
        shares = self.members * weights / held[:, None]
        lines_off, line_slopes = shares @ off, shares @ slopes
        along, along_slopes = off - lines_off[line], slopes - line_slopes[line]
        normal = normal + along_slopes.T @ (weights[:, None] * along_slopes)
        pull = pull - along_slopes.T @ (weights * along)
        trust = np.linalg.inv(self.covariances + np.diag(1 / held))
        normals = normal + line_slopes.T @ trust @ line_slopes
        pulls = pull - lines_off @ trust @ line_slopes
        steps = np.linalg.solve(normals, pulls[..., None])[..., 0]
        misfits = lines_off @ trust @ lines_off - (pulls * steps).sum(axis=1)
        logs = (np.linalg.slogdet(trust)[1] - misfits - np.linalg.slogdet(normals)[1]) / 2
        likely = np.exp(logs - logs.max())
        return np.asarray(likely @ steps / likely.sum())


def fit_to_lines(
    geometry: FieldGeometry,
    papers_px: NDArray[np.floating],
    paper_m: tuple[float, float],
    spreads_m: tuple[float, float],
    lens: Lens | None = None,
) -> FieldGeometry:
    """Fit plane, lens, axes and scale to the cards and to the lines they were laid on.

    `papers_px`: shape (N, 4, 2), outlines of the cards' paper. `paper_m`: its width and height as measured.
    `spreads_m`: standard deviations of the border by which both were measured, and of how much paper may look
    too wide and too low.
    """
    seen = (np.asarray(papers_px, np.float64) - geometry.middle_px) / (geometry.width_px / 2)
    likely, spread = prior(lens)
    parameters = np.concatenate([_parameters(geometry, likely), np.zeros(2)])
    parameters = _started(parameters, seen, paper_m, spreads_m[0])
    # the scale has no prior; turn and shift stay as they were unless the picture tells them
    likely = np.concatenate([[0.0], parameters[1:4], likely, np.zeros(2)])
    spread = np.concatenate([[np.inf, TURN_SPREAD_RAD, SHIFT_SPREAD_M, SHIFT_SPREAD_M], spread, np.zeros(2)])
    nudges = np.concatenate([np.zeros((1, likely.size)), NUDGE * np.eye(likely.size)])
    for _ in range(ROUNDS):
        misfits, centres = _measured(parameters + nudges, seen, paper_m)
        lines = _Lines.through(centres[0])
        # a border that was not seen at all is far off: the larger its correction, the less it is believed
        spread[PAPER] = np.hypot(spreads_m, parameters[PAPER] / 2)
        precision = 1 / np.square(spread)
        slopes = (misfits[1:] - misfits[0]).reshape(likely.size, -1).T / NUDGE
        placed = centres[:, lines.card, lines.axis]
        # cards that are badly cut (under a hand, half merged) are weighted down
        off_m = np.sqrt(np.square(misfits[0]).reshape(len(seen), -1).sum(axis=1) / 4)
        weights = np.repeat(_trust(off_m, CORNER_NOISE_M), 8)
        step = lines.step(
            slopes.T @ (weights[:, None] * slopes) + np.diag(precision),
            precision * (likely - parameters) - slopes.T @ (weights * misfits[0].ravel()),
            placed[0] - lines.want_m,
            (placed[1:] - placed[0]).T / NUDGE,
        )
        parameters = parameters + step
        if np.abs(np.tensordot(step, centres[1:] - centres[0], 1)).max() < NUDGE * SETTLED_M:
            break
    k1 = float(parameters[SHAPE][LENS])
    homography = _homographies(parameters[None])[0]
    return FieldGeometry(geometry.width_px, geometry.height_px, k1, homography, geometry.residual_m)


def _started(parameters: Floats, seen: Floats, paper_m: tuple[float, float], spread_m: float) -> Floats:
    """Start scale and paper near the rules' values: the fit would not get there from far away."""
    flat = flattened(_homographies(parameters[None]), parameters[None, SHAPE][:, LENS], seen)[0]
    width_m, height_m = (
        float(np.median(np.linalg.norm(flat[:, end] - flat[:, 0], axis=1))) for end in (1, 3)
    )
    # paper without a card's proportions was measured badly
    smear_m = (width_m - height_m - paper_m[0] + paper_m[1]) / 2
    scale = scale_by_rules(flat.mean(axis=1), paper_m[0], float(np.hypot(spread_m, 2 * smear_m)))
    started = parameters.copy()
    started[0] += np.log(scale)
    if scale != 1 or abs(smear_m) > CLEAR_SMEAR_M:
        width_m, height_m = scale * width_m, scale * height_m
        border_m = (width_m + height_m - sum(paper_m)) / 4
        started[PAPER] = border_m, (width_m - height_m - paper_m[0] + paper_m[1]) / 2
    return started


def _covariance(gaps: Floats, lines: int, row_m: float, gap_m: float, side_m: float) -> Floats:
    """Return the covariance of the lines' deviations, rows before side lines, shape (lines, lines), m^2."""
    rows = len(gaps)
    covariance = np.diag(np.square([row_m] * rows + [side_m] * (lines - rows)))
    covariance[:rows, :rows] += gap_m**2 * gaps @ gaps.T
    return covariance


def _trust(off_m: Floats, least_m: float) -> Floats:
    """Return weights, 1/m^2, of residuals; outliers hardly count."""
    noise = max(least_m, 1.48 * float(np.median(np.abs(off_m))))
    return np.asarray(1 / (1 + np.square(off_m / (2.5 * noise))) / noise**2)


def _measured(tries: Floats, seen: Floats, paper_m: tuple[float, float]) -> tuple[Floats, Floats]:
    """Fit the paper to the flattened cards, once for each of T tries of the parameters.

    Returns: the residuals, shape (T, N, 4, 2), and the cards' centres, shape (T, N, 2), in metres.
    """
    flat = flattened(_homographies(tries), tries[:, SHAPE][:, LENS], seen)
    border, smear = tries[:, PAPER][:, :, None].swapaxes(0, 1)
    card = corner_numbers(np.array(paper_m) + 2 * border + smear * [1, -1])[:, None]
    around, turns = laid_on(flat, card)
    misfit = around - (turns / np.abs(turns))[..., None] * card
    return np.stack([misfit.real, misfit.imag], axis=-1), flat.mean(axis=2)


def _homographies(tries: Floats) -> Floats:
    size, turn = np.exp(tries[:, 0]), tries[:, 1]
    motion = np.zeros((len(tries), 3, 3))
    motion[:, 0, 0] = motion[:, 1, 1] = size * np.cos(turn)
    motion[:, 1, 0] = size * np.sin(turn)
    motion[:, 0, 1] = -motion[:, 1, 0]
    motion[:, :2, 2], motion[:, 2, 2] = tries[:, 2:4], 1.0
    return np.asarray(motion @ shape_matrix(tries[:, SHAPE]))


def _parameters(geometry: FieldGeometry, likely: Floats) -> Floats:
    """Take a homography apart, all but the border; of its shape only the tilt is kept."""
    homography = geometry.homography / geometry.homography[2, 2]
    shift, horizon = homography[:2, 2], homography[2, :2]
    shape = likely.copy()
    shape[HORIZON_X : HORIZON_Y + 1], shape[LENS] = horizon, geometry.k1
    rest = (homography[:2, :2] - np.outer(shift, horizon)) @ np.linalg.inv(shape_matrix(shape)[:2, :2])
    turn = np.arctan2(rest[1, 0] - rest[0, 1], rest[0, 0] + rest[1, 1])
    return np.array([np.log(np.linalg.det(rest)) / 2, turn, *shift, *shape])


SCALES: Final = np.arange(0.86, 1.1001, 0.005)
COARSE_ROWS_M: Final = (0.0005, 0.0015, 0.004)
COARSE_SIDES_M: Final = (0.001, 0.003, 0.01)
"""Standard deviations, all tried, of rows and of side lines from the rules while the scale is sought."""
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
    """Return the factor by which to scale the field so that it is laid as the rules want; 1 if in doubt.

    A border that blends with the floor or drowns in blur makes every card, and so the whole field, appear up
    to a tenth too large. Rows and side lines then all lie too far out by the same share, which players never
    do: they only leave wider gaps here and there. `fit_to_lines` measures finely, but needs this start.

    `centres_m`: shape (N, 2), as measured. `paper_width_m`, `spread_m`: the paper's width that this measure
    assumes, and its standard deviation.
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
        for row_m, gap_m in product(COARSE_ROWS_M, GAP_SPREADS_M)
    ]
    # rows that fit at no scale are partly no rows at all, and tell nothing
    anywhere = np.full(len(SCALES), np.log(UNRULY) - len(rows) * np.log(PITCH_M))
    return np.asarray(np.logaddexp.reduce([*tries, anywhere]))


def _sides_log(x_m: Floats) -> Floats:
    """Return the log likelihood of the outermost cards' places at each of `SCALES`."""
    off = SCALES[:, None] * [x_m.min(), x_m.max()] - np.array([-SIDE_X_M, SIDE_X_M])
    tries = [
        _normal_logs(off, side_m**2 * np.eye(2) + SHIFT_SPREAD_M**2) + np.log(LAID_OUT / len(COARSE_SIDES_M))
        for side_m in COARSE_SIDES_M
    ]
    anywhere = np.full(len(SCALES), np.log((1 - LAID_OUT) / ELSEWHERE_M**2))
    return np.asarray(np.logaddexp.reduce([*tries, anywhere]))


def _normal_logs(off: Floats, covariance: Floats) -> Floats:
    """Return the logarithms of a normal density, shape (T,), at places of shape (T, D)."""
    trust = np.linalg.inv(covariance)
    misfits = np.einsum("ti,ij,tj->t", off, trust, off)
    return np.asarray((np.linalg.slogdet(trust)[1] - misfits - off.shape[1] * np.log(2 * np.pi)) / 2)
