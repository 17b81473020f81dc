"""Simulated matches as recordings: the exam format, with true picture times."""

import json
from pathlib import Path

import av
import numpy as np
import pytest

from vision.recordings.recording import load_recording
from vision.simulator import single_poem, write_recording
from vision.simulator.drawing.film_file import Codec


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
