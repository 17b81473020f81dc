"""The mats that the reader waits for."""

from dataclasses import replace

import pytest

from desk.hall.messages import MatState
from desk.hall.reading.reader_control import SILENT_S, Attendance, Call
from referee.sides import Side

WALL = "2026-11-28T10:00:00.000+09:00"


def mat(name: str, *, ready: bool = False, heard: int = 0, hands: tuple[Side, ...] = ()) -> MatState:
    return MatState(name, WALL, "m", session="s", heard=heard, follows=True, ready=ready, hands=hands)


@pytest.fixture
def hall() -> Attendance:
    """Return three mats before the first poem, the third of which still memorises."""
    attendance = Attendance("s")
    for name, ready in (("mat-01", True), ("mat-02", True), ("mat-03", False)):
        attendance.told(mat(name, ready=ready), 0.0)
    return attendance


def test_before_the_first_poem_every_match_that_has_begun_is_waited_for(hall: Attendance) -> None:
    assert hall.call(1.0) == Call(unready=("mat-03",))
    hall.told(mat("mat-03", ready=True), 1.0)
    assert hall.call(1.0) == Call()
    assert hall.count == 3


def test_a_mat_that_was_ready_for_the_poem_before_is_not_ready_for_the_next(hall: Attendance) -> None:
    hall.told(mat("mat-03", ready=True), 1.0)
    hall.begun(1, 10.0)
    for name in ("mat-01", "mat-02", "mat-03"):
        hall.told(mat(name, ready=True), 10.1)  # on its way when the poem began
    assert hall.call(10.2).unready == ("mat-01", "mat-02", "mat-03")
    hall.told(mat("mat-01", ready=True, heard=1), 10.5)
    hall.told(mat("mat-02", ready=True, heard=0), 12.5)  # was started anew in the middle of the poem
    assert hall.call(12.6).unready == ("mat-03",)


def test_who_joins_late_holds_nobody_up_until_he_is_ready_once(hall: Attendance) -> None:
    hall.begun(1, 10.0)
    hall.told(mat("mat-04"), 11.0)
    assert "mat-04" not in hall.call(11.0).waits_for
    hall.told(mat("mat-04", ready=True), 20.0)
    hall.begun(2, 21.0)
    hall.told(mat("mat-04", heard=2), 22.0)
    assert "mat-04" in hall.call(22.0).unready


def test_a_match_that_is_over_leaves(hall: Attendance) -> None:
    hall.told(replace(mat("mat-03"), follows=False, phase="over"), 1.0)
    assert (hall.call(1.0), hall.count) == (Call(), 2)


def test_a_raised_hand_is_told_apart_from_a_field_in_disorder(hall: Attendance) -> None:
    hall.told(mat("mat-01", hands=(Side.NEAR,)), 1.0)
    assert hall.call(1.0) == Call(unready=("mat-03",), hands=("mat-01",))


def test_a_silent_mat_is_waited_for_once_and_comes_back_with_its_first_word(hall: Attendance) -> None:
    late_s = SILENT_S + 1
    for name in ("mat-01", "mat-02"):
        hall.told(mat(name, ready=True), late_s)
    assert hall.call(late_s) == Call(silent=("mat-03",))
    hall.left_behind(late_s)
    hall.begun(1, late_s)
    assert "mat-03" not in hall.call(late_s + 1).waits_for
    hall.told(mat("mat-03", heard=1), late_s + 2)
    assert "mat-03" in hall.call(late_s + 2).unready
