"""The reader of a simulated match: it makes no sound, but every sound has its instant."""

from __future__ import annotations

from collections.abc import Collection

from recitation.chant.score import compose
from recitation.reading.phrase import Half, Phrase
from recitation.reading.plan import sample_to_ns
from recitation.reading.rhythm import DEFAULT, Rhythm
from referee.cards.kimariji import kimariji
from referee.facts import KimarijiCompleted, PoemStarted

_SMALL_KANA = frozenset("ゃゅょぁぃぅぇぉ")
"""Small kana, which belong to the mora before them."""


def ku_instants_ns(start: PoemStarted, rhythm: Rhythm = DEFAULT) -> list[int]:
    """Return the beginnings of the poem's five ku, with the second half straight after the first.

    Parameters
    ----------
    start : the first sound.
    rhythm : lengths of the halves.
    """
    instants: list[int] = []
    begins_ns = start.t_ns
    for half in Half:
        score = compose(Phrase(start.poem, half), rhythm)
        firsts = {beat.ku: beat.start for beat in reversed(score.beats)}
        instants += [begins_ns + sample_to_ns(firsts[ku]) for ku in sorted(firsts)]
        begins_ns += sample_to_ns(score.samples) + round(rhythm.pause_s * 1e9)
    return instants


def kimariji_completed(
    start: PoemStarted, unread: Collection[int], rhythm: Rhythm = DEFAULT
) -> KimarijiCompleted:
    """Return the end of the last sound of the poem's kimariji.

    Parameters
    ----------
    start : the first sound.
    unread : the poems that could still be read, this one among them.
    rhythm : lengths of the halves.
    """
    moras = kimariji_moras(start.poem, unread)
    score = compose(Phrase(start.poem, Half.KAMI), rhythm)
    return KimarijiCompleted(
        start.poem, start.t_ns + sample_to_ns(score.beats[moras - 1].end), start.t_unc_ns
    )


def kimariji_moras(poem: int, unread: Collection[int]) -> int:
    """Return the length in moras of a poem's kimariji among the poems still unread."""
    return max(1, sum(kana not in _SMALL_KANA for kana in kimariji(poem, unread)))
