"""When a pressed card began to slide, from its shift over time."""

from collections.abc import Callable

import numpy as np
import pytest

from tests.vision.painted_table import PaintedTable
from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.field.slots import Sight
from vision.launch.onset import braked as gripped
from vision.launch.onset import slide_onset

PRESSED_MS = 200.0


@pytest.fixture(scope="module")
def field() -> FieldModel:
    table = PaintedTable()
    return FieldModel(np.asarray(table.gray(), np.float32), table.slots)


def minimum_jerk(t_ms: float, slide_ms: float) -> float:
    share = float(np.clip((t_ms - PRESSED_MS) / slide_ms, 0.0, 1.0))
    return share**3 * (10 - 15 * share + 6 * share**2)


def braked(t_ms: float, slide_ms: float) -> float:
    share = float(np.clip((t_ms - PRESSED_MS) / slide_ms, 0.0, 1.0))
    return share * (2 - share)


def slipping(t_ms: float, slide_ms: float) -> float:
    return float(gripped(np.array([t_ms - PRESSED_MS]), slide_ms, 3.0)[0])


def slid(fps: float, shift: Callable[[float], float], phase_ms: float = 0.0) -> tuple[list[Sight], Departure]:
    rng = np.random.default_rng(3)
    times = np.arange(100.0 + phase_ms, 320.0, 1000 / fps)
    sights = [
        Sight(round(t * 1e6), 8, (np.array([shift(t), 0.0]) + rng.normal(0, 0.03, 2)).astype(np.float32))
        for t in times
    ]
    still = max(t for t in times if shift(t) < 0.2)
    departure = Departure((slice(0, 10), slice(0, 10)), round(still * 1e6), settled_ns=round(times[-1] * 1e6))
    departure.final_shift_px = np.array([shift(320.0), 0.0])
    return sights, departure


@pytest.mark.parametrize("fps", [30.0, 60.0, 120.0, 240.0])
@pytest.mark.parametrize("slide_ms", [8.0, 15.0])
@pytest.mark.parametrize("curve", [minimum_jerk, braked, slipping])
def test_the_interval_holds_the_truth_and_narrows_with_the_frame_rate(
    field: FieldModel, fps: float, slide_ms: float, curve: Callable[[float, float], float]
) -> None:
    misses = 0
    for phase_ms in np.linspace(0, 1000 / fps, 9):
        sights, departure = slid(fps, lambda t: 1.2 * curve(t, slide_ms), float(phase_ms))
        onset = slide_onset(field, 4, sights, departure)
        assert onset is not None
        assert onset.t_unc_ns / 1e6 < 9.0 + 600 / fps
        misses += abs(onset.t_ns / 1e6 - PRESSED_MS) > onset.t_unc_ns / 1e6
    assert misses <= 1


@pytest.mark.parametrize("fps", [60.0, 120.0, 240.0])
@pytest.mark.parametrize("held_ms", [0.0, 25.0])
def test_a_card_that_creeps_below_a_hand_may_have_been_touched_before(
    field: FieldModel, fps: float, held_ms: float
) -> None:
    """It slides by a millimetre and a half in 80 ms, once the hand has lain on it for a while."""
    for phase_ms in np.linspace(0, 1000 / fps, 5):
        sights, departure = slid(fps, lambda t: 1.5 * minimum_jerk(t - held_ms, 80.0), float(phase_ms))
        onset = slide_onset(field, 4, sights, departure)
        assert onset is not None
        assert abs(onset.t_ns / 1e6 - PRESSED_MS) < onset.t_unc_ns / 1e6 < 150.0
