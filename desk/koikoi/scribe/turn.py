"""Explaining what a player did in a turn of Koi-Koi from the table before and after it.

Players lay a card on its match, turn the next one, and collect both pairs at the end or one after the other.
Only the table at the end of the turn counts. Of all ways to assign the taken cards to the played ones, the
one with the fewest flags is believed.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import product
from types import MappingProxyType
from typing import Final

from desk.koikoi.scribe.appearances import COLLECTING_MS, Appearance
from desk.koikoi.scribe.look import Look
from referee.koikoi.captures import legal_takes
from referee.koikoi.events import Draw, Play
from referee.koikoi.match import Match, step
from referee.koikoi.piles import cards_of, month_of

_INCONSISTENT = 2.0
"""Cost if a card took others and stayed in the middle, or was captured without any; a flag costs 1."""
_ELSEWHERE = 0.02
"""Cost if a card took another one than that on which it was laid, or one that was gone before."""
_STRANGE = 0.005  # cost of each taken card that came to the pile with another capture; less than `_ELSEWHERE`
DETOUR: Final = 2.0
"""The way over the stock takes at least this many times as long as the way straight from the hand."""
_SHORTEST: Final = 0.75
"""Part of the hand card's time; a shorter time is wrong, because the arm only crossed an earlier card."""
_TWO_DRAWS_MS: Final = 1500.0
"""Shortest time from the first movement over the stock until a second card is turned up, if the first one
takes another: it is turned up and laid on its match, and both are brought to the pile in between."""
_FROM_PILE_MS: Final = 900.0
"""Shortest time from bringing a capture to the pile until a card that is then turned up is laid down."""
_TOGETHER_MS = 1000.0  # largest time between the appearances of one capture's cards on the pile


@dataclass(frozen=True, slots=True)
class Move:
    """A card that a player put on the table; what it took is not known yet."""

    card: int
    t_ms: float
    drawn: bool

    def event(self, seat: int, taken: Sequence[int]) -> Play | Draw:
        return (Draw if self.drawn else Play)(seat, self.card, tuple(sorted(taken)))


@dataclass(frozen=True, slots=True)
class Explanation:
    """One explanation of a turn."""

    events: tuple[Play | Draw, ...]  # what was played and drawn, with what each card took
    match: Match  # the match after it
    cost: float  # number of flags, plus the cost of inconsistencies


def explained(
    match: Match,
    seat: int,
    moves: Sequence[Move],
    before: Look,
    after: Look,
    *,
    laid_on: Mapping[int, int] = MappingProxyType({}),
    apart: Set[tuple[int, int]] = frozenset(),
    piled_ms: Mapping[int, float] = MappingProxyType({}),
) -> Explanation:
    """Return the likeliest explanation of a turn.

    Parameters
    ----------
    moves : the cards that it put on the table, in their order; at least one.
    laid_on : cards that were seen lying on others: upper card to lower card.
    apart : pairs of a card of the turn that still lay in the middle and a card that had already left it.
    piled_ms : the instants at which cards were first seen on the pile while the table was not at rest.
    """
    new = {move.card for move in moves}
    gained = after.captured - before.captured
    taken = sorted((gained & before.middle) - new)
    best: Explanation | None = None
    for shares, is_odd in _ways(moves, taken, gained & new):
        if is_odd and best is not None and best.cost < 1:
            break
        events = tuple(move.event(seat, share) for move, share in zip(moves, shares, strict=True))
        found = replace(_judged(match, events), events=events)
        swallowed = {card for share in shares for card in share}
        odd = sum(
            (move.card in gained) != (bool(share) or move.card in swallowed)
            for move, share in zip(moves, shares, strict=True)
        )
        elsewhere = sum(
            laid_on.get(move.card, -1) in taken and laid_on[move.card] not in share
            for move, share in zip(moves, shares, strict=True)
        ) + sum(
            (move.card, card) in apart for move, share in zip(moves, shares, strict=True) for card in share
        )
        strange = _came_with_others(moves, shares, piled_ms)
        doubt = _INCONSISTENT * odd + _ELSEWHERE * elsewhere + _STRANGE * strange
        found = replace(found, cost=found.cost + doubt)
        if best is None or found.cost < best.cost:
            best = found
    assert best is not None
    return best


def _came_with_others(
    moves: Sequence[Move], shares: Sequence[Sequence[int]], piled_ms: Mapping[int, float]
) -> int:
    """Return how many taken cards came to the pile with another capture, before the rest of their own.

    Cards that come later do not count: an arm may hide some cards of a capture for longer.
    """
    captures = [{move.card, *share} & piled_ms.keys() for move, share in zip(moves, shares, strict=True)]
    strange = 0
    for share, capture in zip(shares, captures, strict=True):
        others = frozenset().union(*captures) - capture
        for card in piled_ms.keys() & share:
            own_ms = [piled_ms[one] - piled_ms[card] for one in capture - {card}]
            other_ms = [abs(piled_ms[card] - piled_ms[one]) for one in others]
            if own_ms and other_ms:
                strange += min(own_ms) > max(_TOGETHER_MS, 2 * min(other_ms))
    return strange


def cut_off(match: Match, seat: int, move: Move, before: Look, after: Look) -> Explanation:
    """Return the explanation of a turn that was cut off after its first card, which may still take."""
    seen = explained(match, seat, [move], before, after)
    if not seen.cost or match.table is None:
        return seen
    takes = legal_takes(move.card, match.table.field & ~(1 << move.card))
    events = [move.event(seat, cards_of(take)) for take in takes]
    likely = min(
        (replace(_judged(match, [event]), events=(event,)) for event in events), key=lambda way: way.cost
    )
    return likely if likely.cost < seen.cost else seen


def _judged(match: Match, events: Sequence[Play | Draw]) -> Explanation:
    flags = len(match.flags)
    for event in events:
        match = step(match, event)
    return Explanation((), match, float(len(match.flags) - flags))


def _ways(
    moves: Sequence[Move], taken: Sequence[int], new: frozenset[int]
) -> Iterator[tuple[list[list[int]], bool]]:
    """Yield the ways to assign the taken cards to the moves, as a list of cards for each move.

    The ways in which every card goes with a card of its month, if there is one, come first, with False; then
    all ways, with True. A captured card of this turn was taken by a later one, or took others itself.
    """
    fitting: list[Sequence[int]] = []
    for card in taken:
        month = [n for n, move in enumerate(moves) if month_of(move.card) == month_of(card)]
        fitting.append(month or range(len(moves)))
    for shares in _shared(moves, taken, fitting, new):
        yield shares, False
    for shares in _shared(moves, taken, [range(len(moves))] * len(taken), new):
        yield shares, True


def _shared(
    moves: Sequence[Move], taken: Sequence[int], owners: Sequence[Sequence[int]], new: frozenset[int]
) -> Iterator[list[list[int]]]:
    """Yield the ways to assign cards to moves, given the possible moves for each card."""
    choices: list[list[tuple[int, int | None]]] = [
        [(card, n) for n in able] for card, able in zip(taken, owners, strict=True)
    ]
    for n, move in enumerate(moves):
        if move.card in new:
            later = [m for m in range(n + 1, len(moves)) if month_of(moves[m].card) == month_of(move.card)]
            choices.append([(move.card, None), *((move.card, m) for m in later)])
    for way in product(*choices):
        shares: list[list[int]] = [[] for _ in moves]
        for card, owner in way:
            if owner is not None:
                shares[owner].append(card)
        yield shares


def from_stock(card: Appearance, turn: Sequence[Appearance], turned: Appearance | None = None) -> bool:
    """Tell whether a card of a turn may come from the stock; the turn's first card came from the hand.

    The arm of a player behind the stock crosses it with every card, so the time of the way decides. An arm
    that turns up a card lies over the player's pile, so cards just laid there seem to come with it.
    """
    hand = turn[0]
    if (turned is not None and not leaves_time(card, turned)) or _came_from_pile(card, hand):
        return False
    if hand.reach_ms is None:
        return card.at_stock and not any(_was_quicker(card, later) for later in turn)
    way_ms, least_ms = card.reach_ms, DETOUR * hand.reach_ms
    if way_ms is None or way_ms < _SHORTEST * hand.reach_ms:
        way_ms = None if card.stock_ms is None else card.t_ms - card.stock_ms
        if card.look_ms - card.t_ms >= COLLECTING_MS:
            least_ms = hand.reach_ms  # it was captured at once, and its time is an estimate
    return card.at_stock and (way_ms is None or way_ms > least_ms)


def _came_from_pile(card: Appearance, hand: Appearance) -> bool:
    if hand.piled_ms is None or hand.look_ms != card.look_ms:
        return False
    return 0 <= card.t_ms - hand.piled_ms < _FROM_PILE_MS


def _was_quicker(card: Appearance, later: Appearance) -> bool:
    """Tell whether a card took less time than a later card of its turn needed from the stock.

    For a card that was turned up, the time of turning it alone is known.
    """
    if card.reach_ms is None or later.look_ms <= card.look_ms or not later.at_stock:
        return False
    if later.drawn:
        return later.stock_ms is not None and card.reach_ms < later.t_ms - later.stock_ms
    return later.reach_ms is not None and DETOUR * card.reach_ms < later.reach_ms


def leaves_time(card: Appearance, turned: Appearance) -> bool:
    """Tell whether there was time to draw a card besides one that was turned up before the same look."""
    if card.look_ms != turned.look_ms or turned.stock_ms is None or card.reach_ms is not None:
        return True
    return turned.t_ms - turned.stock_ms > _TWO_DRAWS_MS


def lay_before(card: Appearance, turned: Appearance) -> bool:
    if not card.drawn and not leaves_time(card, turned):
        return True
    return card.look_ms < turned.look_ms or (card.certain and card.t_ms < turned.t_ms)
