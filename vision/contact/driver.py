"""Which of two hands drove a card off: the one that moves with it.

A hand that hovers, or leans on its fingers, does not send a card flying, however near it is; nor does one
that still comes down across the card's way. A card is never faster than the hand that drives it, and moves
the way the hand moves: so how near a hand is counts only as far as it was fast enough. A hand that is seen
beyond the card did not do it. A hand that goes on with the card, while the other one stays, drove it
(`follow_through`); where pictures are far apart that is told wrongly as often as not.
Each sign adds to the logarithm of the odds that the near player's hand was it and not the far player's; the
weights are a logistic regression over 415 contested cards of 433 simulated poems of two renderers, drawn
towards those of earlier ones (mean log loss, left out by clip: 0.31, with the earlier ones 0.39).
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from vision.contact.approach import Approach, Hands
from vision.contact.follow_through import goes_on
from vision.contact.stroke import SLOWEST, Strokes
from vision.contact.velocities import Velocity, card_velocity, hand_speeds, hand_velocities
from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.hands.frame_map import FAR, NEAR
from vision.launch.onset import WEAK
from vision.launch.strikes import Strike

_WEIGHTS = {
    "past": 1.6,
    "arm": 1.7,
    "gap": 0.34,
    "behind": 1.3,
    "across": 1.36,
    "arm_pressed": 0.8,
    "gap_pressed": 0.61,
    "calm_pressed": 0.32,
    "arm_unseen": 0.76,
    "gap_unseen": 0.36,
    "faster_unseen": 0.32,
}
"""What each sign adds to the logarithm of the odds; see `signs`."""
_PLACES = {"past", "arm", "gap", "arm_unseen", "gap_unseen"}
"""Signs of where the hands are: at a pushed card they tell nothing of who drove it."""
_GOES_ON = 2.35  # where one hand goes on with the card and the other one stays
COARSE_NS = 25_000_000  # between pictures: hands pass over a card unseen, and only its own path tells
_NEARBY_MM = 130.0


@dataclass(frozen=True, slots=True, eq=False)
class Contest:
    """A card that moved, and the hands at it: told apart where there is one of each player.

    Attributes
    ----------
    strike : its motion.
    departure : the pictures around its beginning.
    approach : how near each player's hand was.
    """

    strike: Strike
    departure: Departure
    approach: Mapping[int, Approach]

    def is_past(self, player: int) -> bool:
        """Tell whether a player's hand had reached on beyond the card for as long as it may have set off."""
        onset = self.strike.onset
        return self.approach[player].is_past(onset.t_ns, onset.t_unc_ns)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for whom.

    Attributes
    ----------
    strike : the card's motion.
    odds : logarithm of the odds near : far from this card alone.
    passed_on : what it tells of the cards beside it; None where that is the same.
    speeds : how fast the players' hands moved beside it, metres per second; none for hands not seen there.
    goes_on : which hand goes on with the card, see `follow_through.goes_on`.
    """

    strike: Strike
    odds: float
    passed_on: float | None = None
    speeds: Mapping[int, float] = field(default_factory=dict)
    goes_on: float = 0.0

    @property
    def told(self) -> float:
        """What the card tells of those beside it, as logarithm of the odds near : far."""
        return self.odds if self.passed_on is None else self.passed_on

    def touched_by(self, chance: float) -> Evidence:
        """Return the evidence with what it tells of others if a hand touched the card with some chance.

        Where the hands are at a card that was only pushed tells nothing of who drove it.
        """
        if self.passed_on is None:
            return self
        return replace(self, passed_on=self.passed_on + chance * (self.odds - self.passed_on))


def evidence_steps(
    field: FieldModel, contests: Sequence[Contest], hands: Hands, strokes: Strokes
) -> Generator[None, None, dict[int, Evidence]]:
    """Weigh the signs at each card in steps of a few milliseconds; return them by the number of its slot.

    Parameters
    ----------
    field : the resting field.
    contests : the cards with a hand of each player near them.
    hands : the players' maps of the poem.
    strokes : which of its cards pushed which.
    """
    moved: list[Velocity | None] = []
    for contest in contests:
        flight = contest.strike.flight
        driven = None if flight is None else strokes.velocity(contest.strike.number)
        if driven is not None:
            moved.append(driven)
        elif flight is not None and flight.strength >= WEAK:  # all its pictures at once
            moved.append(flight.velocity_px / flight.slot.px_per_mm)
        else:
            moved.append(card_velocity(field, contest.strike, contest.departure))
        yield
    found = {}
    for contest, own in zip(contests, moved, strict=True):
        # cards struck together move alike
        company = [
            other
            for beside, other in zip(contests, moved, strict=True)
            if other is not None and _are_together(field, contest.strike, beside.strike)
        ]
        card = own if own is not None or not company else np.median(company, axis=0)
        seen = signs(field, contest, card, hands)
        odds = {sign: _WEIGHTS[sign] * value for sign, value in seen.items()}
        flight = contest.strike.flight
        pushed = flight is not None and strokes.pushers(contest.strike.number)
        passed_on = sum(odd for sign, odd in odds.items() if sign not in _PLACES) if pushed else None
        speeds = hand_speeds(field, contest.strike, contest.departure, hands)
        on = 0.0 if flight is None or card is None else _goes_on(field, contest, card, hands)
        found[contest.strike.number] = Evidence(contest.strike, sum(odds.values()), passed_on, speeds, on)
        yield
    return found


def _goes_on(field: FieldModel, contest: Contest, card: Velocity, hands: Hands) -> float:
    """Return which hand goes on with a card, see `goes_on`; 0 where it was not at it as it set off."""
    strike = contest.strike
    if strike.is_timed_by_others:  # it may have gone long before its neighbours did
        return 0.0
    if contest.approach[NEAR].step_at(strike.onset.t_ns) > COARSE_NS:
        return 0.0
    if float(np.hypot(*card)) < SLOWEST:
        return 0.0
    on = goes_on(field.slots[strike.number], strike, contest.departure, card, hands)
    gap_mm = contest.approach[NEAR if on > 0 else FAR].gap_at(strike.onset.t_ns)
    at_mm = 30.0  # farther from a card no hand drives it, but by way of others
    return on if gap_mm < at_mm else 0.0


def signs(field: FieldModel, contest: Contest, card: Velocity | None, hands: Hands) -> dict[str, float]:
    """Return what is seen at a card, positive where it speaks for the near player.

    Gaps count in centimetres, speeds in metres per second; ``arm``: only the other player's arm passes over,
    and ``past`` if it does in all pictures around that instant.
    Which of them are there depends on how the card moved: pressed, unseen (its own way is not known), or
    struck: then ``behind`` is which share of the speed that drives it a hand lacks, ``gap`` counts as far as
    the nearer hand has it, and ``across`` is how fast a hand crosses the card's way: it is still coming down.
    """
    strike, t_ns = contest.strike, contest.strike.onset.t_ns
    near, far = contest.approach[NEAR], contest.approach[FAR]
    gap_range_mm = (-30.0, 60.0)
    # what is shade is known only as long as the card lies still
    gaps_mm = [np.clip(one.gap_before(t_ns), *gap_range_mm) for one in (near, far)]
    gap_cm = float(gaps_mm[1] - gaps_mm[0]) / 10
    arm = float(far.is_arm_at(t_ns)) - float(near.is_arm_at(t_ns))
    if arm * gap_cm < 0:
        gap_cm = 0.0  # how much of the card an arm covers tells nothing: its fingers are elsewhere
    past = float(contest.is_past(FAR)) - float(contest.is_past(NEAR))
    moved = hand_velocities(field, strike, contest.departure, hands)
    v_near, v_far = (moved.get(player, np.zeros(2)) for player in (NEAR, FAR))
    if strike.flight is None:
        coming = 0.6
        calm = min(float(np.hypot(*v_far)), coming) - min(float(np.hypot(*v_near)), coming)
        return {"past": past, "arm_pressed": arm, "gap_pressed": gap_cm, "calm_pressed": calm}
    if card is None or float(np.hypot(*card)) < SLOWEST:
        faster = float(np.hypot(*v_near) - np.hypot(*v_far))
        return {"past": past, "arm_unseen": arm, "gap_unseen": gap_cm, "faster_unseen": faster}
    speed = float(np.hypot(*card))
    along = [float(v @ card) / speed for v in (v_near, v_far)]
    most_across = 0.6  # metres per second, more than which counts no more
    across = [min(abs(float(v[0] * card[1] - v[1] * card[0])) / speed, most_across) for v in (v_near, v_far)]
    share = 0.8  # of the card's speed a hand must have to drive it; both are measured only roughly
    behind = [min(max(0.0, 1.0 - one / (share * speed)), 1.0) for one in along]
    return {
        "past": past,
        "arm": arm,
        "gap": gap_cm * (1.0 - behind[0 if gap_cm > 0 else 1]),
        "behind": behind[1] - behind[0],
        "across": across[1] - across[0],
    }


def with_company(field: FieldModel, one: Evidence, all_evidence: Sequence[Evidence]) -> float:
    """Return the odds at a card with those of the cards that set off with it at once.

    A hand that comes down strikes all cards below it within a millisecond, while two hands seldom come in the
    same one: what two hands hide at one card is often seen beside it. What cards beside one another tell of
    the same two hands is mostly wrong together, so several count less than each for itself.
    """
    shares, told = [], []
    # what sets off at once was struck by one hand; no card tells more
    company_weight, company_odds = 0.8, 1.25
    for other in all_evidence:
        if (
            other.strike.number != one.strike.number
            and _apart_mm(field, one.strike, other.strike) < _NEARBY_MM
        ):
            shares.append(_at_once(one.strike, other.strike))
            told.append(float(np.clip(other.told, -company_odds, company_odds)))
    company = float(np.dot(shares, told) / np.sqrt(max(1.0, sum(shares))))
    return one.odds + company_weight * company + _GOES_ON * one.goes_on


def _at_once(one: Strike, other: Strike) -> float:
    """Return how much speaks for two cards having set off at the same instant: from 0 to 1."""
    own_doubt = 0.5  # share of two cards' doubt about when that is not common to both
    doubt_ns = own_doubt * float(np.hypot(one.onset.t_unc_ns, other.onset.t_unc_ns)) / 2
    at_once_ns = 1_000_000  # standard deviation of when the fingers of a hand come down
    sigma_ns = float(np.hypot(at_once_ns, doubt_ns))
    off = (other.onset.t_ns - one.onset.t_ns) / sigma_ns
    limit_ns = 2_000_000  # times that are known worse tell less
    return float(np.exp(-(off**2) / 2)) * min(1.0, limit_ns / sigma_ns)


def _are_together(field: FieldModel, one: Strike, other: Strike) -> bool:
    """Tell whether two cards set off at once and near each other."""
    together_ns = 6_000_000
    together = abs(one.onset.t_ns - other.onset.t_ns) < together_ns
    return together and _apart_mm(field, one, other) < _NEARBY_MM


def _apart_mm(field: FieldModel, one: Strike, other: Strike) -> float:
    """Return how far two cards lay apart, from middle to middle."""
    apart_px = field.slots[one.number].centre_px - field.slots[other.number].centre_px
    return float(np.hypot(*apart_px)) / field.px_per_mm
