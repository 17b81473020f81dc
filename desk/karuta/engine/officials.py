"""The commands that officials and players give at the panel, carried out on the engine."""

from collections.abc import Callable

from desk.errors import EventLogError
from desk.karuta.engine.engine import Engine, Origin
from desk.karuta.engine.events import PausedFor, PauseReason, PoliciesSet, Remark
from desk.karuta.engine.minutes import Minute, Standing, read_minutes
from desk.karuta.engine.policy import Policies, Policy, sends_of
from desk.panel.match.port import CommandResult, Refusal
from desk.panel.match.requests import (
    Appeal,
    Command,
    CommandRequest,
    Confirm,
    Declare,
    NamePoem,
    Overrule,
    Plain,
    Reread,
    Revert,
    SetPolicies,
    StopMatch,
)
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
from referee.sides import BySide, Side

_PRESS_UNC_NS = 300_000_000
"""Half width of the instant that an official means by pressing a button: about one reaction."""
_OF_SIDE: dict[str, Callable[[Side], Event]] = {
    "shared_fault": SharedFault,
    "rearranging": events.Rearranging,
    "right_waived": events.RightWaived,
    "hand_raised": events.HandRaised,
    "hand_lowered": events.HandLowered,
}


class RefusedError(Exception):
    """A command changes nothing; `refusal` says why."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.value)
        self.refusal = refusal


def carry_out(engine: Engine, command: Command, now_ns: int) -> CommandResult:
    """Carry out a command and return when its event is durable, at `now_ns` on the match clock."""
    try:
        return CommandResult(seq=_carried_out(engine, command.request, origin_of(command), now_ns))
    except RefusedError as refused:
        return CommandResult(refusal=refused.refusal)
    except IllegalEventError:
        return CommandResult(refusal=Refusal.NOT_NOW)
    except EventLogError:
        return CommandResult(refusal=Refusal.NOT_KEPT)


def origin_of(command: Command) -> Origin:
    return Origin(command.origin) if command.origin in tuple(Origin) else Origin.OPERATOR


def _carried_out(engine: Engine, asked: CommandRequest, origin: Origin, now_ns: int) -> int:
    match asked:
        case Plain(name="pause"):
            return _stop(engine, origin, PauseReason.OPERATOR, None)
        case Plain():
            event: Event = events.Resume() if asked.name == "resume" else events.FieldAccepted()
            if asked.name == "start":
                memorising = engine.state.phase is Phase.MEMORISE
                event = events.MemoriseEnded() if memorising else events.MemoriseStarted(now_ns)
            return engine.submit(event, origin).seq
        case Confirm():
            if _latest(engine, asked.ruling).standing is not Standing.PROPOSED:
                raise RefusedError(Refusal.NOT_NOW)
            return engine.submit(events.Confirm(), origin).seq
        case Overrule():
            return _overrule(engine, asked, origin)
        case Revert():
            if not 1 <= asked.event <= engine.last_seq:
                raise RefusedError(Refusal.NO_SUCH_EVENT)
            number = engine.game_number(asked.event)
            if number is None:
                raise RefusedError(Refusal.NOT_REVERTIBLE)
            return engine.submit(events.Revert(number), origin).seq
        case Reread():
            if asked.ruling is not None:
                _latest(engine, asked.ruling)
            return engine.submit(Misread(), origin).seq
        case Declare(what="timeout"):
            return _stop(engine, origin, PauseReason.TIMEOUT, _side(asked.side))
        case Declare():
            return engine.submit(_declaration(asked, now_ns), origin).seq
        case Appeal():
            return _appeal(engine, asked, origin)
        case StopMatch():
            if engine.state.phase is Phase.RULING:
                raise RefusedError(Refusal.RULING_OPEN)
            reason = events.StopReason(asked.reason)
            return engine.submit(events.MatchStopped(reason, _side(asked.winner)), origin).seq
        case SetPolicies():
            policies = Policies(Policy(asked.take), Policy(asked.fault))
            return engine.note(PoliciesSet(policies), origin).seq
        case NamePoem():
            raise RefusedError(Refusal.NOT_NOW)


def _overrule(engine: Engine, asked: Overrule, origin: Origin) -> int:
    poem = _latest(engine, asked.ruling).ruling.poem
    if engine.state.phase is Phase.RULING:
        before = engine.state.home
    elif engine.state.phase is Phase.RESTORE and engine.state.records:
        before = engine.state.records[-1].layout_before
    else:
        raise RefusedError(Refusal.NOT_NOW)
    taken_by, faults = _side(asked.taken_by), BySide(asked.faults.near, asked.faults.far)
    unread = any(placed.card is None for placed in before)
    if taken_by is not None and before.side_of(poem) is None and not unread:
        raise RefusedError(Refusal.IMPOSSIBLE)
    sends = sends_of(poem, before, taken_by, faults, engine.state.settings.rules)
    overruled = engine.submit(events.Overrule(Ruling(poem, taken_by, faults, sends)), origin)
    if asked.note:
        engine.note(Remark(_latest(engine).seq, asked.note), origin)
    return overruled.seq


def _declaration(asked: Declare, now_ns: int) -> Event:
    what, side = asked.what, _side(asked.side)
    if what == "misread":
        return Misread()
    if what == "play_ended":
        return PlayEnded(now_ns, _PRESS_UNC_NS)
    if side is None:
        raise RefusedError(Refusal.IMPOSSIBLE)
    if what in _OF_SIDE:
        return _OF_SIDE[what](side)
    if what == "wrong_hand":
        if asked.card is None:
            raise RefusedError(Refusal.IMPOSSIBLE)
        return WrongHand(side, asked.card)
    if what in {"right_hand", "left_hand"}:
        return PlayingHand(side, Hand(what.removesuffix("_hand")))
    return BrokeRule(side, Conduct(what))


def _appeal(engine: Engine, asked: Appeal, origin: Origin) -> int:
    _latest(engine, asked.ruling)
    side = Side(asked.side)
    allowed = engine.state.settings.appeals
    if allowed is not None and engine.state.appeals[side] >= allowed:
        raise RefusedError(Refusal.NO_APPEALS_LEFT)
    appealed = engine.submit(events.Appeal(side), origin)
    _stop(engine, origin, PauseReason.APPEAL, side)
    return appealed.seq


def _stop(engine: Engine, origin: Origin, reason: PauseReason, side: Side | None) -> int:
    engine.note(PausedFor(reason, side), origin)
    return engine.submit(events.Pause(), origin).seq


def _side(name: str | None) -> Side | None:
    return None if name is None else Side(name)


def _latest(engine: Engine, seq: int | None = None) -> Minute:
    """Return the latest minute; refuse if `seq` does not name the ruling that stands in it."""
    minutes = [each for each in read_minutes(engine.history) if each.standing is not Standing.REVERTED]
    if not minutes or (seq is not None and minutes[-1].seq != seq):
        raise RefusedError(Refusal.NO_SUCH_EVENT)
    return minutes[-1]
