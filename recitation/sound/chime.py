"""The last resort if a clip is missing: a chime, while the panel shows the poem's text."""

from __future__ import annotations

import numpy as np

from recitation.reading.plan import SAMPLE_RATE
from recitation.sound.clip import Clip

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
    return Clip(
        (wave * np.minimum((samples - np.arange(samples)) / (0.05 * SAMPLE_RATE), 1.0)).astype(np.float32)
    )
