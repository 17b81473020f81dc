"""Measure at one card what `vision.contact.evidence` lays out in its table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referee.sides import Side
from vision.contact.approach import Hands
from vision.contact.card_case import CardCase
from vision.contact.evidence import CardMotion
from vision.contact.pushers import is_loose_before
from vision.hand_cues.speed import hand_velocity
from vision.launch.strikes import Strike


def measured(
    case: CardCase, hands: Hands, strikes: Sequence[Strike], pushers: Sequence[Strike]
) -> CardMotion:
    """Return what was measured at a card that moved.

    Parameters
    ----------
    case : the card, and the hands at it.
    hands : the players' maps of the poem.
    strikes : the motions of all its cards.
    pushers : those of the cards that may have pushed this one.
    """
    field, strike, departure = hands.field, case.strike, case.departure
    slot, flight, final = field.slots[strike.number], strike.flight, departure.final_shift_px
    moved = hand_velocity(slot, departure)
    still_ns, gone_ns = departure.bracket_ns
    return CardMotion(
        number=strike.number,
        is_near=slot.side is Side.NEAR,
        centre_mm=np.asarray(slot.centre_px / field.px_per_mm),
        t_ns=float(strike.onset.t_ns),
        t_unc_ns=float(strike.onset.t_unc_ns),
        hidden_ns=float(gone_ns - still_ns),
        velocity_mps=None if flight is None else np.asarray(flight.velocity_px / slot.px_per_mm),
        flew=flight is not None,
        path_strength=0.0 if flight is None else flight.strength,
        spots=0 if flight is None else len(flight.spots),
        is_timed_by_others=strike.is_timed_by_others,
        slid_mm=None if final is None else np.asarray(final / slot.px_per_mm, np.float64),
        approach=case.approach,
        hand_mps=case.moving or {},
        any_hand_mps=None if moved is None else moved / slot.px_per_mm,
        pushers=tuple(one.number for one in pushers),
        is_loose=is_loose_before(field, strike, strikes),
    )
