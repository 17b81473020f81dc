"""A card's path, through pictures that show only a few tiles of its print each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from referee.sides import Side
from tests.vision.painted_table import Arm, PaintedTable, Pose
from vision.departures.departure import Departure, Window
from vision.field.model import FieldModel
from vision.field.slots import SlotGrid
from vision.hands.player_map import PlayerMap
from vision.sightings.path import follow_print
from vision.sightings.spots import Spot, find_spots
from vision.sightings.traces import traces_of

WINDOW = (slice(150, 500), slice(120, 700))
CARD, NUMBER = 9, 8
STILL_MS = 50.0
STEP_MS = 8.0
LATER_MS = tuple(STEP_MS * count for count in range(1, 6))
BEGAN_MS = 2.0
SPEED = np.array([-1.0, 0.4])  # of the card, pixels a millisecond


def shift_px(since_ms: float, speed: np.ndarray = SPEED) -> np.ndarray:
    return speed * max(0.0, since_ms - BEGAN_MS)


def hands(at_px: np.ndarray) -> tuple[Arm, Arm]:
    """Return hands that leave a corner of the card, below and to the left."""
    x, y = at_px
    return (
        Arm(Side.NEAR, (x + 24, y - 30), x + 24, 62.0, 95),
        Arm(Side.FAR, (x - 4, y - 26), x - 4, 44.0, 95),
    )


@dataclass
class Seen:
    """A departure that was painted, and the field that it left."""

    field: FieldModel
    departure: Departure

    @property
    def path(self) -> list[Spot]:
        return self.path_among(frozenset())

    def path_among(self, others: frozenset[int]) -> list[Spot]:
        return follow_print(self.field, NUMBER, self.departure.views, self.departure.still_ns, others)

    @property
    def alone(self) -> list[Spot]:
        """Where the card is seen in single pictures, when it is known where it was to be."""
        views = self.departure.views
        pictures = [
            (view, traces_of(self.field, NUMBER, view, self.departure.still_ns, turned_deg=20.0))
            for view in views
        ]
        return find_spots(self.field, NUMBER, pictures, lambda t_ns: (shift_px(t_ns / 1e6 - STILL_MS), 0.0))


def departed(
    poses: Sequence[Mapping[int, Pose]],
    *,
    arms: bool = True,
    later_ms: Sequence[float] = LATER_MS,
    printed_alike: Mapping[int, float] | None = None,
    swapped: int | None = None,
    window: Window = WINDOW,
) -> Seen:
    """Paint cards in some pictures, the hands where card 9 is.

    `printed_alike` see `PaintedTable.share_print`; `swapped` is a card that looks like card 9 on its way.
    """
    table = PaintedTable()
    for card, share in (printed_alike or {}).items():
        table.share_print(card, CARD, share)
    resting = table.resting()
    field = FieldModel(SlotGrid(table.slots, resting).picture, table.slots)
    seen_by = PlayerMap(resting, field.floor, field.px_per_mm)
    departure = Departure(window, round(STILL_MS * 1e6))
    if swapped is not None:
        table.share_print(swapped, CARD, 1.0)
    for since_ms, where in zip(later_ms, poses, strict=True):
        pose = where[CARD]
        at_px = table.slots[NUMBER].centre_px + np.array([pose.x, pose.y])
        over = hands(at_px) if arms else ()
        frame = table.frame(STILL_MS + since_ms, table.gray(where, over))
        departure.add(frame, seen_by.feed(frame.gray, frame.t_ns))
    return Seen(field, departure)


def going(speed: np.ndarray = SPEED, later_ms: Sequence[float] = LATER_MS) -> list[dict[int, Pose]]:
    return [{CARD: Pose(*shift_px(since_ms, speed))} for since_ms in later_ms]


def test_few_tiles_in_each_picture_make_a_path_together() -> None:
    seen = departed(going())
    assert not seen.alone  # the premise: by itself none of the pictures shows enough
    path = seen.path
    assert [spot.t_ns for spot in path] == [view.t_ns for view in seen.departure.views]
    for spot, since_ms in zip(path, LATER_MS, strict=True):
        np.testing.assert_allclose(spot.shift_px, shift_px(since_ms), atol=2.0)


@pytest.mark.parametrize("later_ms", [(16.0, 33.0), (33.0, 66.0)])
def test_two_pictures_make_a_path_where_they_show_more(later_ms: tuple[float, ...]) -> None:
    path = departed(going(SPEED / 2, later_ms), arms=False, later_ms=later_ms).path
    assert len(path) == 2
    for spot, since_ms in zip(path, later_ms, strict=True):
        np.testing.assert_allclose(spot.shift_px, shift_px(since_ms, SPEED / 2), atol=2.0)


def test_a_path_ends_where_the_card_is_not_seen_on_it_any_more() -> None:
    poses = going()
    poses[3:] = [{CARD: Pose(pose[CARD].x, pose[CARD].y, absent=True)} for pose in poses[3:]]
    seen = departed(poses)
    assert [spot.t_ns for spot in seen.path] == [view.t_ns for view in seen.departure.views[:3]]


def test_of_two_paths_neither_is_taken() -> None:
    # card 10 lay on card 9 and flies off the other way
    speed, later_ms = np.array([-2.2, 0.0]), (12.0, 20.0, 28.0)
    onto = [
        {**pose, CARD + 1: Pose(*(shift_px(since_ms, -speed) - (54, 0)))}
        for pose, since_ms in zip(going(speed, later_ms), later_ms, strict=True)
    ]
    assert departed(onto, arms=False, later_ms=later_ms).path
    assert not departed(onto, arms=False, later_ms=later_ms, swapped=CARD + 1).path
