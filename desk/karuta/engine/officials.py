"""The commands that officials and players give at the panel, carried out on the engine."""

from __future__ import annotations

from desk.errors import EventLogError
from desk.karuta.engine.engine import Engine, Origin
from desk.karuta.engine.events import PausedFor, PauseReason, PoliciesSet, Remark
from desk.karuta.engine.minutes import Minute, Standing, read_minutes
from desk.karuta.engine.policy import Policies, Policy
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
    """Carry out a command and return when its event is durable. `now_ns`: the instant on the match clock."""
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
        case Plain():
            return _plain(engine, asked.name, origin, now_ns)
        case Confirm():
            return _confirm(engine, asked, origin)
        case Overrule():
            return _overrule(engine, asked, origin)
        case Revert():
            return _revert(engine, asked, origin)
        case Reread():
            if asked.ruling is not None:
                _latest(engine, asked.ruling)
            return engine.submit(Misread(), origin).seq
        case Declare():
            if asked.what == "timeout":
                return _stop(engine, origin, PauseReason.TIMEOUT, _side_of(asked))
            return engine.submit(_declaration(asked, now_ns), origin).seq
        case Appeal():
            return _appeal(engine, asked, origin)
        case StopMatch():
            return _stop_match(engine, asked, origin)
        case SetPolicies():
            policies = Policies(Policy(asked.take), Policy(asked.fault))
            return engine.note(PoliciesSet(policies), origin).seq
        case NamePoem():
            raise RefusedError(Refusal.NOT_NOW)


def _plain(engine: Engine, name: str, origin: Origin, now_ns: int) -> int:
    if name == "pause":
        return _stop(engine, origin, PauseReason.OPERATOR, None)
    event: Event = events.Resume() if name == "resume" else events.FieldAccepted()
    if name == "start":
        memorising = engine.state.phase is Phase.MEMORISE
        event = events.MemoriseEnded() if memorising else events.MemoriseStarted(now_ns)
    return engine.submit(event, origin).seq


def _confirm(engine: Engine, asked: Confirm, origin: Origin) -> int:
    minute = _latest(engine, asked.ruling)
    if minute.standing is not Standing.PROPOSED:
        raise RefusedError(Refusal.NOT_NOW)
    return engine.submit(events.Confirm(), origin).seq


def _overrule(engine: Engine, asked: Overrule, origin: Origin) -> int:
    poem = _latest(engine, asked.ruling).ruling.poem
    if engine.state.phase is Phase.RULING:
        before = engine.state.home
    elif engine.state.phase is Phase.RESTORE and engine.state.records:
        before = engine.state.records[-1].layout_before
    else:
        raise RefusedError(Refusal.NOT_NOW)
    taken_by = None if asked.taken_by is None else Side(asked.taken_by)
    faults = BySide(asked.faults.near, asked.faults.far)
    ruling = official_ruling(engine, poem, before, taken_by, faults)
    overruled = engine.submit(events.Overrule(ruling), origin)
    if asked.note:
        engine.note(Remark(_latest(engine).seq, asked.note), origin)
    return overruled.seq


def official_ruling(
    engine: Engine, poem: int, before: Layout, taken_by: Side | None, faults: BySide[int]
) -> Ruling:
    """Return an official's ruling; the sends follow from take and faults.

    Raises RefusedError if somebody is to take a card that is not on the field.

    `before`: the layout before the poem.
    """
    home = before.side_of(poem)
    unread = any(placed.card is None for placed in before)
    if taken_by is not None and home is None and not unread:
        raise RefusedError(Refusal.IMPOSSIBLE)
    robber = None if taken_by is home else taken_by
    left = (before if taken_by is None else before.without(poem)).counts()
    sends = cards_to_send(robber, faults, left, engine.state.settings.rules)
    return Ruling(poem, taken_by, faults, sends)


def _revert(engine: Engine, asked: Revert, origin: Origin) -> int:
    seq = asked.event
    if not 1 <= seq <= engine.last_seq:
        raise RefusedError(Refusal.NO_SUCH_EVENT)
    number = engine.game_number(seq)
    if number is None:
        raise RefusedError(Refusal.NOT_REVERTIBLE)
    return engine.submit(events.Revert(number), origin).seq


def _declaration(asked: Declare, now_ns: int) -> Event:
    what, side = asked.what, _side_of(asked)
    if what == "misread":
        return Misread()
    if what == "play_ended":
        return PlayEnded(now_ns, _PRESS_UNC_NS)
    if side is None:
        raise RefusedError(Refusal.IMPOSSIBLE)
    match what:
        case "wrong_hand":
            if asked.card is None:
                raise RefusedError(Refusal.IMPOSSIBLE)
            return WrongHand(side, asked.card)
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


def _appeal(engine: Engine, asked: Appeal, origin: Origin) -> int:
    _latest(engine, asked.ruling)
    side = Side(asked.side)
    allowed = engine.state.settings.appeals
    if allowed is not None and engine.state.appeals[side] >= allowed:
        raise RefusedError(Refusal.NO_APPEALS_LEFT)
    appealed = engine.submit(events.Appeal(side), origin)
    _stop(engine, origin, PauseReason.APPEAL, side)
    return appealed.seq


def _stop_match(engine: Engine, asked: StopMatch, origin: Origin) -> int:
    if engine.state.phase is Phase.RULING:
        raise RefusedError(Refusal.RULING_OPEN)
    winner = None if asked.winner is None else Side(asked.winner)
    return engine.submit(events.MatchStopped(events.StopReason(asked.reason), winner), origin).seq


def _stop(engine: Engine, origin: Origin, reason: PauseReason, side: Side | None) -> int:
    engine.note(PausedFor(reason, side), origin)
    return engine.submit(events.Pause(), origin).seq


def _side_of(asked: Declare) -> Side | None:
    return None if asked.side is None else Side(asked.side)


def _latest(engine: Engine, seq: int | None = None) -> Minute:
    """Return the latest minute; refuse if `seq` does not name the ruling that stands in it."""
    minutes = [each for each in read_minutes(engine.history) if each.standing is not Standing.REVERTED]
    if not minutes or (seq is not None and minutes[-1].seq != seq):
        raise RefusedError(Refusal.NO_SUCH_EVENT)
    return minutes[-1]
