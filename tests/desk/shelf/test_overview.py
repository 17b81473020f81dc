"""The overview of a film: its waveform, and pictures from beginning to end."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pytest

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


def test_a_film_whose_clock_began_long_before_it_is_shown_from_its_own_start(tmp_path: Path) -> None:
    """Camcorders continue their time stamps from film to film, starting at 0 when switched on."""
    began_s, rate = 3600, 8000
    path = tmp_path / "film.mts"
    with av.open(str(path), "w", format="mpegts") as target:
        video: Any = target.add_stream("mpeg2video", rate=25)
        video.width, video.height, video.pix_fmt = 64, 48, "yuv420p"
        heard: Any = target.add_stream("mp2", rate=32_000, layout="mono")
        for number in range(50):
            frame = av.VideoFrame.from_ndarray(np.full((48, 64), 20 + 4 * number, np.uint8), format="gray")
            frame = frame.reformat(format="yuv420p")
            frame.pts, frame.time_base = number + 25 * began_s, Fraction(1, 25)
            target.mux(video.encode(frame))
        hum = np.zeros((1, 2 * 32_000), np.int16)
        hum[:, 32_000:] = rate * np.sin(np.arange(32_000) / 20)
        block = av.AudioFrame.from_ndarray(hum, format="s16", layout="mono")
        block.sample_rate, block.pts, block.time_base = 32_000, 32_000 * began_s, Fraction(1, 32_000)
        target.mux(heard.encode(block))
        for stream in (video, heard):
            target.mux(stream.encode(None))
    film = open_film(path)
    assert film.begins_ns / 1e9 == pytest.approx(began_s, abs=2)
    assert film.length_ns / 1e9 == pytest.approx(2, abs=0.2)
    keep_overview(film, tmp_path)
    strip = cv2.imread(str(tmp_path / STRIP), cv2.IMREAD_GRAYSCALE)
    assert strip is not None
    assert (np.diff(strip.reshape(strip.shape[0], 12, 160).mean(axis=(0, 2))) > 5).all()
    wave = np.frombuffer((tmp_path / WAVEFORM).read_bytes(), np.uint8)
    assert len(wave) == pytest.approx(200, abs=15)
    assert wave[:80].max() < 60 < wave[120:180].min()
