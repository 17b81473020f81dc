"""Practice modes, written out phrase by phrase."""

import pytest

from recitation.reading.phrase import Half, Phrase
from recitation.reading.practice import MODES, ModeError, joka_step, parse_mode, steps

JOKA = "joka kami, joka shimo, joka shimo"


def told(mode: str, order: tuple[int, ...] = (17, 4), *, joka: bool = True) -> list[str]:
    return [", ".join(str(phrase) for phrase in step) for step in steps(order, mode, joka=joka)]


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("competition", [f"{JOKA}, 17 kami", "17 shimo, 4 kami", "4 shimo"]),
        ("competition-beginner", [f"{JOKA}, 17 kami, 17 shimo", "17 shimo, 4 kami, 4 shimo"]),
        ("beginner", [f"{JOKA}, 17 kami, 17 shimo", "4 kami, 4 shimo"]),
        ("recreation", [f"{JOKA}, 17 kami, 17 shimo, 17 shimo", "4 kami, 4 shimo, 4 shimo"]),
        ("kami-only", [f"{JOKA}, 17 kami", "4 kami"]),
        ("shimo-only", [f"{JOKA}, 17 shimo", "17 shimo, 4 shimo"]),
        ("12/1", [f"{JOKA}, 17 kami", "17 kami, 17 shimo, 4 kami", "4 kami, 4 shimo"]),
        ("/21", [f"{JOKA}, 17 shimo, 17 kami", "4 shimo, 4 kami"]),
    ],
)
def test_each_mode_phrase_by_phrase(mode: str, expected: list[str]) -> None:
    assert told(mode) == expected


@pytest.mark.parametrize("mode", MODES)
def test_nothing_to_read_leaves_the_joka(mode: str) -> None:
    assert told(mode, ()) == [JOKA]
    assert told(mode, (), joka=False) == []


@pytest.mark.parametrize("text", ["", "/", "3/1", "2-1", "competitve", "1111111/", "1/2/1"])
def test_a_wrong_mode_is_refused(text: str) -> None:
    with pytest.raises(ModeError, match="expected a mode"):
        parse_mode(text)


@pytest.mark.parametrize(
    ("digits", "halves"), [("122", ["kami", "shimo", "shimo"]), ("2", ["shimo"]), ("", [])]
)
def test_the_joka_is_read_as_often_as_wished(digits: str, halves: list[str]) -> None:
    first = steps([17], "kami-only", joka=joka_step(digits))[0]
    assert [str(phrase.half) for phrase in first if phrase.poem == 0] == halves
    assert first[-1] == Phrase(17, Half.KAMI)
