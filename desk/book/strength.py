"""Ratings of players from the matches won and lost, with their joint uncertainty.

Bradley and Terry's model over all matches at once, penalised by a distribution of the players' strengths,
which drift as time goes by. The distribution is normal, or has long tails (Student's): a club may have one
master or one beginner whom a normal one would draw to the others. Its tails and spread, and the drift, are
averaged over what the results allow. That draws players together; where it tells more of a difference than
the results do, as of two clubs that one pairing links, the interval reaches as far as theirs would alone.
The scale is that of Elo: a player with 400 points more has odds of ten to one. Only differences mean
something, so ratings are laid around 1500 within each group of players who met, directly or through others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from math import lgamma, log

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, csr_array
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import SuperLU, splu
from scipy.special import expit, log_expit

from desk.panel.book.port import Rating, RatingDifference

MIDDLE = 1500.0
SPREADS = (80.0, 120.0, 180.0, 270.0, 400.0)
"""Possible scales of strength within a club, in points; Glicko supposes 350 among strangers."""
FREEDOMS = (2.0, 1e9)
"""Possible degrees of freedom of the distribution of strengths: long tails, and the normal distribution."""
DRIFTS = (3.0, 8.0, 20.0)
"""Possible variances by which a strength changes in a day, points squared: 33, 54 and 85 points in a year.
Three matches a week that move a player by 3.5 points each, as rating systems usually suppose, are 5; Coulom
(Whole-History Rating, 2008) takes 14 for Go."""
_PERIOD_DAYS = 28
"""Time within which a strength counts as constant: it drifts by nine to 24 points; intervals hold that."""
_Z95 = 1.959964
_STEEP = log(10) / 400
_STRANGERS = 1000.0
"""Scale of strengths in points of which nearly nothing is supposed: it tells what the results alone say."""
_DRAWN = 1.4
"""An interval of the results alone that is so many times wider says that the rest is supposed. Few are in
ordinary clubs (ten players, 100 to 300 matches); of two clubs with 100 matches each that five matches of one
pairing link, nearly all are."""
_FLAT = 1e-7
"""Least precision that the distribution of strengths gives, of a player in its tails: 3,000 points."""
_ROUNDS, _CLOSE = 50, 0.01  # most steps of Newton's method, and the step in points at which it is there


class Ratings:
    """Ratings of all players on the day of the latest match.

    `matches`: winner, loser and day of each match.
    """

    def __init__(self, matches: Iterable[tuple[str, str, date]]) -> None:
        played = [(winner, loser, day.toordinal()) for winner, loser, day in matches]
        self._matches = Counter(name for winner, loser, _ in played for name in (winner, loser))
        self._place = {name: place for place, name in enumerate(sorted(self._matches))}
        if played:
            self._group = _groups([(self._place[one], self._place[other]) for one, other, _ in played])
            self._supposed = _strengths(played, self._place, FREEDOMS, SPREADS)
            self._alone = _strengths(played, self._place, (1e9,), (_STRANGERS,))

    def of(self, player: str) -> Rating | None:
        """Return a player's rating, None before the first match that was won or lost."""
        place = self._place.get(player)
        if place is None:
            return None
        members = self._group == self._group[place]
        weights = np.where(members, -1 / members.sum(), 0.0)
        weights[place] += 1
        points, low, high = self._sum_of(weights)
        return {
            "points": round(MIDDLE + points),
            "interval": (round(MIDDLE + low), round(MIDDLE + high)),
            "matches": self._matches[player],
            "group": int(self._group[place]) + 1,
            "groups": int(self._group.max()) + 1,
        }

    def between(self, player: str, other: str) -> RatingDifference | None:
        """Return by how much a player is stronger than another, None if nothing links them."""
        one, two = self._place.get(player), self._place.get(other)
        if one is None or two is None or one == two or self._group[one] != self._group[two]:
            return None
        weights = np.zeros(len(self._place))
        weights[one], weights[two] = 1, -1
        points, low, high = self._sum_of(weights)
        return {"points": round(points), "interval": (round(low), round(high))}

    def _sum_of(self, weights: NDArray[np.float64]) -> tuple[float, float, float]:
        """Return a sum of strengths and its 95 % interval."""
        (points, half), (alone, wide) = (
            (float(weights @ mean), _Z95 * float(np.sqrt(weights @ covariance @ weights)))
            for mean, covariance in (self._supposed, self._alone)
        )
        if wide < _DRAWN * half:
            return points, points - half, points + half
        return points, min(points - half, alone - wide), max(points + half, alone + wide)


def _groups(pairs: list[tuple[int, int]]) -> NDArray[np.int32]:
    """Return the group of each player: those who met, directly or through others; the largest first."""
    ones, others = np.array(pairs).T
    count = int(max(ones.max(), others.max())) + 1
    met = csr_array((np.ones(len(ones)), (ones, others)), shape=(count, count))
    _, group = connected_components(met, directed=False)
    order = np.argsort(-np.bincount(group), kind="stable")
    return np.argsort(order)[group].astype(np.int32)


def _strengths(
    played: list[tuple[str, str, int]],
    place: dict[str, int],
    freedoms: Sequence[float],
    spreads: Sequence[float],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return means and covariance of all strengths, averaged over the possible spreads and drifts."""
    # a node is a player in a period in which he or she played; a player's nodes follow one another
    nodes = sorted({(place[name], day // _PERIOD_DAYS) for *names, day in played for name in names})
    number = {node: index for index, node in enumerate(nodes)}
    winners = np.array([number[place[winner], day // _PERIOD_DAYS] for winner, _, day in played])
    losers = np.array([number[place[loser], day // _PERIOD_DAYS] for _, loser, day in played])
    latest = {player: index for index, (player, _) in enumerate(nodes)}
    firsts = np.array(
        [index for index in range(len(nodes)) if index == 0 or nodes[index - 1][0] != nodes[index][0]]
    )
    last = np.array([latest[player] for player in range(len(place))])
    # a strength of a period is that of its middle match, and drifts on from there
    both, days = np.concatenate([winners, losers]), np.array([day for *_, day in played] * 2, np.float64)
    since = (days.max() - np.bincount(both, days) / np.bincount(both))[last]
    fits = [
        _fit(_Prior(freedom, spread, firsts, steps), winners, losers, last, drift * since)
        for drift, steps in [(drift, _drifting(nodes, drift)) for drift in DRIFTS]
        for freedom in freedoms
        for spread in spreads
    ]
    weights = np.exp(np.array([evidence for *_, evidence in fits]) - max(evidence for *_, evidence in fits))
    weights /= weights.sum()
    means = np.stack([mean for mean, *_ in fits])
    mean = weights @ means
    apart = means - mean
    covariance = np.tensordot(weights, np.stack([each for _, each, _ in fits]), 1)
    return mean, covariance + (weights * apart.T) @ apart


def _drifting(nodes: list[tuple[int, int]], drift: float) -> csc_array:
    """Return the precision of the steps by which players drift from node to node."""
    count = len(nodes)
    diagonal, beside = np.zeros(count), np.zeros(max(0, count - 1))
    for index, ((one, before), (other, after)) in enumerate(pairwise(nodes)):
        if one == other:
            stiff = 1 / (drift * (after - before) * _PERIOD_DAYS)
            diagonal[index : index + 2] += stiff
            beside[index] = -stiff
    along = np.arange(count)
    rows = np.concatenate([along, along[1:], along[:-1]])
    columns = np.concatenate([along, along[:-1], along[1:]])
    return csc_array((np.concatenate([diagonal, beside, beside]), (rows, columns)), (count, count))


@dataclass(frozen=True, slots=True)
class _Prior:
    """What is supposed of all nodes before any match."""

    # freedom, spread: of the distribution of the players' first nodes `firsts`
    freedom: float
    spread: float
    firsts: NDArray[np.int64]
    steps: csc_array  # the precision of the steps by which they drift from node to node

    def log_density(self, at: NDArray[np.float64]) -> float:
        """Return the logarithm of the density, up to a constant."""
        tails = np.log1p(at[self.firsts] ** 2 / (self.freedom * self.spread**2)) * (self.freedom + 1) / 2
        middle = lgamma((self.freedom + 1) / 2) - lgamma(self.freedom / 2) - log(self.freedom) / 2
        stiff = -self.steps.diagonal(1)
        stiff = np.log(stiff[stiff > 0])
        begun = float(tails.sum()) + len(self.firsts) * (log(self.spread) - middle)
        return float(stiff.sum()) / 2 - begun - float(at @ (self.steps @ at)) / 2

    def precision(self, at: NDArray[np.float64], *, is_bent: bool = False) -> csc_array:
        """Return the precision that draws nodes towards 0, or by which the log density is bent there."""
        least = self.freedom * self.spread**2
        wide = least + at[self.firsts] ** 2
        own = (self.freedom + 1) / wide
        if is_bent:
            own = np.maximum(own * (2 * least / wide - 1), _FLAT)
        return csc_array(self.steps + csc_array((own, (self.firsts, self.firsts)), self.steps.shape))


def _fit(
    prior: _Prior,
    winners: NDArray[np.int64],
    losers: NDArray[np.int64],
    last: NDArray[np.int64],
    since: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Return means and covariance of the nodes `last`, and the log evidence (Laplace), for one prior.

    `since` is the variance by which each of them has drifted from then to the latest match.
    """
    count = prior.steps.shape[0]
    at = np.zeros(count)
    for _ in range(_ROUNDS):
        upset = expit(_STEEP * (at[losers] - at[winners]))
        pull = _STEEP * (np.bincount(winners, upset, count) - np.bincount(losers, upset, count))
        curve = _STEEP**2 * upset * (1 - upset)
        rows = np.concatenate([winners, losers, winners, losers])
        columns = np.concatenate([winners, losers, losers, winners])
        seen = csc_array((np.concatenate([curve, curve, -curve, -curve]), (rows, columns)), (count, count))
        drawn = prior.precision(at)
        step = splu(csc_array(drawn + seen)).solve(pull - drawn @ at)
        at = at + step
        if np.abs(step).max() < _CLOSE:
            break
    solved = splu(csc_array(prior.precision(at, is_bent=True) + seen))
    chosen = np.zeros((count, len(last)))
    chosen[last, np.arange(len(last))] = 1
    covariance = solved.solve(chosen)[last]
    likelihood = float(log_expit(_STEEP * (at[winners] - at[losers])).sum())
    evidence = likelihood + prior.log_density(at) - _log_det(solved) / 2
    return at[last], (covariance + covariance.T) / 2 + np.diag(since), evidence


def _log_det(solved: SuperLU) -> float:
    return float(np.log(np.abs(solved.U.diagonal())).sum())
