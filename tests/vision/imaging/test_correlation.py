"""Correlation by cached spectra equals OpenCV's own."""

import cv2
import numpy as np
import pytest

from vision.imaging.correlation import correlated, spectra_of


@pytest.mark.parametrize(("size", "small"), [((40, 50), (9, 7)), ((83, 77), (20, 26)), ((31, 31), (31, 31))])
@pytest.mark.parametrize("channels", [1, 3])
def test_it_is_what_match_template_finds(
    size: tuple[int, int], small: tuple[int, int], channels: int
) -> None:
    rng = np.random.default_rng(2)
    picture = rng.normal(size=(*size, channels)).astype(np.float32)
    template = rng.random((*small, channels)).astype(np.float32)
    places = size[0] - small[0] + 1, size[1] - small[1] + 1
    spectra = spectra_of(picture.transpose(2, 0, 1), size)
    (found,) = correlated(spectra, np.conj(spectra_of(template.transpose(2, 0, 1), size))[None], size)
    found = found[: places[0], : places[1]]
    expected = cv2.matchTemplate(picture, template, cv2.TM_CCORR).reshape(places)
    np.testing.assert_allclose(found, expected, atol=1e-3)
