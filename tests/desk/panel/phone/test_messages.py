"""What a phone sends is checked before anything of it is used."""

import json
import struct

import pytest

from desk.panel.phone.messages import Hello, Report, answer, picture, spoken

HELLO = {"kind": "hello", "codec": "h264", "width": 1280, "height": 720, "fps": 60}


def head(
    version: int = 1, whole: int = 1, left_out: int = 3, taken_ms: float = 5.5, unc_ms: float = 0.25
) -> bytes:
    return struct.pack("<BBHIdf", version, whole, 0, left_out, taken_ms, unc_ms)


def test_a_picture_is_read_as_the_page_writes_it() -> None:
    taken = picture(head() + b"bytes")
    assert (taken.data, taken.is_whole, taken.left_out) == (b"bytes", True, 3)
    assert (taken.taken_ms, taken.unc_ms) == (5.5, 0.25)


@pytest.mark.parametrize(
    "message",
    [
        b"",
        head(),
        head(version=2) + b"x",
        head(whole=7) + b"x",
        head(taken_ms=float("nan")) + b"x",
        head(taken_ms=-1) + b"x",
        head(unc_ms=float("inf")) + b"x",
    ],
)
def test_what_is_no_picture_is_refused(message: bytes) -> None:
    with pytest.raises(ValueError, match="picture"):
        picture(message)


def test_hello_and_report() -> None:
    assert spoken(json.dumps(HELLO)) == Hello(**HELLO)  # type: ignore[arg-type]
    assert spoken('{"kind": "report", "warnings": ["heat"]}') == Report(kind="report", warnings=["heat"])


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "goodbye"},
        {"codec": "raw"},
        {"width": 10**6},
        {"fps": 0},
        {"fps": "60"},
        {"turned_deg": 45},
        {"path": "/etc"},
    ],
)
def test_what_is_no_hello_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="validation error"):
        spoken(json.dumps(HELLO | change))


@pytest.mark.parametrize("text", ["", "[]", "null", '{"kind": "report", "warnings": ["tired"]}'])
def test_other_words_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="validation error"):
        spoken(text)


def test_an_answer_of_the_clock() -> None:
    assert answer('{"kind": "answer", "id": 4, "there_ms": 12.5}').there_ms == 12.5
    for there in ("NaN", "-1", '"1"', "1e300"):
        with pytest.raises(ValueError, match="validation error"):
            answer(f'{{"kind": "answer", "id": 4, "there_ms": {there}}}')
