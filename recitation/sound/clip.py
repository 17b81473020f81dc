"""One half of a poem as sound, with the beginnings of its moras."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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
