"""Tidying: a card that its owner moves elsewhere was not played; other slow moves are doubtful."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from referee.facts import Gap, PoemStarted, Testimony, Touch, Unprovable
from referee.layout import Layout, PlacedCard, row_centre_y_m
from referee.sides import Side
from vision.contact.facts import Contact, Proof
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
from vision.field.slots import Slot
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
        (Manner.SLOW, 900, 0.5),
    ],
)
def test_a_hidden_slide_is_doubted_where_it_is_late(manner: Manner, t_ms: float, confidence: float) -> None:
    (told,) = told_apart([touch(t_ms=t_ms)], {1: manner}, START, BEFORE, BEFORE)
    assert told == touch(t_ms=t_ms, confidence=confidence)


def slide(bracket_ms: tuple[int, int]) -> Manner | None:
    """Return how a card was moved that slid by 2 pixels while it was hidden between these milliseconds."""
    slot = Slot(1, Side.NEAR, np.array([[0, 0], [52, 0], [52, 73], [0, 73]], float))
    departure = Departure((slice(0, 80), slice(0, 60)), bracket_ms[0] * MS)
    departure.final_shift_px = np.array([2.0, 0.0])
    strike = Strike(0, Onset(0.0, 5e6, bracket_ms[0] * MS, bracket_ms[1] * MS), None)
    return manners_of([slot], [(strike, [Contact(Side.NEAR, 0.0, 5e6, 0.95)])], {0: departure}).get(1)


def test_slides_are_told_by_how_long_they_last() -> None:
    assert slide((0, 16)) is Manner.NUDGED
    assert slide((-16, 250)) is Manner.HIDDEN


def test_a_card_under_a_hand_that_presses_others_was_pressed() -> None:
    slots = [Slot(card, Side.NEAR, np.array([[0, 0], [52, 0], [52, 73], [0, 73]], float)) for card in (1, 2)]
    strikes = [Strike(0, Onset(0.0, 5e6, 0, 16 * MS), None), Strike(1, Onset(5e6, 14e6, 0, 700 * MS), None)]
    departures = {}
    for number in range(2):
        departures[number] = Departure((slice(0, 80), slice(0, 60)), 0)
        departures[number].final_shift_px = np.array([2.0, 0.0])
    hand = [Contact(Side.NEAR, 0.0, 5e6, 0.95)]
    contacts = [(strike, hand) for strike in strikes]
    assert manners_of(slots, contacts, departures) == dict.fromkeys((1, 2), Manner.NUDGED)
    alone = manners_of(slots, contacts[1:], departures)
    assert alone == {2: Manner.HIDDEN}
    pushed = [(strikes[1], [replace(hand[0], proof=Proof.PUSHED)])]
    assert manners_of(slots, pushed, departures) == {}


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
    assert manners_of(slots, contacts, departures).get(1) is manner


def test_only_of_cards_that_were_not_read_it_must_be_seen_where_they_come_to_lie() -> None:
    assert may_be_carried({1: Manner.CARRIED}, [touch()], START)
    assert may_be_carried({1: Manner.SLOW, 3: Manner.HIDDEN}, [touch()], START)
    assert not may_be_carried({3: Manner.CARRIED, 1: Manner.HIDDEN}, [touch()], START)


def test_who_has_taken_the_card_that_was_read_carries_no_other_one_about() -> None:
    assert not may_be_carried({1: Manner.CARRIED}, [touch(), touch(START.poem)], START)
    assert may_be_carried({1: Manner.SLOW}, [touch(), touch(START.poem)], START)


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
