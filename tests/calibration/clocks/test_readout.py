"""Read-out times recovered from pictures whose rows were exposed one after the other."""

import numpy as np
import pytest

from calibration.clocks.readout import MeasuredReadout, readout_from_edge, readout_from_flicker
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
from tests.slow_case import slow_case

HEIGHT, WIDTH = 180, 320
Pictures = list[np.typing.NDArray[np.uint8]]


def times(fps: float, frames: int, jitter_s: float = 0.0004, seed: int = 1) -> np.typing.NDArray[np.float64]:
    return (np.arange(frames) + 0.5) / fps + np.random.default_rng(seed).normal(0, jitter_s, frames)


def scene(seed: int) -> np.typing.NDArray[np.float64]:
    dice = np.random.default_rng(seed)
    return np.asarray(130 + np.kron(dice.uniform(-50, 60, (9, 16)), np.ones((20, 20))), np.float64)


def rippling(t_s: object, readout_s: float, hertz: float, depth: float, noise: float = 3.0) -> Pictures:
    dice = np.random.default_rng(5)
    rows = (np.arange(HEIGHT) + 0.5) / HEIGHT - 0.5
    pictures = []
    for t in np.asarray(t_s):
        gain = 1 + depth * np.sin(2 * np.pi * hertz * (t + rows * readout_s) + 0.7)
        pictures.append(
            scene(2) * gain[:, None] * (1 + 0.02 * np.sin(t)) + dice.normal(0, noise, (HEIGHT, WIDTH))
        )
    return [np.clip(picture, 0, 255).astype(np.uint8) for picture in pictures]


@pytest.mark.parametrize(
    ("fps", "readout_ms", "hertz"),
    [
        (29.97, 5.0, 100.0),
        (119.88, 14.0, 100.0),
        slow_case(60.0, 8.3, 100.0),
        (50.0, 10.0, 120.0),
        (60.0, 0.0, 100.0),  # a global shutter ripples as a whole
        slow_case(119.88, 0.0, 100.0),
    ],
)
def test_bands_tell_the_readout_to_a_millisecond(fps: float, readout_ms: float, hertz: float) -> None:
    t_s = times(fps, 90)
    found = readout_from_flicker(t_s, rippling(t_s, readout_ms / 1e3, hertz, 0.05))
    assert isinstance(found, MeasuredReadout), found
    assert found.seen_by == "flicker"
    assert abs(found.readout_s * 1e3 - readout_ms) <= 1.0
    assert found.unc_s < 2e-3


def test_without_ripple_or_in_step_with_it_nothing_is_claimed() -> None:
    t_s = times(60.0, 60)
    steady = readout_from_flicker(t_s, rippling(t_s, 0.010, 100.0, 0.0))
    assert isinstance(steady, FailedEstimation)
    assert "swing a ruler" in steady.hint
    t_s = times(60.0, 60, jitter_s=0.0)
    in_step = readout_from_flicker(t_s, rippling(t_s, 0.010, 120.0, 0.05))
    assert isinstance(in_step, FailedEstimation)
    assert "120 Hz would stand still" in in_step.reason


def swung(t_s: object, readout_s: float, lean_px: float = 12.0, noise: float = 3.0) -> Pictures:
    """A dark ruler, a little out of upright, swung from side to side twice a second."""
    dice = np.random.default_rng(6)
    rows = (np.arange(HEIGHT) + 0.5) / HEIGHT - 0.5
    columns = np.arange(WIDTH)
    pictures = []
    for t in np.asarray(t_s):
        place = WIDTH * (0.45 + 0.28 * np.sin(2 * np.pi * 1.1 * (t + rows * readout_s))) + lean_px * rows
        ruler = np.clip(np.minimum(columns - place[:, None], place[:, None] + 30 - columns) + 0.5, 0, 1)
        pictures.append(170 - 110 * ruler + dice.normal(0, noise, (HEIGHT, WIDTH)))
    return [np.clip(picture, 0, 255).astype(np.uint8) for picture in pictures]


@pytest.mark.parametrize("fps", [30.0, slow_case(60.0), 120.0])
@pytest.mark.parametrize("readout_ms", [0.0, slow_case(7.0), 15.0])
def test_a_swung_edge_tells_the_readout_to_a_millisecond(fps: float, readout_ms: float) -> None:
    t_s = times(fps, round(2.5 * fps))
    found = readout_from_edge(t_s, swung(t_s, readout_ms / 1e3))
    assert isinstance(found, MeasuredReadout), found
    assert abs(found.readout_s * 1e3 - readout_ms) <= 1.0


def test_a_still_scene_has_no_edge_to_follow() -> None:
    t_s = times(60.0, 60)
    found = readout_from_edge(t_s, rippling(t_s, 0.0, 100.0, 0.0))
    assert isinstance(found, FailedEstimation)
    assert "swing" in found.hint
    assert isinstance(readout_from_edge(t_s[:5], [scene(1).astype(np.uint8)] * 5), FailedEstimation)


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
