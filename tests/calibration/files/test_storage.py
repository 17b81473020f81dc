"""A file is written whole or not at all, and what is no file is not replaced by one."""

import errno
import io
import os
import re
import subprocess
import sys
import tracemalloc
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest

from calibration.files import json_text
from calibration.files import typed_numbers as typed
from calibration.files.archive import open_member, read_member
from calibration.files.folders import is_own, listed, within
from calibration.files.storage import keep_bytes, keep_text, writing
from calibration.files.text import TextFileError, decode, decode_lines, lines_of, read_text


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "small"
    folder.mkdir()
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        pytest.skip("only root may mount a small disk")
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], check=False).returncode:
        pytest.skip("no disk can be mounted here")
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_a_full_disk_keeps_the_earlier_file(small_disk: Path) -> None:
    kept = small_disk / "answer.json"
    keep_text(kept, "earlier")
    with pytest.raises(OSError, match=r"answer\.json") as raised:
        keep_bytes(kept, bytes(1 << 20))
    assert raised.value.errno == errno.ENOSPC
    assert [path.name for path in small_disk.iterdir()] == ["answer.json"]
    assert kept.read_text() == "earlier"


def test_what_stops_in_the_middle_leaves_nothing(tmp_path: Path) -> None:
    def stopping() -> None:
        with writing(tmp_path / "deck.zip") as stream:
            stream.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopping()
    assert list(tmp_path.iterdir()) == []


def test_a_device_is_written_to_and_stays(tmp_path: Path) -> None:
    pipe = Path(os.devnull)
    keep_text(pipe, "nowhere")
    assert not pipe.is_file()


def test_a_link_stays_and_rights_stay(tmp_path: Path) -> None:
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    keep_text(link, "new")
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert real.stat().st_mode & 0o777 == 0o640


def test_half_a_surrogate_pair_is_escaped(tmp_path: Path) -> None:
    keep_text(tmp_path / "a.json", '"\udc82"')
    assert (tmp_path / "a.json").read_bytes() == b'"\\udc82"'


def test_what_systems_leave_is_passed_over(tmp_path: Path) -> None:
    for name in ("b.ogg", "a.ogg", "._a.ogg", ".DS_Store", "Thumbs.db", "desktop.ini"):
        (tmp_path / name).touch()
    (tmp_path / "__MACOSX").mkdir()
    (tmp_path / "__MACOSX" / "a.ogg").touch()
    assert [path.name for path in listed(tmp_path, "**/*")] == ["a.ogg", "b.ogg"]
    assert is_own(PurePosixPath("first/001.ogg"))
    assert not is_own(PurePosixPath(".hidden/001.ogg"))


def test_macos_is_asked_to_empty_the_drives_own_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its call is pretended; where a file system does not know it, the usual one is made."""
    asked: list[str] = []

    def full(_descriptor: int, command: int) -> int:
        asked.append(f"full {command}")
        if tmp_path.joinpath("refuses").exists():
            raise OSError(errno.ENOTSUP, "not supported")
        return 0

    monkeypatch.setattr("fcntl.F_FULLFSYNC", 51, raising=False)
    monkeypatch.setattr("fcntl.fcntl", full)
    monkeypatch.setattr(os, "fsync", lambda _descriptor: asked.append("usual"))
    keep_text(tmp_path / "kept", "text")
    assert asked == ["full 51", "full 51"], "the file and the folder"
    (tmp_path / "refuses").touch()
    keep_text(tmp_path / "kept", "text")
    assert asked[2:] == ["full 51", "usual"] * 2


@pytest.mark.parametrize("name", ["video.mkv", "films/video.mkv", "a..b", "札.mkv"])
def test_a_file_in_the_folder_or_below_it(name: str) -> None:
    assert within(Path("/r"), name) == Path("/r") / name


@pytest.mark.parametrize("name", ["/etc/passwd", "../x", "a/../../x", ".."])
def test_a_name_that_leads_out_of_the_folder(name: str) -> None:
    with pytest.raises(ValueError, match=r"lies outside .*: copy the file into it"):
        within(Path("/r"), name)


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


TEXT = '{"kind": "end"}\n{"名": "札"}\n'


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_text_of_any_unicode_encoding(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(TEXT.encode(encoding))
    assert read_text(path) == TEXT
    assert "\n".join(decode_lines(io.BytesIO(TEXT.encode(encoding)), "it")).rstrip() == TEXT.rstrip()


@pytest.mark.parametrize(
    ("data", "line"),
    [
        ("ok\nよむ".encode("cp932"), 2),
        ("ok\r\n\r\ngr\xfc\xdfe".encode("latin-1"), 3),
        (b"\xff\xfea\x00b", 1),
        (b"one\rtwo\nth\x00ree", 3),
    ],
    ids=["CP932", "Latin-1", "cut UTF-16", "NUL"],
)
def test_what_is_no_unicode_text_is_named_by_its_line(data: bytes, line: int) -> None:
    with pytest.raises(TextFileError, match=rf"^f\.toml, line {line}: not UTF-8 text .*; save it as UTF-8$"):
        decode(data, "f.toml")


def test_lines_end_where_any_machine_ends_them_and_nowhere_else() -> None:
    assert lines_of("a\r\nb\rc\u2028d\x85e\nf") == ["a", "b", "c\u2028d\x85e", "f"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [('{"a": 1, "a": 2}', "'a' appears twice"), ("[NaN]", "NaN"), ("[-Infinity]", "Infinity"),
     ("[1e999]", "1e999 is too large"), ("[" * 200_000, "nested")],
)  # fmt: skip
def test_json_says_one_thing(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        json_text.parse(text)


def test_json_can_always_be_encoded_and_read_back() -> None:
    value = {"name": "札 \ud800 \udc82", "nan": float("nan"), "list": (1.0, float("inf"))}
    text = json_text.dump(value)
    assert "札" in text
    assert json_text.parse(text.encode()) == {"name": "札 \ud800 \udc82", "nan": None, "list": [1.0, None]}


def test_numbers_typed_on_any_keyboard() -> None:
    assert typed.whole(" ８３２１ ") == 8321
    assert typed.number("１．５") == 1.5
    assert typed.size("１２８０×７２０") == (1280, 720)
    for text in ("nan", "inf", "1e999", "いち"):
        with pytest.raises(ValueError):  # noqa: PT011
            typed.number(text)


def test_a_text_without_end_is_not_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calibration.files.text.MOST_BYTES", 1 << 20)
    monkeypatch.setattr("calibration.files.text.MOST_LINE_BYTES", 1 << 20)
    path = tmp_path / "line.jsonl"
    with path.open("wb") as file:
        file.write(b"{")
        file.truncate(2_000_000_000)
    with pytest.raises(TextFileError, match=r"line\.jsonl: too long for a text, expected at most 1 MiB; cut"):
        read_text(path)
    for name, begin in (("a line", b"short\n{"), ("UTF-16", b"\xff\xfe{\0")):
        with pytest.raises(TextFileError, match="too long for a text"):
            list(decode_lines(io.BytesIO(begin + bytes(3 << 20)), name))
    longest = "a" * ((1 << 20) - 1)
    assert list(decode_lines(io.BytesIO(f"{longest}\nb".encode()), "it")) == [longest, "b"]
