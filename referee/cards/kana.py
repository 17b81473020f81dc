"""Kana of the cards: removing voicing marks, and finding the sounds that tell poems apart."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

_VOICED = "がぎぐげござじずぜぞだぢづでどばびぶべぼぱぴぷぺぽゔ"
_UNVOICED = "かきくけこさしすせそたちつてとはひふへほはひふへほう"
_WITHOUT_MARKS = str.maketrans(_VOICED, _UNVOICED)


def unvoiced(text: str) -> str:
    """Return hiragana without voicing marks, as they are printed on torifuda."""
    return text.translate(_WITHOUT_MARKS)


def decisive_prefix(text: str, others: Iterable[str]) -> str:
    """Return the shortest prefix of `text`, at least one kana, that is a prefix of none of `others`.

    Raises ValueError if the whole of `text` is a prefix of one of `others`.
    """
    rivals = tuple(others)
    for length in range(1, len(text) + 1):
        prefix = text[:length]
        if not any(rival.startswith(prefix) for rival in rivals):
            return prefix
    raise ValueError(f"no beginning of {text!r} tells it apart from the other texts")


def common_prefix(one: str, other: str) -> str:
    """Return the kana with which both texts begin."""
    shared = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return "".join(kana for kana, _ in shared)
