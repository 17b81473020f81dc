"""What an error complains of is said in our own words, also where a system or a library raised it."""

import errno
import json
import pickle
import sqlite3
import ssl
import tomllib
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest

from referee.complaint import of_file, sentence_of
from referee.sentence import Sentence, SentenceError, from_plain, to_plain

SAID = Sentence("{file} is refused", file="a.toml")


def test_an_error_says_the_sentence_that_caused_it() -> None:
    wrapped = RuntimeError("in passing")
    wrapped.__cause__ = ValueError(SAID)
    assert sentence_of(wrapped) is SAID
    assert sentence_of(ValueError("no {sentence}")) == "no {sentence}"
    assert sentence_of(OSError(errno.EBUSY, SAID, "a.toml")) is SAID


@pytest.mark.parametrize(
    ("raises", "said"),
    [
        (lambda folder: (folder / "none").read_text(), "there is no such file or folder: check the name"),
        (lambda folder: folder.read_text(), "it is a folder: name a file in it"),
        (lambda folder: folder.mkdir(), "it exists already: choose another name"),
        (lambda folder: (folder / ("x" * 300)).touch(), "the name is too long"),
        (lambda folder: json.loads('{"a": 1,\n ]'), "something else is expected at line 2, column 2"),
        (lambda folder: tomllib.loads("a = 1\nb c"), "something else is expected at line 2, column 3"),
        (lambda folder: tomllib.loads("a = "), "it ends too early"),
        (lambda folder: zipfile.ZipFile(BytesIO(b"no")), "it is no ZIP file"),
        (lambda folder: sqlite3.connect(folder / "no" / "x").execute("PRAGMA user_version"), "it cannot be"),
    ],
)
def test_systems_speak_our_words(raises: Callable[[Path], object], said: str, tmp_path: Path) -> None:
    with pytest.raises((OSError, ValueError, sqlite3.Error, zipfile.BadZipFile)) as caught:
        raises(tmp_path)
    assert sentence_of(caught.value).startswith(said)


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.ENOSPC, "the disk is full: make room on it"),
        (errno.EACCES, "you may not do this there: choose another folder, or ask whose it is"),
        (errno.ECONNREFUSED, "nobody answers at this address: look whether its program runs"),
    ],
)
def test_a_number_of_the_system_has_words(number: int, said: str) -> None:
    assert sentence_of(OSError(number, "Systemtext")) == said


def test_an_answer_that_does_not_come_has_words_whoever_waited() -> None:
    assert sentence_of(TimeoutError()).startswith("no answer came in time")


def test_errors_of_tls_are_not_those_of_files() -> None:
    unproven = ssl.SSLCertVerificationError(1, "certificate verify failed")
    assert sentence_of(unproven) == "certificate verify failed"
    unproven.verify_message = "certificate has expired"
    assert sentence_of(unproven) == "the other side cannot prove who it is: certificate has expired"


def test_what_is_unknown_is_said_as_it_came() -> None:
    assert sentence_of(OSError(12345, "Nothing known")) == "Nothing known"


def test_an_error_of_a_file_names_it() -> None:
    assert of_file(OSError(errno.EIO, "x", "/mnt/a")).startswith("/mnt/a: the disk does not read")
    assert of_file(OSError(errno.EIO, "x")).startswith("the disk does not read")


WHY = Sentence("{n} cards", n=3)
FILED = Sentence("{file} is refused ({why})", file=Path("a.toml"), why=WHY)


def test_a_sentence_is_what_it_says_and_comes_back_from_plain_data() -> None:
    assert FILED == "a.toml is refused (3 cards)"
    again = Sentence.from_json(json.loads(json.dumps(FILED.to_json())))
    assert (again, again.text, again.values["why"].values) == (FILED, FILED.text, {"n": 3})
    assert Sentence.from_json("a {brace}") == "a {brace}" == Sentence("a {brace}")


def test_sentences_go_through_json_wherever_they_stand() -> None:
    judged = {"rounds": [{"flags": [{"text": FILED}], "cards": [1, None]}], "name": "plain {text}"}
    again = from_plain(json.loads(json.dumps(to_plain(judged))))
    assert again == judged
    assert again["rounds"][0]["flags"][0]["text"].values["why"].values == {"n": 3}
    assert not isinstance(again["name"], Sentence)


def test_an_error_is_made_of_a_text_and_what_fills_it() -> None:
    error = pickle.loads(pickle.dumps(SentenceError("{file} is refused ({why})", file="a.toml", why=WHY)))
    assert str(error) == FILED
    assert error.args[0].values["why"].text == WHY.text
    assert SentenceError(FILED).args[0].values == FILED.values


def test_a_path_in_a_sentence_can_be_exchanged() -> None:
    other = Sentence("{file}: {why}", file=Path("/tmp/a/b"), why=FILED, n=3).replacing("a.toml", "b.toml")
    assert other.replacing("/tmp/a", "/home") == "/home/b: b.toml is refused (3 cards)"
    assert Sentence("lies in /tmp/a").replacing("/tmp/a", "/home") == "lies in /home"
