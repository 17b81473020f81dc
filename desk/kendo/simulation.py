"""Two players of the Kendo cards who play at random: their moves at a table, and the events that these mean.

The rules say which plays are lawful; the film of the table and the eye know nothing of the rules.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from calibration.files import typed_numbers as typed
from desk.errors import DeskError
from desk.tables.simulated.simulated_film import opened_film
from desk.tables.simulated.simulator_words import simulator_words
from desk.tables.table_opening import OpenedTable
from referee.cards.kendo import Card, Green, face_name
from referee.complaint import sentence_of
from referee.kendo.deck import opener, plausible_deck
from referee.kendo.events import Declare, Event, Open, Pass, Play, Word
from referee.kendo.house_rules import preset
from referee.kendo.judge import Played, Refused, candidates, judge_play
from referee.kendo.minutes import Minutes, begin, step
from referee.kendo.ruleset import RuleSet
from referee.kendo.standing import Fudoshin, Jodan, Nothing
from vision.plane.printed_table import KENDO_TABLE
from vision.simulator.art.kendo.deck import drawn_kendo_deck
from vision.simulator.cardtable.kendo.table import KendoMove, film_kendo

LIVE_PACE: Final = 0.9  # pace of simulated players for viewers; 1 is the pace of unhurried people
FAULTS: Final = 1  # number of illegal plays that simulated players make, to show how the referee reacts
MOST_MOVES = 400
_LETS_PASS = 0.05  # probability that a player does not answer although he could

HandCard = tuple[Card, int]  # a card with its number, 0 for cards that are not brown


@dataclass(frozen=True, slots=True)
class Fault:
    """An illegal play that the referee must flag."""

    move: int  # index of the move that lays it
    row: str


@dataclass(frozen=True, slots=True)
class PlannedBout:
    """A bout from its first card to its end."""

    moves: tuple[KendoMove, ...]
    events: tuple[Event, ...]  # the events that the moves mean, without illegal plays, which are taken back
    minutes: Minutes  # the referee's minutes of these events
    faults: tuple[Fault, ...]


def simulated_bout(text: str) -> OpenedTable:
    """Return a bout from a text such as `seed=7 speed=1 fps=30 size=1280x720`; DeskError if wrong."""
    values = simulator_words(text, {"seed": int, "speed": float, "fps": float, "size": typed.size})
    seed, fps = values.get("seed", 7), values.get("fps", 30.0)
    moves = plan_bout(preset(), seed, faults=FAULTS).moves
    try:
        size_px = values.get("size", (1280, 720))
        kendo = film_kendo(drawn_kendo_deck(), moves, seed=seed, size_px=size_px, fps=fps, pace=LIVE_PACE)
    except ValueError as error:
        raise DeskError("the simulator cannot do this: {error}", error=sentence_of(error)) from error
    return opened_film("kendo", kendo, KENDO_TABLE, speed=values.get("speed", 1.0))


def plan_bout(rules: RuleSet, seed: int, *, faults: int = 0, longest: int = MOST_MOVES) -> PlannedBout:
    """Play a bout at random, with faults that are taken back, for `longest` turns at most."""
    players = _Players(rules, random.Random(seed))
    players.begin()
    owed = faults
    for turn in range(longest):
        if players.minutes.bout.winner is not None:
            break
        if owed and turn >= faults - owed and players.blunder():
            owed -= 1
        players.turn()
    return PlannedBout(tuple(players.moves), tuple(players.events), players.minutes, tuple(players.faults))


class _Players:
    def __init__(self, rules: RuleSet, rng: random.Random) -> None:
        self._rules, self._rng, deck = rules, rng, plausible_deck()
        brown: list[HandCard] = list(deck.brown)
        self._piles: list[list[HandCard]] = [
            brown, [(card, 0) for card in deck.red], [(card, 0) for card in deck.green]
        ]  # fmt: skip
        for pile in self._piles:
            rng.shuffle(pile)
        self._hands: tuple[list[HandCard], list[HandCard]] = ([], [])
        self.minutes = begin(rules)
        self.moves: list[KendoMove] = []
        self.events: list[Event] = []
        self.faults: list[Fault] = []
        self._court_is_bare = True

    def begin(self) -> None:
        """Deal, and turn up brown cards until one is higher."""
        bout = self._rules.bout
        for hand in self._hands:
            for pile, count in enumerate((bout.start_brown, bout.start_red, bout.start_green)):
                hand += [self._piles[pile].pop() for _ in range(count)]
        while len({number for hand in self._hands for _, number in hand if number}) == 1:
            # all numbers are equal, so nobody could ever open: one player changes a brown card
            self._hands[0][0], self._piles[0][0] = self._piles[0][0], self._hands[0][0]
            self._rng.shuffle(self._piles[0])
        first = None
        while first is None:
            shown = [self._rng.choice([card for card in hand if card[1]]) for hand in self._hands]
            first = opener((shown[0][1], shown[1][1]))
            faces = tuple(face_name(*card) for card in shown)
            self.moves.append(KendoMove("reveal", self._rng.randrange(2), faces))
        self._tell(Open(first))
        for seat in (0, 1):
            self._draw(seat)

    def turn(self) -> None:
        """Play a lawful card of the seat whose move it is, or pass."""
        bout = self.minutes.bout
        seat = bout.actor
        plays = list(candidates([card for card, _ in self._hands[seat]]))
        self._rng.shuffle(plays)
        cards = next((cards for cards in plays if isinstance(judge_play(bout, cards), Played)), None)
        loses = 2 if isinstance(bout.standing, Fudoshin | Jodan) else 0
        if cards is None or self._rng.random() < _LETS_PASS:
            self._pass(seat)
        else:
            self._lay(seat, cards)
            self._tell(Play(seat, cards))
            if isinstance(bout.standing, Jodan) or Green.FUDOSHIN in cards:
                loses = 0
        hand = self._hands[seat]
        for _ in range(min(loses, len(hand))):
            hand.pop(self._rng.randrange(len(hand)))
        self._keep_score(bout.ippon, bout.hansoku)
        self._after(seat)

    def blunder(self) -> bool:
        """Lay an illegal play and take it back; return False if the hand has none."""
        bout = self.minutes.bout
        seat = bout.actor
        plays = list(candidates([card for card, _ in self._hands[seat]]))
        self._rng.shuffle(plays)
        for cards in plays:
            judged = judge_play(bout, cards)
            if isinstance(judged, Refused):
                self.faults.append(Fault(len(self.moves), judged.row))
                faces = self._faces(seat, cards)
                self.moves.append(KendoMove("lay", seat, faces))
                self.moves.append(KendoMove("take_back", seat, faces))
                return True
        return False

    # --- what follows a play -----------------------------------------------------------------------------

    def _after(self, seat: int) -> None:
        bout = self.minutes.bout
        if bout.winner is not None:
            return
        if bout.may_cede and self._rng.random() < 0.5:
            self._say(Declare(seat, Word.CEDE))
        if bout.may_ask_new_deal == seat and self._rng.random() < 0.5:
            self._sweep(seat)
            self._say(Declare(seat, Word.NEW_DEAL))
            for hand in self._hands:
                hand.clear()
                for _ in range(self._rules.bout.new_deal_hand):
                    self._take_from_a_pile(hand)
            self._keep_score(bout.ippon, bout.hansoku)
            # nothing on the table shows who opens; the first card will
            self._tell(Open(self._rng.randrange(2)), is_seen=False)
            return
        if isinstance(bout.standing, Nothing):
            self._sweep(bout.actor)
        for player in (0, 1):
            for _ in range(bout.draws[player]):
                self._draw(player)

    def _pass(self, seat: int) -> None:
        """Do not answer what stands: sweep the court, or say that the round cannot be opened."""
        if self.minutes.bout.opening:
            self.moves.append(KendoMove("say", seat, word="pass"))
        else:
            self._sweep(seat)
        self._tell(Pass(seat))

    def _sweep(self, seat: int) -> None:
        """Clear the court, unless nothing lies there."""
        if self._court_is_bare:
            return
        self.moves.append(KendoMove("sweep", seat))
        self._court_is_bare = True

    def _keep_score(self, ippon: tuple[int, int], hansoku: tuple[int, int]) -> None:
        bout = self.minutes.bout
        for seat in (0, 1):
            if bout.hansoku[seat] > hansoku[seat]:
                self.moves.append(KendoMove("mark", seat, ("hansoku",)))
            elif bout.hansoku[seat] < hansoku[seat]:
                self.moves.append(KendoMove("mark", seat, ("away",)))
            if bout.ippon[seat] > ippon[seat] == 0:
                self.moves.append(KendoMove("mark", seat, ("ippon",)))

    # --- hands and piles ---------------------------------------------------------------------------------

    def _draw(self, seat: int) -> None:
        pile = self._take_from_a_pile(self._hands[seat])
        if pile is not None:
            self.moves.append(KendoMove("draw", seat, pile=pile))

    def _take_from_a_pile(self, hand: list[HandCard]) -> int | None:
        filled = [pile for pile in (1, 2) if self._piles[pile]]
        if not filled:
            return None
        pile = self._rng.choice(filled)
        hand.append(self._piles[pile].pop())
        return pile

    def _lay(self, seat: int, cards: Sequence[Card]) -> None:
        faces = self._faces(seat, cards)
        for card in cards:
            hand = self._hands[seat]
            hand.remove(next(held for held in hand if held[0] == card))
        self.moves.append(KendoMove("lay", seat, faces))
        self._court_is_bare = False

    def _faces(self, seat: int, cards: Sequence[Card]) -> tuple[str, ...]:
        numbers = dict(self._hands[seat])
        return tuple(face_name(card, numbers[card]) for card in cards)

    def _say(self, event: Declare) -> None:
        self.moves.append(KendoMove("say", event.player, word=event.what.value))
        self._tell(event)

    def _tell(self, event: Event, *, is_seen: bool = True) -> None:
        before = len(self.minutes.flags)
        if is_seen:
            self.events.append(event)
        self.minutes = step(self.minutes, event)
        assert len(self.minutes.flags) == before, (event, self.minutes.flags[before:])
        # if the piles are out of view, exchanges and draws are taken on trust
        if not self._rules.readings.exchange_watched:
            return
        self.minutes = replace(self.minutes, bout=replace(self.minutes.bout, exchanges=(0, 0), draws=(0, 0)))
