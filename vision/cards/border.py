"""Measures the printed border that all cards of a deck share: from the paper's edge to the card's.

The card's own edge is hard to see: ink and floor may be alike, a soft shadow lies beside the card, and all of
it happens within two pixels. So it is not looked for on one card but fitted to the mean of many sides. Blur
is a Gaussian of unknown width behind the known blur of the pixels; a side then looks like paper, ink and
shaded floor, each blurred alike. Neighbours that touch are the second witness: twice the border is never
wider than the narrowest dark line between two papers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.paper_edges import CARD_WIDTH_MM, outward_sides
from vision.frames.frame import Gray

Floats = NDArray[np.float64]

MODEL_PX_PER_MM: Final = 1.1
FINEST_PX_PER_MM: Final = 1.35
"""The models are made for pictures of about 1 px/mm, as 720p has of a field; finer ones are shrunk."""
MAX_SIDES: Final = 90
"""More sides make the mean no better."""
ALIKE: Final = 0.07
"""Sides are averaged over cards whose scale differs by less than this from the typical one."""
PLACES: Final = np.linspace(0.12, 0.88, 12)
STEP_PX: Final = 0.25
OFFSETS_PX: Final = np.arange(-1.75, 7.01, STEP_PX)
"""Across a side in pixels of the picture, outwards from the paper's edge: further in there is text."""
PAPER: Final = OFFSETS_PX < -1.2
BESIDE: Final = (OFFSETS_PX > 0.0) & (OFFSETS_PX < 4.0)
FLOOR: Final = OFFSETS_PX > 5.0
MIN_STEP: Final = 0.06
"""Paper is brighter than its surroundings by at least this share."""
BORDERS_PX: Final = np.arange(0.0, 6.01, 0.1)
BLURS_PX: Final = np.concatenate([np.arange(0.1, 1.21, 0.15), np.arange(1.4, 2.61, 0.2)])
"""Enlarged pictures are more blurred than any camera's own."""
SHARP_PX: Final = 1.2
"""A picture that is more blurred than this hardly tells blur and border apart: see `BLURRED`."""
EDGES_PX: Final = (-0.2, -0.1, 0.0, 0.1, 0.2)
"""By how much the blur of the border may have pulled the paper's measured edge."""
SHADOWS_PX: Final = (0.6, 1.2)
"""Distances in which the shadow beside a card fades to a third."""
TRUST: Final = 9.0
"""Weight of the fit: how many independent samples its misfit is worth. Blur joins the four of a pixel."""
MISFIT: Final = 4e-6
"""Square of the relative misfit that even a right model leaves."""
TOUCHING: Final = 0.06
"""Share of the gaps between neighbours that are as good as closed."""
NEIGHBOUR_MM: Final = 110.0
"""Papers further apart than this, middle to middle, face nothing of each other."""
CREVICE_MM: Final = 0.1
"""What still lies between two cards that touch."""
APART_MM: Final = 0.25
"""Half of what players leave between the closest cards of a row that they do not push together."""
VISIBLE: Final = 0.95
"""What is no darker than this share of the floor beside it is no border but a trace of shadow."""
PLAIN_MISFIT: Final = 1e-4
"""Square of the relative misfit up to which a side without a border explains the picture."""
HAIR_MM: Final = 2.2
"""A mere crack between two papers looks this wide; a border parts them further."""
FACING: Final = float(np.cos(np.deg2rad(8.0)))
"""Sides that face each other are parallel; what meets a side at an angle is a corner's neighbour."""


@dataclass(frozen=True, slots=True)
class Border:
    """A border in mm of a card whose paper is 52 mm wide.

    Attributes
    ----------
    width_mm : 0 where the deck has none.
    spread_mm : how far off that may be, one standard deviation.
    smear_mm : how far off the paper's shape may be: by so much it may look wider and less high than it is.
    """

    width_mm: float
    spread_mm: float = 0.2
    smear_mm: float = 0.01


BLURRED: Final = Border(0.0, spread_mm=0.6, smear_mm=0.3)
"""What is known of a border in a blurred picture: in 14 of 640x360 it was 0.7 mm off."""


def border_of(gray: Gray, papers_px: Floats) -> Border:
    """Measure the border.

    Parameters
    ----------
    gray : shape (height, width), uint8.
    papers_px : shape (N, 4, 2), refined outlines of the papers inside the border (see `paper_edges.refine`).
    """
    if not len(papers_px):
        return Border(0.0)
    px_per_mm = np.linalg.norm(papers_px[:, 1] - papers_px[:, 0], axis=1) / CARD_WIDTH_MM
    typical = float(np.median(px_per_mm))
    if typical > FINEST_PX_PER_MM:
        # What the pixels of a fine picture blur, and a shadow's reach in them, is outside the models.
        shrink = MODEL_PX_PER_MM / typical
        smaller = cv2.resize(gray, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        gray, papers_px = np.asarray(smaller, np.uint8), (papers_px + 0.5) * shrink - 0.5
        px_per_mm, typical = px_per_mm * shrink, MODEL_PX_PER_MM
    gaps_mm = facing_gaps_mm(papers_px)
    alike = np.abs(px_per_mm / typical - 1) < ALIKE
    side = _mean_side(gray, papers_px[alike], np.isnan(gaps_mm[alike]))
    closed_mm = np.sort(gaps_mm[~np.isnan(gaps_mm)])
    line_mm = float(closed_mm[int(TOUCHING * len(closed_mm))]) if len(closed_mm) >= 4 else None
    errors = None if side is None else _side_errors(side)
    if (line_mm is None or line_mm < HAIR_MM) and (side is None or errors is None or _plain(side, errors)):
        return Border(0.0)
    logs, is_sharp = np.zeros(len(BORDERS_PX)), True
    if errors is not None:
        likely = np.exp(-TRUST / 2 * (errors - errors.min()) / (errors.min() + MISFIT))
        logs += np.log(likely.mean(axis=1) + 1e-12)
        of_blurs = likely.reshape(len(BORDERS_PX), len(BLURS_PX), -1).sum(axis=(0, 2))
        is_sharp = float(of_blurs @ BLURS_PX / of_blurs.sum()) < SHARP_PX
    if line_mm is not None:
        logs += _line_logs((line_mm - CREVICE_MM) / 2 * typical, typical)
    weights = np.exp(logs - logs.max())
    width_mm = float(weights @ BORDERS_PX / weights.sum() / typical)
    return Border(width_mm) if is_sharp else replace(BLURRED, width_mm=width_mm)


def facing_gaps_mm(papers_px: Floats) -> Floats:
    """Measure from every side to the parallel side facing it, NaN where none is in reach; shape (N, 4).

    Outlines that overlap are two readings of one card: they face nothing.
    """
    start, end, outwards, px_per_mm = outward_sides(papers_px)
    middle = (start + end) / 2
    gap = np.full(middle.shape[:2], np.inf)
    # Only papers less than two cards away can face each other: a few of the many.
    centres = papers_px.mean(axis=1)
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=2) / px_per_mm[:, None]
    one, other = np.nonzero((apart < NEIGHBOUR_MM) & ~np.eye(len(papers_px), dtype=bool))
    away = middle[other][:, None] - middle[one][:, :, None]
    scale = px_per_mm[one][:, None, None]
    depth = (away * outwards[one][:, :, None]).sum(-1) / scale
    aside = np.abs(away[..., 1] * outwards[one][..., None, 0] - away[..., 0] * outwards[one][..., None, 1])
    opposed = -(outwards[one][:, :, None] * outwards[other][:, None]).sum(-1)
    facing = (depth > -0.5) & (depth < 7.0) & (aside < 12 * scale) & (opposed > FACING)
    np.minimum.at(gap, one, np.where(facing, depth, np.inf).min(axis=2))
    return np.where(np.isfinite(gap), np.maximum(gap, 0.0), np.nan)


def _mean_side(gray: Gray, papers_px: Floats, free: NDArray[np.bool_]) -> Floats | None:
    """Average the sides beside which there is nothing but floor, relative to their paper.

    Returns
    -------
    shape (len(OFFSETS_PX),), or None where too few sides are free.
    """
    start, end, outwards, _ = outward_sides(papers_px)
    start, end, outwards = start[free], end[free], outwards[free]
    if len(start) > MAX_SIDES:
        chosen = np.linspace(0, len(start) - 1, MAX_SIDES).astype(np.intp)
        start, end, outwards = start[chosen], end[chosen], outwards[chosen]
    if len(start) < 3:
        return None
    base = start[:, None] + PLACES[:, None] * (end - start)[:, None]
    points = base[:, :, None] + OFFSETS_PX[:, None] * outwards[:, None, None]
    maps = points.reshape(-1, len(OFFSETS_PX), 2).astype(np.float32)
    sampled = cv2.remap(gray, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    sides = np.sort(np.asarray(sampled).reshape(points.shape[:-1]), axis=1)
    # The middle half of the places: a stroke, a thumb or an edge of the tatami has no say.
    quarter = len(PLACES) // 4
    profiles = sides[:, quarter:-quarter].mean(axis=1)
    profiles = profiles / np.maximum(profiles[:, PAPER].mean(axis=1), 1.0)[:, None]
    profiles = profiles[profiles[:, np.abs(OFFSETS_PX - 0.8).argmin()] < 1 - MIN_STEP]
    if len(profiles) < 3:
        return None
    rough = np.ptp(profiles[:, FLOOR], axis=1)
    even = profiles[rough <= max(MIN_STEP, float(np.percentile(rough, 60)))]
    cut = int(0.15 * len(even))
    return np.asarray(np.sort(even, axis=0)[cut : len(even) - cut].mean(axis=0))


def _side_errors(side: Floats) -> Floats:
    """Return the mean squared misfit of each of `BORDERS_PX` with every blur, shadow and shift, (B, rest)."""
    models, solvers = _models()
    moments = np.einsum("kol,o->kl", models, side)
    levels = np.einsum("klm,km->kl", solvers, moments)
    errors = np.maximum((side @ side - (moments * levels).sum(axis=1)) / len(side), 0.0)
    _, ink, floor, shadow = levels.T
    # Ink reflects something and less than paper; a shadow takes some of the floor's light and gives none.
    odd = (ink < 0.01) | (ink > levels[:, 0]) | (shadow > 0.03) | (shadow < -0.6 * floor)
    bordered = np.repeat(BORDERS_PX > 0, len(errors) // len(BORDERS_PX))
    errors[odd & bordered] = np.inf
    return np.asarray(errors.reshape(len(BORDERS_PX), -1))


def _plain(side: Floats, errors: Floats) -> bool:
    """Tell whether a side shows nothing of a border: neither darker than the floor nor a step of its own."""
    # A product, for a black floor has no light to be a share of.
    dips = float(side[BESIDE].min()) <= VISIBLE * float(side[FLOOR].mean())
    return not dips and float(errors[BORDERS_PX == 0].min()) < PLAIN_MISFIT


def _line_logs(border_px: float, px_per_mm: float) -> Floats:
    """Return how likely each of `BORDERS_PX` is when the narrowest line leaves room for `border_px`.

    Wider is all but impossible. Narrower means that not even the closest neighbours touch: less likely the
    wider they lie apart, but possible.
    """
    off_mm = (BORDERS_PX - border_px) / px_per_mm
    return np.where(off_mm > 0, -np.square(off_mm / 0.1) / 2, np.maximum(off_mm / APART_MM, -2.5))


@lru_cache(maxsize=1)
def _models() -> tuple[Floats, Floats]:
    """Return sides of all shapes as sums of paper, ink, floor and shadow.

    Returns
    -------
    shape (K, offsets, 4), by border first, and the inverses of their normal matrices, shape (K, 4, 4).
    """
    fine = 0.02
    x = np.arange(-10.0, 12.0, fine)
    step = (x > 0).astype(np.float64)
    # A pixel averages over its square; sampling between pixels blurs once more, by a triangle.
    pixel = np.convolve(np.convolve(np.ones(50), np.ones(50)), np.ones(50))
    models = []
    for blur in BLURS_PX:
        reach = np.arange(-4 * blur, 4 * blur + fine, fine)
        kernel = np.convolve(pixel, np.exp(-np.square(reach / blur) / 2))
        kernel /= kernel.sum()
        # Behind the ends nothing changes any more, so the ends continue.
        pad = len(kernel) // 2
        edge = np.convolve(np.pad(step, (pad, len(kernel) - 1 - pad), mode="edge"), kernel, mode="valid")
        fades = [
            np.convolve(
                np.pad(step * np.exp(-x / length), (pad, len(kernel) - 1 - pad)), kernel, mode="valid"
            )
            for length in SHADOWS_PX
        ]
        inner = np.array([np.interp(OFFSETS_PX - shift, x, edge) for shift in EDGES_PX])[None, :, None]
        at = OFFSETS_PX - np.array(EDGES_PX)[:, None] - BORDERS_PX[:, None, None]
        outer = np.interp(at, x, edge)[:, :, None]
        shade = np.stack([np.interp(at, x, fade) for fade in fades], axis=2)
        shape = shade.shape
        columns = (1 - inner, inner - outer, outer, shade)
        models.append(np.stack([np.broadcast_to(column, shape) for column in columns], axis=-1))
    # borders, blurs, edges, shadows, offsets, parts
    stacked = np.stack(models, axis=1).reshape(-1, len(OFFSETS_PX), 4)
    normal = np.einsum("kol,kom->klm", stacked, stacked) + 1e-6 * np.eye(4)
    return stacked, np.linalg.inv(normal)
