"""A contact that may be none decides nothing, whatever a surer one beside it says. Times in milliseconds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.facts import Contact, Hand, PoemStarted, Touch, Unprovable
from referee.karuta.contacts import PoemFact, as_told
from referee.karuta.declarations import PlayingHand
from referee.karuta.house_rules import PRESETS
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


LEFT, RIGHT = Hand.LEFT, Hand.RIGHT
SIDE_QUESTIONS: dict[str, tuple[PoemFact, ...]] = {
    "an early hand behind a push": (PoemStarted(OWN, 350 * MS, MS), touch(2, NEAR, 300), touch(OWN, NEAR,
        520, contact=PUSHED, confidence=0.99), touch(OWN, FAR, 400, confidence=0.99)),
    "the wrong hand behind a push": (PlayingHand(FAR, RIGHT), touch(2, FAR, 400, hand=LEFT), touch(OWN, FAR,
        450, contact=PUSHED, confidence=0.99), touch(OWN, NEAR, 600, confidence=0.99)),
    "a lawful hand beside the wrong one": (touch(3, FAR, 400, hand=RIGHT), PlayingHand(FAR, RIGHT), touch(2,
        FAR, 400, hand=LEFT), touch(OWN, FAR, 450, contact=PUSHED, confidence=0.99)),
    "a card that was pushed out": (touch(51, NEAR, 400, contact=PUSHED), touch(OWN, NEAR, 300), touch(51,
        FAR, 500)),
}  # fmt: skip


@pytest.mark.parametrize("preset", PRESETS.names)
@pytest.mark.parametrize("case", SIDE_QUESTIONS)
def test_a_ruling_is_as_sure_as_the_contact_that_decides_what_another_is(case: str, preset: str) -> None:
    facts = SIDE_QUESTIONS[case]
    deciding = next(one for one in facts if isinstance(one, Touch))
    weak = [replace(one, confidence=0.3) if one is deciding else one for one in facts]
    assert judge(OWN, *facts, rules=PRESETS[preset]).status is Status.DECIDED
    assert judge(OWN, *weak, rules=PRESETS[preset]).status is Status.REVIEW


def test_what_lies_outside_does_not_matter_where_its_player_faulted_already() -> None:
    facts = (touch(52, NEAR, 300), touch(52, NEAR, 400, contact=PUSHED, confidence=0.3))
    assert judge(OWN, *facts, touch(52, NEAR, 600)).status is Status.DECIDED
    assert judge(OWN, *facts, touch(OWN, NEAR, 200), touch(52, FAR, 600)).status is Status.REVIEW


def test_a_weak_take_ends_no_play() -> None:
    take = (touch(OWN, NEAR, 500, confidence=0.1), touch(OWN, NEAR, 3400, confidence=0.99))
    assert judge(OWN, *take, touch(51, NEAR, 3600)).doubts == ("end_unclear",)
    assert judge(OWN, *take, touch(51, NEAR, 6600)).doubts == ()
    assert judge(OWN, take[1], touch(51, NEAR, 6600)).faults.near == 0


@pytest.mark.parametrize(
    ("card", "confidence", "whose", "reason"),
    [
        (5, 0.61, 0.9, None),
        (5, 0.59, 0.9, "perhaps_pushed"),
        (5, 0.5, 0.55, "hands_merged"),
        (5, 0.5, None, "hands_merged"),
        (9, 0.5, 0.9, None),  # the card that was read: the ruling says how sure the take is
        (8, 0.5, 0.9, "perhaps_pushed"),
    ],
)
def test_a_touch_that_is_hardly_likelier_than_not_is_told_as_not_provable(
    card: int, confidence: float, whose: float | None, reason: str | None
) -> None:
    weak = Touch(card, Side.NEAR, 7, 3, confidence=confidence, player_confidence=whose)
    push = Touch(8, Side.NEAR, 9, 3, contact=Contact.PUSHED_OUT, confidence=0.5)
    doubt = Unprovable(9, Side.FAR, 9, 3, "second_hand")
    poem = 8 if card == 8 else 9
    told = [weak if reason is None else Unprovable(card, Side.NEAR, 7, 3, reason), push, doubt]
    assert as_told([weak, push, doubt], poem) == told
