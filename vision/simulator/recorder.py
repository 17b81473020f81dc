"""Writes a simulated match as a recording: the shared exam format."""

from __future__ import annotations

import json
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Literal

import av
import numpy as np
import soundfile

from vision.simulator.match import SimulatedMatch
from vision.simulator.second_camera import SecondCamera
from vision.simulator.sound import RATE_HZ, render_sound
from vision.simulator.sprites import Pixels

Codec = Literal["mjpeg", "h264"]
_TIME_BASE = Fraction(1, 1000)
"""Matroska counts milliseconds."""
_SETTINGS: dict[Codec, tuple[str, str, dict[str, str]]] = {
    "mjpeg": ("mjpeg", "yuvj420p", {"qmin": "2", "qmax": "4"}),
    "h264": ("libx264", "yuv420p", {"crf": "18", "preset": "veryfast"}),
}


def write_recording(
    match: SimulatedMatch,
    folder: Path | str,
    codec: Codec = "mjpeg",
    *,
    with_sound: bool = False,
    second: SecondCamera | None = None,
) -> Path:
    """Render a match into `folder`: recording.toml, video.mkv, reading.jsonl and truth.json.

    With sound, `sound.flac` holds what a microphone beside the field hears of the hands; with a second
    camera, `second.mkv` holds what it films, on its own clock.

    The picture times of the video are the true ones, rounded to the container's milliseconds.

    Raises
    ------
    ValueError
        When the codec is not one of those offered.
    """
    if codec not in _SETTINGS:
        raise ValueError(f"no codec {codec!r}; choose one of: {', '.join(_SETTINGS)}")
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    _write_video(match.pictures(), folder / "video.mkv", codec, match.fps, match.size)
    head, tables = (
        ['format = 1\ngame = "karuta"\nvideo = "video.mkv"'],
        [f"[camera]\nfps = {_number(match.fps)}"],
    )
    if with_sound:
        last_ms = max(touch["t_ms"] for poem in match.truth["poems"] for touch in [*poem["touches"], poem])
        wave = render_sound(match.truth, last_ms / 1e3 + 2.0, seed=0)
        soundfile.write(folder / "sound.flac", wave, RATE_HZ)
        head.append('audio = "sound.flac"')
    if second is not None:
        _write_video(match.filmed_by(second), folder / "second.mkv", codec, second.fps, second.size)
        head.append('second = "second.mkv"')
        tables.append(f"[second_camera]\nfps = {_number(second.fps)}")
    text = "\n".join(head) + "\n\n" + "\n\n".join(tables) + "\n"
    (folder / "recording.toml").write_text(text, encoding="utf-8")
    lines = [json.dumps({"t_ms": reading.t_ms, "poem": reading.poem}) for reading in match.readings]
    (folder / "reading.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    (folder / "truth.json").write_text(json.dumps(match.truth, ensure_ascii=False), encoding="utf-8")
    return folder


def _number(fps: float) -> int | float:
    return int(fps) if float(fps).is_integer() else fps


def _write_video(
    pictures: Iterable[tuple[int, Pixels]], path: Path, codec: Codec, fps: float, size: tuple[int, int]
) -> None:
    name, pixels, options = _SETTINGS[codec]
    with av.open(str(path), "w", format="matroska") as container:
        stream = container.add_stream(name, rate=Fraction(fps).limit_denominator(1001), options=options)
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height = size
        stream.pix_fmt = pixels
        stream.codec_context.time_base = _TIME_BASE
        for t_ns, picture in pictures:
            layout = "bgr24" if picture.ndim == 3 else "gray"
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), format=layout)
            frame = frame.reformat(format=pixels)
            frame.pts = round(t_ns / 1_000_000)
            frame.time_base = _TIME_BASE
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
