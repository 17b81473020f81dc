"""A sentence of the rules is its English, and keeps what other languages are said from."""

import json
from pathlib import Path

from referee.sentence import Sentence, sentence_of

WHY = Sentence("{n} cards", n=3)
SAID = Sentence("{file} is refused ({why})", file=Path("a.toml"), why=WHY)


def test_a_sentence_is_what_it_says_and_comes_back_from_plain_data() -> None:
    assert SAID == "a.toml is refused (3 cards)"
    again = Sentence.from_json(json.loads(json.dumps(SAID.to_json())))
    assert (again, again.text, again.values["why"].values) == (SAID, SAID.text, {"n": 3})
    assert Sentence.from_json("a {brace}") == "a {brace}" == Sentence("a {brace}")


def test_an_error_says_the_sentence_that_caused_it() -> None:
    wrapped = RuntimeError("in passing")
    wrapped.__cause__ = ValueError(SAID)
    assert sentence_of(wrapped) is SAID
    assert sentence_of(ValueError("no {sentence}")) == "no {sentence}"
