"""The read-out time of a rolling shutter, from rippling lamps and from the shear of flying cards."""

import numpy as np
import pytest

from vision.frames.shutter import SLOWEST_NS, Readout, RippleMeter, RowClock, usual

BANDS = 90


def rippled(fps: float, readout_ms: float, lamp_hz: float, depth: float, seconds: float = 0.6) -> RippleMeter:
    """Note frames under a lamp; their times are rounded to milliseconds as containers round them."""
    rng = np.random.default_rng(4)
    meter = RippleMeter()
    share = (np.arange(BANDS) + 0.5) / BANDS - 0.5
    for t_ms in np.arange(3.0, 1000 * seconds, 1000 / fps):
        phase = 2 * np.pi * lamp_hz * (t_ms + share * readout_ms) / 1000
        brightness = 120 * (1 + depth * np.sin(phase + 0.7)) + rng.normal(0, 0.15, BANDS)
        meter.note(round(t_ms) * 1_000_000, brightness)
    return meter


@pytest.mark.parametrize(
    ("fps", "lamp_hz"), [(60.0, 100.0), (120.0, 100.0), (240.0, 100.0), (50.0, 120.0), (100.0, 120.0)]
)
@pytest.mark.parametrize("readout_ms", [0.0, 4.0, 8.3])
def test_a_rippling_lamp_tells_the_readout(fps: float, readout_ms: float, lamp_hz: float) -> None:
    found = rippled(fps, readout_ms, lamp_hz, depth=0.03).readout()
    assert found is not None
    assert abs(found.mean_ns / 1e6 - readout_ms) < 0.5
    assert abs(found.mean_ns / 1e6 - readout_ms) < 2.5 * found.sigma_ns / 1e6


def test_a_steady_lamp_tells_nothing() -> None:
    assert rippled(120.0, 8.0, 100.0, depth=0.0).readout() is None
    assert rippled(120.0, 8.0, 100.0, depth=0.03, seconds=0.1).readout() is None


def test_without_measurements_any_usual_camera_is_allowed_for() -> None:
    found = usual(1e9 / 60)
    for readout_ns in (0.0, 8e6, 13e6):
        assert abs(readout_ns - found.mean_ns) < 2 * found.sigma_ns


def test_what_the_bench_measured_is_better_than_what_is_usual() -> None:
    measured = Readout(11.2e6, 0.3e6)
    assert RowClock(measured).readout(16.7e6) == measured
    assert RowClock().readout(16.7e6).sigma_ns > 5 * measured.sigma_ns


def test_a_poem_without_two_neighbouring_frames_leaves_the_readout_open() -> None:
    """Where a busy machine or a cable lost them, their step is not known: no number is made of that."""
    known = RowClock().readout(0.0)
    assert known.sigma_ns >= RowClock().readout(1e9).sigma_ns > 0
    assert 0 < known.mean_ns <= SLOWEST_NS
