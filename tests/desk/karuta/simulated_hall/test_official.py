"""The official of a simulated hall, who knows the truth, and the report of what was left to them."""

from dataclasses import replace
from pathlib import Path

import pytest

from desk.commands.demo.report import Report, Verdict
from desk.karuta.engine.engine import Engine, Origin
from desk.karuta.engine.minutes import read_minutes
from desk.karuta.engine.policy import Policies, Policy
from desk.karuta.simulated_hall.official import SimulatedOfficial, same_outcome
from desk.karuta.simulated_hall.table import PoemRead
from referee.facts import PoemStarted
from referee.karuta.flow.events import Confirm, Event, FieldAccepted, Overrule
from referee.karuta.risk import risk_of
from referee.karuta.ruleset import KYOGI
from referee.karuta.ruling import Ruling
from referee.sides import BySide, Side
from tests.desk.karuta.karuta_script import MS, START, begin, opening, play, poem, sent, settled

NOBODY = BySide.both(0)
NEAR_TAKES_1 = poem(1, 1000, (1, Side.NEAR, 900))


def read(number: int, taken_by: Side | None, sends: BySide[int] = NOBODY) -> PoemRead:
    return PoemRead(PoemStarted(number, 1000 * MS, MS), Ruling(number, taken_by, NOBODY, sends), "own")


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    return begin(tmp_path / "match.sqlite", Policies(take=Policy.PROPOSE))


@pytest.fixture
def auto(tmp_path: Path) -> Engine:
    """A match in which rulings stand without a person."""
    return begin(tmp_path / "auto.sqlite")


def official_of(
    engine: Engine, *true: PoemRead, events: tuple[Event, ...] | list[Event] = ()
) -> SimulatedOfficial:
    """Let an official who knows the truth attend after the match has opened and gone on."""
    official = SimulatedOfficial(engine)
    for each in true:
        official.learn(each)
    play(engine, [*opening(), *events])
    official.attend()
    return official


def test_what_was_right_is_confirmed_and_never_taken_for_a_persons_word(engine: Engine) -> None:
    official = official_of(engine, read(1, Side.NEAR), events=NEAR_TAKES_1)
    assert official.looked == {1: True}
    (confirmed,) = (each for each in engine.history if each.event == Confirm())
    assert confirmed.origin is Origin.SIMULATED
    (minute,) = read_minutes(engine.history)
    assert minute.simulated


def test_what_was_wrong_is_overruled_by_the_truth(engine: Engine) -> None:
    official = official_of(engine, read(1, Side.FAR, BySide(0, 1)), events=NEAR_TAKES_1)
    assert isinstance(engine.state.log[-1].event, Overrule)
    assert official.looked == {1: False}
    ruling = engine.state.records[0].ruling
    assert (ruling.taken_by, ruling.sends) == (Side.FAR, BySide(0, 1))


def test_where_nothing_waits_only_a_field_that_lies_otherwise_is_accepted(engine: Engine) -> None:
    official = official_of(engine)
    seq = engine.last_seq
    official.before_poem()
    assert engine.last_seq == seq
    play(engine, [settled(sent(START, 3), 500)])
    official.before_poem()
    assert engine.state.log[-1].event == FieldAccepted()
    assert official.fields_accepted == 1


def test_a_wrong_ruling_that_the_field_gives_away_is_corrected(auto: Engine) -> None:
    official = official_of(auto, read(3, Side.NEAR, BySide(1, 0)), events=poem(3, 1000))
    assert official.looked == {}, "the machine decided that nobody takes"
    play(auto, [settled(START.without(3), 5000)])
    official.before_poem()
    assert official.corrected == [3]
    assert official.fields_accepted == 1, "near still owes a card"
    assert auto.state.records[-1].ruling.taken_by is Side.NEAR
    assert auto.state.home.find(3) is None


@pytest.mark.parametrize("by_person", [True, False])
def test_what_a_person_decided_or_is_right_stays(auto: Engine, by_person: bool) -> None:
    far = Overrule(Ruling(3, Side.FAR, NOBODY, NOBODY))
    true = read(3, Side.NEAR, BySide(1, 0)) if by_person else read(1, Side.NEAR)
    events = [*poem(3, 1000), far] if by_person else NEAR_TAKES_1
    official = official_of(auto, true, events=events)
    play(auto, [settled(sent(START.without(true.start.poem), 1 if by_person else 3), 5000)])
    official.before_poem()
    assert official.corrected == []
    assert official.fields_accepted == 1
    assert auto.state.records[-1].ruling.taken_by is (Side.FAR if by_person else Side.NEAR)


def test_a_card_that_is_never_seen_again_has_left(engine: Engine) -> None:
    official = official_of(engine)
    for round_ in range(1, 4):
        official.learn(read(50 + round_, None))
        play(engine, [*poem(50 + round_, 1000 * round_), Confirm()])
        play(engine, [settled(START.without(4), 1000 * round_ + 500)])
        official.before_poem()
        assert (engine.state.home.find(4) is None) == (round_ == 3)


@pytest.mark.parametrize(
    ("true", "t_unc_ms", "line"),
    [
        (read(3, Side.NEAR, BySide(1, 0)), 0.1, "truth: near takes, near sends 1; ruled: the same  OK"),
        (read(3, Side.FAR), 0.1, "truth: far takes; ruled: near takes, near sends 1  WRONG"),
        (read(3, Side.FAR), 5, "REVIEW (order_not_proven)"),
    ],
)
def test_the_report_compares_with_truth(engine: Engine, true: PoemRead, t_unc_ms: float, line: str) -> None:
    touches = poem(3, 1000, (3, Side.NEAR, 900), (3, Side.FAR, 901), t_unc_ms=t_unc_ms)
    report = Report(official_of(engine, true, events=touches))
    (compared,) = report.follow(engine.state)
    assert report.follow(engine.state) == []
    assert line in compared.line()
    assert compared.verdict.name in line
    assert report.to_json()["counts"][compared.verdict.name.lower()] == 1
    left = "1 left to the official: 1 confirmed, 0 overruled" in report.summary()
    assert left is (compared.verdict is Verdict.REVIEW)
    assert report.to_json()["risk"] == risk_of(KYOGI).to_json()


@pytest.mark.parametrize(
    ("winner", "true_winner", "expected"),
    [
        (Side.NEAR, Side.NEAR, "the winner is near"),
        (Side.NEAR, Side.FAR, "the winner is near by the referee's book, but really far"),
        (None, Side.FAR, "not refereed to its end"),
    ],
)
def test_the_report_tells_the_end(
    engine: Engine, winner: Side | None, true_winner: Side, expected: str
) -> None:
    report = Report(SimulatedOfficial(engine), winner=winner, true_winner=true_winner)
    assert expected in report.summary()


def test_an_outcome_is_who_takes_who_faulted_and_who_sends() -> None:
    one = Ruling(5, Side.NEAR, NOBODY, NOBODY, reasons=("take_own",), confidence=0.7)
    assert same_outcome(one, Ruling(5, Side.NEAR, NOBODY, NOBODY))
    for other in (
        replace(one, taken_by=None),
        replace(one, faults=BySide(1, 0)),
        replace(one, sends=BySide(1, 0)),
    ):
        assert not same_outcome(one, other)
