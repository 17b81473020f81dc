"""The instants of readings, inferred from the movements of the cards."""

from types import SimpleNamespace
from typing import cast

from desk.films.reading import FilmReading, assumed_readings, named_by_plays, placed_readings
from referee.facts import ASSUMED, UNPLACED, UNSURE
from referee.layout import Layout
from vision.match.plays import Play
from vision.poem.events import PoemSeen

S = 1_000_000_000
FIELD = frozenset({1, 2, 3, 4, 5, 6})
END = 60 * S


def play(
    t_s: float, touched: tuple[int, ...], taken: tuple[int, ...] = (), lay: frozenset[int] = FIELD
) -> Play:
    nothing = cast("PoemSeen", SimpleNamespace(before=SimpleNamespace(layout=Layout(())), facts=()))
    t_ns = round(t_s * S)
    return Play(t_ns, t_ns - S // 10, touched, (), lay, nothing, taken)


def told(readings: list[FilmReading]) -> list[tuple[int | None, str]]:
    return [(one.poem, one.doubt) for one in readings]


def test_a_reading_comes_just_before_its_play() -> None:
    (one,) = placed_readings((1,), [play(10, (2, 1), (1,))], END)
    assert 9.0 * S < one.t_ns < one.t_ns + one.t_unc_ns < 9.9 * S
    assert told([one]) == [(1, "")]


def test_cards_that_came_back_are_no_targets() -> None:
    plays = [play(10, (2, 1), (1,)), play(14, (2,)), play(30, (4, 3), (4,))]
    assert told(assumed_readings(plays)) == [(1, ASSUMED), (4, ASSUMED)]
    assert told(placed_readings((1, 4), plays, END)) == [(1, ""), (4, "")]


def test_a_card_that_was_pressed_is_taken_when_it_was_pressed_and_nobody_is_sure_of_it() -> None:
    plays = [play(10, (1, 2)), play(13, (1,), (1,))]
    (one,) = placed_readings((1,), plays, END)
    assert one.t_ns < 10 * S
    assert one.doubt == UNPLACED
    # long before, it was no press
    assert told(placed_readings((1,), [play(10, (1, 2)), play(30, (1,), (1,))], END)) == [(1, "")]


def test_another_poems_play_in_between_settles_it() -> None:
    plays = [play(10, (3, 1)), play(12, (2,), (2,)), play(16, (1,), (1,))]
    assert told(placed_readings((2, 1), plays, END)) == [(2, ""), (1, "")]


def test_a_dead_poem_is_never_surely_placed_where_something_was_touched() -> None:
    plays = [play(10, (1,), (1,)), play(20, (2, 3)), play(30, (4,), (4,))]
    readings = placed_readings((1, 77, 4), plays, END)
    assert told(readings) == [(1, ""), (77, UNPLACED), (4, "")]
    assert 19 * S < readings[1].t_ns < 20 * S


def test_a_poem_after_which_nothing_was_touched_is_put_between_the_plays() -> None:
    plays = [play(10, (1,), (1,)), play(30, (4,), (4,))]
    readings = placed_readings((1, 77, 78, 4), plays, END)
    assert told(readings) == [(1, ""), (77, ""), (78, ""), (4, "")]
    assert 10 * S < readings[1].t_ns < readings[2].t_ns < 29 * S
    # where something was touched that belongs to nothing, it may have been its play
    plays.insert(1, play(20, (5,), (), FIELD | {77}))
    assert told(placed_readings((1, 77, 4), plays, END)) == [(1, ""), (77, UNPLACED), (4, "")]


def test_a_card_that_lies_there_untouched_is_not_said_to_have_been_left() -> None:
    plays = [play(10, (1,), (1,)), play(30, (4,), (4,))]
    assert told(placed_readings((1, 5, 4), plays, END)) == [(1, ""), (5, UNPLACED), (4, "")]
    assert told(placed_readings((77,), [], END)) == [(77, "")]


def test_a_poem_that_nobody_understood_is_named_by_the_card_that_left_after_it() -> None:
    plays = [play(10, (1,), (1,)), play(40, (4,), (4,))]
    heard = [
        FilmReading(9 * S, 1, None, UNSURE),
        FilmReading(39 * S, 1, 4),
        FilmReading(50 * S, 1, None, UNSURE),
    ]
    assert told(named_by_plays(heard, plays)) == [(1, ASSUMED), (4, "")]
    assert named_by_plays([FilmReading(11 * S, 1, None, UNSURE)], plays) == []
