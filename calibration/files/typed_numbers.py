"""Read numbers and lists as people type them, on any keyboard."""

import math
import re
import unicodedata

from referee.sentence import Sentence

_DASH = "[-~\uff0d\uff5e\u2010-\u2015\u2212\u301c\u30fc]"
"""Dashes, the minus sign, the wave dash, and the long vowel mark beside the digits of a Japanese keyboard."""
_BETWEEN_DIGITS = re.compile(rf"(?<=\d)\s*{_DASH}\s*(?=\d)")
_SEPARATORS = re.compile(r"[,\uff0c\u3001\uff64\s]+")


def plain(text: str) -> str:
    """Return typed text with plain digits, letters and signs: `１～３` becomes `1-3`.

    Kana and kanji stay as they are, unless they stand for a dash between digits.
    """
    return unicodedata.normalize("NFKC", _BETWEEN_DIGITS.sub("-", text))


def items(text: str) -> list[str]:
    """Split a list at commas of any width and at spaces, but not within a range (`1 - 3`)."""
    return [item for item in _SEPARATORS.split(_BETWEEN_DIGITS.sub("-", text)) if item]


def whole(text: str) -> int:
    """Return a typed whole number; ValueError if it is none."""
    return int(plain(text).strip())


def number(text: str) -> float:
    """Return a typed finite number; ValueError if it is none."""
    value = float(plain(text).strip())
    if not math.isfinite(value):
        raise ValueError(Sentence("expected a number, got {text!r}", text=text))
    return value


def size(text: str) -> tuple[int, int]:
    """Return a typed width and height such as `1280x720` or `1280×720`; ValueError if it is none."""
    width, _, height = plain(text).lower().replace("×", "x").partition("x")
    return whole(width), whole(height)
