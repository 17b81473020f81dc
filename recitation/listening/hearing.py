"""One verse as it is heard: sound goes in, and the probability of each phrase comes out at any moment."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recitation.listening.bands import BANDS, HOP, WINDOW, Usual, change_weights, log_bands, normalised
from recitation.listening.phoneme_net import AROUND, PHONEMES, ku_classes, phoneme_net
from recitation.listening.search import Chains, Evidence, Search
from recitation.reading.phrase import JOKA, Half, Phrase
from recitation.reading.plan import SAMPLE_RATE
from recitation.sound.clip import Wave
from referee.cards.poems import POEMS

EVERY_PHRASE = tuple(Phrase(poem, half) for poem in (JOKA, *POEMS) for half in Half)

# Chosen by hand with `python -m benchmarks.recitation.listening`, including its human reader.
_SHARPNESS = 0.05
"""Logarithm of the probability ratio per point of score; below 1, since frames are not independent."""
_SHARPNESS_BEGUN = 0.07  # the same while the verse is still being read; see `calibration` in that benchmark
_UNLIKE = 1.3  # score per frame by which speech that is no verse fits the filler better than the best verse
_UNFINISHED = 30.0  # score that a verse pays for ending before its last sound
_READ_ALREADY = 1e-3  # prior weight of a poem that was already read; that of an unread one is 1
_OUT_OF_TURN = 0.02  # prior weight of a half that is not due, whether its poem was read or not


@cache
def every_chain() -> Chains:
    """Return the chains of `EVERY_PHRASE`."""
    return Chains.of([ku_classes(phrase) for phrase in EVERY_PHRASE])


class Likelihood(NamedTuple):
    """Probability of each phrase, (phrases,), and of no phrase; they add up to 1."""

    phrases: NDArray[np.float64]
    none: float


def openness(unread: Collection[int], halves: Sequence[Half] = tuple(Half)) -> NDArray[np.float64]:
    """Return the prior weight of each phrase, (phrases,), not normalised; the joka can always come."""
    can_come = frozenset(unread)
    return np.array(
        [
            _OUT_OF_TURN
            if one.half not in halves
            else 1.0
            if one.poem == JOKA or one.poem in can_come
            else _READ_ALREADY
            for one in EVERY_PHRASE
        ]
    )


def hear_verse(wave: Wave, usual: Usual | None = None) -> Hearing:
    """Return the finished hearing of a whole verse, (samples,) at 48 kHz."""
    hearing = Hearing(usual)
    hearing.hear(wave)
    hearing.end()
    return hearing


class Hearing:
    """One verse, as far as it was heard.

    `usual`: the reader's usual spectrum; None if the reader is not known.
    """

    def __init__(self, usual: Usual | None = None) -> None:
        self._net = phoneme_net()
        self._usual = usual or self._net.typical
        self._search = Search(every_chain())
        self._rest = np.zeros(WINDOW // 2, np.float32)
        self._bands = np.zeros((0, BANDS), np.float32)
        self._evidence: list[Evidence] = []
        self._weights: list[NDArray[np.float32]] = []
        self._done = 0  # frames that the search has taken in

    def hear(self, wave: Wave) -> None:
        """Take in the next samples, (samples,); the last tenth of a second waits for those that follow."""
        sound = np.concatenate([self._rest, wave])
        count = (len(sound) - WINDOW) // HOP + 1
        if count > 0:
            whole = sound[: (count - 1) * HOP + WINDOW]
            self._bands = np.concatenate([self._bands, log_bands(whole, self._usual.tract, padded=False)])
            sound = sound[count * HOP :]
        self._rest = sound
        self._take(len(self._bands) - AROUND)

    def end(self) -> None:
        """Take in the samples that still wait, because the sound is over or pauses."""
        self._take(len(self._bands))

    def begun(self, openness: NDArray[np.float64]) -> Likelihood:
        """Return the probability of each phrase if the reader goes on; for the prior see `openness`."""
        return self._likelihood(self._search.begun, openness, _SHARPNESS_BEGUN)

    def ended(self, openness: NDArray[np.float64]) -> Likelihood:
        """Return the probability of each phrase if the reader has stopped."""
        return self._likelihood(self._finished, openness, _SHARPNESS)

    @property
    def length_s(self) -> float:
        """Length of what was heard, in seconds."""
        return len(self._bands) * HOP / SAMPLE_RATE

    @property
    def likeliest(self) -> int:
        """Index in `EVERY_PHRASE` of the verse that fits best so far."""
        return int(np.argmax(self._search.begun))

    @property
    def score(self) -> float:
        """Score of the verse that fits best."""
        return float(self._finished.max())

    @property
    def is_verse(self) -> bool:
        """True if the best verse fits better than speech that is no verse."""
        return self.score > self.none

    @property
    def may_be_verse(self) -> bool:
        """True if the beginning of some verse fits better than speech that is no verse."""
        return float(self._search.begun.max()) > self.none

    @property
    def is_complete(self) -> bool:
        """True if the sound fits a verse that is over at least as well as any that pauses or goes on."""
        return bool(self._search.ended.max() >= self._search.begun.max())

    @property
    def shape(self) -> NDArray[np.float32]:
        """Mean spectrum of the sounding frames, (BANDS,); it characterises the reader."""
        return normalised(self._bands, self._usual)[1]

    @property
    def evidence(self) -> Evidence:
        """Evidence of all frames, (frames, classes); frame n is centred on sample `n * HOP`."""
        return np.concatenate(self._evidence or [np.zeros((0, len(PHONEMES)), np.float32)])

    @property
    def weights(self) -> NDArray[np.float32]:
        """Weight of each frame, (frames,)."""
        return np.concatenate(self._weights or [np.zeros(0, np.float32)])

    @property
    def none(self) -> float:
        """Score of speech that is no verse."""
        return self._search.filler - _UNLIKE * self._search.weight

    @property
    def _finished(self) -> NDArray[np.float32]:
        broken_off: NDArray[np.float32] = self._search.broken_off - _UNFINISHED
        return np.maximum(self._search.ended, broken_off)

    def _likelihood(
        self, scores: NDArray[np.float32], openness: NDArray[np.float64], sharpness: float
    ) -> Likelihood:
        with np.errstate(divide="ignore"):
            exponents = sharpness * np.append(scores, self.none) + np.log(np.append(openness, 1.0))
        likely = np.exp(exponents - exponents.max())
        likely /= likely.sum()
        return Likelihood(likely[:-1], float(likely[-1]))

    def _take(self, until: int) -> None:
        if until <= self._done:
            return
        beside, _ = normalised(self._bands, self._usual)
        first = max(self._done - AROUND, 0)
        told = self._net.evidence(beside[first : until + AROUND])[self._done - first : until - first]
        weights = change_weights(beside[:until])[self._done :]
        self._search.hear(told, weights)
        self._evidence.append(told)
        self._weights.append(weights)
        self._done = until


TRACTS = (0.82, 0.91, 1.0, 1.1, 1.2, 1.3)
"""Lengths that are tried, relative to the usual one, from a child's to a tall man's."""


def learn_reader(verses: Sequence[Wave]) -> Usual:
    """Learn a reader from recordings, each (samples,) at 48 kHz; ValueError if there are none."""
    if not verses:
        raise ValueError("expected at least one verse to learn a reader from, got none")
    trials = [
        [hear_verse(wave, Usual(phoneme_net().typical.shape, tract)) for wave in verses] for tract in TRACTS
    ]
    # talk, or two verses without a pause between them, fits at no length and is left out
    fitting = [at for at in range(len(verses)) if any(trial[at].is_verse for trial in trials)]
    told = fitting or list(range(len(verses)))
    scores = [sum(trial[at].score for at in told) for trial in trials]
    best = int(np.argmax(scores))
    shapes = [trials[best][at].shape for at in told]
    return Usual(np.asarray(np.mean(shapes, axis=0), np.float32), TRACTS[best])
