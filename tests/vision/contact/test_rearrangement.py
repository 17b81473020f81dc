"""Tidying: a card that its owner moves elsewhere was not played; other slow moves are doubtful."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from referee.facts import Gap, PoemStarted, Testimony, Touch, Unprovable
from referee.layout import Layout, PlacedCard, row_centre_y_m
from referee.sides import Side
from vision.contact.contact import Contact, Proof
from vision.contact.rearrangement import (
    Manner,
    is_early,
    is_play,
    is_rearranged,
    is_tidied,
    manners_of,
    may_be_carried,
    soonest_ns,
    told_apart,
)
from vision.departures.departure import Departure
from vision.field.slots import Sight, Slot
from vision.launch.flight import Flight, Launch
from vision.launch.onset import Onset
from vision.launch.strikes import Strike

MS = 1_000_000
START = PoemStarted(3, 0, MS)
ROW_M = row_centre_y_m(Side.NEAR, 1)
BEFORE = Layout(
    (
        PlacedCard(1, Side.NEAR, 1, 0.40, ROW_M),
        PlacedCard(2, Side.NEAR, 1, 0.30, ROW_M),
        PlacedCard(3, Side.FAR, 0, 0.10, row_centre_y_m(Side.FAR, 0)),
    )
)


def touch(card: int | None = 1, t_ms: float = 900, **changes: Any) -> Touch:
    return replace(Touch(card, Side.NEAR, round(t_ms * MS), 5 * MS, confidence=0.95), **changes)


def after(**changes: Any) -> Layout:
    moved = replace(BEFORE.cards[0], **changes)
    return Layout((moved, *BEFORE.cards[1:]))


@pytest.mark.parametrize(
    ("lies", "rearranged"),
    [
        ({"x_m": -0.2}, True),
        ({"x_m": -0.2, "y_m": ROW_M + 0.002, "angle_rad": 0.03}, True),
        ({"x_m": -0.2, "row": 2, "y_m": row_centre_y_m(Side.NEAR, 2)}, True),
        ({"x_m": 0.39}, False),  # set straight, or pressed
        ({"x_m": -0.2, "y_m": ROW_M + 0.02}, False),
        ({"x_m": -0.2, "angle_rad": 0.4}, False),
        ({"x_m": -0.2, "faces_owner": False}, False),
        ({"x_m": -0.2, "side": Side.FAR, "y_m": row_centre_y_m(Side.FAR, 1)}, False),
        ({"x_m": -0.2, "card": None}, False),
    ],
)
def test_only_a_card_laid_neatly_into_another_place_is_rearranged(
    lies: dict[str, Any], rearranged: bool
) -> None:
    assert is_rearranged(touch(), BEFORE, after(**lies)) is rearranged


@pytest.mark.parametrize(("off_m", "rearranged"), [(0.0, True), (0.006, False)])
def test_a_row_seen_aslant_is_as_neat_as_a_straight_one(off_m: float, *, rearranged: bool) -> None:
    aslant = 0.012  # a camera that was knocked by 0.7 degrees
    lie_m = (-0.35, -0.3, 0.25, 0.3, 0.35, 0.4)
    row = [PlacedCard(k, Side.NEAR, 1, x_m, ROW_M - aslant * x_m) for k, x_m in enumerate(lie_m, 10)]
    was, now = (PlacedCard(1, Side.NEAR, 1, x_m, ROW_M - aslant * x_m) for x_m in (0.2, -0.4))
    laid = replace(now, y_m=now.y_m + off_m)
    assert is_rearranged(touch(), Layout((was, *row)), Layout((laid, *row))) is rearranged


@pytest.mark.parametrize("contact", [touch(None), touch(player=Side.FAR), touch(77)])
def test_only_the_owner_rearranges_cards_that_are_known(contact: Touch) -> None:
    assert not is_rearranged(contact, BEFORE, after(x_m=-0.2))


def test_what_is_tidied_is_told_as_that_and_what_may_be_is_doubted() -> None:
    facts: list[Testimony] = [touch(1), touch(2), touch(3), Gap(0, 1, "dropped_frames")]
    manners: dict[int | None, Manner] = dict.fromkeys((1, 2, 3), Manner.SLOW)
    carried, nudged, target, gap = told_apart(facts, manners, START, BEFORE, after(x_m=-0.2))
    assert carried == Unprovable(1, Side.NEAR, 900 * MS, 5 * MS, "tidied")
    assert is_tidied(carried)
    assert nudged == touch(2, confidence=0.5)
    assert (target, gap) == (facts[2], facts[3])  # who moves the poem's card takes it, however slowly
    assert not is_tidied(nudged)


@pytest.mark.parametrize(("x_m", "is_put"), [(-0.2, True), (0.39, False)])
def test_what_a_brisk_hand_took_along_is_told_by_where_it_lies(x_m: float, *, is_put: bool) -> None:
    (told,) = told_apart([touch()], {1: Manner.CARRIED}, START, BEFORE, after(x_m=x_m))
    assert is_tidied(told) is is_put
    assert is_put or told == touch()


@pytest.mark.parametrize(
    ("manner", "t_ms", "confidence"),
    [
        (Manner.HIDDEN, 900, 0.95),
        (Manner.HIDDEN, 2500, 0.5),  # nobody plays so late
        (Manner.IN_COMPANY, 900, 0.95),
        (Manner.IN_COMPANY, 2500, 0.5),
        (Manner.LONG_HIDDEN, 900, 0.5),
        (Manner.SLOW, 900, 0.5),
    ],
)
def test_a_hidden_slide_is_doubted_where_it_is_late_or_long(
    manner: Manner, t_ms: float, confidence: float
) -> None:
    (told,) = told_apart([touch(t_ms=t_ms)], {1: manner}, START, BEFORE, BEFORE)
    assert told == touch(t_ms=t_ms, confidence=confidence)


@pytest.mark.parametrize(
    ("player", "came_ms", "confidence"),
    [
        (Side.FAR, 210, 0.95),
        (Side.FAR, 1990, 0.95),
        (Side.FAR, 190, 0.5),  # it may have lain there before the poem was heard
        (Side.FAR, 2010, 0.5),
        (Side.NEAR, 900, 0.5),  # her own card may have been set straight
        (None, 900, 0.5),
    ],
)
def test_who_came_to_a_card_of_the_other_player_after_the_poem_plays_however_long_the_hand_stays(
    player: Side | None, came_ms: float, confidence: float
) -> None:
    lies_ms = 400.0  # on card 1, which is the near player's
    contact = touch(t_ms=came_ms + lies_ms, t_unc_ns=round(lies_ms * MS), player=player)
    (told,) = told_apart([contact], {1: Manner.LONG_HIDDEN}, START, BEFORE, BEFORE)
    assert told == replace(contact, confidence=confidence)


def test_a_card_that_no_layout_knows_is_doubted_below_a_hand_that_stays() -> None:
    for card in (7, None):
        (told,) = told_apart([touch(card)], {card: Manner.LONG_HIDDEN}, START, BEFORE, BEFORE)
        assert told == touch(card, confidence=0.5)


def slide(
    shares: dict[int, float],
    bracket_ms: tuple[int, int],
    others: Sequence[tuple[Strike, Sequence[Contact]]] = (),
) -> Manner | None:
    """Return how a card was moved that slid by 2 pixels, seen in these milliseconds at these shares of it."""
    slots = [Slot(card, Side.NEAR, np.array([[0, 0], [52, 0], [52, 73], [0, 73]], float)) for card in (1, 2)]
    departure = Departure((slice(0, 80), slice(0, 60)), bracket_ms[0] * MS)
    departure.final_shift_px = np.array([2.0, 0.0])
    strike = Strike(0, Onset(0.0, 5e6, bracket_ms[0] * MS, bracket_ms[1] * MS), None)
    sights = [
        Sight(t_ms * MS, 12, np.array([2 * share, 0], np.float32), 0.0, 0, True)
        for t_ms, share in shares.items()
    ]
    contact = Contact(Side.NEAR, 0.0, 5e6, 0.95)
    looked_at = {0: departure, 1: Departure(departure.window, 0)}
    return manners_of(slots, [(strike, [contact]), *others], looked_at, {0: sights, 1: []}).get(1)


def test_slides_are_told_by_how_long_they_last() -> None:
    pressed = {-16: 0.0, 0: 0.0, 16: 0.8, 33: 1.0, 50: 1.0, 100: 1.0}
    dragged_later = {-16: 0.0, 0: 0.0, 16: 0.5, 33: 0.5, 50: 0.5, 100: 0.5, 300: 1.0}
    straightened = {-16: 0.0, 0: 0.0, 16: 0.05, 33: 0.1, 50: 0.2, 66: 0.35, 100: 0.6, 200: 1.0}
    assert slide(pressed, (0, 16)) is Manner.NUDGED
    assert slide(dragged_later, (0, 16)) is Manner.NUDGED
    assert slide(straightened, (0, 66)) is Manner.SLOW
    assert slide({-16: 0.0, 250: 1.0}, (-16, 250)) is Manner.HIDDEN
    assert slide({-16: 0.0, 500: 1.0}, (-16, 500)) is Manner.LONG_HIDDEN


@pytest.mark.parametrize(
    ("side", "proof", "after_ms", "manner"),
    [
        (Side.NEAR, Proof.MOTION, 10, Manner.IN_COMPANY),
        (Side.NEAR, Proof.MOTION, 60, Manner.SLOW),
        (Side.NEAR, Proof.PUSHED, 10, Manner.SLOW),  # one that is set straight pushes its neighbour
        (Side.FAR, Proof.MOTION, 10, Manner.SLOW),
    ],
)
def test_a_slow_card_below_a_hand_that_is_on_another_one_may_have_been_pressed(
    side: Side, proof: Proof, after_ms: float, manner: Manner
) -> None:
    beside = Strike(1, Onset(after_ms * MS, 5e6, 0, 16 * MS), None)
    straightened = {-16: 0.0, 0: 0.0, 16: 0.05, 33: 0.1, 50: 0.2, 66: 0.35, 100: 0.6, 200: 1.0}
    others = [(beside, [Contact(side, after_ms * MS, 5e6, 0.95, proof)])]
    assert slide(straightened, (0, 66), others) is manner


def test_a_card_under_a_hand_that_presses_others_was_pressed() -> None:
    slots = [Slot(card, Side.NEAR, np.array([[0, 0], [52, 0], [52, 73], [0, 73]], float)) for card in (1, 2)]
    strikes = [Strike(0, Onset(0.0, 5e6, 0, 16 * MS), None), Strike(1, Onset(5e6, 14e6, 0, 700 * MS), None)]
    departures = {}
    for number in range(2):
        departures[number] = Departure((slice(0, 80), slice(0, 60)), 0)
        departures[number].final_shift_px = np.array([2.0, 0.0])
    hand = [Contact(Side.NEAR, 0.0, 5e6, 0.95)]
    contacts = [(strike, hand) for strike in strikes]
    assert manners_of(slots, contacts, departures, {0: [], 1: []}) == dict.fromkeys((1, 2), Manner.NUDGED)
    alone = manners_of(slots, contacts[1:], departures, {0: [], 1: []})
    assert alone == {2: Manner.LONG_HIDDEN}
    pushed = [(strikes[1], [replace(hand[0], proof=Proof.PUSHED)])]
    assert manners_of(slots, pushed, departures, {1: []}) == {}


@pytest.mark.parametrize(
    ("mps", "side", "others", "manner"),
    [
        (0.8, Side.NEAR, 0, Manner.CARRIED),
        (2.0, Side.NEAR, 0, None),
        (0.8, Side.FAR, 0, None),
        (0.8, Side.NEAR, 1, None),
    ],
    ids=["briskly", "swept", "by the other player", "with another one"],
)
def test_a_card_that_its_owner_moved_alone_and_not_very_fast_may_be_carried(
    mps: float, side: Side, others: int, manner: Manner | None
) -> None:
    corners = np.array([[0, 0], [52, 0], [52, 73], [0, 73]], float)  # pixels of a millimetre
    slots = [Slot(card, Side.NEAR, corners) for card in (1, 2)]
    flight = Flight(0, slots[0], 0.0, Launch(0.0, -MS, MS), np.array([mps, 0.0]), 0.0, 0.8, ())
    strikes = [Strike(0, Onset(0.0, 5e6, 0, 16 * MS), flight), Strike(1, Onset(0.0, 5e6, 0, 16 * MS), None)]
    departures = {number: Departure((slice(0, 80), slice(0, 60)), 0) for number in range(2)}
    contacts = [(strike, [Contact(side, 0.0, 5e6, 0.95)]) for strike in strikes[: 1 + others]]
    assert manners_of(slots, contacts, departures, {0: [], 1: []}).get(1) is manner


def test_only_of_cards_that_were_not_read_it_must_be_seen_where_they_come_to_lie() -> None:
    assert may_be_carried({1: Manner.CARRIED}, [touch()], START)
    assert may_be_carried({1: Manner.SLOW, 3: Manner.HIDDEN}, [touch()], START)
    assert not may_be_carried({3: Manner.CARRIED, 1: Manner.HIDDEN}, [touch()], START)


def test_who_has_taken_the_card_that_was_read_carries_no_other_one_about() -> None:
    assert not may_be_carried({1: Manner.CARRIED}, [touch(), touch(START.poem)], START)
    assert may_be_carried({1: Manner.SLOW}, [touch(), touch(START.poem)], START)


@pytest.mark.parametrize(
    ("apart_px", "side", "manner"),
    [
        (300.0, Side.NEAR, Manner.HIDDEN),
        (60.0, Side.NEAR, Manner.LONG_HIDDEN),
        (300.0, Side.FAR, Manner.LONG_HIDDEN),
    ],
    ids=["who played elsewhere", "nearby", "the other player"],
)
def test_an_arm_of_who_plays_elsewhere_meanwhile_does_not_tidy(
    apart_px: float, side: Side, manner: Manner
) -> None:
    corners = np.array([[0, 0], [52, 0], [52, 73], [0, 73]], float)
    slots = [Slot(1, Side.NEAR, corners), Slot(2, Side.NEAR, corners + np.array([0.0, apart_px]))]
    strikes = [
        Strike(0, Onset(350.0 * MS, 350 * MS, 0, 700 * MS), None),
        Strike(1, Onset(405.0 * MS, 5 * MS, 400 * MS, 416 * MS), None),
    ]
    departures = {number: Departure((slice(0, 80), slice(0, 60)), 0) for number in range(2)}
    for departure in departures.values():
        departure.final_shift_px = np.array([2.0, 0.0])
    contacts = [
        (strikes[0], [Contact(Side.NEAR, 350.0 * MS, 350 * MS, 0.95)]),
        (strikes[1], [Contact(side, 405.0 * MS, 5 * MS, 0.95)]),
    ]
    assert manners_of(slots, contacts, departures, {0: [], 1: []}) == {1: manner, 2: Manner.NUDGED}


def test_what_moves_before_anybody_can_have_heard_the_poem_is_no_play() -> None:
    slow, fast, late = touch(3, 100), touch(2, 100), touch(3, 900)
    assert is_early(slow, START)
    assert not is_early(touch(3, 198), START)  # perhaps not
    told = told_apart([slow, fast, late], {3: Manner.SLOW}, START, BEFORE, BEFORE)
    assert is_tidied(told[0])  # even the poem's own card was only being laid there
    assert told[1:] == [fast, late]
    assert [is_play(fact, START) for fact in told] == [False, False, True]
    assert not is_play(replace(late, confidence=0.5), START)
    assert soonest_ns(START) == 200 * MS
