"""A sentence of the rules is its English, and keeps what other languages are said from."""

import json
import pickle
from pathlib import Path

from referee.sentence import Sentence, SentenceError, from_plain, to_plain

WHY = Sentence("{n} cards", n=3)
SAID = Sentence("{file} is refused ({why})", file=Path("a.toml"), why=WHY)


def test_a_sentence_is_what_it_says_and_comes_back_from_plain_data() -> None:
    assert SAID == "a.toml is refused (3 cards)"
    again = Sentence.from_json(json.loads(json.dumps(SAID.to_json())))
    assert (again, again.text, again.values["why"].values) == (SAID, SAID.text, {"n": 3})
    assert Sentence.from_json("a {brace}") == "a {brace}" == Sentence("a {brace}")


def test_sentences_go_through_json_wherever_they_stand() -> None:
    judged = {"rounds": [{"flags": [{"text": SAID}], "cards": [1, None]}], "name": "plain {text}"}
    again = from_plain(json.loads(json.dumps(to_plain(judged))))
    assert again == judged
    assert again["rounds"][0]["flags"][0]["text"].values["why"].values == {"n": 3}
    assert not isinstance(again["name"], Sentence)


def test_an_error_is_made_of_a_text_and_what_fills_it() -> None:
    error = pickle.loads(pickle.dumps(SentenceError("{file} is refused ({why})", file="a.toml", why=WHY)))
    assert str(error) == SAID
    assert error.args[0].values["why"].text == WHY.text
    assert SentenceError(SAID).args[0].values == SAID.values


def test_a_path_in_a_sentence_can_be_exchanged() -> None:
    other = Sentence("{file}: {why}", file=Path("/tmp/a/b"), why=SAID, n=3).replacing("a.toml", "b.toml")
    assert other.replacing("/tmp/a", "/home") == "/home/b: b.toml is refused (3 cards)"
    assert Sentence("lies in /tmp/a").replacing("/tmp/a", "/home") == "lies in /home"
