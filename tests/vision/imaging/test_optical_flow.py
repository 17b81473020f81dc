"""The displacement of pixels on a small picture."""

import cv2
import numpy as np
import pytest

from vision.imaging.optical_flow import Motion


def textured(shape: tuple[int, int]) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    noise = np.random.default_rng(3).normal(0, 60, shape).astype(np.float32)
    return np.clip(128 + cv2.GaussianBlur(noise, (0, 0), 2.0) * 3, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("shift", [(0, 0), (3, -2), (-7, 5)])
def test_a_patch_is_traced_back_to_where_it_was(shift: tuple[int, int]) -> None:
    before = textured((90, 160))
    now, patch = before.copy(), textured((24, 24))
    before[30:54, 60:84] = patch
    now[30 + shift[1] : 54 + shift[1], 60 + shift[0] : 84 + shift[0]] = patch
    where = np.zeros(now.shape, np.bool_)
    where[30 + shift[1] : 54 + shift[1], 60 + shift[0] : 84 + shift[0]] = True
    x, y = Motion().origins(now, before, where)
    middle = 42 + shift[1], 72 + shift[0]
    assert (x[middle], y[middle]) == pytest.approx((72, 42), abs=1.0)
    assert (x[5, 5], y[5, 5]) == pytest.approx((5, 5), abs=0.5)
