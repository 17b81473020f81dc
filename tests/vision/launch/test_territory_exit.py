"""When a card that was pushed or swept was completely out of its territory."""

import numpy as np
import pytest
from numpy.typing import NDArray

from referee.sides import Side
from vision.field.slots import Slot
from vision.launch.flight import Flight, Launch
from vision.launch.onset import Onset
from vision.launch.strikes import Strike
from vision.launch.territory_exit import out_after

_TERRITORY = np.array([[0.0, 100.0], [400.0, 100.0], [400.0, 300.0], [0.0, 300.0]])
_BOTH = {Side.NEAR: _TERRITORY, Side.FAR: _TERRITORY - (0.0, 250.0)}
_CARD = np.array([[340.0, 200.0], [390.0, 200.0], [390.0, 270.0], [340.0, 270.0]])


def strike(velocity: tuple[float, float], seen: float = 0.6) -> Strike:
    slot = Slot(7, Side.NEAR, _CARD)
    flight = Flight(0, slot, 1e9, Launch(1e9, 0.99e9, 1.01e9), np.array(velocity), 0.0, seen)
    return Strike(0, Onset(1e9, 4e6, 990_000_000, 1_010_000_000), flight)


def test_a_card_is_out_when_its_last_corner_is_over_the_line() -> None:
    out = out_after(strike((1.0, 0.0)), Side.NEAR, _BOTH)
    assert out is not None
    assert out[0] == pytest.approx(60e6, abs=2e6)  # its left edge has 60 pixels to go
    assert 1e6 <= out[1] < out[0]


@pytest.mark.parametrize("is_empty", [True, False])
def test_a_card_that_its_empty_territory_does_not_hold_is_out(*, is_empty: bool) -> None:
    """Its first way leads inwards, and nobody sees where it comes to lie."""
    asked = []

    def nothing_lies_in(area_px: NDArray[np.float64]) -> bool:
        asked.append(area_px)
        return is_empty

    out = out_after(strike((-1.0, 0.0)), Side.NEAR, _BOTH, None, nothing_lies_in)
    assert asked[0] is _BOTH[Side.NEAR]
    assert (out is not None) is is_empty


@pytest.mark.parametrize("is_empty", [True, False])
@pytest.mark.parametrize("seen", [0.0, 0.6])
def test_a_swept_card_that_nobody_saw_lie_is_out_if_its_territory_is_empty(
    seen: float, *, is_empty: bool
) -> None:
    """A hand may stop on the way that its first pictures promise."""
    unseen = strike((1.0, 0.0), seen)
    out = out_after(unseen, Side.NEAR, _BOTH, None, lambda _: is_empty, by_hand=True)
    assert (out is not None) is is_empty
    lies_outside = np.add(_CARD, (100.0, 0.0))
    assert out_after(unseen, Side.NEAR, _BOTH, lies_outside, lambda _: False, by_hand=True) is not None
