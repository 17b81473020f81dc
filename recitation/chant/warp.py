"""Stretching speech to a score: consonants and vowel edges keep their pace, vowel middles are held."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from recitation.chant.contours import vowel_db
from recitation.chant.score import Beat
from recitation.chant.speech import FRAME_S, WARP_ALPHA, Speech
from recitation.reading.plan import SAMPLE_RATE

HOP = round(FRAME_S * SAMPLE_RATE)  # samples between two frames
UNVOICED = frozenset({"k", "ky", "s", "sh", "t", "ts", "ch", "h", "hy", "f", "p", "py"})
VOWELS = frozenset("aiueoN")

_EDGE_FRAMES = 9.0  # frames at each end of a vowel that keep their pace (45 ms)
_LONGEST_CONSONANT = 0.4  # largest part of a mora that its consonant fills
_NEPERS_PER_DB = np.log(10) / 20
_ONSET = np.log(0.1)
"""A first sound begins where its level reaches this, in nepers relative to its loudest moment."""


def frequencies(count: int) -> NDArray[np.float64]:
    """Return `count` angular frequencies from 0 to pi on the warped axis of the mel-cepstra."""
    return warped(np.linspace(0.0, np.pi, count))


def warped(omega: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return angular frequencies on the warped axis of the mel-cepstra."""
    axis: NDArray[np.float64] = omega + 2 * np.arctan2(
        WARP_ALPHA * np.sin(omega), 1 - WARP_ALPHA * np.cos(omega)
    )
    return axis


def loudness(cepstra: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the level of each frame in nepers (natural logarithm of the amplitude), shape (frames,)."""
    order = np.arange(cepstra.shape[1])
    log_amplitude = cepstra @ np.cos(np.outer(order, frequencies(129)))
    level: NDArray[np.float64] = 0.5 * np.log(np.mean(np.exp(2 * log_amplitude), axis=1))
    return level


def stretch(speech: Speech, beats: tuple[Beat, ...]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Stretch one ku to its beats.

    Returns
    -------
    cepstra : (frames, 35), a frame every `HOP` samples of the clip, from the one at or before the first beat
        to the one after the last.
    voiced : (frames,) 1 for voiced frames, 0 for unvoiced ones.
    """
    level = loudness(speech.cepstra)
    cepstra = speech.cepstra + _evening(speech, level)[:, None] * (np.arange(speech.cepstra.shape[1]) == 0)
    begin, end = _audible(speech, level)
    source: list[float] = []
    target: list[float] = []
    marks: list[tuple[float, bool]] = []
    at = 0
    for beat in beats:
        start, stop = beat.start / HOP, beat.end / HOP
        for phoneme in beat.mora.phonemes:
            first, last = max(speech.edges[at], begin), min(speech.edges[at + 1], end)
            at += 1
            if phoneme in VOWELS:
                own = _vowel(first, last, start, stop)
            else:
                stop_at = start + min(last - first, _LONGEST_CONSONANT * (stop - start))
                own = [(first, start), (last, stop_at)]
            marks.append((own[0][1], phoneme not in UNVOICED))
            source += [point[0] for point in own]
            target += [point[1] for point in own]
            start = own[-1][1]
    times = np.arange(beats[0].start // HOP, beats[-1].end // HOP + 2)
    # a frame describes the middle of its 5 ms; beyond the ku the outermost frames are repeated
    places = np.clip(np.interp(times, target, source) - 0.5, 0, len(cepstra) - 1)
    low = np.minimum(places.astype(int), len(cepstra) - 2)
    part = (places - low)[:, None]
    onset, is_voiced = (np.array(column) for column in zip(*marks, strict=True))
    voiced = is_voiced[np.maximum(np.searchsorted(onset, times, side="right") - 1, 0)].astype(float)
    return (1 - part) * cepstra[low] + part * cepstra[low + 1], voiced


def _vowel(first: float, last: float, start: float, stop: float) -> list[tuple[float, float]]:
    length, wanted = last - first, stop - start
    edge = min(_EDGE_FRAMES, 0.4 * length, 0.4 * wanted)
    if wanted <= length:
        return [(first, start), (last, stop)]
    return [(first, start), (first + edge, start + edge), (last - edge, stop - edge), (last, stop)]


def _audible(speech: Speech, level: NDArray[np.float64]) -> tuple[float, float]:
    """Return the first and last audible frame of a ku, without the closure before and the fading after it."""
    first, last = speech.phonemes[0], len(level)
    loudest = level[: speech.edges[1]].max()
    begin = (
        int(np.argmax(level >= loudest + _ONSET))
        if first not in VOWELS
        else int(np.argmax(level >= loudest + _ONSET / 2))
    )
    vowel = level[speech.edges[-2] :]
    last = speech.edges[-2] + int(np.flatnonzero(vowel >= vowel.max() + _ONSET / 4)[-1]) + 1
    return float(begin), float(last)


def _evening(speech: Speech, level: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the gain in nepers, (frames,), that brings each vowel of a ku to a reader's level."""
    centres, gains = [], []
    for phoneme, (first, last) in zip(speech.phonemes, pairwise(speech.edges), strict=True):
        if phoneme in VOWELS:
            centres.append((first + last) / 2)
            gains.append(vowel_db(phoneme) * _NEPERS_PER_DB - level[first:last].max())
    gain: NDArray[np.float64] = np.interp(np.arange(len(level)), centres, gains)
    return gain
