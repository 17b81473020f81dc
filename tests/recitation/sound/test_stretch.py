"""Stretching: exact lengths, unchanged pitch, moras that move along."""

import numpy as np
import pytest

from recitation.reading.plan import SAMPLE_RATE
from recitation.sound.clip import Clip, MoraMark, Wave
from recitation.sound.stretch import StretchError, stretched


def tone(seconds: float, hz: float = 300.0) -> Wave:
    t_s = np.arange(round(seconds * SAMPLE_RATE)) / SAMPLE_RATE
    partials = [np.sin(2 * np.pi * hz * k * t_s) / k for k in (1, 2, 3)]
    wave: Wave = (0.3 * np.sum(partials, axis=0)).astype(np.float32)
    return wave


def main_hz(wave: Wave) -> float:
    spectrum = np.abs(np.fft.rfft(wave * np.hanning(len(wave))))
    return float(np.argmax(spectrum) * SAMPLE_RATE / len(wave))


@pytest.mark.parametrize("factor", [0.5, 0.83, 1.0, 1.2, 2.0])
def test_length_is_exact_and_pitch_and_level_stay(factor: float) -> None:
    clip = Clip(tone(2.0), (MoraMark("ア", 0), MoraMark("イ", 48_000)))
    wanted = round(clip.samples * factor)
    made = stretched(clip, [(0, 0), (clip.samples, wanted)])
    assert made.samples == wanted
    assert main_hz(made.wave) == pytest.approx(300.0, abs=2.0)
    middle = made.wave[wanted // 4 : 3 * wanted // 4]
    assert np.sqrt(np.mean(middle**2)) == pytest.approx(np.sqrt(np.mean(clip.wave**2)), rel=0.05)
    assert made.moras == (MoraMark("ア", 0), MoraMark("イ", round(48_000 * factor)))
    assert np.array_equal(made.wave[:480], clip.wave[:480]), "the first sound is untouched"


def test_parts_are_stretched_apart_from_each_other() -> None:
    wave = np.concatenate([tone(1.0, 200.0), tone(1.0, 400.0)])
    made = stretched(Clip(wave), [(0, 0), (48_000, 72_000), (96_000, 120_000)])
    assert made.samples == 120_000
    assert main_hz(made.wave[:68_000]) == pytest.approx(200.0, abs=2.0)
    assert main_hz(made.wave[76_000:]) == pytest.approx(400.0, abs=2.0)


@pytest.mark.parametrize("wanted", [30_000, 300_000])
def test_too_much_is_refused(wanted: int) -> None:
    with pytest.raises(StretchError, match="choose a rhythm nearer"):
        stretched(Clip(tone(2.0)), [(0, 0), (96_000, wanted)])
