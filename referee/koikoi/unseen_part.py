"""The possible states of a round after a part that nobody saw: the cards show, but not whose turn it is."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from referee.koikoi.events import Call, Deal, Declare, Missed
from referee.koikoi.flags import FlagId
from referee.koikoi.piles import Pile, pile_of
from referee.koikoi.round import Phase, Round, Verdict, begin, called, has_grown, stopped, turn_passed
from referee.koikoi.ruleset import RuleSet

ORDER_FLAGS: Final = frozenset(
    {
        FlagId.OUT_OF_TURN,
        FlagId.TWO_HAND_CARDS,
        FlagId.NO_HAND_CARD,
        FlagId.NO_DRAW,
        FlagId.DREW_TWICE,
        FlagId.DREW_FIRST,
        FlagId.MISSING_DECISION,
        FlagId.ILLEGAL_DECLARATION,
        FlagId.PLAY_AFTER_END,
        FlagId.ENDED_EARLY,
        FlagId.WRONG_DEALER,
    }
)
"""Flags that require knowing whose turn it is and what was done in it."""
_MOVES: Final = 2  # cards that a turn puts down: a hand card and a drawn one


def after_missed(table: Round, event: Missed) -> tuple[Round, ...]:
    """Return the possible states of a round after a part that nobody saw, the likeliest first.

    The new cards on the table are the least number that was put down. More may lie covered, so it may be
    anybody's turn. `table`: the round before, which has no result yet.
    """
    piles = tuple(map(pile_of, event.piles))
    field = pile_of(event.field)
    stops = [said for said in event.said if said.what is Call.STOP]
    if stops:
        # a player who stopped may already have gathered up the cards
        whole = tuple(now | before for now, before in zip(piles, table.piles, strict=True))
        return (stopped(_with_calls(_lying(table, field, whole), event.said), stops[-1].player),)
    came = (_all(field, piles) & ~table.seen).bit_count()
    states = dict.fromkeys(
        _with_calls(state, event.said)
        for moves in range(came, came + _MOVES * table.players)
        for state in _after(table, _lying(table, field, piles), moves, moves - came)
    )
    return tuple(states) or (_lying(table, field, piles),)


def joined_midway(rules: RuleSet, event: Missed) -> tuple[Round, ...]:
    """Return the possible states of a round whose deal nobody saw."""
    dealt = begin(Deal(None, event.players, event.dealer, ()), rules)
    lying = _all(pile_of(event.field), tuple(map(pile_of, event.piles))).bit_count()
    known = min(lying, rules.deal.size(event.players).field)
    # only the number of cards that came after the deal matters, not which ones
    seen = 0
    for card in (*event.field, *(card for pile in event.piles for card in pile)):
        if seen.bit_count() < known:
            seen |= 1 << card
    states = (
        state
        for dealer in _seats_from(event.dealer, event.players)
        for state in after_missed(replace(dealt, field=seen, dealer=dealer, turn=dealer), event)
    )
    return tuple(dict.fromkeys(states))


def any_dealer(table: Round) -> tuple[Round, ...]:
    """Return the possible first states of a round if nobody knows who dealt it."""
    return tuple(
        replace(table, dealer=seat, turn=seat, missed=True)
        for seat in _seats_from(table.dealer, table.players)
    )


def joined_missed(verdicts: Sequence[Verdict]) -> Sequence[Verdict]:
    """Return the verdicts that count if an event fits none of the states after a missed part.

    Nobody knows whose turn it was, so those with the fewest flags about turns are kept.
    """
    weights = [_weight(verdict) for verdict in verdicts]
    return [verdict for verdict, weight in zip(verdicts, weights, strict=True) if weight == min(weights)]


def _weight(verdict: Verdict) -> tuple[int, int]:
    return sum(flag.id in ORDER_FLAGS for flag in verdict.flags), len(verdict.flags)


def _after(before: Round, lying: Round, moves: int, unread: int) -> Iterator[Round]:
    """Yield the possible states of the round `moves` cards later; `unread` of these cards nobody read."""
    begun = before.phase in {Phase.DRAW, Phase.LATE_HAND_CARD}
    done = int(begun) if before.phase is not Phase.DECISION else _MOVES
    if not moves:
        yield lying
        return
    hands = list(before.hand_counts)
    for number in range(done, done + moves):
        if number % _MOVES == 0 or (number == 1 and before.phase is Phase.LATE_HAND_CARD):
            hands[(before.turn + number // _MOVES) % before.players] -= 1
    drawn = moves - (sum(before.hand_counts) - sum(hands))
    if min(hands) < 0 or before.stock < drawn:
        return
    last = done + moves - 1
    seat = (before.turn + last // _MOVES) % before.players
    owes = before.turn if before.phase is Phase.DECISION else None
    state = replace(
        lying,
        hand_counts=tuple(hands),
        stock=before.stock - drawn,
        turn=seat,
        played=None,
        drew_at=None,
        unread=before.unread + unread,
        claims=(),
        owes=owes,
        last_turn=(seat - 1) % before.players,
    )
    # a turn that was begun before the part goes on; a later one began with an unknown part of its pile
    starts = (before.pile_before,) if last < _MOVES else (before.piles[seat], lying.piles[seat])
    if last % _MOVES == 0:
        yield from (replace(state, phase=Phase.DRAW, pile_before=pile) for pile in dict.fromkeys(starts))
        return
    yield replace(turn_passed(replace(state, pile_before=starts[0])), owes=owes)
    if has_grown(replace(state, pile_before=starts[0])):
        yield replace(state, phase=Phase.DECISION, pile_before=starts[0])


def _lying(table: Round, field: Pile, piles: tuple[Pile, ...]) -> Round:
    return replace(table, field=field, piles=piles, missed=True)


def _with_calls(table: Round, said: Sequence[Declare]) -> Round:
    for each in said:
        if each.what is Call.KOIKOI:
            table = called(table, each.player)
    decided = said and said[-1].what is Call.KOIKOI and table.phase is Phase.DECISION
    return turn_passed(table) if decided and table.turn == said[-1].player else table


def _all(field: Pile, piles: Sequence[Pile]) -> Pile:
    for pile in piles:
        field |= pile
    return field


def _seats_from(first: int, players: int) -> list[int]:
    return [(first + step) % players for step in range(players)]
