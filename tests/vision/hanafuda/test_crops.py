"""A place is cut out of a picture wherever it lies, beside it too."""

from typing import Any

import numpy as np
import pytest

from vision.hanafuda.crops import crop_size_px, rectify

CARD = np.array([[0.0, 0], [330, 0], [330, 540], [0, 540]])


@pytest.mark.parametrize("shift", [(-2000, 0), (0, -3000), (2000, 3000), (-200, -300), (1e9, 0)])
@pytest.mark.parametrize("scale", [0.05, 1.0, 40.0])
def test_a_place_beside_the_picture_shows_its_edge(shift: Any, scale: float) -> None:
    picture = np.full((480, 640, 3), (10, 20, 30), np.uint8)
    crop = rectify(picture, scale * CARD + np.array(shift))
    assert crop.shape == (*crop_size_px()[::-1], 3)
    assert (crop == picture[0, 0]).all()
