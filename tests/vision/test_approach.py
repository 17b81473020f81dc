"""Where the players' hands are, without the cards that fly over the field."""

import numpy as np
import pytest
from painted_table import SIZE, PaintedTable, Pose

from vision.approach import Hands
from vision.card_spots import Spot
from vision.departure import View
from vision.field_model import FieldModel
from vision.hands import NEAR, PlayerMap
from vision.motion import Flight, Launch
from vision.slots import SlotGrid

_T_NS = 130_000_000
_AWAY_PX = 100.0


@pytest.mark.parametrize(("seen", "taken_out"), [(True, True), (False, False)])
def test_a_card_is_no_hand_where_its_print_was_seen(*, seen: bool, taken_out: bool) -> None:
    table = PaintedTable()
    field = FieldModel(SlotGrid(table.slots, table.resting(2)).picture, table.slots)
    slot = table.slots[11]
    gray = table.gray({12: Pose(y=-_AWAY_PX)})
    players_map = PlayerMap(table.resting(), field.floor, 1.0)
    over = players_map.feed(gray, _T_NS)
    over.players[over.mask > 0] = NEAR
    view = View(_T_NS, gray, (slice(0, SIZE[1]), slice(0, SIZE[0])), over)
    spots = (Spot(float(_T_NS), np.array([0.0, -_AWAY_PX])),) if seen else ()
    slow = np.array([0.1, 0.0])  # a path that leads elsewhere
    flight = Flight(11, slot, 1e8, Launch(1e8, 98e6, 102e6), slow, 0.0, 0.6, spots)
    hands = Hands(field, [flight], players_map.scale)
    lies = np.rint((slot.corners_px - np.array([0.0, _AWAY_PX])) * players_map.scale).astype(int)
    (x0, y0), (x1, y1) = lies.min(axis=0), lies.max(axis=0)
    left, before = (
        np.count_nonzero(one[y0:y1, x0:x1] == NEAR) for one in (hands.players(view), over.players)
    )
    assert before > 0
    assert bool(left < 0.1 * before) is taken_out
