"""Loudness as people hear it (ITU-R BS.1770-4, one channel), and levelling to it."""

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import maximum_filter1d, uniform_filter1d
from scipy.signal import sosfilt

from recitation.reading.plan import SAMPLE_RATE

TARGET_LUFS = -20.0  # level of every clip
PEAK_LIMIT = 0.66
"""Largest sample, as a part of full scale; the headroom is for the overshoot of a lossy codec."""
_LIMITER_S = 0.004

_K_WEIGHTING = np.array(
    [
        [1.53512485958697, -2.69169618940638, 1.19839281085285, 1.0, -1.69065929318241, 0.73248077421585],
        [1.0, -2.0, 1.0, 1.0, -1.99004745483398, 0.99007225036621],
    ]
)
"""Second-order sections of the K weighting at 48 kHz, from the recommendation's tables."""
_BLOCK_S = 0.4
_STEP_S = 0.1
_ABSOLUTE_GATE_LUFS = -70.0
_RELATIVE_GATE_LU = -10.0
_OFFSET_LUFS = -0.691


def loudness_lufs(wave: NDArray[np.floating]) -> float:
    """Return the integrated loudness of a wave at 48 kHz, shape (samples,); -inf for silence."""
    weighted = sosfilt(_K_WEIGHTING, np.asarray(wave, dtype=np.float64))
    block, step = round(_BLOCK_S * SAMPLE_RATE), round(_STEP_S * SAMPLE_RATE)
    if len(weighted) < block:
        weighted = np.pad(weighted, (0, block - len(weighted)))
    total = np.concatenate([[0.0], np.cumsum(weighted**2)])
    starts = np.arange(0, len(weighted) - block + 1, step)
    power = (total[starts + block] - total[starts]) / block
    heard = power[_lufs(power) > _ABSOLUTE_GATE_LUFS]
    if not len(heard):
        return float("-inf")
    loud = heard[_lufs(heard) > _lufs(np.mean(heard)) + _RELATIVE_GATE_LU]
    return float(_lufs(np.mean(loud)))


def levelled(wave: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the wave at the target loudness, with peaks above `PEAK_LIMIT` turned down smoothly."""
    scaled, loud = np.asarray(wave, dtype=np.float64), loudness_lufs(wave)
    if loud == float("-inf"):
        return scaled
    scaled = scaled * 10 ** ((TARGET_LUFS - loud) / 20)
    reach = round(_LIMITER_S * SAMPLE_RATE)
    peaks = maximum_filter1d(np.abs(scaled), 4 * reach + 1)
    gain = np.minimum(1.0, PEAK_LIMIT / np.maximum(peaks, PEAK_LIMIT))
    # the averaging window is shorter than the peak hold, so the mean never exceeds the gain a peak needs
    return scaled * uniform_filter1d(gain, 2 * reach + 1, mode="nearest")


def _lufs(power: NDArray[np.float64] | float) -> NDArray[np.float64]:
    with np.errstate(divide="ignore"):
        return np.asarray(_OFFSET_LUFS + 10 * np.log10(power))
