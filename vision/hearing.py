"""Touches that were seen, weighed with the hits that were heard: whose each was is found for all at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import product

import numpy as np
from numpy.typing import NDArray

from referee.facts import Contact, Gap, Touch, Unprovable
from vision.impacts import Impact

Fact = Touch | Unprovable | Gap
Floats = NDArray[np.float64]

_GRID_NS = 500_000
_SEEN_LATE, _LATEST_NS = 0.3, 1_500_000
"""A card sets off after it was hit: by the median so many standard deviations later, on simulated poems, and
by no more than what a card takes to be seen moving, however wide the interval is."""
_REACH = 3.0
"""Further from where it was seen, in standard deviations, nothing is looked for."""
_CORE, _CORE_SHARE, _ASTRAY = 0.45, 0.4, 1.2
"""An interval holds 95 of 100: most errors lie well within it, the others are larger than a normal law says.
So many standard deviations, for so many of them; the others' standard deviations (simulated, 60 fps)."""
_OWN_NS = 5_000_000
"""The core is no wider than this: a longer interval says that another hand or event may have been meant; when
the card itself set off is seen this well at 30 and 60 fps (half of the errors are below 3 ms where intervals
are 25 to 45 ms long, simulated)."""
_SLIDES_NS, _FIRST_SLID, _LATER_SLID = 20_000_000, 0.03, 0.2
"""A hand that comes down meets its cards at once, but for some that it slides onto without another sound:
more of those that were seen to be met later in its stroke."""
_STROKE_NS = 300_000_000
_OTHERS_SHARE = 0.03
"""How likely an impact is a player's own that is taken for the other one's."""
_SHARED_PRIOR = 0.2
"""How often an impact in a race is both players': the later one is drowned by the earlier."""
_SILENT_PER_NS = 1e-10
"""How often a touch makes no sound of its own, for every nanosecond in which it may have been."""
_CLEAR_DB, _SURER_PER_DB = 16.0, 10**0.2
"""False hits under a voice: so loud is one in some twenty seconds, and each decibel less makes them more
frequent by a factor (measured). What is louder may still be somebody else's hand on the mat, or a fan."""
_MOST_IMPACTS = 6


class _Whose(IntEnum):
    """Whose an impact is, as one touch has it: its own player's, both players', the other one's."""

    OWN, BOTH, OTHER = range(3)


@dataclass(frozen=True, slots=True)
class _Seen:
    """A touch, and what its picture and each impact say of when it was.

    Attributes
    ----------
    grid_ns, density : instants and how likely each is by the picture alone.
    silent : the weight of having made no sound, in the whole.
    at : by whose and impact: the weight of being that impact, shape (3, impacts).
    after : the weight of coming behind it unheard, the same shape.
    spans : where on the grid that would be, for each whose and impact, as weights.
    """

    touch: Touch
    grid_ns: Floats
    silent: Floats
    at: Floats
    after: Floats
    spans: Floats


def with_impacts(facts: Sequence[Fact], impacts: Sequence[Impact]) -> tuple[Fact, ...]:
    """Give each touch that may have been heard the instant that sight and sound agree on.

    Vision says which card and who; the sound only tells when. A touch was at one of the impacts, or while one
    of them drowned it, or, seldom, it made no sound. Whose an impact is, is weighed over all touches of the
    poem: an impact that only one player's touches are near to is no instant of the other's.
    """
    near = [impact for impact in impacts if any(_is_near(fact, impact) for fact in facts)]
    near = sorted(near, key=lambda impact: -impact.level_db)[:_MOST_IMPACTS]
    heard = {
        number: _seen(fact, near, _is_later(fact, facts))
        for number, fact in enumerate(facts)
        if isinstance(fact, Touch) and any(_is_near(fact, impact) for impact in near)
    }
    if not heard:
        return tuple(facts)
    told = dict(zip(heard, _weighed(list(heard.values()), near), strict=True))
    return tuple(told.get(number, fact) for number, fact in enumerate(facts))


def _is_near(fact: Fact, impact: Impact) -> bool:
    """Tell whether an impact may be a touch's own and tells its instant better than the picture."""
    if not isinstance(fact, Touch) or fact.contact is not Contact.TOUCH:
        return False
    hit_ns, sigma_ns = _hit_as_seen(fact)
    return impact.t_unc_ns < fact.t_unc_ns and abs(impact.t_ns - hit_ns) <= _REACH * sigma_ns


def _hit_as_seen(touch: Touch) -> tuple[float, float]:
    """Return when a touch made its sound by what was seen of it, and the standard deviation of that."""
    sigma_ns = touch.t_unc_ns / 1.96
    return touch.t_ns - min(_SEEN_LATE * sigma_ns, _LATEST_NS), sigma_ns


def _is_later(touch: Touch, facts: Sequence[Fact]) -> bool:
    """Tell whether its player was seen to touch another card clearly earlier in the same stroke."""
    return any(
        isinstance(other, Touch)
        and other.contact is Contact.TOUCH
        and other.player is touch.player
        and np.hypot(touch.t_unc_ns, other.t_unc_ns) / 4 < touch.t_ns - other.t_ns < _STROKE_NS
        for other in facts
    )


def _seen(touch: Touch, impacts: Sequence[Impact], is_later: bool) -> _Seen:
    hit_ns, sigma_ns = _hit_as_seen(touch)
    grid_ns = hit_ns + np.arange(-_REACH * sigma_ns, _REACH * sigma_ns, _GRID_NS)
    core_width = min(_CORE, _OWN_NS / sigma_ns)

    def density(t_ns: Floats) -> Floats:
        z = (t_ns - hit_ns) / sigma_ns
        core = _CORE_SHARE / core_width * np.exp(-0.5 * (z / core_width) ** 2)
        astray = (1 - _CORE_SHARE) / _ASTRAY * np.exp(-0.5 * (z / _ASTRAY) ** 2)
        return np.where(np.abs(z) <= _REACH, core + astray, 0.0)

    on_grid = density(grid_ns) * _GRID_NS
    sure = np.array([_sureness(impact) for impact in impacts])
    slid = _LATER_SLID if is_later else _FIRST_SLID
    at_share = {_Whose.OWN: 1 - slid, _Whose.BOTH: 0.5, _Whose.OTHER: _OTHERS_SHARE}
    after_share = {_Whose.OWN: slid, _Whose.BOTH: 0.5, _Whose.OTHER: _OTHERS_SHARE}
    at = np.outer(
        [at_share[whose] for whose in _Whose], sure * density(np.array([impact.t_ns for impact in impacts]))
    )
    spans = np.zeros((len(_Whose), len(impacts), len(grid_ns)))
    for whose in _Whose:
        for number, impact in enumerate(impacts):
            span_ns = max(impact.deaf_ns, _SLIDES_NS) if whose is _Whose.OWN else impact.deaf_ns
            behind_ns = grid_ns - impact.t_ns
            is_behind = (behind_ns > 0) & (behind_ns <= span_ns)
            spans[whose, number] = is_behind * on_grid * (after_share[whose] * sure[number] / span_ns)
    return _Seen(touch, grid_ns, on_grid * _SILENT_PER_NS, at, spans.sum(axis=2), spans)


def _sureness(impact: Impact) -> float:
    """Return how much an impact counts: the rarer false ones of its loudness are, the more, up to 1."""
    return float(min(1.0, _SURER_PER_DB ** (impact.level_db - _CLEAR_DB)))


def _weighed(seen: Sequence[_Seen], impacts: Sequence[Impact]) -> list[Touch]:
    """Weigh whose each impact may be, and each touch among all of them; tell the medians."""
    sides = sorted({each.touch.player for each in seen if each.touch.player is not None})
    owners = [frozenset({side}) for side in sides] + ([frozenset(sides)] if len(sides) > 1 else [])
    owned = list(product(owners or [frozenset()], repeat=len(impacts)))
    prior = np.array([np.prod([_SHARED_PRIOR if len(o) > 1 else 0.5 for o in all_]) for all_ in owned])
    # by touch, for each way in which the impacts may be owned: whose each impact is, shape (ways, impacts)
    whose = [np.array([[_whose(each.touch, o) for o in all_] for all_ in owned]) for each in seen]
    columns = np.arange(len(impacts))
    likely = np.array(
        [
            each.silent.sum() + (each.at + each.after)[ways, columns].sum(axis=1)
            for each, ways in zip(seen, whose, strict=True)
        ]
    )
    log = np.log(prior)
    for side in {each.touch.player for each in seen}:
        mine = [row for row, each in zip(likely, seen, strict=True) if each.touch.player is side]
        # cards of one stroke are seen by the same pictures: they are no independent witnesses
        log = log + np.log(mine).sum(axis=0) / len(mine) ** 0.5
    share = np.exp(log - log.max())
    return [
        _told(each, ways, share / row, impacts) for each, ways, row in zip(seen, whose, likely, strict=True)
    ]


def _whose(touch: Touch, owners: frozenset[object]) -> _Whose:
    if touch.player is not None and touch.player not in owners:
        return _Whose.OTHER
    return _Whose.BOTH if len(owners) > 1 else _Whose.OWN


def _told(seen: _Seen, ways: NDArray[np.intp], share: Floats, impacts: Sequence[Impact]) -> Touch:
    """Return a touch at the median of all instants that it may have had."""
    by_whose = np.array([share @ (ways == whose) for whose in _Whose])
    on_grid = share.sum() * seen.silent + np.einsum("wi,wig->g", by_whose, seen.spans)
    at = (by_whose * seen.at).sum(axis=0)
    t_ns = np.append(seen.grid_ns, [impact.t_ns for impact in impacts])
    weights = np.append(on_grid, at)
    middle_ns = _quantile(t_ns, weights, 0.5)
    half_ns = _quantile(np.abs(t_ns - middle_ns), weights, 0.95)
    near = min(impacts, key=lambda impact: abs(impact.t_ns - middle_ns))
    return replace(seen.touch, t_ns=round(middle_ns), t_unc_ns=round(float(np.hypot(half_ns, near.t_unc_ns))))


def _quantile(values: Floats, weights: Floats, share: float) -> float:
    """Return the value below which a share of the weight lies."""
    order = np.argsort(values)
    below = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(below, share * below[-1])])
