"""What the pictures of a source lack for judging a match: looked at while a match is set up.

Each finding is an id with values; the panel knows the words and the mends (`desk.panel.findings`). The limits
say what the eye needs, not what a good photo needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from desk.panel.house_port import FindingShown
from referee.layout import (
    CARD_WIDTH_M,
    TERRITORY_DEPTH_M,
    TERRITORY_GAP_M,
    TERRITORY_WIDTH_M,
)
from referee.sides import Side
from vision.frames import Frame, Gray
from vision.layout_reader import LayoutReading

Level = Literal["ok", "warn", "fail", "unknown"]

FPS_GOOD, FPS_LEAST = 50.0, 24.0
EXPOSURE_GOOD_S, EXPOSURE_MOST_S = 0.004, 0.010
PAPER_LEAST, PAPER_DARK = 110.0, 70.0
"""Gray level of the cards' paper below which print and arms lose their contrast."""
CLIPPED_GOOD, CLIPPED_MOST = 0.05, 0.30
"""Part of the cards' pixels that may be white without any detail."""
NOISE_GOOD, NOISE_MOST = 4.0, 10.0
BLUR_GOOD_MM, BLUR_MOST_MM = 1.2, 2.5
"""Width (one standard deviation) of an edge on the field; a stroke of kana is about 1 mm wide."""
CARD_GOOD_PX, CARD_LEAST_PX = 50.0, 38.0
TILT_GOOD_DEG, TILT_MOST_DEG = 15.0, 30.0
MARGIN_GOOD_M = 0.055
"""A card's width and a little: hands come in from outside, and nothing of a card can lie beyond unseen."""

_FIELD_M = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (
    TERRITORY_WIDTH_M / 2,
    TERRITORY_GAP_M / 2 + TERRITORY_DEPTH_M,
)
_REBLUR_PX = 1.5
_CLIPPED = 250
_USUAL_PX_PER_M = 1000.0
"""Scale of a field that fills a 720p picture: for a picture so blurred that no field can be read."""


@dataclass(frozen=True, slots=True)
class SourceRate:
    """How the pictures come: `lost` counts those lost in the last seconds; None is not known."""

    fps: float | None
    nominal_fps: float | None
    lost: int
    exposure_s: float | None


def examine(rate: SourceRate, recent: Sequence[Frame], reading: LayoutReading | None) -> list[FindingShown]:
    """Look at a source.

    Parameters
    ----------
    rate : how the pictures come.
    recent : the latest pictures, at least one; noise needs two that follow each other.
    reading : the field as it was read, None where there is none.
    """
    gray = recent[-1].gray
    cards = _cards_mask(gray, reading)
    findings = [_fps(rate), _steady(rate), _exposure(rate), _light(gray[cards]), _noise(recent)]
    if reading is None:
        return [*findings, _blur(gray, _USUAL_PX_PER_M)]
    px_per_m = reading.geometry.px_per_m(np.zeros(2))
    of_field = [_scale(px_per_m), _angle(reading), _in_view(reading), _cards(reading)]
    return [*findings, _blur(gray, px_per_m), *of_field]


def edge_blur_px(gray: Gray) -> float | None:
    """Return the blur of a picture's sharpest edges as the standard deviation of a Gaussian, in pixels.

    A step edge that is blurred with sigma and blurred again with s loses its gradient by the factor
    r = sqrt(sigma^2 + s^2) / sigma, so that sigma = s / sqrt(r^2 - 1) (Zhuo and Sim, "Defocus map estimation
    from a single image", 2011). None where there are no edges.
    """
    picture = gray.astype(np.float32)
    steep = _gradient(picture)
    again = _gradient(np.asarray(cv2.GaussianBlur(picture, (0, 0), _REBLUR_PX), np.float32))
    steepest, usual = (float(np.quantile(steep, part)) for part in (0.999, 0.98))
    edges = steep >= max(usual, 0.6 * steepest, 8.0)  # an edge's flanks are no edges
    if np.count_nonzero(edges) < 100:
        return None
    ratio = float(np.median(steep[edges] / np.maximum(again[edges], 1e-3)))
    return _REBLUR_PX / float(np.sqrt(max(ratio * ratio - 1.0, 0.02)))


def tilt_deg(reading: LayoutReading) -> float:
    """Return how far the camera looks away from straight down onto the field's middle, in degrees.

    Seen aslant by the angle a, lengths along the slope shrink by cos a against those across it.
    """
    step_m = 0.01
    middle, right, down = reading.geometry.to_image(np.array([[0, 0], [step_m, 0], [0, step_m]]))
    scales = np.linalg.svd(np.array([right - middle, down - middle]), compute_uv=False)
    return float(np.degrees(np.arccos(min(1.0, scales[1] / scales[0]))))


def _fps(rate: SourceRate) -> FindingShown:
    fps = None if rate.fps is None else round(rate.fps)
    nominal = None if rate.nominal_fps is None else round(rate.nominal_fps)
    return _finding("fps", _at_least(rate.fps, FPS_GOOD, FPS_LEAST), fps=fps, nominal=nominal)


def _steady(rate: SourceRate) -> FindingShown:
    return _finding("steady", "ok" if rate.lost == 0 else "warn", lost=rate.lost)


def _exposure(rate: SourceRate) -> FindingShown:
    exposure_ms = None if rate.exposure_s is None else round(rate.exposure_s * 1e3, 1)
    level = _at_most(rate.exposure_s, EXPOSURE_GOOD_S, EXPOSURE_MOST_S)
    return _finding("exposure", "warn" if level == "fail" else level, ms=exposure_ms)


def _light(cards: NDArray[np.uint8]) -> FindingShown:
    paper = float(np.quantile(cards, 0.75))
    clipped = float(np.mean(cards >= _CLIPPED))
    level = _worse(_at_least(paper, PAPER_LEAST, PAPER_DARK), _at_most(clipped, CLIPPED_GOOD, CLIPPED_MOST))
    return _finding("light", level, paper=round(paper), clipped=round(100 * clipped))


def _noise(recent: Sequence[Frame]) -> FindingShown:
    if len(recent) < 2:
        return _finding("noise", "unknown", noise=None)
    before, now = (frame.gray.astype(np.int16) for frame in recent[-2:])
    # two pictures of the same table differ by the noise of both; the median is not moved by what moves
    spread = float(np.median(np.abs(now - before))) / 0.6745 / np.sqrt(2.0)
    return _finding("noise", _at_most(spread, NOISE_GOOD, NOISE_MOST), noise=round(float(spread), 1))


def _blur(gray: Gray, px_per_m: float) -> FindingShown:
    blur_px = edge_blur_px(gray)
    blur_mm = None if blur_px is None else 1e3 * blur_px / px_per_m
    return _finding(
        "blur",
        _at_most(blur_mm, BLUR_GOOD_MM, BLUR_MOST_MM),
        blur_mm=None if blur_mm is None else round(blur_mm, 1),
    )


def _scale(px_per_m: float) -> FindingShown:
    card_px = px_per_m * CARD_WIDTH_M
    return _finding("scale", _at_least(card_px, CARD_GOOD_PX, CARD_LEAST_PX), card_px=round(card_px))


def _angle(reading: LayoutReading) -> FindingShown:
    tilt = tilt_deg(reading)
    return _finding("angle", _at_most(tilt, TILT_GOOD_DEG, TILT_MOST_DEG), tilt_deg=round(tilt))


def _in_view(reading: LayoutReading) -> FindingShown:
    geometry = reading.geometry
    size = np.array([geometry.width_px, geometry.height_px])
    to_m = 1.0 / geometry.px_per_m(np.zeros(2))

    def margin_m(points_px: NDArray[np.float64]) -> float:
        return float(np.minimum(points_px, size - 1 - points_px).min()) * to_m

    field_m = margin_m(geometry.to_image(_FIELD_M))
    # where whole columns lie outside, the field seems smaller and in view: so near the edge a card may be cut
    level = _at_least(min(field_m, margin_m(np.concatenate(reading.corners_px))), MARGIN_GOOD_M, 0.0)
    return _finding("in_view", level, margin_mm=round(1e3 * field_m))


def _cards(reading: LayoutReading) -> FindingShown:
    unread = sum(placed.card is None for placed in reading.layout)
    counts = reading.layout.counts()
    even = counts[Side.NEAR] == counts[Side.FAR]
    level: Level = "ok" if even and not unread else "warn"
    return _finding("cards", level, near=counts.near, far=counts.far, unread=unread)


def _cards_mask(gray: Gray, reading: LayoutReading | None) -> NDArray[np.bool_]:
    """Return where cards lie; without a field, the picture's middle."""
    mask = np.zeros(gray.shape, np.uint8)
    if reading is None or not reading.corners_px:
        height, width = gray.shape
        mask[height // 5 : -height // 5, width // 5 : -width // 5] = 1
    else:
        cv2.fillPoly(mask, [np.rint(corners).astype(np.int32) for corners in reading.corners_px], 1)
    return mask.astype(np.bool_)


def _gradient(picture: NDArray[np.float32]) -> NDArray[np.float32]:
    across = cv2.Sobel(picture, cv2.CV_32F, 1, 0, ksize=3)
    down = cv2.Sobel(picture, cv2.CV_32F, 0, 1, ksize=3)
    return np.asarray(cv2.magnitude(across, down), np.float32)


def _finding(name: str, level: Level, **values: Any) -> FindingShown:
    return {"id": name, "status": level, "values": values}


def _at_least(value: float | None, good: float, least: float) -> Level:
    if value is None:
        return "unknown"
    return "ok" if value >= good else "warn" if value >= least else "fail"


def _at_most(value: float | None, good: float, most: float) -> Level:
    if value is None:
        return "unknown"
    return "ok" if value <= good else "warn" if value <= most else "fail"


def _worse(one: Level, other: Level) -> Level:
    order: tuple[Level, ...] = ("ok", "unknown", "warn", "fail")
    return max(one, other, key=order.index)
