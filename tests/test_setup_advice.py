"""docs/setup.md tells the figures that `tools/camera_heights.py` computes."""

from pathlib import Path

import pytest
from camera_heights import CAMERAS, View, sentences, written

PAGE = Path(__file__).parents[1] / "docs" / "setup.md"


def test_the_angle_on_a_box_is_that_of_the_diagonal() -> None:
    webcam = View.of_diagonal(78)
    assert webcam.across_deg == pytest.approx(70.4, abs=0.1)
    assert webcam.height_m == pytest.approx(0.82, abs=0.005)
    assert View.from_height(webcam.height_m).diagonal_deg == pytest.approx(78)


def test_a_phones_film_has_the_width_of_its_photo() -> None:
    # 26 mm of 43.3: the photo spans 79.5 degrees across its diagonal, so 67.3 across its width
    assert View.of_focal_length(26).across_deg == pytest.approx(67.3, abs=0.1)
    assert View.of_focal_length(26).without(0.2).height_m == pytest.approx(
        CAMERAS["phone, main camera, 26 mm"].height_m / 0.8
    )


def test_the_page_tells_what_is_computed() -> None:
    page = PAGE.read_text("utf-8")
    assert written(page) == page
    assert [told for told in sentences() if told not in page] == []
