"""The instant at which fingers reach a pushed card, from painted pictures."""

import numpy as np
import pytest

from referee.sides import Side
from tests.vision.made_strike import made_strike
from tests.vision.painted_table import Arm, PaintedTable
from vision.contact.approach import Hands
from vision.contact.late_fingers import CAUGHT_UP_UNC_NS, REACHED_NS, caught_up_ns
from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.field.slots import SlotGrid
from vision.hands.frame_map import NEAR
from vision.hands.player_map import PlayerMap

CARD, BEHIND = 3, 9  # the hand comes from below
OFF_MS, WIDTH_PX = 100.0, 50.0


def caught_up_ms(
    *,
    front_px: float,
    speed: float = 2.0,
    pushed_ms: float = OFF_MS - 2,
    fps: float = 120.0,
    player: int = NEAR,
) -> float:
    """Return how late a hand reaches a card whose rear edge its front has passed by `front_px` as it goes."""
    table = PaintedTable()
    resting = table.resting()
    field = FieldModel(SlotGrid(table.slots, resting).picture, table.slots)
    players = PlayerMap(resting, field.floor, field.px_per_mm)
    x, y = table.slots[CARD].centre_px
    departure = Departure((slice(100, 500), slice(200, 760)), round((OFF_MS - 4) * 1e6))
    for t_ms in np.arange(OFF_MS - 4 - 4000 / fps, OFF_MS + 60.0, 1000 / fps):
        tip_y = y + 36 - front_px - speed * (t_ms - OFF_MS) + WIDTH_PX / 2
        frame = table.frame(t_ms, table.gray(None, [Arm(Side.NEAR, (x, tip_y), x, WIDTH_PX)]))
        departure.add(frame, players.feed(frame.gray, frame.t_ns))
    hands = Hands(field, [], players.scale)
    strike, pusher = (
        made_strike(field, number, t_ms, (0.0, -speed), 0.5)
        for number, t_ms in ((CARD, OFF_MS), (BEHIND, pushed_ms))
    )
    return caught_up_ns(strike, [pusher], departure, hands, player) / 1e6


@pytest.mark.parametrize("fps", [30.0, 60.0, 240.0])
@pytest.mark.parametrize("speed", [2.0, 4.0])
def test_the_fingers_still_have_to_come_to_a_card_that_was_pushed(speed: float, fps: float) -> None:
    ahead, behind = (caught_up_ms(front_px=at, speed=speed, fps=fps) for at in (2.0, -14.0))
    assert ahead == pytest.approx(20.0 / speed, abs=8.0 / speed)
    assert behind - ahead == pytest.approx(16.0 / speed, abs=8.0 / speed)


def test_a_hand_deep_over_a_card_touches_it_at_once() -> None:
    assert caught_up_ms(front_px=50.0) == 0.0


def test_fingers_far_away_come_within_the_longest_time() -> None:
    assert caught_up_ms(front_px=-75.0) == REACHED_NS / 1e6 > CAUGHT_UP_UNC_NS / 1e6
