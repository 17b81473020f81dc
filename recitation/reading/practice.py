"""Practice modes: which halves are read before the reader waits for the players.

A mode is written as two groups of halves with a slash between them: the halves read of the current poem, then
those of the next one. 1 is the kami, 2 the shimo. `2/1` is the competition: second half of the poem just
taken, first half of the next.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from types import MappingProxyType

from calibration.files import typed_numbers as typed
from recitation.reading.phrase import JOKA, Half, Phrase
from referee.sentence import SentenceError

Step = tuple[Phrase, ...]  # phrases read without a wait; after them the reader waits for the players

MODES = MappingProxyType(
    {
        "competition": "2/1",
        "competition-beginner": "2/12",
        "beginner": "12/",
        "recreation": "122/",
        "kami-only": "1/",
        "shimo-only": "2/2",
    }
)
"""Names of the usual modes; `shimo-only` reads the previous card once more before the next (Hokkaido)."""

JOKA_STEP: Step = (Phrase(JOKA, Half.KAMI), Phrase(JOKA, Half.SHIMO), Phrase(JOKA, Half.SHIMO))
"""The opening: first half, second half, second half again."""

_MOST_JOKA_HALVES = 4
_HALVES = {"1": Half.KAMI, "2": Half.SHIMO}


class ModeError(SentenceError, ValueError):
    """A practice mode that cannot be read; the message says what was expected."""


def parse_mode(text: str) -> tuple[tuple[Half, ...], tuple[Half, ...]]:
    """Return the halves of the poem just played and of the one after it, from a mode's name or `12/1`.

    Raises ModeError if the text is neither.
    """
    plain = typed.plain(text).strip()
    digits = MODES.get(plain.lower(), plain)
    found = re.fullmatch(r"([12]{0,6})/([12]{0,6})", digits)
    if found is None or digits == "/":
        raise ModeError(
            "expected a mode ({modes}) or halves of the current and of the next poem such as 2/1 (1 = "
            "first half, 2 = second half), got {text!r}",
            modes=", ".join(MODES),
            text=text,
        )
    current, following = (tuple(_HALVES[digit] for digit in group) for group in found.groups())
    return current, following


def joka_step(digits: str) -> Step:
    """Read the halves of the joka: `122` is first half, second half, second half again; empty means no joka.

    Raises ModeError if the text holds anything but up to four of the digits 1 and 2.
    """
    plain = typed.plain(digits).strip()
    if not re.fullmatch(rf"[12]{{0,{_MOST_JOKA_HALVES}}}", plain):
        raise ModeError(
            "expected halves of the joka such as 122 (1 = first half, 2 = second half), got {digits!r}",
            digits=digits,
        )
    return _phrases(JOKA, tuple(_HALVES[digit] for digit in plain))


def steps(order: Sequence[int], mode: str = "competition", *, joka: bool | Step = True) -> tuple[Step, ...]:
    """Return the steps of a whole reading.

    If the mode leaves a half of the last poem unread, it is added, so that every game ends on a whole poem.

    `mode`: see `parse_mode`. `joka`: whether the opening poem is read before the first one, without a wait
    between them; or its halves, see `joka_step`.
    """
    current, following = parse_mode(mode)
    opening = JOKA_STEP if joka is True else joka or ()
    if not order:
        return (opening,) if opening else ()
    if not following:
        first, *rest = (_phrases(poem, current) for poem in order)
        return (opening + first, *rest)
    between = (_phrases(poem, current) + _phrases(after, following) for poem, after in pairwise(order))
    last = [_phrases(order[-1], current)] if set(current) - set(following) else []
    return (opening + _phrases(order[0], following), *between, *last)


def _phrases(poem: int, halves: tuple[Half, ...]) -> Step:
    return tuple(Phrase(poem, half) for half in halves)
