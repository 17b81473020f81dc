"""When a card is seen to be gone: the floor in its place, what only looks like it, and cards that vanish."""

import numpy as np
import pytest

from referee.sides import Side
from tests.vision.painted_table import Arm, PaintedTable
from vision.departures.card_track import has_vanished
from vision.departures.departure import Departure
from vision.field.slots import BLOCKS, Sight
from vision.poem.watcher import PoemWatcher

PROOF_PX = 0.2


def looked_at(*, floorlike: bool, clear: bool, bare: int = 6) -> Departure:
    departure = Departure((slice(0, 10), slice(0, 10)), 0, floorlike=floorlike)
    departure.note(Sight(8_000_000, 0, np.zeros(2, np.float32), bare=bare, clear=clear), PROOF_PX)
    return departure


@pytest.mark.parametrize("clear", [False, True])
def test_bare_floor_in_its_place_tells_that_a_card_is_gone(clear: bool) -> None:
    assert looked_at(floorlike=False, clear=clear).seen_gone_ns == 8_000_000


def test_under_a_hand_that_looks_like_the_floor_nothing_is_told() -> None:
    assert looked_at(floorlike=True, clear=False).seen_gone_ns is None
    assert looked_at(floorlike=True, clear=True).seen_gone_ns == 8_000_000


@pytest.mark.parametrize(
    ("sight", "veiled"),
    [
        (Sight(8_000_000, 0, np.zeros(2, np.float32), bare=6, clear=False), True),
        (Sight(8_000_000, 0, np.zeros(2, np.float32), bare=6, clear=True), False),
        (Sight(8_000_000, 6, np.array([3.0, 0.0], np.float32)), False),
    ],
    ids=["floor, or a hand as gray", "bare floor", "its face elsewhere"],
)
def test_what_may_have_been_a_hand_is_remembered(sight: Sight, veiled: bool) -> None:
    departure = Departure((slice(0, 10), slice(0, 10)), 0)
    departure.note(sight, PROOF_PX)
    assert departure.seen_gone_ns == 8_000_000
    assert departure.veiled is veiled


@pytest.mark.parametrize(
    ("seen", "bare", "shift_px", "lies"),
    [(2, 8, 0.23, True), (0, 8, 0.0, False), (1, 8, 0.23, False), (2, 8, 0.5, False), (2, 0, 0.23, False)],
    ids=["its face beside the floor", "floor alone", "an accident", "a moved face", "a face, and it moved"],
)
def test_a_card_whose_face_is_seen_beside_the_floor_lies_there_yet(
    seen: int, bare: int, shift_px: float, *, lies: bool
) -> None:
    departure = looked_at(floorlike=False, clear=False)
    shown = Sight(160_000_000, seen, np.array([shift_px, 0.0], np.float32), bare=bare)
    assert departure.is_refuted(shown, PROOF_PX) is lies
    assert not looked_at(floorlike=False, clear=False, bare=0).is_refuted(shown, PROOF_PX)  # it may set off
    departure.moved = True  # it was seen elsewhere: what lies there now may be another card
    assert not departure.is_refuted(shown, PROOF_PX)


@pytest.mark.parametrize(("bare", "looks", "bared"), [(10, 5, True), (10, 3, False), (6, 5, False)])
def test_a_place_seen_bare_for_long_is_bared_but_no_proof_while_something_lies_over_it(
    bare: int, looks: int, *, bared: bool
) -> None:
    departure = Departure((slice(0, 10), slice(0, 10)), 0)
    for look in range(1, looks + 1):
        departure.note(Sight(look * 8_000_000, 0, np.zeros(2, np.float32), bare=bare), PROOF_PX)
    assert departure.bared is bared
    assert not departure.proven


WHOLE = np.ones(BLOCKS, np.bool_)
STEP_NS = 1_000_000_000 // 240


def without(rows: slice, columns: slice) -> np.ndarray:
    left = WHOLE.copy()
    left[rows, columns] = False
    return left.ravel()


def test_what_is_left_of_a_card_and_lost_at_once_has_left() -> None:
    assert has_vanished(WHOLE.ravel(), np.zeros(WHOLE.size, np.bool_), STEP_NS)
    assert has_vanished(without(slice(None), slice(0, 1)), np.zeros(WHOLE.size, np.bool_), STEP_NS)


@pytest.mark.parametrize(
    ("rows", "columns"), [(slice(None), slice(0, 1)), (slice(0, 1), slice(None)), (slice(0, 0), slice(0, 0))]
)
def test_an_edge_hides_a_row_or_a_column_of_blocks_at_once(rows: slice, columns: slice) -> None:
    assert not has_vanished(WHOLE.ravel(), without(rows, columns), STEP_NS)


def test_a_card_does_not_leave_that_an_arm_comes_over() -> None:
    table = PaintedTable()
    watcher = PoemWatcher(table.slots, table.resting())
    x, y = table.slots[8].centre_px
    gone = []
    for t_ms in np.arange(0.0, 120.0, 1000 / 240):
        edge_x = min(x - 120 + 2.5 * t_ms, x)
        arms = [Arm(Side.NEAR, (edge_x, y - 60), edge_x, 60.0)]
        watcher.feed(table.frame(t_ms, table.gray(None, arms)))
        gone.append(bool(watcher.gone()[8]))
    assert not any(gone)
