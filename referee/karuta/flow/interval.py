"""Between two poems: players restore the field and send cards, and the match may end."""

from dataclasses import replace

from referee.facts import Gap
from referee.karuta.flow.events import (
    FieldAccepted,
    IllegalEventError,
    MatchStopped,
    RightWaived,
    StopReason,
)
from referee.karuta.flow.follow_ups import MatchEnded, Notice, NoticeId, ReadPoem, notice
from referee.karuta.flow.restoration import IN_PLACE_M, Restored, compare, distance_m, seen_as
from referee.karuta.flow.state import MatchState, Phase, Step, expect
from referee.karuta.ruleset import LastCard, UnusedRight
from referee.layout import Layout
from referee.sides import BySide, Side


def look_again(state: MatchState) -> Step:
    """Compare the field with where the cards belong, report what is new, and read on once it is in order."""
    state = _gone_home(state)
    restored = _look(state)
    arrived = restored.sent - state.sent - state.in_place
    after = replace(
        state,
        home=restored.home,
        owed=restored.owed,
        sent=restored.sent,
        loose=(*state.loose, *(place for place in state.home if place.card in arrived)),
        in_place=state.in_place | _in_place(state),
        problems=restored.missing,
        rearranging=state.rearranging if restored.missing else frozenset(),
    )
    ended_state, ended = end_if_over(after)
    if ended:
        return ended_state, (*restored.news, *ended)
    missing = restored.missing if restored.missing != state.problems else ()
    looked, go = read_on(after)
    return looked, (*restored.news, *missing, *go)


def _in_place(state: MatchState) -> frozenset[int]:
    """Return the cards that lie on their own side. In the first edition whatever lay across was sent."""
    if state.is_first_edition:
        return frozenset(place.card for place in state.home if place.card is not None)
    seen = state.rested or Layout(())
    return frozenset(
        place.card for place in state.home if place.card and seen.side_of(place.card) is place.side
    )


def _gone_home(state: MatchState) -> MatchState:
    """Take cards for not sent that lay across after a poem and lie on their own side again."""
    seen = state.observed or Layout(())
    back = {place.card: place for place in state.loose if seen.side_of(place.card or 0) is place.side}
    owed = state.owed
    for place in back.values():
        owed = owed.replaced(place.side, owed[place.side] + 1)
    return replace(
        state,
        home=Layout(tuple(back.get(place.card, place) for place in state.home)),
        owed=owed,
        sent=state.sent - back.keys(),
        loose=tuple(place for place in state.loose if place.card not in back),
    )


def _look(state: MatchState, *, confirmed: bool = False) -> Restored:
    """Compare the field with where the cards belong; what lies across is sent if it is `confirmed`."""
    seen = state.observed
    restored = compare(
        state.home,
        state.home if seen is None else seen,
        state.owed,
        sent=state.sent,
        taken=state.taken,
        rearranging=state.rearranging,
        swept=not state.is_first_edition,
        unsent=() if confirmed else {place.card or 0 for place in state.home} - state.in_place - state.laid,
    )
    if seen is None:
        restored = replace(restored, missing=(notice(NoticeId.FIELD_NOT_SEEN), *restored.missing))
    if state.accepted:
        missing = tuple(each for each in restored.missing if not _is_accepted(state, each))
        restored = replace(restored, missing=missing)
    return restored


def confirm_sent(state: MatchState) -> Step:
    """Count what lies across as sent, for the next poem is read: nobody took it home."""
    doubted = any(each.id is NoticeId.SENT_OR_SWEPT for each in state.problems)
    restored = _look(state, confirmed=True)
    arrived = restored.sent - state.sent
    if not doubted or not arrived:
        return state, ()
    now = {place.card or 0: place for place in restored.home if place.card in arrived}
    home = Layout(tuple(now.get(place.card or 0, place) for place in state.home))
    news = tuple(each for each in restored.news if each.id is NoticeId.CARD_SENT)
    return replace(state, home=home, owed=restored.owed), news


def moved_by_hand(before: Layout, now: Layout) -> frozenset[int]:
    """Return the cards that lie elsewhere than when the field was at rest before."""
    return frozenset(
        placed.card
        for placed in before
        if placed.card and (later := now.find(placed.card)) and distance_m(placed, later) > IN_PLACE_M
    )


def _is_accepted(state: MatchState, missing: Notice) -> bool:
    """Tell whether an official went on without a card that is owed; the last card is always waited for."""
    if missing.id is not NoticeId.OWES_CARDS:
        return False
    counts = state.home.counts()
    return any(missing.params["side"] == side and counts[side.opponent] for side in Side)


def accept(state: MatchState, event: FieldAccepted) -> Step:
    """Take the field as it lies: nothing is missing any more.

    A card that now lies across was sent. What else is owed may be sent until the next kami.
    """
    expect(state, event, Phase.SET_UP, Phase.MEMORISE, Phase.RESTORE)
    home = event.layout
    if home is None:
        seen = state.home if state.observed is None else seen_as(state.observed, state.home)
        home = Layout(tuple((place.card and seen.find(place.card)) or place for place in state.home))
    is_first = state.is_first_edition
    across = [
        place for place in state.home if not is_first and home.side_of(place.card or 0) is place.side.opponent
    ]
    sent = [place.side for place in across]
    owed = BySide.of(lambda side: 0 if is_first else max(0, state.owed[side] - sent.count(side)))
    accepted = replace(
        state,
        home=home,
        observed=home,
        rested=home,
        problems=(),
        owed=owed,
        sent=state.sent | {place.card or 0 for place in across},
        loose=(),
        accepted=True,
    )
    if state.phase is not Phase.RESTORE:
        return replace(accepted, accepted=False), ()
    if not is_first:
        return look_again(accepted)
    after, ended = end_if_over(accepted)
    return (after, ended) if ended else read_on(after)


def waive(state: MatchState, event: RightWaived) -> Step:
    """Let the right to send go, unless the house rules want the card sent or the match hangs on it."""
    expect(state, event, Phase.RESTORE)
    player, count = event.player, state.owed[event.player]
    if not state.settings.rules.may_waive:
        raise IllegalEventError("RightWaived is not possible: these house rules want the card to be sent")
    if not count:
        raise IllegalEventError("RightWaived needs a right to send, but {player} owes no card", player=player)
    if not state.home.counts()[player.opponent]:
        raise IllegalEventError("RightWaived would end the match: the last card has to be sent")
    after, follow_ups = look_again(replace(state, owed=state.owed.replaced(player, 0)))
    return after, (notice(NoticeId.RIGHT_WAIVED, side=player, count=count), *follow_ups)


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
    lost = BySide.of(lambda side: _is_lost(state, side))
    notices = tuple(
        notice(NoticeId.RIGHT_LOST if lost[side] else NoticeId.RIGHT_KEPT, side=side, count=count)
        for side, count in state.owed.items()
        if count
    )
    owed = BySide.of(lambda side: 0 if lost[side] else state.owed[side])
    after, ended = end_if_over(replace(state, owed=owed))
    return after, (*notices, *ended)


def _is_lost(state: MatchState, side: Side) -> bool:
    """Tell whether a player's right is lost with the next kami; the last card has a rule of its own."""
    rules = state.settings.rules
    is_last = not state.home.counts()[side.opponent]
    return rules.unused_right is UnusedRight.LOST and not (is_last and rules.last_card is LastCard.OWED)


def stop(state: MatchState, event: MatchStopped) -> Step:
    """End the match as an official says; a proposed ruling is decided first."""
    expect(state, event, *(phase for phase in Phase if phase not in {Phase.RULING, Phase.ENDED}))
    wins = {StopReason.FORFEIT: True, StopReason.NO_RESULT: False}.get(event.reason)
    if wins is not None and wins is (event.winner is None):
        expected = "a winner" if wins else "no winner"
        raise IllegalEventError(
            "MatchStopped by {reason} has {expected}, got {got}",
            reason=event.reason,
            expected=expected,
            got=event.winner,
        )
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
            return _ended(state, side)
    if not state.unread and not (state.owed.near or state.owed.far):
        ended, follow_ups = _ended(state, None)
        return ended, (notice(NoticeId.NO_POEMS_LEFT), *follow_ups)
    return state, ()


def _ended(state: MatchState, winner: Side | None) -> Step:
    bow = () if state.is_first_edition else (notice(NoticeId.CLOSING_BOW),)
    return replace(state, phase=Phase.ENDED, winner=winner, problems=()), (*bow, MatchEnded(winner))
