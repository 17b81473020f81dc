"""A poem under a wrong name is taken back and refereed anew, and the log records it."""

from pathlib import Path

import pytest

from desk.karuta.engine.correction import correct_poem, latest_poem
from desk.karuta.engine.engine import Engine, Origin
from desk.karuta.engine.minutes import Standing, read_minutes
from referee.facts import UNSURE, Gap, KimarijiCompleted, PoemStarted
from referee.karuta.declarations import WrongHand
from referee.karuta.flow.state import Phase
from referee.sides import Side
from tests.desk.karuta.karuta_script import MS, START, begin, opening, play, poem, resume, settled


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    return begin(tmp_path / "match.sqlite")


def corrected(engine: Engine, number: int, t_ms: int = 1000) -> None:
    was = latest_poem(engine)
    assert was is not None
    sounds = (PoemStarted(number, t_ms * MS, MS), KimarijiCompleted(number, (t_ms + 300) * MS, MS))
    correct_poem(engine, was, sounds, was.seen, Origin.OPERATOR)


def test_a_fault_becomes_a_take_when_the_poem_gets_its_right_name(engine: Engine) -> None:
    play(engine, [*opening(), *poem(4, 1000, (1, Side.NEAR, 900))])
    (wrong,) = read_minutes(engine.history)
    assert wrong.ruling.faults.near == 1
    corrected(engine, 1)
    (right,) = read_minutes(engine.history)
    assert (right.ruling.poem, right.ruling.taken_by, right.ruling.faults.near) == (1, Side.NEAR, 0)
    assert right.decided is not None
    assert right.standing is Standing.RULED


def test_a_corrected_match_goes_on_and_its_log_runs_again(engine: Engine, tmp_path: Path) -> None:
    play(engine, [*opening(), *poem(4, 1000, (1, Side.NEAR, 900)), settled(START.without(1), 3000)])
    corrected(engine, 1)
    assert engine.state.phase is Phase.RESTORE
    assert engine.state.asked, "the field is in order again: the next poem may come"
    play(engine, poem(4, 7000, (4, Side.FAR, 500)))
    assert [minute.ruling.poem for minute in read_minutes(engine.history)] == [1, 4]
    assert 4 not in engine.state.unread
    engine._log.close()
    assert resume(tmp_path / "match.sqlite").state == engine.state


def test_a_poem_that_is_still_being_played_is_corrected_without_a_ruling(engine: Engine) -> None:
    gap = Gap(1100 * MS, 1200 * MS, "camera_lost")
    play(engine, [*opening(), PoemStarted(4, 1000 * MS, 1), gap])
    corrected(engine, 1)
    assert (engine.state.phase, engine.state.poem) == (Phase.READING, 1)
    assert gap in engine.state.facts


def test_who_names_the_poem_ends_the_ears_doubt(engine: Engine) -> None:
    unsure = Gap(1000 * MS, 1000 * MS, UNSURE)
    play(
        engine,
        [*opening(), PoemStarted(4, 1000 * MS, 1, 0.93), unsure, *poem(4, 1000, (1, Side.NEAR, 900))[1:]],
    )
    (doubtful,) = read_minutes(engine.history)
    assert "gap" in doubtful.ruling.doubts
    corrected(engine, 1)
    (right,) = read_minutes(engine.history)
    assert right.ruling.doubts == ()


def test_what_officials_declared_is_kept(engine: Engine) -> None:
    play(engine, [*opening(), *poem(4, 1000, (1, Side.NEAR, 900))])
    engine.submit(WrongHand(Side.NEAR, 1), Origin.OPERATOR)
    corrected(engine, 1)
    (right,) = read_minutes(engine.history)
    assert right.ruling.taken_by is not Side.NEAR


def test_before_the_first_poem_there_is_nothing_to_correct(engine: Engine) -> None:
    assert latest_poem(engine) is None
    play(engine, opening())
    assert latest_poem(engine) is None
