"""Suggesting which poem a human reader is reading. A suggestion is never a ruling: the operator confirms it.

Every stretch of sound is compared with both halves of all poems and with speech that is no verse. Poems
already read are unlikely from the start, and nothing is suggested if no poem stands out.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from recitation.listening.bands import Usual
from recitation.listening.first_sound import (
    LONGEST_PAUSE_S,
    NOTHING_BEFORE,
    Before,
    before_first_sound,
    first_sound,
)
from recitation.listening.hearing import EVERY_PHRASE, Hearing, Likelihood, learn_reader, openness
from recitation.reading.phrase import Half
from recitation.reading.plan import SAMPLE_RATE, samples
from recitation.sound.clip import Wave
from recitation.sound.trimming import (
    BLOCK_S,
    KEEP_BEFORE_S,
    Stretch,
    audible_level,
    levels_of,
    noise_level,
    stretches,
)
from referee.cards.poems import POEMS

ONSET_UNC_S = 0.02
LONGEST_VERSE_S = 25.0
LOOK_EVERY_S = 0.1
_SHORTEST_VERSE_S = 1.8  # nobody recites fourteen moras in less time
_MOST_PIECES = 5
LEAST_SOUND_S = 0.3  # a ku lasts longer; a slap does not
_LEARN_FROM = 3  # number of verses from which a reader is learnt
_LEARN_LEAST_S = 3.0
_LEAST_CONFIDENCE = 0.05
_LEAST_BEST = 0.5
_MOST_SUGGESTIONS = 3


@dataclass(frozen=True)
class Suggestion:
    """A poem that may be the one being read, and its probability, 0..1."""

    poem: int
    confidence: float


@dataclass(frozen=True)
class Heard:
    """One stretch of recitation."""

    # t_s, t_unc_s: first sound, seconds from the beginning of the recording, and its 95 % half width
    t_s: float
    t_unc_s: float
    half: Half | None = None  # which half it is, or None if no poem stands out
    suggestions: tuple[Suggestion, ...] = ()  # best first; empty if the listener abstains
    # seconds after the onset from which the final best suggestion was always the best
    first_top_s: float | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the stretch in the format of `shinpan listen --json`."""
        return {
            "t_s": round(self.t_s, 4),
            "t_unc_s": self.t_unc_s,
            "half": self.half,
            "suggestions": [{"poem": one.poem, "confidence": one.confidence} for one in self.suggestions],
            "first_top_s": self.first_top_s,
        }


class Ruling(NamedTuple):
    """What a stretch of sound was heard to be, and whether it was a verse at all."""

    heard: Heard
    is_reading: bool


@dataclass
class Listener:
    """Recognises poems by their sound."""

    unread: Collection[int] = tuple(POEMS)  # poems that can still be read; the joka always can
    usual: Usual | None = None  # the reader's usual spectrum; None if the reader is not known yet
    _verses: list[Wave] = field(default_factory=list)

    def learn(self, verse: Wave) -> None:
        """Learn the reader from a verse, (samples,) at 48 kHz; only the first `_LEARN_FROM` verses count."""
        if len(self._verses) < _LEARN_FROM:
            self._verses.append(verse)
            self.usual = learn_reader(self._verses)

    def begun(self, hearing: Hearing) -> tuple[Suggestion, ...]:
        """Suggest poems while a first half is still being read."""
        halves = (Half.KAMI,)
        return self._suggested(hearing.begun(openness(self.unread, halves)), halves)

    def ended(
        self,
        hearing: Hearing,
        t_s: float,
        looks: Sequence[tuple[float, int]] = (),
        before: Before = NOTHING_BEFORE,
    ) -> Ruling:
        """Say what one stretch of recitation was, once it has ended.

        `t_s`: its first sound, in seconds. `looks`: in order of time, pairs of seconds after the first sound
        and index in `EVERY_PHRASE` of the phrase that was then the likeliest. `before`:
        what may belong to it before its first sound.
        """
        if hearing.length_s < _SHORTEST_VERSE_S:
            return Ruling(Heard(t_s, ONSET_UNC_S), is_reading=False)
        likely = hearing.ended(openness(self.unread))
        best = int(np.argmax(likely.phrases))
        phrase = EVERY_PHRASE[best]
        if likely.phrases[best] < _LEAST_BEST:
            # if it is one of two or three similar poems, it is a verse; noise is a little like all poems
            some = np.sort(likely.phrases)[-_MOST_SUGGESTIONS:].sum()
            return Ruling(Heard(t_s, ONSET_UNC_S), is_reading=bool(some >= _LEAST_BEST))
        own_half = np.array([one.half is phrase.half for one in EVERY_PHRASE])
        suggestions = self._suggested(Likelihood(np.where(own_half, likely.phrases, 0.0), likely.none))
        settled_s = _settled_s(looks, best) if suggestions else None
        off_s, unc_s = first_sound(hearing.evidence, hearing.weights, phrase, ONSET_UNC_S, before)
        return Ruling(Heard(t_s + off_s, unc_s, phrase.half, suggestions, settled_s), is_reading=True)

    def _suggested(self, likely: Likelihood, halves: Sequence[Half] = tuple(Half)) -> tuple[Suggestion, ...]:
        can_come = openness(self.unread, halves) == 1.0
        order = [int(index) for index in np.argsort(-likely.phrases)[:_MOST_SUGGESTIONS]]
        return tuple(
            Suggestion(EVERY_PHRASE[index].poem, round(float(likely.phrases[index]), 4))
            for index in order
            if can_come[index] and likely.phrases[index] >= _LEAST_CONFIDENCE
        )


def listen(
    wave: Wave, listener: Listener, heard_until: Callable[[float], None] = lambda _: None
) -> list[Heard]:
    """Return every verse in a recording; speech that is no verse is left out.

    A reader whom the listener does not know yet is learnt from the recording itself, (samples,) at 48 kHz.
    `heard_until` is called now and then with the number of seconds that are done.
    """
    found = stretches(wave, noise_level(wave), LEAST_SOUND_S)
    if listener.usual is None and found:
        long_ones = [one for one in found if one[1] - one[0] >= samples(_LEARN_LEAST_S)] or found
        listener.usual = learn_reader([wave[first:last] for first, last in long_ones[:_LEARN_FROM]])
    return _best_verses(wave, found, listener, heard_until)


def _best_verses(
    wave: Wave, found: Sequence[Stretch], listener: Listener, heard_until: Callable[[float], None]
) -> list[Heard]:
    """Return the verses that explain stretches of sound best.

    Each stretch belongs to a verse, of one stretch or several with pauses between them, or to none, as a slap
    does. Of all ways to divide them, the one with the highest sum of scores counts.
    """
    # for each number of stretches: the highest sum, how many came before the last part, and its verse
    best: list[tuple[float, int, Heard | None]] = [(0.0, 0, None), *[(-np.inf, 0, None)] * len(found)]
    levels = levels_of(wave)
    audible = audible_level(levels, noise_level(wave)) if found else 0.0
    for at, (first, _) in enumerate(found):
        before = best[at][0]
        hearing, looks = Hearing(listener.usual), []
        t_s, heard = first / SAMPLE_RATE + KEEP_BEFORE_S, first
        led_up = before_first_sound(levels, round(t_s / BLOCK_S), audible)
        for after, (begin, last) in enumerate(found[at : at + _MOST_PIECES], start=at + 1):
            if begin - heard > samples(LONGEST_PAUSE_S) or last - first > samples(LONGEST_VERSE_S):
                break
            for start in range(heard, last, samples(LOOK_EVERY_S)):
                hearing.hear(wave[start : min(start + samples(LOOK_EVERY_S), last)])
                looks.append(((start + samples(LOOK_EVERY_S) - first) / SAMPLE_RATE, hearing.likeliest))
            heard = last
            hearing.end()
            ruling = listener.ended(hearing, t_s, looks, led_up)
            if ruling.is_reading and before + hearing.score > best[after][0]:
                best[after] = before + hearing.score, at, ruling.heard
            if after == at + 1 and before + hearing.none > best[after][0]:
                best[after] = before + hearing.none, at, None
        heard_until(found[at][1] / SAMPLE_RATE)
    verses, after = [], len(found)
    while after:
        _, after, verse = best[after]
        verses += [verse] if verse else []
    return verses[::-1]


def _settled_s(looks: Sequence[tuple[float, int]], best: int) -> float | None:
    """Return the time of the earliest look from which `best` stayed the likeliest to the end, if any."""
    earliest = None
    for look_s, likeliest in reversed(looks):
        if likeliest != best:
            break
        earliest = round(look_s, 3)
    return earliest
