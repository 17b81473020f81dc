"""Speeds of hands and cards as a card starts to move, on a painted table."""

import numpy as np
import pytest

from referee.sides import Side
from tests.vision.painted_table import Arm, PaintedTable, Pose
from vision.contact.approach import Hands
from vision.contact.velocities import hand_velocities
from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.hands.frame_map import FAR, NEAR
from vision.hands.player_map import PlayerMap
from vision.launch.onset import Onset
from vision.launch.strikes import Strike

_STEP_MS = 1000 / 120
_STRUCK_MS = 100.0
_NUMBER = 10  # a card with room around it


def filmed(
    table: PaintedTable,
    field: FieldModel,
    card_mps: float,
    near_mps: float | None,
    far_mps: float | None,
    *,
    step_ms: float = _STEP_MS,
) -> tuple[Strike, Departure, Hands]:
    """Film a card that slides to the right, with a hand of each player that moves at its own speed."""
    x, y = table.slots[_NUMBER].centre_px
    players = PlayerMap(table.resting(2), field.floor, field.px_per_mm)
    first_ns = round((_STRUCK_MS - 2.5 * step_ms) * 1e6)
    departure = Departure((slice(0, 540), slice(0, 960)), first_ns + round(2 * step_ms * 1e6))
    for number in range(8):
        t_ms = first_ns / 1e6 + number * step_ms
        on = t_ms - _STRUCK_MS
        arms = []
        if near_mps is not None:
            arms.append(Arm(Side.NEAR, (x - 30 + near_mps * on, y + 25), x - 30 + near_mps * on, 30.0))
        if far_mps is not None:
            arms.append(Arm(Side.FAR, (x + 20 + far_mps * on, y - 30), x + 20 + far_mps * on, 30.0))
        frame = table.frame(t_ms, table.gray({_NUMBER + 1: Pose(card_mps * max(0.0, on))}, arms))
        departure.add(frame, players.feed(frame.gray, frame.t_ns))
    onset = Onset(_STRUCK_MS * 1e6, 3e6, departure.still_ns, departure.still_ns + round(_STEP_MS * 1e6))
    strike = Strike(_NUMBER, onset, None)
    return strike, departure, Hands(field, [], players.scale)


@pytest.mark.parametrize(("near_mps", "far_mps"), [(1.2, 0.0), (0.0, 1.2), (1.0, -0.8)])
def test_hands_side_by_side_have_their_own_velocities(
    table: PaintedTable, field: FieldModel, near_mps: float, far_mps: float
) -> None:
    strike, departure, hands = filmed(table, field, 0.0, near_mps, far_mps)
    found = hand_velocities(field, strike, departure, hands)
    assert found[NEAR][0] == pytest.approx(near_mps, abs=0.3)
    assert found[FAR][0] == pytest.approx(far_mps, abs=0.3)


def test_a_fast_hand_is_found_again_by_its_shape_where_pictures_are_far_apart(
    table: PaintedTable, field: FieldModel
) -> None:
    found = hand_velocities(field, *filmed(table, field, 0.0, 2.2, 0.0, step_ms=1000 / 30))
    assert found[NEAR][0] == pytest.approx(2.2, abs=0.4)
    assert float(np.hypot(*found[FAR])) < 0.2


def test_a_hand_that_is_not_there_has_no_velocity(table: PaintedTable, field: FieldModel) -> None:
    strike, departure, hands = filmed(table, field, 0.0, 0.5, None)
    assert set(hand_velocities(field, strike, departure, hands)) == {NEAR}
    empty = Departure(departure.window, departure.still_ns)
    assert hand_velocities(field, strike, empty, hands) == {}
