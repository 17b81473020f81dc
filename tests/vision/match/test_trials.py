"""Trials in a hall: what shook the pictures on purpose is measured again."""

from collections.abc import Callable, Iterator
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.conftest import UnseenField
from vision.field.layout_reader import LayoutReading, read_layout
from vision.field.picture_quality import px_per_m_of
from vision.frames.frame import Frame, Gray
from vision.match.trials import HallTrials, Trial

FPS = 60.0


@pytest.fixture(scope="module")
def px_per_mm(full_field: UnseenField) -> float:
    reading = read_layout([full_field.gray])
    assert isinstance(reading, LayoutReading)
    return px_per_m_of(reading) / 1e3


def shifted(gray: Gray, x: float, y: float) -> Gray:
    height, width = gray.shape
    warp = np.array([[1.0, 0.0, x], [0.0, 1.0, y]])
    way = cv2.INTER_CUBIC
    return np.asarray(cv2.warpAffine(gray, warp, (width, height), flags=way, borderMode=cv2.BORDER_REPLICATE))


def pictures(change: Callable[[float], Gray], seconds: float, noise: float = 1.5) -> Iterator[Frame]:
    """Yield pictures with a camera's noise, before the first trial, too."""
    dice = np.random.default_rng(3)
    for index in range(-12, round(seconds * FPS)):
        t_s = max(index / FPS, 0.0)
        seen = change(t_s) + dice.normal(0, noise, (720, 1280))
        gray = np.clip(np.rint(seen), 0, 255).astype(np.uint8)
        yield Frame(gray, round((index + 12) * 1e9 / FPS), 1_000, index + 12)


def figures(trial: Trial, change: Callable[[float], Gray], seconds: float = 1.5) -> dict[str, Any]:
    trials = HallTrials()
    for frame in pictures(change, seconds):
        if frame.index == 12:
            trials.begin(trial)
        trials.feed(frame)
    trials.end()
    return trials.figures()


def test_a_quiet_hall_shows_only_the_cameras_noise(full_field: UnseenField) -> None:
    told = figures(Trial.QUIET, lambda _: full_field.gray)
    assert told["fps"] == pytest.approx(60, abs=0.01)
    assert told["lost_share"] == 0
    assert told["tremble_mm"] < 0.05
    assert told["drift_mm"] < 0.02
    assert told["floor_mm"] < 0.15
    assert told["ripple_share"] < 0.01
    assert told["told"] == {"quiet": {"nothing": 1}}
    assert told["unread"] == 0


@pytest.mark.parametrize(("size_mm", "rate_hz"), [(0.3, 8.0), (0.9, 5.0), (1.5, 12.0)])
def test_a_trembling_camera_is_told_by_its_size_and_rate(
    full_field: UnseenField, px_per_mm: float, size_mm: float, rate_hz: float
) -> None:
    def trembling(t_s: float) -> Gray:
        way_px = size_mm * px_per_mm * np.sin(2 * np.pi * rate_hz * t_s)
        return shifted(full_field.gray, 0.8 * way_px, 0.6 * way_px)

    told = figures(Trial.QUIET, trembling)
    assert told["tremble_mm"] == pytest.approx(size_mm, abs=0.08 + 0.05 * size_mm)
    assert told["tremble_hz"] == pytest.approx(rate_hz, abs=0.4)
    assert told["noise_mm"] < 0.12  # no card seems to move beside the others


def test_a_slap_is_told_by_how_far_cards_jump_at_which_distance_from_the_hand(
    full_field: UnseenField, px_per_mm: float
) -> None:
    reading = read_layout([full_field.gray])
    assert isinstance(reading, LayoutReading)
    slots = reading.slots()
    middles = np.array([slot.centre_px for slot in slots])
    hand_px = middles[:, 0].min() - 75 * px_per_mm, middles[:, 1].max()  # beside the lowest row
    away_mm = np.hypot(*(middles - hand_px).T) / px_per_mm
    jumper, far = int(np.argmin(away_mm)), int(np.argmax(away_mm))
    jumps_mm = {jumper: 0.8, far: 0.4}

    def slapping(t_s: float) -> Gray:
        gray: Gray = full_field.gray.copy()
        if t_s > 0.6:
            for number, jump_mm in jumps_mm.items():
                x0, y0 = np.floor(slots[number].corners_px.min(axis=0)).astype(int) - 2
                x1, y1 = np.ceil(slots[number].corners_px.max(axis=0)).astype(int) + 3
                gray[y0:y1, x0:x1] = shifted(full_field.gray, jump_mm * px_per_mm, 0.0)[y0:y1, x0:x1]
        if 0.4 < t_s < 0.8:
            place = tuple(int(side) for side in hand_px)
            cv2.ellipse(gray, place, (round(28 * px_per_mm), round(28 * px_per_mm)), 0, 0, 360, 40, -1)
            cv2.line(gray, place, (place[0], 719), 40, round(40 * px_per_mm))
        return gray

    told = figures(Trial.SLAP, slapping)
    near, *_, farthest = told["shock"]["slap"]["most_mm"]
    assert near == pytest.approx(0.8, abs=0.1)
    assert farthest == pytest.approx(0.4, abs=0.1)
    assert told["floor_mm"] == pytest.approx(0.8, abs=0.1)
    assert told["told"]["slap"].get("touch", 0) == 0


@pytest.mark.parametrize("share", [0.0, 0.6])
def test_the_lag_of_a_camera_that_mixes_its_pictures_is_told(full_field: UnseenField, share: float) -> None:
    shown = full_field.gray.astype(np.float64)

    def waving(t_s: float) -> Gray:
        nonlocal shown
        gray: Gray = full_field.gray.copy()
        if 0.2 < t_s < 1.3:
            x = 480 + round(320 * abs(np.sin(2 * np.pi * 1.5 * t_s)))  # between the cards of both sides
            cv2.line(gray, (x, 719), (x, 480), 35, 60)
        shown = share * shown + (1 - share) * gray
        return np.asarray(shown)

    lag_ms = share / (1 - share) * 1e3 / FPS
    assert figures(Trial.HOVER, waving)["lag_ms"] == pytest.approx(lag_ms, rel=0.25)
