"""The score of a half: when every mora begins, and the pitch that it is chanted on.

Every ku starts low, glides up to the reciting tone and holds it. Lengths come from the rhythm alone, so that
all poems are paced alike; what a short poem leaves over goes to the ends of its ku, most of it to the last.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from recitation.chant.pronunciation import Mora, moras, spoken
from recitation.reading.phrase import Half, Phrase
from recitation.reading.plan import SAMPLE_RATE, samples
from recitation.reading.rhythm import Rhythm

_KU_GAP_S = 0.06
_USUAL_MORAS = {Half.KAMI: 17, Half.SHIMO: 14}
_MORA_SHARE = 0.7
"""Part of a half that its moras fill; the rest lengthens the ends of its ku."""
_LONGEST_MORA_S = 0.22
_LEAST_SLACK = 0.12
"""Part of a half that is kept for the ends of its ku even where a poem has moras to spare (ji-amari)."""
_SLACK_SHARES = {Half.KAMI: (0.25, 0.15, 0.60), Half.SHIMO: (0.55, 0.45)}

_DROPS_ST = (11.3, 7.0, 7.0)
"""How far below the reciting tone the first, second and third ku begin, in semitones."""
_GLIDE_S = 0.13
_VIBRATO_HZ = 5.4
_VIBRATO_ST = 0.28
_VIBRATO_FROM_S = 0.35
"""A held tone is straight for this long; then its vibrato grows."""
_VIBRATO_GROWS_S = 1.6
_DRIFT_ST = 0.05
_FALL_ST = 0.6
"""How far the pitch sinks while the last sound of a half is let go."""
_FALL_S = 0.16


@dataclass(frozen=True, slots=True)
class Beat:
    """One mora in time: it sounds from sample `start` to sample `end` of its clip; `ku` counts from 0."""

    mora: Mora
    ku: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Score:
    """One half of a poem, ready to be sung.

    Attributes
    ----------
    phrase : which half.
    ku : its phrases in katakana as pronounced.
    beats : its moras in time.
    samples : length of the clip.
    """

    phrase: Phrase
    ku: tuple[str, ...]
    beats: tuple[Beat, ...]
    samples: int

    def of_ku(self, index: int) -> tuple[Beat, ...]:
        """Return the beats of one ku."""
        return tuple(beat for beat in self.beats if beat.ku == index)


def compose(phrase: Phrase, rhythm: Rhythm) -> Score:
    """Give a half its lengths.

    Raises
    ------
    ValueError
        Where the rhythm is "as recorded": a voice that is made needs lengths.
    """
    length_s = rhythm.length_s(phrase.half)
    if length_s is None:
        raise ValueError("a made voice needs a rhythm with lengths such as 4-3-1-5, got 'as recorded'")
    linger_s = (rhythm.linger_s or 0.0) if phrase.half is Half.SHIMO else 0.0
    ku = spoken(phrase)
    sung = [moras(part) for part in ku]
    spoken_s = length_s - linger_s
    gaps_s = _KU_GAP_S * (len(ku) - 1)
    count = sum(len(part) for part in sung)
    mora_s = min(
        _LONGEST_MORA_S,
        _MORA_SHARE * spoken_s / _USUAL_MORAS[phrase.half],
        ((1 - _LEAST_SLACK) * spoken_s - gaps_s) / count,
    )
    slack_s = spoken_s - gaps_s - count * mora_s
    beats: list[Beat] = []
    at_s = 0.0
    for index, (part, share) in enumerate(zip(sung, _SLACK_SHARES[phrase.half], strict=True)):
        for place, mora in enumerate(part):
            start_s, at_s = at_s, at_s + mora_s
            if place == len(part) - 1:
                at_s += share * slack_s + (linger_s if index == len(sung) - 1 else 0.0)
            beats.append(Beat(mora, index, samples(start_s), samples(at_s)))
        at_s += _KU_GAP_S
    return Score(phrase, ku, tuple(beats), samples(length_s))


def contour_st(score: Score, tone_st: float) -> NDArray[np.float64]:
    """Return the intended pitch of every sample, in semitones (69 = 440 Hz).

    Parameters
    ----------
    score : the half.
    tone_st : the reciting tone.

    Returns
    -------
    (score.samples,) float64; defined in the silences too, where nobody hears it.
    """
    t_s = np.arange(score.samples) / SAMPLE_RATE
    pitch = np.full(score.samples, tone_st)
    count = len(score.ku)
    ends = [score.of_ku(index)[-1].end for index in range(count)]
    for index, (begin, end) in enumerate(pairwise([0, *ends])):
        beats = score.of_ku(index)
        ku = slice(begin, end)
        rise_s = beats[1].start / SAMPLE_RATE
        pitch[ku] -= _DROPS_ST[index] * (1.0 - _ease((t_s[ku] - rise_s) / _GLIDE_S + 0.35))
        pitch[ku] += _vibrato(t_s[ku] - beats[-1].start / SAMPLE_RATE)
    pitch += _DRIFT_ST * np.sin(2 * np.pi * (0.31 * t_s + 0.17 * score.phrase.poem))
    pitch -= _FALL_ST * _ease((t_s - score.samples / SAMPLE_RATE) / _FALL_S + 1.0)
    return pitch


def _vibrato(held_s: NDArray[np.float64]) -> NDArray[np.float64]:
    """Vibrato of a tone held for `held_s` seconds: straight, then growing, its rate slowing a little."""
    depth = _VIBRATO_ST * _ease((held_s - _VIBRATO_FROM_S) / _VIBRATO_GROWS_S)
    turns = _VIBRATO_HZ * held_s - 0.06 * np.maximum(held_s - 1.0, 0.0) ** 2
    wave: NDArray[np.float64] = depth * np.sin(2 * np.pi * turns)
    return wave


def _ease(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Go smoothly from 0 (at 0 and before) to 1 (at 1 and after)."""
    return 0.5 - 0.5 * np.cos(np.pi * np.clip(x, 0.0, 1.0))
