"""Things that players of simulated Koi-Koi do wrongly and correct before their turn is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from vision.plane.printed_table import KoiKoiTable
from vision.simulator.cardtable.koikoi.game import Move, Turn
from vision.simulator.cardtable.koikoi.places import Places
from vision.simulator.cardtable.koikoi.rules import month
from vision.simulator.cardtable.script import DOWN, Pose, Track
from vision.simulator.cardtable.stage import HOLD_MM, Stage, home

Slip = Literal["wrong_match", "second_hand_card", "extra_card", "second_draw"]


class Slips(Stage):
    """A table at which slips can happen; afterwards the cards lie as if nothing had happened."""

    _zones: KoiKoiTable
    _places: Places
    _middle: set[int]

    def choose_slip(self, turn: Turn, later: Sequence[Turn]) -> tuple[Slip, int] | None:
        """Return what goes wrong in a turn and with which card; None if nothing can."""
        play = next((move for move in turn.moves if move.kind == "play"), None)
        free = sorted(self._middle - {card for move in turn.moves for card in move.taken})
        slips: list[tuple[Slip, int]] = []
        if play is not None and free:
            others = [card for card in free if month(card) != month(play.card)]
            slips += [("wrong_match", card) for card in others[:1]]
        if play is not None and play.taken and free:
            slips += [("extra_card", card) for card in free]
        kept = [
            move.card for t in later if t.player == turn.player for move in t.moves if move.kind == "play"
        ]
        slips += [("second_hand_card", card) for card in kept[:1]]
        next_drawn = [move.card for t in later[:1] for move in t.moves if move.kind == "draw"]
        slips += [("second_draw", card) for card in next_drawn[:1]]
        kinds = sorted({kind for kind, _ in slips})
        if not kinds:
            return None
        chosen = kinds[int(self._rng.integers(len(kinds)))]
        return next(slip for slip in slips if slip[0] == chosen)

    def lay_wrongly(self, player: int, move: Move, on: int) -> None:
        """Lay a hand card on a card of another month; it is moved to its place afterwards."""
        self._from_hand(player, move.card)
        self._carry(
            player, [(move.card, self._places.on_field(move.card, on, self._edge(player)))], 0.6, 0.85
        )
        self._pause(player)

    def lay_and_take_back(self, player: int, card: int) -> None:
        """Lay a second hand card into the middle and take it back into the hand."""
        self._from_hand(player, card)
        self._carry(player, [(card, self._places.on_field(card, None, self._edge(player)))], 0.6, 0.85)
        self._pause(player)
        self._reach_card(player, card)
        away = home(self._zones, player)
        self._carry(player, [(card, Pose(away.x_mm, away.y_mm, 0.0, 14.0, DOWN))], 0.6, 0.8)
        self._places.forget(card)

    def capture_and_return(self, player: int, card: int) -> None:
        """Take a card from the middle to the player's own pile and lay it back."""
        was = self._script.cards[card].poses[-1]
        self._reach_card(player, card)
        self._carry(player, [(card, self._places.beside_strip(card, player))], 0.5, 0.75)
        self._pause(player)
        self._reach_card(player, card)
        self._carry(player, [(card, was)], 0.5, 0.75)

    def turn_up_and_put_back(self, player: int, card: int, pile: Pose) -> None:
        track = self._script.cards.setdefault(card, Track())
        self._reach(player, (pile.x_mm, pile.y_mm), 0.6)
        track.add(self._now_s, pile)
        self._carry(player, [(card, self._places.on_turn(self._edge(player)))], 0.6, 0.8)
        self._pause(player)
        self._reach_card(player, card)
        self._carry(player, [(card, pile)], 0.6, 0.8)

    def _from_hand(self, player: int, card: int) -> None:
        """Create a card in the player's hand, beside the table."""
        track = self._script.cards.setdefault(card, Track())
        track.add(self._now_s, self._held(home(self._zones, player), self._edge(player).value))

    def _pause(self, player: int) -> None:
        """Pause to notice the slip; half of the time the arm leaves meanwhile."""
        self._wait(0.3, 0.7)
        if self._rng.random() < 0.5:
            self._withdraw(player)
            self._wait(0.4, 0.8)

    def _reach_card(self, player: int, card: int) -> None:
        at = self._script.cards[card].poses[-1]
        ahead = self._edge(player).ahead
        self._reach(player, np.array([at.x_mm, at.y_mm]) - ahead * HOLD_MM * 0.4, 0.45)
