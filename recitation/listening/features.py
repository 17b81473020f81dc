"""What a voice says, apart from who says it, at which pitch and at which pace.

The spectral envelope (harmonics smoothed away) on a warped frequency axis gives cepstra. Their path is walked
in equal steps of change rather than of time, so that a vowel held for three seconds counts no more than one
held for a tenth.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.fft import dct

from recitation.reading.plan import SAMPLE_RATE, samples
from recitation.sound.clip import Wave

Path = NDArray[np.float64]
"""A walk through sounds, shape (steps, features), each row of unit length."""

HOP = samples(0.01)
STEPS = 150
_FFT = 2048
_BANDS = 32
_CEPSTRA = 12
_LOWEST_HZ, _HIGHEST_HZ = 120.0, 10_000.0
_SMOOTHING_HZ = 300.0
"""Width over which the harmonics of a voice are smoothed away."""
_QUIET = 0.03
"""Frames below this part of the loudest are silence."""
_SPREAD_WEIGHT = 3.0
NO_MEAN = np.zeros(1)
"""For `walk`: what is centred already has no mean to take off."""


def cepstra(wave: Wave, tract: float = 1.0) -> NDArray[np.float64]:
    """Return the envelope's cepstra of every sounding 10 ms, shape (frames, 12), level left out.

    Parameters
    ----------
    wave : (samples,) at 48 kHz.
    tract : how much longer the speaker's vocal tract is taken to be than a template's: all bands are moved
        down by it (vocal tract length normalisation).
    """
    return spectra(wave, tract)[0]


def spectra(wave: Wave, tract: float = 1.0) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the cepstra as `cepstra` does, and the sample at which each of their frames is centred."""
    padded = np.pad(np.asarray(wave, dtype=np.float64), _FFT // 2)
    frames = np.lib.stride_tricks.sliding_window_view(padded, _FFT)[::HOP]
    power = np.abs(np.fft.rfft(frames * np.hanning(_FFT))) ** 2
    level = np.sqrt(power.sum(axis=1))
    sounding = np.flatnonzero(level > _QUIET * np.percentile(level, 98))
    power = power[sounding]
    envelope = _smoothed(power, round(_SMOOTHING_HZ * _FFT / SAMPLE_RATE))
    bands = envelope @ _bands(tract)
    floor = 1e-7 * bands.max(initial=1e-12)
    coefficients: NDArray[np.float64] = dct(np.log(bands + floor), axis=1, norm="ortho")[:, 1 : _CEPSTRA + 1]
    return coefficients, sounding * HOP


def walk(
    coefficients: NDArray[np.float64], steps: int = STEPS, mean: NDArray[np.float64] | None = None
) -> Path:
    """Return the path of cepstra in equal steps of change, each with its own direction beside it.

    Parameters
    ----------
    coefficients : (frames, 12).
    steps : rows of the path.
    mean : (12,) the speaker's usual cepstra; None takes the path's own mean.
    """
    even = evenly(coefficients, steps)
    direction = _SPREAD_WEIGHT * np.gradient(even, 2, axis=0)
    rows = np.hstack([even - (even.mean(axis=0) if mean is None else mean), direction])
    unit: Path = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    return unit


def evenly(coefficients: NDArray[np.float64], steps: int = STEPS) -> NDArray[np.float64]:
    """Return cepstra in equal steps of change, shape (steps, 12)."""
    places, way = progress(coefficients, steps)
    return np.stack([np.interp(places, way, column) for column in coefficients.T], axis=1)


def progress(
    coefficients: NDArray[np.float64], steps: int = STEPS
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return how far the path has come at each equal step, shape (steps,), and at each frame, (frames,)."""
    change = np.linalg.norm(np.diff(coefficients, axis=0), axis=1)
    way = np.concatenate([[0.0], np.cumsum(change)])
    return np.linspace(0.0, way[-1], steps), way


def _smoothed(power: NDArray[np.float64], width: int) -> NDArray[np.float64]:
    padded = np.pad(power, ((0, 0), (width // 2 + 1, width // 2)), mode="edge")
    total = np.cumsum(padded, axis=1)
    mean: NDArray[np.float64] = (total[:, width:] - total[:, :-width]) / width
    return mean[:, : power.shape[1]]


@cache
def _bands(tract: float) -> NDArray[np.float64]:
    """Return triangular bands, evenly spaced on the mel axis, shape (bins, bands)."""
    edges_mel = np.linspace(_mel(_LOWEST_HZ), _mel(_HIGHEST_HZ), _BANDS + 2)
    edges_hz = 700 * (10 ** (edges_mel / 2595) - 1) / tract
    hz = np.linspace(0.0, SAMPLE_RATE / 2, _FFT // 2 + 1)[:, None]
    rising = (hz - edges_hz[:-2]) / (edges_hz[1:-1] - edges_hz[:-2])
    falling = (edges_hz[2:] - hz) / (edges_hz[2:] - edges_hz[1:-1])
    bands: NDArray[np.float64] = np.maximum(np.minimum(rising, falling), 0.0)
    bands /= bands.sum(axis=0)
    return bands


def _mel(hz: float) -> float:
    return float(2595 * np.log10(1 + hz / 700))
