"""Reads members of ZIP archives that come from other people: never more of one than its announced size.

Python's reader unpacks a whole member at once if it is asked for all, also where the archive announces a few
bytes; of BZIP2 and LZMA it does so however little it is asked for. A kilobyte can hold a gigabyte.
"""

from typing import IO, Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from referee.sentence import Sentence

_KINDS: Final = (ZIP_STORED, ZIP_DEFLATED)
"""What this program writes, and what every packing program writes unless it is told otherwise."""


def read_member(archive: ZipFile, member: str | ZipInfo, most_bytes: int) -> bytes:
    """Return the bytes of a member; KeyError if there is none of this name.

    Raises BadZipFile if it is damaged, larger than `most_bytes`, or packed in a way that nobody asks for.
    """
    info = archive.getinfo(member) if isinstance(member, str) else member
    if info.file_size > most_bytes:
        raise BadZipFile(Sentence("{name} is larger than {n} MiB", name=info.filename, n=most_bytes >> 20))
    with open_member(archive, info) as stream:
        return stream.read(info.file_size)


def open_member(archive: ZipFile, info: ZipInfo) -> IO[bytes]:
    """Open a member to be read in pieces of a size; errors as in `read_member`."""
    if info.compress_type not in _KINDS:
        name = info.filename
        raise BadZipFile(
            Sentence("{name} is packed in an unusual way: pack it anew as an ordinary ZIP file", name=name)
        )
    return archive.open(info)
