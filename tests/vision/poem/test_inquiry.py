"""What is found out ahead about the cards of a poem, and in which order."""

import numpy as np
import pytest

from tests.vision.painted_table import PaintedTable
from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.field.slots import SlotGrid
from vision.launch import strikes
from vision.launch.flight_fits import FlightFits
from vision.launch.onset import Onset
from vision.launch.strikes import RoughSlide, explain_steps
from vision.poem.inquiry import struck_by_turns

MS = 1_000_000
WINDOW = (slice(0, 10), slice(0, 10))


def left_at(t_ms: float) -> Departure:
    return Departure(WINDOW, round(t_ms * MS))


def test_what_was_struck_first_is_asked_first() -> None:
    moved = {4: left_at(530), 1: left_at(100), 2: left_at(130), 7: left_at(60), 9: left_at(520)}
    assert struck_by_turns([4, 1, 2, 7, 9], moved) == [[7, 1, 2], [7, 1, 2, 9, 4]]
    assert struck_by_turns([4, 9], moved) == [[9, 4]]
    assert struck_by_turns([], moved) == []


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Numbers of the slots whose slides are found."""
    found: list[int] = []

    def noted(field, number, sights, departure):  # type: ignore[no-untyped-def]
        found.append(number)
        return Onset(1e6 * number, 1e6, 0, 1)

    monkeypatch.setattr(strikes, "slide_onset", noted)
    return found


def test_a_slide_that_ends_about_there_is_found_once_where_roughly_will_do(looks: list[int]) -> None:
    table = PaintedTable()
    field = FieldModel(SlotGrid(table.slots, table.resting()).picture, table.slots)
    moved, rough = {number: left_at(100) for number in (3, 5)}, dict[int, RoughSlide]()
    for shift_px in (2.0, 2.05, 2.5):
        for one in moved.values():
            one.final_shift_px = np.array([shift_px, 0.0])
        steps = explain_steps(field, moved, {3: (), 5: ()}, FlightFits(field), only={3}, rough=rough)
        while next(steps, 1) is None:
            pass
    assert looks == [3, 3]  # at first, and where it lies elsewhere by more than a look may differ
    moved[3].left = True  # a card that is gone slid nowhere
    assert not rough[3].will_do(moved[3])
    exact = explain_steps(field, moved, {3: (), 5: ()}, FlightFits(field))
    while next(exact, 1) is None:
        pass
    assert looks == [3, 3, 3, 5]
