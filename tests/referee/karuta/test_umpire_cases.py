"""Cases of an umpire: what happened at the cards, and the ruling that has to come. Times in milliseconds.

Near's target is 1, far's is 51; 100 is a dead card.
"""

from dataclasses import replace

import pytest

from referee.facts import Gap, Hand, PoemStarted, Touch, Unprovable
from referee.karuta.contacts import PoemFact
from referee.karuta.declarations import BrokeRule, Conduct, PlayEnded, PlayingHand, WrongHand
from referee.karuta.house_rules import PRESETS
from referee.karuta.ruleset import BothFault, BothHands, RuleSet, SimultaneousPush
from referee.karuta.ruling import Ruling
from referee.sides import Side
from tests.referee.karuta.judged_poem import DEAD, FAR, MS, NEAR, OTHERS, OWN, judge, pushed, says, touch

LEFT, RIGHT = Hand.LEFT, Hand.RIGHT
OFFICIAL = PRESETS["official"]


RIGHT_PLAYS, ENDED = PlayingHand(FAR, RIGHT), PlayEnded(1000 * MS, 100 * MS)
FIRST_SOUND = PoemStarted(OWN, 0, MS)


def swept(card: int, player: Side, t_ms: float, out_ms: tuple[int, int], hand: Hand | None = None) -> Touch:
    """Return a touch by a hand that swept the card out of its territory."""
    return replace(touch(card, player, t_ms, hand=hand), out_ns=(out_ms[0] * MS, out_ms[1] * MS))


SWEPT, LEFT_SWEEPS = swept(52, NEAR, 500, (600, 800)), swept(OWN, FAR, 500, (600, 700), LEFT)
LEFT_HAND_PUSHES = (
    PlayingHand(FAR, RIGHT),
    touch(2, FAR, 500, hand=LEFT),
    pushed(OWN, FAR, 550),
    touch(OWN, NEAR, 600, hand=RIGHT),
)
CASES: list[tuple[str, int, tuple[PoemFact, ...], str, tuple[str, ...]]] = [
    # the hand that may not take, and pushes
    ("official", OWN, (*LEFT_HAND_PUSHES[:3], touch(OWN, FAR, 900, hand=RIGHT)), "nobody takes", ()),
    ("official", OWN, (RIGHT_PLAYS, touch(2, FAR, 500, hand=LEFT), touch(3, FAR, 500, hand=RIGHT),
        pushed(OWN, FAR, 550)), "far takes, far sends 1", ()),
    ("official", OWN, (RIGHT_PLAYS, touch(2, FAR, 500, hand=LEFT), touch(51, FAR, 500, hand=RIGHT),
        pushed(OWN, FAR, 550)), "nobody takes, far faults, near sends 1", ()),
    ("official", OWN, (RIGHT_PLAYS, touch(2, FAR, 500, hand=RIGHT), touch(51, FAR, 500, hand=LEFT),
        pushed(OWN, FAR, 550)), "far takes, far sends 1", ()),
    ("official", OWN, (RIGHT_PLAYS, pushed(OWN, FAR, 550), touch(2, FAR, 700, hand=LEFT)),
        "far takes, far sends 1", ()),
    ("kyogi", OWN, (PoemStarted(OWN, 450 * MS, MS), touch(51, FAR, 400), pushed(OWN, FAR, 480)),
        "nobody takes, far faults, near sends 1", ("contact_unseen",)),
    ("kyogi", OWN, (RIGHT_PLAYS, touch(51, FAR, 400, hand=RIGHT), pushed(OWN, FAR, 480)),
        "far takes, far faults", ()),
    ("kyogi", OWN, (WrongHand(FAR, OWN),), "nobody takes", ("contact_unseen",)),
    ("kyogi", OWN, (touch(OWN, NEAR), WrongHand(FAR, 52)), "near takes", ("contact_unseen",)),
    ("kyogi", OWN, (touch(52, FAR), WrongHand(FAR, 52)), "nobody takes, far faults, near sends 1", ()),
    ("official", OWN, (RIGHT_PLAYS, LEFT_SWEEPS, touch(OWN, NEAR, 900)), "near takes", ()),
    ("official", OWN, (LEFT_SWEEPS, touch(OWN, NEAR, 900)), "far takes, far sends 1", ()),
    # before the first sound
    ("kyogi", OWN, (FIRST_SOUND, touch(2, FAR, -100), pushed(OWN, FAR, 550)),
        "nobody takes, far faults, near sends 1", ()),
    ("seed-000", OWN, (FIRST_SOUND, touch(2, FAR, -100), pushed(OWN, FAR, 550)), "nobody takes", ()),
    ("kyogi", OWN, (FIRST_SOUND, touch(2, FAR, -100), Unprovable(OWN, FAR, 550 * MS, MS, "swept_along")),
        "nobody takes, far faults, near sends 1", ("contact_unseen",)),
    ("kyogi", OWN, (FIRST_SOUND, touch(2, FAR, -100), touch(3, FAR, 500), pushed(OWN, FAR, 550)),
        "far takes, far faults", ()),
    ("official", OWN, (FIRST_SOUND, RIGHT_PLAYS, touch(2, FAR, -100), touch(3, FAR, 500, hand=LEFT),
        pushed(OWN, FAR, 550)), "nobody takes, far faults, near sends 1", ()),
    # after the take
    ("kyogi", OWN, (touch(OWN, NEAR, 500), touch(51, NEAR, 520), touch(52, NEAR, 2000)),
        "near takes, near faults, far sends 1", ()),
    ("kyogi", OWN, (touch(OWN, NEAR, 500), touch(51, NEAR, 1500)),
        "near takes, near faults, far sends 1", ("end_unclear",)),
    ("kyogi", OWN, (touch(OWN, NEAR, 500), touch(51, NEAR, 1500), ENDED), "near takes", ()),
    ("kyogi", DEAD, (touch(51, NEAR, 1500), ENDED), "nobody takes", ()),
    ("kyogi", DEAD, (touch(2, NEAR, 4000),), "nobody takes, near faults, far sends 1", ()),
    ("kyogi", DEAD, (touch(2, NEAR, 500), touch(3, NEAR, 4000)),
        "nobody takes, near faults, far sends 1", ()),
    ("kyogi", DEAD, (touch(1, NEAR, 500), touch(51, FAR, 8000)),
        "nobody takes, near faults, far faults", ("end_unclear",)),
    # cards that are swept out
    ("kyogi", DEAD, (touch(52, NEAR, 500), pushed(52, NEAR, 700), touch(52, FAR, 3000)),
        "nobody takes, near faults, far sends 1", ()),
    ("kyogi", OWN, (SWEPT, touch(52, FAR, 3000)), "nobody takes, near faults, far sends 1", ()),
    ("kyogi", DEAD, (SWEPT, touch(52, FAR, 3000)), "nobody takes, near faults, far sends 1", ()),
    ("kyogi", DEAD, (SWEPT, touch(52, FAR, 590)), "nobody takes, near faults, far faults", ()),
    ("kyogi", DEAD, (SWEPT, touch(52, FAR, 700)),
        "nobody takes, near faults, far faults", ("line_unclear",)),
    ("kyogi", DEAD, (SWEPT, touch(52, FAR, 790)),
        "nobody takes, near faults, far faults", ("line_unclear",)),
    ("kyogi", DEAD, (SWEPT, touch(52, FAR, 810)), "nobody takes, near faults, far sends 1", ()),
    ("kyogi", DEAD, (SWEPT, Unprovable(52, FAR, 700 * MS, MS, "second_hand")),
        "nobody takes, near faults, far sends 1", ("contact_unseen",)),
    ("kyogi", DEAD, (SWEPT, Unprovable(52, FAR, 900 * MS, MS, "second_hand")),
        "nobody takes, near faults, far sends 1", ()),
    ("kyogi", DEAD, (pushed(51, NEAR, 400), touch(51, NEAR, 400)),
        "nobody takes, near faults, far sends 1", ()),
]  # fmt: skip


@pytest.mark.parametrize(("preset", "poem", "facts", "call", "doubts"), CASES)
def test_the_call_in_a_case(
    preset: str, poem: int, facts: tuple[PoemFact, ...], call: str, doubts: tuple[str, ...]
) -> None:
    ruling = judge(poem, *facts, rules=PRESETS[preset])
    assert (says(ruling), ruling.doubts) == (call, doubts)


# --- the wrong hand --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("preset", "call"),
    [
        ("kyogi", "near takes, far faults, near sends 1"),
        ("seed-001", "near takes, far faults, near sends 1"),
        ("seed-000", "near takes"),
        ("official", "near takes"),
    ],
)
def test_far_pushes_a_card_out_with_the_left_hand_though_the_right_one_plays(preset: str, call: str) -> None:
    assert says(judge(OWN, *LEFT_HAND_PUSHES, rules=PRESETS[preset])) == call


@pytest.mark.parametrize(
    ("preset", "call"),
    [
        ("kyogi", "near takes, far faults, near sends 1"),
        ("official", "near takes"),
        ("seed-000", "near takes, far faults, near sends 1"),  # its own 51 is a fault with either hand
    ],
)
@pytest.mark.parametrize("word", [PlayingHand(FAR, RIGHT), WrongHand(FAR, 51)])
def test_a_wrong_hand_takes_nothing_by_a_push_over_the_middle(word: PoemFact, preset: str, call: str) -> None:
    facts = (word, touch(51, FAR, 400, hand=LEFT), pushed(OWN, FAR, 480), touch(OWN, NEAR, 600))
    ruling = judge(OWN, *facts, rules=PRESETS[preset])
    assert (says(ruling), ruling.doubts) == (call, ("contact_unseen",))


FAR_SWEEPS = (touch(2, FAR, 400, hand=LEFT), Unprovable(OWN, FAR, 450 * MS, MS, "swept_along"))


@pytest.mark.parametrize("preset", PRESETS.names)
@pytest.mark.parametrize(
    "word", [BrokeRule(FAR, Conduct.BOTH_HANDS), WrongHand(FAR, OWN), PlayingHand(FAR, RIGHT)]
)
def test_who_may_not_take_sweeps_nothing(word: PoemFact, preset: str) -> None:
    assert judge(OWN, *FAR_SWEEPS, rules=PRESETS[preset]).taken_by is FAR
    ruling = judge(OWN, *FAR_SWEEPS, word, rules=PRESETS[preset])
    assert ruling.taken_by is None
    assert "contact_unseen" in ruling.doubts


@pytest.mark.parametrize(
    ("rule", "call"),
    [
        (BothHands.WARN, "near takes, near sends 1"),
        (BothHands.NO_TAKE, "nobody takes"),
        (BothHands.FAULT, "nobody takes, near faults, far sends 1"),
    ],
)
@pytest.mark.parametrize("take", [touch(OTHERS, NEAR, 500), pushed(OTHERS, NEAR, 500)])
def test_near_takes_with_both_hands(take: Touch, rule: BothHands, call: str) -> None:
    both = BrokeRule(NEAR, Conduct.BOTH_HANDS)
    assert says(judge(OTHERS, take, both, rules=RuleSet(both_hands=rule))) == call


def test_a_card_that_was_reached_with_both_hands_is_open_to_the_other_player() -> None:
    both = BrokeRule(NEAR, Conduct.BOTH_HANDS)
    ruling = judge(OTHERS, touch(OTHERS, NEAR, 500), touch(OTHERS, FAR, 560), both)
    assert says(ruling) == "far takes"
    assert ruling.reasons == ("take_own", "both_hands_no_take")


# --- before the reading, and after the take --------------------------------------------------------------


def test_a_card_touched_while_tidying_is_no_fault() -> None:
    ruling = judge(OWN, touch(OWN, NEAR, 500), touch(51, NEAR, 8000))
    assert says(ruling) == "near takes"
    assert "after_play" in ruling.reasons


def test_play_is_over_after_three_seconds_to_the_nanosecond() -> None:
    after_ns = 3_000_000_000
    took = Touch(OWN, NEAR, 0, 1)
    for late_ns, faults in ((1, 1), (2, 1), (3, 0)):  # two instants of 1 ns each are apart from 2 ns on
        assert judge(OWN, took, Touch(51, NEAR, after_ns + late_ns, 1)).faults.near == faults


@pytest.mark.parametrize(
    ("t_ms", "doubts"), [(1400, ()), (1600, ("end_unclear",)), (2000, ("end_unclear",)), (3600, ())]
)
def test_a_fault_that_may_be_tidying_goes_to_an_official(t_ms: float, doubts: tuple[str, ...]) -> None:
    """Near takes at 0.5 s; a strike comes within a second of it, and tidying is sure after three."""
    for player in Side:
        assert judge(OWN, touch(OWN, NEAR, 500), touch(51, player, t_ms)).doubts == doubts


def test_who_tidies_sooner_by_the_house_rules_is_sooner_free() -> None:
    facts = (touch(OWN, NEAR, 500), touch(51, NEAR, 1400))
    assert says(judge(OWN, *facts, rules=RuleSet(tidying_after_ms=600))) == "near takes"


@pytest.mark.parametrize(("t_ms", "doubts"), [(1400, ()), (1600, ("end_unclear",)), (8000, ("end_unclear",))])
@pytest.mark.parametrize("player", Side)
def test_who_touches_long_after_a_fault_on_a_dead_card_may_be_tidying(
    player: Side, t_ms: float, doubts: tuple[str, ...]
) -> None:
    """No take ends the play of a dead card: what follows its first fault may put back what that one moved."""
    ruling = judge(DEAD, touch(51, player, t_ms), touch(2, player, 500))
    assert (ruling.faults[player], ruling.doubts) == (2, doubts)


@pytest.mark.parametrize(
    "later",
    [
        touch(77, FAR, 8000),
        Unprovable(OWN, FAR, 8000 * MS, MS, "second_hand"),
        Unprovable(51, FAR, 8000 * MS, MS, "no_hand_seen"),
    ],
)
def test_what_is_done_after_the_play_leaves_no_doubt(later: PoemFact) -> None:
    ruling = judge(OWN, touch(OWN, NEAR, 500), later, Gap(7900 * MS, 8100 * MS, "dropped_frames"))
    assert ruling.doubts == ()


def test_who_tidies_in_the_takers_territory_was_not_in_the_play() -> None:
    swept = Unprovable(OWN, NEAR, 503 * MS, MS, "swept_along")
    facts = (touch(2, NEAR, 500), swept)
    assert judge(OWN, *facts, touch(3, FAR, 8000)).taken_by is None
    assert judge(OWN, *facts, touch(3, FAR, 8000), PlayEnded(3000 * MS, MS)).taken_by is NEAR


@pytest.mark.parametrize(
    ("facts", "doubts"),
    [
        ((touch(OWN, NEAR, 500), PlayEnded(1500 * MS, 300 * MS), touch(51, NEAR, 1700)), ("end_unclear",)),
        ((touch(OWN, NEAR, 500, unc_ms=30), touch(51, NEAR, 3510, unc_ms=30)), ("end_unclear",)),
        ((touch(OWN, NEAR, 500), PlayEnded(1500 * MS, 300 * MS), touch(51, NEAR, 1100)), ()),
        ((touch(OWN, NEAR, 500), touch(52, NEAR, 510), touch(51, NEAR, 3501)), ()),
        ((PlayEnded(500 * MS, 300 * MS), touch(OWN, NEAR, 900)), ("end_unclear",)),
        ((touch(OWN, NEAR, 400), PlayEnded(500 * MS, 300 * MS), touch(OWN, NEAR, 900)), ()),
        (
            (
                PlayEnded(500 * MS, MS),
                touch(2, NEAR, 900),
                Unprovable(OWN, NEAR, 905 * MS, MS, "swept_along"),
            ),
            ("end_unclear",),
        ),
        ((PlayEnded(500 * MS, MS), Unprovable(OWN, NEAR, 900 * MS, MS, "no_card_motion")), ()),
    ],
)
def test_what_may_have_come_after_is_in_doubt(facts: tuple[PoemFact, ...], doubts: tuple[str, ...]) -> None:
    assert judge(OWN, *facts).doubts == doubts


# --- cards that are pushed and swept ---------------------------------------------------------------------


def both_push(*more: PoemFact) -> Ruling:
    """Near's hand on 3 pushes out 2 and 1, far's hand on 2 pushes out 1, both at the same time."""
    facts = (
        touch(3, NEAR, 500),
        pushed(2, NEAR, 530),
        pushed(OWN, NEAR, 550),
        touch(2, FAR, 500),
        pushed(OWN, FAR, 550),
    )
    return judge(OWN, *facts, *more, rules=RuleSet(simultaneous_push=SimultaneousPush.NEARER_TOUCH))


def test_the_nearer_touch_is_a_touch_and_not_a_card_that_was_pushed() -> None:
    ruling = both_push()
    assert ruling.taken_by is FAR
    assert "simultaneous_nearer_touch" in ruling.reasons


def test_the_nearer_touch_is_measured_along_the_rows_and_across() -> None:
    """Far touches the card beside, 52 mm away, and near the one in the row behind, 80 mm away."""
    facts = (touch(4, NEAR, 500), pushed(OWN, NEAR, 550), touch(2, FAR, 500), pushed(OWN, FAR, 550))
    rules = RuleSet(simultaneous_push=SimultaneousPush.NEARER_TOUCH)
    assert judge(OWN, *facts, rules=rules).taken_by is FAR


def test_the_nearer_touch_is_by_the_playing_hand_and_after_the_first_sound() -> None:
    assert both_push(touch(3, FAR, 500), WrongHand(FAR, 2)).taken_by is NEAR
    early = (PoemStarted(OWN, 510 * MS, MS), touch(4, FAR, 520), touch(3, NEAR, 520))
    assert both_push(*early).taken_by is NEAR


@pytest.mark.parametrize("poem", [OWN, DEAD])
@pytest.mark.parametrize(
    ("t_ms", "doubts"),
    [(250, ()), (350, ("line_unclear",)), (399, ("line_unclear",)), (402, ("line_unclear",)), (410, ())],
)
def test_a_card_on_its_way_out_may_have_been_outside(poem: int, t_ms: float, doubts: tuple[str, ...]) -> None:
    out = replace(pushed(51, NEAR, 400), t_unc_ns=100 * MS, sides_ns=(100 * MS, 5 * MS))
    ruling = judge(poem, touch(1, NEAR, 200), out, touch(51, FAR, t_ms))
    assert ruling.doubts == doubts
    assert ruling.faults.far == (t_ms < 410)


# --- both players fault ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "call"),
    [
        (BothFault.NET, "far takes, near faults, far faults, far sends 1"),
        (BothFault.CANCEL_FAULTS, "far takes, near faults, far faults, far sends 1"),
        (BothFault.CANCEL_ALL, "far takes, near faults, far faults"),
    ],
)
def test_both_fault_and_far_takes_from_near(rule: BothFault, call: str) -> None:
    facts = (touch(OWN, FAR, 500), touch(51, NEAR, 510), touch(51, FAR, 520))
    assert says(judge(OWN, *facts, rules=RuleSet(both_fault=rule))) == call


@pytest.mark.parametrize(
    ("preset", "call", "reason"),
    [
        ("kyogi", "nobody takes, near faults twice, far faults, far sends 1", "faults_net"),
        ("seed-000", "nobody takes, near faults twice, far faults", "faults_cancel_uneven"),
    ],
)
def test_two_faults_against_one_on_a_dead_card(preset: str, call: str, reason: str) -> None:
    facts = (touch(1, NEAR, 500), touch(51, NEAR, 510), touch(51, FAR, 520))
    ruling = judge(DEAD, *facts, rules=PRESETS[preset])
    assert says(ruling) == call
    assert reason in ruling.reasons
