"""The confidence of rulings, and when a poem is left to the officials."""

from dataclasses import replace

import pytest

from referee.facts import Contact, Gap, Hand, PoemStarted, Touch, Unprovable
from referee.karuta.contacts import PoemFact, as_told
from referee.karuta.declarations import PlayingHand
from referee.karuta.house_rules import PRESETS
from referee.karuta.judge import judge_poem
from referee.karuta.ruleset import RuleSet
from referee.karuta.ruling import Status
from referee.layout import Layout
from referee.sides import BySide, Side
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


def swept(card: int, player: Side | None, t_ms: float = 103, reason: str = "swept_along") -> Unprovable:
    return Unprovable(card, player, round(t_ms * MS), 5 * MS, reason)


def test_a_swept_target_is_the_only_players_whose_hand_was_there() -> None:
    facts = touch(52, NEAR, confidence=0.95), swept(OTHERS, NEAR)
    ruling = judge(OTHERS, *facts)
    assert (ruling.taken_by, ruling.faults, ruling.sends) == (NEAR, BySide.both(0), BySide(1, 0))
    assert ruling.reasons[:2] == ("take_from_opponent", "swept_by_one_player")
    assert (ruling.take, ruling.doubts) == (None, ())
    assert by_contacts(OTHERS, *facts) == pytest.approx(0.95 * 0.95 * ALL)


SURE, WEAK, SWEPT = touch(2, NEAR, confidence=0.95), touch(2, NEAR, confidence=0.8), swept(OWN, NEAR)


@pytest.mark.parametrize(
    ("poem", "facts", "taker", "doubts"),
    [
        (OWN, (WEAK, SWEPT), NEAR, ("low_confidence",)),  # told by no surer hand than the sweep's
        (OWN, (WEAK, SWEPT, touch(52, FAR)), NEAR, ("low_confidence",)),
        # what happened elsewhere, floor and a hand over another card say nothing of it
        (OWN, (SURE, SWEPT, touch(52, FAR)), NEAR, ()),
        (OWN, (SURE, SWEPT, swept(4, None, 90, "floor_shock")), NEAR, ()),
        (OWN, (SURE, SWEPT, swept(4, FAR, 300, "hand_over")), NEAR, ()),
        # but it is nobody's where another hand may have been
        (OWN, (SURE, SWEPT, touch(4, FAR, 300, confidence=0.5)), None, ("contact_unseen",)),
        (OWN, (SURE, SWEPT, swept(4, FAR, 300, "second_hand")), None, ("contact_unseen",)),
        (OWN, (SURE, SWEPT, swept(OWN, FAR, 300, "hand_over")), None, ("contact_unseen",)),
        (OWN, (SURE, SWEPT, swept(3, None, 300, "view_blocked")), None, ("contact_unseen",)),
        (OWN, (SURE, SWEPT, swept(99, FAR, 300, "second_hand")), None, ("contact_unseen",)),
        # or where the hand touched nothing there: cards that flew over pushed it aside, or out
        (OTHERS, (SURE, swept(OTHERS, NEAR)), None, ("contact_unseen",)),
        (
            OTHERS,
            (touch(52, NEAR, contact=Contact.PUSHED_OUT), swept(OTHERS, NEAR)),
            None,
            ("contact_unseen",),
        ),
        # or only nudged it
        (OWN, (touch(2, NEAR), swept(OWN, NEAR, reason="pushed_by_card")), None, ("contact_unseen",)),
        (OWN, (touch(2, NEAR), swept(3, NEAR)), None, ()),
    ],
)
def test_whose_a_swept_target_is(
    poem: int, facts: tuple[PoemFact, ...], taker: Side | None, doubts: tuple[str, ...]
) -> None:
    ruling = judge(poem, *facts)
    assert ruling.taken_by is taker
    assert ruling.doubts == doubts
    assert taker is not None or "nobody_took" in ruling.reasons
    if taker is not None and SURE in facts:
        assert ruling.faults == BySide(0, int(facts[2] == touch(52, FAR)))
        assert by_contacts(poem, *facts) == pytest.approx(0.95 * 0.95 * ALL)


def test_frames_that_were_lost_may_hide_who_else_was_there() -> None:
    lost = Gap(90 * MS, 110 * MS, "dropped_frames")
    assert "gap" in judge(OWN, touch(2, NEAR), swept(OWN, NEAR), lost).doubts


@pytest.mark.parametrize(
    ("others", "sure"),
    [
        ((), 0.95 * 0.9),
        ((touch(52, FAR, confidence=0.99),), 0.95 * 0.9 * 0.99),
        ((touch(3, FAR, confidence=0.99),), 0.6),
        ((swept(3, None, 300, "view_blocked"),), 0.6),
        ((swept(OWN, FAR, 300, "hand_over"),), 0.6),
    ],
    ids=["nobody else", "beyond", "beside it", "hidden", "over it"],
)
def test_a_target_that_may_only_have_been_swept_along_is_the_only_players_whose_hand_was_there(
    others: tuple[PoemFact, ...], sure: float
) -> None:
    facts = touch(OWN, NEAR, confidence=0.6, whose=0.9), touch(2, NEAR, confidence=0.9), *others
    assert judge(OWN, *facts).taken_by is NEAR
    assert by_contacts(OWN, *facts) == pytest.approx(sure * ALL)


PUSHED = Contact.PUSHED_OUT


@pytest.mark.parametrize("contact", Contact)
@pytest.mark.parametrize("faint", [0.1, 0.3, 0.5, 0.6, 0.8])
@pytest.mark.parametrize("player", [NEAR, FAR])
def test_a_faint_contact_wins_no_race_by_a_later_one(contact: Contact, faint: float, player: Side) -> None:
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
