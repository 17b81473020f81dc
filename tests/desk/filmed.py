"""Recordings of a poem with arbitrary pictures, such as films that people made wrongly."""

from collections.abc import Iterable
from pathlib import Path

import cv2

from vision.frames.frame import Gray


def filmed(folder: Path, grays: Iterable[Gray]) -> Path:
    """Write a recording of one poem that shows these pictures, and return its folder."""
    folder.mkdir(exist_ok=True)
    writer = None
    for gray in grays:
        size = gray.shape[::-1]
        writer = writer or cv2.VideoWriter(
            str(folder / "video.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 30, size
        )
        writer.write(cv2.cvtColor(gray, cv2.COLOR_GRAY2BGR))
    assert writer is not None
    writer.release()
    (folder / "recording.toml").write_text('format = 1\ngame = "karuta"\nvideo = "video.avi"\n')
    (folder / "reading.jsonl").write_text('{"t_ms": 200.0, "poem": 17}\n')
    return folder
