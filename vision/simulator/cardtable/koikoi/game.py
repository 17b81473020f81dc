"""Random rounds of Koi-Koi, lawful except for one requested fault: who moves which card when."""

import random
from collections.abc import Collection, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Final, Literal

from vision.simulator.drawing.style import chosen

LIGHTS: Final = frozenset({0, 8, 28, 40, 44})
ANIMALS: Final = frozenset({4, 12, 16, 20, 24, 29, 32, 36, 41})
RIBBONS: Final = frozenset({1, 5, 9, 13, 17, 21, 25, 33, 37, 42})
_POETRY: Final = frozenset({1, 5, 9})
_BLUE: Final = frozenset({21, 33, 37})
_BOAR_DEER_BUTTERFLIES: Final = frozenset({20, 24, 36})

DEALS: Final = {2: (8, 8), 3: (7, 6), 4: (5, 6)}  # players to (cards in a hand, cards in the middle)


def month(card: int) -> int:
    """Return the month, 0 for January to 11."""
    return card // 4


def group(card: int) -> int:
    """Return the group in which a captured card is laid: 0 lights, 1 animals, 2 ribbons, 3 chaff."""
    return 0 if card in LIGHTS else 1 if card in ANIMALS else 2 if card in RIBBONS else 3


def matches(card: int, field: Iterable[int]) -> list[int]:
    """Return the field cards of the card's month."""
    return [other for other in field if month(other) == month(card)]


def is_lopsided(cards: Collection[int]) -> bool:
    """Tell whether dealt cards contain four of a month, or four pairs: such deals are not filmed."""
    counts = sorted((len(matches(card, cards)) for card in cards), reverse=True)
    return counts[0] == 4 or (len(cards) == 8 and counts == [2] * 8)


def yaku(pile: Collection[int]) -> dict[str, int]:
    cards = frozenset(pile)
    rows: dict[str, int] = {}
    lights = len(cards & LIGHTS)
    rain_man = 40
    if lights == 5:
        rows["goko"] = 10
    elif lights == 4:
        rows |= {"ame_shiko": 7} if rain_man in cards else {"shiko": 8}
    elif lights == 3 and rain_man not in cards:
        rows["sanko"] = 5
    animals = len(cards & ANIMALS)
    if cards >= _BOAR_DEER_BUTTERFLIES:
        rows["inoshikacho"] = 5 + animals - 3
    elif animals >= 5:
        rows["tane"] = animals - 4
    ribbons = len(cards & RIBBONS)
    if cards >= _POETRY | _BLUE:
        rows["akatan_aotan"] = 10 + ribbons - 6
    elif cards >= _POETRY:
        rows["akatan"] = 5 + ribbons - 3
    elif cards >= _BLUE:
        rows["aotan"] = 5 + ribbons - 3
    elif ribbons >= 5:
        rows["tan"] = ribbons - 4
    sake_cup = 32
    chaff = sum(group(card) == 3 for card in cards) + (sake_cup in cards)
    if chaff >= 10:
        rows["kasu"] = chaff - 9
    if sake_cup in cards:
        if 8 in cards:
            rows["hanamizake"] = 5
        if 28 in cards:
            rows["tsukimizake"] = 5
    return rows


def points(base: int, calls: int) -> int:
    """Return the payout of a stop: each call by anybody doubles it, more than seven points once more."""
    return (base << calls) * (2 if base > 7 else 1)


@dataclass(frozen=True, slots=True)
class Family:
    """A kind of fault."""

    flags: tuple[str, ...]  # ids, of which the referee should raise one
    text: str


FAMILIES: Final[Mapping[str, Family]] = {
    "wrong_month": Family(("wrong_month",), "a field card of another month was taken"),
    "extra_taken": Family(
        ("extra_card_taken", "wrong_month"), "a field card of another month was taken along"
    ),
    "one_of_three": Family(("took_one_of_three",), "three of the month lay there, only one was taken"),
    "both_of_two": Family(("took_both_of_two",), "two cards matched and both were taken"),
    "forgotten_hand": Family(("forgotten_capture",), "the played card's match was left on the field"),
    "forgotten_draw": Family(("forgotten_capture",), "the drawn card's match was left on the field"),
    "no_draw": Family(("no_draw",), "the turn ended without a drawn card"),
    "double_draw": Family(("drew_twice",), "two cards were drawn"),
    "two_hand_cards": Family(("two_hand_cards",), "two hand cards were played"),
    "wrong_strip": Family(("wrong_strip",), "captured cards were laid on another player's strip"),
    "vanished": Family(("card_vanished", "wrong_count"), "a field card was taken off the table"),
    "returned": Family(("card_returned",), "a captured card was laid back on the field"),
    "out_of_turn": Family(("out_of_turn",), "a player acted whose turn it was not"),
}


@dataclass(frozen=True, slots=True)
class Move:
    """One card's move."""

    # `play` from the hand, `draw` from the stock, `vanish` off the table, `give_back` from a pile
    kind: Literal["play", "draw", "vanish", "give_back"]
    card: int
    taken: tuple[int, ...] = ()
    strip: int = 0


@dataclass(frozen=True, slots=True)
class Turn:
    """One player's turn; `base` is his total of yaku after it, `decision` what he then declares."""

    player: int
    moves: tuple[Move, ...]
    base: int
    decision: Literal["koikoi", "stop"] | None = None
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """One round."""

    # dealer, dealt: the dealing seat, and the cards in the middle
    dealer: int
    dealt: tuple[int, ...]
    turns: tuple[Turn, ...]
    # how it ended, in the words of `truth.json`; None if a fault ended the film
    final: dict[str, object] | None

    @property
    def fault(self) -> str | None:
        return next((turn.fault for turn in self.turns if turn.fault), None)


@dataclass
class _Table:
    """The cards as they lie, regardless of the rules."""

    hands: list[list[int]]
    middle: list[int]
    stock: list[int]
    piles: list[list[int]]
    calls: list[int] = field(default_factory=list)

    def apply(self, player: int, move: Move) -> None:
        if move.kind == "play":
            self.hands[player].remove(move.card)
        elif move.kind == "draw":
            self.stock.remove(move.card)
        elif move.kind == "vanish":
            self.middle.remove(move.card)
            return
        else:
            self.piles[player].remove(move.card)
        if not move.taken:
            self.middle.append(move.card)
            return
        for card in move.taken:
            self.middle.remove(card)
        self.piles[move.strip] += [move.card, *move.taken]


def plan_round(
    seed: int, players: int = 2, dealer: int = 0, fault: str | None = None, *, longest: int | None = None
) -> RoundPlan:
    """Return a random round.

    Raises ValueError for an unknown family of faults, or if no deal of the seed allows it.

    `players`, `dealer`: the number of players, and the seat that deals and begins. `fault`: a family of
    `FAMILIES`; deals are repeated until it can happen. `longest`: number of turns after which the unfinished
    round ends; None for no limit.
    """
    if fault is not None:
        chosen("fault", fault, FAMILIES)
    for attempt in range(1000):
        rng = random.Random(seed * 1009 + attempt)
        plan = _Round(rng, players, dealer, fault, longest).play()
        if plan.fault == fault:
            return plan
    raise ValueError(f"no deal of seed {seed} lets {players} players commit {fault!r}")


class _Round:
    def __init__(
        self, rng: random.Random, players: int, dealer: int, fault: str | None, longest: int | None
    ) -> None:
        self._rng, self._players, self._dealer, self._fault = rng, players, dealer, fault
        self._longest = longest
        fault_from_turn = 2
        self._fault_from = fault_from_turn + rng.randrange(4)
        in_hand, in_middle = DEALS[players]
        while True:
            cards = rng.sample(range(48), 48)
            hands = [cards[seat * in_hand : (seat + 1) * in_hand] for seat in range(players)]
            rest = cards[players * in_hand :]
            if not any(map(is_lopsided, (*hands, rest[:in_middle]))):
                break
        self._table = _Table(hands, rest[:in_middle], rest[in_middle:], [[] for _ in hands], [0] * players)

    def play(self) -> RoundPlan:
        dealt = tuple(sorted(self._table.middle))
        turns: list[Turn] = []
        seat, final, to_film = self._dealer, None, self._longest
        turns_after_fault = 1
        while any(self._table.hands) and self._table.stock:
            turn = self._turn(seat, len(turns))
            turns.append(turn)
            if turn.fault:
                to_film = len(turns) + turns_after_fault
            if turn.decision == "koikoi":
                self._table.calls[turn.player] += 1
            if turn.decision == "stop":
                final = self._final(turn.player)
                break
            if to_film is not None and len(turns) >= to_film:
                return RoundPlan(self._dealer, dealt, tuple(turns), None)
            seat = (turn.player + 1) % self._players
        if final is None and not any(turn.fault for turn in turns):
            final = self._final(None)
        return RoundPlan(self._dealer, dealt, tuple(turns), final)

    def _turn(self, seat: int, number: int) -> Turn:
        if self._fault is not None and number >= self._fault_from:
            lying = deepcopy(self._table)
            faulty = self._faulty_turn(seat)
            if faulty is not None:
                self._fault = None
                return faulty
            self._table = lying  # what was tried on the way is undone
        before = sum(yaku(self._table.piles[seat]).values())
        hand = self._table.hands[seat]
        # people prefer to take
        card = max(hand, key=lambda card: (bool(self._matches(card)) * 0.8 + self._rng.random(), card))
        moves = [self._do(seat, "play", card)]
        moves.append(self._do(seat, "draw", self._table.stock[0]))
        return self._ended(seat, moves, before)

    def _ended(self, seat: int, moves: list[Move], before: int, fault: str | None = None) -> Turn:
        base = sum(yaku(self._table.piles[seat]).values())
        decision: Literal["koikoi", "stop"] | None = None
        if base > before and fault is None:
            calls_one_in = 3
            goes_on = self._table.hands[seat] and self._table.stock and self._rng.randrange(calls_one_in) == 0
            decision = "koikoi" if goes_on else "stop"
        return Turn(seat, tuple(moves), base, decision, fault)

    def _matches(self, card: int) -> list[int]:
        return matches(card, self._table.middle)

    def _lawful(self, card: int) -> tuple[int, ...]:
        found = self._matches(card)
        return (self._rng.choice(found),) if len(found) == 2 else tuple(found)

    def _do(
        self,
        seat: int,
        kind: Literal["play", "draw", "vanish", "give_back"],
        card: int,
        taken: tuple[int, ...] | None = None,
        strip: int | None = None,
    ) -> Move:
        move = Move(
            kind, card, self._lawful(card) if taken is None else taken, seat if strip is None else strip
        )
        self._table.apply(seat, move)
        return move

    def _faulty_turn(self, seat: int) -> Turn | None:
        """Play the turn with the fault; return None if the cards do not allow it now."""
        fault, table, rng = self._fault, self._table, self._rng
        before = sum(yaku(table.piles[seat]).values())
        hand, top = list(table.hands[seat]), table.stock[0]
        rng.shuffle(hand)
        moves: list[Move] = []

        def first(number: int) -> int | None:
            return next((card for card in hand if len(self._matches(card)) == number), None)

        def others(card: int) -> list[int]:
            return [other for other in table.middle if month(other) != month(card)]

        if fault in {"wrong_month", "extra_taken", "one_of_three", "both_of_two", "forgotten_hand"}:
            wanted = {"wrong_month": 0, "one_of_three": 3, "both_of_two": 2}.get(fault, 1)
            card = first(wanted)
            if card is None or (fault in {"wrong_month", "extra_taken"} and not others(card)):
                return None
            taken = tuple(self._matches(card))
            if fault == "wrong_month":
                taken = (rng.choice(others(card)),)
            elif fault == "extra_taken":
                taken = (*taken, rng.choice(others(card)))
            elif fault == "one_of_three":
                taken = (rng.choice(taken),)
            elif fault == "forgotten_hand":
                taken = ()
            moves.append(self._do(seat, "play", card, taken))
            if fault == "forgotten_hand" and month(top) == month(card):
                return None
            moves.append(self._do(seat, "draw", top))
        elif fault == "out_of_turn":
            wrong = (seat + 1) % self._players
            if not table.hands[wrong]:
                return None
            moves.append(self._do(wrong, "play", rng.choice(table.hands[wrong])))
            moves.append(self._do(wrong, "draw", top))
            seat = wrong
        elif fault == "no_draw":
            moves.append(self._do(seat, "play", hand[0]))
        elif fault == "double_draw":
            if len(table.stock) < 3:
                return None
            moves.append(self._do(seat, "play", hand[0]))
            moves += [self._do(seat, "draw", table.stock[0]) for _ in range(2)]
        elif fault == "two_hand_cards":
            if len(hand) < 2:
                return None
            moves += [self._do(seat, "play", card) for card in hand[:2]]
            moves.append(self._do(seat, "draw", top))
        elif fault == "forgotten_draw":
            card = hand[0]
            rest = [other for other in table.middle if other not in self._matches(card)]
            if not matches(top, rest) or month(top) == month(card):
                return None
            moves = [self._do(seat, "play", card), self._do(seat, "draw", top, ())]
        elif fault == "wrong_strip":
            card = first(1)
            if card is None:
                return None
            moves = [self._do(seat, "play", card, None, (seat + 1) % self._players)]
            moves.append(self._do(seat, "draw", top))
        elif fault == "vanished":
            moves = [self._do(seat, "play", hand[0]), self._do(seat, "draw", top)]
            lying = [card for card in table.middle if card not in {hand[0], top}]
            if not lying:
                return None
            moves.append(self._do(seat, "vanish", rng.choice(lying), ()))
        elif fault == "returned":
            if not table.piles[seat]:
                return None
            back = rng.choice(table.piles[seat])
            moves = [self._do(seat, "play", hand[0]), self._do(seat, "draw", top)]
            moves.append(self._do(seat, "give_back", back, ()))
        return self._ended(seat, moves, before, fault)

    def _final(self, winner: int | None) -> dict[str, object]:
        table = self._table
        scored = [yaku(pile) for pile in table.piles]
        base = [sum(rows.values()) for rows in scored]
        paid = [0] * self._players
        if winner is not None:
            paid[winner] = points(base[winner], sum(table.calls))
        stays = winner == self._dealer
        return {
            "end": "exhausted" if winner is None else "stop",
            "winner": winner,
            "yaku": scored,
            "base": base,
            "calls": list(table.calls),
            "points": paid,
            "next_dealer": self._dealer if stays else (self._dealer + 1) % self._players,
        }
