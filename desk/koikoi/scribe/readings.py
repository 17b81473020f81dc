"""The possible readings of a turn: the cards that were seen, and those that can only be concluded.

A hand card laid on its match and slid under a pile may never lie open at rest, and a sliver of a print in a
pile may be misread. There are 48 cards, one of each: if a captured card has no partner of its month, one of
the month's cards that lie nowhere else took it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import inf
from typing import Final

from desk.koikoi.scribe.appearances import (
    CLEAR,
    COLLECTING_MS,
    TELLING,
    Appearance,
    GlimpsedInTurn,
    kind_of,
    prints_of,
)
from desk.koikoi.scribe.look import Cards, Look
from desk.koikoi.scribe.turn import DETOUR, Explanation, Move, explained, from_stock, lay_before
from referee.koikoi.match import Match
from referee.koikoi.piles import month_of

_LATER: Final = 0.01
"""Cost of a reading in which the player collected while the next one was already at the table."""
_GONE: Final = 0.2
_UNREAD: Final = 0.25
_MISREAD: Final = 0.5
"""Costs of a reading in which a seen card is now covered, a card was never seen, or one was misread. A flag
costs 1, so that an error of the eye is believed before a fault."""
_TAKEN_BACK: Final = 0.3
"""Cost of each card that was put down in the turn and taken back into the hand or onto the stock."""
_LEFT_OUT: Final = 1.0  # cost of a card that was seen on a captured one and that a reading leaves out
_LOST: Final = 0.9  # cost of a card that is no longer on the table
_LOST_WITH_ITS_LIKE: Final = 1.3
"""The same for a card that was seen on the pile, whose month was captured in the turn, or that a new print in
the pile may show: it more likely lies under the others. The cost exceeds a flag's, so that it counts as
captured."""
_MOVES: Final = 2
"""Moves of a lawful turn: fewer are flagged, and unseen moves are assumed only up to this number."""


@dataclass(frozen=True, slots=True)
class TurnReading:
    """One possible reading of a turn."""

    moves: tuple[Move, ...]  # the cards that were put down, in order
    after: Look  # the table after the turn, with hidden cards
    doubt: float = 0.0  # the cost of its assumptions
    # cards among the moves that nobody has read, each with the cards of other kinds that fit as well
    unread: tuple[tuple[int, Cards], ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was seen in a turn besides the table before and after it."""

    turn: tuple[Appearance, ...]
    seat: int
    in_turn: GlimpsedInTurn
    known: Cards = frozenset()  # cards that were on the table before, wherever they are now
    # cards that were seen lying on others: upper card to lower card
    laid_on: Mapping[int, int] = field(default_factory=dict)
    # pairs of a card of the turn that still lay in the middle and a card that had already left it
    apart: Set[tuple[int, int]] = frozenset()

    @property
    def glimpsed(self) -> Mapping[int, float]:
        return self.in_turn.since_ms

    def piled_ms_of(self, month: int) -> Iterator[float]:
        """Yield the instants at which cards of a month were first seen on the pile in the turn."""
        return (since_ms for card, since_ms in self.in_turn.piled.items() if month_of(card) == month)

    def is_drawn(self, card: int) -> bool:
        """Tell whether a card that was only glimpsed came from the stock after another one was turned up."""
        turned_ms = min((seen.t_ms for seen in self.turn if seen.drawn), default=inf)
        fetched = self.in_turn.fetched
        if card not in fetched or self.glimpsed[card] < turned_ms:
            return False
        reach_ms, hand_ms = fetched[card], self.turn[0].reach_ms
        return reach_ms is None or hand_ms is None or reach_ms > DETOUR * hand_ms


def likeliest(
    match: Match, evidence: Evidence, before: Look, afters: Sequence[Look]
) -> tuple[Explanation, TurnReading] | None:
    """Return the explanation of a turn with the least cost, and its reading; None if there is none."""
    best: tuple[float, Explanation, TurnReading] | None = None
    for reading in _all_readings(evidence, before, afters):
        found = explained(
            match,
            evidence.seat,
            reading.moves,
            before,
            reading.after,
            laid_on=evidence.laid_on,
            apart=evidence.apart,
            piled_ms=evidence.in_turn.piled,
        )
        losses = _losses(reading, before, evidence)
        cost = found.cost + reading.doubt + losses + (len(reading.moves) < _MOVES)
        for card in _only_glimpsed(evidence, before) - reading.after.cards:
            # a card that lay on a captured one went with it
            went = evidence.laid_on.get(card) in reading.after.captured - before.captured
            cost += _LEFT_OUT if went else _TAKEN_BACK
        if best is None or cost < best[0]:
            best = cost, found, reading
        if not cost:
            break
    return None if best is None else best[1:]


def _losses(reading: TurnReading, before: Look, evidence: Evidence) -> float:
    lost = (before.middle | {move.card for move in reading.moves}) - reading.after.cards
    taken = set(map(month_of, (reading.after.captured - before.captured) & before.middle))
    prints = prints_of(before, reading.after, evidence.seat)
    # a card that was gone while the taker of its month still lay in the middle did not go with that taker
    gone_before = {card for new, card in evidence.apart if month_of(new) == month_of(card)}
    under = evidence.in_turn.piled.keys() | {c for c in lost - gone_before if month_of(c) in taken}
    under |= {card for card in lost if any(alike.get(card, 0.0) >= TELLING for alike in prints)}
    return sum(_LOST_WITH_ITS_LIKE if card in under else _LOST for card in lost)


def _only_glimpsed(evidence: Evidence, before: Look) -> Cards:
    """Return the cards of the turn that were only glimpsed, not seen at any rest of the table."""
    at_rest = evidence.known | before.cards | {card.card for card in evidence.turn}
    return frozenset(evidence.glimpsed) - at_rest


def _all_readings(evidence: Evidence, before: Look, afters: Sequence[Look]) -> Iterator[TurnReading]:
    """Yield the readings of a turn; a card that lies nowhere may lie under the captured cards."""
    for number, after in enumerate(afters):
        gone = before.middle - after.cards
        looks = [after, after.hiding(gone, evidence.seat)] if gone else [after]
        if after.assumed:
            looks.append(after.collecting_assumed(evidence.seat))
        for look in looks:
            for reading in readings_of(evidence, before, look):
                if reading.moves:
                    yield replace(reading, doubt=reading.doubt + _LATER * number)


def readings_of(evidence: Evidence, before: Look, after: Look) -> Iterator[TurnReading]:
    """Yield the readings of a turn between two looks, the plainest first."""
    turn = evidence.turn
    plain = TurnReading(tuple(moves_of(turn, after)), after)
    seen = [
        plain,
        *_exchanged(plain, turn),
        *_gone_along(plain, evidence, before),
        *_covered(turn, after, evidence.seat),
        *_taken_back(evidence, after, after.captured - before.captured),
        *_without_misread(evidence, before, after),
    ]
    yield plain
    for reading in seen:
        yield from _with_unread(reading, evidence, before)
    yield from seen[1:]


def took_with_unread(moves: Sequence[Move], before: Look, after: Look, seat: int) -> bool:
    """Tell whether a card was captured, or hidden in the pile, that none of these moves can have taken."""
    months = {month_of(move.card) for move in moves}
    taken = (after.captured - before.captured) & before.middle
    if prints_of(before, after, seat):
        taken |= before.middle - after.cards
    return any(month_of(card) not in months for card in taken)


def moves_of(turn: Sequence[Appearance], after: Look) -> list[Move]:
    """Return the cards that were put down in a turn, each with whether it was drawn.

    If no card was seen turned up, the second one counts as drawn. A print that was seen only once was
    misread.
    """
    seen = [card for card in turn if card.card in after.cards or card.certain] or list(turn)
    if len(seen) > 1 and seen[0].drawn and not seen[1].drawn and seen[0].look_ms == seen[1].look_ms:
        seen = [seen[1], seen[0], *seen[2:]]  # nobody saw which came first, so assume the lawful order
    if turned := next((card for card in seen if card.drawn), None):
        # a card that lay there before the turned one was seen was put down before it
        seen.sort(key=lambda card: card.drawn or not lay_before(card, turned))
    drawn = [card.drawn for card in seen]
    if len(seen) > 1 and not any(drawn):
        # the first card comes from the hand, the others from the stock if the arm was there each time
        drawn = [
            number > 0 and (from_stock(card, seen) or len(seen) == 2) for number, card in enumerate(seen)
        ]
        drawn[1] |= not any(drawn)
    elif any(drawn) and not drawn[0]:
        # the same holds after the turned card; before it only if the arm was not at the stock for the first
        # card
        first = drawn.index(True)
        drawn[1:first] = [
            from_stock(card, seen, turned) and (card.reach_ms is not None or not seen[0].at_stock)
            for card in seen[1:first]
        ]
        drawn[first + 1 :] = [card.drawn or from_stock(card, seen, turned) for card in seen[first + 1 :]]
    return [Move(card.card, card.t_ms, is_drawn) for card, is_drawn in zip(seen, drawn, strict=True)]


def _exchanged(plain: TurnReading, turn: Sequence[Appearance]) -> Iterator[TurnReading]:
    """Yield the reading with two cards of one kind swapped, if the turned one was read as the other."""
    doubtful = {card.card for card in turn if card.like_turned}
    for one, other in combinations(plain.moves, 2):
        if {one.card, other.card} & doubtful and kind_of(one.card) == kind_of(other.card):
            names = {one.card: other.card, other.card: one.card}
            moves = (replace(move, card=names.get(move.card, move.card)) for move in plain.moves)
            yield replace(plain, moves=tuple(moves), doubt=_GONE)


def _covered(turn: Sequence[Appearance], after: Look, seat: int) -> Iterator[TurnReading]:
    """Yield the reading in which cards seen at rest that lie nowhere now are under the captured cards."""
    gone = frozenset(card.card for card in turn) - after.cards
    if gone:
        under = after.hiding(gone, seat)
        yield TurnReading(tuple(moves_of(turn, under)), under, _GONE)


def _gone_along(plain: TurnReading, evidence: Evidence, before: Look) -> Iterator[TurnReading]:
    """Yield the reading in which cards glimpsed on captured ones or on the pile were captured with them."""
    after = plain.after
    captured = after.captured - before.captured
    went = {card for card in evidence.glimpsed if evidence.laid_on.get(card) in captured}
    along = (_only_glimpsed(evidence, before) - after.cards) & (went | evidence.in_turn.piled.keys())
    if along:
        own = [Move(card, evidence.glimpsed[card], evidence.is_drawn(card)) for card in along]
        moves = sorted((*plain.moves, *own), key=lambda move: (move.drawn, move.t_ms))
        if not any(move.drawn for move in moves) and len(moves) > 1:
            moves[1] = replace(moves[1], drawn=True)
        yield TurnReading(tuple(moves), after.hiding(along, evidence.seat), _GONE)


def _taken_back(evidence: Evidence, after: Look, captured: Cards) -> Iterator[TurnReading]:
    """Yield the readings in which cards that lie nowhere now, nor went with others, were taken back."""
    turn, seat = evidence.turn, evidence.seat
    gone = [card for card in turn if card.card not in after.cards]
    loose = [card for card in gone if evidence.laid_on.get(card.card) not in captured]
    for number in range(1, len(loose) + 1):
        for back in combinations(loose, number):
            rest = [card for card in turn if card not in back]
            hidden = frozenset(card.card for card in gone if card not in back)
            under = after.hiding(hidden, seat)
            if rest:
                doubt = _TAKEN_BACK * number + (_GONE if hidden else 0)
                yield TurnReading(tuple(moves_of(rest, under)), under, doubt)


def _without_misread(evidence: Evidence, before: Look, after: Look) -> Iterator[TurnReading]:
    """Yield the readings in which a card seen only as a sliver in a pile is not there.

    If a card of this turn was seen openly and lies nowhere now, the sliver belongs to that card.
    """
    for doubtful in evidence.turn:
        if doubtful.certain or doubtful.card in before.cards:
            continue
        if doubtful.sliver and _may_be_another(doubtful, evidence, before, after):
            rest = [card for card in evidence.turn if card is not doubtful]
            gone = frozenset(card.card for card in rest) - after.cards
            left = after.without(frozenset({doubtful.card})).hiding(gone, evidence.seat)
            yield TurnReading(tuple(moves_of(rest, left)) if rest else (), left, _MISREAD)


def _may_be_another(doubtful: Appearance, evidence: Evidence, before: Look, after: Look) -> bool:
    """Tell whether a sliver may show another card of pile or middle, or of a captured month."""
    known = evidence.known | before.cards | after.cards
    taken = set(map(month_of, (after.captured - before.captured) & before.middle))
    unseen = {card for card in range(48) if card not in known and month_of(card) in taken}
    return doubtful.may_be(after.captures[evidence.seat] | before.middle | unseen)


def _with_unread(reading: TurnReading, evidence: Evidence, before: Look) -> Iterator[TurnReading]:
    """Yield the reading with unread cards added where a card was taken but no card of its month took it."""
    moves, after = reading.moves, reading.after
    taken = (after.captured - before.captured) & before.middle
    # a card that still lies in the middle has taken nothing
    took = {month_of(move.card) for move in moves if move.card not in after.middle}
    months = {month_of(card) for card in taken} - took
    known = evidence.known | before.cards | after.cards | {move.card for move in moves}
    prints = prints_of(before, after, evidence.seat)
    for month in sorted(months):
        possible = [card for card in range(48) if month_of(card) == month and card not in known]
        if not possible:
            continue
        strips = evidence.in_turn.strips_of(possible, evidence.seat)
        card, rivals = _likeliest_card(possible, evidence.glimpsed, [*prints, *strips])
        if len(moves) >= _MOVES and card not in evidence.glimpsed:
            continue
        under = after.hiding(frozenset({card}), evidence.seat)
        for order in _orders(moves, card, evidence, after.t_ms):
            more = TurnReading(order, under, reading.doubt + _UNREAD, (*reading.unread, (card, rivals)))
            yield more
            yield from _with_unread(more, evidence, before)


def _likeliest_card(
    possible: Sequence[int], glimpsed: Iterable[int], prints: Sequence[Mapping[int, float]]
) -> tuple[int, Cards]:
    """Return the likeliest card (a glimpsed one, one like a print, or chaff) and other kinds it may be."""
    open_for_a_moment = [card for card in possible if card in set(glimpsed)]
    if open_for_a_moment:
        return open_for_a_moment[0], frozenset()
    alike = {card: max((each.get(card, 0.0) for each in prints), default=0.0) for card in possible}
    card = max(possible, key=lambda card: (alike[card], card))
    left = possible
    if alike[card] < TELLING:
        card = max(possible)  # chaff has the last numbers of a month
    else:
        left = [other for other in possible if alike[other] > alike[card] - CLEAR]
    return card, frozenset(other for other in left if kind_of(other) != kind_of(card))


def _orders(
    moves: tuple[Move, ...], card: int, evidence: Evidence, after_ms: float
) -> Iterator[tuple[Move, ...]]:
    """Yield the possible orders of the moves with an unread card added, the likeliest first."""
    glimpsed = evidence.glimpsed
    since_ms = glimpsed.get(card)
    look_ms = max((seen.look_ms for seen in evidence.turn), default=after_ms)
    if not moves:
        yield (Move(card, look_ms if since_ms is None else since_ms, drawn=False),)
        return
    if len(moves) > 1:
        unread = Move(card, glimpsed[card], evidence.is_drawn(card))
        yield tuple(sorted((*moves, unread), key=lambda move: (move.drawn, move.t_ms)))
        return
    (move,) = moves
    seen = next((one for one in evidence.turn if one.card == move.card), None)
    hand = Move(
        card, min(move.t_ms, move.t_ms - COLLECTING_MS if since_ms is None else since_ms), drawn=False
    )
    unread_first = (hand, replace(move, drawn=True))
    later_ms = max(move.t_ms, look_ms if since_ms is None else since_ms)
    unread_last = (replace(move, drawn=False), Move(card, later_ms, drawn=True))
    # the unread card came first if its capture was on the pile before the other card was put down
    collected_ms = min(evidence.piled_ms_of(month_of(card)), default=inf)
    own_ms = min(evidence.piled_ms_of(month_of(move.card)), default=-inf)
    if move.drawn or collected_ms < move.t_ms:
        yield unread_first
    elif seen is None:
        # neither was seen at rest: the one glimpsed earlier came first
        in_order = glimpsed.get(move.card, inf) <= glimpsed.get(card, inf)
        yield from (unread_last, unread_first) if in_order else (unread_first, unread_last)
    elif seen.at_stock and (
        seen.look_ms - move.t_ms < COLLECTING_MS * (1 + seen.on_pile)
        or seen.look_ms - own_ms < COLLECTING_MS
        or (since_ms is not None and since_ms < move.t_ms)
    ):
        # the seen card was put down or captured just before the table came to rest, so it was the last
        yield unread_first
        yield unread_last
    else:
        yield unread_last
        yield unread_first
