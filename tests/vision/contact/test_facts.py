"""A contact as a fact for the rules: it keeps apart what the eye may have mistaken."""

import numpy as np
import pytest

from referee.facts import Touch
from referee.sides import Side
from vision.contact.contact import Contact
from vision.contact.facts import contact_fact
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
