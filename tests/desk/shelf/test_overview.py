"""A film at a glance: loud and quiet at their instants, and pictures from beginning to end."""

from pathlib import Path

import cv2
import numpy as np

from desk.films.film import open_film
from desk.shelf.overview import STRIP, WAVEFORM, keep_overview
from tests.vision.sources.written_video import write_video


def test_a_strip_shows_pictures_in_their_order_and_the_last_one_stands_on(tmp_path: Path) -> None:
    grays = [np.full((48, 64), 20 + 4 * number, np.uint8) for number in range(50)]
    film = write_video(tmp_path / "film.mkv", [(20 * at, gray) for at, gray in enumerate(grays)], "libx264")
    keep_overview(open_film(film), tmp_path)
    strip = cv2.imread(str(tmp_path / STRIP), cv2.IMREAD_GRAYSCALE)
    assert strip is not None
    assert strip.shape == (120, 12 * 160)
    shades = strip.reshape(120, 12, 160).mean(axis=(0, 2))
    assert (np.diff(shades) > 5).all()
    assert abs(shades[0] - 20) < 12
    assert (tmp_path / WAVEFORM).read_bytes() == b""  # it is silent
