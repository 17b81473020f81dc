"""The beginning of each mora of a recorded verse, and the cuts between consecutive verses."""

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recitation.chant.pronunciation import moras, spoken
from recitation.listening.bands import HOP
from recitation.listening.hearing import Hearing
from recitation.listening.phoneme_net import ku_classes, phoneme_class
from recitation.listening.search import Chains, Evidence, Search, aligned
from recitation.reading.phrase import Phrase
from recitation.sound.clip import MoraMark


class Span(NamedTuple):
    """First sample of a verse, and first sample after it."""

    first: int
    last: int


class Cut(NamedTuple):
    """The spans of verses in a recording, and the score of their fit; greater is better."""

    score: float
    spans: list[Span]


def measured_moras(hearing: Hearing, phrase: Phrase) -> tuple[MoraMark, ...]:
    """Return the moras of a recorded half.

    `hearing`: the whole half; its first sample is its first sound.

    Returns: the marks in order of time, the first one at sample 0; empty if the half is too short to say the
    phrase.
    """
    evidence, weights = hearing.evidence, hearing.weights
    verse = ku_classes(phrase)
    if len(evidence) < sum(map(len, verse)):
        return ()
    marks = _marks(phrase, aligned(evidence, weights, verse))
    first = marks[0].sample
    return tuple(
        MoraMark(mark.kana, mark.sample - first if mark is marks[0] else mark.sample) for mark in marks
    )


def begun_moras(evidence: Evidence, weights: NDArray[np.float32], phrase: Phrase) -> tuple[MoraMark, ...]:
    """Return the moras that have begun of a half that is still being read.

    Returns: the marks in order of time; samples count from the first one heard, which may lie before the
    first mora.

    `evidence`, `weights`: of all frames heard so far; see `Hearing`.
    """
    if not len(evidence):
        return ()
    begins = aligned(evidence, weights, ku_classes(phrase), goes_on=True)
    return tuple(mark for mark in _marks(phrase, begins) if mark.sample < len(evidence) * HOP)


def spans(hearing: Hearing, phrases: Sequence[Phrase]) -> Cut:
    """Cut a recording of several consecutive verses.

    Returns: one span for each phrase; the score is minus infinity if the recording is too short to hold them.
    """
    evidence, weights = hearing.evidence, hearing.weights
    verses = [ku_classes(phrase) for phrase in phrases]
    whole = tuple(chain.from_iterable(verses))
    if len(evidence) < sum(map(len, whole)):
        return Cut(-np.inf, [Span(0, 0) for _ in phrases])
    begins = aligned(evidence, weights, whole)
    search = Search(Chains.of([whole]))
    search.hear(evidence, weights)
    found, state = [], 1
    for verse in verses:
        after = state + sum(len(ku) + 1 for ku in verse) - 1
        found.append(Span(int(begins[state]) * HOP, int(begins[after]) * HOP))
        state = after + 1
    return Cut(float(search.ended[0]), found)


def _marks(phrase: Phrase, begins: NDArray[np.int64]) -> list[MoraMark]:
    """Return the moras of a half from the frames at which the states of its chain begin."""
    marks, state = [], 1
    for ku, classes in zip(spoken(phrase), ku_classes(phrase), strict=True):
        marks += _of_ku(ku, begins[state : state + len(classes) + 1])
        state += len(classes) + 1
    return marks


def _of_ku(ku: str, begins: NDArray[np.int64]) -> list[MoraMark]:
    """Return the moras of a ku from the frames at which its states begin; a vowel said twice is halved."""
    marks: list[tuple[str, int, int]] = []  # kana, state, and index among the moras of that state
    state, before = -1, -1
    for mora in moras(ku):
        first = True
        for sound in mora.phonemes:
            own = phoneme_class(sound)
            state += own != before
            before = own
            if first:
                same = bool(marks) and marks[-1][1] == state
                marks.append((mora.kana, state, marks[-1][2] + 1 if same else 0))
                first = False
    told = []
    for kana, state, place in marks:
        count = 1 + max(other[2] for other in marks if other[1] == state)
        # moras that share a state divide its frames equally
        begin, end = begins[state], begins[state + 1]
        told.append(MoraMark(kana, int(begin + (end - begin) * place / count) * HOP))
    return told
