"""Attribute each card's motion to a hand, by how far each player's hand was from it, frame by frame.

A card may also be pushed by an earlier card whose path ends at its edge, or be hit by one that comes down far
from where it lay. Hands are everywhere then, so neither case is a touch that can be proven.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.contact.approach import Hands, approach_of
from vision.contact.card_case import BESIDE_MM, MET_NS, TOUCHED_CHANCE, CardCase, HandMotion
from vision.contact.cause import CARD, FAR_HAND, NEAR_HAND, causes
from vision.contact.contact import Contact, Proof
from vision.contact.evidence import CardMotion, Floats
from vision.contact.late_fingers import CAUGHT_UP_UNC_NS, REACHED_NS, caught_up_ns, reached_late_ns
from vision.contact.measurement import measured
from vision.contact.pushers import pushers_of
from vision.contact.resting_fingers import rests_ns
from vision.contact.small_slides import disturbed
from vision.contact.velocities import hand_speeds, hand_velocities
from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.field.steady_view import FEWEST_CARDS
from vision.hands.frame_map import FAR, NEAR, OTHER, SIDES, STRANGER
from vision.launch.onset import WEAK
from vision.launch.strikes import Strike

_CONTESTED = 0.75  # highest confidence if another hand than the likeliest at the card drove its pusher
_EVEN = 0.57  # below this confidence neither hand is likelier
_CLEAR = 0.9  # below this confidence the other hand may have been the one


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """The hand seen at a card: whose it most likely is, how certainly, and whether it touched the card.

    `chance` is the probability that any hand touched it. `pushers` are the cards that may have pushed it; if
    it is `loose`, a card that came down on it may have moved it. `late_ns` is how long after setting off it
    was reached by the fingers, if another card pushed it; `lain_ns` how long before that they may have lain
    on it. The players in `landed` came to rest on it just before and may have touched it first.
    """

    case: CardCase
    first: int
    confidence: float
    chance: float
    pushers: Sequence[Strike]
    loose: bool
    late_ns: float = 0.0
    landed: Collection[int] = ()
    lain_ns: float = 0.0

    @property
    def is_pushed(self) -> bool:
        pushed_chance = 0.3  # below it the card was surely pushed
        least = pushed_chance
        if self.case.strike.flight is not None:
            # if the hand is not known, it may still be known what lies behind the card
            even = bool(self.pushers) and self.confidence < _EVEN
            rather_pushed = 0.5  # below it a card that flew was more likely pushed, or hit
            least = TOUCHED_CHANCE if even else rather_pushed
        return self.chance < least or min(self.case.gaps.values()) > BESIDE_MM


def attributed(
    field: FieldModel, departures: Mapping[int, Departure], strikes: Sequence[Strike], hands: Hands
) -> list[tuple[Strike, list[Contact]]]:
    """Return the hands at each card that moved, the first one first; none if no hand was near.

    Parameters
    ----------
    field : the resting field.
    departures : the pictures around the beginning of each card's motion, by slot number.
    strikes : the motions of all cards of the poem.
    hands : the players' maps without those of these cards that flew.
    """
    cases = []
    for strike in strikes:
        cases.append(_case(strike, departures[strike.number], hands))
        if cases[-1].is_contest or strike.flight is None:
            clear = _case(strike, departures[strike.number], hands, without_shade=True)
            # a card that slid differs from the resting field like a hand, but all of its print is seen: no
            # hand is there
            if cases[-1].is_contest or clear.is_uncovered:
                cases[-1] = replace(clear, shaded=cases[-1].approach)
    pushers = {strike.number: pushers_of(field, strike, strikes, departures) for strike in strikes}
    motions = []
    for index, case in enumerate(cases):
        moving = _hand_motion(case, hands) if case.is_disputed else None
        cases[index] = _told_apart(replace(case, moving=moving), hands)
        motions.append(measured(cases[index], hands, strikes, pushers[case.strike.number]))
    looks = {
        case.strike.number: _timed(_look(case, motion, chances, pushers[case.strike.number]), hands)
        for case, motion, chances in zip(cases, motions, causes(motions), strict=True)
    }
    stirred = _stirred(motions, looks, is_steady=len(field.slots) >= FEWEST_CARDS)
    found = {number: stirred.get(number) or _hands_at(number, looks) for number in looks}
    _put_in_order(found, looks)
    for number, look in looks.items():
        if number not in stirred:
            found[number] += _came_later(look, found[number], hands)
        found[number] = _with_stranger(look.case, found[number], hands)
    return [(case.strike, found[case.strike.number]) for case in cases]


def _stirred(
    motions: Sequence[CardMotion], looks: Mapping[int, _Look], *, is_steady: bool
) -> dict[int, list[Contact]]:
    """Return what is told of the cards that slid a little, and that no hand is proven to have moved."""
    firsts = {number: look.first for number, look in looks.items()}
    stirred = disturbed(motions, firsts, is_steady=is_steady)
    # a card that a hand moved pushed it, or a card that was pushed itself
    while pushed := [
        number
        for number in stirred
        if looks[number].is_pushed and any(one.number not in stirred for one in looks[number].pushers)
    ]:
        for number in pushed:
            del stirred[number]
    told: dict[int, list[Contact]] = {}
    for number, one in stirred.items():
        onset = looks[number].case.strike.onset
        sides = [SIDES[player] for player in one.players]
        told[number] = [
            Contact(side, onset.t_ns, onset.t_unc_ns, 0.5, one.proof) for side in (sides or (None,))
        ]
    return told


def _put_in_order(found: Mapping[int, list[Contact]], looks: Mapping[int, _Look]) -> None:
    """Correct a hand that seems to touch a card before the one behind it: both were touched in between."""
    for number, ahead in found.items():
        for pusher in looks[number].pushers:
            behind = found.get(pusher.number)
            if not (ahead and behind) or {ahead[0].proof, behind[0].proof} != {Proof.MOTION}:
                continue
            one, other = ahead[0], behind[0]
            if one.side is not other.side or one.t_ns > other.t_ns:
                continue
            unc_ns, other_ns = (looks[of].case.strike.onset.t_unc_ns for of in (number, pusher.number))
            weight = other_ns**2 / (unc_ns**2 + other_ns**2)
            between_ns = weight * one.t_ns + (1 - weight) * other.t_ns
            next_ns = 200_000  # least time from a card to the next one
            ahead[0] = replace(one, t_ns=between_ns + next_ns / 2)
            behind[0] = replace(other, t_ns=between_ns - next_ns / 2)


def _case(strike: Strike, departure: Departure, hands: Hands, *, without_shade: bool = False) -> CardCase:
    approach = {
        player: approach_of(strike, departure, hands, player=player, without_shade=without_shade)
        for player in SIDES
    }
    return CardCase(strike, departure, approach)


def _hand_motion(case: CardCase, hands: Hands) -> HandMotion:
    seen = hands.field, case.strike, case.departure, hands
    return HandMotion(hand_velocities(*seen), hand_speeds(*seen))


def _told_apart(case: CardCase, hands: Hands) -> CardCase:
    """Return the case after tracing arms that had met back from where they parted.

    This is done only if a hand near the card had been one region with the other player's arm for long.
    """
    t_ns = case.strike.onset.t_ns
    met = [
        player
        for player in SIDES
        if case.gaps[player] <= BESIDE_MM and case.approach[player].met_at(t_ns) > MET_NS
    ]
    if not met:
        return case
    while hands.look_back(case.approach[met[0]].view_at(t_ns)):
        pass
    again = _case(case.strike, case.departure, hands, without_shade=case.shaded is not None)
    return replace(case, approach=again.approach)


def _look(case: CardCase, motion: CardMotion, chances: Floats, pushers: Sequence[Strike]) -> _Look:
    """Judge one card without what is seen at the cards that may have pushed it.

    `chances` (3,) are those of the causes of its motion, see `vision.contact.cause`.
    """
    first = NEAR if chances[NEAR_HAND] >= chances[FAR_HAND] else FAR
    sure = float(max(chances[NEAR_HAND], chances[FAR_HAND]) / (chances[NEAR_HAND] + chances[FAR_HAND]))
    touched = float(1 - chances[CARD])
    if not (pushers or motion.is_loose):
        # no other card can have moved it: that happened with only 22 of 2,049 such cards in simulated halls
        unexplained = 0.01
        touched = max(touched, 1 - unexplained)
    approach, tip_mm2 = case.approach[first], 200.0
    if approach.is_arm_at(motion.t_ns) and approach.fingers_at(motion.t_ns) < tip_mm2:
        # sleeves brush cards along, but no hand in the training data has such a sleeve
        brushed = 0.55
        sure = min(sure, brushed)
    lain_ns = _lain_ns(motion, first)
    return _Look(case, first, sure, touched, pushers, motion.is_loose, landed=motion.landed, lain_ns=lain_ns)


def _timed(look: _Look, hands: Hands) -> _Look:
    """Return the look with how long after the card set off the fingers reached it."""
    case, strike = look.case, look.case.strike
    if look.is_pushed or look.confidence < _EVEN or strike.flight is None or strike.is_timed_by_others:
        return look
    late_ns = caught_up_ns(strike, look.pushers, case.departure, hands, look.first)
    return replace(look, late_ns=late_ns)


def _lain_ns(motion: CardMotion, player: int) -> float:
    """Return how long fingers may have lain on a card before they pushed it off, nanoseconds.

    A sweeping hand touches the card as it sets off. A hand no faster than this gathers speed on the card,
    which is seen to move only some time after the fingers came down; a camera above does not see them come
    down.
    """
    gathering_mps, longest_ns = 0.6, 60_000_000
    if motion.any_hand_mps is None or motion.velocity_mps is None:
        return 0.0  # pressing hands come down from above, and the card slides at once
    if max(float(np.hypot(*one)) for one in (motion.any_hand_mps, motion.velocity_mps)) > gathering_mps:
        return 0.0
    return min(motion.approach[player].lain_ns(motion.t_ns), longest_ns)


def _hands_at(number: int, looks: Mapping[int, _Look]) -> list[Contact]:
    """Return whose hand may have been at a card that moved, the likelier first, with its instant and proof.

    None where no hand was near and no card may have pushed it. A card that another one pushed is told with
    the hand that drove the pusher, and with the other player's fingers where these reached it meanwhile. Any
    other is told with the first hand's touch, with a pusher's drive where a touch is not sure, and with the
    second hand: as an equal where the two are even, as a rival where it arrived, else as one that hovered.
    """
    look = looks[number]
    case, first, confidence, touched = look.case, look.first, look.confidence, look.chance
    strike, onset, gaps = case.strike, case.strike.onset, case.gaps
    nearest_mm = min(gaps.values())
    drives_mm = 120.0  # farthest distance from the hand at which a card is still driven by a struck one
    # if only one player's hand is on the field, it drove this card through others, seen or not
    driven = _flew(strike) and nearest_mm < drives_mm < abs(gaps[NEAR] - gaps[FAR])
    if nearest_mm > BESIDE_MM and not (look.pushers or look.loose or driven):
        return []
    second = OTHER[first]
    driver, sure = _pushed_by(number, looks)
    surely_driven = 0.87  # from this confidence in the pusher's driver on, it counts as certain
    pushed = 0.9  # confidence in who drove the card that pushed this one
    along = Contact(
        SIDES[driver],
        onset.t_ns,
        onset.t_unc_ns,
        pushed if sure >= surely_driven else pushed * sure,
        Proof.PUSHED if look.is_pushed else Proof.MAYBE_PUSHED,
        case.is_followed_by(driver),
    )
    if look.is_pushed:
        other = case.approach[OTHER[driver]]  # its fingers may have reached the card, too
        away = other.gap_before(onset.t_ns - onset.t_unc_ns) > 0  # otherwise they hung over it
        fingers_mm2 = 600.0  # of the card, below two fingertips
        came = away and other.fingers_at(onset.t_ns) >= fingers_mm2
        comer = Contact(SIDES[OTHER[driver]], onset.t_ns, onset.t_unc_ns, 0.5, Proof.RIVAL)
        return [along, comer] if came or OTHER[driver] in look.landed else [along]
    late_ns = reached_late_ns(strike) if touched < TOUCHED_CHANCE else 0.0
    even = case.moving is not None and confidence < _EVEN and gaps[second] <= 0
    if even or (case.moving is not None and strike.is_timed_by_others):
        # the hand over it that did not move it came down later, or another one struck its neighbours earlier
        late_ns = max(late_ns, REACHED_NS)
    if case.moving is not None and look.pushers and (driver != first or sure < _EVEN):
        confidence = min(confidence, _CONTESTED)  # perhaps the hand that drove its pusher did it all
    t_ns, unc_ns = onset.t_ns + look.late_ns, float(onset.t_unc_ns)
    if look.late_ns:
        unc_ns, late_ns = float(np.hypot(onset.t_unc_ns, CAUGHT_UP_UNC_NS)), 0.0
    t_ns, unc_ns = t_ns - look.lain_ns / 2, unc_ns + look.lain_ns / 2
    found = [
        Contact(
            SIDES[first], t_ns, unc_ns, confidence * touched, later_ns=late_ns, player_confidence=confidence
        )
    ]
    if touched < TOUCHED_CHANCE:
        found.append(along)
    # a card that slid differs from the resting picture like a hand: where its own print is seen there is none
    seen = case.approach if case.shaded is None or strike.flight is None else case.shaded
    arrival = seen[second].arrival(onset.t_ns)
    at_once = case.came_at_once(second, arrival)
    later_ns = 100_000_000  # a hand over a card that slid this long ago is on its way back
    if strike.flight is None and seen[second].only_passes(onset.t_ns, onset.t_unc_ns + later_ns):
        arrival = None  # an arm, or a later hand: fingers that touch a card stay on it or take it along
    elif arrival is not None and case.is_away_before(arrival, second):
        arrival = None
    rival = arrival if at_once is None else at_once
    if even:
        found.append(Contact(SIDES[second], onset.t_ns, unc_ns, 1 - confidence, later_ns=late_ns))
    elif rival is not None:
        # when it came matters as little as where it hovered: the card moved with the other hand
        pressed_below = gaps[second] <= 0 and strike.flight is None
        clear = 0.8  # above this confidence in the driving hand, the other one over the card proves nothing
        hovers = confidence >= clear and (pressed_below or case.moving is not None)
        hovers = hovers and at_once is None and second not in look.landed
        proof = Proof.HOVER if hovers else Proof.RIVAL
        found.append(Contact(SIDES[second], rival[0], rival[1] + onset.t_unc_ns, 0.5, proof))
    elif confidence < _CLEAR and gaps[second] <= BESIDE_MM:
        found.append(Contact(SIDES[second], onset.t_ns, unc_ns + late_ns, 0.5, Proof.HOVER))
    return found


def _came_later(look: _Look, found: Sequence[Contact], hands: Hands) -> list[Contact]:
    """Return the other player's hand if it came to rest on the card after it was pressed or pushed."""
    case, strike = look.case, look.case.strike
    players = {one.side for one in found}
    if strike.flight is not None or len(players) != 1:
        return []
    second = next(player for player, side in SIDES.items() if side not in players)
    slot = hands.field.slots[strike.number]
    rests = rests_ns(slot, case.departure, hands, second, strike.onset.t_ns)
    if rests is None:
        return []
    return [Contact(SIDES[second], sum(rests) / 2, (rests[1] - rests[0]) / 2, 0.5, Proof.HOVER)]


def _with_stranger(case: CardCase, found: list[Contact], hands: Hands) -> list[Contact]:
    """Return the hands at a card with that of a stranger, which may have moved it whoever else was there."""
    onset = case.strike.onset
    if not any(bool((view.over.players == STRANGER).any()) for view in case.departure.views):
        return found
    stranger = approach_of(case.strike, case.departure, hands, player=STRANGER)
    around = np.abs(stranger.times_ns - onset.t_ns) <= onset.t_unc_ns
    if stranger.gaps_mm[around].min(initial=stranger.gap_at(onset.t_ns)) > BESIDE_MM:
        return found
    known = [one for one in found if one.side is not None]
    return [*known, Contact(None, onset.t_ns, onset.t_unc_ns, 0.5, Proof.STRANGER)]


def _pushed_by(number: int, looks: Mapping[int, _Look]) -> tuple[int, float]:
    """Return who drove the card that pushed this one, and how certain that is.

    A hand over a pushed card tells nothing about it; the hand that drove its pusher does.
    """
    look = looks[number]
    began = _began(number, looks, {number})
    if not began:
        return look.first, look.confidence
    driver, sure = began[0].first, min(one.confidence for one in began)
    if any(one.first != driver for one in began):
        return look.first, min(look.confidence, _EVEN)
    if sure < _EVEN:  # the pusher's driver is unknown, however near a hand is to this card
        return driver, sure
    if driver != look.first:
        return driver, min(sure, _CONTESTED)
    # two hands at a pushed card tell nothing about who drove its pusher
    return driver, sure if look.case.moving is not None else max(sure, look.confidence)


def _began(number: int, looks: Mapping[int, _Look], known: set[int]) -> list[_Look]:
    """Return the hand-driven cards that may have pushed a card, directly or through others."""
    found = []
    for pusher in looks[number].pushers:
        if pusher.number in known or pusher.number not in looks:
            continue
        known.add(pusher.number)
        behind = looks[pusher.number]
        if behind.chance < TOUCHED_CHANCE:
            found += _began(pusher.number, looks, known)
        if not behind.is_pushed or not behind.pushers:
            found.append(behind)
    return found


def _flew(strike: Strike) -> bool:
    return strike.flight is not None and strike.flight.strength >= WEAK
