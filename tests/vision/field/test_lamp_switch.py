"""When a lamp was switched: between which pictures, however fast, and despite other flicker."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from vision.field.resting_map import Lighting

MS = 1_000_000
STEP_MS = 10


def lit(light: Callable[[float], float], until_ms: int = 1000) -> Lighting:
    """Follow a light, a factor at each instant in ms, in a picture in which one arm is darker throughout."""
    lighting = Lighting()
    for t_ms in range(0, until_ms, STEP_MS):
        sparse = np.full((20, 36), round(100 * light(t_ms)), np.uint8)
        sparse[5:15, 10:14] = 40
        lighting.note(sparse, t_ms * MS)
    return lighting


@pytest.mark.parametrize("factor", [0.7, 1.4])
def test_a_lamp_is_switched_between_two_pictures(factor: float) -> None:
    switched = lit(lambda t_ms: factor if t_ms > 403 else 1.0).switched_ns()
    assert switched == (400 * MS, 410 * MS)
    assert lit(lambda t_ms: factor if t_ms > 203 else 1.0).factor == pytest.approx(factor)


def test_a_lamp_that_dims_is_being_switched_until_it_is_done() -> None:
    switched = lit(lambda t_ms: float(np.interp(t_ms, [300, 500], [1.0, 0.6]))).switched_ns()
    assert switched is not None
    assert 300 * MS <= switched[0] < 380 * MS
    assert 430 * MS < switched[1] <= 500 * MS


def test_a_lamp_that_flickers_before_it_stays_is_switched_from_the_first_time_to_the_last() -> None:
    switched = lit(lambda t_ms: 0.7 if 200 <= t_ms < 230 or t_ms >= 600 else 1.0).switched_ns()
    assert switched == (190 * MS, 600 * MS)


def test_the_flicker_of_lamps_hides_no_switch() -> None:
    def light(t_ms: float) -> float:
        return (1 + 0.04 * math.sin(t_ms / 7)) * (0.65 if t_ms >= 600 else 1.0)

    assert lit(light).switched_ns() == (590 * MS, 600 * MS)


@pytest.mark.parametrize(
    "light",
    [lambda t_ms: 1 + 0.05 * np.sin(t_ms / 9), lambda _: 0.7],
    ids=["flicker", "never seen to change"],
)
def test_where_nothing_was_seen_to_be_switched_nothing_is_told(light: Callable[[float], float]) -> None:
    assert lit(light).switched_ns() is None


def test_the_farthest_light_since_an_instant_is_told_though_it_came_back() -> None:
    dipped = lit(lambda t_ms: 0.7 if 300 <= t_ms < 450 else 1.0)
    assert dipped.factor == pytest.approx(1.0)
    assert dipped.farthest_since(200 * MS) == pytest.approx(0.7)
    assert dipped.farthest_since(500 * MS) == pytest.approx(1.0)
    flashed = lit(lambda t_ms: 1.5 if 300 <= t_ms < 310 else 1.0)
    assert flashed.farthest_since(0) == pytest.approx(1.0), "a single picture may be an arm's"
    assert Lighting().farthest_since(0) == pytest.approx(1.0)
