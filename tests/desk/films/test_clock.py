"""The delay of a film's pictures, measured by the hits in its sound."""

from typing import Any

import numpy as np
import pytest

from desk.films.sound import lateness
from recitation.imports.decoding import Track
from recitation.reading.plan import SAMPLE_RATE
from vision.simulator.hall.recorder import render_sound

TOUCHED_MS = (2000.0, 5000.0, 9000.0, 13000.0)


def poems(late_ms: float, touched_ms: tuple[float, ...] = TOUCHED_MS) -> list[dict[str, Any]]:
    """Return what the eye says of poems of which the sound is `late_ms` early."""
    return [{"touches": [{"kind": "touch", "t_ms": t_ms + late_ms, "t_unc_ms": 5.0}]} for t_ms in touched_ms]


def heard(begins_s: float = 0.0) -> Track:
    truth = {"poems": [{"touches": [{"t_ms": t_ms, "player": "near"}]} for t_ms in TOUCHED_MS]}
    wave = render_sound(truth, 15.0, seed=3)
    return Track(wave[round(begins_s * SAMPLE_RATE) :], begins_s)


@pytest.mark.parametrize("late_ms", [-40.0, 0.0, 35.0])
@pytest.mark.parametrize("begins_s", [0.0, 0.7])
def test_pictures_are_as_late_as_touches_come_after_their_hits(late_ms: float, begins_s: float) -> None:
    late = lateness(heard(begins_s), poems(late_ms))
    assert late is not None
    assert late.mean_ns / 1e6 == pytest.approx(late_ms, abs=max(4.0, late.unc_ns / 1e6))
    assert late.unc_ns < 20e6


def test_too_few_hits_tell_nothing() -> None:
    assert lateness(heard(), poems(20.0, TOUCHED_MS[:2])) is None
    assert lateness(Track(np.zeros(15 * SAMPLE_RATE, np.float32), 0.0), poems(20.0)) is None
    assert lateness(heard(), [{"touches": []}]) is None
