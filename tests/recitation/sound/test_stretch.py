"""Stretching: exact lengths, unchanged pitch, moras that move along."""

import numpy as np
import pytest

from recitation.reading.plan import SAMPLE_RATE
from recitation.sound.clip import Clip, MoraMark, Wave
from recitation.sound.loudness import PEAK_LIMIT, levelled, loudness_lufs
from recitation.sound.recent_sound import RecentSound, TimedSound
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


S, MS = 1_000_000_000, 1_000_000
RAMP = np.linspace(-0.5, 0.5, SAMPLE_RATE).astype(np.float32)


def test_pieces_whose_instants_jitter_are_one_sound() -> None:
    recent = RecentSound()
    for number, jitter_ns in enumerate((0, 3 * MS, -2 * MS, MS)):
        quarter = RAMP[number * 12_000 : (number + 1) * 12_000]
        recent.append(TimedSound(quarter, S + number * S // 4 + jitter_ns, 1000 * (number + 1)))
    heard = recent.between(S + 100 * MS, S + 900 * MS)
    assert heard is not None
    assert np.array_equal(heard.wave, RAMP[4_800:43_200])
    assert (heard.t_ns, heard.t_unc_ns) == (S + 100 * MS, 4000)


def test_what_was_not_heard_is_silent_and_nothing_heard_is_nothing() -> None:
    recent = RecentSound()
    assert recent.between(0, S) is None
    recent.append(TimedSound(RAMP, S, 0))
    recent.append(TimedSound(RAMP, 3 * S, 0))  # a second was lost
    heard = recent.between(S // 2, 7 * S // 2)
    assert heard is not None
    silent = np.zeros(SAMPLE_RATE, np.float32)
    expected = np.concatenate([silent[:24_000], RAMP, silent, RAMP[:24_000]])
    assert np.array_equal(heard.wave, expected)
    assert recent.between(2 * S, 3 * S) is None


def test_the_memory_is_bounded() -> None:
    recent = RecentSound()
    for number in range(100):
        recent.append(TimedSound(RAMP, number * S, 0))
    assert recent.between(0, 38 * S) is None
    assert recent.between(40 * S, 41 * S) is not None
