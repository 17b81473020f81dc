"""The rules that the table of situations does not cover: hands, lines, starts, doubts."""

from dataclasses import replace

import pytest

from referee.facts import Contact, Gap, Hand, KimarijiCompleted, PoemStarted, Unprovable
from referee.karuta.contacts import PoemFact, canonical
from referee.karuta.declarations import BrokeRule, Conduct, PlayingHand, SharedFault, WrongHand
from referee.karuta.house_rules import PRESETS
from referee.karuta.judge import judge_poem
from referee.karuta.ruleset import EarlyTouch, RuleSet, SimultaneousPush
from referee.karuta.ruleset import WrongHand as WrongHandRule
from referee.karuta.ruling import Ruling
from referee.notation import parse_layout
from referee.sides import BySide, Side
from tests.referee.karuta.judged_poem import (
    ALL,
    DEAD,
    FAR,
    KYOGI,
    MS,
    NEAR,
    OTHERS,
    OWN,
    by_contacts,
    judge,
    pushed,
    says,
    touch,
)


def started(t_ms: float, unc_ms: float = 1, poem: int = OWN) -> PoemStarted:
    return PoemStarted(poem, round(t_ms * MS), round(unc_ms * MS))


def outcome(ruling: Ruling) -> tuple[Side | None, tuple[int, int], tuple[int, int]]:
    return ruling.taken_by, (ruling.faults.near, ruling.faults.far), (ruling.sends.near, ruling.sends.far)


@pytest.mark.parametrize("poem", [0, 101])
def test_a_poem_out_of_range_is_refused(poem: int) -> None:
    with pytest.raises(ValueError, match=r"1\.\.100"):
        judge(poem)


# --- rows 3 and 5: push-outs -----------------------------------------------------------------------------


def test_pushing_the_target_out_takes_it() -> None:
    ruling = judge(OTHERS, touch(52, NEAR, 90), pushed(OTHERS, NEAR, 120))
    assert outcome(ruling) == (NEAR, (0, 0), (1, 0))
    assert ruling.reasons == ("take_from_opponent", "pushed_out", "free_in_target_territory")
    assert judge(OWN, touch(OWN, NEAR), pushed(52, NEAR)).reasons == ("take_own",), "no card is a finger"


def test_a_touch_before_the_target_was_out_comes_first() -> None:
    ruling = judge(OWN, pushed(OWN, FAR, 120), touch(OWN, NEAR, 110))
    assert outcome(ruling) == (NEAR, (0, 0), (0, 0))
    assert (ruling.lead_ns, ruling.lead_unc_ns) == (10 * MS, 1_414_214)


def test_a_card_that_was_touched_or_else_pushed_out_is_taken_either_way() -> None:
    either = touch(OWN, NEAR, confidence=0.5), replace(pushed(OWN, NEAR, 120), confidence=0.9)
    ruling = judge(OWN, *either)
    assert (ruling.taken_by, ruling.take and ruling.take.contact) == (NEAR, Contact.TOUCH)
    assert by_contacts(OWN, *either) == pytest.approx(0.9 * ALL)
    assert ruling.doubts == ()


def test_two_unsure_ways_to_take_a_card_are_no_sure_one() -> None:
    either = touch(OWN, NEAR, confidence=0.75), replace(pushed(OWN, NEAR, 120), confidence=0.7)
    ruling = judge(OWN, *either)
    assert (ruling.taken_by, ruling.confidence) == (NEAR, 0.75 * ALL)
    assert ruling.doubts == ("low_confidence",)


@pytest.mark.parametrize(
    ("rule", "near_touched", "taker", "reason"),
    [
        (SimultaneousPush.OWNER, 3, FAR, "simultaneous_owner"),
        (SimultaneousPush.NEARER_TOUCH, 52, NEAR, "simultaneous_nearer_touch"),
        (SimultaneousPush.NEARER_TOUCH, 54, FAR, "simultaneous_nearer_touch"),
        (SimultaneousPush.NEARER_TOUCH, 55, NEAR, "simultaneous_nearer_touch"),
        (SimultaneousPush.NEARER_TOUCH, 53, FAR, "simultaneous_owner"),
    ],
)
def test_simultaneous_push_outs(rule: SimultaneousPush, near_touched: int, taker: Side, reason: str) -> None:
    facts = (pushed(OTHERS, NEAR), pushed(OTHERS, FAR), touch(near_touched, NEAR, 80), touch(53, FAR, 80))
    ruling = judge(OTHERS, *facts, rules=RuleSet(simultaneous_push=rule))
    assert ruling.taken_by is taker
    assert reason in ruling.reasons


def test_a_push_out_and_a_touch_at_the_same_time_go_to_the_owner() -> None:
    ruling = judge(
        OTHERS,
        pushed(OTHERS, NEAR),
        touch(OTHERS, FAR),
        rules=RuleSet(simultaneous_push=SimultaneousPush.NEARER_TOUCH),
    )
    assert (ruling.taken_by, ruling.reasons) == (FAR, ("take_own", "simultaneous_owner"))


# --- row 4: simultaneous -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("far_ms", "taker", "doubts"),
    [
        (94, FAR, ()),
        (95, NEAR, ("order_not_proven",)),
        (100, NEAR, ("order_not_proven",)),
        (105, NEAR, ("order_not_proven",)),
        (106, NEAR, ()),
    ],
)
def test_order_is_proven_beyond_uncertainty(far_ms: float, taker: Side, doubts: tuple[str, ...]) -> None:
    ruling = judge(OWN, touch(OWN, NEAR, 100, unc_ms=3), touch(OWN, FAR, far_ms, unc_ms=4))
    assert (ruling.taken_by, ruling.doubts) == (taker, doubts)
    assert ruling.lead_unc_ns == 5 * MS
    assert ruling.lead_ns == round((far_ms - 100 if taker is NEAR else 100 - far_ms) * MS)


def test_of_each_interval_the_side_counts_that_faces_the_other() -> None:
    soon = touch(OWN, FAR, 108)
    late = replace(touch(OWN, NEAR, 100), t_unc_ns=20 * MS, sides_ns=(MS, 20 * MS))
    early = replace(late, sides_ns=(20 * MS, MS))
    assert judge(OWN, late, soon).doubts == ("order_not_proven",)
    assert judge(OWN, early, soon).doubts == ()
    assert judge(OWN, early, soon).taken_by is NEAR


def test_confidence_of_a_tie_is_the_probability_of_the_order_it_rests_on() -> None:
    same = judge(OWN, touch(OWN, NEAR, 100), touch(OWN, FAR, 100))
    behind = judge(OWN, touch(OWN, NEAR, 101), touch(OWN, FAR, 100))
    assert same.confidence == 0.5 * ALL
    assert behind.confidence == pytest.approx(0.083, abs=0.001)
    assert behind.doubts == ("order_not_proven",)


# --- rows 16 to 21: lines and hands ------------------------------------------------------------------------


def test_several_cards_of_a_territory_are_one_fault() -> None:
    ruling = judge(OWN, touch(51, NEAR), touch(52, NEAR))
    assert outcome(ruling) == (None, (1, 0), (0, 1))
    assert "one_fault_per_territory" in ruling.reasons
    once = judge(OWN, touch(51, NEAR, 100), touch(51, NEAR, 150))
    assert "one_fault_per_territory" not in once.reasons, "one card touched twice"


@pytest.mark.parametrize(("t_ms", "faults"), [(99, 1), (101, 1), (102, 0)])
def test_a_card_outside_the_line_may_be_touched(t_ms: float, faults: int) -> None:
    ruling = judge(OWN, pushed(52, FAR, 100), touch(52, NEAR, t_ms))
    assert ruling.faults.near == faults
    assert ("outside_line" in ruling.reasons) == (faults == 0)


def test_shared_fault_cancels() -> None:
    facts = (touch(52, NEAR), SharedFault(FAR))
    assert outcome(judge(OWN, *facts)) == (None, (1, 1), (0, 0))
    assert judge(OWN, *facts).reasons == ("nobody_took", "fault", "shared_fault", "faults_cancel")
    assert outcome(judge(OWN, *facts, rules=PRESETS["seed-001"])) == (None, (1, 0), (0, 1))
    assert "shared_fault_off" in judge(OWN, *facts, rules=PRESETS["seed-001"]).reasons


def test_a_shared_fault_in_the_targets_territory_is_none() -> None:
    ruling = judge(OWN, SharedFault(NEAR))
    assert outcome(ruling) == (None, (0, 0), (0, 0))
    assert ruling.reasons == ("nobody_took", "free_in_target_territory")


@pytest.mark.parametrize("conduct", [one for one in Conduct if one is not Conduct.BOTH_HANDS])
def test_misconduct_is_noticed_or_a_fault(conduct: Conduct) -> None:
    broke = BrokeRule(NEAR, conduct)
    assert judge(OWN, broke).reasons == ("nobody_took", "misconduct_warned")
    punished = judge(OWN, broke, broke, rules=PRESETS["seed-001"])
    assert outcome(punished) == (None, (1, 0), (0, 1))
    assert "misconduct_fault" in punished.reasons


def test_no_more_than_two_faults_count() -> None:
    facts = (touch(2, NEAR), touch(52, NEAR), BrokeRule(NEAR, Conduct.GRABBED_HAND))
    assert judge(DEAD, *facts, rules=PRESETS["seed-001"]).faults.near == 2


WRONG_HAND = {
    WrongHandRule.FAULT: (None, (0, 1), (1, 0), "wrong_hand_fault"),
    WrongHandRule.OPPONENT_TAKES: (NEAR, (0, 0), (0, 0), "wrong_hand_opponent_takes"),
    WrongHandRule.VOID: (None, (0, 0), (0, 0), "wrong_hand_void"),
}


@pytest.mark.parametrize("rule", WRONG_HAND)
@pytest.mark.parametrize(
    "facts",
    [
        (touch(OWN, FAR), WrongHand(FAR, OWN)),
        (touch(OWN, FAR, hand=Hand.LEFT), PlayingHand(FAR, Hand.RIGHT)),
        (pushed(OWN, FAR), WrongHand(FAR, OWN)),
        (touch(2, FAR, 50, hand=Hand.LEFT), pushed(OWN, FAR), PlayingHand(FAR, Hand.RIGHT)),
        (pushed(OWN, FAR, hand=Hand.LEFT), PlayingHand(FAR, Hand.RIGHT)),
    ],
    ids=["declared", "seen", "pushed, declared", "pushed, seen beside it", "pushed, seen at it"],
)
def test_wrong_hand_on_the_target(rule: WrongHandRule, facts: tuple[PoemFact, ...]) -> None:
    ruling = judge(OWN, *facts, rules=RuleSet(wrong_hand=rule))
    taker, faults, sends, reason = WRONG_HAND[rule]
    assert outcome(ruling) == (taker, faults, sends)
    assert reason in ruling.reasons


@pytest.mark.parametrize(
    ("rule", "faults"), [(WrongHandRule.FAULT, 1), (WrongHandRule.OPPONENT_TAKES, 1), (WrongHandRule.VOID, 0)]
)
def test_wrong_hand_on_another_card(rule: WrongHandRule, faults: int) -> None:
    facts = (touch(52, NEAR), WrongHand(NEAR, 52))
    assert outcome(judge(OWN, *facts, rules=RuleSet(wrong_hand=rule))) == (None, (faults, 0), (0, faults))


@pytest.mark.parametrize(
    "facts",
    [
        (touch(OWN, FAR, hand=Hand.RIGHT), PlayingHand(FAR, Hand.RIGHT)),
        (touch(OWN, FAR, hand=Hand.LEFT), PlayingHand(NEAR, Hand.RIGHT)),
        (touch(OWN, FAR, hand=Hand.LEFT),),
        (touch(OWN, FAR), PlayingHand(FAR, Hand.RIGHT)),
        (pushed(OWN, FAR), WrongHand(FAR, 2)),
    ],
    ids=["right hand", "the other's choice", "no choice known", "hand not seen", "another card"],
)
def test_a_hand_is_wrong_only_against_a_known_choice(facts: tuple[PoemFact, ...]) -> None:
    assert outcome(judge(OWN, *facts)) == (FAR, (0, 0), (0, 1))


# --- rows 24 to 26: before the reading, before the kimariji ------------------------------------------------


@pytest.mark.parametrize(("card", "poem"), [(OWN, OWN), (2, OWN), (52, OWN), (2, DEAD)])
def test_touching_before_the_first_sound(card: int, poem: int) -> None:
    facts = (started(200, poem=poem), touch(card, FAR, 100))
    assert outcome(judge(poem, *facts)) == (None, (0, 1), (1, 0))
    assert "early_touch_fault" in judge(poem, *facts).reasons
    warned = judge(poem, *facts, rules=RuleSet(early_touch=EarlyTouch.WARN))
    assert outcome(warned) == (None, (0, 0), (0, 0))
    assert "early_touch_warned" in warned.reasons


def test_a_touch_that_may_be_early_is_in_doubt() -> None:
    ruling = judge(OWN, started(100, unc_ms=5), touch(OWN, NEAR, 98))
    assert (ruling.taken_by, ruling.doubts) == (NEAR, ("start_unclear",))
    assert judge(OWN, started(100, unc_ms=5), touch(OWN, NEAR, 110)).doubts == ()
    assert judge(OWN, started(200, poem=99), touch(OWN, NEAR, 100)).taken_by is NEAR, "of another poem"


def test_a_guess_before_the_kimariji_is_valid() -> None:
    decided = KimarijiCompleted(OWN, 300 * MS, MS)
    ruling = judge(OWN, started(0), touch(OWN, NEAR, 100), decided)
    assert (ruling.taken_by, ruling.reasons) == (NEAR, ("take_own", "before_kimariji"))
    assert "before_kimariji" not in judge(OWN, touch(OWN, NEAR, 400), decided).reasons


# --- row 38: nothing left to send --------------------------------------------------------------------------


def test_the_limit_is_named_only_where_it_bites() -> None:
    short = judge_poem(
        51, parse_layout("near 2|/|/| far 51 52|/|/|"), (touch(51, NEAR), touch(2, FAR)), KYOGI
    )
    assert "limited_to_cards_left" in short.reasons
    assert "limited_to_cards_left" not in judge(51, touch(51, NEAR), touch(2, FAR)).reasons


# --- doubts ------------------------------------------------------------------------------------------------


SMALL, ONE_UNREAD = "near 1 2 3|4/|/| far 51 52 53|54/55|/|", "near 1 ?|/|/| far 51|/|/|"
MOST_UNREAD = "near 1 ?|/|/| far ? ?|/|/|"
NOBODY = "nobody takes"
DOUBTS: list[tuple[str, int, tuple[PoemFact, ...], str, tuple[str, ...]]] = [
    # whose hand took the card, or faulted, matters unless it was late, or both faulted
    (SMALL, OWN, (touch(OWN, None),), NOBODY, ("player_unknown",)),
    (SMALL, OWN, (touch(OWN, NEAR, 100), touch(OWN, None, 101)), "near takes", ("player_unknown",)),
    (SMALL, OWN, (touch(OWN, NEAR, 100), touch(OWN, None, 150)), "near takes", ()),
    (SMALL, OWN, (touch(52, None),), NOBODY, ("player_unknown",)),
    (SMALL, OWN, (touch(52, None), touch(53, NEAR)), f"{NOBODY}, near faults, far sends 1",
        ("player_unknown",)),
    (SMALL, OWN, (touch(52, None), touch(53, NEAR), touch(51, FAR)), f"{NOBODY}, near faults, far faults",
        ()),
    (SMALL, OWN, (touch(2, None),), NOBODY, ()),
    # a contact with an unread card counts by its territory
    (SMALL, OWN, (touch(None, NEAR),), NOBODY, ("card_unread",)),
    (SMALL, OWN, (touch(None, NEAR, territory=NEAR),), NOBODY, ("card_unread",)),
    (SMALL, OWN, (touch(None, NEAR, territory=FAR),), f"{NOBODY}, near faults, far sends 1", ()),
    (SMALL, OWN, (touch(OWN, NEAR), touch(77, FAR)), "near takes", ("card_not_on_field",)),
    # the read card may be among unread ones, once somebody touches
    (ONE_UNREAD, 99, (), NOBODY, ()),
    (ONE_UNREAD, 99, (pushed(51, NEAR),), NOBODY, ("contact_unseen",)),
    (ONE_UNREAD, 99, (touch(1, FAR),), f"{NOBODY}, far faults, near sends 1", ("target_unread",)),
    (ONE_UNREAD, 99, (touch(77, FAR),), NOBODY, ("target_unread", "card_not_on_field")),
    (ONE_UNREAD, 1, (touch(1, NEAR),), "near takes", ()),
    (ONE_UNREAD, 99, (touch(51, NEAR),), f"{NOBODY}, near faults, far sends 1", ()),
    (ONE_UNREAD, 99, (touch(51, NEAR), touch(1, NEAR)), f"{NOBODY}, near faults twice, far sends 1",
        ("target_unread",)),
    # and where little was read, even if nobody was seen to touch
    (MOST_UNREAD, 99, (), NOBODY, ("target_unread",)),
    (MOST_UNREAD, 1, (), NOBODY, ()),
    ("near ?|/|/| far ? ?|/|/|", 99, (), NOBODY, ("target_unread",)),
    ("near 1 ?|/|/| far 2 ?|/|/|", 99, (), NOBODY, ()),
]  # fmt: skip


@pytest.mark.parametrize(("line", "poem", "facts", "call", "doubts"), DOUBTS)
def test_what_is_in_doubt(
    line: str, poem: int, facts: tuple[PoemFact, ...], call: str, doubts: tuple[str, ...]
) -> None:
    ruling = judge_poem(poem, parse_layout(line), facts, KYOGI)
    assert (says(ruling), ruling.doubts) == (call, doubts)


def test_an_unread_card_that_was_moved_may_be_the_target() -> None:
    layout = parse_layout("near 1 ?|/|/| far 51|/|/|")
    for moved in (
        touch(None, FAR, territory=NEAR),
        touch(None, NEAR, territory=FAR),
        touch(None, FAR, contact=Contact.PUSHED_OUT, territory=NEAR),
    ):
        assert "target_unread" in judge_poem(99, layout, [moved], KYOGI).doubts


def unprovable(
    card: int | None, player: Side | None, t_ms: float, reason: str = "view_blocked"
) -> Unprovable:
    return Unprovable(card, player, round(t_ms * MS), MS, reason)


@pytest.mark.parametrize(
    ("unseen", "doubts"),
    [
        (unprovable(OWN, FAR, 90), ("contact_unseen",)),
        (unprovable(OWN, None, 90), ("contact_unseen",)),
        (unprovable(OWN, FAR, 150), ()),
        (unprovable(OWN, NEAR, 90), ()),
        (unprovable(OWN, FAR, 90, "no_card_motion"), ()),
        (unprovable(OWN, FAR, 90, "hand_over"), ()),
        (unprovable(52, FAR, 90), ()),
        (unprovable(OWN, FAR, 90, "floor_shock"), ("contact_unseen",)),
        (unprovable(OWN, None, 90, "floor_shock"), ()),
        (unprovable(52, FAR, 90, "fingers_rested"), ("contact_unseen",)),
        (unprovable(2, FAR, 90, "touch_heard"), ()),
    ],
)
def test_an_unproven_contact_matters_if_it_may_take(unseen: Unprovable, doubts: tuple[str, ...]) -> None:
    ruling = judge(OWN, touch(OWN, NEAR, 100), unseen)
    assert outcome(ruling) == (NEAR, (0, 0), (0, 0))
    assert "not_provable" in ruling.reasons
    assert ruling.doubts == doubts


@pytest.mark.parametrize(
    "reason", ["second_hand", "hand_over", "floor_shock", "air", "cloth", "fingers_rested", "touch_heard"]
)
def test_a_second_hand_at_a_card_may_be_a_fault_that_was_not_counted_yet(reason: str) -> None:
    taken = touch(OWN, NEAR, 100)
    wrong = 52
    assert judge(OWN, taken, unprovable(wrong, NEAR, 90, reason)).doubts == ("contact_unseen",)
    assert judge(OWN, taken, unprovable(wrong, None, 90, reason)).doubts == ()
    assert judge(OWN, taken, unprovable(None, NEAR, 90, reason)).doubts == ()
    assert judge(OWN, taken, unprovable(OWN, NEAR, 90, reason)).doubts == ()
    counted = judge(OWN, taken, touch(wrong, NEAR, 80), unprovable(wrong, NEAR, 90, reason))
    assert counted.doubts == ()
    assert counted.faults == BySide(1, 0)


def test_an_unproven_contact_with_an_untaken_target_is_in_doubt() -> None:
    for reason in ("view_blocked", "fingers_rested"):
        assert judge(OWN, unprovable(OWN, NEAR, 90, reason)).doubts == ("contact_unseen",)


@pytest.mark.parametrize("reason", ["fingers_rested", "touch_heard"])
def test_fingers_that_rested_over_a_dead_poems_cards_may_have_touched_them(reason: str) -> None:
    for cards in ((2,), (2, 52)):
        ruling = judge(DEAD, *(unprovable(card, NEAR, 90, reason) for card in cards))
        assert outcome(ruling) == (None, (0, 0), (0, 0))
        assert ruling.doubts == ("contact_unseen",)
    taken = touch(OWN, NEAR, 100)
    assert judge(OWN, taken, unprovable(2, FAR, 90, reason)).doubts == ()
    after_play = judge(OWN, taken, unprovable(52, NEAR, 60_000, reason))
    assert after_play.confidence == judge(OWN, taken).confidence


@pytest.mark.parametrize("reason", ["floor_shock", "air", "cloth"])
def test_that_nobody_took_is_in_doubt_where_the_read_card_moved(reason: str) -> None:
    """Near slides a neighbour, which pushes the target out: no finger was on it, and near took it."""
    ruling = judge(OWN, unprovable(OWN, None, 90, reason), touch(2, NEAR, 60))
    assert (ruling.taken_by, ruling.doubts) == (None, ("contact_unseen",))
    others = judge(OWN, unprovable(2, None, 90, reason), unprovable(52, None, 90, reason))
    assert (outcome(others), others.doubts) == ((None, (0, 0), (0, 0)), ())


def test_an_unproven_contact_with_an_unread_card_matters_where_that_may_be_the_target() -> None:
    layout = parse_layout("near 1 ?|/|/| far 51|/|/|")
    assert judge_poem(99, layout, [unprovable(None, NEAR, 90)], KYOGI).doubts == ("contact_unseen",)
    assert judge_poem(1, layout, [unprovable(None, NEAR, 90)], KYOGI).doubts == ()


@pytest.mark.parametrize(
    ("gap_ms", "doubts"), [((0, 98), ()), ((0, 99), ("gap",)), ((101, 120), ("gap",)), ((102, 120), ())]
)
@pytest.mark.parametrize("card", [OWN, 52])
def test_a_gap_over_a_touch_is_in_doubt(gap_ms: tuple[int, int], doubts: tuple[str, ...], card: int) -> None:
    gap = Gap(gap_ms[0] * MS, gap_ms[1] * MS, "dropped_frames")
    assert judge(OWN, touch(card, NEAR, 100), gap).doubts == doubts


LOST = ("dropped_frames", "camera_stalled", "camera_lost")


@pytest.mark.parametrize("poem", [OWN, DEAD])
def test_a_gap_in_which_every_card_stayed_hides_nothing(poem: int) -> None:
    for reason in LOST:
        assert judge(poem, Gap(0, MS, reason)).doubts == ()


@pytest.mark.parametrize("poem", [OWN, DEAD])
@pytest.mark.parametrize("taken", [True, False])
@pytest.mark.parametrize(
    "reason", ["view_blocked", "out_of_view", "film_ends", "eye_failed", "watch_stopped"]
)
def test_a_gap_after_which_nobody_looked_is_in_doubt(poem: int, taken: bool, reason: str) -> None:
    contacts = [touch(poem, NEAR, 100)] if taken and poem == OWN else []
    assert judge(poem, *contacts, Gap(500 * MS, 600 * MS, reason)).doubts == ("gap",)


@pytest.mark.parametrize("reason", LOST)
@pytest.mark.parametrize(
    ("poem", "left", "in_doubt"), [(DEAD, 2, True), (OWN, 52, True), (OWN, OWN, True), (OWN, 2, False)]
)
def test_what_left_in_a_gap_is_in_doubt_if_unfree(reason: str, poem: int, left: int, in_doubt: bool) -> None:
    gap = Gap(80 * MS, 120 * MS, reason)
    for fact in (touch(left, NEAR, 100), unprovable(left, None, 100, "no_hand_seen")):
        assert ("gap" in judge(poem, fact, gap).doubts) is in_doubt


@pytest.mark.parametrize("reason", ["no_hand_seen", "stranger"])
@pytest.mark.parametrize(("poem", "left", "in_doubt"), [(DEAD, 2, True), (OWN, 52, True), (OWN, 2, False)])
def test_a_card_that_left_unseen_may_be_a_fault(reason: str, poem: int, left: int, in_doubt: bool) -> None:
    taken = [touch(OWN, NEAR, 100)] if poem == OWN else []
    ruling = judge(poem, *taken, unprovable(left, None, 90, reason))
    assert ("contact_unseen" in ruling.doubts) is in_doubt
    assert (ruling.confidence < ALL) is in_doubt


# --- the ruling as a value ---------------------------------------------------------------------------------


def test_a_ruling_as_the_exam_format_has_it() -> None:
    assert judge(OTHERS, touch(OTHERS, NEAR, confidence=0.96779378 / ALL), touch(2, FAR)).to_json() == {
        "status": "decided",
        "taken_by": "near",
        "faults": {"near": 0, "far": 1},
        "sends": {"near": 2, "far": 0},
        "reasons": ["take_from_opponent", "fault", "double"],
        "doubts": [],
        "confidence": 0.9877,
    }
    assert judge(DEAD).to_json()["taken_by"] is None


def test_of_two_touches_that_differ_by_nothing_but_their_card_the_lower_number_comes_first() -> None:
    """Which of them came in first must not matter."""
    lower, higher = touch(51, NEAR), touch(52, NEAR)
    assert sorted((higher, lower), key=canonical) == sorted((lower, higher), key=canonical)
    assert judge(OWN, lower, higher) == judge(OWN, higher, lower)
