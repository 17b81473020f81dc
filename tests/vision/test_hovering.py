"""Hands that hang over cards: of two hands at a card the one over a card that stays did not come down."""

import pytest
from made_strike import made_departures, made_strike
from painted_table import SIZE, Arm, PaintedTable

from referee.sides import Side
from vision.approach import Hands
from vision.departure import View
from vision.driver import Evidence, with_company
from vision.field_model import FieldModel
from vision.hands import PlayerMap
from vision.hovering import hovers
from vision.slots import SlotGrid

STRUCK, BESIDE = 11, 10
GONE_BEFORE = 4, 5  # the far player's arm comes in over their places
SET_OFF_MS = 100.0
FAR_LANDED, NEAR_LANDED, NOBODY_KNOWS = -1.0, 1.0, 0.0


def wide_over_both(side: Side, x: float, y: float) -> list[Arm]:
    """Return a player's arm that ends over both cards, and the other player's over the struck one alone."""
    back = 1 if side is Side.NEAR else -1  # the way to the player; a line is round at its end
    wide, narrow = (x - 27, y + 45 * back), (x + 10, y - 34 * back)
    return [Arm(side, wide, wide[0], 80.0), Arm(side.opponent, narrow, narrow[0], 36.0)]


@pytest.mark.parametrize(
    ("hanging", "beside_ms", "found"),
    [
        (Side.NEAR, None, FAR_LANDED),
        (Side.FAR, None, NEAR_LANDED),
        (Side.NEAR, 140.0, FAR_LANDED),  # it lay still for long after the struck one had gone
        (Side.NEAR, 101.0, NOBODY_KNOWS),  # both were struck at once: below that hand nothing stayed
        (Side.NEAR, 60.0, NOBODY_KNOWS),  # it was gone when the hands came
    ],
)
def test_fingers_over_a_card_that_stays_have_not_come_down(
    hanging: Side, beside_ms: float | None, found: float
) -> None:
    table = PaintedTable()
    field = FieldModel(SlotGrid(table.slots, table.resting(2)).picture, table.slots)
    x, y = table.slots[STRUCK].centre_px
    players, views = PlayerMap(table.resting(), field.floor, 1.0), []
    arms = wide_over_both(hanging, float(x), float(y))
    for t_ms in (80, 96, 104):
        gray = table.gray(arms=arms)
        over = players.feed(gray, t_ms * 1_000_000)
        views.append(View(t_ms * 1_000_000, gray, (slice(0, SIZE[1]), slice(0, SIZE[0])), over))
    strikes = {one: made_strike(field, one, 20.0, (2.0, 0.0), 0.5) for one in GONE_BEFORE}
    strikes[STRUCK] = made_strike(field, STRUCK, SET_OFF_MS, (2.0, 0.0), 0.5)
    if beside_ms is not None:
        strikes[BESIDE] = made_strike(field, BESIDE, beside_ms, (2.0, 0.0), 0.5)
    departure = made_departures(strikes[STRUCK])[STRUCK]
    departure.views += views
    hands = Hands(field, [], players.scale)
    assert hovers(field, strikes[STRUCK], departure, strikes, hands) == pytest.approx(found, abs=0.1)


@pytest.mark.parametrize("hanging", [1.0, -1.0])
def test_the_other_hand_was_it(hanging: float) -> None:
    table = PaintedTable()
    field = FieldModel(SlotGrid(table.slots, table.resting(2)).picture, table.slots)
    strike = made_strike(field, STRUCK, SET_OFF_MS, None, 0.0)
    one = Evidence(strike, 0.0, hovers=hanging)
    assert with_company(field, one, [one]) * hanging > 1.0
