"""A replay that is cut from a film keeps the film's own sound, in step with its pictures."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from desk.panel.match.bundle import read_member
from desk.shelf.excerpt import keep_step
from desk.tables.evidence.sound import wave_of
from recitation.reading.plan import SAMPLE_RATE

CLICK_S = 4.0


def film(path: Path, *, codec: str | None = "aac") -> Path:
    """Write a film of six seconds that is white and clicks at `CLICK_S`; no sound without a codec."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=20, options={"preset": "ultrafast", "g": "40"})
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        sound = None if codec is None else container.add_stream(codec, rate=44_100, layout="stereo")
        for number in range(120):
            level = 255 if number == round(20 * CLICK_S) else 40
            picture = np.full((48, 64, 3), level, np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        if isinstance(sound, av.AudioStream):
            wave = np.zeros((2, 6 * 44_100), np.float32)
            wave[:, round(CLICK_S * 44_100) :][:, :900] = 0.5
            for begin in range(0, wave.shape[1], 44_100):
                part = np.ascontiguousarray(wave[:, begin : begin + 44_100])
                frame = av.AudioFrame.from_ndarray(part, format="fltp", layout="stereo")
                frame.sample_rate, frame.pts, frame.time_base = 44_100, begin, Fraction(1, 44_100)
                container.mux(sound.encode(frame))
            container.mux(sound.encode(None))
        container.mux(stream.encode(None))
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
    assert shown_s < len(wave) / SAMPLE_RATE < shown_s + 0.3, (
        "no more than the pictures, but for whole packets"
    )


def test_a_silent_film_has_silent_replays(tmp_path: Path) -> None:
    step = tmp_path / "step.zip"
    assert keep_step(film(tmp_path / "film.mp4", codec=None), None, (10**9, 2 * 10**9), step)
    assert "sound" not in json.loads(read_member(step, "manifest.json"))
