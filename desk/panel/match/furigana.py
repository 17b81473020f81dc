"""Furigana: which kana stand beside which kanji."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

_KANJI = re.compile(r"([一-龯々〆ヶ]+)")
_MOST_KANA_PER_KANJI = (3, 5)
"""Three are usual, and five the most (志, こころざし); the usual split is preferred to a rare one."""


class Part(NamedTuple):
    """A piece of text and the kana that are set beside it, empty where the text is kana itself."""

    text: str
    kana: str


@cache
def furigana(text: str, kana: str) -> tuple[Part, ...]:
    """Split a phrase so that each run of kanji carries its own reading.

    Parameters
    ----------
    text : the phrase in kanji and kana.
    kana : its reading. Kana of `text` must occur in it as they are. Where there is not exactly one likely
        split, the whole phrase carries the whole reading.
    """
    if not _KANJI.search(text):
        return (Part(text, ""),)
    pieces = [piece for piece in _KANJI.split(text) if piece]
    for most in _MOST_KANA_PER_KANJI:
        splits = list(_splits(pieces, kana, most))
        if splits:
            return splits[0] if len(splits) == 1 else (Part(text, kana),)
    return (Part(text, kana),)


def _splits(pieces: Sequence[str], kana: str, most: int) -> Iterator[tuple[Part, ...]]:
    if not pieces:
        if not kana:
            yield ()
        return
    first, rest = pieces[0], pieces[1:]
    if not _KANJI.fullmatch(first):
        if kana.startswith(first):
            yield from ((Part(first, ""), *parts) for parts in _splits(rest, kana[len(first) :], most))
        return
    for length in range(len(first), most * len(first) + 1):
        if length <= len(kana):
            yield from ((Part(first, kana[:length]), *parts) for parts in _splits(rest, kana[length:], most))
