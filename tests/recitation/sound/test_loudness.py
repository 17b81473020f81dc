"""Loudness against the values that the recommendation's own reference signals must give."""

import numpy as np
import pytest

from recitation.reading.plan import SAMPLE_RATE
from recitation.sound.loudness import PEAK_LIMIT, levelled, loudness_lufs


def sine(hz: float, level_dbfs: float, seconds: float = 5.0) -> np.ndarray:
    t_s = np.arange(round(seconds * SAMPLE_RATE)) / SAMPLE_RATE
    return 10 ** (level_dbfs / 20) * np.sin(2 * np.pi * hz * t_s)


@pytest.mark.parametrize(("hz", "level", "lufs"), [(997.0, 0.0, -3.01), (997.0, -20.0, -23.01)])
def test_the_reference_tone(hz: float, level: float, lufs: float) -> None:
    assert loudness_lufs(sine(hz, level)) == pytest.approx(lufs, abs=0.02)


def test_silence_around_a_sound_does_not_count() -> None:
    tone = sine(997.0, -20.0)
    padded = np.concatenate([np.zeros(5 * SAMPLE_RATE), tone, np.zeros(5 * SAMPLE_RATE)])
    assert loudness_lufs(padded) == pytest.approx(loudness_lufs(tone), abs=0.3)


def test_silence_has_no_loudness_and_stays_silent() -> None:
    silence = np.zeros(SAMPLE_RATE)
    assert loudness_lufs(silence) == float("-inf")
    assert not levelled(silence).any()


def test_peaks_are_turned_down_without_touching_the_rest() -> None:
    wave = sine(400.0, -30.0)
    wave[100_000] = 0.9
    made = levelled(wave)
    assert np.abs(made).max() <= PEAK_LIMIT + 1e-9
    gain = made[:90_000][wave[:90_000] != 0] / wave[:90_000][wave[:90_000] != 0]
    assert np.ptp(gain) < 1e-9
