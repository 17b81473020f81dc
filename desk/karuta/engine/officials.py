"""The commands that officials and players give at the panel, carried out on the engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from desk.errors import EventLogError
from desk.karuta.engine.engine import Engine, Origin
from desk.karuta.engine.events import PausedFor, PauseReason, PoliciesSet, Remark
from desk.karuta.engine.minutes import Minute, Standing, read_minutes
from desk.karuta.engine.policy import Policies, Policy
from desk.panel.match.port import Command, CommandName, CommandResult, Refusal
from referee.facts import Hand
from referee.karuta.declarations import (
    BrokeRule,
    Conduct,
    Misread,
    PlayEnded,
    PlayingHand,
    SharedFault,
    WrongHand,
)
from referee.karuta.flow import events
from referee.karuta.flow.events import Event, IllegalEventError
from referee.karuta.flow.state import Phase
from referee.karuta.ruling import Ruling
from referee.karuta.sending import cards_to_send
from referee.layout import Layout
from referee.sides import BySide, Side

_PRESS_UNC_NS = 300_000_000
"""Half width of the instant that an official means by pressing a button: about one reaction."""


class RefusedError(Exception):
    """A command changes nothing; `refusal` says why."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.value)
        self.refusal = refusal


def carry_out(engine: Engine, command: Command, now_ns: int) -> CommandResult:
    """Carry out a command and return when its event is durable.

    Parameters
    ----------
    engine : the running match.
    command : the command, and who gave it.
    now_ns : the instant on the match clock.
    """
    try:
        return CommandResult(seq=_ACTIONS[command.name](engine, command.args, origin_of(command), now_ns))
    except RefusedError as refused:
        return CommandResult(refusal=refused.refusal)
    except IllegalEventError:
        return CommandResult(refusal=Refusal.NOT_NOW)
    except EventLogError:
        return CommandResult(refusal=Refusal.NOT_KEPT)


def origin_of(command: Command) -> Origin:
    """Return who gave a command."""
    return Origin(command.origin) if command.origin in tuple(Origin) else Origin.OPERATOR


_Action = Callable[[Engine, Mapping[str, Any], Origin, int], int]


def _start(engine: Engine, _args: Mapping[str, Any], origin: Origin, now_ns: int) -> int:
    if engine.state.phase is Phase.MEMORISE:
        return engine.submit(events.MemoriseEnded(), origin).seq
    return engine.submit(events.MemoriseStarted(now_ns), origin).seq


def _confirm(engine: Engine, args: Mapping[str, Any], origin: Origin, _now_ns: int) -> int:
    minute = _latest(engine, args["ruling"])
    if minute.standing is not Standing.PROPOSED:
        raise RefusedError(Refusal.NOT_NOW)
    return engine.submit(events.Confirm(), origin).seq


def _overrule(engine: Engine, args: Mapping[str, Any], origin: Origin, _now_ns: int) -> int:
    poem = _latest(engine, args["ruling"]).ruling.poem
    if engine.state.phase is Phase.RULING:
        before = engine.state.home
    elif engine.state.phase is Phase.RESTORE and engine.state.records:
        before = engine.state.records[-1].layout_before
    else:
        raise RefusedError(Refusal.NOT_NOW)
    taken_by = None if args["taken_by"] is None else Side(args["taken_by"])
    faults = BySide(args["faults"]["near"], args["faults"]["far"])
    ruling = official_ruling(engine, poem, before, taken_by, faults)
    overruled = engine.submit(events.Overrule(ruling), origin)
    if args.get("note"):
        engine.note(Remark(_latest(engine).seq, args["note"]), origin)
    return overruled.seq


def official_ruling(
    engine: Engine, poem: int, before: Layout, taken_by: Side | None, faults: BySide[int]
) -> Ruling:
    """Return an official's ruling; the sends follow from take and faults.

    Parameters
    ----------
    before : the layout before the poem.

    Raises
    ------
    RefusedError
        If somebody is to take a card that is not on the field.
    """
    home = before.side_of(poem)
    unread = any(placed.card is None for placed in before)
    if taken_by is not None and home is None and not unread:
        raise RefusedError(Refusal.IMPOSSIBLE)
    robber = None if taken_by is home else taken_by
    left = (before if taken_by is None else before.without(poem)).counts()
    sends = cards_to_send(robber, faults, left, engine.state.settings.rules)
    return Ruling(poem, taken_by, faults, sends)


def _revert(engine: Engine, args: Mapping[str, Any], origin: Origin, _now_ns: int) -> int:
    seq = args["event"]
    if not 1 <= seq <= engine.last_seq:
        raise RefusedError(Refusal.NO_SUCH_EVENT)
    number = engine.game_number(seq)
    if number is None:
        raise RefusedError(Refusal.NOT_REVERTIBLE)
    return engine.submit(events.Revert(number), origin).seq


def _reread(engine: Engine, args: Mapping[str, Any], origin: Origin, _now_ns: int) -> int:
    if args.get("ruling") is not None:
        _latest(engine, args["ruling"])
    return engine.submit(Misread(), origin).seq


def _declare(engine: Engine, args: Mapping[str, Any], origin: Origin, now_ns: int) -> int:
    if args["what"] == "timeout":
        return _stop(engine, origin, PauseReason.TIMEOUT, _side_of(args))
    return engine.submit(_declaration(args, now_ns), origin).seq


def _declaration(args: Mapping[str, Any], now_ns: int) -> Event:
    what, side = args["what"], _side_of(args)
    if what == "misread":
        return Misread()
    if what == "play_ended":
        return PlayEnded(now_ns, _PRESS_UNC_NS)
    if side is None:
        raise RefusedError(Refusal.IMPOSSIBLE)
    match what:
        case "wrong_hand":
            if args.get("card") is None:
                raise RefusedError(Refusal.IMPOSSIBLE)
            return WrongHand(side, args["card"])
        case "shared_fault":
            return SharedFault(side)
        case "rearranging":
            return events.Rearranging(side)
        case "right_hand" | "left_hand":
            return PlayingHand(side, Hand(what.removesuffix("_hand")))
        case "right_waived":
            return events.RightWaived(side)
        case "hand_raised":
            return events.HandRaised(side)
        case "hand_lowered":
            return events.HandLowered(side)
        case _:
            return BrokeRule(side, Conduct(what))


def _accept_field(engine: Engine, _args: Mapping[str, Any], origin: Origin, _now_ns: int) -> int:
    return engine.submit(events.FieldAccepted(), origin).seq


def _appeal(engine: Engine, args: Mapping[str, Any], origin: Origin, _now_ns: int) -> int:
    _latest(engine, args["ruling"])
    side = Side(args["side"])
    allowed = engine.state.settings.appeals
    if allowed is not None and engine.state.appeals[side] >= allowed:
        raise RefusedError(Refusal.NO_APPEALS_LEFT)
    appealed = engine.submit(events.Appeal(side), origin)
    _stop(engine, origin, PauseReason.APPEAL, side)
    return appealed.seq


def _pause(engine: Engine, _args: Mapping[str, Any], origin: Origin, _now_ns: int) -> int:
    return _stop(engine, origin, PauseReason.OPERATOR, None)


def _resume(engine: Engine, _args: Mapping[str, Any], origin: Origin, _now_ns: int) -> int:
    return engine.submit(events.Resume(), origin).seq


def _stop_match(engine: Engine, args: Mapping[str, Any], origin: Origin, _now_ns: int) -> int:
    if engine.state.phase is Phase.RULING:
        raise RefusedError(Refusal.RULING_OPEN)
    winner = None if args["winner"] is None else Side(args["winner"])
    return engine.submit(events.MatchStopped(events.StopReason(args["reason"]), winner), origin).seq


def _set_policies(engine: Engine, args: Mapping[str, Any], origin: Origin, _now_ns: int) -> int:
    policies = Policies(Policy(args["take"]), Policy(args["fault"]))
    return engine.note(PoliciesSet(policies), origin).seq


def _stop(engine: Engine, origin: Origin, reason: PauseReason, side: Side | None) -> int:
    engine.note(PausedFor(reason, side), origin)
    return engine.submit(events.Pause(), origin).seq


def _side_of(args: Mapping[str, Any]) -> Side | None:
    return None if args.get("side") is None else Side(args["side"])


def _latest(engine: Engine, seq: int | None = None) -> Minute:
    """Return the latest minute; refuse if `seq` does not name the ruling that stands in it."""
    minutes = [each for each in read_minutes(engine.history) if each.standing is not Standing.REVERTED]
    if not minutes or (seq is not None and minutes[-1].seq != seq):
        raise RefusedError(Refusal.NO_SUCH_EVENT)
    return minutes[-1]


_ACTIONS: Mapping[CommandName, _Action] = {
    CommandName.START: _start,
    CommandName.CONFIRM: _confirm,
    CommandName.OVERRULE: _overrule,
    CommandName.REVERT: _revert,
    CommandName.REREAD: _reread,
    CommandName.DECLARE: _declare,
    CommandName.ACCEPT_FIELD: _accept_field,
    CommandName.APPEAL: _appeal,
    CommandName.PAUSE: _pause,
    CommandName.RESUME: _resume,
    CommandName.SET_POLICIES: _set_policies,
    CommandName.STOP_MATCH: _stop_match,
}
