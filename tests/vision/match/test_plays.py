"""Hands that strike change much of a picture within a thirtieth of a second; in slow motion they do not."""

import numpy as np
import pytest

from vision.frames.frame import Frame
from vision.match.plays import PaceMeter

CARD_PX = 40 * 56


@pytest.mark.parametrize(("speed_px", "is_slow"), [(1500.0, False), (1500.0 / 8, True), (0.0, True)])
def test_an_arm_that_strikes_is_told_from_one_in_slow_motion(speed_px: float, is_slow: bool) -> None:
    meter = PaceMeter()
    for number in range(20):
        picture = np.full((360, 640), 90, np.uint8)
        left = round(speed_px * number / 60)
        picture[100:300, left : left + 60] = 200
        meter.feed(Frame(picture, round(number * 1e9 / 60), 1, number))
    assert meter.is_slow(CARD_PX) == is_slow
