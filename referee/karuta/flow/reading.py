"""One poem: gather facts, propose a ruling, confirm or overrule it."""

from dataclasses import asdict, replace

from referee.cards.kimariji import shrunk_by
from referee.facts import Gap, PoemStarted, Touch, Unprovable
from referee.karuta.contacts import PoemFact
from referee.karuta.declarations import BrokeRule, Misread, PlayEnded, PlayingHand, SharedFault, WrongHand
from referee.karuta.faults import MOST_FAULTS
from referee.karuta.flow.events import Appeal, Event, IllegalEventError, Overrule
from referee.karuta.flow.follow_ups import (
    FollowUp,
    Notice,
    NoticeId,
    OpenReplay,
    Proposed,
    ReadPoem,
    Ruled,
    notice,
)
from referee.karuta.flow.interval import confirm_sent, look_again, settle_rights
from referee.karuta.flow.state import MatchState, Phase, PoemRecord, Step, expect
from referee.karuta.judge import judge_poem
from referee.karuta.ruleset import BoundHand
from referee.karuta.ruling import Doubt, Ruling, cards_to_send
from referee.sides import BySide, Side

_DECLARED = WrongHand | SharedFault | BrokeRule | PlayEnded


def begin_poem(state: MatchState, event: PoemStarted) -> Step:
    """Begin a poem; a ruling on the last one that is still open is confirmed by reading on."""
    if not event.poem or event.poem == state.poem or state.phase is Phase.ENDED or not len(state.home):
        return add_fact(state, event)
    follow_ups: list[FollowUp] = []
    announced = state.rearranging if state.phase in {Phase.READING, Phase.RULING} else frozenset()
    # a gap that reached into this poem may have been reported before the poem itself
    missed = tuple(fact for fact in state.facts if isinstance(fact, Gap) and fact.t_to_ns >= event.t_ns)
    if state.phase is Phase.READING:
        state, proposed = propose(state)
        follow_ups.extend(proposed)
    if state.phase is Phase.RULING:
        ruling = proposed_ruling(state)
        follow_ups.append(notice(NoticeId.CONFIRMED_BY_READING_ON, poem=ruling.poem))
        state, ruled = rule(state, ruling)
        follow_ups.extend(follow_up for follow_up in ruled if not isinstance(follow_up, ReadPoem))
    for settle in (confirm_sent, settle_rights):
        state, settled = settle(state)
        follow_ups.extend(settled)
    if state.phase is Phase.ENDED:
        return state, tuple(follow_ups)
    if event.poem in state.read:
        follow_ups.append(notice(NoticeId.POEM_READ_TWICE, poem=event.poem))
    early = tuple(fact for fact in state.facts if isinstance(fact, Touch))
    reading = replace(
        state,
        phase=Phase.READING,
        poem=event.poem,
        again=None,
        asked=False,
        facts=(*early, *missed, event),
        observed=None,
        problems=(),
        sent=frozenset(),
        loose=(),
        rested=None,
        in_place=frozenset(),
        laid=frozenset(),
        accepted=False,
        rearranging=announced,
        holding=frozenset(),
        paused=False,
    )
    return reading, tuple(follow_ups)


def add_fact(state: MatchState, fact: PoemFact) -> Step:
    """Add a fact to the poem it belongs to; after a proposed ruling, propose a new one."""
    match state.phase:
        case Phase.READING:
            return replace(state, facts=(*state.facts, fact)), ()
        case Phase.RULING:
            return propose(replace(state, facts=(*state.facts, fact)))
        case Phase.RESTORE if isinstance(fact, Touch):
            # Once the next poem is asked for, a touch is one before its first sound.
            return (replace(state, facts=(*state.facts, fact)) if state.asked else state), ()
        case Phase.RESTORE | Phase.JOKA | Phase.MEMORISE | Phase.SET_UP if isinstance(fact, Gap):
            return replace(state, facts=(*state.facts, fact)), ()
        case Phase.RESTORE if isinstance(fact, _DECLARED) and state.records:
            reopened = _reopened(state, state.records[-1])
            return propose(replace(reopened, facts=(*reopened.facts, fact)))
        case Phase.MEMORISE if isinstance(fact, Touch) and fact.player is not None:
            touched = NoticeId.TOUCHED_WHILE_MEMORISING
            return state, (notice(touched, side=fact.player, card=fact.card or 0),)
        case Phase.MEMORISE if isinstance(fact, Unprovable) and fact.player is not None:
            is_note = not (state.swings or state.is_first_edition)
            return state, (notice(NoticeId.SWUNG_EARLY, side=fact.player),) if is_note else ()
        case _:
            return state, ()


def propose(state: MatchState) -> Step:
    """Propose a ruling on the poem by the facts known so far."""
    if state.ruled:
        ruling, *later = state.ruled
        state = replace(state, ruled=tuple(later))
    else:
        ruling = _judged(state)
    return replace(state, phase=Phase.RULING, ruling=ruling), (Proposed(ruling),)


def _judged(state: MatchState) -> Ruling:
    poem = _current_poem(state)
    binds = state.settings.rules.playing_hand is BoundHand.FIRST_TAKE
    chosen = {side: hand or (state.first_hand(side) if binds else None) for side, hand in state.hands.items()}
    hands = tuple(PlayingHand(side, hand) for side, hand in chosen.items() if hand is not None)
    ruling = judge_poem(poem, state.home, (*state.facts, *hands), state.settings.rules)
    if poem in state.read:
        ruling = replace(ruling, doubts=(*ruling.doubts, Doubt.POEM_READ_TWICE.value))
    return ruling


def proposed_ruling(state: MatchState) -> Ruling:
    """Return the ruling that waits to be confirmed."""
    assert state.ruling is not None, "in this phase a ruling is proposed"
    return state.ruling


def rule(state: MatchState, ruling: Ruling) -> Step:
    """Make a ruling final: the taken card leaves, cards are owed, the poem counts as read."""
    record = PoemRecord(ruling, proposed_ruling(state), state.home, state.owed, state.facts)
    shrunk = () if ruling.poem in state.read else shrunk_by(ruling.poem, state.unread)
    home = state.home if ruling.taken_by is None else state.home.without(ruling.poem)
    after = replace(
        state,
        phase=Phase.RESTORE,
        home=home,
        owed=BySide.of(lambda side: state.owed[side] + ruling.sends[side]),
        read=(*state.read, ruling.poem),
        records=(*state.records, record),
        poem=None,
        ruling=None,
        facts=(),
    )
    news = tuple(
        notice(NoticeId.KIMARIJI_SHRUNK, **asdict(each))
        for each in shrunk
        if home.find(each.poem) is not None
    )
    looked, follow_ups = look_again(after)
    return looked, (Ruled(ruling), *_changed_hand(state, ruling), *news, *follow_ups)


def _changed_hand(state: MatchState, ruling: Ruling) -> tuple[Notice, ...]:
    """Return the notice that a player took with the other hand than before, declared or not."""
    take = ruling.take
    if take is None or take.player is None or take.hand is None:
        return ()
    if state.settings.rules.playing_hand is BoundHand.DECLARED or state.hands[take.player] is not None:
        return ()
    if state.first_hand(take.player) in {None, take.hand}:
        return ()
    return (notice(NoticeId.HAND_CHANGED, side=take.player, hand=take.hand.value),)


def overrule(state: MatchState, event: Overrule) -> Step:
    """Put an official's ruling in the place of the proposed one, or of the last one."""
    expect(state, event, Phase.RULING, Phase.RESTORE)
    if state.phase is Phase.RESTORE:
        state = _reopened(state, _last(state, event))
    ruling = event.ruling
    if ruling.poem != state.poem:
        raise IllegalEventError(
            "Overrule needs a ruling on poem {poem}, got one on poem {got}", poem=state.poem, got=ruling.poem
        )
    if not state.is_first_edition:
        _check_possible(state, ruling)
    reasons = tuple(id_ for id_ in ruling.reasons if id_ != "overruled")
    return rule(state, replace(ruling, reasons=("overruled", *reasons), doubts=()))


def _check_possible(state: MatchState, ruling: Ruling) -> None:
    """Refuse a ruling that no play can lead to, for it would hold the reader for ever."""
    unread = any(placed.card is None for placed in state.home)
    if ruling.taken_by is not None and state.home.side_of(ruling.poem) is None and not unread:
        raise IllegalEventError(
            "Overrule cannot give card {poem} to {player}: it is not on the field",
            poem=ruling.poem,
            player=ruling.taken_by,
        )
    if not all(0 <= count <= MOST_FAULTS for _, count in ruling.faults.items()):
        raise IllegalEventError(
            "Overrule counts 0 to {most} faults of each player, got {got}",
            most=MOST_FAULTS,
            got=_pair(ruling.faults),
        )
    left = (state.home if ruling.taken_by is None else state.home.without(ruling.poem)).counts()
    home = state.home.side_of(ruling.poem)
    territories = Side if home is None else (home,)  # an unread card may have lain in either
    robbers = dict.fromkeys(None if ruling.taken_by is where else ruling.taken_by for where in territories)
    possible = [cards_to_send(robber, ruling.faults, left, state.settings.rules) for robber in robbers]
    if ruling.sends not in possible:
        raise IllegalEventError(
            "Overrule lets {pairs} cards be sent after such a take and such faults, got {got}",
            pairs=" or ".join(map(_pair, possible)),
            got=_pair(ruling.sends),
        )


def _pair(counts: BySide[int]) -> str:
    return ", ".join(f"{side} {count}" for side, count in counts.items())


def appeal(state: MatchState, event: Appeal) -> Step:
    """Open the replay for a player who has an appeal left."""
    expect(state, event, Phase.RULING, Phase.RESTORE)
    poem = _current_poem(state) if state.phase is Phase.RULING else _last(state, event).poem
    used, allowed = state.appeals[event.player], state.settings.appeals
    if allowed is not None and used >= allowed:
        raise IllegalEventError(
            "Appeal is limited to {allowed} for each player, and {player} used them",
            allowed=allowed,
            player=event.player,
        )
    appealed = replace(state, appeals=state.appeals.replaced(event.player, used + 1))
    return appealed, (OpenReplay(poem, event.player),)


def misread(state: MatchState, event: Misread) -> Step:
    """Void the reading: the cards go back and the poem is read again."""
    expect(state, event, Phase.READING, Phase.RULING)
    poem = _current_poem(state)
    after = replace(state, phase=Phase.RESTORE, poem=None, again=poem, facts=(), ruling=None)
    looked, follow_ups = look_again(after)
    return looked, (notice(NoticeId.POEM_VOID, poem=poem), *follow_ups)


def _current_poem(state: MatchState) -> int:
    assert state.poem is not None, "in this phase a poem is read"
    return state.poem


def _last(state: MatchState, event: Event) -> PoemRecord:
    if not state.records:
        raise IllegalEventError(
            "{event} needs a ruling, but no poem has been ruled on yet", event=type(event).__name__
        )
    return state.records[-1]


def _reopened(state: MatchState, record: PoemRecord) -> MatchState:
    """Return to the moment at which the last ruling was proposed; keep the latest view of the field."""
    return replace(
        state,
        phase=Phase.RULING,
        home=record.layout_before,
        owed=record.owed_before,
        sent=frozenset(),
        loose=(),
        accepted=False,
        asked=False,
        poem=record.poem,
        ruling=record.proposed,
        facts=record.facts,
        records=state.records[:-1],
        read=state.read[:-1],
        problems=(),
    )
