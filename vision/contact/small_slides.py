"""Tell whether a hand moved a card that only slid a little, or floor, air or cloth did.

A slap makes the mat spring, and cards around it jump by tenths of a millimetre, each its own way; a sweep
blows cards along, a few millimetres or centimetres far; a sleeve drags them. What a pressing hand does looks
otherwise: its fingers come down on several cards at once and carry them along alike, or they come to rest on
one card and take it their way. A slide that shows neither proves no touch. If fingers may have been on the
card, it is in doubt; if no hand was near it, nobody touched it.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from vision.contact.approach import TIP_MM2, Approach
from vision.contact.evidence import CardMotion
from vision.contact.facts import Proof
from vision.hands.frame_map import SIDES

# Measured at 113 cards that slid in clips of three renderers, and at 96 that `python -m
# benchmarks.disturbances --kinds shift shock` moved there:
SMALL_MM = 3.5  # a press takes cards 0.3 to 3.2 mm along; a hand that takes one farther follows it
_ALIKE_MM, _ALIKE_SHARE = 0.08, 0.2  # cards under one hand differ by less: 0.02 to 0.2 mm of 0.3 to 2.5 mm
AT_ONCE_NS = 25e6  # fingers of one hand come down within this time, at the most
_HAND_MM = 260.0  # centres of the cards that one hand presses lie nearer to one another
_TOUCHING_MM = 15.0  # a hand farther from a card than this is not on it: outlines of hands have a blurred rim
_CLEAR_MM = 1.5  # a card that slid less than this alone, below one hand, proves nothing
_ALONG = 0.9  # cosine of the angle between a hand's way and that of the card that it takes along
_SHAKEN = 2  # cards beside no hand that jumped at once: the floor was shaken


def disturbed(
    motions: Sequence[CardMotion], hands: Mapping[int, int], *, is_steady: bool = True
) -> dict[int, tuple[Proof, tuple[int, ...]]]:
    """Return the cards whose small slide no hand is proven to have caused, by slot number.

    With each, what besides a hand may have moved it, and the players whose hand may have been on it.

    Parameters
    ----------
    motions : all cards of a poem that moved.
    hands : the likelier hand at each, `NEAR` or `FAR`, by slot number.
    is_steady : whether the camera's own motion is known; else a small slide may be the camera's.
    """
    slid = [one for one in motions if not one.flew and one.slid_mm is not None]
    aside = [
        one
        for one in slid
        if _length_mm(one) < SMALL_MM and not any(_may_touch(one, player) for player in SIDES)
    ]
    found = {}
    drifted = [one for one in motions if one.flew and _drifts(one) and _is_blown(one, motions)]
    for motion in (*slid, *drifted):
        hand = hands[motion.number]
        shaken = [
            one
            for one in aside
            if one is not motion and abs(one.t_ns - motion.t_ns) < 2 * AT_ONCE_NS + _slack_ns(one, motion)
        ]
        seen = motion not in drifted and (is_steady or _length_mm(motion) >= SMALL_MM)
        # in a sweep's wake, too, cards go alike and at once that no hand takes along
        stirs = len(shaken) >= _SHAKEN or _is_blown(motion, motions)
        if seen and _is_proven(motion, hand, slid, is_shaken=stirs):
            continue
        cause = _cause(motion, hand, motions)
        players = tuple(one for one in SIDES if _may_touch(motion, one))
        found[motion.number] = cause, players
    return found


def _is_proven(motion: CardMotion, hand: int, slid: Sequence[CardMotion], *, is_shaken: bool) -> bool:
    length_mm, approach = _length_mm(motion), motion.approach[hand]
    if length_mm >= SMALL_MM:
        beside = [one for one in slid if one is not motion and _is_beside(one, motion)]
        alone = not beside or any(_goes_along(one, motion, hand) for one in beside)
        return alone and any(_carries(motion, one) for one in motion.approach.values())
    if not _may_touch(motion, hand):
        return False
    company = [one for one in slid if one is not motion and _goes_along(one, motion, hand)]
    touched = any(_covers(one.approach[hand], one) for one in (motion, *company))
    if touched and len(company) >= (2 if is_shaken else 1):
        return True
    return not is_shaken and length_mm >= _CLEAR_MM and _takes_along(motion, approach)


def _goes_along(one: CardMotion, motion: CardMotion, hand: int) -> bool:
    """Tell whether another card slid as this one did, at once and below the same hand."""
    assert one.slid_mm is not None
    assert motion.slid_mm is not None
    if not (_is_at_once(one, motion) and _may_touch(one, hand)):
        return False
    most_mm = max(_ALIKE_MM, _ALIKE_SHARE * max(_length_mm(one), _length_mm(motion)))
    return float(np.hypot(*(one.slid_mm - motion.slid_mm))) < most_mm


def _is_beside(one: CardMotion, motion: CardMotion) -> bool:
    """Tell whether another card slid as far at once and as near, and neither may have pushed the other."""
    apart = one.number not in motion.pushers and motion.number not in one.pushers
    return apart and _length_mm(one) >= SMALL_MM and _is_at_once(one, motion)


def _is_at_once(one: CardMotion, motion: CardMotion) -> bool:
    """Tell whether one hand may have come down on two cards together."""
    near = float(np.hypot(*(one.centre_mm - motion.centre_mm))) <= _HAND_MM
    return near and abs(one.t_ns - motion.t_ns) <= AT_ONCE_NS + _slack_ns(one, motion)


def _slack_ns(one: CardMotion, other: CardMotion) -> float:
    """Return how much two instants may differ because neither is known exactly."""
    most_ns = 35e6  # a card hidden for long tells nothing
    return min(float(np.hypot(one.t_unc_ns, other.t_unc_ns)), most_ns)


def _takes_along(motion: CardMotion, approach: Approach) -> bool:
    """Tell whether fingers came down on a single card, stayed, and took it their way."""
    along = _along(motion)
    return _stays(motion, approach) and along is not None and along > _ALONG


def _carries(motion: CardMotion, approach: Approach) -> bool:
    """Tell whether fingers stayed on a card that slid farther, and neither rested nor went another way."""
    along, velocity, astray = _along(motion), motion.any_hand_mps, 0.5  # cosine: 60 degrees
    rests_mps = 0.1  # fingers that take a card so far along move with it
    alone = not all(_may_touch(motion, player) for player in SIDES)  # two hands seem slow together
    if alone and velocity is not None and float(np.hypot(*velocity)) < rests_mps:
        return False
    return _stays(motion, approach) and (along is None or along > astray)


def _stays(motion: CardMotion, approach: Approach) -> bool:
    """Tell whether fingers lay over a card as it may have set off, and still did when it had slid."""
    later_ns = 30e6
    stay_mm2 = float(np.interp(motion.t_ns + later_ns, approach.times_ns, approach.fingers_mm2))
    return _covers(approach, motion) and stay_mm2 >= TIP_MM2


def _along(motion: CardMotion) -> float | None:
    """Return the cosine of the angle between the ways of a card and of the hands at it; None if unknown."""
    least_mps = 0.3
    velocity, way = motion.any_hand_mps, motion.way
    if velocity is None or way is None or float(np.hypot(*velocity)) < least_mps:
        return None
    return float(velocity @ way) / float(np.hypot(*velocity))


def _covers(approach: Approach, motion: CardMotion) -> bool:
    """Tell whether fingers, and not only the arm behind them, lay over a card as it may have set off."""
    around = np.abs(approach.times_ns - motion.t_ns) <= _around_ns(approach, motion)
    return bool((approach.fingers_mm2[around] >= TIP_MM2).any())


def _around_ns(approach: Approach, motion: CardMotion) -> float:
    """Return how far from its instant a card may have set off, at least to the pictures before and after."""
    step_ns, most_ns = approach.step_at(motion.t_ns), 60e6
    return max(min(motion.t_unc_ns, most_ns), step_ns if np.isfinite(step_ns) else 0.0)


def _may_touch(motion: CardMotion, player: int) -> bool:
    """Tell whether a player's hand or sleeve may have been on a card as it set off."""
    one = motion.approach[player]
    around = np.abs(one.times_ns - motion.t_ns) <= max(motion.t_unc_ns, _around_ns(one, motion))
    return float(one.gaps_mm[around].min(initial=one.gap_at(motion.t_ns))) <= _TOUCHING_MM


def _cause(motion: CardMotion, hand: int, motions: Sequence[CardMotion]) -> Proof:
    """Return what besides a hand moved a card most likely."""
    approach = motion.approach[hand]
    if approach.gap_at(motion.t_ns) <= 0 and not _covers(approach, motion):
        return Proof.CLOTH
    # no floor moves a card far
    far = _length_mm(motion) >= SMALL_MM
    return Proof.AIR if far or _is_blown(motion, motions) else Proof.SHOCK


def _is_blown(motion: CardMotion, motions: Sequence[CardMotion]) -> bool:
    """Tell whether a card set off in the wake of a sweep."""
    wake_ns, wake_mm = 120e6, 300.0  # how long after a sweep, and how far from it, cards are blown
    return any(
        one.flew
        and not _drifts(one)
        and -_slack_ns(one, motion) < motion.t_ns - one.t_ns < wake_ns
        and float(np.hypot(*(one.centre_mm - motion.centre_mm))) < wake_mm
        for one in motions
    )


def _drifts(motion: CardMotion) -> bool:
    """Tell whether a card left its place slower than any hand drives it, with no fingers over it."""
    drifts_mps = 0.3  # hands sweep at 0.7 m/s and more; a card that is carried lies below fingers
    slow = motion.velocity_mps is not None and float(np.hypot(*motion.velocity_mps)) < drifts_mps
    return slow and not any(_covers(one, motion) for one in motion.approach.values())


def _length_mm(motion: CardMotion) -> float:
    return 0.0 if motion.slid_mm is None else float(np.hypot(*motion.slid_mm))
