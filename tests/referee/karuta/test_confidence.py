"""The confidence of rulings, and when a poem is left to the officials."""

import pytest

from referee.facts import Contact, Gap, PoemStarted, Touch, Unprovable
from referee.karuta.contacts import PoemFact
from referee.karuta.judge import judge_poem
from referee.karuta.ruleset import RuleSet
from referee.layout import Layout
from referee.sides import Side
from tests.referee.karuta.judged_poem import ALL, DEAD, FAR, MS, NEAR, OTHERS, OWN, by_contacts, judge, touch


def test_confidence_is_the_product_of_the_contacts_the_ruling_rests_on() -> None:
    facts = (
        touch(OWN, NEAR, 100, confidence=0.9),
        touch(2, NEAR, confidence=0.1),
        touch(52, NEAR, confidence=0.5),
        touch(53, NEAR, confidence=0.95),
    )
    assert by_contacts(OWN, *facts) == pytest.approx(0.9 * 0.95 * ALL)
    assert judge(OWN, *facts).doubts == ()


@pytest.mark.parametrize(
    ("contacts", "chance"),
    [
        (((52, NEAR, 0.7), (53, NEAR, 0.6)), 0.9 * (1 - (1 - 0.7 / 0.9) * (1 - 0.6 / 0.9))),
        (((52, NEAR, 0.7), (52, NEAR, 0.6)), 0.7),
        (((52, NEAR, 0.6), (53, NEAR, 0.6), (52, FAR, 0.4), (53, FAR, 0.4)), 0.6),
        (((52, NEAR, 0.6), (53, NEAR, 0.5), (54, NEAR, 0.7), (52, FAR, 0.4)), 0.7),
        (((52, NEAR, 0.5), (53, NEAR, 0.5)), 0.5),
    ],
)
def test_a_fault_is_as_sure_as_that_one_of_its_contacts_was(
    contacts: tuple[tuple[int, Side, float], ...], chance: float
) -> None:
    # on a free card nobody takes: what the far player touched in his own territory is a fault, too
    touches = [touch(card, side, 100, confidence=one, whose=0.9) for card, side, one in contacts]
    far = [one for _, side, one in contacts if side is FAR]
    ruling = judge(DEAD, *touches)
    assert ruling.confidence == pytest.approx(chance * max(far, default=1.0) * ALL)


def test_whose_hand_it_was_is_one_error_of_all_its_cards() -> None:
    three = [touch(card, NEAR, confidence=0.65) for card in (51, 52, 53)]
    assert judge(DEAD, *three).confidence == pytest.approx(0.65 * ALL)  # it may all be the other's hand
    told = [touch(card, NEAR, confidence=0.65, whose=0.7) for card in (51, 52, 53)]
    assert judge(DEAD, *told).confidence < 0.7
    assert judge(DEAD, *told).doubts == ("low_confidence",)
    known = [touch(card, NEAR, confidence=0.65, whose=1.0) for card in (51, 52, 53)]
    assert by_contacts(DEAD, *known) == pytest.approx((1 - 0.35**3) * ALL)


def test_a_contact_that_a_second_witness_made_surer_than_the_eye_knew_the_hand() -> None:
    assert by_contacts(DEAD, touch(51, NEAR, confidence=0.9, whose=0.8)) == pytest.approx(0.9 * ALL)


@pytest.mark.parametrize("other", [touch(2, NEAR, confidence=0.99), touch(52, NEAR, confidence=0.99)])
def test_what_else_a_hand_touched_makes_no_take_surer(other: Touch) -> None:
    ruling = judge(OWN, touch(OWN, NEAR, confidence=0.55), other)
    assert ruling.taken_by is NEAR
    assert "low_confidence" in ruling.doubts


def test_poem_and_card_are_called_by_their_names_with_some_probability() -> None:
    heard = PoemStarted(OWN, 0, MS, confidence=0.9)
    assert judge(OWN, heard, touch(OWN, NEAR)).confidence == pytest.approx(0.9 * ALL)
    assert by_contacts(OWN, touch(OWN, NEAR, named=0.97)) == pytest.approx(0.97 * ALL)


def test_nothing_that_was_not_seen_is_certain() -> None:
    assert judge(DEAD).confidence < 1
    assert judge(OWN).confidence < 1
    assert ALL < 1


@pytest.mark.parametrize("reason", ["swept_along", "pushed_by_card"])
def test_cards_that_moved_were_moved_by_somebody(reason: str) -> None:
    moved = Unprovable(52, NEAR, 100 * MS, MS, reason)
    assert judge(OWN, moved).doubts == ("contact_unseen",)
    assert judge(OWN, moved, touch(OWN, NEAR, 100)).doubts == ()
    assert judge(OWN, Unprovable(52, NEAR, 100 * MS, MS, "no_card_motion")).doubts == ()


def test_cards_that_were_pushed_out_were_pushed_by_what_somebody_touched() -> None:
    """Each of two cards may have pushed the other, and one of them was touched."""
    out = [touch(card, NEAR, 100, contact=Contact.PUSHED_OUT, confidence=0.5) for card in (52, 53)]
    assert judge(DEAD, *out).doubts == ("contact_unseen",)
    assert judge(OWN, *out).doubts == ("contact_unseen",)
    assert judge(OTHERS, *out).doubts == ()  # no fault, whoever began it
    assert judge(OWN, *out, touch(OWN, NEAR, 90)).doubts == ()
    assert judge(DEAD, *out, touch(52, NEAR, 90)).doubts == ()


def test_low_confidence_is_in_doubt() -> None:
    assert judge(OWN, touch(OWN, NEAR, confidence=0.849 / ALL)).doubts == ("low_confidence",)
    assert judge(OWN, touch(OWN, NEAR, confidence=0.851 / ALL)).doubts == ()
    assert judge(OWN, touch(OWN, NEAR, confidence=0.84), rules=RuleSet(min_confidence=0.7)).doubts == ()


def test_a_ruling_without_a_doubt_is_told_surer_than_its_contacts_say() -> None:
    products = [one * ALL for one in (0.86, 0.9, 0.95, 0.99, 1.0)]
    told = [judge(OWN, touch(OWN, NEAR, confidence=one / ALL)).confidence for one in products]
    assert told == pytest.approx([ALL - 0.27 * (ALL - one) for one in products])
    assert told == sorted(told), "the surer contacts make the surer ruling"


def test_what_is_told_never_decides() -> None:
    strict = RuleSet(min_confidence=0.9)
    asked, decided = (
        judge(OWN, touch(OWN, NEAR, confidence=one / ALL), rules=strict) for one in (0.89, 0.91)
    )
    assert asked.doubts == ("low_confidence",)
    assert asked.confidence == pytest.approx(0.89)
    assert decided.doubts == ()
    assert decided.confidence > 0.91
    lenient = judge(OWN, touch(OWN, NEAR, confidence=0.8 / ALL), rules=RuleSet(min_confidence=0.7))
    assert lenient.confidence == pytest.approx(0.8), "below 0.85 the products were not too modest"


def test_contacts_make_the_poem_that_was_heard_no_surer() -> None:
    heard = PoemStarted(OWN, 0, MS, confidence=0.95)
    ruling = judge(OWN, heard, touch(OWN, NEAR, confidence=0.9))
    assert ruling.confidence == pytest.approx(0.95 * judge(OWN, touch(OWN, NEAR, confidence=0.9)).confidence)


@pytest.mark.parametrize(
    ("facts", "doubts", "ceiling"),
    [
        ((touch(77, FAR),), ("card_not_on_field",), 0.5),
        ((Gap(100 * MS, 101 * MS, "view_blocked"),), ("gap",), 0.85),
        ((Unprovable(OWN, FAR, 90 * MS, MS, "view_blocked"),), ("contact_unseen",), 0.52),
        ((touch(77, FAR), Gap(100 * MS, 101 * MS, "view_blocked")), ("card_not_on_field", "gap"), 0.5 * 0.85),
    ],
)
def test_a_ruling_is_no_surer_than_those_with_its_doubts_are_right(
    facts: tuple[PoemFact, ...], doubts: tuple[str, ...], ceiling: float
) -> None:
    ruling = judge(OWN, touch(OWN, NEAR), *facts)
    assert ruling.doubts == doubts
    assert ruling.confidence == pytest.approx(ceiling)


def test_doubts_make_no_ruling_surer() -> None:
    ruling = judge(OWN, touch(OWN, NEAR, confidence=0.4), Gap(100 * MS, 101 * MS, "view_blocked"))
    assert ruling.doubts == ("gap", "low_confidence")
    assert ruling.confidence == pytest.approx(0.4 * ALL)


def test_of_a_field_that_nobody_saw_no_card_is_called_dead() -> None:
    ruling = judge_poem(OWN, Layout(()), (Gap(0, 1, "view_blocked"),), RuleSet())
    assert ruling.reasons == ()
    assert ruling.doubts == ("gap",)


def test_min_confidence_must_be_a_probability() -> None:
    with pytest.raises(ValueError, match=r"0\.\.1"):
        RuleSet(min_confidence=1.1)
