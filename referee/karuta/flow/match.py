"""The flow of a match as a pure function: state and event in, next state and follow-ups out.

    set up -> memorise -> joka -> restore -> reading -> ruling -> restore -> ... -> ended

Reports of the eye and the reader are never refused; one that does not fit the phase changes nothing. A
person's command that does not fit the phase raises `IllegalEventError`.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from referee.facts import FieldSettled, Gap, KimarijiCompleted, PoemStarted, Touch, Unprovable
from referee.karuta.declarations import BrokeRule, Misread, PlayEnded, PlayingHand, SharedFault, WrongHand
from referee.karuta.flow.events import (
    Appeal,
    Confirm,
    Event,
    FieldAccepted,
    HandLowered,
    HandRaised,
    Happening,
    IllegalEventError,
    JokaFinished,
    MatchStopped,
    MemoriseEnded,
    MemoriseStarted,
    Overrule,
    Pause,
    PoemFinished,
    Rearranging,
    Resume,
    Revert,
    RightWaived,
    Tick,
)
from referee.karuta.flow.follow_ups import FollowUp, NoticeId, Proposed, ReadJoka, WakeAt, notice
from referee.karuta.flow.interval import accept, look_again, moved_by_hand, read_on, stop, waive
from referee.karuta.flow.layout_check import check_layout
from referee.karuta.flow.reading import (
    add_fact,
    appeal,
    begin_poem,
    misread,
    overrule,
    propose,
    proposed_ruling,
    rule,
)
from referee.karuta.flow.state import MINUTE_NS, Logged, MatchState, Phase, Settings, Step, effective, expect
from referee.karuta.ruling import Ruling
from referee.layout import Layout
from referee.sides import Side

__all__ = ["MatchState", "Phase", "Settings", "start", "step"]


def start(settings: Settings | None = None) -> MatchState:
    """Return a match before its cards are laid out."""
    return MatchState(settings or Settings())


def step(state: MatchState, event: Event, ruled: Sequence[Ruling] = ()) -> Step:
    """Return the next state, to whose log `event` is appended, and its follow-ups.

    Raises IllegalEventError if a command is not allowed in this phase; the message says what was expected.

    `ruled`: what an earlier edition of the rules proposed on this event, in its order: the replay of such a
    log takes its rulings as they were and judges nothing anew.
    """
    if isinstance(event, Revert):
        after, follow_ups = _revert(state, event)
    else:
        after, follow_ups = _happen(replace(state, ruled=tuple(ruled)), event)
    proposed = tuple(each.ruling for each in follow_ups if isinstance(each, Proposed))
    return replace(after, ruled=(), log=(*state.log, Logged(event, proposed))), follow_ups


def _revert(state: MatchState, event: Revert) -> Step:
    if not 1 <= event.seq <= len(state.log):
        raise IllegalEventError(
            "Revert needs the number of an event 1..{last}, got {got}", last=len(state.log), got=event.seq
        )
    after = start(state.settings)
    for past, ruled in effective((*state.log, Logged(event))):
        after, _ = _happen(replace(after, ruled=ruled), past)
    follow_ups: list[FollowUp] = [notice(NoticeId.REVERTED, seq=event.seq)]
    if after.ruling is not None:
        follow_ups.append(Proposed(after.ruling))
    return after, tuple(follow_ups)


def _happen(state: MatchState, event: Happening) -> Step:
    match event:
        case PoemStarted():
            return begin_poem(state, event)
        case Touch() | Unprovable() | Gap() | KimarijiCompleted():
            return add_fact(state, event)
        case WrongHand() | SharedFault() | BrokeRule() | PlayEnded():
            return add_fact(state, event)
        case FieldSettled():
            return _settled(state, event.layout)
        case PlayingHand():
            return replace(state, hands=state.hands.replaced(event.player, event.hand)), ()
        case Misread():
            return misread(state, event)
        case MemoriseStarted():
            return memorise(state, event)
        case Tick():
            return tick(state, event.t_ns)
        case MemoriseEnded():
            expect(state, event, Phase.MEMORISE)
            return begin(state)
        case JokaFinished():
            over = state.phase is Phase.JOKA
            return look_again(replace(state, phase=Phase.RESTORE)) if over else (state, ())
        case PoemFinished():
            return propose(state) if state.phase is Phase.READING else (state, ())
        case Confirm():
            expect(state, event, Phase.RULING)
            return rule(state, proposed_ruling(state))
        case Overrule():
            return overrule(state, event)
        case Appeal():
            return appeal(state, event)
        case HandRaised():
            return _raise_hand(state, event.player)
        case HandLowered():
            return read_on(replace(state, holding=state.holding - {event.player}))
        case Rearranging():
            expect(state, event, *(phase for phase in Phase if phase is not Phase.ENDED))
            return read_on(replace(state, rearranging=state.rearranging | {event.player}))
        case RightWaived():
            return waive(state, event)
        case FieldAccepted():
            return accept(state, event)
        case Pause():
            return read_on(replace(state, paused=True))
        case Resume():
            return read_on(replace(state, paused=False))
        case MatchStopped():
            return stop(state, event)
        case _:
            assert_never(event)


def _raise_hand(state: MatchState, player: Side) -> Step:
    """Hold the reader; a hand that is raised after the reader was asked for the next poem is told as such.

    The reader then begins with the shimo of the last poem. That of the poem being read is still to come.
    """
    is_late = state.asked and bool(state.records) and not state.is_first_edition
    raised = NoticeId.HAND_RAISED_LATE if is_late else NoticeId.HAND_RAISED
    held, _ = read_on(replace(state, holding=state.holding | {player}))
    return held, (notice(raised, side=player),)


def _settled(state: MatchState, layout: Layout) -> Step:
    if state.phase in {Phase.SET_UP, Phase.MEMORISE}:
        return check(state, layout)
    seen = replace(state, observed=layout)
    if state.phase is Phase.READING:
        return seen, ()  # a card may still be carried across
    before = state.rested or Layout(())
    hidden = tuple(place for place in before if place.card and layout.find(place.card) is None)
    seen = replace(seen, rested=Layout((*layout, *hidden)), laid=state.laid | moved_by_hand(before, layout))
    return look_again(seen) if state.phase is Phase.RESTORE else (seen, ())


def check(state: MatchState, layout: Layout) -> Step:
    """Take the field as it lies; report its problems if they have changed."""
    settings = state.settings
    problems = check_layout(layout, settings.rules.measures, settings.cards_per_side)
    news = problems if problems != state.problems else ()
    return replace(state, home=layout, observed=layout, problems=problems), news


def memorise(state: MatchState, event: MemoriseStarted) -> Step:
    """Begin the time to memorise the cards."""
    expect(state, event, Phase.SET_UP)
    if not len(state.home):
        raise IllegalEventError("MemoriseStarted needs cards to memorise, but the field was not seen yet")
    settings = state.settings
    until_ns = event.t_ns + settings.memorise_ns
    wake: tuple[WakeAt, ...] = (WakeAt(until_ns),)
    if settings.rules.practice_swings:
        wake = (WakeAt(until_ns - settings.practice_swings_ns), *wake)
    return replace(state, phase=Phase.MEMORISE, memorise_until_ns=until_ns), wake


def tick(state: MatchState, t_ns: int) -> Step:
    """Announce the practice swings when they are allowed, and begin when the time is over."""
    until_ns = state.memorise_until_ns
    if state.phase is not Phase.MEMORISE or until_ns is None:
        return state, ()
    if t_ns >= until_ns:
        return begin(state)
    settings = state.settings
    due = settings.rules.practice_swings and t_ns >= until_ns - settings.practice_swings_ns
    if state.swings or not due:
        return state, ()
    minutes = round(settings.practice_swings_ns / MINUTE_NS)
    return replace(state, swings=True), (notice(NoticeId.PRACTICE_SWINGS, minutes=minutes),)


def begin(state: MatchState) -> Step:
    """Ask for the bow and the joka; house rules without a joka go on to the first poem."""
    state = replace(state, rearranging=frozenset(), problems=())
    greeting = notice(NoticeId.GREETING)
    if state.settings.rules.joka:
        return replace(state, phase=Phase.JOKA), (greeting, ReadJoka())
    after, follow_ups = look_again(replace(state, phase=Phase.RESTORE))
    return after, (greeting, *follow_ups)
