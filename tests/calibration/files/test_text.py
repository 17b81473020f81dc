"""Text as other machines leave it is read, or one line says where it is none."""

import io
from pathlib import Path

import pytest

from calibration.files import json_text
from calibration.files import typed_numbers as typed
from calibration.files.text import TextFileError, decode, decode_lines, lines_of, read_text

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
