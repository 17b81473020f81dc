"""Cameras that mix each picture with those before it, told from those that do not."""

from __future__ import annotations

import numpy as np
import pytest

from vision.frames.afterimage import Afterimage
from vision.frames.frame import Gray

_SIZE = (60, 90)


def passing_hand(share: float, pictures: int = 60) -> Afterimage:
    """Return what is measured of a hand that passes, with so much of the last picture in each."""
    dice = np.random.default_rng(3)
    rest = np.full(_SIZE, 150, np.uint8)
    seen, meter = rest.astype(np.float64), Afterimage(rest)
    for index in range(pictures):
        truly = rest + dice.normal(0, 1.0, _SIZE)
        left = 3 * index % 120 - 30
        truly[20:40, max(left, 0) : max(left + 25, 0)] = 70.0
        seen = share * seen + (1 - share) * truly
        meter.note(shown(seen))
    return meter


def shown(picture: np.ndarray) -> Gray:
    return np.asarray(np.clip(np.rint(picture), 0, 255), np.uint8)


@pytest.mark.parametrize(("share", "is_smeared"), [(0.0, False), (0.5, True), (0.75, True)])
def test_pictures_that_hold_earlier_ones_are_told(share: float, *, is_smeared: bool) -> None:
    assert passing_hand(share).is_smeared is is_smeared


def test_a_field_at_rest_tells_nothing() -> None:
    assert not passing_hand(0.75, pictures=8).is_smeared
