"""Members of archives that would fill the memory, whatever they announce and however they are packed."""

import io
import re
import tracemalloc
import zipfile

import pytest

from calibration.files.archive import open_member, read_member

MANY = 64 << 20


def bomb(kind: int, announced: int = 10) -> zipfile.ZipFile:
    """Return an archive whose member `a` announces few bytes and has many."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", kind) as archive:
        archive.writestr("a", bytes(MANY))
    data = bytearray(packed.getvalue())
    for head, size in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        at = data.index(head) + size
        data[at : at + 4] = announced.to_bytes(4, "little")
    return zipfile.ZipFile(io.BytesIO(data))


def _pieces(archive: zipfile.ZipFile) -> list[int]:
    with open_member(archive, archive.infolist()[0]) as stream:
        return [len(piece) for piece in iter(lambda: stream.read(1 << 16), b"")]


@pytest.mark.parametrize("kind", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_member_takes_no_more_memory_than_it_announces(kind: int) -> None:
    with bomb(kind) as archive:
        tracemalloc.start()
        try:
            with pytest.raises(zipfile.BadZipFile):
                read_member(archive, "a", 1 << 20)
            with pytest.raises(zipfile.BadZipFile):
                _pieces(archive)
            assert tracemalloc.get_traced_memory()[1] < MANY // 16
        finally:
            tracemalloc.stop()


def test_a_member_that_says_that_it_is_large_is_refused() -> None:
    with (
        bomb(zipfile.ZIP_DEFLATED, MANY) as archive,
        pytest.raises(zipfile.BadZipFile, match=re.escape("a is larger than 16 MiB")),
    ):
        read_member(archive, "a", 16 << 20)


@pytest.mark.parametrize("kind", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_an_ordinary_member_is_whole(kind: int) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", kind) as archive:
        archive.writestr("a", b"poem" * 1000)
        archive.writestr("empty", b"")
    with zipfile.ZipFile(packed) as archive:
        assert read_member(archive, "a", 4000) == b"poem" * 1000
        assert read_member(archive, "empty", 0) == b""
        with pytest.raises(KeyError):
            read_member(archive, "b", 4000)
