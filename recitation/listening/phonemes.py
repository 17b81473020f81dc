"""The phonemes of a verse, as far as they can be told apart by ear."""

from __future__ import annotations

from itertools import groupby

from recitation.chant.pronunciation import phonemes
from recitation.reading.phrase import Phrase

SILENCE = "-"
PHONEMES = (SILENCE, *"aiueoN", *"kgsztdnhbpmyrw", "sh", "j", "ch", "ts", "f")
"""All classes; silence occurs between two ku."""
INDEX = {name: index for index, name in enumerate(PHONEMES)}
_PALATAL = ("ky", "gy", "ny", "hy", "by", "py", "my", "ry", "dy", "ty")


def phoneme_class(phoneme: str) -> int:
    """Return the class of a phoneme of the speech model; a palatal consonant counts as its plain one."""
    return INDEX[phoneme[0] if phoneme in _PALATAL else phoneme]


def ku_classes(phrase: Phrase) -> tuple[tuple[int, ...], ...]:
    """Return the classes of each ku of a phrase in order; a repeated vowel is one long vowel."""
    return tuple(
        tuple(index for index, _ in groupby(phoneme_class(sound) for sound in ku)) for ku in phonemes(phrase)
    )
