"""Ratings of players from the matches won and lost, with their uncertainty.

The model of Weng and Lin for two players (`openskill`, Bradley-Terry): a player's strength is a normal
distribution, and each match updates those of its two players. The scale is that of Elo: everybody starts at
1500, and a player with 400 points more has odds of ten to one.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import log, sqrt

from openskill.models import BradleyTerryFull, BradleyTerryFullRating

from desk.book.intervals import Z95
from desk.panel.book.port import Rating

MIDDLE, SPREAD = 1500.0, 350.0
"""Mean and standard deviation of a newcomer's strength; as in Glicko."""
_BETA = 400 / log(10) / sqrt(2)
"""Spread of a player's daily form, for which 400 points are odds of ten to one."""
_DRIFT = 3.5
"""Change of strength between two matches, in points: a hundredth of `SPREAD`, the library's default."""


class Ratings:
    """Ratings of all players, match by match.

    Parameters
    ----------
    matches : winner and loser of each match, in the order of time.
    """

    def __init__(self, matches: Iterable[tuple[str, str]]) -> None:
        model = BradleyTerryFull(mu=MIDDLE, sigma=SPREAD, beta=_BETA, tau=_DRIFT)
        self._of: dict[str, BradleyTerryFullRating] = {}
        self._matches: dict[str, int] = {}
        for winner, loser in matches:
            teams = [[self._of.get(name) or model.rating(name=name)] for name in (winner, loser)]
            (self._of[winner],), (self._of[loser],) = model.rate(teams)
            for name in (winner, loser):
                self._matches[name] = self._matches.get(name, 0) + 1

    def of(self, player: str) -> Rating | None:
        """Return a player's rating, None before the first match that was won or lost."""
        rated = self._of.get(player)
        if rated is None:
            return None
        half = Z95 * rated.sigma
        return {
            "points": round(rated.mu),
            "interval": (round(rated.mu - half), round(rated.mu + half)),
            "matches": self._matches[player],
        }
