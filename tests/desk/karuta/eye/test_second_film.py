"""A second camera's film is used only if its pictures are good enough."""

from pathlib import Path

import numpy as np
import pytest

from desk.karuta.eye.second_film import SecondFilm
from tests.vision.sources.written_video import write_video
from vision.recordings.recording import SecondVideo
from vision.sources.video_file import VideoSource


@pytest.mark.parametrize(("quantiser", "shown"), [("24", 20), ("46", 0)])
def test_a_second_film_that_is_compressed_too_coarsely_bears_no_witness(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quantiser: str, shown: int
) -> None:
    dice = np.random.default_rng(5)
    pictures = [(33 * at, dice.integers(80, 170, (96, 128), np.uint8)) for at in range(20)]
    options = {"qp": quantiser, "preset": "ultrafast"}
    video = write_video(tmp_path / "second.mkv", pictures, "libx264", encoder=options)
    second = SecondFilm(SecondVideo(video, offset_ns=0), VideoSource(video))
    seen: list[int] = []
    assert second.witness is not None
    monkeypatch.setattr(second.witness, "feed", lambda frame: seen.append(frame.t_ns))
    second.show_until(10**9)
    assert len(seen) == shown
