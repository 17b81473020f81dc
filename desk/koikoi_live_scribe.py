"""A scribe that can be asked in the middle of a turn: what would stand if the turn were over now."""

from __future__ import annotations

from dataclasses import dataclass

from desk.koikoi_look import Cards, Look
from desk.koikoi_scribe import Scribe
from referee.koikoi.match import Match, step


@dataclass(frozen=True, slots=True)
class SoFar:
    """A game in the middle of a turn.

    Attributes
    ----------
    match : as if the turn were over, where what lies on the table makes sense already; otherwise as judged
        when the last turn ended.
    look : the table as it was seen last, None before the first look.
    turned : cards of the turn that has begun.
    """

    match: Match
    look: Look | None
    turned: Cards


class LiveScribe(Scribe):
    """Writes a game down for people who watch it."""

    def so_far(self) -> SoFar:
        """Return the game as it stands now. Players collect late, so faults wait for the turn's end."""
        turned = frozenset(card.card for card in self._turn)
        return SoFar(self._match_so_far(), self._latest, turned)

    def _match_so_far(self) -> Match:
        match = self.match
        if not self._begun or self._before is None or self._latest is None or self._is_over:
            return match
        likely = self._likeliest([self._latest])
        if likely is None or likely[0].cost:
            return match
        match = likely[0].match
        for _, declared in self._waiting:
            match = step(match, declared)
        return match
