"""Check from a second of its pictures whether a camera is good enough to referee by, and advise what to fix.

Each finding's `advice` is a text without figures: one of the constants below, of `calibration.clocks.timing`,
or of `vision.field.wrong_view`.
"""

from collections.abc import Sequence

import numpy as np

from calibration.clocks.timing import NO_FRAMES, check_timing, measure_timing
from calibration.failure import FailedEstimation
from calibration.finding import Finding, Status
from calibration.knock import CameraMotion, Steadiness
from referee.sentence import Sentence
from vision.field.layout_reader import LayoutReading, read_layout
from vision.field.picture_quality import (
    BLUR_MM,
    CARD_PX,
    EXPOSURE_S,
    MARGIN_M,
    NOISE,
    TILT_DEG,
    blur_mm,
    card_width_px,
    light_of,
    margins_m,
    noise_of,
    tilt_deg,
)
from vision.field.wrong_view import WrongView, held_rightly
from vision.frames.frame import Frame, Gray
from vision.sources.source import CameraFormat


class Advice:
    """Advice for a camera that fails a check."""

    LONG_EXPOSURE = Sentence(
        "set the exposure by hand to 4 ms or less and add light: moving hands must not smear"
    )
    UNKNOWN_EXPOSURE = Sentence(
        "the driver does not tell the exposure: set it by hand to 4 ms or less if you can"
    )
    TOO_DARK = Sentence("add light from two sides, or open the exposure or gain a little")
    TOO_BRIGHT = Sentence("take away light or shorten the exposure: white paper must not be washed out")
    GRAINY = Sentence("add light and turn the gain down: grain hides small motions")
    SOFT = Sentence("focus the camera on the cards by hand, switch autofocus off, and clean the lens")
    FEW_PIXELS = Sentence("come nearer, zoom in or choose a larger picture: 1280 x 720 for the whole field")
    NO_FIELD = Sentence("lay the cards out and aim the camera straight down at them, with even light")
    CUT_OFF = Sentence(
        "move the camera until both territories and a hand's width around them are in the picture"
    )
    SLANTED = Sentence("hang the camera above the middle of the field and aim it straight down")
    UNSTEADY = Sentence("fix the camera so that it does not shake")


def check_camera(frames: Sequence[Frame], camera: CameraFormat | None = None) -> list[Finding]:
    """Judge a second or two of a camera that looks at a laid-out field.

    Returns: one finding each named `fps`, `frames`, `exposure`, `light`, `grain`, `focus`, `steadiness`,
    `field`, `resolution`, `view` and `angle`. A check whose input could not be measured is left out.

    `frames`: at least ten, in the order they came, nobody reaching over the field. `camera`: the format the
    driver reports; None if it reports none.
    """
    if not frames:
        return [Finding("fps", Status.FAIL, Sentence("no picture came"), NO_FRAMES)]
    claimed_fps = 0.0 if camera is None else camera.fps
    most_pictures = 8
    pictures = [frames[round(at)].gray for at in np.linspace(0, len(frames) - 1, most_pictures)]
    found = read_layout(pictures, colour=frames[-1].colour)
    if isinstance(found, LayoutReading):
        found = held_rightly(found, pictures)
    reading = found if isinstance(found, LayoutReading) else None
    return [
        *check_timing(measure_timing([frame.t_ns for frame in frames]), claimed_fps),
        check_exposure(None if camera is None else camera.exposure_s),
        *check_light(pictures, reading),
        check_focus(pictures[-1], reading),
        *check_steadiness(pictures),
        *(_no_field(found) if isinstance(found, FailedEstimation) else check_field(found)),
    ]


def check_exposure(exposure_s: float | None) -> Finding:
    """Judge the exposure time, in seconds, that the driver reports; None if it reports none."""
    if exposure_s is None:
        return Finding("exposure", Status.WARN, Sentence("not told"), Advice.UNKNOWN_EXPOSURE)
    return _judged(
        "exposure",
        EXPOSURE_S.judge(exposure_s),
        Sentence("{ms} ms", ms=f"{1e3 * exposure_s:.1f}"),
        Advice.LONG_EXPOSURE,
    )


def check_light(pictures: Sequence[Gray], reading: LayoutReading | None = None) -> list[Finding]:
    """Judge brightness, washed-out paper and grain. `pictures` show one still scene, each of shape (H, W)."""
    light = light_of(pictures[-1], reading)
    found = Sentence(
        "paper at {level} of 255, {share} % washed out",
        level=f"{light.paper:.0f}",
        share=f"{100 * light.clipped:.0f}",
    )
    is_dark = light.is_enough is not Status.OK
    status, advice = (
        (light.is_enough, Advice.TOO_DARK) if is_dark else (light.is_not_too_much, Advice.TOO_BRIGHT)
    )
    findings = [_judged("light", status, found, advice)]
    grain = noise_of(pictures)
    if grain is not None:
        findings.append(
            _judged("grain", NOISE.judge(grain), Sentence("{n} gray levels", n=f"{grain:.1f}"), Advice.GRAINY)
        )
    return findings


def check_focus(gray: Gray, reading: LayoutReading | None = None) -> Finding:
    """Judge how sharp a picture of shape (H, W) is."""
    blur = blur_mm(gray, reading)
    if blur is None:
        return Finding("focus", Status.FAIL, Sentence("no edge is seen"), Advice.SOFT)
    return _judged(
        "focus", BLUR_MM.judge(blur), Sentence("edges {mm} mm wide", mm=f"{blur:.1f}"), Advice.SOFT
    )


def check_steadiness(pictures: Sequence[Gray]) -> list[Finding]:
    """Judge whether the camera itself moves between pictures of a still scene."""
    steadiness = Steadiness(pictures[0])
    motions = [steadiness.motion(picture) for picture in pictures[1:]]
    shifts = [motion.most_px for motion in motions if isinstance(motion, CameraMotion)]
    if not shifts:
        return []  # hands or heads hide too much to tell
    most = max(shifts)
    found = Sentence("moves {px} px", px=f"{most:.1f}")
    shake_px = 0.5
    if most > shake_px:
        return [Finding("steadiness", Status.WARN, found, Advice.UNSTEADY)]
    return [Finding("steadiness", Status.OK, found)]


def check_field(reading: LayoutReading) -> list[Finding]:
    """Judge how the field appears in the picture: its size, whether all of it is in view, and the tilt."""
    cards, named = len(reading.layout), reading.named
    status = Status.OK if named == cards else Status.WARN
    found = Sentence("{n} cards found, {m} of them read", n=cards, m=named)
    card_px, angle_deg = card_width_px(reading), tilt_deg(reading)
    field_m, least_m = margins_m(reading)
    wide = Sentence("a card is {px} px wide", px=f"{card_px:.0f}")
    room = Sentence("{mm} mm of room around the field", mm=f"{1e3 * field_m:.0f}")
    if field_m < 0:
        room = Sentence("a corner of the field lies {mm} mm outside the picture", mm=f"{-1e3 * field_m:.0f}")
    slant = Sentence("about {deg} degrees from straight above", deg=f"{angle_deg:.0f}")
    return [
        _judged("field", status, found, Advice.SOFT),
        _judged("resolution", CARD_PX.judge(card_px), wide, Advice.FEW_PIXELS),
        _judged("view", MARGIN_M.judge(least_m), room, Advice.CUT_OFF),
        _judged("angle", TILT_DEG.judge(angle_deg), slant, Advice.SLANTED),
    ]


def _no_field(failed: FailedEstimation) -> list[Finding]:
    advice = failed.hint if isinstance(failed, WrongView) else Advice.NO_FIELD
    return [Finding("field", Status.FAIL, failed.reason, advice)]


def _judged(name: str, status: Status, found: str, advice: str) -> Finding:
    return Finding(name, status, found, "" if status is Status.OK else advice)
