"""How strong each player is by the matches that were won and lost, and how sure that is.

The model of Weng and Lin for two (`openskill`, Bradley and Terry): a player's strength is a normal
distribution, and each match moves the two that played. It is scaled as players know it from Elo: everybody
begins at 1500, and who stands 400 points higher wins ten times as often as the other.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import log, sqrt

from openskill.models import BradleyTerryFull, BradleyTerryFullRating

from desk.panel.book.port import Rating

MIDDLE, SPREAD = 1500.0, 350.0
"""Where everybody begins, and the standard deviation of how strong newcomers are; as in Glicko."""
_BETA = 400 / log(10) / sqrt(2)
"""With this spread of the day's form of each player 400 points are odds of ten to one."""
_DRIFT = 3.5
"""By how much strength may change from one match to the next, in points: a hundredth of `SPREAD`, as the
library has it."""
_Z95 = 1.959964


class Ratings:
    """Ratings of all players, match by match.

    Parameters
    ----------
    matches : of each, in the order of time, who won and who lost.
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
        half = _Z95 * rated.sigma
        return {
            "points": round(rated.mu),
            "interval": (round(rated.mu - half), round(rated.mu + half)),
            "matches": self._matches[player],
        }
