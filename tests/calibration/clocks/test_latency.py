"""An injected camera latency is found again, from flashes that are only seen frame by frame."""

import numpy as np
import pytest

from calibration.clocks.latency import Offset, camera_latency, changes
from calibration.failure import FailedEstimation
from tests.slow_case import slow_case

MS = 1_000_000


def flashes(count: int, seed: int) -> list[tuple[int, bool]]:
    """Switch a screen on and off at irregular instants."""
    dice = np.random.default_rng(seed)
    at_ns, bright, shown = 500 * MS, False, []
    for _ in range(count):
        at_ns += round(dice.uniform(110, 270) * MS)
        bright = not bright
        shown.append((at_ns, bright))
    return shown


def filmed(
    shown: list[tuple[int, bool]], latency_ms: float, fps: float, seed: int, *, exposure_ms: float = 4.0,
    jitter_ms: float = 0.5, noise: float = 1.0,
) -> tuple[list[int], list[float]]:  # fmt: skip
    """Return stamps and brightness of a camera whose stamps come `latency_ms` late."""
    dice = np.random.default_rng(seed + 100)
    last_ns = shown[-1][0] + 400 * MS
    steps = np.array([at for at, _ in shown])
    levels = np.array([40.0, *(200.0 if bright else 40.0 for _, bright in shown)])
    begin_ns = dice.uniform(0, 1e9 / fps)
    stamps, brightness = [], []
    for number in range(int(last_ns * fps / 1e9)):
        middle_ns = begin_ns + number * 1e9 / fps
        moments = middle_ns + (np.linspace(0, 1, 21) - 0.5) * exposure_ms * MS
        light = levels[np.searchsorted(steps, moments, side="right")].mean()
        stamps.append(round(middle_ns + latency_ms * MS + dice.normal(0, jitter_ms * MS)))
        brightness.append(float(light + dice.normal(0, noise)))
    return stamps, brightness


@pytest.mark.parametrize("fps", [30.0, slow_case(59.94), 120.0])
@pytest.mark.parametrize("latency_ms", [3.0, slow_case(37.3), 141.0])
def test_an_injected_latency_is_found_to_two_milliseconds(fps: float, latency_ms: float) -> None:
    errors, covered = [], []
    for seed in range(8):
        shown = flashes(70, seed)
        found = camera_latency(shown, changes(*filmed(shown, latency_ms, fps, seed)), 0.5 * MS)
        assert isinstance(found, Offset), found
        assert found.n >= 66
        errors.append(abs(found.mean_ns / MS - latency_ms))
        covered.append(errors[-1] <= found.unc_ns / MS)
    assert max(errors) <= 1.5
    assert np.mean(covered) >= 0.85


def test_a_camera_that_looks_elsewhere_measures_nothing() -> None:
    shown = flashes(20, 1)
    stamps, _ = filmed(shown, 20.0, 30.0, 1)
    nothing = camera_latency(shown, changes(stamps, [99.0 + number % 2 for number in range(len(stamps))]))
    assert isinstance(nothing, FailedEstimation)
    assert "0 of 20 flashes" in nothing.reason
    assert changes([5], [100.0]) == []
