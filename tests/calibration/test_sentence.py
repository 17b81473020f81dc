"""A sentence is its English, and keeps what other languages are said from."""

import json
import pickle
from pathlib import Path

from calibration.failure import FailedEstimation
from referee.complaint import sentence_of
from referee.sentence import Sentence
from vision.sources.video_file import VideoError

WHY = Sentence("{n} pictures are {how!r}", n=3, how="gone")
SAID = Sentence("{film} is broken ({why})", film=Path("a.mp4"), why=WHY)


def test_a_sentence_is_what_it_says_and_remembers_its_parts() -> None:
    assert SAID == "a.mp4 is broken (3 pictures are 'gone')"
    again = Sentence.from_json(json.loads(json.dumps(SAID.to_json())))
    assert again == SAID
    assert again.text == SAID.text
    assert again.values["why"].values == {"n": 3, "how": "gone"}
    sent = pickle.loads(pickle.dumps(SAID))
    assert (sent, sent.text, sent.values["why"].text) == (SAID, SAID.text, WHY.text)


def test_a_plain_text_is_said_as_it_stands() -> None:
    assert Sentence.from_json("a {brace}") == "a {brace}" == Sentence("a {brace}")
    assert (Sentence(), bool(Sentence())) == ("", False)


def test_what_was_wrapped_is_still_the_sentence_that_was_said_first() -> None:
    wrapped = RuntimeError("in passing")
    wrapped.__cause__ = VideoError("{film} is empty", film="a.mp4")
    assert sentence_of(wrapped).values == {"film": "a.mp4"}
    assert sentence_of(ValueError("no {sentence}")) == "no {sentence}"


def test_a_failed_estimation_tells_reason_and_hint_in_one() -> None:
    failed = FailedEstimation(WHY, "look again")
    assert str(failed) == "3 pictures are 'gone' (look again)"
    assert failed.told.values["reason"] is WHY
