"""Checks of a source's pictures while a match is set up: whether they suffice for judging a match.

Each finding is an id with values; the panel holds its text and the remedy (`desk.panel.house.findings`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from calibration.finding import Status
from desk.panel.house.port import FindingShown
from referee.sides import Side
from vision.field.layout_reader import LayoutReading
from vision.field.picture_quality import (
    BLUR_MM,
    CARD_PX,
    EXPOSURE_S,
    MARGIN_M,
    NOISE,
    TILT_DEG,
    Limits,
    blur_mm,
    card_width_px,
    light_of,
    margins_m,
    noise_of,
    tilt_deg,
)
from vision.frames.frame import Frame, Gray

Level = Literal["ok", "warn", "fail", "unknown"]

FPS = Limits(50.0, 24.0)


@dataclass(frozen=True, slots=True)
class SourceRate:
    """The rate of the pictures; `lost` counts those lost in the last seconds; None means unknown.

    `automatic` is what the camera may change by itself, see `CameraFormat`.
    """

    fps: float | None
    nominal_fps: float | None
    lost: int
    exposure_s: float | None
    automatic: tuple[str, ...] | None = None


def examine(rate: SourceRate, recent: Sequence[Frame], reading: LayoutReading | None) -> list[FindingShown]:
    """Check a source and return its findings.

    `recent`: the latest pictures, at least one; noise needs two consecutive ones. `reading`: the field as it
    was read, None if there is none.
    """
    pictures = [frame.gray for frame in recent]
    findings = [_fps(rate), _steady(rate), _exposure(rate), _light(pictures[-1], reading), _noise(pictures)]
    findings.append(_blur(pictures[-1], reading))
    findings += [_finding(f"{name}_held", Status.WARN) for name in rate.automatic or ()]
    if reading is None:
        return findings
    return [*findings, _scale(reading), _angle(reading), _in_view(reading), _cards(reading)]


def _fps(rate: SourceRate) -> FindingShown:
    fps = None if rate.fps is None else round(rate.fps)
    nominal = None if rate.nominal_fps is None else round(rate.nominal_fps)
    return _finding("fps", FPS.judge(rate.fps), fps=fps, nominal=nominal)


def _steady(rate: SourceRate) -> FindingShown:
    return _finding("steady", Status.OK if rate.lost == 0 else Status.WARN, lost=rate.lost)


def _exposure(rate: SourceRate) -> FindingShown:
    exposure_ms = None if rate.exposure_s is None else round(rate.exposure_s * 1e3, 1)
    status = EXPOSURE_S.judge(rate.exposure_s)
    return _finding("exposure", Status.WARN if status is Status.FAIL else status, ms=exposure_ms)


def _light(gray: Gray, reading: LayoutReading | None) -> FindingShown:
    light = light_of(gray, reading)
    order = (Status.OK, Status.WARN, Status.FAIL)
    status = max(light.is_enough, light.is_not_too_much, key=order.index)
    return _finding("light", status, paper=round(light.paper), clipped=round(100 * light.clipped))


def _noise(pictures: Sequence[Gray]) -> FindingShown:
    noise = noise_of(pictures)
    return _finding("noise", NOISE.judge(noise), noise=None if noise is None else round(noise, 1))


def _blur(gray: Gray, reading: LayoutReading | None) -> FindingShown:
    blur = blur_mm(gray, reading)
    return _finding("blur", BLUR_MM.judge(blur), blur_mm=None if blur is None else round(blur, 1))


def _scale(reading: LayoutReading) -> FindingShown:
    card_px = card_width_px(reading)
    return _finding("scale", CARD_PX.judge(card_px), card_px=round(card_px))


def _angle(reading: LayoutReading) -> FindingShown:
    tilt = tilt_deg(reading)
    return _finding("angle", TILT_DEG.judge(tilt), tilt_deg=round(tilt))


def _in_view(reading: LayoutReading) -> FindingShown:
    field_m, least_m = margins_m(reading)
    status: Status | None = MARGIN_M.judge(least_m)
    if 2 * reading.named < len(reading.layout):
        status = None  # what is no print of a card may be no card, and where the field lies rests on it
    return _finding("in_view", status, margin_mm=round(1e3 * field_m))


def _cards(reading: LayoutReading) -> FindingShown:
    unread = sum(placed.card is None for placed in reading.layout)
    counts = reading.layout.counts()
    even = counts[Side.NEAR] == counts[Side.FAR]
    status = Status.OK if even and not unread else Status.WARN
    return _finding("cards", status, near=counts.near, far=counts.far, unread=unread)


def _finding(name: str, status: Status | None, **values: Any) -> FindingShown:
    level: Level = "unknown" if status is None else status.value
    return {"id": name, "status": level, "values": values}
