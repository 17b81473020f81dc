"""The match as the panel shows it: the engine's state and log as JSON data."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile
from typing import get_args

from desk.karuta.engine.engine import Engine, Happened
from desk.karuta.engine.events import CODEC, PausedFor, PauseReason, PoemNamed, PoemSuggested
from desk.karuta.engine.minutes import Minute, Standing, read_minutes
from desk.karuta.engine.policy import Policy
from desk.panel.match.port import (
    CardOnField,
    NoticeShown,
    Pair,
    Pause,
    PoemBeingRead,
    PoemRuled,
    Revertible,
    SideName,
    Snapshot,
    SuggestedPoem,
    TouchSeen,
)
from desk.panel.match.port import Phase as PhaseName
from referee.cards.kimariji import kimariji
from referee.cards.poems import POEMS
from referee.facts import Contact, Hand, PoemStarted, Touch, Unprovable
from referee.karuta.contacts import as_told
from referee.karuta.declarations import Declaration
from referee.karuta.flow import events
from referee.karuta.flow.follow_ups import Notice, NoticeId
from referee.karuta.flow.state import MatchState, Phase
from referee.karuta.risk import risk_of
from referee.layout import Layout, PlacedCard
from referee.sides import BySide, Side

_PHASES: dict[Phase, PhaseName] = {
    Phase.SET_UP: "set_up",
    Phase.MEMORISE: "memorise",
    Phase.JOKA: "joka",
    Phase.RESTORE: "restore",
    Phase.READING: "poem",
    Phase.RULING: "poem",
    Phase.ENDED: "over",
}
_DECISIONS = (
    *get_args(Declaration),
    events.MemoriseStarted,
    events.MemoriseEnded,
    events.Confirm,
    events.Overrule,
    events.Appeal,
    events.FieldAccepted,
    events.MatchStopped,
    events.Revert,
)
"""The events that a person may revert. Facts are not reverted one by one."""
_MOST_REVERTIBLE = 20


def snapshot(
    engine: Engine,
    t_ku_ns: Sequence[int] = (),
    *,
    takes_names: bool = False,
    is_live: bool = True,
    is_watched: bool = True,
    is_stored: bool = False,
) -> Snapshot:
    """Return the whole match as viewers see it.

    `t_ku_ns`: the beginnings of the ku of the poem being read, as far as they are known. `takes_names`:
    whether a person reads, so that officials may name the poems. `is_watched`: whether an eye or a reader
    follows it.
    """
    state, history = engine.state, engine.history
    minutes = read_minutes(history)
    opened = engine.opened
    appeals, policies = opened.settings.appeals, engine.policies
    shown: Snapshot = {
        "seq": engine.last_seq,
        "match": {
            "id": opened.id,
            "source": opened.source.value,
            "rules": opened.settings.rules.name,
            "risk": (opened.risk or risk_of(opened.settings.rules)).to_json(),
            "names": {"near": opened.names.near, "far": opened.names.far},
            "started_wall": history[0].wall,
        },
        "phase": _PHASES[state.phase],
        "pause": _pause(state, history),
        "memorise_ends_t_ns": state.memorise_until_ns if state.phase is Phase.MEMORISE else None,
        # the cards as they were last seen since the latest poem, or else where they belong
        "layout": [
            card_on_field(placed) for placed in (state.home if state.observed is None else state.observed)
        ],
        "missing": [card_on_field(placed) for placed in _missing(state)],
        "counts": pair(state.home.counts()),
        "owes": pair(state.owed),
        "to_do": [_notice(each) for each in state.problems],
        "news": [_notice(each) for each in _news(history, is_live=is_live)],
        "reading": _reading(state, len(minutes), t_ku_ns),
        "takes_names": takes_names,
        "suggested": _suggested(history),
        "poems": [
            poem_ruled(
                each,
                layout_before(state, minutes, each),
                frozenset(earlier.ruling.poem for earlier in minutes[: each.order - 1]),
            )
            for each in minutes
        ],
        "faults": pair(state.faults),
        "appeals_left": None
        if appeals is None
        else {"near": appeals - state.appeals.near, "far": appeals - state.appeals.far},
        "revertible": _revertible(history),
        "policies": {
            "take": "auto" if policies.take is Policy.AUTO else "propose",
            "fault": policies.fault.value,
        },
        "winner": _side(state.winner),
        "stopped": None if state.stopped is None else state.stopped.value,
    }
    if not is_watched:
        shown["is_watched"] = False
    if is_stored:
        shown["is_stored"] = True
    return shown


def touch_seen(contact: Touch | Unprovable, before: Layout) -> TouchSeen:
    """Return a contact as the panel and the replay show it; `before` is the layout before it."""
    placed = None if contact.card is None else before.find(contact.card)
    touch = contact if isinstance(contact, Touch) else None
    hand = None if touch is None else touch.hand
    return {
        "card": contact.card,
        "at_mm": None if placed is None else _at_mm(placed),
        "player": _side(contact.player),
        "t_ns": contact.t_ns,
        "t_unc_ns": contact.t_unc_ns,
        "contact": "pushed_out" if touch is not None and touch.contact is Contact.PUSHED_OUT else "touch",
        "hand": None if hand is None else "left" if hand is Hand.LEFT else "right",
        "confidence": 0.0 if touch is None else touch.confidence,
        "unprovable": contact.reason if isinstance(contact, Unprovable) else None,
    }


def layout_before(state: MatchState, minutes: Sequence[Minute], minute: Minute) -> Layout:
    """Return the layout before the poem of `minute`."""
    standing = {Standing.RULED, Standing.CONFIRMED, Standing.OVERRULED}
    if minute.standing not in standing:
        return state.home
    place = sum(each.standing in standing for each in minutes[: minute.order - 1])
    return state.records[place].layout_before


def poem_ruled(minute: Minute, before: Layout, read: frozenset[int]) -> PoemRuled:
    ruling = minute.ruling
    target = before.find(ruling.poem)
    return {
        "seq": minute.seq,
        "order": minute.order,
        "poem": ruling.poem,
        "target_side": None if target is None else _side(target.side),
        "target_at_mm": None if target is None else _at_mm(target),
        "state": minute.standing.value,
        "status": ruling.status.value,
        "taken_by": _side(ruling.taken_by),
        "faults": pair(ruling.faults),
        "sends": pair(ruling.sends),
        "reasons": list(ruling.reasons),
        "doubts": list(ruling.doubts),
        "confidence": ruling.confidence,
        "note": minute.note,
        "appealed_by": _side(minute.appealed_by),
        "lead_ns": ruling.lead_ns,
        "lead_unc_ns": ruling.lead_unc_ns,
        "kimariji": _kimariji(ruling.poem, read),
        "t_poem_ns": 0 if minute.start is None else minute.start.t_ns,
        "t_poem_unc_ns": 0 if minute.start is None else minute.start.t_unc_ns,
        "t_kimariji_ns": None if minute.decided is None else minute.decided.t_ns,
        "touches": [touch_seen(contact, before) for contact in as_told(minute.contacts, ruling.poem)],
        "evidence": minute.evidence is not None,
        "simulated": minute.simulated,
    }


@lru_cache(maxsize=1024)
def _kimariji(poem: int, read: frozenset[int]) -> str:
    return kimariji(poem, (POEMS.keys() - read) | {poem})


def _reading(state: MatchState, ruled: int, t_ku_ns: Sequence[int]) -> PoemBeingRead | None:
    if state.phase is Phase.JOKA:
        return {"poem": 0, "order": 0, "t_ku_ns": list(t_ku_ns)}
    if state.phase is Phase.READING and state.poem is not None:
        return {"poem": state.poem, "order": ruled + 1, "t_ku_ns": list(t_ku_ns)}
    return None


def _pause(state: MatchState, history: Sequence[Happened]) -> Pause | None:
    if not state.paused:
        return {"reason": "review", "side": None} if state.phase is Phase.RULING else None
    for place in range(len(history) - 1, 0, -1):
        event = history[place].event
        if isinstance(event, events.Revert):
            return {"reason": "revert", "side": None}
        if isinstance(event, events.Pause):
            why = history[place - 1].event
            if isinstance(why, PausedFor):
                return {"reason": why.reason.value, "side": _side(why.side)}
            break
    return {"reason": PauseReason.OPERATOR.value, "side": None}


def _news(history: Sequence[Happened], *, is_live: bool) -> list[Notice]:
    """Return the notices since the latest poem began; an undo is news until somebody decides again."""
    news: list[Notice] = []
    is_latest = is_live
    for each in takewhile(lambda each: not isinstance(each.event, PoemStarted), reversed(history)):
        if isinstance(each.event, Notice):
            if is_latest or each.event.id is not NoticeId.REVERTED:
                news.append(each.event)
        elif isinstance(each.event, _DECISIONS):
            is_latest = False
    return news[::-1]


def _suggested(history: Sequence[Happened]) -> list[SuggestedPoem]:
    """Return the latest suggestion, empty once the poem has its name."""
    for each in reversed(history):
        if isinstance(each.event, PoemSuggested):
            return [{"poem": one.poem, "confidence": one.confidence} for one in each.event.suggestions]
        if isinstance(each.event, PoemStarted | PoemNamed):
            break
    return []


def _revertible(history: Sequence[Happened]) -> list[Revertible]:
    found: list[Revertible] = []
    poem: int | None = None
    for each in history:
        if isinstance(each.event, PoemStarted) and each.event.poem:
            poem = each.event.poem
        if isinstance(each.event, _DECISIONS):
            kind = CODEC.encode(each.event)[0]
            found.append({"seq": each.seq, "kind": kind, "poem": poem})
    return found[: -_MOST_REVERTIBLE - 1 : -1]


def _missing(state: MatchState) -> list[PlacedCard]:
    gone = [each.params["card"] for each in state.problems if each.id is NoticeId.CARD_MISSING]
    places = (state.home.find(card) for card in gone if isinstance(card, int))
    return [placed for placed in places if placed is not None]


def card_on_field(placed: PlacedCard) -> CardOnField:
    x_mm, y_mm = _at_mm(placed)
    return {
        "card": placed.card,
        "side": _side_name(placed.side),
        "row": placed.row,
        "x_mm": x_mm,
        "y_mm": y_mm,
        "angle_rad": placed.angle_rad,
        "faces_owner": placed.faces_owner,
    }


def _at_mm(placed: PlacedCard) -> list[float]:
    return [round(placed.x_m * 1000, 1), round(placed.y_m * 1000, 1)]


def _notice(notice: Notice) -> NoticeShown:
    return {"id": notice.id.value, "params": dict(notice.params)}


def pair(values: BySide[int]) -> Pair:
    return {"near": values.near, "far": values.far}


def _side(side: Side | None) -> SideName | None:
    return None if side is None else _side_name(side)


def _side_name(side: Side) -> SideName:
    return "near" if side is Side.NEAR else "far"
