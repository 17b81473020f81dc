"""Where a struck card is seen, by tiles of its print."""

import numpy as np
import pytest

from referee.sides import Side
from tests.vision.painted_table import Arm, PaintedTable, Pose
from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.field.slots import SlotGrid
from vision.hands.player_map import PlayerMap
from vision.sightings.spots import Place, find_spots
from vision.sightings.traces import traces_of

WINDOW = (slice(150, 470), slice(200, 860))
CARD = 9


def looked_for(
    poses: dict[int, Pose],
    guess: Place,
    arms: tuple[Arm, ...] = (),
    *,
    others: frozenset[int] = frozenset(),
    shared: dict[int, float] | None = None,
) -> tuple[np.ndarray, np.ndarray] | None:
    """Paint cards elsewhere; return where card 9 is and where it was found.

    `shared` tells for cards by which share of its height their print is that of card 9.
    """
    table = PaintedTable()
    for card, share in (shared or {}).items():
        table.share_print(card, CARD, share)
    resting = table.resting()
    field = FieldModel(SlotGrid(table.slots, resting).picture, table.slots)
    frame = table.frame(100.0, table.gray(poses, arms))
    departure = Departure(WINDOW, 50_000_000)
    departure.add(frame, PlayerMap(resting, field.floor, field.px_per_mm).feed(frame.gray))
    (view,) = departure.views
    traces = traces_of(field, CARD - 1, view, departure.still_ns, turned_deg=60.0)
    found = find_spots(field, CARD - 1, [(view, traces)], lambda _: guess, others)
    if not found:
        return None
    return np.array([poses[CARD].x, poses[CARD].y]), found[0].shift_px


@pytest.mark.parametrize("turn_deg", [0.0, 6.0, -7.0])
@pytest.mark.parametrize("hand_gray", [95, 205])
def test_a_card_is_seen_beside_the_hand_that_drives_it(turn_deg: float, hand_gray: int) -> None:
    # a hand as bright as the card, or darker, lies over its lower half
    pose = Pose(31.4, -14.7, turn_deg)
    arm = Arm(Side.NEAR, (335.0, 345.0), 330.0, 70.0, hand_gray)
    found = looked_for({CARD: pose}, (np.array([24.0, -10.0]), 0.0), (arm,))
    assert found is not None
    np.testing.assert_allclose(found[1], found[0], atol=1.0)


@pytest.mark.parametrize("pose", [Pose(60.0, 100.0, 33.0), Pose(-60.0, 95.0, -24.0)])
def test_a_card_is_seen_far_from_where_it_is_expected(pose: Pose) -> None:
    found = looked_for({CARD: pose}, (np.array([10.0, 0.0]), 0.0))
    assert found is not None
    np.testing.assert_allclose(found[1], found[0], atol=1.0)


def test_another_card_that_shares_much_of_its_print_is_not_taken_for_it() -> None:
    # card 12 flies where card 9 may be; most of what is printed on it is printed on card 9, too
    poses = {CARD: Pose(absent=True), 12: Pose(-66.0, 105.0)}
    place = np.array([96.0, 105.0]), 0.0
    assert looked_for(poses, place, shared={12: 0.5}) is not None
    assert looked_for(poses, place, others=frozenset({11}), shared={12: 0.5}) is None
