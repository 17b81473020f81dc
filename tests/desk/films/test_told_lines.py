"""The messages to a person about a judged film."""

from desk.commands.judge.film import film_lines
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
