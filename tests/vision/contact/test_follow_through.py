"""Hands that go on with a card: of two that came to it at once, the one that stays did not drive it."""

import numpy as np
import pytest

from referee.sides import Side
from tests.vision.made_strike import made_departures, made_strike
from tests.vision.painted_table import Arm, PaintedTable, Pose
from vision.contact.approach import Hands
from vision.contact.follow_through import goes_on
from vision.field.model import FieldModel
from vision.field.slots import SlotGrid
from vision.hands.player_map import PlayerMap

STRUCK, GONE = 9, (3, 4, 5, 9, 10, 11)
SET_OFF_MS = 100.0
CARD_MPS = 1.5
STAYS, ALONG, BACK, LESS = 0.0, 1.5, -1.5, 1.2
NEAR_DROVE, FAR_DROVE, NOBODY_KNOWS = 1.0, -1.0, 0.0


def told(
    near_mps: float | None, far_mps: float | None, *, fps: float = 60.0, until_ms: float = 220.0
) -> float:
    """Return what is told of hands that came to a card at once, and go on to the right as fast as said.

    None is a hand that does not come. The card and its row have gone at once.
    """
    table = PaintedTable()
    field = FieldModel(SlotGrid(table.slots, table.resting(2)).picture, table.slots)
    players = PlayerMap(table.resting(), field.floor, 1.0)
    x, y = table.slots[STRUCK].centre_px
    strike = made_strike(field, STRUCK, SET_OFF_MS, (CARD_MPS, 0.0), 0.5)
    for t_ms in np.arange(20.0, until_ms, 1000 / fps):
        came, since_ms = t_ms > 60, max(0.0, t_ms - SET_OFF_MS)
        arms = []
        for side, mps, gray, tip_y in ((Side.NEAR, near_mps, 95, y + 36), (Side.FAR, far_mps, 125, y - 36)):
            if mps is not None and came:
                tip_x = float(x) - 20 + mps * since_ms
                arms.append(Arm(side, (tip_x, float(tip_y)), tip_x, 44.0, gray))
        gone = {one + 1: Pose(absent=True) for one in GONE} if since_ms else {}
        players.feed(table.gray(gone, arms), round(t_ms * 1e6))
    hands = Hands(field, [], players.scale, kept=players.kept)
    departure = made_departures(strike)[STRUCK]
    return goes_on(table.slots[STRUCK], strike, departure, np.array([CARD_MPS, 0.0]), hands)


@pytest.mark.parametrize("fps", [120.0, 60.0, 30.0])
@pytest.mark.parametrize(
    ("near_mps", "far_mps", "found"),
    [
        (ALONG, STAYS, NEAR_DROVE),
        (STAYS, ALONG, FAR_DROVE),
        (ALONG, LESS, NOBODY_KNOWS),  # one that came later is still on its way
        (STAYS, STAYS, NOBODY_KNOWS),  # the card flew on by itself
        (BACK, STAYS, FAR_DROVE),  # the card did not go back with it
    ],
    ids=["near goes on", "far goes on", "both go on", "both stay", "near goes back"],
)
def test_the_hand_that_goes_on_with_a_card_drove_it(
    near_mps: float, far_mps: float, found: float, fps: float
) -> None:
    assert told(near_mps, far_mps, fps=fps) == pytest.approx(found, abs=0.35)


def test_of_a_single_hand_or_one_seen_too_briefly_nothing_is_told() -> None:
    assert told(ALONG, None) == NOBODY_KNOWS
    assert told(ALONG, STAYS, until_ms=140.0) == NOBODY_KNOWS
