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
from referee.karuta.flow.events import Confirm, FieldAccepted, Overrule
from referee.karuta.risk import risk_of
from referee.karuta.ruleset import KYOGI
from referee.karuta.ruling import Ruling
from referee.sides import BySide, Side
from tests.desk.karuta.karuta_script import MS, START, begin, opening, play, poem, sent, settled

NOBODY = BySide.both(0)


def read(number: int, taken_by: Side | None, sends: BySide[int] = NOBODY) -> PoemRead:
    return PoemRead(PoemStarted(number, 1000 * MS, MS), Ruling(number, taken_by, NOBODY, sends), "own")


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    return begin(tmp_path / "match.sqlite", Policies(take=Policy.PROPOSE))


class TestOfficial:
    def test_what_was_right_is_confirmed(self, engine: Engine) -> None:
        official = SimulatedOfficial(engine)
        official.learn(read(1, Side.NEAR))
        play(engine, [*opening(), *poem(1, 1000, (1, Side.NEAR, 900))])
        official.attend()
        assert engine.state.log[-1].event == Confirm()
        assert official.looked == {1: True}

    def test_it_is_never_taken_for_a_person(self, engine: Engine) -> None:
        official = SimulatedOfficial(engine)
        official.learn(read(1, Side.NEAR))
        play(engine, [*opening(), *poem(1, 1000, (1, Side.NEAR, 900))])
        official.attend()
        (confirmed,) = (each for each in engine.history if each.event == Confirm())
        assert confirmed.origin is Origin.SIMULATED
        (minute,) = read_minutes(engine.history)
        assert minute.simulated

    def test_what_was_wrong_is_overruled_by_the_truth(self, engine: Engine) -> None:
        official = SimulatedOfficial(engine)
        official.learn(read(1, Side.FAR, BySide(0, 1)))
        play(engine, [*opening(), *poem(1, 1000, (1, Side.NEAR, 900))])
        official.attend()
        assert isinstance(engine.state.log[-1].event, Overrule)
        assert official.looked == {1: False}
        ruling = engine.state.records[0].ruling
        assert (ruling.taken_by, ruling.sends) == (Side.FAR, BySide(0, 1))

    def test_nothing_waits_nothing_happens(self, engine: Engine) -> None:
        official = SimulatedOfficial(engine)
        play(engine, opening())
        seq = engine.last_seq
        official.attend()
        official.before_poem()
        assert engine.last_seq == seq

    def test_the_field_is_accepted_where_it_lies_otherwise(self, engine: Engine) -> None:
        official = SimulatedOfficial(engine)
        play(engine, [*opening(), settled(sent(START, 3), 500)])
        official.before_poem()
        assert engine.state.log[-1].event == FieldAccepted()
        assert official.fields_accepted == 1

    def test_a_wrong_ruling_that_the_field_gives_away_is_corrected(self, tmp_path: Path) -> None:
        auto = begin(tmp_path / "auto.sqlite")
        official = SimulatedOfficial(auto)
        official.learn(read(3, Side.NEAR, BySide(1, 0)))
        play(auto, [*opening(), *poem(3, 1000)])
        official.attend()
        assert official.looked == {}, "the machine decided that nobody takes"
        play(auto, [settled(START.without(3), 5000)])
        official.before_poem()
        assert official.corrected == [3]
        assert official.fields_accepted == 1, "near still owes a card"
        assert auto.state.records[-1].ruling.taken_by is Side.NEAR
        assert auto.state.home.find(3) is None

    def test_what_a_person_decided_stays_although_the_field_lies_otherwise(self, tmp_path: Path) -> None:
        auto = begin(tmp_path / "auto.sqlite")
        official = SimulatedOfficial(auto)
        official.learn(read(3, Side.NEAR, BySide(1, 0)))
        by_person = Overrule(Ruling(3, Side.FAR, NOBODY, NOBODY))
        play(auto, [*opening(), *poem(3, 1000), by_person, settled(sent(START.without(3), 1), 5000)])
        official.before_poem()
        assert official.corrected == []
        assert official.fields_accepted == 1
        assert auto.state.records[-1].ruling.taken_by is Side.FAR

    def test_a_right_ruling_is_not_touched_where_the_field_is_off(self, tmp_path: Path) -> None:
        auto = begin(tmp_path / "auto.sqlite")
        official = SimulatedOfficial(auto)
        official.learn(read(1, Side.NEAR))
        play(
            auto, [*opening(), *poem(1, 1000, (1, Side.NEAR, 900)), settled(sent(START.without(1), 3), 5000)]
        )
        official.before_poem()
        assert official.corrected == []
        assert official.fields_accepted == 1

    def test_a_card_that_is_never_seen_again_has_left(self, engine: Engine) -> None:
        official = SimulatedOfficial(engine)
        play(engine, opening())
        for round_ in range(1, 4):
            official.learn(read(50 + round_, None))
            play(engine, [*poem(50 + round_, 1000 * round_), Confirm()])
            play(engine, [settled(START.without(4), 1000 * round_ + 500)])
            official.before_poem()
            assert (engine.state.home.find(4) is None) == (round_ == 3)


class TestReport:
    def played(self, engine: Engine, true: PoemRead, t_unc_ms: float = 0.5) -> Report:
        report = Report()
        report.read.append(true)
        official = SimulatedOfficial(engine)
        official.learn(true)
        touches = [(3, Side.NEAR, 900), (3, Side.FAR, 901)]
        play(engine, [*opening(), *poem(3, 1000, *touches, t_unc_ms=t_unc_ms)])
        official.attend()
        assert len(report.follow(engine.state)) == 1
        assert report.follow(engine.state) == []
        return report

    def test_right(self, engine: Engine) -> None:
        report = self.played(engine, read(3, Side.NEAR, BySide(1, 0)), t_unc_ms=0.1)
        (compared,) = report.poems
        assert compared.verdict is Verdict.OK
        assert compared.line().endswith("truth: near takes, near sends 1; ruled: the same  OK")

    def test_wrong(self, engine: Engine) -> None:
        report = self.played(engine, read(3, Side.FAR), t_unc_ms=0.1)
        (compared,) = report.poems
        assert compared.verdict is Verdict.WRONG
        assert "truth: far takes; ruled: near takes, near sends 1  WRONG" in compared.line()
        assert "1 decided wrong" in report.summary()

    def test_review(self, engine: Engine) -> None:
        report = self.played(engine, read(3, Side.FAR), t_unc_ms=5)
        (compared,) = report.poems
        assert compared.verdict is Verdict.REVIEW
        assert "REVIEW (order_not_proven)" in compared.line()
        assert "1 left to the official: 1 confirmed, 0 overruled" in report.summary()
        assert report.to_json()["counts"] == {"ok": 0, "wrong": 0, "review": 1}
        assert report.to_json()["risk"] == risk_of(KYOGI).to_json()

    @pytest.mark.parametrize(
        ("winner", "true_winner", "expected"),
        [
            (Side.NEAR, Side.NEAR, "the winner is near"),
            (Side.NEAR, Side.FAR, "the winner is near by the referee's book, but really far"),
            (None, Side.FAR, "not refereed to its end"),
        ],
    )
    def test_the_end(self, winner: Side | None, true_winner: Side, expected: str) -> None:
        report = replace(Report(), winner=winner, true_winner=true_winner)
        assert report.summary().splitlines()[-1].endswith(expected) or expected in report.summary()


def test_an_outcome_is_who_takes_who_faulted_and_who_sends() -> None:
    one = Ruling(5, Side.NEAR, NOBODY, NOBODY, reasons=("take_own",), confidence=0.7)
    assert same_outcome(one, Ruling(5, Side.NEAR, NOBODY, NOBODY))
    assert not same_outcome(one, replace(one, taken_by=None))
    assert not same_outcome(one, replace(one, faults=BySide(1, 0)))
    assert not same_outcome(one, replace(one, sends=BySide(1, 0)))
