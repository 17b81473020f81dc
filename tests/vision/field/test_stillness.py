"""Stillness: moving hands are seen, noise and flicker are not."""

from collections.abc import Callable

import numpy as np
import pytest

from vision.field.stillness import StillnessMeter
from vision.frames.frame import Frame, Gray

FPS = 60
MS = 1_000_000


def table(seed: int = 3) -> Gray:
    rng = np.random.default_rng(seed)
    return rng.integers(90, 160, (360, 640), np.uint8)


def play(picture: Callable[[int, Gray], Gray], count: int = 60, sigma: float = 2.5) -> list[bool]:
    rng = np.random.default_rng(5)
    rest, meter = table(), StillnessMeter()
    moving = []
    for index in range(count):
        noisy = picture(index, rest).astype(np.float32) + rng.normal(0, sigma, rest.shape).astype(np.float32)
        gray = np.clip(noisy, 0, 255).astype(np.uint8)
        moving.append(meter.feed(Frame(gray, index * 1_000_000_000 // FPS, 1_000, index)))
    return moving


def blob(index: int, rest: Gray, speed_px: float, size_px: int = 26) -> Gray:
    x = int(60 + speed_px * index)
    picture = rest.copy()
    picture[150 : 150 + size_px, x : x + size_px] = 40
    return picture


def test_noise_that_stops_for_a_moment_is_still_noise_when_it_comes_back() -> None:
    """It is remembered by the time that has passed, not by pictures: a fast camera must not forget it."""
    rng, rest, meter, moving = np.random.default_rng(5), table(), StillnessMeter(), []
    grains = [rng.normal(0, 1, rest.shape).astype(np.float32) for _ in range(7)]  # never the same after a lag
    for index in range(400):
        t_ns = index * 1_000_000_000 // 240
        sigma = 0.5 if 1_000 * MS <= t_ns < 1_330 * MS else 9.0
        noisy = rest + sigma * grains[index % len(grains)]
        moving.append(meter.feed(Frame(np.clip(noisy, 0, 255).astype(np.uint8), t_ns, 1_000, index)))
    assert not any(moving)


@pytest.mark.parametrize("speed_px", [1.0, 5.0, 9.0])
def test_moving_hand_is_seen_within_a_tenth_of_a_second(speed_px: float) -> None:
    moving = play(lambda index, rest: blob(index, rest, speed_px))
    assert all(moving[FPS // 6 :])


def test_motion_outside_the_watched_region_is_still() -> None:
    meter, rest = StillnessMeter(), table()
    meter.look_only_at(np.array([[0.0, 0.0], [640.0, 120.0]]))
    moving = [
        meter.feed(Frame(blob(index, rest, 6.0), index * 16_666_667, 1_000, index)) for index in range(40)
    ]
    assert not any(moving)
