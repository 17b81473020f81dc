"""What is thought of cards while hands are over the field."""

from collections.abc import Collection, Mapping

import numpy as np

from vision.departures.departure import Departure
from vision.departures.outcome import End, Ending
from vision.poem.supposition import Supposition, may_be_hands, suppose

MS = 1_000_000
WINDOW = slice(0, 9), slice(0, 9)


def gone(still_ms: int, *, after_ms: int = 20, shown: bool = False) -> Departure:
    """A card that seems to be gone some time after it was last seen in its place."""
    gone_ns = (still_ms + after_ms) * MS
    return Departure(
        WINDOW,
        still_ms * MS,
        seen_gone_ns=gone_ns,
        shown_gone_ns=gone_ns if shown else None,
        veiled=not shown,
    )


def supposed(
    departures: Mapping[int, Departure],
    guesses: Mapping[int, End],
    *,
    covered: Collection[int] = (),
    leaving: Collection[int] = (),
    now_ms: int = 500,
    hands_left: bool = False,
) -> Supposition:
    ends = {number: Ending(end) for number, end in guesses.items()}
    return suppose(
        ends, departures, covered, now_ms * MS, 1.0, hands_left=hands_left, leaving=lambda _: leaving
    )


def test_a_hand_on_its_way_out_makes_no_card_leave() -> None:
    departures = {1: gone(100, shown=True), 2: gone(110), 3: gone(300)}
    seen = dict.fromkeys(departures, End.GONE)
    over = supposed(departures, seen, covered=(2, 3))
    assert over.moved.keys() == {1, 2}  # the second was hidden as the first left
    assert over.hidden.keys() == {3}
    assert over.doubted == {2}
    out = supposed(departures, seen, covered=(2, 3), hands_left=True)
    assert out.moved.keys() == {1, 2, 3}
    assert not out.hidden
    assert not out.doubted


def test_what_lies_clear_is_no_hand() -> None:
    departures = {1: gone(100, shown=True), 3: gone(300)}
    over = supposed(departures, {1: End.GONE, 3: End.GONE}, covered=())
    assert over.moved.keys() == {1, 3}


def test_what_looks_like_the_floor_below_something_for_long_is_no_hand() -> None:
    departures = {1: gone(100, shown=True), 3: gone(300)}
    departures[3].bared = True
    assert not may_be_hands({3: Ending(End.GONE)}, departures, (3,))
    assert may_be_hands({1: Ending(End.GONE)}, departures, (1,)) == {1}
    assert supposed(departures, {1: End.GONE, 3: End.GONE}, covered=(3,)).moved.keys() == {1, 3}


def test_something_that_looks_like_the_floor_and_was_not_seen_to_come_may_be_a_hand() -> None:
    veil = Departure(WINDOW, 100 * MS, floorlike=True)
    assert may_be_hands({2: Ending(End.GONE)}, {2: veil}, ()) == {2}
    assert not may_be_hands({2: Ending(End.HIDDEN)}, {2: veil}, ())
    assert not may_be_hands({}, {2: veil}, ())


def test_a_hidden_card_that_was_seen_on_its_way_has_moved() -> None:
    hidden = Departure(WINDOW, 100 * MS)
    for hands_left in (False, True):
        over = supposed({4: hidden}, {4: End.HIDDEN}, leaving=(4,), hands_left=hands_left)
        assert over.moved.keys() == {4}
        assert not over.hidden
    assert hidden.settled_ns == 500 * MS


def test_a_card_that_just_vanished_is_doubted_for_a_while() -> None:
    one = gone(100)
    soon, late = (supposed({4: one}, {4: End.HIDDEN}, now_ms=ms) for ms in (200, 400))
    assert soon.moved.keys() == soon.doubted == {4}
    assert late.hidden.keys() == {4}


def test_a_card_in_its_place_is_neither() -> None:
    back = Departure(WINDOW, 100 * MS)
    slid = Departure(WINDOW, 100 * MS, proof_shift_px=np.array([3.0, 0.0]), proof_blocks=9)
    over = supposed({4: back, 5: slid}, {4: End.IN_PLACE, 5: End.IN_PLACE})
    assert over.moved.keys() == {5}
    assert not over.hidden
