"""The messages to a person about a judged film."""

from desk.commands.judge.film import film_lines
from desk.films.film import Pacer, Progress, Stage
from desk.films.judgement import JudgedFilm
from desk.films.reading import FilmReading
from referee.facts import ASSUMED, UNPLACED, UNSURE
from referee.sentence import Sentence


def reading(t_s: float, poem: int, doubt: str = "", perhaps: tuple[int, ...] = ()) -> FilmReading:
    return FilmReading(round(t_s * 1e9), 1, poem, doubt, perhaps)


def test_poems_in_doubt_are_named_with_their_instants_and_what_to_type() -> None:
    assert film_lines(JudgedFilm("karuta", {}, (reading(1, 17),))) == []
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
    named = JudgedFilm("karuta", {}, (reading(1, 17), reading(9, 5, UNSURE, (8,))))
    assert film_lines(named, named=True) == [
        "what you named is not what is heard (9.0 s: 5 or 8), and a person decides: check --poems and --order"
    ]


def test_what_is_unheard_at_a_table_and_who_is_taken_for_the_dealer_is_said() -> None:
    unheard, dealer = film_lines(JudgedFilm("koikoi", {"dealer_assumed": 1, "rounds": [{}]}))
    assert "declarations.jsonl" in unheard
    assert dealer.startswith("player 1 plays first and is taken")


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
