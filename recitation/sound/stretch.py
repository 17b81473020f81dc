"""Sound made longer or shorter without changing its pitch (waveform-similarity overlap-add)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from recitation.reading.plan import samples
from recitation.sound.clip import Clip, MoraMark, Wave
from referee.sentence import SentenceError

Knot = tuple[int, int]  # a sample of the source, and the sample of the result at which it sounds

_HOP = samples(0.012)
_WINDOW = 2 * _HOP
_SEARCH = samples(0.008)  # largest shift of a window to continue the wave before it
_STRIDE = 2  # compare every second sample: half the work, no audible difference


class StretchError(SentenceError, ValueError):
    """A length cannot be reached without ruining the sound."""


_LIMITS = (0.4, 2.5)


def stretched(clip: Clip, knots: Sequence[Knot]) -> Clip:
    """Return the clip with every knot's source sample at its target, and linear in between.

    Raises StretchError if a part would become more than 2.5 times as long, or less than 0.4 times.

    `clip`: the clip to stretch; the marks of its moras are moved as well. `knots`: at least the first sample
    (0, 0) and the end (clip.samples, wanted length), increasing.
    """
    source, target = (np.array(column, dtype=np.float64) for column in zip(*knots, strict=True))
    if source[0] or target[0] or source[-1] != clip.samples or np.any(np.diff(source) <= 0):
        raise ValueError(f"knots must rise from (0, 0) to ({clip.samples}, length), got {list(knots)}")
    ratios = np.diff(target) / np.diff(source)
    if ratios.min() < _LIMITS[0] or ratios.max() > _LIMITS[1]:
        raise StretchError(
            "expected parts to keep {least:g} to {most:g} times their length, got {shortest:.2f} to "
            "{longest:.2f}; choose a rhythm nearer to the recording",
            least=_LIMITS[0],
            most=_LIMITS[1],
            shortest=float(ratios.min()),
            longest=float(ratios.max()),
        )
    moras = tuple(
        MoraMark(mark.kana, round(float(np.interp(mark.sample, source, target)))) for mark in clip.moras
    )
    is_same = np.array_equal(source, target)
    return Clip(clip.wave if is_same else _overlap_add(clip.wave, source, target), moras)


def _overlap_add(wave: Wave, source: NDArray[np.float64], target: NDArray[np.float64]) -> Wave:
    length = int(target[-1])
    margin = _WINDOW + _SEARCH
    padded = np.pad(wave, (margin, 2 * margin))
    window = np.hanning(_WINDOW + 1)[:-1].astype(np.float32)
    made = np.zeros(length + 2 * _WINDOW, dtype=np.float32)
    at = 0  # first source sample of the latest window
    for start in range(0, length, _HOP):
        wanted = round(float(np.interp(start, target, source)))
        at = _most_alike(padded, at + _HOP + margin, wanted + margin) - margin if start else 0
        made[start : start + _WINDOW] += window * padded[at + margin : at + margin + _WINDOW]
    made[:_HOP] = wave[:_HOP]  # the first samples are those of the source, so that the onset is exact
    return made[:length]


def _most_alike(padded: Wave, natural: int, wanted: int) -> int:
    """Return the place near `wanted` where the wave is most similar to its continuation at `natural`."""
    template = padded[natural : natural + _WINDOW : _STRIDE]
    low = max(wanted - _SEARCH, 0)
    field = padded[low : low + 2 * _SEARCH + _WINDOW : _STRIDE]
    if len(template) < _WINDOW // _STRIDE or len(field) < len(template):
        return wanted
    alike = np.correlate(field, template, mode="valid")
    energy = np.cumsum(np.concatenate([[0.0], field.astype(np.float64) ** 2]))
    own = energy[len(template) :] - energy[: -len(template)]
    return low + _STRIDE * int(np.argmax(alike / np.sqrt(own[: len(alike)] + 1e-9)))
