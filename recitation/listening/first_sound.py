"""The first sound of a half whose poem is known, and how surely it was heard."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recitation.listening.phonemes import ku_classes
from recitation.listening.search import Chains, Evidence, Search
from recitation.reading.phrase import Phrase

LONGEST_PAUSE_S: Final = 2.5  # after a longer pause within a verse the reader is taken to have stopped
_LONGEST_KU_S: Final = 2.0
"""A first ku takes at most so long; the human reader's take 1.0 to 1.8 s (`benchmarks.recitation.pauses`)."""
_SHARPNESS: Final = 0.05  # logarithm of the probability ratio per point of score, as of whole verses
_MISSED: Final = 0.02  # prior probability that the sound begins with the second ku
_DOUBT: Final = 0.025
"""From this probability on, the interval of 95 % reaches back to where the first ku may have begun."""


class FirstSound(NamedTuple):
    """Seconds from the first sound that was heard to the verse's first sound, and its 95 % half width."""

    off_s: float
    unc_s: float


def first_sound(evidence: Evidence, weights: NDArray[np.float32], phrase: Phrase, unc_s: float) -> FirstSound:
    """Say where a half began of which the beginning may have been missed.

    `evidence`, `weights`: of the half as far as it was heard; see `Hearing`. `unc_s`: 95 % half width of the
    first sound that was heard.
    """
    verse = ku_classes(phrase)
    search = Search(Chains.of([verse, verse[1:]]))
    search.hear(evidence, weights)
    whole, without = map(float, search.begun)
    odds = np.exp(min(_SHARPNESS * (without - whole), 50.0)) * _MISSED / (1 - _MISSED)
    if odds < _DOUBT / (1 - _DOUBT):
        return FirstSound(0.0, unc_s)
    back_s = LONGEST_PAUSE_S + _LONGEST_KU_S
    return FirstSound(-back_s / 2, back_s / 2 + unc_s)
