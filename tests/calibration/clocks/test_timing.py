"""The rhythm of frames, measured from stamps whose truth is known."""

import numpy as np
import pytest

from calibration.clocks.timing import (
    FALSE_FPS,
    FRAMES_LOST,
    TOO_SLOW,
    FrameTiming,
    check_timing,
    measure_timing,
    rate_since,
)
from calibration.failure import FailedEstimation
from calibration.finding import Status

T_NS = 1e9 / 60


def stamps(
    frames: int, *, jitter_ms: float = 0.0, lost: int = 0, fps: float = 60.0, seed: int = 1
) -> list[int]:
    dice = np.random.default_rng(seed)
    ticks = np.arange(frames)
    gone = dice.choice(np.arange(1, frames - 1), lost, replace=False)
    kept = np.setdiff1d(ticks, gone)
    return [round(tick * 1e9 / fps + dice.normal(0, jitter_ms * 1e6)) for tick in kept]


def measured(*arguments: int, **options: float) -> FrameTiming:
    timing = measure_timing(stamps(*arguments, **options))  # type: ignore[arg-type]
    assert isinstance(timing, FrameTiming)
    return timing


@pytest.mark.parametrize("seed", range(5))
def test_jitter_and_lost_frames_are_told_apart(seed: int) -> None:
    timing = measured(240, jitter_ms=1.0, lost=7, seed=seed)
    assert timing.lost == 7
    assert timing.jitter_ns == pytest.approx(1e6, rel=0.2)
    assert timing.jitter_95_ns == pytest.approx(1.96e6, rel=0.25)
    assert abs(timing.interval_ns - T_NS) <= 2 * timing.interval_unc_ns


def test_frames_halved_by_the_exposure_contradict_the_driver() -> None:
    timing = measured(60, fps=30.0, jitter_ms=0.5)
    assert timing.contradicts(60.0)
    assert not timing.contradicts(30.0)
    assert not timing.contradicts(0.0)
    rate, _ = check_timing(timing, claimed_fps=60.0)
    assert (rate.status, rate.advice) == (Status.WARN, FALSE_FPS)


@pytest.mark.parametrize(
    ("fps", "lost", "statuses", "advices"),
    [
        (60.0, 0, (Status.OK, Status.OK), ("", "")),
        (30.0, 0, (Status.WARN, Status.OK), (TOO_SLOW, "")),
        (12.0, 0, (Status.FAIL, Status.OK), (TOO_SLOW, "")),
        (60.0, 9, (Status.OK, Status.WARN), ("", FRAMES_LOST)),
    ],
)
def test_a_rhythm_is_judged(
    fps: float, lost: int, statuses: tuple[Status, Status], advices: tuple[str, str]
) -> None:
    findings = check_timing(measured(120, fps=fps, lost=lost))
    assert tuple(finding.status for finding in findings) == statuses
    assert tuple(finding.advice for finding in findings) == advices


def test_too_few_frames_and_backward_clocks_are_no_measurement() -> None:
    few = measure_timing(stamps(5))
    assert isinstance(few, FailedEstimation)
    assert "at least 10" in few.reason
    stuck = measure_timing([0, 10, 20, 20, *range(30, 200, 10)])
    assert isinstance(stuck, FailedEstimation)
    assert "1 of 20 time stamps do not increase" in stuck.reason
    assert [finding.status for finding in check_timing(stuck)] == [Status.FAIL]


def test_a_rate_counts_the_steps_between_the_pictures_of_a_stretch() -> None:
    assert rate_since([0.0, 10.0, 10.1, 10.2, 10.3], 9.0) == pytest.approx(10.0)
    assert rate_since([0.0, 10.0, 10.1], 9.0) is None
