"""Kana as the cards need them: without voicing marks, and told apart by their first sounds."""

from __future__ import annotations

from collections.abc import Iterable

_VOICED = "がぎぐげござじずぜぞだぢづでどばびぶべぼぱぴぷぺぽゔ"
_UNVOICED = "かきくけこさしすせそたちつてとはひふへほはひふへほう"
_WITHOUT_MARKS = str.maketrans(_VOICED, _UNVOICED)


def unvoiced(text: str) -> str:
    """Return hiragana without voicing marks, as torifuda are printed."""
    return text.translate(_WITHOUT_MARKS)


def decisive_prefix(text: str, others: Iterable[str]) -> str:
    """Return the shortest beginning of `text`, at least one kana, that begins none of `others`.

    Raises
    ------
    ValueError
        If one of `others` begins with the whole of `text`, so that no beginning tells them apart.
    """
    rivals = tuple(others)
    for length in range(1, len(text) + 1):
        prefix = text[:length]
        if not any(rival.startswith(prefix) for rival in rivals):
            return prefix
    raise ValueError(f"no beginning of {text!r} tells it apart from the other texts")
