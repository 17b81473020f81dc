"""Whether a card was touched when it set off, or another card pushed it.

Cards of a row lie a millimetre apart, so a struck card pushes its neighbour before the fingers get there,
and a hand that hangs over a card proves nothing. What tells the two apart is how far the hand still had to go
when the card set off, how much of the card the fingers cover (not the palm or the arm behind them), how
clearly the card and the one behind it are seen to fly off (fingers hide what they strike), and, where a card
stayed in view, how far it slid: hands press cards by millimetres, or send them flying. Each sign adds to the
logarithm of the odds; the weights are logistic regressions over rendered strikes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.contact.approach import Approach
from vision.departures.departure import Departure
from vision.field.slots import Slot
from vision.hand_cues.speed import hand_velocity
from vision.launch.strikes import Strike

_STRUCK = {
    "left": -0.27,
    "clear": -1.9,
    "clearer": 1.4,
    "fingers": 0.43,
    "palm": -0.8,
    "arm": -2.2,
    "always": 0.2,
}
"""Of cards that flew and had another one behind them: fitted to 1194 of three renderers, of which 458 were
touched (mean log loss, left out by renderer, 0.47 to 0.53; by the weights of those that only a flying card
may have hit 0.62 to 0.96).
"""
_STRUCK_OR_HIT = {
    "left": -0.46,
    "clear": -2.0,
    "fingers": 0.76,
    "palm": -1.0,
    "arm": -1.6,
    "always": -2.06,
}
"""Of cards that flew where a flying one may have come down. More of them are touched than this says, 100 of
271, but it is in the other territory that cards come down, where a false touch is a fault: by a fit to them
four right rulings of 549 became reviews, and a wrong one was decided.
"""
_SLID_AMID_FLIGHTS = {"left": -1.0, "fingers": 1.0, "way": -0.4, "loose": -1.3, "arm": -0.9, "always": -3.5}
_SLID = {"left": -0.26, "fingers": 0.89, "alike": 1.49, "always": -1.77}
"""What each sign adds to the logarithm of the odds, see `signs`; ``alike``: so many others slid like it.

Cards that slid where none flew are pressed together, or push one another: fitted to 627 cards of four
renderers (mean log loss, left out by renderer: 0.24; by the weights of those amid flights: 0.38).
"""
_PALM_CM, _EDGE_CM = -2.5, 2.0  # so deep over a card a hand lies on it, and so near it comes to its edge
_VAGUE_NS = 25e6
_LEFT_CM = {True: (-3.0, 6.0), False: (-4.0, 6.0)}


def chance_ever(chance: float) -> float:
    """Return how likely a hand touched a card at any time that it touched with a `chance` when it set off."""
    reached_later = 0.6  # what is added for a touch at any time: fingers reach some of the pushed cards later
    odds = chance * math.exp(reached_later)
    return odds / (1 - chance + odds)


def chance_touched(
    slot: Slot,
    strike: Strike,
    departure: Departure,
    approach: Approach,
    pushers: Sequence[Strike],
    *,
    loose: bool,
    strayed: bool,
    flown: bool,
    pressed: int,
    nudged: bool,
    alone: bool,
    first: bool,
    amid_flights: bool,
) -> float:
    """Return the probability that a player's hand was on a card when it set off.

    Parameters
    ----------
    slot : where the card lay.
    strike : its motion.
    departure : the pictures around its beginning.
    approach : how near the player's hand was.
    pushers : the cards that may have pushed it, see `pushing.pushers_of`.
    loose : a card that was struck earlier may have come down on it.
    strayed : one that nobody saw fly may have, though its way seems to lead elsewhere.
    flown : some card had flown off by then, wherever it went; else hands and arms alone move cards.
    pressed : so many others slid alike at once under the same player: an arm that brushes cards moves one.
    nudged : a pusher may have driven it: what slides no farther itself drives nothing so far.
    alone : no other player's hand was near.
    first : no card set off before.
    amid_flights : a card that flew may have moved it, straight or by way of others.
    """
    seen = signs(slot, strike, departure, approach, pushers, loose=loose)
    under_palm, pressed_by_palm = 0.6, 0.9  # under a hand whose fingers lie elsewhere, not its arm
    one_tip_cm = 1.0
    pressed_mm = 4.0  # pressed cards slide less
    if not pushers and not loose:  # nothing else is known to have moved it
        two_tips_cm = 2.1  # fingers hide what they strike: two tips are so large together
        hidden = seen["fingers"] < two_tips_cm and _is_hidden_for_long(strike, departure)
        cell_cm = 0.7  # side of a cell of the players' map
        # between two pictures a hand that comes over the card later seems to have a tip there already
        coming = flown and seen["fingers"] < cell_cm and seen["left"] > _EDGE_CM
        # one tip, and a flying card that may have come there: either may have moved it
        coming |= strayed and seen["fingers"] < one_tip_cm
        arm = approach.is_arm_at(strike.onset.t_ns)
        at_it = seen["fingers"] > (cell_cm if arm else 0.0)
        if at_it and seen.get("way", 0.0) < pressed_mm and not hidden and not coming:
            return 1.0
        if strike.flight is not None:
            t_ns, hand_px = strike.onset.t_ns, hand_velocity(slot, departure)
            # slow hands come over the place of a card that they strike within this time
            followed_ns = 50_000_000
            followed = approach.came_over(t_ns, t_ns + followed_ns, -10 * _PALM_CM) or _go_alike(
                strike.flight.velocity_px, hand_px
            )
            if flown and not followed and not seen["palm"]:
                return 0.15  # a hand went another way beside it, and cards were flying
            nothing_else = 0.9  # of the first card to go: a shoulder hides the fingers; 13 of 13 were touched
            below = nothing_else if first else under_palm
            most = below if hidden or strayed else 1.0
            return min(_chance_alone(seen, below, arm=arm, followed=followed), most)
        if seen["left"] < _PALM_CM and seen["way"] < pressed_mm and not (arm and (flown or not pressed)):
            return pressed_by_palm
        came = approach.nearest_mm(strike.onset.t_ns, strike.onset.t_unc_ns) < 10 * _EDGE_CM
        if came and (alone or strike.onset.t_unc_ns < _VAGUE_NS) and not (arm or flown):
            return 0.95  # no card moved any, and a hand came to its edge: 21 of 22 were touched
    most_alike = 2
    seen["alike"] = float(min(pressed, most_alike))
    if strike.flight is not None:
        weights = _STRUCK if pushers else _STRUCK_OR_HIT
        if seen["left"] > _EDGE_CM:
            seen["fingers"] = 0.0  # with the hand so far away they are the card: 2 of 15 were touched
    else:
        weights = _SLID_AMID_FLIGHTS if amid_flights else _SLID
    odds = sum(weight * seen[sign] for sign, weight in weights.items())
    if strike.flight is None:
        most = _most_of_slid(strike, pushers, loose=loose, pressed=pressed, nudged=nudged)
        if flown and seen["way"] >= pressed_mm:
            drawn = seen["fingers"] > one_tip_cm and not (pushers or loose or strayed)
            # it slid farther than pressed cards do, and cards had flown: one of ten was touched
            slid_far = 0.4
            # below fingers, with no card that may have come there, a hand drew it along: 7 of 8 were
            drawn_far = 0.78
            most = min(most, drawn_far if drawn else slid_far)
    else:  # what lay below hands for so long may have been hit at any time by what came down there
        most = under_palm if loose and _is_hidden_for_long(strike, departure) else 1.0
    return min(1 / (1 + math.exp(-odds)), most)


def _most_of_slid(
    strike: Strike, pushers: Sequence[Strike], *, loose: bool, pressed: int, nudged: bool
) -> float:
    """Return how likely a card that slid was touched at most, for what may have pushed it."""
    unc_ns = strike.onset.t_unc_ns
    flown = [one for one in pushers if one.flight is not None]
    past_ns = [strike.onset.t_ns - one.onset.t_ns - unc_ns - one.onset.t_unc_ns for one in flown]
    gone_ns = 30_000_000  # what flies off is past the card beside it by then
    if flown and (loose or min(past_ns) < gone_ns):
        return 0.1  # fingers that sweep away the card beside it take both
    if loose:
        return 0.4  # a flying card may have come there: one of 8 that seemed surer was touched
    if pressed or not pushers:
        return 1.0
    # One beside it may have nudged it, or it slid about as far as that one, or farther. Of 22 cards of three
    # renderers that slid beside one that slid otherwise 13 were touched, of those that slid alike nearly all.
    # Below fingers 61 of 67 that slid as far as the other one were, and 19 of 39 that did not.
    slid_beside, slid_farther = 0.6, 0.9
    return slid_beside if nudged else slid_farther


def _is_hidden_for_long(strike: Strike, departure: Departure) -> bool:
    """Tell whether a card was hidden for so long that its own pictures do not tell when it went."""
    still_ns, gone_ns = departure.bracket_ns
    vague = strike.is_timed_by_others or strike.onset.t_unc_ns > _VAGUE_NS
    long_ns = 90_000_000  # hidden so long, a card may have been hit at any time, by anything
    return vague and gone_ns - still_ns >= long_ns


def _go_alike(card_px: NDArray[np.float64], hand_px: NDArray[np.float64] | None) -> bool:
    """Tell whether a card flew off about the way in which a hand moves, as far as that is known."""
    lengths = 0.0 if hand_px is None else float(np.hypot(*card_px) * np.hypot(*hand_px))
    alike_cos = 0.5  # between the way of a hand and that of a card that it strikes at an edge or a corner
    return hand_px is None or lengths == 0 or float(card_px @ hand_px) > alike_cos * lengths


def _chance_alone(seen: Mapping[str, float], below: float, *, arm: bool, followed: bool) -> float:
    """Return the chance of a card that flew off by itself, without fingers over it.

    `below` is that of one below a palm; `followed` tells that the hand came over its place soon after, or
    went the card's way: one that strikes an edge goes on, and takes the card along.
    """
    if arm:
        return 0.2  # no fingers came to it, and no other card either
    if seen["palm"]:
        return below
    # no arm lay over it: the hand that was coming reached it unseen; 11 of 11 were touched
    unexplained = 0.78
    return 1.0 if seen["left"] < _EDGE_CM and followed else unexplained


def signs(
    slot: Slot,
    strike: Strike,
    departure: Departure,
    approach: Approach,
    pushers: Sequence[Strike],
    *,
    loose: bool,
) -> dict[str, float]:
    """Return what is seen at a card; see `chance_touched` for the parameters.

    ``left``: how far the hand still was, ``fingers``: side of a square as large as what they cover, both in
    centimetres; ``palm``: a hand lies deep over the card, but not its fingers; ``arm``: they are past it;
    ``clear``: strength of the card's own path, ``clearer``: than that of a pusher; ``way``: how far the card
    slid, millimetres; ``loose``: see there. Arms press cards, too: of those that slid ``arm`` counts only
    where they are loose.
    """
    struck, t_ns = strike.flight is not None, strike.onset.t_ns
    velocity = hand_velocity(slot, departure)
    speed = 0.0 if velocity is None else float(np.hypot(*velocity)) / slot.px_per_mm
    most_fingers_cm = 3.2  # fingers hide what they strike: two tips are so large together
    found = {
        "always": 1.0,
        "left": float(np.clip(approach.left_at(t_ns, speed) / 10, *_LEFT_CM[struck])),
        "fingers": min(approach.fingers_at(t_ns) ** 0.5 / 10, most_fingers_cm),
    }
    arm = float(approach.is_arm_at(t_ns))
    if strike.flight is not None:
        clear = _clearness(strike)
        clearer = max((clear - _clearness(one) for one in pushers), default=0.0)
        palm = float(found["fingers"] == 0 and found["left"] < _PALM_CM)
        return found | {"clear": clear, "clearer": clearer, "palm": palm, "arm": arm}
    way_px = departure.final_shift_px
    way_mm = 0.0 if way_px is None else float(np.hypot(*way_px)) / slot.px_per_mm
    longest_mm = 6.0  # a longer slide says no more
    return found | {"way": min(way_mm, longest_mm), "loose": float(loose), "arm": arm * loose}


def _clearness(strike: Strike) -> float:
    return 0.0 if strike.flight is None else min(strike.flight.strength, 1.0)
