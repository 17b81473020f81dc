"""Measure how good a camera's pictures of a field are, and grade that by what the eye needs.

The limits are the eye's, not those of a good photo.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import overload

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.finding import Status
from referee.layout import CARD_WIDTH_M
from vision.field.layout_reader import FIELD_CORNERS_M, LayoutReading
from vision.frames.frame import Frame, Glimpse, Gray


@dataclass(frozen=True, slots=True)
class Limits:
    """Values from which on a figure is good, and up to which it is usable; either may be the larger one."""

    good: float
    least: float

    @overload
    def judge(self, value: float) -> Status: ...
    @overload
    def judge(self, value: float | None) -> Status | None: ...
    def judge(self, value: float | None) -> Status | None:
        """Grade a figure; None if it is not known."""
        if value is None:
            return None
        sign = 1.0 if self.good >= self.least else -1.0
        if sign * value >= sign * self.good:
            return Status.OK
        return Status.WARN if sign * value >= sign * self.least else Status.FAIL


EXPOSURE_S = Limits(0.004, 0.010)
"""A hand that sweeps at 5 m/s smears 2 cm in the shorter time, and 5 cm in the longer one."""
PAPER = Limits(110.0, 70.0)  # gray level of the cards' paper; print and arms lose their contrast below it
CLIPPED = Limits(0.05, 0.30)  # share of the cards' pixels that may be white without any detail
NOISE = Limits(4.0, 10.0)  # standard deviation of a pixel of a still scene, in gray levels
BLUR_MM = Limits(1.2, 2.5)
"""Standard deviation of an edge's blur on the field; a stroke of kana is about 1 mm wide."""
CARD_PX = Limits(50.0, 38.0)
"""A card's width; in smaller cards a push and a touch look alike, see docs/setup.md."""
TILT_DEG = Limits(15.0, 30.0)
"""Angle away from straight down; farther aslant, the far cards are too flat to read well."""
MARGIN_M = Limits(0.055, 0.0)
"""A card's width and a little: hands come in from outside, and no part of a card may lie out of view."""


@dataclass(frozen=True, slots=True)
class Light:
    """Gray level of the cards' paper, and the share of the cards that is white without any detail."""

    paper: float
    clipped: float

    @property
    def is_enough(self) -> Status:
        """Grade against too little light."""
        return PAPER.judge(self.paper)

    @property
    def is_not_too_much(self) -> Status:
        """Grade against too much light."""
        return CLIPPED.judge(self.clipped)


def light_of(gray: Gray, reading: LayoutReading | None) -> Light:
    """Return the light on the cards; without a field, at the picture's centre."""
    cards = gray[_cards_mask(gray, reading)]
    clipped_gray = 250
    return Light(float(np.quantile(cards, 0.75)), float(np.mean(cards >= clipped_gray)))


def noise_of(pictures: Sequence[Gray]) -> float | None:
    """Return a pixel's noise in gray levels from the last two pictures of a scene; None if there are fewer.

    Two pictures of one scene differ by the noise of both; the median ignores what moves. A flickering lamp
    lights whole rows, so what a row has in common is no noise.
    """
    if len(pictures) < 2 or pictures[-2].shape != pictures[-1].shape:
        return None
    before, now = (picture[::2].astype(np.int16) for picture in pictures[-2:])
    change = now - before
    change -= np.median(change, axis=1, keepdims=True).astype(np.int16)
    return float(np.median(np.abs(change))) / 0.6745 / float(np.sqrt(2.0))


def blur_mm(gray: Gray, reading: LayoutReading | None) -> float | None:
    """Return the blur of edges on the field, one standard deviation in mm; None if there are no edges."""
    # Scale of a field that fills a 720p picture, if the picture is too blurred to read a field.
    usual_px_per_m = 1000.0
    px_per_m = usual_px_per_m if reading is None else px_per_m_of(reading)
    blur_px = edge_blur_px(gray)
    return None if blur_px is None else 1e3 * blur_px / px_per_m


def px_per_m_of(reading: LayoutReading) -> float:
    """Return the scale at the centre of the field."""
    return reading.geometry.px_per_m(np.zeros(2))


def card_width_px(reading: LayoutReading) -> float:
    """Return the width of a card in the picture."""
    return px_per_m_of(reading) * CARD_WIDTH_M


def shows_small_cards(reading: LayoutReading) -> bool:
    """Tell whether cards are so small in the picture that a push and a touch look alike."""
    return CARD_PX.judge(card_width_px(reading)) is Status.FAIL


def margins_m(reading: LayoutReading) -> tuple[float, float]:
    """Return how much room there is around the field, and around field and cards; negative if cut off.

    If whole columns lie outside, the field seems smaller than it is, and in view: a card near the edge may be
    cut.
    """
    geometry = reading.geometry
    size = np.array([geometry.width_px, geometry.height_px])

    def margin_m(points_px: NDArray[np.float64]) -> float:
        return float(np.minimum(points_px, size - 1 - points_px).min()) / px_per_m_of(reading)

    field_m = margin_m(geometry.to_image(FIELD_CORNERS_M))
    if not reading.corners_px:  # every card was taken
        return field_m, field_m
    return field_m, min(field_m, margin_m(np.concatenate(reading.corners_px)))


def lies_out_of_view(reading: LayoutReading, card: int) -> bool:
    """Tell whether a card that was not found may lie in a part of the field outside the pictures."""
    return reading.layout.find(card) is None and margins_m(reading)[0] < -CARD_WIDTH_M / 2


def edge_blur_px(gray: Gray) -> float | None:
    """Return the blur of a picture's sharpest edges as the standard deviation of a Gaussian, in pixels.

    A step edge blurred with sigma and blurred again with s loses gradient by the factor r = sqrt(sigma^2 +
    s^2) / sigma, so sigma = s / sqrt(r^2 - 1) (Zhuo and Sim, "Defocus map estimation from a single image",
    2011). None if there are no edges.
    """
    picture = gray.astype(np.float32)
    steep = _gradient(picture)
    reblur_px = 1.5
    again = _gradient(np.asarray(cv2.GaussianBlur(picture, (0, 0), reblur_px), np.float32))
    steepest, usual = map(float, np.quantile(steep, (0.999, 0.98)))
    edges = steep >= max(usual, 0.6 * steepest, 8.0)  # the flanks of an edge are no edges
    if np.count_nonzero(edges) < 100:
        return None
    ratio = float(np.median(steep[edges] / np.maximum(again[edges], 1e-3)))
    return reblur_px / float(np.sqrt(max(ratio * ratio - 1.0, 0.02)))


def tilt_deg(reading: LayoutReading) -> float:
    """Return the angle between the camera's view and straight down onto the field's centre, in degrees.

    At an angle a, lengths along the slope shrink by cos a against those across it.
    """
    step_m = 0.01
    middle, right, down = reading.geometry.to_image(np.array([[0, 0], [step_m, 0], [0, step_m]]))
    scales = np.linalg.svd(np.array([right - middle, down - middle]), compute_uv=False)
    return float(np.degrees(np.arccos(min(1.0, scales[1] / scales[0]))))


def _cards_mask(gray: Gray, reading: LayoutReading | None) -> NDArray[np.bool_]:
    """Return the mask of the cards; without a field, of the picture's centre."""
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


def enlarged(frame: Frame) -> Frame:
    """Return a frame as the eye looks at it: twice as large if it is small, else unchanged."""
    picture = frame.picture
    small_px = 900  # a longer side below this gives less than 0.8 pixels per millimetre of the field
    if max(frame.shape_px) >= small_px:
        return frame
    return replace(frame, picture=picture.turned(_twice) if isinstance(picture, Glimpse) else _twice(picture))


def as_delivered(reading: LayoutReading, width_px: int) -> LayoutReading:
    """Return a reading of enlarged pictures in the pixels of the camera's pictures, `width_px` wide."""
    geometry = reading.geometry
    if geometry.width_px == width_px:
        return reading
    share = width_px / geometry.width_px
    return replace(
        reading,
        geometry=replace(geometry, width_px=width_px, height_px=round(geometry.height_px * share)),
        corners_px=tuple((corners + 0.5) * share - 0.5 for corners in reading.corners_px),
    )


def _twice(gray: Gray) -> Gray:
    times = 2
    return np.asarray(cv2.resize(gray, None, fx=times, fy=times, interpolation=cv2.INTER_CUBIC), np.uint8)
