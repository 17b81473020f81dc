"""A ruling in a few words, for terminals."""

from __future__ import annotations

from referee.cards.poems import POEMS
from referee.karuta.ruling import Ruling

_LONGEST_KU = 7
_FULL_WIDTH_SPACE = "\u3000"


def describe(ruling: Ruling) -> str:
    """Return who takes, who faulted and who sends."""
    words = [f"{ruling.taken_by} takes" if ruling.taken_by else "nobody takes"]
    words += [f"{side} {count} fault{'s' * (count > 1)}" for side, count in ruling.faults.items() if count]
    words += [f"{side} sends {count}" for side, count in ruling.sends.items() if count]
    return ", ".join(words)


def first_words(poem: int) -> str:
    """Return the first ku of a poem, padded to a column width."""
    return POEMS[poem].kami.split(" ")[0].ljust(_LONGEST_KU, _FULL_WIDTH_SPACE)
