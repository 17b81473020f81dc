"""The pitch and level contours of a half, as a trained reader shapes them.

`contours.json` holds medians over a reader's halves (`tools/learn_contours.py`): a half starts low and steps
up to the reciting tone, its last ku dips once more, the tone shakes slightly throughout, the level falls from
ku to ku, and the last vowel fades.
"""

import json
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d

from recitation.chant.score import Score
from recitation.reading.plan import SAMPLE_RATE

_STEP = SAMPLE_RATE // 200
"""Samples between the places at which a contour is computed; it is linear in between."""
_SHAKE_WIDTH = 0.35
"""Relative variation of the shake's depth; rate and depth change over about `_SHAKE_CHANGES_S`."""
_SHAKE_CHANGES_S = 0.25


@cache
def learnt() -> MappingProxyType[str, Any]:
    """Return the learnt table, `contours.json`."""
    return MappingProxyType(
        json.loads(resources.files(__package__).joinpath("contours.json").read_text("utf-8"))
    )


def contour_st(score: Score, tone_st: float) -> NDArray[np.float64]:
    """Return the intended pitch of every sample, also of the silences, in semitones (69 = 440 Hz)."""
    t_s = _times_s(score)
    table = learnt()
    opening = table["opening"]
    pitch = np.full(len(t_s), tone_st)
    for index, drop_st in enumerate(opening[score.phrase.half]):
        since_s = t_s - score.of_ku(index)[0].start / SAMPLE_RATE
        pitch += np.interp(since_s, opening["at_s"], drop_st, left=0.0, right=0.0)
    course, depth = _last_vowel(score, t_s, "pitch_st", "depth_st")
    return _every_sample(pitch + course + depth * _shake(score, t_s), score)


def level_db(score: Score) -> NDArray[np.float64]:
    """Return the intended level of every sample in dB, without the differences between vowels."""
    t_s = _times_s(score)
    table = learnt()
    places: list[tuple[float, float]] = []
    for index, course in enumerate(table["course_db"][score.phrase.half]):
        starts = [beat.start for beat in score.of_ku(index)]
        middles = np.interp(
            np.arange(len(course)) / (len(course) - 1), np.linspace(0, 1, len(starts)), starts
        )
        places += list(zip(middles / SAMPLE_RATE, course, strict=True))
    at_s, at_db = (np.array(column) for column in zip(*places, strict=True))
    course, depth = _last_vowel(score, t_s, "level_db", "level_db")
    together = table["shake"]["inside"]["correlation"]
    own = _smooth(score, 4, len(t_s), 0.03)
    own -= gaussian_filter1d(own, 0.2 * SAMPLE_RATE / _STEP)
    shake = together * _shake(score, t_s) + np.sqrt((1 - together**2) / 2) * own
    return _every_sample(np.interp(t_s, at_s, at_db) + course + depth * shake, score)


def _last_vowel(
    score: Score, t_s: NDArray[np.float64], course: str, depth: str
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what the last vowel of a half adds, nothing before it, and the depth of the shake throughout."""
    begin, end = score.beats[-1].start / SAMPLE_RATE, score.samples / SAMPLE_RATE
    share, ending, shake = (t_s - begin) / (end - begin), learnt()["ending"], learnt()["shake"]
    added = np.interp(share, ending["share"], ending[score.phrase.half][course]) * (share >= 0)
    depths = np.where(share < 0, shake["inside"][depth], shake["last"][depth])
    return added, np.asarray(gaussian_filter1d(depths, 10.0))


def _shake(score: Score, t_s: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the shake of the voice with depth 1; it is irregular and differs from half to half."""
    inside = learnt()["shake"]["inside"]
    rate_hz = inside["rate_hz"] + inside["rate_sd_hz"] * _smooth(score, 1, len(t_s), _SHAKE_CHANGES_S)
    turns = np.cumsum(np.clip(rate_hz, 2.0, 9.0)) * _STEP / SAMPLE_RATE
    depth = np.maximum(1 + _SHAKE_WIDTH * _smooth(score, 2, len(t_s), _SHAKE_CHANGES_S), 0.0)
    return np.asarray(depth * np.sin(2 * np.pi * turns))


def _smooth(score: Score, which: int, count: int, sigma_s: float) -> NDArray[np.float64]:
    """Return noise of unit deviation, smooth over about `sigma_s`, reproducible for each half."""
    dice = np.random.default_rng([score.phrase.poem, len(score.phrase.half), which])
    sigma = sigma_s * SAMPLE_RATE / _STEP
    rough = gaussian_filter1d(dice.standard_normal(count), sigma, mode="wrap")
    return np.asarray(rough * np.sqrt(2 * sigma * np.sqrt(np.pi)))


def _times_s(score: Score) -> NDArray[np.float64]:
    return np.arange(0, score.samples + _STEP, _STEP) / SAMPLE_RATE


def _every_sample(values: NDArray[np.float64], score: Score) -> NDArray[np.float64]:
    return np.interp(np.arange(score.samples), np.arange(len(values)) * _STEP, values)
