"""What a contact proves: its instant, its kind, and what the eye may have mistaken."""

import numpy as np
import pytest

from referee.facts import Contact as Kind
from referee.facts import Touch
from referee.sides import Side
from vision.contact.facts import Contact, Proof, contact_fact
from vision.field.slots import Slot

CORNERS_PX = np.array([[0.0, 0.0], [52.0, 0.0], [52.0, 73.0], [0.0, 73.0]])


@pytest.mark.parametrize("whose", [None, 0.9])
def test_a_touch_says_how_sure_the_player_and_the_cards_name_are(whose: float | None) -> None:
    slot = Slot(17, Side.FAR, CORNERS_PX, 0.98)
    contact = Contact(Side.NEAR, 1e9, 1e6, 0.8, player_confidence=whose)
    fact = contact_fact(slot, contact, None, 0.0, 1e6, left=True)
    assert isinstance(fact, Touch)
    assert (fact.card, fact.confidence, fact.player_confidence, fact.card_confidence) == (
        17,
        0.8,
        whose,
        0.98,
    )


SLOT = Slot(7, Side.NEAR, CORNERS_PX)
SET_OFF_NS, UNC_NS = 1_000_000_000, 4_000_000


def test_a_pushed_cards_interval_reaches_from_where_it_set_off_to_where_it_was_out() -> None:
    pushed = Contact(Side.NEAR, SET_OFF_NS, UNC_NS, 0.9, Proof.PUSHED)
    fact = contact_fact(SLOT, pushed, (60e6, 20e6), 0.0, UNC_NS, left=True)
    assert isinstance(fact, Touch)
    assert fact.contact is Kind.PUSHED_OUT
    assert fact.t_ns == SET_OFF_NS + 60_000_000
    assert fact.earliest_ns == SET_OFF_NS - UNC_NS
    assert SET_OFF_NS + 80_000_000 <= fact.latest_ns < SET_OFF_NS + 85_000_000


def test_a_touch_is_as_exact_as_the_motion_of_its_card() -> None:
    fact = contact_fact(SLOT, Contact(Side.NEAR, SET_OFF_NS, UNC_NS, 0.9), None, 0.0, UNC_NS, left=True)
    assert isinstance(fact, Touch)
    assert (fact.earliest_ns, fact.latest_ns) == (SET_OFF_NS - UNC_NS, SET_OFF_NS + UNC_NS)
