"""Whether something moves in a card's former place."""

import numpy as np
import pytest
from numpy.typing import NDArray

from referee.sides import Side
from vision.departures.residual_motion import stirs
from vision.field.slots import Slot
from vision.frames.frame import Frame

MS = 1_000_000
CORNERS_PX = np.array([[10, 10], [62, 10], [62, 83], [10, 83]], float)
FLOOR = np.random.default_rng(7).normal(120.0, 3.0, (100, 90))


def passing(x_px: int) -> NDArray[np.float64]:
    """Return the floor with a finger at `x_px`, as gray as the floor but for its edges."""
    picture = FLOOR.copy()
    picture[20:70, x_px : x_px + 4] -= 30.0
    picture[20:70, x_px + 12 : x_px + 16] += 30.0
    return picture


def seen(*pictures: NDArray[np.float64], apart_ms: int = 33, at: NDArray[np.float64] = CORNERS_PX) -> bool:
    noise = np.random.default_rng(8)
    frames = [
        Frame(
            (picture + noise.normal(0.0, 3.0, picture.shape)).astype(np.uint8),
            number * apart_ms * MS,
            MS,
            number,
        )
        for number, picture in enumerate(pictures)
    ]
    return stirs(Slot(1, Side.NEAR, at), frames)


@pytest.mark.parametrize(("apart_ms", "between"), [(33, 0), (8, 3)])
def test_a_finger_that_passes_stirs_though_it_is_as_gray_as_the_floor(apart_ms: int, between: int) -> None:
    way = [passing(20 + round(20 * step / (between + 1))) for step in range(between + 2)]
    assert seen(*way, apart_ms=apart_ms)


def test_neither_noise_nor_another_light_stirs() -> None:
    assert not seen(FLOOR, FLOOR)
    assert not seen(FLOOR, FLOOR * 0.8)
    assert not seen(passing(20), passing(20))


def test_one_picture_shows_nothing_stirring_nor_does_a_place_beside_the_picture() -> None:
    assert not seen(passing(20))
    assert not seen(FLOOR, passing(20), at=CORNERS_PX + np.array([90.0, 0.0]))
    assert seen(passing(20), passing(40), at=CORNERS_PX - np.array([30.0, 0.0]))  # partly beside it
