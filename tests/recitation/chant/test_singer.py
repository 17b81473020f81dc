"""The built-in voice as it is made: needs the extra `voices`."""

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("pyopenjtalk", reason="the extra 'voices' is not installed (uv sync --extra voices)")

from recitation.chant.contours import contour_st
from recitation.chant.score import Score
from recitation.chant.singer import TIMBRES, Singer
from recitation.chant.speech import Speaker
from recitation.reading.phrase import Half, Phrase
from recitation.reading.plan import SAMPLE_RATE
from recitation.reading.rhythm import DEFAULT, parse_rhythm
from recitation.sound.loudness import loudness_lufs


@pytest.fixture(scope="module")
def singer() -> Singer:
    return Singer(Speaker())


def pitch_st(wave: NDArray[np.float32], at: int, about_hz: float) -> float:
    """Measure the pitch around a sample by the phase that the fundamental gains within 10 ms."""
    step, size = SAMPLE_RATE // 100, SAMPLE_RATE // 25
    carrier = np.exp(-2j * np.pi * about_hz * np.arange(size + step) / SAMPLE_RATE)
    part = wave[at - (size + step) // 2 :][: size + step] * carrier
    window = np.hanning(size)
    before, after = (part[:size] * window).sum(), (part[step : step + size] * window).sum()
    hz = about_hz + np.angle(after / before) / (2 * np.pi * step / SAMPLE_RATE)
    return float(69 + 12 * np.log2(hz / 440))


def errors_st(wave: NDArray[np.float32], score: Score, tone_st: float) -> list[float]:
    contour = contour_st(score, tone_st)
    middles = [
        beat.start + (beat.end - beat.start) * part // 10 for beat in score.beats for part in (6, 7, 8)
    ]
    return [
        abs(pitch_st(wave, at, 440 * 2 ** ((contour[at] - 69) / 12)) - contour[at])
        for at in middles
        if np.ptp(contour[at - 2400 : at + 2400]) < 1.0
    ]


@pytest.mark.parametrize("voice", TIMBRES)
def test_the_melody_is_the_intended_one(singer: Singer, voice: str) -> None:
    wave, score = singer.sing(Phrase(29, Half.KAMI), DEFAULT, TIMBRES[voice])
    errors = errors_st(wave, score, TIMBRES[voice].tone_st)
    assert len(errors) > 30
    assert np.median(errors) <= 0.05, "semitones"


@pytest.mark.parametrize("half", Half)
def test_a_clip_is_exact_levelled_and_sounds_at_once(singer: Singer, half: Half) -> None:
    rhythm = parse_rhythm("4.5-2-1-5.5")
    wave, score = singer.sing(Phrase(17, half), rhythm, TIMBRES["high"])
    assert len(wave) == score.samples
    assert abs(loudness_lufs(wave) + 20) < 0.3
    assert np.abs(wave).max() < 0.7
    rms = np.sqrt(np.mean(wave**2))
    assert np.argmax(np.abs(wave) > 0.05 * rms) < 0.01 * SAMPLE_RATE
    assert np.abs(wave[-48:]).max() < 0.02, "let go without a click"


def test_wrong_phonemes_are_refused(singer: Singer, monkeypatch: pytest.MonkeyPatch) -> None:
    other = singer.speaker.labels("カキク")
    monkeypatch.setattr(singer.speaker, "labels", lambda ku: other)
    with pytest.raises(ValueError, match="expected the phonemes k a k i k e"):
        singer.speaker.speak("カキケ")
