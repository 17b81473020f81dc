"""Commands of officials and players, from the panel's words to the log."""

from dataclasses import replace
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from desk.errors import EventLogError
from desk.karuta.engine.engine import Engine
from desk.karuta.engine.events import PausedFor, PauseReason, Remark
from desk.karuta.engine.minutes import read_minutes
from desk.karuta.engine.officials import carry_out
from desk.karuta.engine.policy import Policies, Policy
from desk.log.event_log import EventLog
from desk.panel import phrases
from desk.panel.match.port import CommandResult, Refusal
from desk.panel.match.requests import Declare
from referee.facts import Hand
from referee.karuta.declarations import BrokeRule, Conduct, PlayEnded, PlayingHand, SharedFault, WrongHand
from referee.karuta.flow.events import Confirm, MatchStopped, Rearranging, StopReason
from referee.karuta.flow.state import Phase
from referee.sides import BySide, Side
from tests.desk.karuta.karuta_script import (
    OPENED,
    START,
    ScriptedClock,
    begin,
    opening,
    play,
    poem,
    settled,
)
from tests.desk.panel.commands import command as command_of

NO_FAULTS = {"near": 0, "far": 0}


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    return begin(tmp_path / "match.sqlite", Policies(take=Policy.PROPOSE))


def ask(engine: Engine, name: str, origin: str = "operator", **args: Any) -> CommandResult:
    return carry_out(engine, command_of(name, origin, **args), now_ns=5)


def ruling_seq(engine: Engine) -> int:
    return read_minutes(engine.history)[-1].seq


def proposed(engine: Engine) -> int:
    """Bring the match to a proposed ruling: near takes 1 at home."""
    play(engine, [*opening(), *poem(1, 1000, (1, Side.NEAR, 900))])
    return ruling_seq(engine)


def test_start_begins_to_memorise_and_then_the_match(engine: Engine) -> None:
    assert ask(engine, "start").refusal is Refusal.NOT_NOW
    play(engine, [settled(START, 1)])
    assert ask(engine, "start").refusal is None
    assert engine.state.memorise_until_ns == 5 + engine.state.settings.memorise_ns
    ask(engine, "start")
    assert engine.state.phase is Phase.RESTORE
    assert ask(engine, "start").refusal is Refusal.NOT_NOW


def test_what_the_log_cannot_take_changes_nothing(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    seq = proposed(engine)
    with monkeypatch.context() as full:
        full.setattr(EventLog, "append", no_room)
        assert ask(engine, "confirm", ruling=seq).refusal is Refusal.NOT_KEPT
    assert engine.state.phase is Phase.RULING
    assert ask(engine, "confirm", ruling=seq).seq is not None


def no_room(*_: object) -> None:
    raise EventLogError("the disk is full")


def test_confirm_names_the_ruling_that_waits(engine: Engine) -> None:
    seq = proposed(engine)
    assert ask(engine, "confirm", ruling=seq - 1).refusal is Refusal.NO_SUCH_EVENT
    result = ask(engine, "confirm", ruling=seq)
    assert result.seq is not None
    assert engine.history[result.seq - 1].event == Confirm()
    assert ask(engine, "confirm", ruling=seq).refusal is Refusal.NO_SUCH_EVENT
    assert ask(engine, "confirm", ruling=ruling_seq(engine)).refusal is Refusal.NOT_NOW


@pytest.mark.parametrize("confirmed_before", [False, True])
def test_overrule_counts_what_is_sent_and_keeps_the_note(engine: Engine, confirmed_before: bool) -> None:
    seq = proposed(engine)
    if confirmed_before:
        ask(engine, "confirm", ruling=seq)
        seq = ruling_seq(engine)
    faults = {"near": 1, "far": 0}
    ask(engine, "overrule", ruling=seq, taken_by="far", faults=faults, note="seen from the side")
    standing = engine.state.records[-1].ruling
    assert (standing.taken_by, standing.faults, standing.sends) == (Side.FAR, BySide(1, 0), BySide(0, 2))
    assert read_minutes(engine.history)[-1].note == "seen from the side"
    assert isinstance(engine.history[-1].event, Remark)


def test_nobody_can_take_a_card_that_is_not_there(engine: Engine) -> None:
    play(engine, [*opening(), *poem(50, 1000)])
    seq = ruling_seq(engine)
    result = ask(engine, "overrule", ruling=seq, taken_by="near", faults=NO_FAULTS, note="")
    assert result.refusal is Refusal.IMPOSSIBLE
    result = ask(engine, "overrule", ruling=seq, taken_by=None, faults=NO_FAULTS, note="")
    assert result.refusal is None


def test_revert_takes_back_an_event_of_the_game(engine: Engine) -> None:
    seq = proposed(engine)
    confirm = ask(engine, "confirm", ruling=seq).seq
    assert ask(engine, "revert", event=10_000).refusal is Refusal.NO_SUCH_EVENT
    assert ask(engine, "revert", event=1).refusal is Refusal.NOT_REVERTIBLE
    assert ask(engine, "revert", event=seq).refusal is Refusal.NOT_REVERTIBLE
    assert ask(engine, "revert", event=confirm).refusal is None
    assert engine.state.phase is Phase.RULING
    assert engine.state.paused


def test_reread_voids_the_poem(engine: Engine) -> None:
    seq = proposed(engine)
    assert ask(engine, "reread", ruling=seq + 99).refusal is Refusal.NO_SUCH_EVENT
    assert ask(engine, "reread", ruling=seq).refusal is None
    assert engine.state.again == 1
    assert ask(engine, "reread", ruling=None).refusal is Refusal.NOT_NOW


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ({"what": "wrong_hand", "side": "near", "card": 1}, WrongHand(Side.NEAR, 1)),
        ({"what": "shared_fault", "side": "far"}, SharedFault(Side.FAR)),
        ({"what": "both_hands", "side": "near"}, BrokeRule),
        ({"what": "grabbed_hand", "side": "near"}, BrokeRule),
        ({"what": "false_start", "side": "far"}, BrokeRule),
        ({"what": "right_hand", "side": "far"}, PlayingHand(Side.FAR, Hand.RIGHT)),
        ({"what": "left_hand", "side": "near"}, PlayingHand(Side.NEAR, Hand.LEFT)),
        ({"what": "play_ended", "side": None}, PlayEnded),
    ],
)
def test_declarations_reach_the_rules(engine: Engine, args: dict[str, Any], expected: object) -> None:
    proposed(engine)
    result = ask(engine, "declare", **args)
    assert result.seq is not None
    event = engine.history[result.seq - 1].event
    assert isinstance(event, expected) if isinstance(expected, type) else event == expected


def test_hands_and_rearranging(engine: Engine) -> None:
    seq = proposed(engine)
    ask(engine, "confirm", ruling=seq)
    ask(engine, "declare", origin="far", what="hand_raised", side="far")
    assert engine.state.holding == {Side.FAR}
    ask(engine, "declare", origin="far", what="hand_lowered", side="far")
    assert engine.state.holding == set()
    result = ask(engine, "declare", origin="near", what="rearranging", side="near")
    assert engine.history[(result.seq or 0) - 1].event == Rearranging(Side.NEAR)


def test_a_right_to_send_is_waived_if_there_is_one(engine: Engine) -> None:
    waive = {"what": "right_waived", "side": "near"}
    play(engine, [*opening(), *poem(3, 1000, (3, Side.NEAR, 900))])
    assert ask(engine, "declare", **waive).refusal is Refusal.NOT_NOW
    ask(engine, "confirm", ruling=read_minutes(engine.history)[-1].seq)
    assert engine.state.owed == BySide(1, 0)
    assert ask(engine, "declare", origin="near", **waive).refusal is None
    assert engine.state.owed == BySide(0, 0)
    assert ask(engine, "declare", **waive).refusal is Refusal.NOT_NOW


@pytest.mark.parametrize(
    "args", [{"what": "wrong_hand", "side": "near"}, {"what": "both_hands", "side": None}]
)
def test_a_declaration_that_lacks_something_is_impossible(engine: Engine, args: dict[str, Any]) -> None:
    proposed(engine)
    assert ask(engine, "declare", **args).refusal is Refusal.IMPOSSIBLE


def test_an_appeal_pauses_and_is_counted(tmp_path: Path) -> None:
    opened = replace(OPENED, settings=replace(OPENED.settings, appeals=1))
    log = EventLog.create(tmp_path / "appeals.sqlite")
    engine = Engine.begin(log, opened, policies=Policies(take=Policy.PROPOSE), clock=ScriptedClock())
    seq = proposed(engine)
    assert ask(engine, "appeal", origin="near", ruling=seq, side="near").refusal is None
    assert engine.state.paused
    assert engine.history[-2].event == PausedFor(PauseReason.APPEAL, Side.NEAR)
    second = ask(engine, "appeal", origin="near", ruling=seq, side="near")
    assert second.refusal is Refusal.NO_APPEALS_LEFT
    assert ask(engine, "appeal", origin="far", ruling=seq, side="far").refusal is None


def test_pause_timeout_and_resume(engine: Engine) -> None:
    ask(engine, "pause")
    assert engine.history[-2].event == PausedFor(PauseReason.OPERATOR)
    ask(engine, "resume")
    assert not engine.state.paused
    ask(engine, "declare", origin="far", what="timeout", side="far")
    assert engine.history[-2].event == PausedFor(PauseReason.TIMEOUT, Side.FAR)


def test_a_match_is_ended_and_that_can_be_taken_back(engine: Engine) -> None:
    proposed(engine)
    stop = {"reason": "time", "winner": "near"}
    assert ask(engine, "stop_match", **stop).refusal is Refusal.RULING_OPEN
    ask(engine, "confirm", ruling=ruling_seq(engine))
    ended = ask(engine, "stop_match", **stop)
    assert ended.seq is not None
    assert engine.history[ended.seq - 1].event == MatchStopped(StopReason.TIME, Side.NEAR)
    assert engine.state.winner is Side.NEAR
    assert ask(engine, "stop_match", **stop).refusal is Refusal.NOT_NOW
    ask(engine, "revert", event=ended.seq)
    assert engine.state.phase is Phase.RESTORE


def test_officials_can_declare_whatever_the_rules_know() -> None:
    declared = set(get_args(get_type_hints(Declare)["what"]))
    assert {act.value for act in Conduct if act is not Conduct.OTHER} <= declared
    assert phrases.DECLARATIONS.keys() <= declared
