"""Pictures that share a glance: decoded only where something may have changed."""

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.sources.written_video import write_video
from vision.frames.frame import Gray
from vision.sources.video_file import VideoSource

STEP_MS, COUNT = 8, 24  # a moment holds five pictures
_EIGHTH = cv2.IMREAD_REDUCED_GRAYSCALE_8


def picture(number: int, came_at: int | None = None) -> Gray:
    """Return a field at rest; from picture `came_at` on with a hand that moves over it."""
    gray = np.full((240, 320), 90, np.uint8)
    gray[40:200, 60:260:40] = 200
    gray[0, 0] = number  # no two are the same
    if came_at is not None and number >= came_at:
        gray[:, 100 : 140 + 4 * (number - came_at)] = 30
    return gray


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """Count how often pictures are decoded whole, and at an eighth of their size."""
    counts, decode = {"whole": 0, "glance": 0}, cv2.imdecode

    def counting(data: Gray, flags: int) -> Gray:
        counts["glance" if flags & _EIGHTH == _EIGHTH else "whole"] += 1
        return np.asarray(decode(data, flags), np.uint8)

    monkeypatch.setattr("vision.sources.jpeg.cv2.imdecode", counting)
    return counts


def filmed(folder: Path, step_ms: int = STEP_MS, draw: Callable[[int], Gray] = picture) -> VideoSource:
    pictures = [(number * step_ms, draw(number)) for number in range(COUNT)]
    return VideoSource(write_video(folder / "video.mkv", pictures, "mjpeg", pixels="yuvj420p"))


def test_at_rest_pictures_that_follow_each_other_share_a_glance(
    tmp_path: Path, decoded: dict[str, int]
) -> None:
    source = filmed(tmp_path)
    source.glances = True
    decoded.update(whole=0, glance=0)
    frames = list(source)
    assert len(frames) == COUNT
    assert decoded == {"whole": 0, "glance": 1 + -(-(COUNT - 1) // 5)}
    known = list(VideoSource(source.path))
    for frame, whole in zip(frames, known, strict=True):
        assert (frame.t_ns, frame.jpeg) == (whole.t_ns, whole.jpeg)
        assert frame.glance is not None
        np.testing.assert_array_equal(frame.gray, whole.gray)


@pytest.mark.parametrize("came_at", range(8, 14))
def test_whatever_comes_in_is_seen_in_its_own_picture(tmp_path: Path, came_at: int) -> None:
    source = filmed(tmp_path, draw=lambda number: picture(number, came_at))
    source.glances = True
    known = list(VideoSource(source.path))
    for frame, whole in zip(source, known, strict=True):
        assert frame.glance is not None
        np.testing.assert_allclose(frame.glance, whole.eighth(), atol=1.0)


def test_a_picture_without_its_end_is_damaged_whatever_its_neighbours_show(tmp_path: Path) -> None:
    source = filmed(tmp_path)
    data = source.path.read_bytes()
    ends = [at for at in range(len(data) - 1) if data[at : at + 2] == b"\xff\xd9"]
    source.path.write_bytes(data[: ends[3]] + b"\x00\x01" + data[ends[3] + 2 :])
    source.glances = True
    assert len(list(source)) == COUNT - 1
    assert source.counters.damaged == 1
