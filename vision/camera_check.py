"""Is this camera good enough to referee by? A second of its pictures, and a mend for whatever is not.

Each finding's `advice` is one of the constants below, without figures, so that a panel can translate it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.failed import FailedEstimation
from calibration.finding import Finding, Status
from calibration.knock import CameraMotion, Steadiness
from calibration.timing import check_timing, measure_timing
from referee.layout import CARD_WIDTH_M, TERRITORY_DEPTH_M, TERRITORY_GAP_M, TERRITORY_WIDTH_M
from vision.frames import Frame, Gray
from vision.layout_reader import LayoutReading, read_layout
from vision.sources.formats import CameraFormat

NO_PICTURE = "check the camera's cable, and close other programs that use it"
LONG_EXPOSURE = "set the exposure by hand to 4 ms or less and add light: moving hands must not smear"
UNKNOWN_EXPOSURE = "the driver does not tell the exposure: set it by hand to 4 ms or less if you can"
TOO_DARK = "add light from two sides, or open the exposure or gain a little"
TOO_BRIGHT = "take away light or shorten the exposure: white paper must not be washed out"
GRAINY = "add light and turn the gain down: grain hides small motions"
SOFT = "focus the camera on the cards by hand, switch autofocus off, and clean the lens"
FEW_PIXELS = "come nearer, zoom in or choose a larger picture: 1280 x 720 for the whole field"
NO_FIELD = "lay the cards out and aim the camera straight down at them, with even light"
CUT_OFF = "move the camera until both territories and a hand's width around them are in the picture"
SLANTED = "hang the camera above the middle of the field and aim it straight down"
UNSTEADY = "fix the camera so that it does not shake"

_LONG_EXPOSURE_S, _LONGEST_EXPOSURE_S = 0.0045, 0.0085
_DARK, _BRIGHT = 50.0, 215.0  # of the brighter half of the picture, in gray levels
_WASHED_SHARE = 0.02
_GRAIN = 5.0  # gray levels
_SOFT, _BLURRED = 0.42, 0.62
_GOOD_CARD_PX, _LEAST_CARD_PX = 48.0, 26.0
_SLANT_DEG, _STEEP_DEG = 15.0, 28.0
_MARGIN_M = 0.04
_SHAKE_PX = 0.5
_PICTURES = 8
_FIELD_M = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (
    TERRITORY_WIDTH_M / 2,
    TERRITORY_GAP_M / 2 + TERRITORY_DEPTH_M,
)


def check_camera(frames: Sequence[Frame], camera: CameraFormat | None = None) -> list[Finding]:
    """Judge a second or two of a camera that looks at a laid-out field.

    Parameters
    ----------
    frames : at least ten, in the order they came, nobody reaching over the field.
    camera : what the driver says of itself, where it says something.

    Returns
    -------
    One finding each named `fps`, `frames`, `exposure`, `light`, `grain`, `focus`, `steadiness`, `field`,
    `resolution`, `view` and `angle`; those that need what another could not find are left out.
    """
    if not frames:
        return [Finding("fps", Status.FAIL, "no picture came", NO_PICTURE)]
    claimed_fps = 0.0 if camera is None else camera.fps
    pictures = [frames[round(at)].gray for at in np.linspace(0, len(frames) - 1, _PICTURES)]
    return [
        *check_timing(measure_timing([frame.t_ns for frame in frames]), claimed_fps),
        check_exposure(None if camera is None else camera.exposure_s),
        *check_light(pictures),
        check_focus(pictures[-1]),
        *check_steadiness(pictures),
        *check_field(pictures),
    ]


def check_exposure(exposure_s: float | None) -> Finding:
    """Judge the exposure time that the driver tells."""
    if exposure_s is None:
        return Finding("exposure", Status.WARN, "not told", UNKNOWN_EXPOSURE)
    found = f"{1e3 * exposure_s:.1f} ms"
    if exposure_s <= _LONG_EXPOSURE_S:
        return Finding("exposure", Status.OK, found)
    status = Status.WARN if exposure_s <= _LONGEST_EXPOSURE_S else Status.FAIL
    return Finding("exposure", status, found, LONG_EXPOSURE)


def check_light(pictures: Sequence[Gray]) -> list[Finding]:
    """Judge brightness, washed-out paper and grain; `pictures` shows one scene, each of shape (H, W)."""
    latest = pictures[-1]
    level = float(np.percentile(latest[::4, ::4], 75))
    washed = float((latest >= 254).mean())
    found = f"brightness {level:.0f} of 255, {100 * washed:.1f} % washed out"
    if level < _DARK:
        light = Finding("light", Status.FAIL if level < _DARK / 2 else Status.WARN, found, TOO_DARK)
    elif washed > _WASHED_SHARE or level > _BRIGHT:
        light = Finding("light", Status.WARN, found, TOO_BRIGHT)
    else:
        light = Finding("light", Status.OK, found)
    grain = grain_of(pictures)
    said = f"{grain:.1f} gray levels"
    if grain > _GRAIN:
        return [light, Finding("grain", Status.WARN, said, GRAINY)]
    return [light, Finding("grain", Status.OK, said)]


def grain_of(pictures: Sequence[Gray]) -> float:
    """Return the noise of a pixel in gray levels, from what changes between pictures of a still scene.

    The median of the changes is the noise even where something moves in a small part of the picture.
    """
    if len(pictures) < 2:
        return 0.0
    spreads = []
    for earlier, later in pairwise(pictures):
        if earlier.shape != later.shape:
            continue
        change = later.astype(np.float32) - earlier
        # neighbours share brightness and flicker: their difference keeps only each pixel's own noise
        own = change[:, 1:] - change[:, :-1]
        spreads.append(float(np.sqrt(np.mean(np.square(np.clip(own, -64, 64))))) / 2)
    return float(np.median(spreads)) if spreads else 0.0


def check_focus(gray: Gray) -> Finding:
    """Judge how sharp a picture is."""
    blur = blur_of(gray)
    found = f"blur {blur:.2f}"
    if blur <= _SOFT:
        return Finding("focus", Status.OK, found)
    return Finding("focus", Status.WARN if blur <= _BLURRED else Status.FAIL, found, SOFT)


def blur_of(gray: Gray) -> float:
    """Return how blurred a picture is, 0 (sharp) to 1, by how much further blurring changes its edges.

    Crete, Dolmiere, Ladret and Nicolas, "The blur effect: perception and estimation with a new no-reference
    perceptual blur metric" (2007): a sharp picture loses most of its differences between neighbours.
    """
    picture = cv2.GaussianBlur(gray, (0, 0), 0.8).astype(np.float32)  # grain is no sharpness
    kept = []
    for axis, kernel in ((0, (1, 9)), (1, (9, 1))):
        smoothed = cv2.blur(picture, kernel)
        before, after = np.abs(np.diff(picture, axis=axis)), np.abs(np.diff(smoothed, axis=axis))
        strong = before > _strong(before)
        total = float(before[strong].sum())
        lost = float(np.maximum(0, before - after)[strong].sum())
        kept.append(1.0 if total == 0 else 1.0 - lost / total)
    return max(kept)


def _strong(differences: NDArray[np.float32]) -> float:
    edge: np.float64 = np.percentile(differences.astype(np.float64), 95)
    return max(2.0, float(edge))


def check_steadiness(pictures: Sequence[Gray]) -> list[Finding]:
    """Judge whether the camera itself moves between pictures of a still scene."""
    steadiness = Steadiness(pictures[0])
    motions = [steadiness.motion(picture) for picture in pictures[1:]]
    shifts = [motion.most_px for motion in motions if isinstance(motion, CameraMotion)]
    if not shifts:
        return []  # hands or heads hide too much to tell
    most = max(shifts)
    found = f"moves {most:.1f} px"
    if most > _SHAKE_PX:
        return [Finding("steadiness", Status.WARN, found, UNSTEADY)]
    return [Finding("steadiness", Status.OK, found)]


def check_field(pictures: Sequence[Gray]) -> list[Finding]:
    """Judge how the field lies in the picture: found, large enough, all in view, seen from above."""
    reading = read_layout(pictures)
    if not isinstance(reading, LayoutReading):
        return [_no_field(reading)]
    cards = len(reading.layout)
    named = sum(placed.card is not None for placed in reading.layout)
    status = Status.OK if named == cards else Status.WARN
    found = f"{cards} cards found, {named} of them read"
    return [
        Finding("field", status, found, "" if status is Status.OK else SOFT),
        _resolution(reading),
        _view(reading),
        _angle(reading),
    ]


def _no_field(failed: FailedEstimation) -> Finding:
    return Finding("field", Status.FAIL, failed.reason, NO_FIELD)


def _resolution(reading: LayoutReading) -> Finding:
    card_px = reading.geometry.px_per_m(np.zeros(2)) * CARD_WIDTH_M
    found = f"a card is {card_px:.0f} px wide"
    if card_px >= _GOOD_CARD_PX:
        return Finding("resolution", Status.OK, found)
    status = Status.WARN if card_px >= _LEAST_CARD_PX else Status.FAIL
    return Finding("resolution", status, found, FEW_PIXELS)


def _view(reading: LayoutReading) -> Finding:
    """Say whether both territories are in the picture, with room to see hands come."""
    geometry = reading.geometry
    inside_m = []
    for field_m in _FIELD_M:
        at_px = geometry.to_image(field_m)
        inside_px = np.minimum(at_px, np.array([geometry.width_px - 1, geometry.height_px - 1]) - at_px)
        inside_m.append(inside_px.min() / geometry.px_per_m(field_m))
    least_m = float(np.min(inside_m))
    if least_m < 0:
        found = f"a corner of the field lies {-1e3 * least_m:.0f} mm outside the picture"
        return Finding("view", Status.FAIL, found, CUT_OFF)
    found = f"{1e3 * least_m:.0f} mm of room around the field"
    if least_m < _MARGIN_M:
        return Finding("view", Status.WARN, found, CUT_OFF)
    return Finding("view", Status.OK, found)


def _angle(reading: LayoutReading) -> Finding:
    """Say how far from straight above the camera looks at the middle of the field.

    A plane seen at an angle is foreshortened by its cosine along the direction of the tilt only.
    """
    step = 1e-3 * np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    at, right, down = reading.geometry.to_image(step)
    longest, shortest = np.linalg.svd(np.array([right - at, down - at]), compute_uv=False)
    angle_deg = float(np.rad2deg(np.arccos(shortest / longest)))
    found = f"about {angle_deg:.0f} degrees from straight above"
    if angle_deg <= _SLANT_DEG:
        return Finding("angle", Status.OK, found)
    return Finding("angle", Status.WARN if angle_deg <= _STEEP_DEG else Status.FAIL, found, SLANTED)
