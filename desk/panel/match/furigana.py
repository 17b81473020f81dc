"""Furigana: the kana printed next to kanji."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

_KANJI = re.compile(r"([一-龯々〆ヶ]+)")
_MOST_KANA_PER_KANJI = (3, 5)
"""Usual and absolute maximum (志, こころざし); a split within the usual maximum is preferred."""


class Part(NamedTuple):
    """A piece of text and its furigana, which are empty if the text is kana itself."""

    text: str
    kana: str


@cache
def furigana(text: str, kana: str) -> tuple[Part, ...]:
    """Split a phrase so that each run of kanji carries its own reading.

    `kana`: its reading, which must contain the kana of `text`. Unless exactly one split is likely, the whole
    phrase carries the whole reading.
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
