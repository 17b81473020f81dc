"""Between two poems: players restore the field and send cards, and the match may end."""

from __future__ import annotations

from dataclasses import replace

from referee.facts import Gap
from referee.karuta.flow.events import FieldAccepted, IllegalEventError, MatchStopped, StopReason
from referee.karuta.flow.follow_ups import MatchEnded, NoticeId, ReadPoem, notice
from referee.karuta.flow.restoration import Restored, compare, seen_as
from referee.karuta.flow.state import MatchState, Phase, Step, expect
from referee.karuta.ruleset import UnusedRight
from referee.layout import Layout
from referee.sides import BySide, Side


def look_again(state: MatchState) -> Step:
    """Compare the field with where the cards belong, report what is new, and read on once it is in order."""
    restored = _look(state)
    after = replace(
        state,
        home=restored.home,
        owed=restored.owed,
        sent=restored.sent,
        problems=restored.missing,
        rearranging=state.rearranging if restored.missing else frozenset(),
    )
    ended_state, ended = end_if_over(after)
    if ended:
        return ended_state, (*restored.news, *ended)
    missing = restored.missing if restored.missing != state.problems else ()
    looked, go = read_on(after)
    return looked, (*restored.news, *missing, *go)


def _look(state: MatchState) -> Restored:
    seen = state.observed
    restored = compare(
        state.home,
        state.home if seen is None else seen,
        state.owed,
        sent=state.sent,
        taken=state.taken,
        rearranging=state.rearranging,
    )
    if seen is None:
        return replace(restored, missing=(notice(NoticeId.FIELD_NOT_SEEN), *restored.missing))
    return restored


def accept(state: MatchState, event: FieldAccepted) -> Step:
    """Take the field as it lies: nothing is missing or owed any more."""
    expect(state, event, Phase.SET_UP, Phase.MEMORISE, Phase.RESTORE)
    home = event.layout
    if home is None:
        seen = state.home if state.observed is None else seen_as(state.observed, state.home)
        home = Layout(tuple((place.card and seen.find(place.card)) or place for place in state.home))
    accepted = replace(state, home=home, observed=home, problems=(), owed=BySide.both(0))
    if state.phase is not Phase.RESTORE:
        return accepted, ()
    after, ended = end_if_over(accepted)
    return (after, ended) if ended else read_on(after)


def read_on(state: MatchState) -> Step:
    """Ask for the next poem once the field is in order; a touch is an early touch only from then on."""
    if state.phase is not Phase.RESTORE:
        return state, ()
    if not state.ready:
        gaps = tuple(fact for fact in state.facts if isinstance(fact, Gap))
        return replace(state, asked=False, facts=gaps), ()
    return replace(state, asked=True), () if state.asked else (ReadPoem(state.again),)


def settle_rights(state: MatchState) -> Step:
    """Settle the cards that were not sent before the next poem, as the house rules say."""
    lost = state.settings.rules.unused_right is UnusedRight.LOST
    id_ = NoticeId.RIGHT_LOST if lost else NoticeId.RIGHT_KEPT
    notices = tuple(notice(id_, side=side, count=count) for side, count in state.owed.items() if count)
    if not lost:
        return state, notices
    after, ended = end_if_over(replace(state, owed=BySide.both(0)))
    return after, (*notices, *ended)


def stop(state: MatchState, event: MatchStopped) -> Step:
    """End the match as an official says; a proposed ruling is decided first."""
    expect(state, event, *(phase for phase in Phase if phase not in {Phase.RULING, Phase.ENDED}))
    wins = {StopReason.FORFEIT: True, StopReason.NO_RESULT: False}.get(event.reason)
    if wins is not None and wins is (event.winner is None):
        expected = "a winner" if wins else "no winner"
        raise IllegalEventError(f"MatchStopped by {event.reason} has {expected}, got {event.winner}")
    stopped = replace(
        state,
        phase=Phase.ENDED,
        winner=event.winner,
        stopped=event.reason,
        poem=None,
        facts=(),
        problems=(),
        asked=False,
        paused=False,
    )
    return stopped, (MatchEnded(event.winner),)


def end_if_over(state: MatchState) -> Step:
    """End the match if a territory is empty and no card is owed to it, or if no poem is left to read."""
    counts = state.home.counts()
    for side in Side:
        if not counts[side] and not state.owed[side.opponent]:
            return replace(state, phase=Phase.ENDED, winner=side, problems=()), (MatchEnded(side),)
    if not state.unread and not (state.owed.near or state.owed.far):
        ended = replace(state, phase=Phase.ENDED, problems=())
        return ended, (notice(NoticeId.NO_POEMS_LEFT), MatchEnded(None))
    return state, ()
