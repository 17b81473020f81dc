"""The engine: events are stored before anyone sees them, replay exactly, and are undone by events."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest

from desk.errors import DeskError, EventLogError
from desk.karuta.engine.engine import Engine, Origin, ReplayError
from desk.karuta.engine.events import Remark
from desk.karuta.engine.policy import Policies, Policy
from desk.log.event_log import EventLog, LogEntry
from referee.karuta.flow.events import Confirm, IllegalEventError, Revert
from referee.karuta.flow.follow_ups import Proposed
from referee.karuta.flow.state import Phase
from referee.karuta.ruling import Ruling
from referee.sides import BySide, Side
from tests.desk.karuta.karuta_script import (
    OPENED,
    begin,
    opening,
    play,
    poem,
    resume,
    whole_match,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "match.sqlite"


def test_a_review_waits_for_a_person_whatever_the_policy(path: Path) -> None:
    engine = begin(path)
    play(engine, [*opening(), *poem(3, 1000, (3, Side.NEAR, 900), (3, Side.FAR, 901), t_unc_ms=5)])
    assert engine.state.phase is Phase.RULING
    engine.submit(Confirm(), Origin.OPERATOR)
    assert engine.state.records[0].ruling.taken_by is Side.FAR


def test_listeners_hear_only_what_is_on_the_disk(path: Path) -> None:
    engine = begin(path)
    on_disk, told = list[int](), list[int]()

    def look() -> None:
        connection = sqlite3.connect(path)
        on_disk.append(connection.execute("SELECT MAX(seq) FROM event").fetchone()[0])
        connection.close()

        told.append(engine.history[-1].seq)

    leave = engine.news.listen(look)
    play(engine, whole_match())
    assert told[-1] == engine.last_seq
    assert told == on_disk
    leave()
    engine.note(Remark(1, "nobody listens"), Origin.OPERATOR)
    assert told[-1] == engine.last_seq - 1


def test_what_cannot_be_written_has_not_happened(path: Path) -> None:
    engine = begin(path)
    play(engine, opening())
    before, told = engine.state, list[int]()
    engine.news.listen(lambda: told.append(engine.last_seq))
    other = EventLog.open(path)
    other._connection.execute("BEGIN EXCLUSIVE")
    engine._log._connection.execute("PRAGMA busy_timeout = 10")
    with pytest.raises(EventLogError, match="another program uses it"):
        play(engine, poem(1, 1000))
    other._connection.execute("ROLLBACK")
    assert engine.state is before
    assert told == []
    play(engine, poem(1, 1000))
    assert engine.state.records


def test_a_command_without_a_meaning_leaves_no_trace(path: Path) -> None:
    engine = begin(path)
    seq, before = engine.last_seq, engine.state
    with pytest.raises(IllegalEventError):
        engine.submit(Confirm(), Origin.OPERATOR)
    assert (engine.last_seq, engine.state) == (seq, before)


class TestReplay:
    def test_the_log_leads_to_the_same_state_bit_for_bit(self, path: Path) -> None:
        engine = begin(path)
        play(engine, whole_match())
        engine.note(Remark(5, "検分した"), Origin.OPERATOR)
        again = resume(path)
        assert again.state == engine.state
        assert again.history == engine.history
        assert repr(again.state) == repr(engine.state)

    @pytest.mark.parametrize("stop", [1, 3, 5, 7, 9, 11, 13, 15])
    def test_a_match_goes_on_after_any_event(self, path: Path, stop: int) -> None:
        whole = begin(path.with_name("whole.sqlite"))
        play(whole, whole_match())
        play(begin(path), whole_match()[:stop])
        engine = resume(path)
        play(engine, whole_match()[stop:])
        assert engine.state == whole.state
        assert [each.event for each in engine.history] == [each.event for each in whole.history]

    def tampered(self, path: Path, statement: str) -> None:
        connection = sqlite3.connect(path)
        for trigger in ("event_never_changes", "event_never_leaves", "event_comes_last"):
            connection.execute(f"DROP TRIGGER IF EXISTS {trigger}")
        connection.execute(statement)
        connection.commit()
        connection.close()

    @pytest.mark.parametrize(
        ("statement", "message"),
        [
            (
                'UPDATE event SET payload = REPLACE(payload, \'"taken_by":"near"\', \'"taken_by":"far"\') '
                "WHERE kind = 'ruled'",
                "says that the rules answered",
            ),
            (
                "UPDATE event SET payload = REPLACE(payload, '\"near\"', '\"far\"') WHERE kind = 'touch'",
                "rules",
            ),
            ("DELETE FROM event WHERE kind = 'match_ended'", "ends before the answer of the rules"),
            ("DELETE FROM event WHERE kind IN ('memorise_started', 'wake_at')", "is refused by the rules"),
            ("DELETE FROM event WHERE kind = 'ruled'", "rules"),
            ("DELETE FROM event WHERE seq = 1", "does not begin with the opening"),
            (
                "UPDATE event SET origin = 'nobody' WHERE seq = 2",
                "'nobody', an origin this shinpan does not know",
            ),
        ],
    )
    def test_a_log_that_was_tampered_with_is_noticed(self, path: Path, statement: str, message: str) -> None:
        engine = begin(path)
        play(engine, whole_match())
        self.tampered(path, statement)
        with pytest.raises(ReplayError, match=message):
            resume(path)

    def test_what_an_earlier_edition_ruled_stands_also_after_an_undo(self, path: Path) -> None:
        play(begin(path), whole_match())
        self.tampered(
            path,
            "UPDATE event SET payload = REPLACE(payload, '\"confidence\":0.995', '\"confidence\":0.25') "
            "WHERE kind IN ('proposed', 'ruled')",
        )
        with pytest.raises(ReplayError, match="says that the rules answered"):
            resume(path)
        self.tampered(
            path,
            "UPDATE event SET version = 1, payload = json_remove(payload, '$.settings.edition') "
            "WHERE kind = 'match_opened'",
        )
        # the first edition knew no bow
        self.tampered(path, "DELETE FROM event WHERE payload LIKE '%closing_bow%'")
        self.tampered(path, "UPDATE event SET seq = seq - 1 WHERE kind = 'match_ended'")
        engine = resume(path)
        assert {record.ruling.confidence for record in engine.state.records} == {0.25}
        engine.submit(Revert(len(engine.state.log)), Origin.OPERATOR)
        assert {record.ruling.confidence for record in engine.state.records} == {0.25}

    def test_an_empty_log_is_no_match(self, path: Path) -> None:
        EventLog.create(path).close()
        with pytest.raises(ReplayError, match=r"does not begin with the opening .*holds no event"):
            resume(path)

    def test_a_second_match_in_one_file_is_refused(self, path: Path) -> None:
        begin(path)
        with pytest.raises(DeskError, match="holds a match already"):
            Engine.begin(EventLog.open(path), OPENED)


class TestUndo:
    def test_an_undone_ruling_comes_back_as_a_proposal_and_the_match_pauses(self, path: Path) -> None:
        engine = begin(path)
        play(engine, [*opening(), *poem(1, 1000, (1, Side.NEAR, 900))])
        confirm = next(each.seq for each in engine.history if each.event == Confirm())
        number = engine.game_number(confirm)
        assert number is not None
        engine.submit(Revert(number), Origin.OPERATOR)
        assert engine.state.phase is Phase.RULING
        assert engine.state.paused
        assert not engine.state.records
        assert resume(path).state == engine.state


class TestPolicies:
    def ruled(self, path: Path, policies: Policies) -> tuple[Ruling, Ruling]:
        """Return what was proposed and what stands, where near takes 3 and touches 2 at home."""
        engine = begin(path, policies)
        play(engine, [*opening(), *poem(3, 1000, (3, Side.NEAR, 900), (2, Side.NEAR, 700))])
        proposed = next(each.event for each in engine.history if isinstance(each.event, Proposed)).ruling
        return proposed, engine.state.records[0].ruling

    @pytest.mark.parametrize("policies", [Policies(take=Policy.PROPOSE), Policies(fault=Policy.PROPOSE)])
    def test_propose_waits_but_no_take_for_the_policy_of_faults(self, path: Path, policies: Policies) -> None:
        engine = begin(path, policies)
        play(engine, [*opening(), *poem(1, 1000, (3, Side.FAR, 700), (1, Side.NEAR, 900))])
        assert not engine.state.records
        alone = begin(path.with_name("alone.sqlite"), policies)
        play(alone, [*opening(), *poem(1, 1000, (1, Side.NEAR, 900))])
        assert len(alone.state.records) == (policies.take is not Policy.PROPOSE)

    def test_auto_counts_a_fault_log_notes_it_and_ignore_does_not(self, path: Path) -> None:
        proposed, standing = self.ruled(path, Policies())
        assert standing.faults == proposed.faults == BySide(1, 0)
        assert proposed.sends == BySide(0, 0)
        for policy in (Policy.LOG, Policy.IGNORE):
            proposed, standing = self.ruled(path.with_name(f"{policy}.sqlite"), Policies(fault=policy))
            assert proposed.faults == BySide(1, 0)
            assert (standing.taken_by, standing.faults) == (Side.NEAR, BySide(0, 0))
            assert standing.sends == BySide(1, 0)
            assert (set(proposed.reasons) < set(standing.reasons)) is (policy is Policy.LOG)
        assert set(standing.reasons) - {"overruled"} < set(proposed.reasons) | {"take_from_opponent"}
        assert not any("fault" in reason for reason in standing.reasons)


def test_a_proposal_and_what_the_policy_decides_are_one_transaction(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A desk that was killed between the two left a ruling open that no person was to look at."""
    stored: list[list[str]] = []
    append = EventLog.append

    def counted(log: EventLog, entries: Sequence[LogEntry]) -> None:
        append(log, entries)
        stored.append([entry.kind for entry in entries])

    monkeypatch.setattr(EventLog, "append", counted)
    engine = begin(tmp_path / "match.sqlite")
    play(engine, [*opening(), *poem(50, 1000)])
    (decided,) = [kinds for kinds in stored if "proposed" in kinds]
    assert [kind for kind in decided if kind != "notice"] == ["poem_finished", "proposed", "confirm", "ruled"]
    latest = engine.history[-len(decided) :]
    assert [happened.origin for happened in latest][:3] == [Origin.EYE, Origin.RULES, Origin.POLICY]
