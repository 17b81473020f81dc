"""Replays that are cut from a film have its sound in step; its overview shows it from beginning to end."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pytest

from desk.films.film import open_film
from desk.panel.match.bundle import read_member
from desk.shelf.excerpt import STRIP, WAVEFORM, keep_overview, keep_step
from desk.tables.evidence.sound import wave_of
from recitation.reading.plan import SAMPLE_RATE

CLICK_S = 4.0


def film(path: Path) -> Path:
    """Write a film of six seconds that is white and clicks at `CLICK_S`."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=20, options={"preset": "ultrafast", "g": "40"})
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        sound = container.add_stream("aac", rate=44_100, layout="stereo")
        for number in range(120):
            level = 255 if number == round(20 * CLICK_S) else 40
            picture = np.full((48, 64, 3), level, np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        wave = np.zeros((2, 6 * 44_100), np.float32)
        wave[:, round(CLICK_S * 44_100) :][:, :900] = 0.5
        for begin in range(0, wave.shape[1], 44_100):
            part = np.ascontiguousarray(wave[:, begin : begin + 44_100])
            frame = av.AudioFrame.from_ndarray(part, format="fltp", layout="stereo")
            frame.sample_rate, frame.pts, frame.time_base = 44_100, begin, Fraction(1, 44_100)
            container.mux(sound.encode(frame))
        container.mux([*sound.encode(None), *stream.encode(None)])
    return path


def brightness(jpeg: bytes) -> float:
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert picture is not None
    return float(picture.mean())


@pytest.mark.parametrize(("filmed_fps", "factor"), [(None, 1), (80.0, 4)])
def test_the_click_is_heard_with_its_picture(tmp_path: Path, filmed_fps: float | None, factor: int) -> None:
    click_ns = round(CLICK_S / factor * 1e9)
    step = tmp_path / "step.zip"
    span_ns = (click_ns - round(1e9 / factor), click_ns + round(5e8 / factor))
    assert keep_step(film(tmp_path / "film.mp4"), filmed_fps, span_ns, step)
    manifest = json.loads(read_member(step, "manifest.json"))
    pictures = [(brightness(read_member(step, each["file"])), each["t_ns"]) for each in manifest["frames"]]
    assert max(pictures)[1] == pytest.approx(click_ns, abs=1e6), "the white picture"
    sound = manifest["sound"]
    wave = wave_of(read_member(step, sound["file"]))
    loudest = int(np.flatnonzero(np.abs(wave) > 0.2)[0])
    assert sound["t_ns"] + loudest / SAMPLE_RATE * 1e9 == pytest.approx(click_ns, abs=3e7)
    shown_s = (manifest["frames"][-1]["t_ns"] - manifest["frames"][0]["t_ns"]) / 1e9
    assert shown_s < len(wave) / SAMPLE_RATE < shown_s + 0.3, "no more, but for whole packets"


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
