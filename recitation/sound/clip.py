"""One half of a poem as sound, with the beginnings of its moras."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Wave = NDArray[np.float32]
"""Mono sound at 48 kHz, shape (samples,), full scale 1."""


class MoraMark(NamedTuple):
    """A mora (katakana as pronounced) and its first sample in the clip."""

    kana: str
    sample: int


@dataclass(frozen=True, slots=True, eq=False)
class Clip:
    """A half as sound.

    Attributes
    ----------
    wave : (samples,) float32; its first sample is the first sound.
    moras : in order of time; empty if they were not measured.
    """

    wave: Wave
    moras: tuple[MoraMark, ...] = ()

    @property
    def samples(self) -> int:
        """Length in samples."""
        return len(self.wave)
