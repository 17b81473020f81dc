"""Read text files as other programs and machines leave them: with or without a BOM, with any line ends."""

import codecs
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from referee.sentence import SentenceError

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark is a prefix of it
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_ASCII = frozenset(b"\t\r\n") | frozenset(range(0x20, 0x7F))
MOST_BYTES = 128 << 20  # the largest text file: ten thousand times a long match
MOST_LINE_BYTES = 8 << 20  # the longest line of a stream, which might never end


class TextFileError(SentenceError, ValueError):
    """A file holds no readable text; the message names the file, the line and what to do."""


def read_text(path: Path) -> str:
    """Return the text of a file: UTF-8, UTF-16 or UTF-32, with or without a byte order mark.

    Raises TextFileError if it is none of these, no text at all, or more than `MOST_BYTES`. Raises OSError if
    it cannot be read.
    """
    return decode(read_bytes(path), str(path))


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a text file; TextFileError beyond `MOST_BYTES`, OSError if it cannot be read."""
    with path.open("rb") as stream:
        return _limited(stream.read(MOST_BYTES + 1), MOST_BYTES, str(path))


def decode(data: bytes, name: str) -> str:
    """Return bytes as text; errors as `read_text`, which call the bytes `name`."""
    encoding, mark = encoding_of(data)
    try:
        text = data[mark:].decode(encoding)
    except UnicodeDecodeError as error:
        at = mark + error.start
        line = len(lines_of(data[mark:at].decode(encoding, "replace")))
        raise _not_utf_8(name, line, data[at]) from error
    if "\0" in text:
        line = len(lines_of(text.partition("\0")[0]))
        raise TextFileError(
            "{file}, line {line}: not UTF-8 text (a NUL byte); save it as UTF-8", file=name, line=line
        )
    return text


def decode_lines(stream: BinaryIO, name: str) -> Iterator[str]:
    """Iterate over the lines of a byte stream as they come; errors as `read_text`."""
    for number, line in enumerate(iter(lambda: stream.readline(MOST_LINE_BYTES + 1), b""), 1):
        if number == 1 and encoding_of(line)[0] != "utf-8":
            # not UTF-8: a newline byte need not end a line, as one character is several bytes
            whole = line + stream.read(MOST_BYTES + 1)
            yield from lines_of(decode(_limited(whole, MOST_BYTES, name), name))
            return
        _limited(line, MOST_LINE_BYTES, f"{name}, line {number}")
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise _not_utf_8(name, number, line[error.start]) from error
        yield from lines_of(text.removesuffix("\n"))


def lines_of(text: str) -> list[str]:
    """Split text at any machine's line ends, and only there: JSON may hold U+2028, at which `str` splits."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _limited(data: bytes, most: int, name: str) -> bytes:
    if len(data) > most:
        raise TextFileError(
            "{file}: too long for a text, expected at most {n} MiB; cut it up", file=name, n=most >> 20
        )
    return data


def encoding_of(data: bytes) -> tuple[str, int]:
    """Return the encoding of a text that begins with some bytes, and the length of its byte order mark."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return encoding, len(mark)
    # no mark: every text read here begins with an ASCII character of JSON, TOML or a table
    if len(data) > 1 and data[1] == 0 and data[0] in _ASCII:
        return "utf-16-le", 0
    if len(data) > 1 and data[0] == 0 and data[1] in _ASCII:
        return "utf-16-be", 0
    return "utf-8", 0


def _not_utf_8(name: str, line: int, byte: int) -> TextFileError:
    return TextFileError(
        "{file}, line {line}: not UTF-8 text (byte 0x{byte:02x}); save it as UTF-8",
        file=name,
        line=line,
        byte=byte,
    )
