"""A contact that may be none decides nothing, whatever a surer one beside it says. Times in milliseconds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.facts import Contact, Unprovable
from referee.karuta.ruling import Status
from referee.sides import Side
from tests.referee.karuta.judged_poem import FAR, MS, NEAR, OWN, judge, touch

PUSHED = Contact.PUSHED_OUT


@pytest.mark.parametrize("contact", Contact)
@pytest.mark.parametrize("faint", [0.1, 0.3, 0.5, 0.6, 0.8])
@pytest.mark.parametrize("player", [NEAR, FAR])
def test_a_faint_contact_wins_no_race_by_the_sureness_of_a_later_one(
    contact: Contact, faint: float, player: Side
) -> None:
    later = touch(OWN, player, 520, contact=contact, confidence=0.99)
    facts = (touch(OWN, player, 300, confidence=faint), later)
    assert judge(OWN, *facts).status is Status.DECIDED
    assert judge(OWN, *facts, touch(OWN, player.opponent, 700)).status is Status.DECIDED
    for other in (
        touch(OWN, player.opponent, 400, confidence=0.99),
        touch(OWN, None, 400),
        Unprovable(OWN, player.opponent, 400 * MS, MS, "view_blocked"),
    ):
        assert judge(OWN, *facts, other).status is Status.REVIEW
    sure = replace(facts[0], confidence=0.9)
    between = touch(OWN, player.opponent, 400, confidence=0.99)
    assert judge(OWN, sure, later, between).status is Status.DECIDED


def test_nor_by_a_faint_push_after_which_the_card_would_have_been_outside() -> None:
    facts = (touch(OWN, NEAR, 400, contact=PUSHED, confidence=0.2), touch(OWN, NEAR, 500))
    assert judge(OWN, *facts).status is Status.DECIDED
    assert judge(OWN, *facts, touch(OWN, FAR, 450)).status is Status.REVIEW
