"""A phrase, the unit of reading: the upper or the lower half of one poem."""

from enum import StrEnum
from typing import NamedTuple

JOKA = 0  # number of the opening poem (Naniwazu), which has no card


class Half(StrEnum):
    """Half of a poem."""

    KAMI = "kami"  # upper half (kami no ku, 5-7-5): players take the card while it is read
    SHIMO = "shimo"  # lower half (shimo no ku, 7-7): the text on the card; its last vowel lingers


class Phrase(NamedTuple):
    """One half of one poem. `poem` is 1..100, or 0 for the joka."""

    poem: int
    half: Half

    def __str__(self) -> str:
        return f"{'joka' if self.poem == JOKA else self.poem} {self.half}"
