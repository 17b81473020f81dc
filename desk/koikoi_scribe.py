"""Writes down a Koi-Koi round from what lies on the table: who put down and took what, and what was wrong.

A turn is judged when it is over, that is, when the next player's card appears: until then its player may
collect late or put right what he did.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import inf

from desk.koikoi_look import Cards, Look
from desk.koikoi_turn import Appearance, Explanation, Move, cut_off, explained
from referee.cards.hanafuda import by_index
from referee.koikoi.events import Call, Deal, Declare, End, Event
from referee.koikoi.flags import FlagId
from referee.koikoi.match import Match, concluded, step
from referee.koikoi.ruleset import RuleSet

_COLLECTING_MS = 1200.0
"""From laying a card on its match to the table's rest after both were collected, at the least."""
_LOOKS_OF_A_DEAL = 3
"""A table that is seen so often alike with nothing captured has been dealt, even if it is a misdeal."""


@dataclass(frozen=True, slots=True)
class Noted:
    """An event as it was inferred, and when it was seen."""

    t_ms: float
    event: Event


@dataclass(frozen=True, slots=True)
class TableFlag:
    """What the table shows to be wrong and no event can say: cards on wrong piles, gone or come back.

    Attributes
    ----------
    round : number of the round among the match's rounds, from 0.
    event : number of the event that it came with.
    t_ms : when it was seen.
    id, text : what is wrong.
    """

    round: int
    event: int
    t_ms: float
    id: FlagId
    text: str


class Scribe:
    """Feed it looks, glimpses and declarations in the order of time, then close it.

    Parameters
    ----------
    rules : the ruleset.
    players, dealer : how many play, and who deals first.

    Attributes
    ----------
    match : as judged so far.
    notes : its events.
    flags : what else is wrong.
    looks : the table whenever it was at rest, covered cards included.
    """

    def __init__(self, rules: RuleSet, players: int, dealer: int) -> None:
        self.match = Match(rules)
        self.notes: list[Noted] = []
        self.flags: list[TableFlag] = []
        self.looks: list[Look] = []
        self._players, self._dealer = players, dealer
        self._before: Look | None = None
        self._latest: Look | None = None
        self._alike = 0
        self._turn: list[Appearance] = []
        self._seat = dealer
        self._waiting: list[tuple[float, Declare]] = []
        self._glimpsed: dict[object, float] = {}
        self._turned: set[object] = set()
        self._changed: list[tuple[float, Cards]] = []

    # --- what is seen and said ---------------------------------------------------------------------------

    def look(self, look: Look) -> None:
        """Take in the table at rest."""
        if self._before is None or self._latest is None:
            self.looks.append(look)
            self._await_deal(look)
            return
        look = look.remembering(self._latest)
        self.looks.append(look)
        if self._is_over:
            return
        known = self._before.cards | {card.card for card in self._turn}
        for new in self._in_order(look.cards - known, look):
            if self._turn and self._belongs_to_next(new):
                self._end_turn(look)
            if not self._turn:
                self._seat = self._whose(new)
            self._turn.append(new)
        self._note_changes(look)
        self._latest = look
        self._glimpsed.clear()
        self._turned.clear()

    def glimpse(self, card: int, t_ms: float = inf, *, turned: bool = True) -> None:
        """Take in that a card lies on the table although the table is not at rest.

        Parameters
        ----------
        card : 0..47.
        t_ms : since when.
        turned : it lies where drawn cards are turned up.
        """
        kind = _kind(card)
        self._glimpsed[kind] = min(self._glimpsed.get(kind, inf), t_ms)
        if turned:
            self._turned.add(kind)

    def declare(self, t_ms: float, player: int, what: Call) -> None:
        """Take in what a player declares: it counts after the cards of the turn in which it is said."""
        if self._before is None:
            return
        self._waiting.append((t_ms, Declare(player, what)))
        if not self._turn:
            self._say_what_waits()

    def next_round(self, t_ms: float) -> None:
        """Take in that the players go on to the next round."""
        self._close_turn()
        if self.match.table is not None and self.match.table.result is None:
            self._judge(t_ms, End())
        self._before = self._latest = None
        self._alike = 0

    def close(self) -> None:
        """Judge what is left when the film ends."""
        self._close_turn()
        self.match = concluded(self.match)

    # --- the deal ----------------------------------------------------------------------------------------

    def _await_deal(self, look: Look) -> None:
        """Take a table for dealt once it holds what a deal puts there, or stays as it is."""
        same = self._latest is not None and self._latest.cards == look.cards
        self._alike = self._alike + 1 if same else 1
        self._latest = look
        size = self.match.rules.deal.size(self._players).field
        if not look.cards or look.captured or look.unnamed:
            return
        if len(look.field) == size or self._alike >= _LOOKS_OF_A_DEAL:
            dealer = self._dealer if self.match.next_dealer is None else self.match.next_dealer
            self._judge(look.t_ms, Deal(None, self._players, dealer, tuple(sorted(look.middle))))
            self._before, self._turn, self._waiting, self._changed = look, [], [], []

    # --- who has put what down ---------------------------------------------------------------------------

    @property
    def _is_over(self) -> bool:
        return self.match.table is None or self.match.table.result is not None

    def _in_order(self, new: Cards, look: Look) -> Iterator[Appearance]:
        """Yield new cards in the order in which they were put down: a drawn card after a hand card."""
        cards = [
            Appearance(
                card,
                self._since_ms(card, look),
                card in look.turn or _kind(card) in self._turned,
                look.seats,
                look.t_ms,
                at_stock=look.at_stock,
                certain=_kind(card) in self._glimpsed,
            )
            for card in sorted(new)
        ]
        waits_for_draw = len(self._turn) == 1 and not self._turn[0].drawn
        yield from sorted(cards, key=lambda card: (card.drawn != waits_for_draw, card.t_ms))

    def _since_ms(self, card: int, look: Look) -> float:
        """Return since when a new card has lain on the table."""
        glimpsed = self._glimpsed.get(_kind(card), inf)
        if glimpsed < inf:
            return glimpsed
        rested = look.rested_ms.get(card, look.t_ms)
        # one that was captured at once lay on its match before, and nobody saw for how long
        return min(rested, look.t_ms - _COLLECTING_MS) if card in look.captured else rested

    def _belongs_to_next(self, new: Appearance) -> bool:
        """Tell whether a card that appears is of another turn than the one that has begun."""
        own = not new.seats or self._seat in new.seats
        hand = any(not card.drawn for card in self._turn)
        if new.drawn:
            return not own
        complete = hand and len(self._turn) > 1
        if complete and new.seats == {self._seat} and new.at_stock:
            return False  # the same player has been at the stock again
        return complete or not own

    def _whose(self, first: Appearance) -> int:
        """Return whose turn a card begins: the next player's, unless only others have reached in."""
        assert self.match.table is not None
        expected = self.match.table.turn
        if not first.seats or expected in first.seats:
            return expected
        return min(first.seats, key=lambda seat: (seat - expected) % self._players)

    def _note_changes(self, look: Look) -> None:
        """Remember cards that were captured in this turn and put back after the card was drawn."""
        assert self._before is not None
        assert self._latest is not None
        back = (self._latest.captured - self._before.captured) & look.middle
        if back and any(card.drawn for card in self._turn):
            self._changed.append((look.t_ms, back))

    # --- the end of a turn -------------------------------------------------------------------------------

    def _end_turn(self, following: Look | None = None) -> None:
        """Judge the turn that has begun; `following` shows the next player's card already."""
        assert self._before is not None
        assert self._latest is not None
        after = self._latest
        moves = _moves(self._turn, after)
        if not moves:
            self._turn = []
            return
        found = explained(self.match, self._seat, moves, self._before, after)
        if following is not None and found.cost > 0:
            # he may have collected while the next player was already at the table
            later = _without_next_player(following, after, self._seat, {card.card for card in self._turn})
            other = explained(self.match, self._seat, moves, self._before, later)
            if other.cost < found.cost:
                found, after = other, later
        gone = (self._before.middle | {card.card for card in self._turn}) - after.cards
        if gone:
            # what lies nowhere may have been laid under the captured cards
            under = after.hiding(gone, self._seat)
            other = explained(self.match, self._seat, moves, self._before, under)
            if other.cost < found.cost:
                found, after = other, under
        self._write(found, moves)
        self._look_for_faults(self._before, after)
        self._before, self._latest = after, after
        self._turn, self._changed = [], []
        self._say_what_waits()

    def _close_turn(self) -> None:
        """Judge the last turn. One that the film cuts off is judged as if it went on in order."""
        if self._turn and self._before is not None and self._latest is not None and not self._is_over:
            moves = _moves(self._turn, self._latest)
            if len(moves) > 1 or self._waiting:
                self._end_turn()
            elif moves:
                self._write(cut_off(self.match, self._seat, moves[0], self._before, self._latest), moves)
        self._turn = []
        self._say_what_waits()

    def _write(self, found: Explanation, moves: list[Move]) -> None:
        for event, move in zip(found.events, moves, strict=True):
            self.notes.append(Noted(move.t_ms, event))
        self.match = found.match

    def _say_what_waits(self) -> None:
        for t_ms, declared in self._waiting:
            self._judge(t_ms, declared)
        self._waiting = []

    def _judge(self, t_ms: float, event: Event) -> None:
        self.match = step(self.match, event)
        self.notes.append(Noted(t_ms, event))

    def _look_for_faults(self, before: Look, after: Look) -> None:
        """Flag what lies where no lawful move brings it."""
        for seat, (was, now) in enumerate(zip(before.captures, after.captures, strict=True)):
            moved = now & before.captured - was
            gained = now - before.captured if seat != self._seat else frozenset()
            if moved or gained:
                names = _names(moved | gained)
                self._flag(
                    after.t_ms, FlagId.WRONG_STRIP, f"{names} lies in player {seat}'s pile: put it right"
                )
        if returned := before.captured & after.middle:
            text = f"{_names(returned)} was captured and lies in the middle again"
            self._flag(after.t_ms, FlagId.CARD_RETURNED, text)
        for t_ms, back in self._changed:
            if still := back & after.middle:
                text = f"{_names(still)} was taken and put back after the drawn card was turned"
                self._flag(t_ms, FlagId.LATE_CHANGE, text)
        gone = (before.middle | {card.card for card in self._turn}) - after.cards
        if gone:
            self._flag(after.t_ms, FlagId.CARD_VANISHED, f"{_names(gone)} is not on the table any more")
        if after.unnamed > before.unnamed:
            text = "a card on the table cannot be told: turn it so that it is seen wholly"
            self._flag(after.t_ms, FlagId.UNSURE, text)

    def _flag(self, t_ms: float, flag: FlagId, text: str) -> None:
        number = len(self.match.rounds) - 1
        self.flags.append(TableFlag(number, self.match.events - 1, t_ms, flag, text))


def _moves(turn: list[Appearance], after: Look) -> list[Move]:
    """Return what was put down in a turn, saying of each card whether it was drawn.

    Where no card was seen being turned up, the second one is taken for the drawn one. A print that was seen
    once and never again was misread.
    """
    seen = [card for card in turn if card.card in after.cards or card.certain] or turn
    if len(seen) > 1 and seen[0].drawn and not seen[1].drawn and seen[0].look_ms == seen[1].look_ms:
        seen = [seen[1], seen[0], *seen[2:]]  # nobody saw which came first: then it was as it should be
    drawn = [card.drawn for card in seen]
    if len(seen) > 1 and not any(drawn):
        # the first card comes from the hand, the others from the stock if he has been there each time
        drawn = [number > 0 and (card.at_stock or len(seen) == 2) for number, card in enumerate(seen)]
        drawn[1] |= not any(drawn)
    return [Move(card.card, card.t_ms, is_drawn) for card, is_drawn in zip(seen, drawn, strict=True)]


def _without_next_player(look: Look, before: Look, seat: int, own: set[int]) -> Look:
    """Return a look without what others than `seat` have done in it."""
    strangers = look.cards - before.cards - own
    captures = list(before.captures)
    captures[seat] = look.captures[seat] - strangers
    middle = (before.middle | (look.middle - strangers)) - captures[seat]
    return replace(look, field=middle - look.turn, turn=middle & look.turn, captures=tuple(captures))


def _kind(card: int) -> tuple[int, str]:
    """Return what a card counts as: at a glance, chaff of one month is easily taken for other chaff of it."""
    face = by_index(card)
    return face.month, face.category


def _names(cards: Cards) -> str:
    return ", ".join(map(str, sorted(cards)))
