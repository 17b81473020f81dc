"""Measure the printed border that all cards of a deck share: from the paper's edge to the card's.

The card's own edge is hard to see: ink and floor may be alike, a soft shadow lies beside the card, and all of
it happens within two pixels. So the border is not measured on one card but fitted to the mean of many sides.
The blur is a Gaussian of unknown width on top of the known blur of the pixels; a side is then modelled as
paper, ink and shaded floor, all equally blurred. Touching neighbours are a second source: twice the border is
never wider than the narrowest dark line between two papers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.layout import CARD_WIDTH_M
from vision.frames.frame import Gray

CARD_WIDTH_MM: Final = 1e3 * CARD_WIDTH_M
SEARCH_MM: Final = 2.0  # how far off the first outline may be
STEP_MM: Final = 0.4
OFFSETS_MM: Final = np.arange(-SEARCH_MM - STEP_MM, SEARCH_MM + STEP_MM + 1e-9, STEP_MM)
ALONG: Final = np.array(
    [[0.10, 0.16, 0.22, 0.28, 0.34, 0.40, 0.46], [0.54, 0.60, 0.66, 0.72, 0.78, 0.84, 0.90]]
)
"""Positions along a side at which its edge is measured: two halves, so that a turn shows."""


def refine(gray: Gray, papers_px: Floats) -> Floats:
    """Move outlines onto the edges of the paper.

    Returns: refined outlines, shape (N, 4, 2).

    `gray`: shape (height, width), uint8. `papers_px`: shape (N, 4, 2), in the order of
    `vision.cards.rectangle_finder.FoundCard`.
    """
    # Along a side that is turned against its outline the edge is smeared, so a second pass measures it along
    # the found edge. A third pass changes nothing.
    passes = 2
    for _ in range(passes if len(papers_px) else 0):
        papers_px = _moved_onto_edges(gray, papers_px)
    return papers_px


def _moved_onto_edges(gray: Gray, papers_px: Floats) -> Floats:
    start, end, outwards, px_per_mm = outward_sides(papers_px)
    profiles = _profiles(gray, start, end, outwards * px_per_mm[:, None, None])
    falls = profiles[..., :-2] - profiles[..., 2:]
    at = falls.argmax(axis=-1)
    peak = np.take_along_axis(falls, at[..., None], -1)[..., 0]
    shift_mm = OFFSETS_MM[1:-1][at] + STEP_MM * _parabola(falls, at)
    # Gray levels per step below which an edge is invisible (covered, or as bright as the floor).
    min_step = 6.0
    shift_mm = np.where(peak > min_step, shift_mm, np.nan)
    # A half without an edge, or one that disagrees by an impossible turn, follows the other half.
    shift_mm = np.where(np.isnan(shift_mm), shift_mm[..., ::-1], shift_mm)
    shift_mm = np.where(np.isnan(shift_mm), 0.0, shift_mm)
    first, second = shift_mm[..., 0], shift_mm[..., 1]
    scale = px_per_mm[:, None, None]
    span = end - start
    on_first = start + ALONG[0].mean() * span + outwards * first[..., None] * scale
    on_second = start + ALONG[1].mean() * span + outwards * second[..., None] * scale
    corners = _crossings(np.roll(on_first, 1, axis=1), np.roll(on_second, 1, axis=1), on_first, on_second)
    wild = np.linalg.norm(corners - papers_px, axis=2) > 2 * SEARCH_MM * px_per_mm[:, None]
    return np.where(wild[..., None], papers_px, corners)


def grown(papers_px: Floats, border: float) -> Floats:
    """Return the outlines extended by a border of `border` mm (of a 52 mm wide paper)."""
    across = (papers_px[:, [1, 1, 2, 2]] - papers_px[:, [0, 0, 3, 3]]) / CARD_WIDTH_MM
    down_mm = CARD_WIDTH_MM / np.linalg.norm(papers_px[:, 1] - papers_px[:, 0], axis=1)
    down = papers_px[:, [3, 2, 2, 3]] - papers_px[:, [0, 1, 1, 0]]
    down_length = np.linalg.norm(down, axis=2, keepdims=True) * down_mm[:, None, None]
    signs_x = np.array([-1, 1, 1, -1])[None, :, None]
    signs_y = np.array([-1, -1, 1, 1])[None, :, None]
    return np.asarray(papers_px + border * (signs_x * across + signs_y * down / down_length))


def outward_sides(papers_px: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the sides of outlines of shape (N, 4, 2).

    Returns: starts and ends, shape (N, 4, 2); unit vectors outwards, shape (N, 4, 2); pixels per mm of a
    paper 52 mm wide, shape (N,).
    """
    start, end = papers_px, np.roll(papers_px, -1, axis=1)
    along = (end - start) / np.linalg.norm(end - start, axis=2, keepdims=True)
    outwards = np.stack([along[..., 1], -along[..., 0]], axis=-1)
    lengths = np.linalg.norm(end - start, axis=2)
    return start, end, outwards, (lengths[:, 0] + lengths[:, 2]) / 2 / CARD_WIDTH_MM


def _profiles(gray: Gray, start: Floats, end: Floats, outwards_px: Floats) -> Floats:
    """Sample across the sides; the median along each half ignores a stroke or a thumb.

    Returns: shape (N, 4, 2, offsets), gray levels.
    """
    along = ALONG.ravel()
    base = start[:, :, None] + along[:, None] * (end - start)[:, :, None]
    points = base[:, :, :, None] + OFFSETS_MM[:, None] * outwards_px[:, :, None, None]
    maps = points.astype(np.float32).reshape(-1, len(OFFSETS_MM), 2)
    sampled = np.empty(maps.shape[:2], np.uint8)
    for first in range(0, len(maps), 32000):  # remap takes at most 2^15 rows
        part = slice(first, first + 32000)
        columns, rows = maps[part, :, 0], maps[part, :, 1]
        sampled[part] = cv2.remap(gray, columns, rows, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    halves = sampled.reshape(*points.shape[:2], *ALONG.shape, len(OFFSETS_MM))
    return np.asarray(np.sort(halves, axis=3)[:, :, :, 2:5].mean(axis=3))


def _parabola(values: Floats, at: NDArray[np.intp]) -> Floats:
    """Return the offset of a peak from its sample, -0.5..0.5."""
    last = values.shape[-1] - 1
    left = np.take_along_axis(values, np.maximum(at - 1, 0)[..., None], -1)[..., 0]
    peak = np.take_along_axis(values, at[..., None], -1)[..., 0]
    right = np.take_along_axis(values, np.minimum(at + 1, last)[..., None], -1)[..., 0]
    usable = np.isfinite(left) & np.isfinite(right) & np.isfinite(peak)
    left, peak, right = (np.where(usable, part, 0.0) for part in (left, peak, right))
    curve = left - 2 * peak + right
    offset = np.divide((left - right) / 2, curve, out=np.zeros_like(curve), where=curve < 0)
    return np.clip(offset, -0.5, 0.5)


def _crossings(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Return the intersections of the lines a-b and c-d, all of shape (N, 4, 2)."""
    r, s = b - a, d - c
    cross = r[..., 0] * s[..., 1] - r[..., 1] * s[..., 0]
    cross = np.where(np.abs(cross) < 1e-9, 1e-9, cross)
    t = ((c - a)[..., 0] * s[..., 1] - (c - a)[..., 1] * s[..., 0]) / cross
    return np.asarray(a + t[..., None] * r)


Floats = NDArray[np.float64]

PLACES: Final = np.linspace(0.12, 0.88, 12)
STEP_PX: Final = 0.25
OFFSETS_PX: Final = np.arange(-1.75, 7.01, STEP_PX)
"""Range across a side, pixels, outwards from the paper's edge: farther inside there is text."""
PAPER: Final = OFFSETS_PX < -1.2
BESIDE: Final = (OFFSETS_PX > 0.0) & (OFFSETS_PX < 4.0)
FLOOR: Final = OFFSETS_PX > 5.0
BORDERS_PX: Final = np.arange(0.0, 6.01, 0.1)
BLURS_PX: Final = np.concatenate([np.arange(0.1, 1.21, 0.15), np.arange(1.4, 2.61, 0.2)])
"""Blurs to try, pixels; enlarged pictures are more blurred than any camera's own."""
FACING: Final = float(np.cos(np.deg2rad(8.0)))
"""Facing sides are parallel; anything at an angle belongs to a neighbour of the corner."""


@dataclass(frozen=True, slots=True)
class Border:
    """A border in mm of a card whose paper is 52 mm wide."""

    width_mm: float  # 0 if the deck has none
    spread_mm: float = 0.2
    # uncertainty of the paper's shape: it may look this much wider and lower than it is
    smear_mm: float = 0.01


BLURRED: Final = Border(0.0, spread_mm=0.6, smear_mm=0.3)
"""Border of a blurred picture, where little is known: in 14 pictures of 640x360 it was 0.7 mm off."""


def border_of(gray: Gray, papers_px: Floats) -> Border:
    """Measure the border.

    `gray`: shape (height, width), uint8. `papers_px`: shape (N, 4, 2), refined outlines of the papers inside
    the border (see `paper_edges.refine`).
    """
    if not len(papers_px):
        return Border(0.0)
    px_per_mm = np.linalg.norm(papers_px[:, 1] - papers_px[:, 0], axis=1) / CARD_WIDTH_MM
    typical = float(np.median(px_per_mm))
    # The models are made for pictures of about 1 px/mm, as 720p has of a field; finer ones are reduced.
    finest_px_per_mm = 1.35
    if typical > finest_px_per_mm:
        model_px_per_mm = 1.1
        # The pixel blur of a fine picture, and the reach of a shadow in its pixels, are outside the models.
        shrink = model_px_per_mm / typical
        smaller = cv2.resize(gray, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        gray, papers_px = np.asarray(smaller, np.uint8), (papers_px + 0.5) * shrink - 0.5
        px_per_mm, typical = px_per_mm * shrink, model_px_per_mm
    gaps_mm = facing_gaps_mm(papers_px)
    # Sides are averaged over cards whose scale differs by less than this share from the typical one.
    same_scale = 0.07
    alike = np.abs(px_per_mm / typical - 1) < same_scale
    side = _mean_side(gray, papers_px[alike], np.isnan(gaps_mm[alike]))
    closed_mm = np.sort(gaps_mm[~np.isnan(gaps_mm)])
    touching_share = 0.06  # share of the gaps between neighbours that count as closed
    line_mm = float(closed_mm[int(touching_share * len(closed_mm))]) if len(closed_mm) >= 4 else None
    errors = None if side is None else _side_errors(side)
    hair_mm = 2.2  # a mere crack between two papers looks this wide; a border parts them farther
    if (line_mm is None or line_mm < hair_mm) and (side is None or errors is None or _plain(side, errors)):
        return Border(0.0)
    logs, is_sharp = np.zeros(len(BORDERS_PX)), True
    if errors is not None:
        # weight of the misfit, in independent samples; blur correlates the four of a pixel
        samples_worth = 9.0
        least_misfit = 4e-6  # square of the relative misfit that even a correct model leaves
        likely = np.exp(-samples_worth / 2 * (errors - errors.min()) / (errors.min() + least_misfit))
        logs += np.log(likely.mean(axis=1) + 1e-12)
        of_blurs = likely.reshape(len(BORDERS_PX), len(BLURS_PX), -1).sum(axis=(0, 2))
        # A more blurred picture hardly separates blur and border: see `BLURRED`.
        sharp_px = 1.2
        is_sharp = float(of_blurs @ BLURS_PX / of_blurs.sum()) < sharp_px
    if line_mm is not None:
        crevice_mm = 0.1  # gap between two cards that touch
        logs += _line_logs((line_mm - crevice_mm) / 2 * typical, typical)
    weights = np.exp(logs - logs.max())
    width_mm = float(weights @ BORDERS_PX / weights.sum() / typical)
    return Border(width_mm) if is_sharp else replace(BLURRED, width_mm=width_mm)


def facing_gaps_mm(papers_px: Floats) -> Floats:
    """Measure from every side to the parallel side facing it, NaN if none is in reach; shape (N, 4).

    Overlapping outlines are two readings of one card: they face nothing.
    """
    start, end, outwards, px_per_mm = outward_sides(papers_px)
    middle = (start + end) / 2
    gap = np.full(middle.shape[:2], np.inf)
    # Only papers less than two cards away can face each other.
    centres = papers_px.mean(axis=1)
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=2) / px_per_mm[:, None]
    neighbour_mm = 110.0  # papers farther apart than this, between centres, do not face each other
    one, other = np.nonzero((apart < neighbour_mm) & ~np.eye(len(papers_px), dtype=bool))
    away = middle[other][:, None] - middle[one][:, :, None]
    scale = px_per_mm[one][:, None, None]
    depth = (away * outwards[one][:, :, None]).sum(-1) / scale
    aside = np.abs(away[..., 1] * outwards[one][..., None, 0] - away[..., 0] * outwards[one][..., None, 1])
    opposed = -(outwards[one][:, :, None] * outwards[other][:, None]).sum(-1)
    facing = (depth > -0.5) & (depth < 7.0) & (aside < 12 * scale) & (opposed > FACING)
    np.minimum.at(gap, one, np.where(facing, depth, np.inf).min(axis=2))
    return np.where(np.isfinite(gap), np.maximum(gap, 0.0), np.nan)


def _mean_side(gray: Gray, papers_px: Floats, free: NDArray[np.bool_]) -> Floats | None:
    """Average the sides beside which there is only floor, relative to their paper.

    Returns: shape (len(OFFSETS_PX),), or None if too few sides are free.
    """
    start, end, outwards, _ = outward_sides(papers_px)
    start, end, outwards = start[free], end[free], outwards[free]
    max_sides = 90  # more sides do not improve the mean
    if len(start) > max_sides:
        chosen = np.linspace(0, len(start) - 1, max_sides).astype(np.intp)
        start, end, outwards = start[chosen], end[chosen], outwards[chosen]
    if len(start) < 3:
        return None
    base = start[:, None] + PLACES[:, None] * (end - start)[:, None]
    points = base[:, :, None] + OFFSETS_PX[:, None] * outwards[:, None, None]
    maps = points.reshape(-1, len(OFFSETS_PX), 2).astype(np.float32)
    sampled = cv2.remap(gray, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    sides = np.sort(np.asarray(sampled).reshape(points.shape[:-1]), axis=1)
    # Only the middle half of the sorted samples counts: a stroke, a thumb or an edge of the tatami drops out.
    quarter = len(PLACES) // 4
    profiles = sides[:, quarter:-quarter].mean(axis=1)
    profiles = profiles / np.maximum(profiles[:, PAPER].mean(axis=1), 1.0)[:, None]
    min_step = 0.06  # paper is brighter than its surroundings by at least this share
    profiles = profiles[profiles[:, np.abs(OFFSETS_PX - 0.8).argmin()] < 1 - min_step]
    if len(profiles) < 3:
        return None
    rough = np.ptp(profiles[:, FLOOR], axis=1)
    even = profiles[rough <= max(min_step, float(np.percentile(rough, 60)))]
    cut = int(0.15 * len(even))
    return np.asarray(np.sort(even, axis=0)[cut : len(even) - cut].mean(axis=0))


def _side_errors(side: Floats) -> Floats:
    """Return the mean squared misfit of each of `BORDERS_PX` with every blur, shadow and shift, (B, rest)."""
    models, solvers = _models()
    moments = np.einsum("kol,o->kl", models, side)
    levels = np.einsum("klm,km->kl", solvers, moments)
    errors = np.maximum((side @ side - (moments * levels).sum(axis=1)) / len(side), 0.0)
    _, ink, floor, shadow = levels.T
    # Ink reflects something, but less than paper; a shadow takes some of the floor's light and adds none.
    odd = (ink < 0.01) | (ink > levels[:, 0]) | (shadow > 0.03) | (shadow < -0.6 * floor)
    bordered = np.repeat(BORDERS_PX > 0, len(errors) // len(BORDERS_PX))
    errors[odd & bordered] = np.inf
    return np.asarray(errors.reshape(len(BORDERS_PX), -1))


def _plain(side: Floats, errors: Floats) -> bool:
    """Tell whether a side shows no border: neither a dip below the floor nor a step of its own."""
    # A dip less dark than this share of the floor beside it is no border but a trace of shadow.
    visible_share = 0.95
    # A product, since a black floor would make a quotient meaningless.
    dips = float(side[BESIDE].min()) <= visible_share * float(side[FLOOR].mean())
    # Square of the relative misfit up to which a side without a border explains the picture.
    plain_misfit = 1e-4
    return not dips and float(errors[BORDERS_PX == 0].min()) < plain_misfit


def _line_logs(border_px: float, px_per_mm: float) -> Floats:
    """Return the log likelihood of each of `BORDERS_PX` if the narrowest line leaves room for `border_px`.

    A wider border is all but impossible. A narrower one means that not even the closest neighbours touch:
    less likely the farther apart they lie, but possible.
    """
    off_mm = (BORDERS_PX - border_px) / px_per_mm
    # Half of the gap that players leave between the closest cards of a row that they do not push together.
    apart_mm = 0.25
    return np.where(off_mm > 0, -np.square(off_mm / 0.1) / 2, np.maximum(off_mm / apart_mm, -2.5))


@lru_cache(maxsize=1)
def _models() -> tuple[Floats, Floats]:
    """Return sides of all shapes as sums of paper, ink, floor and shadow.

    Returns: shape (K, offsets, 4), by border first, and the inverses of their normal matrices, shape (K, 4,
    4).
    """
    fine = 0.02
    x = np.arange(-10.0, 12.0, fine)
    step = (x > 0).astype(np.float64)
    # A pixel averages over its square; sampling between pixels adds the blur of a triangle.
    pixel = np.convolve(np.convolve(np.ones(50), np.ones(50)), np.ones(50))
    models = []
    shadows_px = (0.6, 1.2)  # distances in which the shadow beside a card fades to a third
    for blur in BLURS_PX:
        reach = np.arange(-4 * blur, 4 * blur + fine, fine)
        kernel = np.convolve(pixel, np.exp(-np.square(reach / blur) / 2))
        kernel /= kernel.sum()
        # The profile is constant beyond its ends, so the ends are continued.
        pad = len(kernel) // 2
        edge = np.convolve(np.pad(step, (pad, len(kernel) - 1 - pad), mode="edge"), kernel, mode="valid")
        fades = [
            np.convolve(
                np.pad(step * np.exp(-x / length), (pad, len(kernel) - 1 - pad)), kernel, mode="valid"
            )
            for length in shadows_px
        ]
        # Shifts of the paper's measured edge that the blur of the border may have caused.
        edges_px = (-0.2, -0.1, 0.0, 0.1, 0.2)
        inner = np.array([np.interp(OFFSETS_PX - shift, x, edge) for shift in edges_px])[None, :, None]
        at = OFFSETS_PX - np.array(edges_px)[:, None] - BORDERS_PX[:, None, None]
        outer = np.interp(at, x, edge)[:, :, None]
        shade = np.stack([np.interp(at, x, fade) for fade in fades], axis=2)
        shape = shade.shape
        columns = (1 - inner, inner - outer, outer, shade)
        models.append(np.stack([np.broadcast_to(column, shape) for column in columns], axis=-1))
    # borders, blurs, edges, shadows, offsets, parts
    stacked = np.stack(models, axis=1).reshape(-1, len(OFFSETS_PX), 4)
    normal = np.einsum("kol,kom->klm", stacked, stacked) + 1e-6 * np.eye(4)
    return stacked, np.linalg.inv(normal)
