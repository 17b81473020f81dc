"""Tidying after the play: cards moved long after a take or a fault, and rows that are straightened."""

from dataclasses import replace

import pytest

from referee.facts import Contact, PoemStarted, Testimony, Touch, Unprovable
from referee.layout import Layout, PlacedCard, row_centre_y_m
from referee.sides import Side
from vision.contact.rearrangement import Manner, is_play, is_tidied, told_apart

MS = 1_000_000
START = PoemStarted(3, 0, MS)
TAKE = Touch(3, Side.FAR, 800 * MS, 10 * MS, confidence=0.95)
LIES = {
    card: PlacedCard(card, Side.NEAR, 1, x_m, row_centre_y_m(Side.NEAR, 1))
    for card, x_m in {1: -0.4, 2: -0.3, 3: 0.3, 4: 0.4}.items()
}
LIVE = Layout(tuple(LIES.values()))
DEAD = Layout(tuple(placed for card, placed in LIES.items() if card != 3))
UNREAD = Layout((LIES[1], LIES[2], replace(LIES[3], card=None), LIES[4]))
CARRIED = Layout((replace(LIES[1], x_m=0.1), *(LIES[card] for card in (2, 3, 4))))  # card 1 lies elsewhere


def told(
    *facts: Testimony,
    manners: dict[int | None, Manner] | None = None,
    before: Layout = LIVE,
    after: Layout = LIVE,
) -> list[Testimony]:
    return told_apart(facts, manners or {}, START, before, after)


def touch(
    t_ms: float, unc_ms: float = 5, card: int = 1, by: Side = Side.NEAR, confidence: float = 0.95
) -> Touch:
    return Touch(card, by, round(t_ms * MS), round(unc_ms * MS), confidence=confidence)


@pytest.mark.parametrize("take", [TAKE, Touch(3, Side.FAR, 800 * MS, 10 * MS, Contact.PUSHED_OUT)])
@pytest.mark.parametrize("manners", [{}, {1: Manner.HIDDEN}])
def test_a_card_moved_long_after_the_take_was_tidied(take: Touch, manners: dict[int | None, Manner]) -> None:
    late = told(take, touch(1600), manners=manners)[1]
    assert late == Unprovable(1, Side.NEAR, 1600 * MS, 5 * MS, "after_play")
    assert not is_play(late, START)


def test_neither_did_a_hand_that_lies_there_by_then_touch_it() -> None:
    second = Unprovable(1, Side.NEAR, 1600 * MS, 5 * MS, "second_hand")
    assert told(TAKE, second)[1] == Unprovable(1, Side.NEAR, 1600 * MS, 5 * MS, "after_play")


def test_what_may_have_happened_in_time_stays_a_contact() -> None:
    facts = TAKE, touch(1050), touch(1600, unc_ms=400)
    assert told(*facts) == list(facts)


def test_while_nobody_has_taken_the_card_every_contact_counts() -> None:
    assert told(touch(1600)) == [touch(1600)]


def test_the_card_itself_is_taken_by_whoever_touches_it_however_late() -> None:
    again = Touch(3, Side.NEAR, 1900 * MS, 5 * MS, confidence=0.95)
    assert told(TAKE, again) == [TAKE, again]


@pytest.mark.parametrize(("before", "counts"), [(DEAD, False), (LIVE, True), (UNREAD, True)])
def test_long_after_a_touch_of_a_dead_poem_nobody_plays_any_more(before: Layout, *, counts: bool) -> None:
    fault, second, late = touch(800), touch(1600, card=2), touch(2900, card=4)
    assert told(fault, second, late, before=before)[:2] == [fault, second]
    assert (told(fault, second, late, before=before)[2] == late) is counts


def test_what_was_tidied_before_anybody_could_play_begins_no_play() -> None:
    early, unsure, fault = touch(100, card=2), touch(300, card=4, confidence=0.4), touch(1700)
    assert told(early, unsure, fault, before=DEAD)[2] == fault


@pytest.mark.parametrize(
    ("late", "manner", "confidence"),
    [
        (touch(2500, card=2), Manner.NUDGED, 0.5),
        (touch(1900, card=2), Manner.NUDGED, 0.95),  # some need so long for a poem
        (touch(2500, card=2, by=Side.FAR), Manner.NUDGED, 0.95),  # nobody sets another one's cards straight
        (touch(2500, card=3), Manner.NUDGED, 0.95),  # whoever touches the card that was read takes it
        (touch(2500, card=2), None, 0.95),  # it flew off
    ],
)
def test_an_own_card_that_slid_long_after_the_poem_may_have_been_set_straight(
    late: Touch, manner: Manner | None, confidence: float
) -> None:
    assert told(late, manners={} if manner is None else {late.card: manner}) == [
        replace(late, confidence=confidence)
    ]


@pytest.mark.parametrize(
    ("t_ms", "before", "tidied"), [(2100, DEAD, True), (1900, DEAD, False), (2100, LIVE, False)]
)
def test_nobody_plays_two_seconds_after_a_dead_poem_began(t_ms: int, before: Layout, *, tidied: bool) -> None:
    (nudged,) = told(touch(t_ms, card=2), manners={2: Manner.NUDGED}, before=before)
    assert is_tidied(nudged) is tidied
