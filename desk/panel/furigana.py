"""Furigana: which kana stand beside which kanji."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

_KANJI = re.compile(r"([一-龯々〆ヶ]+)")


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
    kana : its reading. Kana of `text` must occur in it as they are; where they do not, or where the split
        could be made in more than one way, the whole phrase carries the whole reading.
    """
    if not _KANJI.search(text):
        return (Part(text, ""),)
    pieces = [piece for piece in _KANJI.split(text) if piece]
    kanji = [bool(_KANJI.fullmatch(piece)) for piece in pieces]
    shortest = _split(pieces, kanji, kana, "(.+?)")
    longest = _split(pieces, kanji, kana, "(.+)")
    if shortest is None or shortest != longest:
        return (Part(text, kana),)
    readings = iter(shortest)
    return tuple(
        Part(piece, next(readings) if is_kanji else "") for piece, is_kanji in zip(pieces, kanji, strict=True)
    )


def _split(pieces: list[str], kanji: list[bool], kana: str, group: str) -> tuple[str, ...] | None:
    pattern = "".join(
        group if is_kanji else re.escape(piece) for piece, is_kanji in zip(pieces, kanji, strict=True)
    )
    match = re.fullmatch(pattern, kana)
    return None if match is None else match.groups()
