"""A film whose middle an edit list cuts out has a hole there, which its times do not show."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from tests.vision.sources.edited_film import edited
from tests.vision.sources.written_video import write_video
from vision.sources.film_cuts import cuts_ns
from vision.sources.video_file import VideoError, VideoSource

MEDIA_HZ = 16000


def film(path: Path, codec: str) -> Path:
    """Write three seconds that grow brighter."""
    grays = [np.full((48, 64), 20 + 2 * number, np.uint8) for number in range(90)]
    pictures = [(round(1000 * number / 30), gray) for number, gray in enumerate(grays)]
    return write_video(path, pictures, codec, pixels="yuvj420p" if codec == "mjpeg" else "yuv420p")


@pytest.fixture(params=[("film.mp4", "libx264"), ("film.mov", "mjpeg")], ids=["H.264", "JPEG"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return film(tmp_path / request.param[0], request.param[1])


def test_a_film_that_was_cut_is_refused_unless_its_cuts_are_heeded(path: Path) -> None:
    edited(path, [(0.0, 1.0), (2.0, 3.0)], MEDIA_HZ)
    with pytest.raises(VideoError, match=r"cut at 1\.00 s \(edit list\)"):
        VideoSource(path)
    source = VideoSource(path, may_be_cut=True)
    assert source.cuts_ns == (1_000_000_000,)
    frames = list(source)
    assert len(frames) == 60
    steps = [int(later.gray.mean()) - int(frame.gray.mean()) for frame, later in pairwise(frames)]
    assert max(steps) == steps[29] > 40, "what follows the cut was filmed a second later"


@pytest.mark.parametrize("data", [b"", b"\0\0\0\1moov", b"\0\0\0\x10moov\0\0\0\x08", b"RIFF" * 9])
def test_what_is_no_such_film_has_no_cuts(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x").write_bytes(data)
    assert cuts_ns(tmp_path / "x", 1) == ()
