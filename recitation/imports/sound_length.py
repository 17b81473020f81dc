"""WAV files whose header says another length than the file has.

A program that is ended while it records leaves a length of 0, or of its latest pause; a copy that breaks off
is shorter than its header says.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

from referee.sentence import Sentence

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer as Buffer

_UNSAID: Final = 0xFFFFFFFF
"""The length in the header of a stream, and of RF64, which says it elsewhere; every reader knows both."""


class Lengths(NamedTuple):
    """The bytes of sound in a header and in the file, and where the header says them."""

    said: int
    there: int
    at: int


def false_length(path: Path) -> Lengths | None:
    """Return the lengths of a WAV file if its header is not true; None for every other file."""
    whole = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(12)
        if head[:4] != b"RIFF" or head[8:] != b"WAVE":
            return None
        while len(chunk := file.read(8)) == 8:
            said, at = int.from_bytes(chunk[4:], "little"), file.tell()
            if chunk[:4] == b"data":
                is_true = said == _UNSAID or _ends_well(file, at + said, whole)
                return None if is_true else Lengths(said, whole - at, at - 4)
            file.seek(said + said % 2, io.SEEK_CUR)
    return None


class Mended(io.FileIO):
    """A WAV file whose sound goes on to its end, whatever its header says; nothing is copied."""

    def __init__(self, path: Path, lengths: Lengths) -> None:
        super().__init__(path)
        self._at = lengths.at

    def readinto(self, buffer: Buffer) -> int:
        begins = self.tell()
        count = super().readinto(buffer) or 0
        read = memoryview(buffer).cast("B")
        for place in range(max(begins, self._at), min(begins + count, self._at + 4)):
            read[place - begins] = 0xFF  # `_UNSAID`, byte by byte
        return count


def sentence_of_lengths(lengths: Lengths) -> Sentence:
    """Say what the header promised, what came, and what was done."""
    return Sentence(
        "expected {said} bytes of sound, as the file's header says, but {there} came: the recording or its "
        "copy broke off; everything that is there was heard; if something is missing, copy the file again",
        said=lengths.said,
        there=lengths.there,
    )


def _ends_well(file: BinaryIO, end: int, whole: int) -> bool:
    """Tell whether the file ends with its sound, or another chunk follows that fits into the file."""
    file.seek(end + end % 2)
    following = file.read(8)
    if whole in {end, end + end % 2} or end > whole:
        return end <= whole
    name, size = following[:4], int.from_bytes(following[4:8], "little")
    return name.isascii() and name.decode("ascii").isprintable() and end + end % 2 + 8 + size <= whole
