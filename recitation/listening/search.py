"""The verse that fits the sound best: the best path through each verse's phonemes, updated as sound comes in.

A verse is a chain of phonemes of any length, with optional silence between two ku (Viterbi, Error bounds for
convolutional codes, 1967). A filler model runs beside the verses and may take any phonemes: speech that is no
verse fits the filler far better than any verse.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import Self

import numpy as np
from numpy.typing import NDArray

from recitation.listening.phoneme_net import INDEX, PHONEMES, SILENCE

Evidence = NDArray[np.float32]
"""log P(phoneme | sound) - log P(phoneme), shape (frames, classes); see `PhonemeNet.evidence`."""

_SILENCE = INDEX[SILENCE]
_SWITCH = 3.0
"""Score that the filler pays for each change of phoneme, so that it changes as seldom as speech does."""
_NEVER = np.float32(-1e9)
_STEP_WEIGHT = 0.5


@dataclass(frozen=True, eq=False)
class Chains:
    """Verses as chains of states."""

    classes: NDArray[np.int64]  # (verses, states) class of each state, silence at both ends and between ku
    # (verses, states) 0 if the previous state is a silence that may be skipped, else a large penalty
    skips: NDArray[np.float32]
    last: NDArray[np.int64]  # (verses,) index of the closing silence

    @classmethod
    def of(cls, verses: Sequence[Sequence[Sequence[int]]]) -> Self:
        """Make chains of verses, each a sequence of ku, each the classes of its phonemes in order."""
        rows = [[_SILENCE, *chain.from_iterable((*ku, _SILENCE) for ku in verse)] for verse in verses]
        longest = max(map(len, rows))
        classes = np.zeros((len(rows), longest), np.int64)
        skips = np.full((len(rows), longest), _NEVER)
        for row, own in zip(range(len(rows)), rows, strict=True):
            classes[row, : len(own)] = own
            skips[row, 2 : len(own)] = np.where(np.array(own[1:-1]) == _SILENCE, 0.0, _NEVER)
        return cls(classes, skips, np.array([len(own) - 1 for own in rows]))


@dataclass(eq=False)
class Search:
    """Scores of all verses for the sound heard so far."""

    chains: Chains
    filler: float = 0.0  # score of the best path through any phonemes
    weight: float = 0.0  # sum of the frames' weights; a frame late in a long sound counts less than 1
    _scores: NDArray[np.float32] = field(init=False)

    def __post_init__(self) -> None:
        # states are the first axis, so that a step to the next state is one memory move for all verses
        self._classes = np.ascontiguousarray(self.chains.classes.T)
        self._skips = np.ascontiguousarray(self.chains.skips.T[2:])
        self._scores = np.full(self._classes.shape, _NEVER)
        self._scores[:1] = 0.0
        self._loop = np.zeros(len(PHONEMES), np.float32)

    def hear(self, evidence: Evidence, weights: NDArray[np.float32]) -> None:
        """Take in the next frames, (frames, classes), and their weights, (frames,)."""
        if not len(evidence):
            return
        # most time goes into the steps, so frames of a held sound are taken in one step
        turns = np.floor(np.cumsum(weights) / _STEP_WEIGHT)
        starts = np.flatnonzero(np.diff(turns, prepend=-1.0))
        for own in np.add.reduceat(weights[:, None] * evidence, starts, axis=0):
            best = self._scores.copy()
            np.maximum(best[1:], self._scores[:-1], out=best[1:])
            np.maximum(best[2:], self._scores[:-2] + self._skips, out=best[2:])
            best += own.take(self._classes)
            self._scores = best
            self._loop = np.maximum(self._loop, self._loop.max() - _SWITCH) + own
        self.weight += float(weights.sum())
        self.filler = float(self._loop.max())

    @property
    def begun(self) -> NDArray[np.float32]:
        """Score of each verse if it goes on, (verses,)."""
        return np.asarray(self._scores.max(axis=0), np.float32)

    @property
    def broken_off(self) -> NDArray[np.float32]:
        """Score of each verse if it is over and at least half of it was read, (verses,)."""
        states = np.arange(len(self._scores))[:, None]
        read = np.where(states >= self.chains.last / 2, self._scores, _NEVER)
        return np.asarray(read.max(axis=0), np.float32)

    @property
    def ended(self) -> NDArray[np.float32]:
        """Score of each verse if it is over, (verses,)."""
        verses = np.arange(len(self.chains.last))
        return np.maximum(self._scores[self.chains.last, verses], self._scores[self.chains.last - 1, verses])


def aligned(
    evidence: Evidence, weights: NDArray[np.float32], verse: Sequence[Sequence[int]], *, goes_on: bool = False
) -> NDArray[np.int64]:
    """Return the frame at which each state of a verse's chain begins; a skipped state has the next one's.

    Raises ValueError if there are fewer frames than phonemes in a whole verse.

    Returns: (states + 1,) frame indices, with the states of `Chains`. The last entry is the number of frames;
    so is that of every state not heard yet. `evidence`: (frames, classes); `weights`: (frames,) how much each
    counts; `verse`: its ku, each the classes of its phonemes; `goes_on`: only its beginning was heard.
    """
    chains = Chains.of([verse])
    states = chains.classes.shape[1]
    if not goes_on and len(evidence) < sum(map(len, verse)):
        raise ValueError(f"expected at least {sum(map(len, verse))} frames of sound, got {len(evidence)}")
    weighted = (weights[:, None] * evidence)[:, chains.classes[0]]
    scores = np.full(states, _NEVER)
    scores[:2] = weighted[0, :2]
    moves = np.zeros((len(evidence), states), np.int64)
    options = np.full((3, states), _NEVER)
    for frame in range(1, len(evidence)):
        options[0] = scores
        options[1, 1:] = scores[:-1]
        np.add(scores[:-2], chains.skips[0, 2:], out=options[2, 2:])
        options.argmax(axis=0, out=moves[frame])
        scores = options.max(axis=0) + weighted[frame]
    over = states - 1 if scores[-1] >= scores[-2] else states - 2
    state = int(np.argmax(scores)) if goes_on else over
    begins = np.full(states + 1, len(evidence))
    for frame in range(len(evidence) - 1, -1, -1):
        begins[state] = frame
        state -= moves[frame, state]
    for at, (own, after) in reversed(list(enumerate(pairwise(begins)))):
        begins[at] = min(own, begins[at + 1], after)
    return begins
