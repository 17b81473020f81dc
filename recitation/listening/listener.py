"""Which poem a human reader may be reading. A suggestion is never a ruling: the operator confirms it.

Every stretch of sound is compared with both halves of all poems; what was read already is not suggested, and
where no poem stands out, nothing is.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recitation.clip import Wave
from recitation.imports.trimming import KEEP_BEFORE_S, noise_level, stretches
from recitation.listening.features import cepstra
from recitation.listening.templates import Templates, frames
from recitation.phrase import JOKA, Half, Phrase
from recitation.plan import SAMPLE_RATE
from referee.cards.poems import POEMS

EVERY_PHRASE = tuple(Phrase(poem, half) for poem in (JOKA, *POEMS) for half in Half)
_ONSET_UNC_S = 0.02
_TEMPERATURE = 0.015
"""A difference of this much in distance makes a poem e times less likely."""
_FAR = 0.28
"""Nothing that is more unlike than this is a poem."""
_LEAST_VARIETY = 10.0
"""Speech moves the cepstra: their deviations add up to 22 to 30 in a poem, to 6 in a tone or in noise."""
_LEAST_CONFIDENCE = 0.05
_LEAST_BEST = 0.5
_MOST_SUGGESTIONS = 3
_LOOKS_S = (0.4, 0.6, 0.8, 1.0, 1.5, 2.0, 3.0, 4.0)


@dataclass(frozen=True)
class Suggestion:
    """A poem that may be the one being read, and how likely among all, 0..1."""

    poem: int
    confidence: float


@dataclass(frozen=True)
class Heard:
    """One stretch of recitation.

    Attributes
    ----------
    t_s, t_unc_s : first sound, seconds from the beginning of the recording, and its 95 % half width.
    half : which half it is, or None where no poem stands out.
    suggestions : best first; empty where the listener abstains.
    first_top_s : from how long after the onset the best suggestion was already the best, and stayed so.
    """

    t_s: float
    t_unc_s: float
    half: Half | None = None
    suggestions: tuple[Suggestion, ...] = ()
    first_top_s: float | None = None


def listen(wave: Wave, templates: Templates, unread: Collection[int] = tuple(POEMS)) -> list[Heard]:
    """Return every stretch of recitation in a recording.

    Parameters
    ----------
    wave : (samples,) at 48 kHz.
    templates : of `EVERY_PHRASE`, or of fewer phrases where fewer can come.
    unread : poems that can still be read; the joka always can.
    """
    return [
        _heard(wave[first:last], first / SAMPLE_RATE + KEEP_BEFORE_S, templates, {JOKA, *unread})
        for first, last in stretches(wave, noise_level(wave))
    ]


def _heard(part: Wave, t_s: float, templates: Templates, unread: Collection[int]) -> Heard:
    sounds = cepstra(part)
    if sounds.std(axis=0).sum() < _LEAST_VARIETY:
        return Heard(t_s, _ONSET_UNC_S)
    unlike = templates.whole(sounds)
    likely = np.exp((unlike.min() - unlike) / _TEMPERATURE)
    likely /= likely.sum()
    best = templates.phrases[int(np.argmax(likely))]
    if unlike.min() > _FAR or likely.max() < _LEAST_BEST:
        return Heard(t_s, _ONSET_UNC_S)
    order = [int(index) for index in np.argsort(-likely)[:_MOST_SUGGESTIONS]]
    suggestions = tuple(
        Suggestion(templates.phrases[index].poem, round(float(likely[index]), 4))
        for index in order
        if templates.phrases[index].poem in unread
        and templates.phrases[index].half is best.half
        and likely[index] >= _LEAST_CONFIDENCE
    )
    first_top_s = _first_top_s(sounds, templates, best.half, unread, suggestions)
    return Heard(t_s, _ONSET_UNC_S, best.half, suggestions, first_top_s)


def _first_top_s(
    sounds: NDArray[np.float64],
    templates: Templates,
    half: Half,
    unread: Collection[int],
    suggestions: tuple[Suggestion, ...],
) -> float | None:
    if not suggestions:
        return None
    wanted = templates.phrases.index(Phrase(suggestions[0].poem, half))
    closed = [phrase.poem not in unread for phrase in templates.phrases]
    earliest = None
    for look_s in reversed(_LOOKS_S):
        if frames(look_s) > len(sounds):
            continue
        unlike = templates.beginning(sounds[: frames(look_s)], half)
        unlike[closed] = np.inf
        if int(np.argmin(unlike)) != wanted:
            break
        earliest = look_s
    return earliest
