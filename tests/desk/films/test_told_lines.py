"""The messages to a person about a judged film."""

import sys
from io import StringIO

import pytest

from desk.commands.judge.film import film_lines
from desk.commands.progress_line import ProgressLine, time_left
from desk.films.film import Pacer, Progress, Stage
from desk.films.judgement import JudgedFilm
from desk.films.reading import FilmReading
from referee.facts import ASSUMED, UNPLACED, UNSURE
from referee.sentence import Sentence


def reading(t_s: float, poem: int, doubt: str = "", perhaps: tuple[int, ...] = ()) -> FilmReading:
    return FilmReading(round(t_s * 1e9), 1, poem, doubt, perhaps)


def test_nothing_is_told_where_nothing_is_in_doubt() -> None:
    assert film_lines(JudgedFilm("karuta", {}, (reading(1, 17),))) == []


def test_poems_in_doubt_are_named_with_their_instants_and_what_to_type() -> None:
    heard = JudgedFilm("karuta", {}, (reading(1, 17), reading(12.34, 5, UNSURE, (8,))))
    assert film_lines(heard) == [
        "the sound leaves 1 of 2 poems in doubt (12.3 s: 5 or 8)",
        "where you know what was read, name all poems in order: --poems 17,5",
    ]
    assumed = JudgedFilm("karuta", {}, (reading(1, 17, ASSUMED),), Sentence("it has no sound"))
    assert film_lines(assumed) == [
        "the sound tells nothing: it has no sound",
        "poems are assumed from the cards that left (1.0 s: 17), and nothing about them is decided",
        "where you know what was read, name all poems in order: --poems 17",
    ]
    placed = JudgedFilm("karuta", {}, (reading(1, 17), reading(9, 77, UNPLACED)), Sentence("it has no sound"))
    assert film_lines(placed)[-1].startswith("the film does not tell when these poems were read: 77;")


def test_where_a_person_and_the_listener_differ_both_are_quoted() -> None:
    named = JudgedFilm("karuta", {}, (reading(1, 17), reading(9, 5, UNSURE, (8,))))
    assert film_lines(named, named=True) == [
        "what you named is not what is heard (9.0 s: 5 or 8), and a person decides: check --poems and --order"
    ]


def test_who_is_taken_for_the_dealer_is_said() -> None:
    judged = {"dealer_assumed": 1, "rounds": [{}]}
    assert film_lines(JudgedFilm("koikoi", judged))[-1].startswith("player 1 plays first and is taken")


def test_words_at_a_table_are_said_to_be_unheard() -> None:
    (line,) = film_lines(JudgedFilm("koikoi", {}))
    assert "declarations.jsonl" in line


def test_the_time_left_follows_from_the_pace() -> None:
    told: list[Progress] = []
    now_s = [100.0]
    watched = Pacer(told.append, lambda: now_s[0]).begin(Stage.JUDGING, 40_000_000_000)
    for after_s, film_s in ((1.0, 0.4), (1.1, 5.0), (10.0, 10.0), (50.0, 45.0)):
        now_s[0] = 100.0 + after_s
        watched(round(film_s * 1e9))
    assert told == [
        Progress(Stage.JUDGING, 0.0, None),
        Progress(Stage.JUDGING, 0.01, None),  # too little to tell, and the next came too soon after it
        Progress(Stage.JUDGING, 0.25, 30.0),
        Progress(Stage.JUDGING, 1.0, 0.0),
    ]


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stderr", "shown"),
    [
        (Terminal(), "\r\x1b[Kjudging:   0%\r\x1b[Kjudging:  25%, 1 min 30 s left\r\x1b[K"),
        (StringIO(), "judging:   0%\n"),
    ],
)
def test_a_terminal_shows_a_line_that_changes_and_a_file_few_lines(
    monkeypatch: pytest.MonkeyPatch, stderr: StringIO, shown: str
) -> None:
    monkeypatch.setattr(sys, "stderr", stderr)
    line = ProgressLine()
    line.show("judging", "  0%")
    line.show("judging", f" 25%{time_left(90.0)}")
    line.end()
    assert stderr.getvalue() == shown
