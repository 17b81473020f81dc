"""One round of Koi-Koi as an immutable value, and the lawful transitions between its states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from referee.koikoi.dealing import HandClaim, hand_claim, stock_size
from referee.koikoi.events import Deal
from referee.koikoi.flags import Flag
from referee.koikoi.piles import DECK, LIGHTS, Pile
from referee.koikoi.ruleset import RuleSet
from referee.koikoi.score import OneCardAway, Score, one_card_away, scorer

MONTHS = 12


class Phase(StrEnum):
    """What the round waits for."""

    HAND_CARD = "hand_card"  # the player on turn plays a hand card
    DRAW = "draw"  # the player on turn turns the top card of the stock
    LATE_HAND_CARD = "late_hand_card"  # the player on turn drew before playing: the hand card is still due
    DECISION = "decision"  # the base of the player on turn has grown: stop or koi-koi
    OVER = "over"  # the round has a result


class Ending(StrEnum):
    """How a round ended."""

    STOP = "stop"
    EXHAUSTED = "exhausted"
    TESHI = "teshi"
    KUTTSUKI = "kuttsuki"
    REDEAL = "redeal"


@dataclass(frozen=True, slots=True)
class Result:
    """How a round ended."""

    ending: Ending
    winner: int | None  # seat, or None
    points: tuple[int, ...]  # what each seat gets (positive) or pays (negative)
    formula: str = ""  # the calculation of the winner's points; empty without a winner


@dataclass(frozen=True, slots=True)
class Round:
    """The table at one instant of a round."""

    rules: RuleSet
    number: int
    dealt_at: int  # number of the event that dealt
    dealer: int
    field: Pile
    hands: tuple[Pile, ...] | None  # each seat's hand; None if hands are not known
    hand_counts: tuple[int, ...]  # how many hand cards each seat has left
    stock: int  # how many cards the stock holds
    piles: tuple[Pile, ...]  # each seat's captured cards
    calls: tuple[int, ...]  # each seat's koi-koi calls
    turn: int
    phase: Phase = Phase.HAND_CARD
    pile_before: Pile = 0  # the pile of the seat on turn when its turn began
    played: int | None = None  # the hand card of this turn, if it lies on the table
    last_turn: int | None = None  # the seat that had the turn before, None in the first turn
    claims: tuple[HandClaim, ...] = ()  # the claims from starting hands; empty once the first card is played
    owes: int | None = None  # seat that may still make up for a missing decision, or None
    drew_at: int | None = None  # number of the event that drew before playing
    unread: int = 0  # how many cards were played unrecorded; what they are and what they took is unknown
    late_play_told: bool = False  # whether a card played after the end was flagged already
    missed: bool = False  # whether nobody saw a part of the round; turns and calls are then uncertain
    lights: int = 0  # how many lights were dealt to the field
    # the field as each seat's latest turn left it; empty where it spoils no yaku
    fields: tuple[Pile, ...] = ()
    result: Result | None = None  # how the round ended, None while it lasts

    @property
    def players(self) -> int:
        return len(self.piles)

    @property
    def started(self) -> bool:
        """Whether a card has been played or drawn."""
        return self.last_turn is not None or self.phase is not Phase.HAND_CARD or self.result is not None

    @property
    def seen(self) -> Pile:
        """Cards that lie face up on the table."""
        cards = self.field
        for pile in self.piles:
            cards |= pile
        return cards

    @property
    def unseen(self) -> Pile:
        """Cards in the hands and in the stock."""
        return DECK & ~self.seen

    def one_card_away(self, seat: int) -> tuple[OneCardAway, ...]:
        """Return the yaku that one more card would complete; only cards in piles are out of reach."""
        scores, available = scorer(self.rules), self.unseen | self.field
        return one_card_away(scores, self.piles[seat], available, month=self.month, field=self.field)

    @property
    def month(self) -> int:
        """The month whose cards count as a yaku in this round, 0 if the house does not play it."""
        played = self.rules.yaku.month.points > 0 and self.rules.match.rounds == MONTHS
        return self.number if played and self.number <= MONTHS else 0

    def score(self, seat: int) -> Score:
        """Return what `seat`'s pile is worth if that player could stop now."""
        own = self.calls[seat]
        return scorer(self.rules).score(
            self.piles[seat], own, sum(self.calls) - own, self.month, field=self.field, lights=self.lights
        )


def begin(deal: Deal, rules: RuleSet, line: int = 0, next_number: int = 1) -> Round:
    """Return the round after a deal. A card that was dealt twice counts where it was dealt first.

    `line`: number of the deal among the events. `next_number`: that of the round if the deal gives none.
    """
    seen = 0
    places = []
    for cards in (deal.field, *(deal.hands or ())):
        place = 0
        for card in cards:
            place |= 1 << card & ~seen
            seen |= 1 << card
        places.append(place)
    hands = tuple(places[1:]) if deal.hands is not None else None
    claims = [hand_claim(seat, hand, deal.players, rules) for seat, hand in enumerate(hands or ())]
    none = (0,) * deal.players
    return Round(
        rules=rules,
        number=next_number if deal.number is None else deal.number,
        dealt_at=line,
        dealer=deal.dealer,
        field=places[0],
        hands=hands,
        hand_counts=(rules.deal.size(deal.players).hand,) * deal.players,
        stock=stock_size(deal.players, rules),
        piles=none,
        calls=none,
        turn=deal.dealer,
        lights=(places[0] & LIGHTS).bit_count(),
        claims=tuple(claim for claim in claims if claim is not None),
    )


def with_card(table: Round, seat: int, card: int, take: Pile) -> Round:
    """Lay a card on the field, or give it together with `take` to the seat's pile if it takes anything."""
    if not take:
        return replace(table, field=table.field | 1 << card)
    piles = _changed(table.piles, seat, table.piles[seat] | take | 1 << card)
    return replace(table, field=table.field & ~take, piles=piles)


def with_hand_card(table: Round, seat: int, card: int, take: Pile) -> Round:
    """Play a hand card; the draw is due next."""
    hands = table.hands
    if hands is not None:
        hands = _changed(hands, seat, hands[seat] & ~(1 << card))
    counts = _changed(table.hand_counts, seat, max(table.hand_counts[seat] - 1, 0))
    played = with_card(table, seat, card, take)
    return replace(
        played, hands=hands, hand_counts=counts, phase=Phase.DRAW, played=card, claims=(), drew_at=None
    )


def with_drawn_card(table: Round, seat: int, card: int, take: Pile) -> Round:
    """Turn the top card of the stock; the phase stays."""
    return replace(with_card(table, seat, card, take), stock=table.stock - 1, claims=())


def with_unread_hand_card(table: Round) -> Round:
    """Remove a card that nobody read from the hand of the seat on turn; the phase stays."""
    counts = _changed(table.hand_counts, table.turn, max(table.hand_counts[table.turn] - 1, 0))
    return replace(table, hand_counts=counts, unread=table.unread + 1, claims=())


def with_unread_draw(table: Round) -> Round:
    """Turn a card of the stock that nobody read; the phase stays."""
    return replace(table, stock=table.stock - 1, unread=table.unread + 1, claims=())


def has_grown(table: Round) -> bool:
    """Tell whether the seat on turn may decide: its base has grown, by a new yaku if required (reading 7)."""
    seat, month, field = table.turn, table.month, table.field
    calls, pile, before = table.calls[seat], table.piles[seat], table.pile_before
    called = calls > 0
    # what others took from the middle since then may have cleared rain or fog
    was = table.fields[seat] if table.fields else field
    scores = scorer(table.rules)
    base = scores.base(pile, called=called, month=month, field=field)
    if base <= scores.base(before, called=called, month=month, field=was):
        return False
    if table.rules.decision.requires == "growth":
        return True
    had = {row.name for row in scores.score(before, calls, month=month, field=was).yaku}
    return any(row.name not in had for row in scores.score(pile, calls, month=month, field=field).yaku)


def turn_completed(table: Round) -> Round:
    """Complete a turn with both cards down: ask for a decision if the base has grown, else pass it on."""
    if not has_grown(table):
        return turn_passed(table)
    if not table.hand_counts[table.turn] and table.rules.decision.without_hand_cards == "stop":
        return stopped(table, table.turn)
    return replace(table, phase=Phase.DECISION, drew_at=None)


def turn_passed(table: Round) -> Round:
    """Pass the turn to the next seat with hand cards; if there is none, or no stock, end the round."""
    fields = table.fields
    if "on_field" in {table.rules.viewing.rain, table.rules.viewing.fog}:
        fields = _changed(fields or (table.field,) * table.players, table.turn, table.field)
    seats = [(table.turn + step) % table.players for step in range(1, table.players + 1)]
    following = next((seat for seat in seats if table.hand_counts[seat]), None)
    if following is None or table.stock <= 0:
        return exhausted(table)
    return replace(
        table,
        turn=following,
        phase=Phase.HAND_CARD,
        pile_before=table.piles[following],
        played=None,
        last_turn=table.turn,
        fields=fields,
        owes=None,
        drew_at=None,
    )


def called(table: Round, seat: int) -> Round:
    """Count a koi-koi call."""
    return replace(table, calls=_changed(table.calls, seat, table.calls[seat] + 1))


def stopped(table: Round, seat: int) -> Round:
    """End the round with `seat`'s stop."""
    score = table.score(seat)
    return _over(table, Result(Ending.STOP, seat, settled(table, seat, score.points), score.formula))


def exhausted(table: Round) -> Round:
    """End the round without a winner; no yaku counts, whoever called (L132)."""
    bonus = table.rules.settlement.dealer_points_without_winner
    return _over(table, Result(Ending.EXHAUSTED, None, settled(table, table.dealer, bonus)))


def redealt(table: Round) -> Round:
    """End the round because the cards must be dealt again."""
    return _over(table, Result(Ending.REDEAL, None, (0,) * table.players))


def claimed(table: Round, claims: tuple[HandClaim, ...]) -> Round:
    """End the round by starting hands: a redeal, a win, or a draw where several can claim (reading 14)."""
    if any(claim.redeal for claim in claims):
        return redealt(table)
    ending = Ending(claims[0].what.value)
    table = replace(table, claims=claims)
    if len(claims) > 1:
        return _over(table, Result(ending, None, (0,) * table.players))
    points = table.rules.hands.points
    seat = claims[0].seat
    return _over(table, Result(ending, seat, settled(table, seat, points), f"{ending} = {points}"))


def settled(table: Round, winner: int, points: int) -> tuple[int, ...]:
    """Return what each seat gets or pays when `winner` earns `points`."""
    if table.rules.settlement.mode == "winner_only":
        return tuple(points if seat == winner else 0 for seat in range(table.players))
    others = table.players - 1
    return tuple(points * others if seat == winner else -points for seat in range(table.players))


def _over(table: Round, result: Result) -> Round:
    return replace(table, phase=Phase.OVER, result=result, drew_at=None)


def _changed(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


MAX_FUTURES = 8  # number of states kept after several faults in a row; the least likely ones are dropped


@dataclass(frozen=True, slots=True)
class Verdict:
    """A judged event."""

    flags: tuple[Flag, ...]  # what was wrong; empty where the event was lawful
    # states in which the round may go on, the likeliest first; a lawful event has exactly one
    futures: tuple[Round, ...]

    @property
    def lawful(self) -> bool:
        """Whether nothing was wrong."""
        return not self.flags

    def after(self, flags: tuple[Flag, ...]) -> Verdict:
        """Return the verdict with `flags` before its own."""
        return Verdict((*flags, *self.flags), self.futures)


def lawful(future: Round) -> Verdict:
    """Return the verdict on an event without fault."""
    return Verdict((), (future,))


def joined(verdicts: Sequence[Verdict]) -> Verdict:
    """Return the verdict on an event in several possible states: it is lawful if it is lawful in any.

    The states that do not fit a lawful event are dropped; if none fits, the flags of the likeliest one count.
    """
    chosen = [verdict for verdict in verdicts if verdict.lawful] or verdicts
    futures = dict.fromkeys(future for verdict in chosen for future in verdict.futures)
    return Verdict(chosen[0].flags, tuple(futures)[: max(MAX_FUTURES, len(verdicts))])
