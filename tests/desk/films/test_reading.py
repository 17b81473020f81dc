"""Poems named by a listener, a person or an order are matched to what was heard, and corrected one by one."""

import pytest

from desk.films.judgement import corrected
from desk.films.reading import (
    FilmReading,
    aligned,
    in_order,
    named_by_listener,
    named_by_order,
    named_by_person,
)
from desk.films.sound import HeardReading
from recitation.listening.listener import Suggestion
from referee.facts import ASSUMED, DISAGREEING, UNPLACED, UNSURE


def heard(t_s: float, *likely: tuple[int, float]) -> HeardReading:
    return HeardReading(t_s, tuple(Suggestion(poem, chance) for poem, chance in likely))


def told(readings: list[FilmReading] | None) -> list[tuple[float, int | None, str]]:
    assert readings is not None
    return [(one.t_ns / 1e9, one.poem, one.doubt) for one in readings]


def test_a_sure_poem_is_taken_and_what_is_unsure_or_read_twice_is_in_doubt() -> None:
    found = named_by_listener([heard(1, (17, 1.0)), heard(9, (5, 0.7), (8, 0.2)), heard(20)])
    assert told(found) == [(1, 17, ""), (9, 5, UNSURE), (20, None, UNSURE)]
    assert found[1].perhaps == (8,)
    assert [one.confidence for one in found] == [1.0, 0.7, 1.0]
    twice = named_by_listener([heard(1, (17, 1.0)), heard(9, (17, 1.0))])
    assert [one.doubt for one in twice] == [UNSURE, UNSURE]


def test_a_poem_whose_beginning_was_not_recorded_is_in_doubt_whoever_names_it() -> None:
    cut = HeardReading(0.05, (Suggestion(17, 1.0),), is_cut=True)
    assert told(named_by_listener([cut])) == told(named_by_person([cut], (17,))) == [(0.05, 17, UNPLACED)]


def test_a_ruling_is_no_surer_than_the_listener_who_named_its_poem() -> None:
    (heard_one,) = named_by_listener([heard(1, (17, 0.93))])
    assert heard_one.line().start.confidence == 0.93
    named = named_by_person([heard(1, (17, 0.93))], (17,))
    assert named is not None
    assert named[0].line().start.confidence == 1.0  # a person knows
    assert corrected(heard_one, poem=17).confidence == 1.0


def test_a_persons_poems_are_laid_onto_the_verses_that_fit_and_talk_is_left_out() -> None:
    verses = [heard(1), heard(9, (8, 0.6), (5, 0.3)), heard(20, (99, 0.5)), heard(31, (46, 1.0))]
    assert told(named_by_person(verses, (5, 46))) == [(9, 5, ""), (31, 46, "")]
    assert named_by_person(verses, (1, 2, 3, 4, 5)) is None


def test_a_person_whom_the_listener_surely_contradicts_is_not_simply_believed() -> None:
    contradicted = named_by_person([heard(1, (17, 1.0))], (46,))
    assert told(contradicted) == [(1, 46, UNSURE)]
    assert contradicted is not None
    assert contradicted[0].perhaps == (17,)


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ((9, 17, 46, 3, 8), [17, 46, 3]),
        ((9, 8, 7), None),
        ((1, 17), None),  # too short to hold them
        ((17, 2, 3, 17, 5, 3), None),  # it may be either
    ],
)
def test_the_part_of_an_order_is_found_that_fits(order: tuple[int, ...], expected: list[int] | None) -> None:
    found = named_by_order([heard(1, (17, 0.9)), heard(9), heard(20, (3, 0.6))], order)
    assert (found if found is None else [one.poem for one in found]) == expected


def test_each_has_a_place_after_the_one_before_it() -> None:
    assert aligned([{0: 1.0, 3: 2.0}, {1: 1.0, 2: 1.5}]) == [0, 2]
    assert aligned([{3: 5.0}, {1: 1.0}]) == [3, None]
    assert aligned([{}, {0: 1.0}, {}]) == [None, 0, None]
    assert aligned([{}]) == [None]


def test_readings_follow_each_other_in_time() -> None:
    ordered = in_order([FilmReading(5_000_000, 1, 2), FilmReading(5_000_000, 1, 3), FilmReading(0, 1, 1)])
    assert [(one.poem, one.t_ns) for one in ordered] == [(1, 0), (2, 5_000_000), (3, 6_000_000)]


@pytest.mark.parametrize(
    ("doubt", "by_poem", "by_onset"),
    [
        (UNSURE, "", UNSURE),
        (ASSUMED, "", ASSUMED),
        (UNPLACED, UNPLACED, ""),
        (DISAGREEING, DISAGREEING, DISAGREEING),
        ("", "", ""),
    ],
)
def test_a_correction_settles_what_it_tells(doubt: str, by_poem: str, by_onset: str) -> None:
    reading = FilmReading(2_000_000_000, 9_000_000, 17, doubt, (4, 5))
    named = corrected(reading, poem=4)
    assert (named.poem, named.doubt, named.perhaps) == (4, by_poem, ())
    assert (named.t_ns, named.t_unc_ns) == (reading.t_ns, reading.t_unc_ns)
    placed = corrected(reading, t_ns=2_300_000_000)
    assert (placed.poem, placed.doubt, placed.t_ns) == (17, by_onset, 2_300_000_000)
    assert placed.t_unc_ns > 60_000_000  # sound and picture may be apart by as much
