"""Before the first poem: the layout check, the time to memorise, the joka."""

from __future__ import annotations

from dataclasses import replace

from referee.karuta.flow.events import IllegalEventError, MemoriseStarted
from referee.karuta.flow.follow_ups import NoticeId, ReadJoka, WakeAt, notice
from referee.karuta.flow.interval import look_again
from referee.karuta.flow.layout_check import check_layout
from referee.karuta.flow.state import MINUTE_NS, MatchState, Phase, Step, expect
from referee.layout import Layout


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
