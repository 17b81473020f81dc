"""A shadow over a card leaves its print visible, a finger does not."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.painted_table import SIZE, SKIN, PaintedTable, Pose
from vision.contact.approach import Hands, approach_of
from vision.departures.departure import Departure, View
from vision.field.model import FieldModel
from vision.field.slots import SlotGrid
from vision.frames.frame import Gray
from vision.hand_cues.shade import print_seen
from vision.hands.frame_map import NEAR
from vision.hands.player_map import PlayerMap
from vision.launch.onset import Onset
from vision.launch.strikes import Strike

_CARD = 8  # the ninth, in the near row
_EVERYTHING = (slice(0, SIZE[1]), slice(0, SIZE[0]))


@pytest.fixture
def table() -> PaintedTable:
    return PaintedTable()


def shaded(gray: Gray, middle: tuple[float, float], radius: float = 55.0, light: float = 0.5) -> Gray:
    """Darken a round part of a picture, softly as a hand does."""
    y, x = np.mgrid[: SIZE[1], : SIZE[0]]
    inside = 1 / (1 + np.exp((np.hypot(x - middle[0], y - middle[1]) - radius) / 6.0))
    return np.asarray(gray * (1 - (1 - light) * inside), np.uint8)


def share_seen(table: PaintedTable, gray: Gray, points: NDArray[np.float64], shift: float = 0.0) -> float:
    """Return which share of points on a card shows its print."""
    field = FieldModel(SlotGrid(table.slots, table.resting()).picture, table.slots)
    slot = field.slots[_CARD]
    over = PlayerMap(table.resting(), field.floor, 1.0).feed(gray)
    view = View(1, gray, _EVERYTHING, over)
    seen = print_seen(field.picture, slot, view, slot.corners_px + np.array([shift, 0.0]))
    return float((seen.share_at(points + np.array([shift, 0.0]), 5.0) > 0.5).mean())


def points_on(table: PaintedTable, from_y: float, to_y: float) -> NDArray[np.float64]:
    x, y = np.meshgrid(np.arange(-20.0, 21.0, 4.0), np.arange(from_y, to_y, 4.0))
    return np.asarray(table.slots[_CARD].centre_px + np.stack([x.ravel(), y.ravel()], axis=1))


def test_print_is_seen_through_shade(table: PaintedTable) -> None:
    x, y = table.slots[_CARD].centre_px
    gray = shaded(table.gray(), (x, y + 40))
    assert share_seen(table, gray, points_on(table, -30, 31)) > 0.95


def test_a_card_s_print_is_seen_where_it_lies_now(table: PaintedTable) -> None:
    gray = table.gray({9: Pose(6.0)})
    assert share_seen(table, gray, points_on(table, -20, 21), shift=6.0) > 0.9
    assert share_seen(table, gray, points_on(table, -20, 21)) < 0.5


def test_a_hand_s_shade_on_a_card_is_no_hand_on_it(table: PaintedTable) -> None:
    field = FieldModel(SlotGrid(table.slots, table.resting()).picture, table.slots)
    x, y = table.slots[_CARD].centre_px
    over_card = shaded(table.gray(), (x, y + 40))
    cv2.rectangle(over_card, (round(x) - 26, round(y) + 48), (round(x) + 26, SIZE[1]), SKIN, -1)
    players = PlayerMap(table.resting(), field.floor, 1.0)
    views = [View(t_ns, over_card, _EVERYTHING, players.feed(over_card, t_ns)) for t_ns in (10, 20)]
    departure = Departure(_EVERYTHING, 20, views)
    strike = Strike(_CARD, Onset(20.0, 2.0, 20, 30), None)
    hands = Hands(field, [], players.scale)
    with_shade = approach_of(strike, departure, hands, player=NEAR)
    without = approach_of(strike, departure, hands, player=NEAR, without_shade=True)
    assert with_shade.gap_at(20.0) < -15.0
    assert without.gap_before(20.0) >= 0.0
    # once the card may have moved and is not found, nothing is known of its print
    moved = replace(strike, onset=Onset(5.0, 2.0, 4, 30))
    gone = Departure(_EVERYTHING, 4, [replace(view, gray=np.zeros_like(view.gray)) for view in views])
    again = Hands(field, [], players.scale)
    assert approach_of(moved, gone, again, player=NEAR, without_shade=True).gap_at(20.0) < -15.0
