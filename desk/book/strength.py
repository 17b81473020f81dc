"""Ratings of players from the matches won and lost, with their joint uncertainty.

Bradley and Terry's model over all matches at once, penalised by a distribution of the players' strengths,
which drift as time goes by. The distribution is normal, or has long tails (Student's): a club may have one
master or one beginner whom a normal one would draw to the others. Its tails and spread, and the drift, are
averaged over what the results allow. That draws players together; where it tells more of a difference than
the results do, as of two clubs that few matches link or of somebody who wins or loses nearly all, or where
the two contradict each other, the interval reaches as far as theirs would alone.
The scale is that of Elo: a player with 400 points more has odds of ten to one. Only differences mean
something, so ratings are laid around 1500 within each group of players who met, directly or through others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
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
_AGAINST = 1.0
"""So many standard errors between the two, of the difference itself (Hausman, 1978), say that what is
supposed does not fit: one distribution for two clubs 300 points apart held 88 % of the differences with 20
matches between them and 78 % with 40, and holds 95 % with this. Chance says so of a third of the differences
in an ordinary club, whose intervals grow by 0 to 9 %."""
_FEW, _SHARE = 3, 0.1
"""Wins or losses that are so few, in number or as a share, leave one end open: what is supposed closes it,
and draws a lone master to the others (600 points above nine equals: 78 % of the intervals held)."""
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
        won, lost = Counter(winner for winner, *_ in played), Counter(loser for _, loser, _ in played)
        self._one_sided = {
            name for name, n in self._matches.items() if min(won[name], lost[name]) <= max(_FEW, _SHARE * n)
        }
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
        points, low, high = self._sum_of(weights, is_open=player in self._one_sided)
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
        points, low, high = self._sum_of(weights, is_open=bool({player, other} & self._one_sided))
        return {"points": round(points), "interval": (round(low), round(high))}

    def _sum_of(self, weights: NDArray[np.float64], *, is_open: bool) -> tuple[float, float, float]:
        """Return a sum of strengths and its 95 % interval; if it `is_open`, as far as results alone reach."""
        (points, half), (alone, wide) = (
            (float(weights @ mean), _Z95 * float(np.sqrt(weights @ covariance @ weights)))
            for mean, covariance in (self._supposed, self._alone)
        )
        apart = _Z95 * abs(points - alone)
        fits = wide < _DRAWN * half and apart**2 < _AGAINST**2 * max(0.0, wide**2 - half**2)
        if fits and not is_open:
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
    net = _Net.of(played, place)
    fits: list[_Fit] = []
    for drift in DRIFTS:
        for freedom in freedoms:
            for spread in spreads:  # each begins where the one before it ended
                at = fits[-1].at if fits else np.zeros(net.count)
                fits.append(_fit(_Prior(freedom, spread, drift), net, at))
    evidence = np.array([fit.evidence for fit in fits])
    weights = np.exp(evidence - evidence.max())
    weights /= weights.sum()
    means = np.stack([fit.at[net.last] for fit in fits])
    mean = weights @ means
    apart = means - mean
    covariance = np.tensordot(weights, np.stack([fit.covariance for fit in fits]), 1)
    return mean, covariance + (weights * apart.T) @ apart


@dataclass(frozen=True, slots=True)
class _Net:
    """Nodes (a player in a period in which he or she played), and what ties them to each other."""

    # nodes of each match
    winners: NDArray[np.int64]
    losers: NDArray[np.int64]
    # nodes of a player that follow one another, and the days between them
    before: NDArray[np.int64]
    after: NDArray[np.int64]
    days: NDArray[np.float64]
    firsts: NDArray[np.int64]  # the first and the last node of each player
    last: NDArray[np.int64]
    since: NDArray[np.float64]  # days from the middle match of the last node to the latest match of all
    count: int
    # where the entries of `tied` belong, in a sparse matrix by columns
    slots: NDArray[np.int64]
    rows: NDArray[np.int64]
    starts: NDArray[np.int64]

    @classmethod
    def of(cls, played: list[tuple[str, str, int]], place: dict[str, int]) -> _Net:
        """Return the net of some matches; a player's nodes follow one another."""
        nodes = sorted({(place[name], day // _PERIOD_DAYS) for *names, day in played for name in names})
        number = {node: index for index, node in enumerate(nodes)}
        count = len(nodes)
        winners = np.array([number[place[winner], day // _PERIOD_DAYS] for winner, _, day in played])
        losers = np.array([number[place[loser], day // _PERIOD_DAYS] for _, loser, day in played])
        players, periods = np.array(nodes).T
        goes_on = players[1:] == players[:-1]
        before = np.flatnonzero(goes_on)
        firsts = np.flatnonzero(np.concatenate([[True], ~goes_on]))
        last = np.flatnonzero(np.concatenate([~goes_on, [True]]))
        days = np.diff(periods)[before] * float(_PERIOD_DAYS)
        # a strength of a period is that of its middle match, and drifts on from there
        both, on = np.concatenate([winners, losers]), np.array([day for *_, day in played] * 2, np.float64)
        since = (on.max() - np.bincount(both, on) / np.bincount(both))[last]
        one, other = np.concatenate([winners, before]), np.concatenate([losers, before + 1])
        rows = np.concatenate([one, other, one, other, firsts])
        columns = np.concatenate([one, other, other, one, firsts])
        entries, slots = np.unique(columns * count + rows, return_inverse=True)
        starts = np.searchsorted(entries, np.arange(count + 1) * count)
        tied = slots, entries % count, starts
        return cls(winners, losers, before, before + 1, days, firsts, last, since, count, *tied)

    def tied(
        self, curve: NDArray[np.float64], stiff: NDArray[np.float64], own: NDArray[np.float64]
    ) -> csc_array:
        """Return the precision of all nodes by that of matches, of steps, and of each player's first node."""
        ties = np.concatenate([curve, stiff])
        entries = np.concatenate([ties, ties, -ties, -ties, own])
        filled = np.bincount(self.slots, entries, len(self.rows))
        return csc_array((filled, self.rows, self.starts), (self.count, self.count))


@dataclass(frozen=True, slots=True)
class _Prior:
    """What is supposed before any match: tails and spread of strengths, and their drift a day."""

    freedom: float
    spread: float
    drift: float

    def log_density(self, first: NDArray[np.float64], moved: NDArray[np.float64], net: _Net) -> float:
        tails = np.log1p(first**2 / (self.freedom * self.spread**2)) * (self.freedom + 1) / 2
        middle = lgamma((self.freedom + 1) / 2) - lgamma(self.freedom / 2) - log(self.freedom) / 2
        variances = self.drift * net.days
        steps = float((np.log(variances) + moved**2 / variances).sum()) / 2
        return -float(tails.sum()) - len(first) * (log(self.spread) - middle) - steps

    def precision(self, first: NDArray[np.float64], *, is_bent: bool = False) -> NDArray[np.float64]:
        """Return the precision that draws strengths towards 0, or by which the log density is bent there."""
        least = self.freedom * self.spread**2
        wide = least + first**2
        own = (self.freedom + 1) / wide
        return np.maximum(own * (2 * least / wide - 1), _FLAT) if is_bent else own


@dataclass(frozen=True, slots=True)
class _Fit:
    """The likeliest strengths for one prior, the covariance of the latest, and the log evidence (Laplace)."""

    at: NDArray[np.float64]
    covariance: NDArray[np.float64]
    evidence: float


def _fit(prior: _Prior, net: _Net, at: NDArray[np.float64]) -> _Fit:
    """Fit the strengths of all nodes, beginning `at` some."""
    stiff = 1 / (prior.drift * net.days)
    for _ in range(_ROUNDS):
        upset = expit(_STEEP * (at[net.losers] - at[net.winners]))
        curve = _STEEP**2 * upset * (1 - upset)
        drawn = prior.precision(at[net.firsts])
        moved = stiff * (at[net.after] - at[net.before])
        pull: NDArray[np.float64] = np.bincount(net.winners, _STEEP * upset, net.count).astype(np.float64)
        pull -= np.bincount(net.losers, _STEEP * upset, net.count)
        pull += np.bincount(net.before, moved, net.count) - np.bincount(net.after, moved, net.count)
        pull[net.firsts] -= drawn * at[net.firsts]
        step = _solved(net.tied(curve, stiff, drawn)).solve(pull)
        at = at + step
        if np.abs(step).max() < _CLOSE:
            break
    solved = _solved(net.tied(curve, stiff, prior.precision(at[net.firsts], is_bent=True)))
    chosen = np.zeros((net.count, len(net.last)))
    chosen[net.last, np.arange(len(net.last))] = 1
    covariance = solved.solve(chosen)[net.last]
    likelihood = float(log_expit(_STEEP * (at[net.winners] - at[net.losers])).sum())
    density = prior.log_density(at[net.firsts], at[net.after] - at[net.before], net)
    return _Fit(
        at,
        (covariance + covariance.T) / 2 + np.diag(prior.drift * net.since),
        likelihood + density - float(np.log(np.abs(solved.U.diagonal())).sum()) / 2,
    )


def _solved(precision: csc_array) -> SuperLU:
    return splu(precision, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})
