"""When a poem is over: the hands have left, and its card does not wait to be taken any more."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from referee.facts import Gap, PoemStarted, Touch, Unprovable
from referee.sides import Side
from vision.departures.outcome import End, Ending
from vision.field.layout_reader import LayoutReading
from vision.field.slots import Slot
from vision.frames.frame import Frame
from vision.poem.clearance import Clearance
from vision.poem.closure import PoemEnd, as_far_as_seen
from vision.poem.events import PoemSeen
from vision.poem.watcher import PoemWatcher

MS = 1_000_000


class Field:
    """What a watcher and a clearance would see: cards 1 to 3, and hands or none."""

    def __init__(self) -> None:
        self.hands, self.still_ns = False, 0
        corners_px = np.array([[0, 0], [52, 0], [52, 73], [0, 73]], float)
        lain_px = [corners_px + np.array([60.0 * number, 0.0]) for number in range(3)]
        self.grid = SimpleNamespace(
            slots=[Slot(1 + number, Side.NEAR, at) for number, at in enumerate(lain_px)]
        )
        self.ends = [Ending(End.IN_PLACE), Ending(End.GONE), Ending(End.HIDDEN)]
        self.over: Any = object()
        self.lies_below_floor: list[int] = []
        self.left: list[int] = []
        self.light = 1.0
        self.field = SimpleNamespace(light_around=lambda *_: self.light)
        self.map = SimpleNamespace(lighting=SimpleNamespace(factor=0.9))

    def gone(self) -> NDArray[np.bool_]:
        return np.isin(range(3), self.left)

    def last_still_ns(self) -> int:
        return self.still_ns

    def veiled(self) -> list[int]:
        return [0, *self.lies_below_floor]  # the first one lies below another card

    def looks_bare(self, number: int) -> bool:
        return number in self.lies_below_floor

    def hands_over_field(self, *_: object) -> bool:
        return self.hands


@pytest.fixture
def field() -> Field:
    return Field()


@pytest.fixture
def end(field: Field) -> PoemEnd:
    return PoemEnd(cast("PoemWatcher", field), cast("Clearance", field), is_awaited=True)


def clear(end: PoemEnd, t_ms: int) -> bool:
    """Ask at an instant."""
    return end.is_clear([Frame(np.full((80, 200), 120, np.uint8), t_ms * MS, MS, 0)])


def touch(card: int) -> Touch:
    return Touch(card, Side.NEAR, 500 * MS, MS, territory=Side.NEAR)


def test_it_is_clear_when_no_hand_has_been_there_for_a_moment(field: Field, end: PoemEnd) -> None:
    field.hands = True
    assert not clear(end, 1000)
    field.hands = False
    assert [clear(end, t_ms) for t_ms in (1010, 1024, 1025)] == [False, False, True]
    field.hands = True
    assert not clear(end, 1030)
    assert end.clear_since_ns is None


def test_the_other_hand_may_be_on_its_way_to_a_card_that_has_just_left(field: Field, end: PoemEnd) -> None:
    field.still_ns = 900 * MS
    assert [clear(end, t_ms) for t_ms in (1000, 1049, 1050)] == [False, False, True]


def test_where_nobody_waits_for_the_ruling_a_hand_may_come_back_for_another_strike(field: Field) -> None:
    end = PoemEnd(cast("PoemWatcher", field), cast("Clearance", field), is_awaited=False)
    field.hands = False
    assert [clear(end, t_ms) for t_ms in (1010, 1030)] == [False, False]
    field.hands = True
    assert not clear(end, 1040)
    field.hands = False
    assert [clear(end, t_ms) for t_ms in (1100, 1159, 1160)] == [False, False, True]


def test_a_hand_that_may_lie_there_unseen_is_waited_for_a_while(field: Field, end: PoemEnd) -> None:
    field.lies_below_floor = [2]
    assert [clear(end, t_ms) for t_ms in (1000, 1100, 1399, 1400)] == [False, False, False, True]
    field.hands = True
    clear(end, 1500)
    field.hands, field.lies_below_floor = False, []
    assert [clear(end, t_ms) for t_ms in (1510, 1525)] == [False, True]


def test_a_dark_shade_in_which_a_card_left_its_place_may_be_a_sleeve(field: Field, end: PoemEnd) -> None:
    field.light = 0.7
    assert [clear(end, t_ms) for t_ms in (1000, 1015)] == [False, True]  # no card has left
    field.left = [2]
    assert [clear(end, t_ms) for t_ms in (1500, 1999, 2000)] == [False, False, True]
    field.light = 0.75  # of a hall in which a lamp was switched off
    assert clear(end, 1500)


def test_a_card_that_still_lies_there_may_be_taken_for_a_second(end: PoemEnd) -> None:
    """A wrong card was touched; a second later nobody will take the right one any more."""
    assert not end.is_due(5000 * MS)
    facts = [touch(2)]
    assert [end.waits(1, facts, t_ms * MS) for t_ms in (1000, 1500, 1999, 2000)] == [True, True, True, False]
    assert [end.is_due(t_ms * MS) for t_ms in (1999, 2000)] == [False, True]
    end.begin(1)
    assert not end.is_due(5000 * MS)
    assert end.waits(1, facts, 5000 * MS)


@pytest.mark.parametrize("poem", [2, 3, 44])
def test_a_card_that_is_not_seen_in_its_place_is_not_waited_for(end: PoemEnd, poem: int) -> None:
    assert not end.waits(poem, [touch(1)], 1000 * MS)


def test_in_a_recording_a_dead_poem_lasts_until_nobody_strikes_once_more(field: Field) -> None:
    recorded = PoemEnd(cast("PoemWatcher", field), cast("Clearance", field), is_awaited=False)
    facts = [touch(1), replace(touch(2), t_ns=700 * MS)]
    assert [recorded.waits(44, facts, t_ms * MS) for t_ms in (900, 1399, 1400)] == [True, True, False]
    assert [recorded.is_due(t_ms * MS) for t_ms in (1399, 1400)] == [False, True]
    assert not recorded.waits(2, facts, 900 * MS)  # taken
    field.grid.slots[2] = replace(field.grid.slots[2], card=None)
    assert not recorded.waits(44, facts, 900 * MS)  # it may be the one that was not read


def test_pictures_that_end_too_soon_leave_a_gap() -> None:
    layout = cast("LayoutReading", None)
    start = PoemStarted(17, 1000 * MS, MS)
    touched = replace(touch(2), t_ns=1701 * MS)
    hidden = replace(touch(2), t_ns=1800 * MS, t_unc_ns=200 * MS)
    for facts, ends_ms, reasons in (
        ((), 1899, ["film_ends"]),
        ((), 1900, []),
        ((touched,), 1999, ["film_ends"]),
        ((touched,), 2000, []),
        ((hidden,), 1999, []),
        ((replace(touched, confidence=0.5),), 1999, []),
        ((touched, Unprovable(4, None, 1500 * MS, 400 * MS, "view_blocked")), 3000, ["film_ends"]),
    ):
        seen = PoemSeen(start, layout, facts, ends_ms * MS)
        told = as_far_as_seen(seen, ends_ms * MS, clear=False)
        assert isinstance(told, PoemSeen)
        assert [fact.reason for fact in told.facts if isinstance(fact, Gap)] == reasons
    late = PoemSeen(start, layout, (touched,), 1999 * MS)
    assert as_far_as_seen(late, 1999 * MS, clear=True) == late  # all hands have left: nobody plays on
    early = PoemSeen(start, layout, (), 1899 * MS)
    assert as_far_as_seen(early, 1899 * MS, clear=True) != early
