"""The stretches of sound between the silences of a recording."""

import numpy as np

from recitation.reading.plan import SAMPLE_RATE, samples
from recitation.sound.clip import Wave

BLOCK_S = 0.005
_BLOCK = samples(BLOCK_S)
_THRESHOLD = 10 ** (-30 / 20)  # level of sound relative to the recording's loud parts (-30 dB)
_ONSET = 10 ** (-40 / 20)
_ONSET_S = 0.12
_LEAST_SILENCE_S = 0.45
LEAST_SOUND_S = 1.0
_SILENT = 1e-4
KEEP_BEFORE_S = 0.005
_KEEP_AFTER_S = 0.15
_CLIPPED = 0.999
_CLIPPED_RUN = 4

Stretch = tuple[int, int]  # first sample, and first sample after the end


def stretches(wave: Wave, noise: float = 0.0, least_s: float = LEAST_SOUND_S) -> list[Stretch]:
    """Return the stretches of sound, separated by silences of at least 0.45 s.

    A stretch begins with the faint first consonant, not with the loud voice; those shorter than `least_s` are
    left out. `noise`: level of the room, see `noise_level`; sound must exceed three times this level.
    """
    level = levels_of(wave)
    loud = float(np.percentile(level, 98)) if len(level) else 0.0
    if loud < _SILENT:
        return []
    sounding, audible = max(loud * _THRESHOLD, 3 * noise), audible_level(level, noise)
    found: list[list[int]] = []
    for block in np.flatnonzero(level > sounding):
        if found and (block - found[-1][1]) * _BLOCK < samples(_LEAST_SILENCE_S):
            found[-1][1] = int(block) + 1
        else:
            found.append([int(block), int(block) + 1])
    return [
        (_first_sound(level, first, audible), min(last * _BLOCK + samples(_KEEP_AFTER_S), len(wave)))
        for first, last in found
        if (last - first) * _BLOCK >= samples(least_s)
    ]


def audible_level(levels: Wave, noise: float) -> float:
    """Return the level from which sound stands out from the room, as `stretches` takes it."""
    return max(float(np.percentile(levels, 98)) * _ONSET, 2 * noise)


def is_clipped(wave: Wave) -> bool:
    """Tell whether the recording was too loud: several samples in a row at full scale."""
    full = np.abs(wave) >= _CLIPPED
    runs = np.convolve(full, np.ones(_CLIPPED_RUN), mode="valid")
    return bool(np.any(runs >= _CLIPPED_RUN))


def noise_level(wave: Wave) -> float:
    """Return the level of the quietest moments of a recording that holds silences."""
    level = levels_of(wave)
    return float(np.percentile(level, 2)) if len(level) else 0.0


def _first_sound(level: Wave, first: int, audible: float) -> int:
    earliest = max(first - round(_ONSET_S * SAMPLE_RATE / _BLOCK), 0)
    while first > earliest and level[first - 1] > audible:
        first -= 1
    return max(first * _BLOCK - samples(KEEP_BEFORE_S), 0)


def levels_of(wave: Wave) -> Wave:
    """Return the level of each whole block of 5 ms, root mean square."""
    blocks = wave[: len(wave) // _BLOCK * _BLOCK].reshape(-1, _BLOCK)
    return np.asarray(np.sqrt(np.mean(blocks**2, axis=1)), dtype=np.float32)
