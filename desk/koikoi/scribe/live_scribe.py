"""A scribe that can tell in the middle of a turn how the game would stand if the turn were over now."""

from __future__ import annotations

from copy import copy, deepcopy
from dataclasses import dataclass

from desk.koikoi.scribe.appearances import Glimpses
from desk.koikoi.scribe.belief import Belief
from desk.koikoi.scribe.look import Cards, Look
from desk.koikoi.scribe.misplaced_cards import Astray
from desk.koikoi.scribe.notes import Doubts
from desk.koikoi.scribe.scribe import Scribe
from desk.koikoi.scribe.unseen_parts import MissedParts
from referee.koikoi.events import Deal, Event, Missed
from referee.koikoi.match import Match, step


@dataclass(frozen=True, slots=True)
class SoFar:
    """A game in the middle of a turn."""

    # the match as if the turn were over, if the table already makes sense; otherwise as judged at the end of
    # the previous turn
    match: Match
    look: Look | None  # the latest look, None before the first
    turned: Cards
    # the events of that turn as far as it makes sense; they are not written down yet
    begun: tuple[Event, ...] = ()


class LiveScribe(Scribe):
    """A scribe for people who watch the game live."""

    @property
    def awaits_deal(self) -> bool:
        return self._before is None

    @property
    def has_played(self) -> bool:
        """Whether anything has happened in the round since it was dealt."""
        if self.awaits_deal:
            return False
        return self._begun or not self.notes or not isinstance(self.notes[-1].event, Deal)

    @property
    def is_short(self) -> bool:
        """Whether a deal was judged a misdeal because cards are missing."""
        dealt = self.notes[-1].event if self.notes and not self.awaits_deal else None
        if not isinstance(dealt, Deal):
            return False
        return len(dealt.field) < self.match.rules.deal.size(self._players).field

    @property
    def dealt_only(self) -> Cards | None:
        """The cards of a deal, or of too many that may be one, as long as nothing has been played since."""
        dealt = self.notes[-1].event if self.notes and not self.awaits_deal else None
        if self._begun or not isinstance(dealt, Deal | Missed):
            return None
        if isinstance(dealt, Missed) and (not self._has_joined or any(dealt.piles)):
            return None
        return frozenset(dealt.field)

    def forget_dealer(self) -> None:
        """Leave the next dealer open, because a lost round may have had any winner."""
        self._dealer_is_known = False

    def copied(self) -> LiveScribe:
        twin = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, list | dict | set):
                setattr(twin, name, value.copy())
            elif isinstance(value, Glimpses | Belief | Doubts | Astray | MissedParts):
                setattr(twin, name, deepcopy(value))
        return twin

    def so_far(self) -> SoFar:
        """Return the game as it stands now. Faults wait for the turn's end, because players collect late."""
        turned = frozenset(card.card for card in self._turn)
        match, begun = self._begun_turn()
        return SoFar(match, self._latest, turned, begun)

    def _begun_turn(self) -> tuple[Match, tuple[Event, ...]]:
        """Return the match as if the turn were over, and the events of that turn."""
        if not self._begun or self._before is None or self._latest is None or self._is_over:
            return self.match, ()
        likely = self._likeliest([self._latest])
        if likely is None or likely[0].cost:
            return self.match, ()
        match, said = likely[0].match, tuple(declared for _, declared in self._waiting)
        for declared in said:
            match = step(match, declared)
        return match, (*likely[0].events, *said)
