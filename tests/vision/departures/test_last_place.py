"""The final places of cards that left their places."""

import numpy as np
import pytest

from referee.facts import Contact, Touch, Unprovable
from referee.sides import Side
from tests.vision.painted_table import Arm, PaintedTable, Pose
from vision.departures.last_place import LastPlaces, last_places
from vision.departures.outcome import End, Ending
from vision.field.model import FieldModel
from vision.field.slots import SlotGrid
from vision.frames.frame import Gray
from vision.poem.watcher import PoemWatcher


@pytest.mark.parametrize("turn_deg", [0.0, 20.0, -35.0, 180.0])
def test_a_card_is_found_where_it_lies(table: PaintedTable, field: FieldModel, turn_deg: float) -> None:
    gray = table.gray({3: Pose(260.0, 160.0, turn_deg)})
    found = last_places(field, {2}, gray)
    expected = table.slots[2].centre_px + np.array([260.0, 160.0])
    assert found[2].mean(axis=0) == pytest.approx(expected, abs=2.0)


def test_cards_are_told_apart_by_their_print(table: PaintedTable, field: FieldModel) -> None:
    gray = table.gray({3: Pose(300.0, 160.0, 15.0), 9: Pose(340.0, -80.0, -25.0), 5: Pose(absent=True)})
    found = last_places(field, {2, 4, 8}, gray)
    assert set(found) == {2, 8}
    expected = table.slots[8].centre_px + np.array([340.0, -80.0])
    assert found[8].mean(axis=0) == pytest.approx(expected, abs=2.0)


def test_what_lay_there_before_is_no_card_that_left(table: PaintedTable) -> None:
    """The same card of another deck lies beside the field from the beginning."""
    x, y = table.slots[2].centre_px.astype(int) + np.array([260, 160])
    own_x, own_y = table.slots[2].centre_px.astype(int)

    def with_pile(gray: Gray) -> Gray:
        shown = gray.copy()
        shown[y - 45 : y + 45, x - 35 : x + 35] = table.gray()[
            own_y - 45 : own_y + 45, own_x - 35 : own_x + 35
        ]
        return shown

    resting = [with_pile(gray) for gray in table.resting()]
    field = FieldModel(SlotGrid(table.slots, resting).picture, table.slots)
    assert last_places(field, {2}, with_pile(table.gray({3: Pose(absent=True)}))) == {}


def test_a_card_whose_place_another_one_covers_was_moved(table: PaintedTable) -> None:
    """Card 9 is swept away while card 10 comes to lie over its place: nobody ever sees the floor there."""
    watcher = PoemWatcher(table.slots, table.resting())
    for t_ms in np.arange(0.0, 500.0, 1000 / 120):
        share = float(np.clip((t_ms - 140.0) / 80.0, 0.0, 1.0))
        poses = {9: Pose(260.0 * share, 170.0 * share, 30.0 * share), 10: Pose(-54.0 * share)}
        watcher.feed(table.frame(float(t_ms), table.gray(poses, order=[10])))
    facts = [fact for fact in watcher.finish() if isinstance(fact, Touch | Unprovable) and fact.card == 9]
    assert facts
    assert not any(isinstance(fact, Unprovable) and fact.reason == "view_blocked" for fact in facts)
    assert not any(isinstance(fact, Touch) and fact.contact is Contact.TOUCH for fact in facts)  # no hand


@pytest.mark.parametrize(
    ("poses", "is_empty"),
    [
        ({9: Pose(absent=True)}, True),
        ({9: Pose(300.0, 40.0)}, True),
        ({9: Pose(300.0, 40.0), 10: Pose(330.0, 75.0)}, False),
        ({9: Pose(30.0, 20.0)}, False),
    ],
    ids=["gone", "found elsewhere", "below another card that left", "on its neighbour"],
)
def test_where_nothing_else_lies_no_card_can_be(
    table: PaintedTable, poses: dict[int, Pose], *, is_empty: bool
) -> None:
    watcher = PoemWatcher(table.slots, table.resting())
    for t_ms in (0.0, 10.0, 20.0):
        watcher.feed(table.frame(t_ms, table.gray(poses, order=[10])))
    ends = {number: Ending(End.IN_PLACE) for number in range(12)}
    ends |= {number - 1: Ending(End.GONE) for number in poses}
    places = LastPlaces(watcher.field, ends, table.gray(poses, order=[10]), watcher.over)
    field_px = np.array([[100.0, 240.0], [860.0, 240.0], [860.0, 500.0], [100.0, 500.0]])
    assert places.is_empty(field_px) is is_empty
    assert not places.is_empty(field_px + np.array([0.0, 60.0]))  # its lower edge is out of view


@pytest.mark.parametrize("revealed", [True, False])
def test_of_a_card_that_nobody_saw_leave_no_contact_is_sure(
    table: PaintedTable, monkeypatch: pytest.MonkeyPatch, *, revealed: bool
) -> None:
    """A hand presses card 9 along to where it lies in the end."""
    ends = {8: Ending(End.GONE)} if revealed else {}
    monkeypatch.setattr("vision.poem.watcher.LastPlaces.found", lambda *_: ends)
    watcher = PoemWatcher(table.slots, table.resting())
    x, y = table.slots[8].centre_px
    for t_ms in np.arange(0.0, 400.0, 1000 / 120):
        slid = float(np.clip((t_ms - 140.0) / 12.0, 0.0, 1.0)) * 6.0
        arms = [Arm(Side.NEAR, (x + slid, y + 10), x + slid, 50.0)] if 90.0 < t_ms < 280.0 else []
        watcher.feed(table.frame(float(t_ms), table.gray({9: Pose(slid)}, arms)))
    told = [fact for fact in watcher.finish() if isinstance(fact, Touch) and fact.card == 9]
    assert told
    assert all((touch.confidence <= 0.75) is revealed for touch in told)
