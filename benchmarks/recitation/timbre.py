"""Measure what makes a held tone of the built-in voices more than a repeated spectrum.

    uv run --extra voices python -m benchmarks.recitation.timbre [--every 10]

For the lingers of second halves: how far the vibrato swings as the tone is held, how the spectral envelope
moves, and how much breath there is beside the harmonics. A flat vocoder stands beside it: the same mean
spectrum at the same steady pitch. All is measured before the codec, whose own noise moves levels by 1 dB.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from benchmarks.command import read_options
from benchmarks.recitation.melody import measured
from recitation.chant.contours import contour_st
from recitation.chant.score import compose
from recitation.reading.phrase import Half, Phrase
from recitation.reading.plan import SAMPLE_RATE, samples
from recitation.reading.rhythm import DEFAULT
from recitation.sound.clip import Wave
from recitation.voices.catalogue import BUILT_IN
from recitation.voices.rendered_voice import Rendered
from referee.cards.poems import POEMS

_AFTER_S = (0.3, 0.9, 1.5, 2.1, 2.7)
"""Seconds after the last mora begins: a row of four stretches."""
_FFT = 2048
_HARMONICS = 12
_HIGHEST_HARMONIC_HZ = 8_000.0


def main() -> None:
    """Print one table per pack."""
    options = read_options(__doc__, every=10)
    print(
        f"{'pack':14s} {'held s':>10s} {'vibrato ct':>11s} {'motion dB':>12s} {'flat dB':>8s} {'HNR dB':>7s}"
    )
    for name in BUILT_IN:
        voice = Rendered.of(name, DEFAULT)
        rows = np.mean(
            [_row(voice, Phrase(poem, Half.SHIMO)) for poem in list(POEMS)[:: options.every]], axis=0
        )
        for (low_s, high_s), (vibrato, moves, flat, hnr) in zip(pairwise(_AFTER_S), rows, strict=True):
            print(
                f"{name:14s} {low_s:4.1f}-{high_s:4.1f} {vibrato:11.1f} {moves:12.2f} {flat:8.2f} {hnr:7.1f}"
            )


def _row(voice: Rendered, phrase: Phrase) -> NDArray[np.float64]:
    """Return vibrato, motion of the envelope, that of the flat vocoder, and HNR by stretch, shape (4, 4)."""
    score = compose(phrase, voice.rhythm)
    tone_st = voice.timbre.tone_st
    contour = contour_st(score, tone_st)
    wave = voice.clip(phrase).wave
    begin = score.beats[-1].start
    tone_hz = 440 * 2 ** ((tone_st - 69) / 12)
    flat = _flat(wave[begin + samples(0.3) : begin + samples(2.7)], tone_hz)
    rows = []
    for low_s, high_s in pairwise(_AFTER_S):
        first, last = begin + samples(low_s), begin + samples(high_s)
        pitch_st = measured(wave, contour, np.arange(first, last, samples(0.005)))
        part = flat[: last - first]
        rows.append((
            100 * np.sqrt(2) * float(np.std(pitch_st)),
            _motion_db(wave[first:last], 440 * 2 ** ((contour[first:last] - 69) / 12)),
            _motion_db(part, np.full(len(part), tone_hz)),
            _hnr_db(wave[first:last], contour[first:last]),
        ))  # fmt: skip
    return np.array(rows)


def _motion_db(wave: Wave, pitch_hz: NDArray[np.float64]) -> float:
    """Return how far the harmonics' levels move between fifths of a second, RMS, loudness left out."""
    turns = np.cumsum(pitch_hz) / SAMPLE_RATE
    window = np.hanning(samples(0.05))
    starts = range(0, len(wave) - len(window), samples(0.05))
    levels = np.array(
        [
            [
                abs(
                    (wave[at : at + len(window)] * window)
                    @ np.exp(-2j * np.pi * k * turns[at : at + len(window)])
                )
                for k in range(1, _HARMONICS + 1)
            ]
            for at in starts
        ]
    )
    level_db = 20 * np.log10(levels / window.sum() + 1e-5)
    level_db -= level_db.mean(axis=1, keepdims=True)
    slow = level_db[: len(level_db) // 4 * 4].reshape(-1, 4, _HARMONICS).mean(axis=1)
    return float(np.sqrt(np.mean(np.diff(slow, axis=0) ** 2)))


def _hnr_db(wave: Wave, contour_st_: NDArray[np.float64]) -> float:
    """Return harmonics beside noise: how like the wave is to itself one period later (Boersma, 1993)."""
    found = []
    for at in range(0, len(wave) - 6_000, 2_400):
        period = SAMPLE_RATE / (440 * 2 ** ((contour_st_[at + 1_200] - 69) / 12))
        here = wave[at : at + 2_400].astype(np.float64)
        shifts = np.arange(period - 3, period + 3.01, 0.25)
        later = [
            np.interp(np.arange(2_400) + shift, np.arange(4_000), wave[at : at + 4_000]) for shift in shifts
        ]
        like = max(here @ one / np.sqrt((here @ here) * (one @ one) + 1e-12) for one in later)
        found.append(10 * np.log10(like / max(1 - like, 1e-6)))
    return float(np.median(found))


def _flat(wave: Wave, pitch_hz: float) -> Wave:
    """Return the wave's mean spectrum on a steady pitch, as a vocoder that repeats one frame sings it."""
    frames = np.lib.stride_tricks.sliding_window_view(wave.astype(np.float64), _FFT)[::480]
    level = np.sqrt((np.abs(np.fft.rfft(frames * np.hanning(_FFT))) ** 2).mean(axis=0))
    harmonics = np.arange(1, int(_HIGHEST_HARMONIC_HZ / pitch_hz)) * pitch_hz
    levels = np.interp(harmonics, np.fft.rfftfreq(_FFT, 1 / SAMPLE_RATE), level)
    t_s = np.arange(len(wave)) / SAMPLE_RATE
    made = sum(own * np.cos(2 * np.pi * hz * t_s) for own, hz in zip(levels, harmonics, strict=True))
    made = made / np.sqrt(np.mean(made**2)) * np.sqrt(np.mean(wave**2))
    return np.asarray(made, dtype=np.float32)


if __name__ == "__main__":
    main()
