"""How each player's hand moved beside a card as it set off, and which of them went on with it.

A hand that hovers, or leans on its fingers, does not send a card flying, however near it is; nor does one
that still comes down across the card's way. A hand that goes on with the card, while the other one stays,
drove it (`follow_through`); where pictures are far apart that is told wrongly as often as not.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence

import numpy as np

from vision.contact.approach import Hands
from vision.contact.card_case import CardCase, HandMotion
from vision.contact.follow_through import goes_on
from vision.contact.stroke import SLOWEST, Strokes
from vision.contact.velocities import Velocity, card_velocity, hand_speeds, hand_velocities
from vision.field.model import FieldModel
from vision.hands.frame_map import FAR, NEAR
from vision.launch.onset import WEAK
from vision.launch.strikes import Strike

_COARSE_NS = 25_000_000  # between pictures: hands pass over a card unseen, and only its own path tells
_NEARBY_MM = 130.0


def hand_motion_steps(
    cases: Sequence[CardCase], hands: Hands, strokes: Strokes
) -> Generator[None, None, dict[int, HandMotion]]:
    """Measure how hands moved in steps of a few milliseconds; return that by the number of the card's slot.

    Parameters
    ----------
    cases : the cards with a hand of each player near them; only the disputed ones are measured, the others
        tell how those beside them went.
    hands : the players' maps of the poem.
    strokes : which of its cards pushed which.
    """
    field = hands.field
    moved: list[Velocity | None] = []
    for case in cases:
        flight = case.strike.flight
        driven = None if flight is None else strokes.velocity(case.strike.number)
        if driven is not None:
            moved.append(driven)
        elif flight is not None and flight.strength >= WEAK:  # all its pictures at once
            moved.append(flight.velocity_px / flight.slot.px_per_mm)
        else:
            moved.append(card_velocity(field, case.strike, case.departure))
        yield
    found = {}
    for case, own in zip(cases, moved, strict=True):
        if not case.is_disputed:
            continue
        # cards struck together move alike
        company = [
            other
            for beside, other in zip(cases, moved, strict=True)
            if other is not None and _are_together(field, case.strike, beside.strike)
        ]
        card = own if own is not None or not company else np.median(company, axis=0)
        found[case.strike.number] = HandMotion(
            hand_velocities(field, case.strike, case.departure, hands),
            hand_speeds(field, case.strike, case.departure, hands),
            0.0 if case.strike.flight is None or card is None else _follows(field, case, card, hands),
        )
        yield
    return found


def _follows(field: FieldModel, case: CardCase, card: Velocity, hands: Hands) -> float:
    """Return which hand goes on with a card, see `goes_on`; 0 where it was not at it as it set off."""
    strike = case.strike
    if strike.is_timed_by_others:  # it may have gone long before its neighbours did
        return 0.0
    if case.approach[NEAR].step_at(strike.onset.t_ns) > _COARSE_NS:
        return 0.0
    if float(np.hypot(*card)) < SLOWEST:
        return 0.0
    on = goes_on(field.slots[strike.number], strike, case.departure, card, hands)
    gap_mm = case.approach[NEAR if on > 0 else FAR].gap_at(strike.onset.t_ns)
    at_mm = 30.0  # farther from a card no hand drives it, but by way of others
    return on if gap_mm < at_mm else 0.0


def _are_together(field: FieldModel, one: Strike, other: Strike) -> bool:
    """Tell whether two cards set off at once and near each other."""
    together_ns = 6_000_000
    together = abs(one.onset.t_ns - other.onset.t_ns) < together_ns
    return together and _apart_mm(field, one, other) < _NEARBY_MM


def _apart_mm(field: FieldModel, one: Strike, other: Strike) -> float:
    """Return how far two cards lay apart, from middle to middle."""
    apart_px = field.slots[one.number].centre_px - field.slots[other.number].centre_px
    return float(np.hypot(*apart_px)) / field.px_per_mm
