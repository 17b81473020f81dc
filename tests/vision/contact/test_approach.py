"""The places of the players' hands, without cards that fly over the field."""

import numpy as np
import pytest

from tests.vision.painted_table import SIZE, PaintedTable, Pose
from vision.contact.approach import Hands, Made
from vision.departures.departure import View
from vision.field.model import FieldModel
from vision.field.slots import SlotGrid
from vision.hands.frame_map import NEAR
from vision.hands.player_map import PlayerMap
from vision.launch.flight import Flight, Launch
from vision.sightings.spots import Spot

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


@pytest.mark.parametrize(("began_ms", "finds"), [(200.0, 1), (100.0, 2)], ids=["flies later", "lies there"])
def test_what_shows_the_same_without_other_cards_is_looked_at_once(began_ms: float, finds: int) -> None:
    table = PaintedTable()
    field = FieldModel(SlotGrid(table.slots, table.resting(2)).picture, table.slots)
    gray = table.gray({12: Pose(y=-_AWAY_PX)})
    players_map = PlayerMap(table.resting(), field.floor, 1.0)
    over = players_map.feed(gray, _T_NS)
    over.players[over.mask > 0] = NEAR
    view = View(_T_NS, gray, (slice(0, SIZE[1]), slice(0, SIZE[0])), over)
    spot = Spot(float(_T_NS), np.array([0.0, -_AWAY_PX]))
    launch = Launch(began_ms * 1e6, began_ms * 1e6, began_ms * 1e6)
    flight = Flight(11, table.slots[11], began_ms * 1e6, launch, np.array([0.1, 0.0]), 0.0, 0.6, (spot,))
    made: Made = {}
    found = []
    for flights in ([], [flight], [flight]):
        hands = Hands(field, flights, players_map.scale, made=made)
        hands.once("count", lambda: found.append(len(found)), view)
    assert len(found) == finds
