"""Play rounds of Koi-Koi on a simulated table: plans become timed moves of cards and hands, with truth."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from vision.plane.printed_table import KoiKoiTable, middle
from vision.simulator.cardtable.koikoi.game import DEALS, FAMILIES, Move, RoundPlan, Turn
from vision.simulator.cardtable.koikoi.places import Places
from vision.simulator.cardtable.looks import Look
from vision.simulator.cardtable.script import CARRY_MM, DOWN, HOLD_MM, Pose, Script, Stage, Track, home, ms

_HALF_TURN: Final = np.pi / 2


@dataclass
class Filmed:
    """A script with its truth."""

    script: Script
    declarations: list[dict[str, Any]] = field(default_factory=list)  # lines of `declarations.jsonl`
    rounds: list[dict[str, Any]] = field(default_factory=list)  # for each round the object of `truth.json`


def film_rounds(
    rounds: Sequence[RoundPlan], zones: KoiKoiTable, look: Look, *, seed: int, pace: float = 1.0
) -> Filmed:
    """Turn rounds into timed moves.

    `rounds`: played one after the other at the same table. `zones`, `look`: the table, and how tidily its
    players lay cards. `pace`: factor on all durations; 1 for unhurried people, about 6 s a turn.
    """
    stage = _Stage(zones, look, np.random.default_rng(seed), pace)
    for number, plan in enumerate(rounds):
        stage.play(plan, is_last=number == len(rounds) - 1)
    return stage.filmed


class _Stage(Stage):
    def __init__(self, zones: KoiKoiTable, look: Look, rng: np.random.Generator, pace: float) -> None:
        super().__init__(zones, rng, pace)
        self._zones = zones
        self._places = Places(zones, look, rng)
        self.filmed = Filmed(self._script)
        self._stock = 0
        self._settled_from = 0.0
        self._truth: dict[str, Any] = {}
        self._middle: set[int] = set()
        self._pending: set[int] = set()
        self._piles: list[set[int]] = []

    # --- rounds and turns --------------------------------------------------------------------------------

    def play(self, plan: RoundPlan, *, is_last: bool) -> None:
        self._truth = {
            "game": "koikoi", "rules": "kasu-2008", "dealer": plan.dealer, "deal_field": list(plan.dealt),
            "events": [], "turns": [], "tables": [], "final": None, "fault": None,
        }  # fmt: skip
        self.filmed.rounds.append(self._truth)
        self._middle, self._pending = set(plan.dealt), set()
        self._piles = [set() for _ in range(self._zones.players)]
        self._deal(plan)
        event = {"t_ms": ms(self._now_s), "kind": "deal", "player": plan.dealer, "field": list(plan.dealt)}
        self._truth["events"].append(event)
        for number, turn in enumerate(plan.turns):
            self._turn(number, turn)
        self._wait(1.2, 1.8)
        self._note_settled()
        if plan.final is not None:
            decisions = [line for line in self.filmed.declarations if line["t_ms"] >= event["t_ms"]]
            self._truth["final"] = {**plan.final, "decisions": decisions}
            speaker = plan.dealer if plan.final["winner"] is None else plan.final["winner"]
            self._declare(speaker, "next_round")
        self._wait(0.3, 0.5)
        if not is_last:
            self._sweep(plan.dealer)
        self._script.length_s = self._now_s

    def _turn(self, number: int, turn: Turn) -> None:
        self._wait(0.5, 1.2)
        self._note_settled()
        start_s = self._now_s
        collect_late = self._rng.random() < 0.35  # both pairs at the end of the turn
        kept: list[tuple[Move, dict[str, Any]]] = []
        first_event = len(self._truth["events"])
        for move in turn.moves:
            if move.kind == "vanish":
                self._take_away(turn.player, move.card)
                continue
            if move.kind == "give_back":
                self._give_back(turn.player, move.card)
                continue
            event = self._lay(turn.player, move, number)
            if move.taken:
                kept.append((move, event))
            last = move is turn.moves[-1]
            if kept and (last or not (collect_late or self._rng.random() < 0.25)):
                self._collect(turn.player, kept)
                kept = []
            elif not (move.taken and last):
                self._withdraw(turn.player)
        if kept:
            self._collect(turn.player, kept)
        self._withdraw(turn.player)
        self._truth["turns"].append(
            {"player": turn.player, "t0_ms": ms(start_s), "t1_ms": ms(self._now_s), "base": turn.base,
             "decision": turn.decision}
        )  # fmt: skip
        if turn.fault:
            family = FAMILIES[turn.fault]
            self._truth["fault"] = {
                "family": turn.fault, "turn": number, "event": first_event, "player": turn.player,
                "t_ms": ms(start_s), "window_ms": [ms(start_s), ms(self._now_s + 8.0 * self._pace)],
                "text": family.text, "flags": list(family.flags),
            }  # fmt: skip
        if turn.decision is not None:
            self._wait(0.4, 1.0)
            self._declare(turn.player, turn.decision)

    def _declare(self, player: Any, what: str) -> None:
        line = {"t_ms": ms(self._now_s), "player": player, "what": what}
        self.filmed.declarations.append(line)

    # --- single actions ----------------------------------------------------------------------------------

    def _deal(self, plan: RoundPlan) -> None:
        """Put the deal on the table: at once for a first round, dealt from the pile for later ones."""
        poses = self._places.deal(plan.dealt)
        self._set_stock(48 - len(plan.dealt) - self._zones.players * DEALS[self._zones.players][0])
        if self._now_s == 0.0:
            for card, pose in poses.items():
                self._script.cards[card] = Track()
                self._script.cards[card].add(0.0, pose)
            self._settled_from = 0.0
            return
        pile = self._pile_pose()
        self._reach(plan.dealer, middle(self._zones.stock), 0.7)
        for number, (card, pose) in enumerate(poses.items()):
            start_s = self._now_s + 0.12 * number * self._pace
            track = Track()
            track.add(start_s, pile)
            track.add(start_s + 0.4 * self._pace, pose)
            self._script.cards[card] = track
        self._wait(1.6, 1.8)
        self._withdraw(plan.dealer)

    def _lay(self, player: int, move: Move, turn: int) -> dict[str, Any]:
        """Bring a hand card, or the top card of the pile, to the middle."""
        event: dict[str, Any] = {
            "t_ms": 0, "kind": move.kind, "player": player, "card": move.card, "taken": list(move.taken),
            "turn": turn,
        }  # fmt: skip
        if move.kind == "draw":
            event["turned_ms"] = self._turn_up(player, move.card)
        on = next((card for card in move.taken if card in self._middle), None)
        target = self._places.on_field(move.card, on, self._zones.edges[player])
        if move.kind == "play":
            lies = self._script.cards.get(move.card)
            if lies is None or lies.poses[-1].flip == DOWN:
                track = self._script.cards.setdefault(move.card, Track())
                track.add(self._now_s, self._held(home(self._zones, player), self._edge(player).value))
            else:
                at = lies.poses[-1]
                ahead = self._edge(player).ahead
                self._reach(player, np.array([at.x_mm, at.y_mm]) - ahead * HOLD_MM * 0.4, 0.45)
        self._carry(player, [(move.card, target)], 0.6, 0.85)
        event["t_ms"] = ms(self._now_s)
        event["collected_ms"] = None
        self._truth["events"].append(event)
        if move.taken:
            self._middle -= set(move.taken)
            self._pending |= {move.card, *move.taken}
        else:
            self._middle.add(move.card)
            self._pending.discard(move.card)
        self._wait(0.1, 0.25)
        return event

    def _turn_up(self, player: int, card: int) -> int:
        """Take the top card of the pile and turn it up; return the instant, ms, at which it lies."""
        pile = self._pile_pose()
        self._reach(player, middle(self._zones.stock), 0.6)
        track = self._script.cards.setdefault(card, Track())
        track.add(self._now_s, pile)
        self._set_stock(self._stock - 1)
        self._pending.add(card)
        target = self._places.on_turn(self._zones.edges[player])
        half_x, half_y = (pile.x_mm + target.x_mm) / 2, (pile.y_mm + target.y_mm) / 2
        half = Pose(half_x, half_y, (pile.angle + target.angle) / 2, 35.0, _HALF_TURN)
        for pose in (half, target):
            self._carry(player, [(card, pose)], 0.3, 0.4)
        turned_ms = ms(self._now_s)
        self._wait(0.1, 0.2)
        if self._rng.random() < 0.6:
            self._withdraw(player)
            self._wait(0.3, 0.8)
            self._note_settled()
        return turned_ms

    def _collect(self, player: int, captures: Sequence[tuple[Move, dict[str, Any]]]) -> None:
        """Bring captured cards to their strips, one kind after the other."""
        for move, event in captures:
            if not self._is_reaching(player):
                self._wait(0.3, 0.9)
                self._note_settled()
            cards = [*move.taken, move.card]
            edge = self._zones.edges[player]
            at = self._script.cards[cards[0]].poses[-1]
            self._reach(player, np.array([at.x_mm, at.y_mm]) - edge.ahead * HOLD_MM * 0.4, 0.45)
            homes = {card: self._places.on_strip(card, move.strip) for card in cards}
            left = sorted(cards, key=lambda card: homes[card].x_mm)
            while left:
                to = homes[left[0]]
                # the cards not yet dropped stay together under the fingers
                held = [
                    (card, to if card == left[0] else _beside(to, 5.0 * place))
                    for place, card in enumerate(left)
                ]
                self._carry(player, held, 0.5, 0.75)
                self._wait(0.05, 0.12)
                left = left[1:]
            self._pending -= set(cards)
            self._piles[move.strip] |= set(cards)
            event["collected_ms"] = ms(self._now_s)

    def _take_away(self, player: int, card: int) -> None:
        self._wait(0.3, 0.8)
        at = self._script.cards[card].poses[-1]
        self._reach(player, np.array([at.x_mm, at.y_mm]), 0.5)
        away = home(self._zones, player)
        self._carry(player, [(card, self._held(away, at.angle))], 0.6, 0.8)
        self._script.cards[card].gone_s = self._now_s
        self._middle.discard(card)

    def _give_back(self, player: int, card: int) -> None:
        self._wait(0.3, 0.8)
        at = self._script.cards[card].poses[-1]
        self._reach(player, np.array([at.x_mm, at.y_mm]), 0.5)
        self._carry(player, [(card, self._places.on_field(card, None, self._zones.edges[player]))], 0.5, 0.7)
        for pile in self._piles:
            pile.discard(card)
        self._middle.add(card)

    def _sweep(self, dealer: int) -> None:
        """Gather all cards into the pile for the next deal."""
        self._reach(dealer, middle(self._zones.field), 0.6)
        pile = self._pile_pose()
        sweep_s = 1.4
        end_s = self._now_s + sweep_s * self._pace
        for track in self._script.cards.values():
            if track.gone_s is None:
                track.hold(self._now_s)
                track.add(end_s, pile)
                track.gone_s = end_s
        self._move_hand(dealer, self._over(middle(self._zones.stock), dealer), sweep_s * self._pace)
        self._set_stock(48)
        self._withdraw(dealer)
        self._places.clear()
        # so that the same cards can be dealt again
        self._script.past.append((self._now_s, self._script.cards))
        self._script.cards = {}
        self._wait(0.4, 0.6)

    def _withdraw(self, player: int) -> None:
        if self._is_reaching(player):
            super()._withdraw(player)
            self._settled_from = self._now_s

    def _note_settled(self) -> None:
        """Write down the table as it has lain since the last hand left."""
        settled_s = 0.4  # a table untouched for this long is settled
        if self._now_s - self._settled_from < settled_s:
            return
        self._truth["tables"].append(
            {"t0_ms": ms(self._settled_from), "t1_ms": ms(self._now_s), "field": sorted(self._middle),
             "captures": [sorted(pile) for pile in self._piles], "pending": sorted(self._pending)}
        )  # fmt: skip
        self._settled_from = self._now_s

    def _set_stock(self, number: int) -> None:
        self._stock = number
        self._script.stock.append((self._now_s, number))

    def _pile_pose(self) -> Pose:
        x, y = middle(self._zones.stock)
        return Pose(float(x), float(y), 0.0, self._stock * 0.6, DOWN)


def _beside(pose: Pose, by_mm: float) -> Pose:
    return Pose(pose.x_mm + by_mm, pose.y_mm - by_mm / 2, pose.angle + 0.05, CARRY_MM)
