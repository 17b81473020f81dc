"""A person's name: the form in which games and pages know it, and how it is taken out of what was written."""

import gzip
import json
import re
import sys
import unicodedata
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from io import SEEK_END, BytesIO
from itertools import product
from typing import IO, Any, cast

from calibration.files.archive import open_member
from desk.errors import DeskError
from desk.machine.letters import drawn

_UNNAMED = frozenset({"names", "player"})
"""Fields in which a player may have no name; elsewhere a name gives way to a pseudonym."""
_MOST_BYTES = 8 << 20
_PIECE_BYTES = 64 << 20
"""How much of a file is searched at once: a log of a long day has 2 MB, films have more."""
_PACKED_BYTES = 4 << 20
"""The same for what is packed, which is text where it holds names, and is searched in every spelling."""
_FREE_BYTES, _GROWTH = 64 << 20, 8
"""How much is unpacked of a file: so much, and so many times its size. What this program packs hardly
shrinks, and counts once for each level; a bomb of 8 MiB would be searched for a quarter of an hour."""
_DEEPEST = 3  # archives in archives: a disputed case holds replays
_LONGEST_BYTES = 4096  # more than a name has in any encoding
_WIDE = {0x20: "\u3000", **{code: chr(code + 0xFEE0) for code in range(0x21, 0x7F)}}
"""The wide form of each sign of ASCII."""
_SPACED = r"[^\W\u2e80-\U0010ffff]"
"""A letter or digit of a script that puts gaps between words: "Ken" is not in "Kendo", but in "Kenさん"."""


def visible(text: str) -> str:
    """Return text without the signs that nobody sees, by which names look alike or lines turn round."""
    return "".join(sign for sign in text if sign.isspace() or unicodedata.category(sign) not in {"Cf", "Cc"})


def same_name(name: str | None) -> str | None:
    """Return a player's name in normal form, None if it is empty.

    The same name is the same player on any keyboard: wide letters, half-width kana, decomposed kana, spaces
    and signs that nobody sees are normalised.
    """
    return " ".join(unicodedata.normalize("NFKC", visible(name or "")).split()) or None


def check_names(names: Iterable[str | None]) -> None:
    """Refuse one name for two players of a game: the book and the sums of an evening count by name.

    Raises DeskError if two players have the same name, on whatever keyboard it was typed, or a name has signs
    that nobody sees, or two look alike.
    """
    known: dict[str, str] = {}
    for written in names:
        name = same_name(written)
        if written is not None and visible(written) != written:
            raise DeskError(
                "the name {name} has signs in it that nobody sees: type it anew instead of pasting it",
                name=name or "?",
            )
        other = None if name is None else known.get(drawn(name))
        if other is not None and other != name:
            raise DeskError(
                "the name {name} looks like {other}, but is written with other letters: write both "
                "alike if they are one person, or give one of them another name",
                name=name,
                other=other,
            )
        if name is not None and name == other:
            raise DeskError(
                "two players are called {name}, but the book counts by name: give one of them another, "
                "such as {other}",
                name=name,
                other=f"{name} 2",
            )
        if name is not None:
            known[drawn(name)] = name


class Person:
    """A person who is to be forgotten; the pseudonym stands where there must be a name."""

    def __init__(self, name: str, pseudonym: str) -> None:
        plain = same_name(name)
        if plain is None:
            raise DeskError("name the person who is to be forgotten")
        self.name, self.pseudonym = plain, pseudonym
        words = r"\s+".join(map(re.escape, plain.split(" ")))
        left = rf"(?<!{_SPACED})" if re.match(_SPACED, plain[0]) else ""
        right = rf"(?!{_SPACED})" if re.match(_SPACED, plain[-1]) else ""
        self._pattern = re.compile(f"{left}{words}{right}")

    def forgotten(self, value: Any, key: str = "") -> Any:
        """Return plain data without the name; `key` names the field in which it stands."""
        if isinstance(value, dict):
            return {
                self._without(name): self.forgotten(each, key if key in _UNNAMED else name)
                for name, each in value.items()
            }
        if isinstance(value, list):
            return [self.forgotten(each, key) for each in value]
        if not isinstance(value, str):
            return value
        return None if key in _UNNAMED and same_name(value) == self.name else self._without(value)

    def is_in(self, data: bytes) -> bool:
        """Tell whether bytes hold the name in any form and encoding in which a program writes it.

        In what is no text, the name also counts inside a longer word: columns lie there side by side. In more
        than 8 MiB (films, archives) it is found as it was typed, composed or not, and in no mixed spelling.
        """
        if len(data) > _MOST_BYTES:
            return any(form in data for form in self._forms)
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            text = "\0"
        if "\0" not in text:
            plain = unicodedata.normalize("NFKC", visible(_unescaped(text)))
            return bool(self._pattern.search(plain)) or any(each.search(data) for each in self._raw[1:])
        return any(each.search(data) for each in self._raw)

    @cached_property
    def _forms(self) -> set[bytes]:
        forms = {unicodedata.normalize(form, self.name) for form in ("NFC", "NFD", "NFKD")}
        forms |= {each.translate(_WIDE) for each in forms}
        forms |= {json.dumps(form)[1:-1] for form in forms}
        return {form.encode(code) for form in forms for code in ("utf-8", "utf-16-le", "utf-16-be")}

    @cached_property
    def _raw(self) -> list[re.Pattern[bytes]]:
        """Patterns of all spellings of the name: as UTF-8 with or without escapes, and as UTF-16."""
        signs = [_spellings(sign) for sign in self.name]
        return [
            re.compile(
                b"".join(
                    _one_of(each, encodings, sign == " ") for sign, each in zip(self.name, signs, strict=True)
                )
            )
            for encodings in (("utf-8", "escaped"), ("utf-16-le",), ("utf-16-be",))
        ]

    def _without(self, text: str) -> str:
        plain = unicodedata.normalize("NFKC", visible(text))
        return self._pattern.sub(self.pseudonym, plain) if self._pattern.search(plain) else text


_DAMAGED = (OSError, ValueError, EOFError, zlib.error, zipfile.BadZipFile, NotImplementedError, RuntimeError)
"""What archives raise that are damaged, or locked by a password: their bytes as they stand are searched."""


def is_in_file(file: IO[bytes], person: Person) -> bool:
    """Tell whether the name is in bytes, or in what is packed in them, also some levels down.

    Of what unpacks to far more than its own size nobody can tell in time: it counts as holding the name.

    Raises
    ------
    OSError : the disk cannot read them.
    """
    most = _FREE_BYTES + _GROWTH * file.seek(0, SEEK_END)
    file.seek(0)
    return _is_in_file(file, person, 0, [most])


def _is_in_file(file: IO[bytes], person: Person, depth: int, left: list[int]) -> bool:
    """Search as `is_in_file`; `left`: the bytes that may still be unpacked."""
    before, most = b"", _PIECE_BYTES if depth == 0 else _PACKED_BYTES
    try:
        while piece := file.read(most):
            left[0] -= len(piece) if depth else 0
            if left[0] < 0 or person.is_in(before + piece):
                return True
            before = piece[-_LONGEST_BYTES:]
    except _DAMAGED:
        if depth == 0:
            raise
        return False
    try:
        file.seek(0)
        return depth < _DEEPEST and any(
            _is_in_file(packed, person, depth + 1, left) for packed in _unpacked(file)
        )
    except _DAMAGED:
        return False


def _unpacked(file: IO[bytes]) -> Iterator[IO[bytes]]:
    """Iterate over what is packed in an archive: the names and the contents of its files."""
    head = file.read(4)
    file.seek(0)
    if head[:2] == b"\x1f\x8b":
        yield cast("IO[bytes]", gzip.GzipFile(fileobj=file))
    elif head == b"PK\x03\x04":
        with zipfile.ZipFile(file) as archive:
            for each in archive.infolist():
                yield BytesIO(each.filename.encode("utf-8", "surrogateescape"))
                try:
                    content = open_member(archive, each)
                except _DAMAGED:
                    continue
                with content:
                    yield content


def _unescaped(text: str) -> str:
    """Return text with JSON's escapes of signs resolved; other escapes become gaps."""
    text = re.sub(r"\\[bfnrt]", " ", text)
    text = re.sub(r"\\u([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), text)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@cache
def _compatible() -> dict[str, set[str]]:
    """Return, for each sign, the others that are written in its place: wide, narrow, half-width."""
    found = defaultdict[str, set[str]](set)
    for code in range(sys.maxunicode + 1):
        sign = chr(code)
        plain = " " if sign.isspace() else unicodedata.normalize("NFKC", sign)
        if plain != sign and len(plain) == 1:
            found[plain].add(sign)
    return found


def _spellings(sign: str) -> set[str]:
    """Return all ways to write a sign, also in parts, such as か with a mark of its own."""
    parts = unicodedata.normalize("NFD", sign)
    found = {sign, *_compatible()[sign]}
    if len(parts) > 1:
        found |= {"".join(each) for each in product(*map(_spellings, parts))}
    return found


def _one_of(spellings: set[str], encodings: tuple[str, ...], is_gap: bool) -> bytes:
    """Return a pattern of bytes for one sign."""
    found = {
        each
        for text in spellings
        for encoding in encodings
        for each in (_escaped(text) if encoding == "escaped" else {text.encode(encoding, "surrogatepass")})
    }
    return (
        b"(?:" + b"|".join(map(re.escape, sorted(found, key=len, reverse=True))) + (b")+" if is_gap else b")")
    )


def _escaped(text: str) -> set[bytes]:
    escaped = json.dumps(text)[1:-1].encode("ascii")
    return {escaped, re.sub(rb"(?<=\\u)[0-9a-f]{4}", lambda found: found[0].upper(), escaped)}
