"""The first sound of a half whose poem is known, and how surely it was heard."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recitation.listening.bands import HOP
from recitation.listening.phoneme_net import PHONEMES, ku_classes
from recitation.listening.search import Chains, Evidence, Search, aligned
from recitation.reading.phrase import Phrase
from recitation.reading.plan import SAMPLE_RATE
from recitation.sound.clip import Wave
from recitation.sound.trimming import BLOCK_S

LONGEST_PAUSE_S: Final = 2.5  # after a longer pause within a verse the reader is taken to have stopped
_LONGEST_KU_S: Final = 2.0
"""A first ku takes at most so long; the human reader's take 1.0 to 1.8 s (`benchmarks.recitation.pauses`)."""
_SHARPNESS: Final = 0.05  # logarithm of the probability ratio per point of score, as of whole verses
_MISSED: Final = 0.02  # prior probability that the sound begins with the second ku
_MISSED_APART: Final = 0.5
"""The same where sound as long as a first ku ended just before (our choice: we know nothing of it)."""
_DOUBT: Final = 0.025
"""From this probability on, the interval of 95 % reaches back to where the first ku may have begun."""

_SOFT_S: Final = 0.4
_CLOSED_S: Final = 0.08
"""A soft beginning is sought so far back, across gaps such as that of a closed consonant (our choice)."""
_SHORTEST_KU_S: Final = 0.3
"""A whispered first ku is heard for so long at the least, where a slap is not (our choice)."""
_FADES_DB: Final = 38.0
_FADE_S_PER_DB: Final = 0.010
_FADE_MOST_S: Final = 0.35
"""How far below its loudest a voice may begin, and how slowly it rises there at the least. Fitted on the
known voices of `benchmarks.recitation.pauses`."""
_RISEN_DB: Final = 10.0
_LATE_S: Final = 0.1
"""If the verse begins later than this after the first sound, that sound was something else, or breath."""
_BREATHED: Final = frozenset({"f", "h", "s", "sh"})
_BREATH_S: Final = 0.12
"""Phonemes that are only breath, and how long one may go unheard: a trained man's ふくからに took 116 ms."""
_MORA_UNC_S: Final = 0.04
"""95 % half width of the beginning of a mora that follows other sound."""


class FirstSound(NamedTuple):
    """Seconds from the first sound that was heard to the verse's first sound, and its 95 % half width."""

    off_s: float
    unc_s: float


class Before(NamedTuple):
    """What may belong to a voice before its first sound, in seconds."""

    led_s: float = 0.0  # sound that leads up to it
    hidden_s: float = 0.0  # what the room may hide
    apart_s: float = 0.0  # since a sound began that a pause parts from it and may be its first ku; 0 if none


NOTHING_BEFORE: Final = Before()


def before_first_sound(levels: Wave, first: int, audible: float) -> Before:
    """Say for how long a voice may have been there before it was heard.

    What the room hides is laid on the line, in decibels, on which the voice rises afterwards.

    `levels`: (blocks,) of 5 ms each. `first`: the block in which the voice was first heard. `audible`: the
    level from which sound stands out from the room.
    """
    furthest = max(first - round((LONGEST_PAUSE_S + _LONGEST_KU_S) / BLOCK_S), 0)
    # a mean over 25 ms: single blocks of a room's noise rise above the audible level now and then
    power = np.pad(levels[furthest:first].astype(np.float64) ** 2, 2)
    steady = np.sqrt(np.convolve(power, np.full(5, 0.2), "valid"))
    *earlier, (begins, _) = _runs(steady > audible)
    led_s = min((len(steady) - begins) * BLOCK_S, _SOFT_S)
    apart_s = 0.0
    if earlier:
        begun, ended = earlier[-1]
        is_ku = _SHORTEST_KU_S <= (ended - begun) * BLOCK_S <= _LONGEST_KU_S
        if is_ku and (begins - ended) * BLOCK_S <= LONGEST_PAUSE_S:
            apart_s = (len(steady) - begun) * BLOCK_S
    rising_db = 20 * np.log10(np.maximum(levels[first : first + round(0.5 / BLOCK_S)], 1e-6))
    loudest_db = float(rising_db.max())
    risen = int(np.argmax(rising_db > loudest_db - _RISEN_DB))
    s_per_db = max(risen, 1) * BLOCK_S / max(loudest_db - rising_db[:3].mean() - _RISEN_DB, 1.0)
    hidden_db = max(_FADES_DB - loudest_db + 20 * float(np.log10(audible)), 0.0)
    hidden_s = min(hidden_db * max(s_per_db, _FADE_S_PER_DB), _FADE_MOST_S)
    return Before(led_s, float(hidden_s), apart_s)


def _runs(is_audible: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return the first block and the one after the last of each sound; the last one goes on at the end."""
    runs = [(len(is_audible), len(is_audible))]
    for at in np.flatnonzero(is_audible)[::-1].tolist():
        begins, ends = runs[-1]
        if begins - at - 1 > _CLOSED_S / BLOCK_S:
            runs.append((at, at + 1))
        else:
            runs[-1] = at, ends
    return runs[::-1]


def first_sound(
    evidence: Evidence,
    weights: NDArray[np.float32],
    phrase: Phrase,
    unc_s: float,
    before: Before = NOTHING_BEFORE,
) -> FirstSound:
    """Say where a half began of which the beginning may have been missed, or is soft.

    The interval reaches back over what led up to the first sound. What was only hidden widens it and leaves
    its middle: most voices hide nothing.

    `evidence`, `weights`: of the half as far as it was heard, from just before its first sound; see
    `Hearing`. `unc_s`: 95 % half width of the first sound that was heard.
    """
    verse = ku_classes(phrase)
    is_breathed = PHONEMES[verse[0][0]] in _BREATHED
    early_s, late_s = before.led_s, 0.0
    unc_s = max(unc_s + before.hidden_s, _BREATH_S if is_breathed else 0.0)
    if len(evidence):
        search = Search(Chains.of([verse, verse[1:]]))
        search.hear(evidence, weights)
        whole, without = map(float, search.begun)
        ratio = float(np.exp(min(_SHARPNESS * (without - whole), 50.0)))
        if before.apart_s and _doubted(ratio, _MISSED_APART):
            early_s = max(early_s, before.apart_s)
        # what comes then may be only the end of a ku that fell apart: the sound before it tells nothing
        if _doubted(ratio, _MISSED):
            early_s = LONGEST_PAUSE_S + _LONGEST_KU_S
        begins_s = int(aligned(evidence, weights, verse, goes_on=True)[1]) * HOP / SAMPLE_RATE
        if begins_s > _LATE_S:
            late_s, unc_s = begins_s, max(unc_s, _MORA_UNC_S)
    return FirstSound((late_s - early_s) / 2, (late_s + early_s) / 2 + unc_s)


def _doubted(ratio: float, missed: float) -> bool:
    """Tell whether the first ku may be missing: what was heard is `ratio` times as likely then."""
    return ratio * missed / (1 - missed) >= _DOUBT / (1 - _DOUBT)
