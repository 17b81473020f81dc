"""Weigh touches that were seen against the hits that were heard, assigning all hits of a poem together."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from referee.facts import Contact, Testimony, Touch, Unprovable
from vision.contact.facts import RESTED
from vision.witnesses.impacts import Impact

Floats = NDArray[np.float64]

_REACH = 3.0  # range of the search around the seen instant, in standard deviations


class _Whose(IntEnum):
    """Whose an impact is, from the point of view of one touch.

    Its own player's; another one that drowned its own player's, which followed closely; the other player's;
    nobody's.
    """

    OWN, DROWNING, OTHER, NOBODYS = range(4)


@dataclass(frozen=True, slots=True)
class _Seen:
    """A touch, and what its picture and each impact tell about its instant."""

    touch: Touch
    grid_ns: Floats  # instants within reach of the seen one, shape (G,)
    silent: Floats  # weight of having made no sound, on the grid, shape (G,)
    at: Floats  # weight of being an impact, by whose it is and impact, shape (4, impacts)
    after: Floats  # weight of following it unheard, the same shape
    spans: Floats  # weights of `after` on the grid, shape (4, impacts, G)


def with_impacts(facts: Sequence[Testimony], impacts: Sequence[Impact]) -> tuple[Testimony, ...]:
    """Give each touch that may have been heard the instant on which sight and sound agree.

    Vision tells which card and who; the sound only tells when. A touch was at one of the impacts, or was
    drowned by one, or, rarely, made no sound. Whose an impact is, is weighed over all touches that may have
    made it: an impact near only one player's touches is no instant of the other's.
    """
    told = dict(enumerate(facts))
    for touches, near in _companies(facts, impacts):
        seen = [_seen(touch, near, _is_later(touch, facts)) for touch in touches.values()]
        told.update(zip(touches, _weighed(seen, near), strict=True))
    return tuple(_heard(fact, facts, impacts) for fact in told.values())


def _heard(fact: Testimony, facts: Sequence[Testimony], impacts: Sequence[Impact]) -> Testimony:
    """Return what is told of fingers at rest over a card that lay still: a hit of no other hand is theirs."""
    if not isinstance(fact, Unprovable) or fact.reason != RESTED:
        return fact
    # from the picture before the one in which they first lay still; beside a touch a hit is the touch's own
    before_ns, after_ns, beside_ns = 50_000_000, 10_000_000, 15_000_000
    touches = [one for one in facts if isinstance(one, Touch) and one.contact is Contact.TOUCH]
    theirs = any(
        -before_ns <= impact.t_ns - fact.earliest_ns <= after_ns
        and not any(one.earliest_ns - beside_ns < impact.t_ns < one.latest_ns + beside_ns for one in touches)
        for impact in impacts
    )
    return replace(fact, reason="touch_heard") if theirs else fact


def _companies(
    facts: Sequence[Testimony], impacts: Sequence[Impact]
) -> list[tuple[dict[int, Touch], list[Impact]]]:
    """Return groups of touches that may have been heard, by number, with their impacts; groups share none."""
    found: list[tuple[dict[int, Touch], set[int]]] = []
    for number, fact in enumerate(facts):
        near = {index for index, impact in enumerate(impacts) if _is_near(fact, impact)}
        if not (near and isinstance(fact, Touch)):
            continue
        company = {number: fact}
        for other in [each for each in found if each[1] & near]:
            found.remove(other)
            company, near = {**other[0], **company}, near | other[1]
        found.append((company, near))
    most_impacts = 5  # the clearest ones
    clearest = sorted(range(len(impacts)), key=lambda index: -impacts[index].level_db)
    return [
        (touches, [impacts[index] for index in clearest if index in near][:most_impacts])
        for touches, near in found
    ]


def _is_near(fact: Testimony, impact: Impact) -> bool:
    """Tell whether an impact may be a touch's own and gives its instant better than the picture."""
    if not isinstance(fact, Touch) or fact.contact is not Contact.TOUCH:
        return False
    hit_ns, sigma_ns = _hit_as_seen(fact)
    return impact.t_unc_ns < fact.t_unc_ns and abs(impact.t_ns - hit_ns) <= _REACH * sigma_ns


def _hit_as_seen(touch: Touch) -> tuple[float, float]:
    """Return when a touch made its sound, judged by the picture, and the standard deviation of that."""
    sigma_ns = touch.t_unc_ns / 1.96
    # A card sets off after it was hit: by this many standard deviations (median, simulated poems), and by no
    # more than the time until a card is seen to move, however wide the interval is.
    seen_late, latest_ns = 0.3, 1_500_000
    return touch.t_ns - min(seen_late * sigma_ns, latest_ns), sigma_ns


def _is_later(touch: Touch, facts: Sequence[Testimony]) -> bool:
    """Tell whether its player was seen to touch another card clearly earlier in the same stroke."""
    stroke_ns = 300_000_000
    return any(
        isinstance(other, Touch)
        and other.contact is Contact.TOUCH
        and other.player is touch.player
        and np.hypot(touch.t_unc_ns, other.t_unc_ns) / 4 < touch.t_ns - other.t_ns < stroke_ns
        for other in facts
    )


def _seen(touch: Touch, impacts: Sequence[Impact], is_later: bool) -> _Seen:
    """Return how likely each way is in which a touch may have sounded, as the picture tells its instant.

    The instant is laid on a grid. For each impact and each account of whose it is stand the density of a
    touch that was heard in it, and of one in the time in which it drowned others (`spans`); beside them the
    chance that the touch made no sound at all.

    `is_later`: whether the player was seen to touch another card earlier in the same stroke.
    """
    hit_ns, sigma_ns = _hit_as_seen(touch)
    step_ns = 500_000
    grid_ns = hit_ns + np.arange(-_REACH * sigma_ns, _REACH * sigma_ns, step_ns)
    # An interval holds 95 of 100 errors: most are far smaller, the others larger than a normal distribution
    # allows. Standard deviations of the core, its share, and standard deviations of the rest (simulated, 60
    # fps).
    core_sigma, core_share, astray_sigma = 0.45, 0.4, 1.2
    # Upper bound of the core's width: a longer interval only means that another hand or event may have been
    # meant. The card's own start is seen this well at 30 and 60 fps (half of the errors are below 3 ms where
    # intervals are 25 to 45 ms long, simulated).
    own_ns = 5_000_000
    core_width = min(core_sigma, own_ns / sigma_ns)

    def density(t_ns: Floats) -> Floats:
        z = (t_ns - hit_ns) / sigma_ns
        core = core_share / core_width * np.exp(-0.5 * (z / core_width) ** 2)
        astray = (1 - core_share) / astray_sigma * np.exp(-0.5 * (z / astray_sigma) ** 2)
        return np.where(np.abs(z) <= _REACH, core + astray, 0.0)

    on_grid = density(grid_ns) * step_ns
    # A hand that comes down meets its cards at once, except some that it slides onto without another sound:
    # more of those that were seen to be met later in its stroke.
    slides_ns, first_slid, later_slid = 20_000_000, 0.03, 0.2
    slid = later_slid if is_later else first_slid
    # How often an impact of a player is taken for the other's if hardly any doubt was reported. A doubt is
    # mostly one about the card, or hand or push, so it counts squared.
    least_others = 0.03
    others = max(least_others, (1 - touch.confidence) ** 2)
    at_once = 0.3  # share of the drowned hits that are heard as one instant with the other player's
    at_share = {
        _Whose.OWN: 1 - slid,
        _Whose.DROWNING: others + (1 - others) * at_once,
        _Whose.OTHER: others,
        _Whose.NOBODYS: 0.0,
    }
    after_share = {
        _Whose.OWN: slid,
        _Whose.DROWNING: (1 - others) * (1 - at_once),
        _Whose.OTHER: least_others,
        _Whose.NOBODYS: least_others,
    }
    at = np.outer(
        [at_share[whose] for whose in _Whose], density(np.array([impact.t_ns for impact in impacts]))
    )
    spans = np.zeros((len(_Whose), len(impacts), len(grid_ns)))
    for whose in _Whose:
        for number, impact in enumerate(impacts):
            span_ns = max(impact.deaf_ns, slides_ns) if whose is _Whose.OWN else impact.deaf_ns
            behind_ns = grid_ns - impact.t_ns
            is_behind = (behind_ns > 0) & (behind_ns <= span_ns)
            spans[whose, number] = is_behind * on_grid * (after_share[whose] / span_ns)
    # How often a touch makes no sound, per nanosecond in which it may have been.
    silent_per_ns = 1e-10
    return _Seen(touch, grid_ns, on_grid * silent_per_ns, at, spans.sum(axis=2), spans)


def _unclaimed(impact: Impact) -> float:
    """Return how often an impact like this belongs to no reported touch, relative to how often it does."""
    # False hits under a voice: one this loud comes in some twenty seconds, so a hit of this loudness near a
    # touch is false with this probability, and per decibel less its log10 grows by this (measured). A louder
    # one may still be somebody else's hand on the mat, a card that comes down, or a touch that was not
    # reported.
    clear_db, false_chance, false_per_db, untold_chance = 16.0, 0.03, 0.2, 0.1
    return float(untold_chance + false_chance * 10 ** (false_per_db * (clear_db - impact.level_db)))


def _weighed(seen: Sequence[_Seen], impacts: Sequence[Impact]) -> list[Touch]:
    """Weigh whose each impact may be, and each touch among all of them.

    A hit that is somebody's must be that of a reported touch: two hits and touches of two players mostly mean
    one hit each, even if the eye saw both at one of them.
    """
    sides = sorted({each.touch.player for each in seen if each.touch.player is not None})
    states: list[tuple[object, ...]] = [(side,) for side in sides] or [()]
    states += permutations(sides, 2)
    # How often a hit is one player's, and how often in a race the other's follows so closely that it is not
    # heard.
    owned_chance, drowned_chance = 0.5, 0.3
    priors = [drowned_chance if len(state) > 1 else owned_chance for state in states]
    ways = np.indices((1 + len(states),) * len(impacts)).reshape(len(impacts), -1).T
    # by touch: whose each impact is, for each way to assign the impacts, shape (ways, impacts)
    whose = [
        np.array([_Whose.NOBODYS, *(_whose(each.touch, state) for state in states)])[ways] for each in seen
    ]
    # ways that differ only in an owner whom no touch needs are subtracted from nobody's
    prior = np.ones(1)
    for impact in impacts:
        prior = np.outer(prior, [_unclaimed(impact) - sum(priors), *priors]).ravel()
    # cards of one stroke are seen in the same pictures, so they are not independent witnesses
    alike = Counter(each.touch.player for each in seen)
    likely = np.array(
        [
            _likely(each, mine, alike[each.touch.player] ** -0.5)
            for each, mine in zip(seen, whose, strict=True)
        ]
    )
    likely /= likely.max(axis=1, keepdims=True)
    shares = [prior * np.delete(likely, number, axis=0).prod(axis=0) for number in range(len(seen))]
    return [
        _likeliest_touch(each, mine, share, impacts)
        for each, mine, share in zip(seen, whose, shares, strict=True)
    ]


def _likely(seen: _Seen, ways: NDArray[np.intp], power: float) -> Floats:
    """Return the likelihood of a touch for each way to assign the impacts, (ways,)."""
    by_impact = seen.at**power + seen.after**power
    likely: Floats = seen.silent.sum() ** power + by_impact[ways, np.arange(ways.shape[1])].sum(axis=1)
    return likely


def _whose(touch: Touch, owners: tuple[object, ...]) -> _Whose:
    """Return whose an impact is for a touch; with two owners the first one's drowned the second one's."""
    if touch.player is None or touch.player == next(iter(owners), None):
        return _Whose.OWN
    return _Whose.DROWNING if touch.player in owners else _Whose.OTHER


def _likeliest_touch(seen: _Seen, ways: NDArray[np.intp], share: Floats, impacts: Sequence[Impact]) -> Touch:
    """Return a touch at the likeliest impact, or at the median of all instants that it may have had."""
    by_whose = np.array([share @ (ways == whose) for whose in _Whose])
    on_grid = share.sum() * seen.silent + np.einsum("wi,wig->g", by_whose, seen.spans)
    at = (by_whose * seen.at).sum(axis=0)
    t_ns = np.append(seen.grid_ns, [impact.t_ns for impact in impacts])
    weights = np.clip(np.append(on_grid, at), 0.0, None)
    middle_ns = _quantile(t_ns, weights, 0.5)
    # Weight from which the likeliest impact is taken: a touch was hardly ever halfway between two.
    least_weight = 0.35
    if at.max() > least_weight * weights.sum():
        middle_ns = impacts[int(np.argmax(at))].t_ns
    half_ns = _quantile(np.abs(t_ns - middle_ns), weights, 0.95)
    near = min(impacts, key=lambda impact: abs(impact.t_ns - middle_ns))
    return seen.touch.moved(round(middle_ns), round(half_ns + near.t_unc_ns))


def _quantile(values: Floats, weights: Floats, share: float) -> float:
    """Return the value below which a share of the weight lies."""
    order = np.argsort(values)
    below = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(below, share * below[-1])])
