"""One half of a poem as sound, with the beginnings of its moras; and a chime in place of a missing one."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recitation.reading.plan import SAMPLE_RATE

Wave = NDArray[np.float32]  # mono sound at 48 kHz, shape (samples,), full scale 1
_FULL_SCALE = 32_767


class MoraMark(NamedTuple):
    """A mora (katakana as pronounced) and its first sample in the clip."""

    kana: str
    sample: int


@dataclass(frozen=True, slots=True, eq=False)
class Clip:
    """A half as sound."""

    wave: Wave  # (samples,) float32; its first sample is the first sound
    moras: tuple[MoraMark, ...] = ()  # in order of time; empty if they were not measured

    @property
    def samples(self) -> int:
        return len(self.wave)


def in_16_bit(wave: Wave) -> bytes:
    """Return a wave as signed integers of 16 bit."""
    return np.rint(np.clip(wave, -1.0, 1.0) * _FULL_SCALE).astype("<i2").tobytes()


def from_16_bit(data: bytes) -> Wave:
    """Return the wave of `in_16_bit`."""
    return np.frombuffer(data, "<i2").astype(np.float32) / np.float32(_FULL_SCALE)


_PARTIALS = ((1.0, 1.0), (2.76, 0.45), (5.4, 0.2))
"""Frequency ratios and levels of the partials of a struck bar."""
_STRIKES = ((0.0, 659.26), (0.45, 880.0))
_DECAY_S = 0.6
_LEVEL = 0.2


def chime(samples: int) -> Clip:
    """Return two struck tones that ring out over `samples` samples."""
    t_s = np.arange(samples) / SAMPLE_RATE
    wave = np.zeros(samples)
    for start_s, hz in _STRIKES:
        since_s = np.maximum(t_s - start_s, 0.0)
        ring = sum(level * np.sin(2 * np.pi * hz * ratio * since_s) for ratio, level in _PARTIALS)
        wave += (
            _LEVEL * (t_s >= start_s) * np.minimum(since_s / 0.002, 1.0) * ring * np.exp(-since_s / _DECAY_S)
        )
    fading = np.minimum((samples - np.arange(samples)) / (0.05 * SAMPLE_RATE), 1.0)
    return Clip((wave * fading).astype(np.float32))
