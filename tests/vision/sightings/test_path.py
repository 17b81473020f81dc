"""A card's path, through pictures that show only a few tiles of its print each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from referee.sides import Side
from tests.vision.painted_table import Arm, PaintedTable, Pose
from vision.departures.departure import Departure, View, Window
from vision.field.model import FieldModel
from vision.field.slots import Floats, SlotGrid
from vision.hands.player_map import PlayerMap
from vision.sightings.path import _Path, _Search, follow_print
from vision.sightings.spots import Spot, TiledFace, find_spots
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


def test_a_few_tiles_in_two_pictures_make_none() -> None:
    assert not departed(going(SPEED / 2, (16.0, 33.0)), later_ms=(16.0, 33.0)).path


def test_a_card_that_is_seen_again_much_later_has_none() -> None:
    assert not departed(going(SPEED / 2, (16.0, 90.0)), arms=False, later_ms=(16.0, 90.0)).path


def test_a_card_that_is_hidden_has_no_path() -> None:
    hidden = [{CARD: Pose(pose[CARD].x, pose[CARD].y, absent=True)} for pose in going()]
    assert not departed(hidden).path


def test_a_card_that_hardly_moves_has_none() -> None:
    assert not departed(going(SPEED / 30)).path


def test_a_path_ends_where_the_card_is_not_seen_on_it_any_more() -> None:
    poses = going()
    poses[3:] = [{CARD: Pose(pose[CARD].x, pose[CARD].y, absent=True)} for pose in poses[3:]]
    seen = departed(poses)
    assert [spot.t_ns for spot in seen.path] == [view.t_ns for view in seen.departure.views[:3]]


def test_a_path_ends_where_it_leaves_the_picture() -> None:
    # the card lies a few millimetres from the picture's edge
    speed = np.array([-1.4, 0.0])
    seen = departed(going(speed), arms=False, window=(WINDOW[0], slice(276, 700)))
    assert 2 <= len(seen.path) < len(LATER_MS)


def test_places_that_no_even_path_joins_are_not_one() -> None:
    ways = [(0.0, 0.0), (-12.0, 30.0), (30.0, 14.0), (-34.0, -2.0), (6.0, 40.0)]
    poses = [{CARD: Pose(x, y)} for x, y in ways]
    assert not departed(poses, arms=False).path


def test_of_two_paths_neither_is_taken() -> None:
    # card 10 lay on card 9 and flies off the other way
    speed, later_ms = np.array([-2.2, 0.0]), (12.0, 20.0, 28.0)
    onto = [
        {**pose, CARD + 1: Pose(*(shift_px(since_ms, -speed) - (54, 0)))}
        for pose, since_ms in zip(going(speed, later_ms), later_ms, strict=True)
    ]
    assert departed(onto, arms=False, later_ms=later_ms).path
    assert not departed(onto, arms=False, later_ms=later_ms, swapped=CARD + 1).path


def test_what_another_card_that_left_may_have_shown_is_no_path() -> None:
    seen = departed(going(), printed_alike={CARD + 1: 1.0})
    assert seen.path
    assert not seen.path_among(frozenset({NUMBER + 1}))


def test_another_cards_path_is_not_taken_for_it() -> None:
    beside = [{CARD: Pose(absent=True), CARD + 1: Pose(*shift_px(since_ms))} for since_ms in LATER_MS]
    assert not departed(beside, arms=False, printed_alike={CARD + 1: 0.5}).path


class Ballots(TiledFace):
    """A face that gets the votes it is told to: its own and the best other's, place by place."""

    def __init__(self, *votes: tuple[float, float]) -> None:
        self.left = list(votes)

    def seen_in(self, view: View) -> Floats:
        return np.zeros((1, 1), np.float32)

    def votes_at(self, seen: Floats, view: View, shift_px: np.ndarray) -> tuple[float, float]:
        return self.left.pop(0)


def searched(*votes: tuple[float, float]) -> _Search:
    views = departed(going(), arms=False).departure.views
    return _Search(Ballots(*votes), views, round(STILL_MS * 1e6), 1.0)


def straight(*votes: float, speed_px: float = -8.0) -> _Path:
    return _Path(tuple(np.array([round(speed_px * count), 0]) for count in range(1, len(votes) + 1)), votes)


@pytest.mark.parametrize(
    ("votes", "other", "told"),
    [
        ((0.8, 0.7, 0.6), 0.0, True),
        ((0.7, 0.7, 0.5), 0.0, False),  # too few in all
        ((1.0, 1.0, 1.0), 2.5, True),
        ((1.0, 1.0, 1.0), 2.6, False),  # another path has about as many
        ((1.3, 1.3), 0.0, True),
        ((2.5, 1.1), 0.0, False),  # of two pictures each must show enough
        ((1.5, 1.5), 1.9, True),
        ((1.5, 1.5), 2.0, False),
        ((3.0,), 0.0, False),
    ],
)
def test_a_path_stands_out(votes: tuple[float, ...], other: float, *, told: bool) -> None:
    best = straight(*votes)
    beside = straight(*(other / len(votes) for _ in votes), speed_px=16.0)
    assert searched().stands_out(best, [best, beside]) is told


@pytest.mark.parametrize(
    ("votes", "own"),
    [
        ([(2.0, 1.0), (1.0, 0.9)], [True, True]),
        ([(2.0, 1.0), (1.0, 1.5)], [True, False]),
        ([(2.0, 1.0), (1.0, 4.0)], [False, False]),  # most of it is another's: so is the rest
    ],
)
def test_a_place_counts_where_the_cards_own_print_is_seen(
    votes: list[tuple[float, float]], own: list[bool]
) -> None:
    assert searched(*votes).own(straight(1.0, 1.0)) == own
