"""When each mora of a recording begins: it is aligned with a built-in voice whose moras are known."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from recitation.listening.features import NO_MEAN, progress, spectra, walk
from recitation.listening.matching import alignment
from recitation.listening.reader import Reader
from recitation.sound.clip import Clip, MoraMark, Wave


def measured_moras(wave: Wave, reader: Reader, told: Clip) -> tuple[MoraMark, ...]:
    """Return the moras of a recorded half.

    Parameters
    ----------
    wave : the half, (samples,), its first sample is its first sound.
    reader : who reads.
    told : the same half in the reader's `voice`, with its moras.

    Returns
    -------
    As many moras as `told` has, in time; the first one at sample 0.
    """
    own, own_at = spectra(wave, reader.tract)
    other, other_at = spectra(told.wave)
    own = (own - reader.mean) @ reader.map
    other = other - other.mean(axis=0)
    pairs = alignment(walk(own, mean=NO_MEAN), walk(other, mean=NO_MEAN))
    own_steps, own_way = progress(own)
    other_steps, other_way = progress(other)
    begins = np.array([mark.sample for mark in told.moras], dtype=np.float64)
    frames = np.interp(begins, other_at, np.arange(len(other_at)))
    way = np.interp(frames, np.arange(len(other_way)), other_way)
    steps = np.interp(way, other_steps, np.arange(len(other_steps)))
    heard = np.interp(np.interp(steps, *_steady(pairs)), np.arange(len(own_steps)), own_steps)
    found = np.interp(np.interp(heard, own_way, np.arange(len(own_way))), np.arange(len(own_at)), own_at)
    found[0] = 0.0
    return tuple(
        MoraMark(mark.kana, round(float(sample)))
        for mark, sample in zip(told.moras, np.maximum.accumulate(found), strict=True)
    )


def _steady(pairs: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return each step of the second walk once, and the middle of the first walk's steps that go with it."""
    steps = np.unique(pairs[:, 1])
    partners = [pairs[pairs[:, 1] == step, 0].mean() for step in steps]
    return steps.astype(np.float64), np.array(partners)
