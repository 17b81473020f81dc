"""The state of the cards after the hands have left."""

import numpy as np
import pytest

from tests.vision.painted_table import PaintedTable, Pose
from vision.departures.departure import Departure
from vision.departures.outcome import End, Ending, ending, have_moved, may_be_hands
from vision.field.model import FieldModel
from vision.field.slots import SlotGrid, sights_of
from vision.frames.frame import Gray

NUMBER, CARD, OTHER = 7, 8, 9


class Field:
    def __init__(self) -> None:
        self.table = PaintedTable()
        self.grid = SlotGrid(self.table.slots, self.table.resting(3))
        self.model = FieldModel(self.grid.picture, self.table.slots)

    def ending(self, gray: Gray) -> Ending:
        sight = sights_of(self.grid.look(gray), 0)[NUMBER]
        return ending(self.model, NUMBER, sight, gray)

    def covered(self, shift_px: tuple[int, int], quarters: int) -> Gray:
        """Return the field with another card over a card's place, that shows some `quarters` of its print."""
        dx, dy = shift_px
        there = self.table.gray({CARD: Pose(absent=True), OTHER: Pose(-54.0, 0.0)})
        own = self.table.gray({CARD: Pose(dx, dy)})
        corners = self.table.slots[NUMBER].upright_corners_px()
        left, top = np.rint(corners[0] + shift_px).astype(int)
        wide, tall = np.rint(np.ptp(corners, axis=0)).astype(int)
        part = slice(top, top + round(tall * quarters / 4)), slice(left, left + wide)
        there[part] = own[part]
        return there


@pytest.fixture(scope="module")
def field() -> Field:
    return Field()


@pytest.mark.parametrize("shift", [(1.5, -1.0), (6.0, 4.0)])
def test_a_card_that_has_slid_has_moved(field: Field, shift: tuple[float, float]) -> None:
    found = field.ending(field.table.gray({CARD: Pose(*shift)}))
    assert found.end is End.MOVED
    assert found.shift_px is not None
    np.testing.assert_allclose(found.shift_px, shift, atol=0.3)


def test_a_card_that_has_slid_is_known_in_a_grainy_picture(field: Field) -> None:
    grain = np.random.default_rng(1).normal(0, 32, field.table.gray().shape)

    def grainy(poses: dict[int, Pose]) -> Gray:
        return np.asarray(np.clip(field.table.gray(poses) + grain, 0, 255), np.uint8)

    found = field.ending(grainy({CARD: Pose(1.5, -0.5, 2.0)}))
    assert found.end is End.MOVED
    assert found.shift_px is not None
    np.testing.assert_allclose(found.shift_px, (1.5, -0.5), atol=0.4)
    assert field.ending(grainy({})).end is End.IN_PLACE


def test_where_all_cards_seem_to_shift_a_little_one_must_shift_more(field: Field) -> None:
    gray = field.table.gray({CARD: Pose(0.3, 0.2)})
    sight = sights_of(field.grid.look(gray), 0)[NUMBER]
    assert ending(field.model, NUMBER, sight, gray, grain_px=0.01).end is End.MOVED
    assert ending(field.model, NUMBER, sight, gray, grain_px=0.1).end is End.IN_PLACE
    gray = field.table.gray({CARD: Pose(0.6, 0.4)})
    sight = sights_of(field.grid.look(gray), 0)[NUMBER]
    assert ending(field.model, NUMBER, sight, gray, grain_px=0.1).end is End.MOVED


@pytest.mark.parametrize("aside_px", [6.0, 14.0, 20.0])
def test_the_floor_is_seen_although_cards_have_come_to_lie_beside_it(field: Field, aside_px: float) -> None:
    beside = {2: Pose(aside_px, 42.0), OTHER: Pose(-54.0 + aside_px, 76.0)}
    assert field.ending(field.table.gray({CARD: Pose(absent=True), **beside})).end is End.GONE


@pytest.mark.parametrize("shift", [(2, -1), (6, 4)])
@pytest.mark.parametrize(("quarters", "end"), [(1, End.HIDDEN), (3, End.MOVED)])
def test_another_card_with_some_of_its_print_hides_it(
    field: Field, shift: tuple[int, int], quarters: int, end: End
) -> None:
    assert field.ending(field.covered(shift, quarters)).end is end


def as_bright_as_a_card(table: PaintedTable) -> int:
    """Return the gray level of print and paper together."""
    left, top = np.rint(table.slots[NUMBER].upright_corners_px()[0]).astype(int)
    return round(float(table.gray()[top + 4 : top + 69, left + 4 : left + 48].mean()))


def test_a_floor_as_bright_as_the_cards_is_known_where_one_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.vision.painted_table.FLOOR", as_bright_as_a_card(PaintedTable()))
    pale = Field()
    pale.model.floor += 8  # it is guessed from around the card, where a shade may have its edge
    looks = pale.grid.look(pale.table.gray({CARD: Pose(absent=True)}))
    assert pale.ending(pale.table.gray({CARD: Pose(absent=True)})).end is End.GONE
    assert pale.ending(pale.table.gray()).end is End.IN_PLACE
    assert pale.ending(pale.covered((6, 4), 1)).end is End.HIDDEN
    floor = pale.grid.block_means(pale.model.floor)
    bare = pale.grid.bare(looks, np.arange(12), floor, np.ones(12, np.float32)).sum(axis=1)
    assert bare[NUMBER] >= 9
    assert not np.delete(bare, NUMBER).any()


@pytest.mark.parametrize(
    ("aside_mm", "end", "moved"),
    [
        (0.7, End.IN_PLACE, True),
        (0.7, End.HIDDEN, True),
        (None, End.IN_PLACE, False),
        (None, End.HIDDEN, False),
        (None, End.GONE, True),
    ],
)
def test_a_card_in_its_place_has_moved_only_if_it_was_seen_aside(
    aside_mm: float | None, end: End, *, moved: bool
) -> None:
    departure = Departure((slice(0, 1), slice(0, 1)), 0, [])
    departure.proof_shift_px = None if aside_mm is None else np.array([0.0, 2.0 * aside_mm])
    assert (NUMBER in have_moved({NUMBER: Ending(end)}, {NUMBER: departure}, 5)) is moved


def gone(*, bared: bool = False) -> Departure:
    """Return how a card went that bare floor seems to have shown gone."""
    return Departure((slice(0), slice(0)), 100, seen_gone_ns=120, bared=bared)


def test_what_looks_like_the_floor_below_something_may_be_a_hand() -> None:
    ends = {1: Ending(End.GONE)}
    assert may_be_hands(ends, {1: gone()}, (1,)) == {1}
    assert not may_be_hands(ends, {1: gone()}, ()), "nothing lies over it"
    assert not may_be_hands(ends, {1: gone(bared=True)}, (1,)), "it has looked so for long"


def test_something_that_looks_like_the_floor_and_was_not_seen_to_come_may_be_a_hand() -> None:
    veil = Departure((slice(0), slice(0)), 100, floorlike=True)
    assert may_be_hands({2: Ending(End.GONE)}, {2: veil}, ()) == {2}
    assert not may_be_hands({2: Ending(End.HIDDEN)}, {2: veil}, ())
    assert not may_be_hands({}, {2: veil}, ())
