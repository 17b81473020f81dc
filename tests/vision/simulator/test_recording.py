"""Simulated matches as recordings: the exam format, with true picture times."""

import json
from itertools import islice
from pathlib import Path

import av
import numpy as np
import pytest

from vision.recordings.recording import load_recording
from vision.simulator import single_poem, write_recording
from vision.simulator.drawing.film_file import Codec
from vision.simulator.drawing.sensor import Flash
from vision.simulator.hall.second_camera import AZIMUTHS_RAD, ObliqueCamera, SecondCamera, Stand


@pytest.mark.parametrize("codec", ["mjpeg", "h264"])
def test_a_recording_can_be_read_back(tmp_path: Path, codec: Codec) -> None:
    clip = single_poem("own", 6, 30, (320, 180), style="hall", in_colour=True)
    folder = write_recording(clip, tmp_path / "clip", codec)

    recording = load_recording(folder)
    assert recording.game == "karuta"
    assert recording.fps_nominal == 30
    assert [(reading.t_ms, reading.poem) for reading in recording.readings] == [
        (reading.t_ms, reading.poem) for reading in clip.readings
    ]
    assert json.loads((folder / "truth.json").read_text("utf-8")) == clip.truth

    shown = [(round(t_ns / 1e6), picture) for t_ns, picture in clip.pictures()]
    with av.open(str(recording.video)) as video:
        stream = video.streams.video[0]
        assert stream.codec_context.name == codec
        decoded = [(frame.time, frame.to_ndarray(format="bgr24")) for frame in video.decode(stream)]
    assert [round(time * 1000) for time, _ in decoded] == [t_ms for t_ms, _ in shown]
    for (_, read), (_, drawn) in zip(decoded[::10], shown[::10], strict=True):
        assert np.abs(read.astype(int) - drawn).mean() < 12


SIZE = (320, 180)


def camera(stand: str, tilt_deg: float) -> ObliqueCamera:
    return ObliqueCamera(
        *SIZE, 1.4, 1.5, tilt_rad=np.deg2rad(tilt_deg), k1=-0.03, azimuth_rad=AZIMUTHS_RAD[stand]
    )


@pytest.mark.parametrize("stand", ["left", "far"])
def test_its_clock_is_its_own_and_a_flash_is_everybodys(stand: Stand) -> None:
    flash = Flash(0.4, 0.1)
    match = single_poem("own", 6, 30, SIZE, "tatami", cards_per_side=8, flash=flash)
    early = list(islice(match.filmed_by(SecondCamera(60, SIZE, stand, clock_s=2.5)), 40))
    late = list(islice(match.filmed_by(SecondCamera(60, SIZE, stand, clock_s=-0.2)), 20))
    assert early[0][0] > 2.5e9
    assert 0 <= late[0][0] < 20_000_000, "frames from before it was switched on are missing"
    for frames, clock_s in ((early, 2.5), (late, -0.2)):
        bright = [
            t_ns / 1e9 - clock_s for t_ns, picture in frames if picture.mean() > 1.2 * frames[0][1].mean()
        ]
        assert min(bright) == pytest.approx(flash.t_s, abs=0.02)
        assert max(bright) == pytest.approx(flash.t_s + flash.seconds, abs=0.02)
    again = next(match.filmed_by(SecondCamera(60, SIZE, stand, clock_s=2.5)))
    assert np.array_equal(again[1], early[0][1])
