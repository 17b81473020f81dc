"""The listener's features: the power in mel bands every 10 ms, relative to what is usual for the reader.

Level, room and microphone differ from hall to hall. Each frame is therefore taken relative to the loudest one
so far, and the mean spectrum of the reader's sounding frames is subtracted. Both depend on earlier frames
only, so that a film and a live microphone give the same features.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recitation.reading.plan import SAMPLE_RATE, samples
from recitation.sound.clip import Wave

HOP = samples(0.01)
WINDOW = samples(0.025)
BANDS = 30
LOWEST_HZ, HIGHEST_HZ = 200.0, 7_000.0  # centres of the lowest and the highest band
_LEAST_WIDTH_HZ = 300.0
"""Least half width of a band: it smooths away the harmonics of voices up to this pitch."""
_RUMBLE_HZ = 150.0  # lower frequencies come from floors, fans and tables, not from a chanting voice

Bands = NDArray[np.float32]  # natural logarithm of the power per band, shape (frames, BANDS)

_TINY = 1e-10
_FLOOR = -13.0  # power is cut off this far below the loudest frame (natural logarithm of power; 56 dB)
_SOUNDING = -5.0
"""Frames above this level relative to the loudest one (22 dB below it) count for the usual spectrum."""
_OWN_FRAMES = 30.0
"""The spectrum known before counts as much as this weight of frames of the half itself (about 1 s)."""
_BACK_FRAMES = 6
_FULL_CHANGE = 2.0
"""Change of the bands within 60 ms, root mean square of ln(power), from which a frame has weight 1."""
_LEAST_WEIGHT = 0.05


@dataclass(frozen=True, slots=True, eq=False)
class Usual:
    """The usual spectrum of a reader in a room."""

    # (BANDS,) mean of the sounding frames, each relative to the loudest frame of its half
    shape: NDArray[np.float32]
    # length of the vocal tract relative to the usual one; it moves all bands down by that factor
    tract: float = 1.1


def mel(hz: float | NDArray[np.float64]) -> NDArray[np.float64]:
    """Return frequencies on the mel axis (O'Shaughnessy, 1987)."""
    return np.asarray(2595 * np.log10(1 + np.asarray(hz) / 700))


def band_weights(hz: NDArray[Any]) -> NDArray[np.float64]:
    """Return the weight of the power at some frequencies in each band, shape (frequencies, BANDS)."""
    places_mel = np.linspace(float(mel(LOWEST_HZ)), float(mel(HIGHEST_HZ)), BANDS)
    centres_hz = 700 * (10 ** (places_mel / 2595) - 1)
    widths_hz = np.maximum(np.gradient(centres_hz), _LEAST_WIDTH_HZ)
    triangles = np.maximum(1 - np.abs(hz[:, None] - centres_hz) / widths_hz, 0.0)
    return np.asarray(triangles / (1 + (_RUMBLE_HZ / np.maximum(hz, 1.0)) ** 4)[:, None])


_WINDOW = np.hanning(WINDOW + 1)[:-1].astype(np.float32)


@cache
def _weights(tract: float) -> NDArray[np.float32]:
    return band_weights(np.fft.rfftfreq(WINDOW, 1 / SAMPLE_RATE) * tract).astype(np.float32)


def log_bands(wave: Wave, tract: float = 1.0, *, padded: bool = True) -> Bands:
    """Return the bands of a wave, (samples,) at 48 kHz.

    Frame n is centred on sample `n * HOP`; without padding, half a window later.

    `tract`: length of the reader's vocal tract relative to the usual one (Eide and Gish, A parametric
    approach to vocal tract length normalization, 1996).
    """
    sound = np.asarray(wave, np.float32)
    if padded:
        sound = np.pad(sound, (WINDOW // 2, WINDOW // 2))
    frames = np.lib.stride_tricks.sliding_window_view(sound, WINDOW)[::HOP]
    power = np.abs(np.fft.rfft(frames * _WINDOW)) ** 2
    return np.asarray(np.log(power @ _weights(tract) + _TINY), np.float32)


def normalised(bands: Bands, usual: Usual) -> tuple[Bands, NDArray[np.float32]]:
    """Subtract the level and the usual spectrum; frame n depends on no later frame.

    Returns: the bands, and (BANDS,) the mean of this half's sounding frames; the usual one if there are none.
    """
    level = np.logaddexp.reduce(bands, axis=1)
    loudest = np.maximum.accumulate(level)
    beside = np.maximum(bands - loudest[:, None], _FLOOR)
    # without the weights a held vowel would become the usual spectrum and be subtracted from itself
    weight = np.where(level - loudest > _SOUNDING, change_weights(beside), 0.0)[:, None]
    total, count = np.cumsum(weight * beside, axis=0), np.cumsum(weight, axis=0)
    mean = (_OWN_FRAMES * usual.shape + total) / (_OWN_FRAMES + count)
    own = total[-1] / count[-1] if len(bands) else usual.shape
    return np.asarray(beside - mean, np.float32), np.asarray(own, np.float32)


def change_weights(bands: Bands) -> NDArray[np.float32]:
    """Return the weight of each frame, (frames,), at most 1: it grows with the change of sound just before.

    So a vowel held for three seconds counts no more than a short one.
    """
    before = np.concatenate([np.repeat(bands[:1], _BACK_FRAMES, axis=0), bands])[: len(bands)]
    change = np.sqrt(np.mean((bands - before) ** 2, axis=1))
    return np.asarray(np.clip(change / _FULL_CHANGE, _LEAST_WEIGHT, 1.0), np.float32)
