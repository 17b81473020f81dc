"""When a painted arm first reaches a card."""

from collections.abc import Callable

import numpy as np
import pytest

from referee.sides import Side
from tests.vision.painted_table import Arm, PaintedTable
from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.field.slots import SlotGrid
from vision.hand_cues.entry import hand_entry, row_entry
from vision.hands.player_map import PlayerMap

WINDOW = (slice(160, 460), slice(280, 860))
RADIUS = 25.0


def entry_ms(edge_at: Callable[[float], float], fps: float) -> float | None:
    """Return the entry in milliseconds of an arm whose right edge is `edge_at(t)` from card 11's left one."""
    table = PaintedTable()
    resting = table.resting()
    field = FieldModel(SlotGrid(table.slots, resting).picture, table.slots)
    players = PlayerMap(resting, field.floor, field.px_per_mm)
    slot = table.slots[10]
    left, y = slot.corners_px[:, 0].min(), float(slot.centre_px[1])
    departure = Departure(WINDOW, 100_000_000)
    for t_ms in np.arange(100.0 - 2500 / fps, 150.0, 1000 / fps):
        x = float(left + edge_at(float(t_ms)) - RADIUS)
        frame = table.frame(t_ms, table.gray(None, [Arm(Side.NEAR, (x, y), x, 2 * RADIUS)]))
        departure.add(frame, players.feed(frame.gray, frame.t_ns))
    found = hand_entry(slot, departure)
    return None if found is None else found / 1e6


@pytest.mark.parametrize("fps", [60.0, 120.0])
@pytest.mark.parametrize("speed", [2.0, 4.0])
def test_a_swipe_enters_between_two_pictures(speed: float, fps: float) -> None:
    found = entry_ms(lambda t_ms: speed * (t_ms - 103.0), fps)
    assert found is not None
    assert abs(found - 103.0) < 1.0 + 4.0 / speed  # a cell of the players' map is 8 pixels wide


@pytest.mark.parametrize(
    ("starts_mm", "moved", "from_ms", "to_ms"),
    [
        (-60.0, (9, 10), 100.0, 106.0),  # it comes to card 10 first, a card's width before
        (-60.0, (10,), 120.0, 130.0),
        (-60.0, (8, 10), 120.0, 130.0),  # one place is empty between them
        (30.0, (9, 10), None, None),
    ],
    ids=["a row", "a card alone", "cards apart", "over one of them all the time"],
)
def test_a_card_may_set_off_as_soon_as_a_hand_is_at_its_row(
    starts_mm: float, moved: tuple[int, ...], from_ms: float | None, to_ms: float | None
) -> None:
    table = PaintedTable()
    resting = table.resting()
    field = FieldModel(SlotGrid(table.slots, resting).picture, table.slots)
    players = PlayerMap(resting, field.floor, field.px_per_mm)
    left, y = table.slots[9].corners_px[:, 0].min(), float(table.slots[9].centre_px[1])
    departures = {number: Departure(WINDOW, 100_000_000) for number in moved}
    for t_ms in np.arange(60.0, 160.0, 8.0):
        x = float(left + starts_mm + 60.0 + max(-60.0, 2.0 * (t_ms - 103.0)) - RADIUS)
        frame = table.frame(t_ms, table.gray(None, [Arm(Side.NEAR, (x, y), x, 2 * RADIUS)]))
        over = players.feed(frame.gray, frame.t_ns)
        for departure in departures.values():
            departure.add(frame, over)
            departure.seen_gone_ns = 160_000_000
    found = row_entry(field, 10, departures)
    if from_ms is None or to_ms is None:
        assert found is None
    else:
        assert found is not None
        assert from_ms < found / 1e6 < to_ms


def test_a_hand_that_lay_over_the_card_all_the_time_did_not_enter() -> None:
    assert entry_ms(lambda _: 30.0, 120.0) is None


def test_a_hand_that_stays_beside_the_card_did_not_enter() -> None:
    assert entry_ms(lambda _: -60.0, 120.0) is None
