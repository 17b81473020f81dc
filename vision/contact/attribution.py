"""Attribute each card's motion to a hand, by how far each player's hand was from it, frame by frame.

A card may also be pushed by an earlier card whose path ends at its edge, or be hit by one that comes down far
from where it lay. Hands are everywhere then, so neither case is a touch that can be proven.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.contact.approach import Hands, approach_of
from vision.contact.card_case import BESIDE_MM, CardCase
from vision.contact.cause import CARD, FAR_HAND, NEAR_HAND, causes
from vision.contact.evidence import CardMotion, Floats, measured, pushers_of
from vision.contact.facts import Contact, Proof
from vision.contact.late_fingers import CAUGHT_UP_UNC_NS, REACHED_NS, caught_up_ns
from vision.contact.small_slides import disturbed
from vision.contact.velocities import hand_velocities
from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.field.steady_view import FEWEST_CARDS
from vision.hands.frame_map import FAR, NEAR, OTHER, SIDES, STRANGER
from vision.launch.strikes import Strike

_EVEN = 0.57  # below this confidence neither hand is likelier
_TOUCHED_CHANCE = 0.8  # a card with a higher chance was certainly touched


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """The hand seen at a card: whose it most likely is, how certainly, and whether it touched the card."""

    case: CardCase
    first: int
    confidence: float
    chance: float  # that any hand touched it
    pushers: Sequence[Strike]  # the cards that may have pushed it
    loose: bool  # whether a card that came down on it may have moved it
    lain_ns: float  # how long before it set off fingers may have lain on it
    late_ns: float = 0.0  # how long after that the fingers reached it, if another card pushed it

    @property
    def is_even(self) -> bool:
        """Whether either of two hands over the card may have been the one."""
        over = self.case.gaps[OTHER[self.first]] <= 0
        return self.case.moving is not None and self.confidence < _EVEN and over

    @property
    def is_pushed(self) -> bool:
        # if the hand is not known, it may still be known what lies behind the card
        even = bool(self.pushers) and self.confidence < _EVEN
        return self.chance < (_TOUCHED_CHANCE if even else 0.5) or self.is_far

    @property
    def is_far(self) -> bool:
        """Whether no hand was near as it set off."""
        return min(self.case.gaps.values()) > BESIDE_MM


def attributed(
    field: FieldModel, departures: Mapping[int, Departure], strikes: Sequence[Strike], hands: Hands
) -> list[tuple[Strike, list[Contact]]]:
    """Return the hands at each card that moved, the first one first; none if no hand was near.

    `departures` are the pictures around the beginning of each card's motion, by slot number, `strikes` the
    motions of all cards of the poem, `hands` the players' maps without those of these cards that flew.
    """
    pushers = {strike.number: pushers_of(field, strike, strikes, departures) for strike in strikes}
    cases = [_case(field, strike, departures[strike.number], hands) for strike in strikes]
    motions = [measured(case, hands, strikes, pushers[case.strike.number]) for case in cases]
    looks = {
        case.strike.number: _look(case, motion, chances, pushers[case.strike.number], hands)
        for case, motion, chances in zip(cases, motions, causes(motions), strict=True)
    }
    looks = _without_divided_hands(looks)
    stirred = _stirred(motions, looks, is_steady=len(field.slots) >= FEWEST_CARDS)
    told = []
    for number, look in looks.items():
        found = stirred.get(number) or _hands_at(number, looks)
        told.append((look.case.strike, _with_stranger(look.case, found, hands)))
    return told


def _case(field: FieldModel, strike: Strike, departure: Departure, hands: Hands) -> CardCase:
    def seen(*, without_shade: bool) -> CardCase:
        near, far = (
            approach_of(strike, departure, hands, player=player, without_shade=without_shade)
            for player in SIDES
        )
        return CardCase(strike, departure, {NEAR: near, FAR: far})

    case = seen(without_shade=False)
    if case.is_contest or strike.flight is None:
        clear = seen(without_shade=True)
        # a card that slid differs from the resting field like a hand, but all of its print is seen: no hand
        # is there
        if case.is_contest or clear.is_uncovered:
            case = clear
    if case.is_disputed:
        case = replace(case, moving=hand_velocities(field, strike, departure, hands))
    return case


def _look(
    case: CardCase, motion: CardMotion, chances: Floats, pushers: Sequence[Strike], hands: Hands
) -> _Look:
    """Judge one card without what is seen at the cards that may have pushed it.

    `chances` (3,) are those of the causes of its motion, see `vision.contact.cause`.
    """
    first = NEAR if chances[NEAR_HAND] >= chances[FAR_HAND] else FAR
    sure = float(max(chances[NEAR_HAND], chances[FAR_HAND]) / (chances[NEAR_HAND] + chances[FAR_HAND]))
    touched = float(1 - chances[CARD])
    look = _Look(case, first, sure, touched, pushers, motion.is_loose, _lain_ns(motion, first))
    strike = case.strike
    if look.is_pushed or sure < _EVEN or strike.flight is None or strike.is_timed_by_others:
        return look
    return replace(look, late_ns=caught_up_ns(strike, pushers, case.departure, hands, first))


def _lain_ns(motion: CardMotion, player: int) -> float:
    """Return how long fingers may have lain on a card before they pushed it off, nanoseconds.

    A sweeping hand touches the card as it sets off. A hand no faster than this gathers speed on the card,
    which is seen to move only some time after the fingers came down; a camera above does not see them come
    down. Pressing hands come down from above, and the card slides at once.
    """
    gathering_mps, longest_ns = 0.6, 60_000_000
    if motion.any_hand_mps is None or motion.velocity_mps is None:
        return 0.0
    if max(float(np.hypot(*one)) for one in (motion.any_hand_mps, motion.velocity_mps)) > gathering_mps:
        return 0.0
    return min(motion.approach[player].lain_ns(motion.t_ns), longest_ns)


def _without_divided_hands(looks: Mapping[int, _Look]) -> dict[int, _Look]:
    """Return the looks with neither hand likelier where the two move as one, or the card's motion belies it.

    Where they move as one, this holds for each card that set off with such a card under the same hand.
    """
    divided = [look for look in looks.values() if look.case.moves_as_one]

    def is_divided(look: _Look) -> bool:
        onset = look.case.strike.onset
        return look.case.is_belied(look.first) or any(
            one.first == look.first
            and abs(one.case.strike.onset.t_ns - onset.t_ns)
            <= one.case.strike.onset.t_unc_ns + onset.t_unc_ns
            for one in divided
        )

    return {
        number: replace(look, confidence=0.5) if is_divided(look) else look for number, look in looks.items()
    }


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
    told = {}
    for number, (proof, players) in stirred.items():
        onset = looks[number].case.strike.onset
        told[number] = [
            Contact(SIDES.get(player), onset.t_ns, onset.t_unc_ns, 0.5, proof)
            for player in players or (STRANGER,)
        ]
    return told


def _hands_at(number: int, looks: Mapping[int, _Look]) -> list[Contact]:
    """Return whose hand may have been at a card that moved, the likelier first, with its instant and proof.

    None where no hand was near and no card may have pushed it. A card that another one pushed is told with
    the hand that drove the pusher. Any other is told with the first hand's touch, with a pusher's drive where
    a touch is not sure, and with the second hand.
    """
    look = looks[number]
    if look.is_far and not (look.pushers or look.loose):
        return []
    onset = look.case.strike.onset
    driver, sure = _pushed_by(number, looks)
    pushed = 0.9 * sure  # 0.9: most confidence in who drove the card that pushed this one
    if look.is_pushed:
        return [Contact(SIDES[driver], onset.t_ns, onset.t_unc_ns, pushed, Proof.PUSHED)]
    # the hand over it that did not move it came down later, or another one struck its neighbours earlier
    is_late = look.is_even or (look.case.moving is not None and look.case.strike.is_timed_by_others)
    late_ns, unc_ns = REACHED_NS if is_late else 0.0, float(onset.t_unc_ns)
    if look.late_ns:
        unc_ns, late_ns = float(np.hypot(unc_ns, CAUGHT_UP_UNC_NS)), 0.0
    touch = Contact(
        SIDES[look.first],
        onset.t_ns + look.late_ns - look.lain_ns / 2,
        unc_ns + look.lain_ns / 2,
        look.confidence * look.chance,
        later_ns=late_ns,
        player_confidence=look.confidence,
    )
    maybe = []
    if look.chance < _TOUCHED_CHANCE:
        # if it was touched after all, the other hand may have done it
        own = look.confidence if driver == look.first else 1 - look.confidence
        chance = min(pushed, look.chance * own + (1 - look.chance) * pushed)
        maybe = [Contact(SIDES[driver], onset.t_ns, onset.t_unc_ns, chance, Proof.PUSHED)]
    return [touch, *maybe, *_second_hand(look, touch)]


def _second_hand(look: _Look, touch: Contact) -> list[Contact]:
    """Return the other hand at a card: as an equal where the two are even, as a rival where it arrived.

    A hand over the card while the other one surely moved it proves nothing.
    """
    case, onset, second = look.case, look.case.strike.onset, OTHER[look.first]
    side = SIDES[second]
    if look.is_even:
        return [Contact(side, onset.t_ns, touch.t_unc_ns, 1 - look.confidence, later_ns=touch.later_ns)]
    approach = case.approach[second]
    arrival = approach.arrival(onset.t_ns)
    if arrival is None and approach.may_have_come(onset.t_ns, onset.t_unc_ns):
        arrival = onset.t_ns, 0.0
    if arrival is None:
        return []
    # when it came matters as little as where it hovered: the card moved with the other hand
    clear = 0.85  # above this confidence in the driving hand, the other one over the card proves nothing
    proof = Proof.HOVER if look.confidence >= clear else Proof.RIVAL
    return [Contact(side, arrival[0], arrival[1] + onset.t_unc_ns, 0.5, proof)]


def _with_stranger(case: CardCase, found: list[Contact], hands: Hands) -> list[Contact]:
    """Return the hands at a card with that of a stranger, which may have moved it whoever else was there."""
    onset = case.strike.onset
    if not any(bool((view.over.players == STRANGER).any()) for view in case.departure.views):
        return found
    stranger = approach_of(case.strike, case.departure, hands, player=STRANGER)
    from_ns, to_ns = onset.t_ns - onset.t_unc_ns, onset.t_ns + onset.t_unc_ns
    if case.strike.flight is None or not case.strike.flight.spots:
        to_ns = max(to_ns, case.departure.bracket_ns[1])  # nothing was seen of it on its way
    around = (stranger.times_ns >= from_ns) & (stranger.times_ns <= to_ns)
    if stranger.gaps_mm[around].min(initial=stranger.gap_at(onset.t_ns)) > BESIDE_MM:
        return found
    doubted = {one.side: replace(one, proof=Proof.STRANGER) for one in found if one.side is not None}
    return [*doubted.values(), Contact(None, onset.t_ns, onset.t_unc_ns, 0.5, Proof.STRANGER)]


def _pushed_by(number: int, looks: Mapping[int, _Look]) -> tuple[int, float]:
    """Return who drove the card that pushed this one, and how certain that is.

    A hand over a pushed card tells nothing about it; the hand that drove its pusher does.
    """
    look = looks[number]
    began = _began(number, looks, {number})
    if not began:
        return look.first, look.confidence
    driver, sure = began[0].first, min(one.confidence for one in began)
    return driver, sure if all(one.first == driver for one in began) else 0.5


def _began(number: int, looks: Mapping[int, _Look], known: set[int]) -> list[_Look]:
    """Return the hand-driven cards that may have pushed a card, directly or through others."""
    found = []
    for pusher in looks[number].pushers:
        if pusher.number in known or pusher.number not in looks:
            continue
        known.add(pusher.number)
        behind = looks[pusher.number]
        if behind.chance < _TOUCHED_CHANCE:
            found += _began(pusher.number, looks, known)
        if not behind.is_pushed or not behind.pushers:
            found.append(behind)
    return found
