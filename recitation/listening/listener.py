"""Which poem a human reader may be reading. A suggestion is never a ruling: the operator confirms it.

Every stretch of sound is compared with both halves of all poems; what was read already is not suggested, and
where no poem stands out, nothing is.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recitation.listening.features import cepstra
from recitation.listening.reader import Reader
from recitation.listening.templates import Templates
from recitation.reading.phrase import JOKA, Half, Phrase
from recitation.reading.plan import SAMPLE_RATE, samples
from recitation.sound.clip import Wave
from recitation.sound.trimming import KEEP_BEFORE_S, noise_level, stretches
from referee.cards.poems import POEMS

ONSET_UNC_S = 0.02
_TEMPERATURE = 0.015
"""A difference of this much in distance makes a poem e times less likely."""
_FAR = 0.28
"""Nothing that is more unlike than this is a poem."""
_LEAST_VARIETY = 10.0
"""Speech moves the cepstra: their deviations add up to 22 to 30 in a poem, to 6 in a tone or in noise."""
_LEAST_CONFIDENCE = 0.05
_LEAST_BEST = 0.5
_MOST_SUGGESTIONS = 3
_LEARN_FROM = 6
"""A reader is learnt from the first halves that were heard, at most so many."""
_CLEAR = 0.95
_FITS = 0.33
"""A first half that is more unlike the joka's than this, at any vocal tract's length, is not the joka."""
_STANDS_OUT = 0.03
"""The half after it must be nearer to the joka's second half than to all others by this much."""
LOOKS_S = (0.4, 0.6, 0.8, 1.0, 1.5, 2.0, 3.0, 4.0)


@dataclass(frozen=True)
class Suggestion:
    """A poem that may be the one being read, and how likely among all, 0..1."""

    poem: int
    confidence: float


class Part(NamedTuple):
    """A stretch of sound, (samples,), and its first sound in seconds from the beginning of the recording."""

    wave: Wave
    t_s: float


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

    def as_json(self) -> dict[str, Any]:
        """Return what was heard as `shinpan listen --json` writes it."""
        return {
            "t_s": round(self.t_s, 4),
            "t_unc_s": self.t_unc_s,
            "half": self.half,
            "suggestions": [{"poem": one.poem, "confidence": one.confidence} for one in self.suggestions],
            "first_top_s": self.first_top_s,
        }


@dataclass
class Listener:
    """Somebody who knows how the poems sound, and which can still come.

    Attributes
    ----------
    templates : of `EVERY_PHRASE`, or of fewer phrases where fewer can come.
    unread : poems that can still be read; the joka always can.
    reader : who reads; None where nothing is known of the reader yet.
    """

    templates: Templates
    unread: Collection[int] = tuple(POEMS)
    reader: Reader | None = None

    def learn(self, parts: Sequence[Part]) -> None:
        """Learn the reader from the joka where it was heard, or else from the halves that are clear.

        Nothing is learnt from a single half that is not the joka: one mistake would spoil all that follows.
        A reader too strange to be understood at once is learnt from what would be the joka's first half, if
        what follows is then heard to be its second one.
        """
        found = []
        for part in parts[:_LEARN_FROM]:
            told = self.ended(part)
            best = told.suggestions[0] if told.suggestions else None
            if best is not None and told.half is not None and best.confidence >= _CLEAR:
                found.append((part.wave, Phrase(best.poem, told.half)))
        known = [(wave, phrase) for wave, phrase in found if phrase.poem == JOKA] or found
        if len(known) < 2 and not (known and known[0][1].poem == JOKA):
            known = self._joka_by_trial(parts[:_LEARN_FROM])
        if known:
            self.reader = self.templates.learn(known)

    def _joka_by_trial(self, parts: Sequence[Part]) -> list[tuple[Wave, Phrase]]:
        kami, shimo = Phrase(JOKA, Half.KAMI), Phrase(JOKA, Half.SHIMO)
        if not {kami, shimo} <= set(self.templates.phrases):
            return []
        for first, second in pairwise(part for part in parts if is_speech(part.wave)):
            reader = self.templates.learn([(first.wave, kami)])
            unlike = self.templates.whole(second.wave, reader)
            own = self.templates.phrases.index(shimo)
            stands_out = unlike[own] + _STANDS_OUT <= np.delete(unlike, own).min()
            if reader.unlike <= _FITS and stands_out:
                return [(first.wave, kami), (second.wave, shimo)]
        return []

    def begun(self, wave: Wave, halves: Collection[Half] = (Half.KAMI,)) -> tuple[Suggestion, ...]:
        """Suggest poems while a half is still being read.

        Parameters
        ----------
        wave : what was heard of it so far, from its first sound.
        halves : which halves can come.
        """
        unlike = self.templates.beginning(wave, self._can_come(halves), self.reader)
        return self._suggested(likelihood(unlike)) if np.isfinite(unlike).any() else ()

    def ended(self, part: Part) -> Heard:
        """Say what one stretch of recitation may be, now that it has ended."""
        if not is_speech(part.wave):
            return Heard(part.t_s, ONSET_UNC_S)
        unlike = self.templates.whole(part.wave, self.reader)
        likely = likelihood(unlike)
        best = self.templates.phrases[int(np.argmax(likely))]
        if unlike.min() > _FAR or likely.max() < _LEAST_BEST:
            return Heard(part.t_s, ONSET_UNC_S)
        own_half = [phrase.half is best.half for phrase in self.templates.phrases]
        suggestions = self._suggested(np.where(own_half, likely, 0.0))
        return Heard(
            part.t_s,
            ONSET_UNC_S,
            best.half,
            suggestions,
            self._first_top_s(part.wave, Phrase(suggestions[0].poem, best.half)) if suggestions else None,
        )

    def _can_come(self, halves: Collection[Half]) -> list[int]:
        return [
            index
            for index, phrase in enumerate(self.templates.phrases)
            if phrase.half in halves and (phrase.poem == JOKA or phrase.poem in self.unread)
        ]

    def _suggested(self, likely: NDArray[np.float64]) -> tuple[Suggestion, ...]:
        order = [int(index) for index in np.argsort(-likely)[:_MOST_SUGGESTIONS]]
        open_ones = self._can_come(tuple(Half))
        return tuple(
            Suggestion(self.templates.phrases[index].poem, round(float(likely[index]), 4))
            for index in order
            if index in open_ones and likely[index] >= _LEAST_CONFIDENCE
        )

    def _first_top_s(self, wave: Wave, wanted: Phrase) -> float | None:
        """Return the earliest look, as if live, that put a phrase first and was never taken back."""
        earliest = None
        for look_s in reversed(LOOKS_S):
            if samples(look_s) > len(wave):
                continue
            among = self._can_come((wanted.half,))
            unlike = self.templates.beginning(wave[: samples(look_s)], among, self.reader)
            if self.templates.phrases[int(np.argmin(unlike))] != wanted:
                break
            earliest = look_s
        return earliest


def listen(wave: Wave, listener: Listener) -> list[Heard]:
    """Return every stretch of recitation in a recording, (samples,) at 48 kHz.

    A reader whom the listener does not know yet is learnt from the recording itself.
    """
    parts = [
        Part(wave[first:last], first / SAMPLE_RATE + KEEP_BEFORE_S)
        for first, last in stretches(wave, noise_level(wave))
    ]
    if listener.reader is None:
        listener.learn(parts)
    return [listener.ended(part) for part in parts]


def is_speech(wave: Wave) -> bool:
    """Tell whether a wave is varied enough to be speech: tones and noise are not."""
    return bool(cepstra(wave).std(axis=0).sum() >= _LEAST_VARIETY)


def likelihood(unlike: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how likely each phrase is, from how unlike it is; they add up to 1."""
    likely = np.exp((unlike.min() - unlike) / _TEMPERATURE)
    share: NDArray[np.float64] = likely / likely.sum()
    return share
