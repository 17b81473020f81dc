"""Pictures that show the one before once more are left out; whatever really moved or rested stays."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from referee.facts import Gap
from tests.vision.sources.written_video import write_video
from vision.frames.frame import Frame, Gray
from vision.simulator.hall.match import single_poem
from vision.sources.repeated_frames import without_repeats
from vision.sources.source import Counters
from vision.sources.video_file import VideoSource

STEP_MS = 8
STILL = 5  # pictures before the hand comes


def picture(place_px: float, light: float = 1.0) -> Gray:
    """Draw a floor with a hand on it, so far to the right."""
    gray = np.full((360, 640), 90.0)
    gray[::40] = 60
    left = round(place_px)
    gray[120:220, max(0, left - 150) : max(0, left)] = 190
    return np.clip(gray * light, 0, 255).astype(np.uint8)


def film(grays: Sequence[Gray], step_ms: int = STEP_MS) -> list[Frame]:
    return [Frame(gray, number * step_ms * 1_000_000, 1_000, number) for number, gray in enumerate(grays)]


def moving(count: int = 24) -> list[Gray]:
    return [picture(0)] * STILL + [picture(20.0 * number) for number in range(count)]


def passed(frames: Sequence[Frame | Gap]) -> tuple[list[Frame | Gap], int]:
    counters = Counters()
    return list(without_repeats(frames, counters)), counters.repeated


@pytest.mark.parametrize("times", [2, 3, 4])
def test_pictures_that_come_several_times_are_seen_once_amid_motion(times: int) -> None:
    """A camera that takes 15 pictures a second in a stream of 30, 45 or 60."""
    once = moving()
    frames = film([gray for gray in once for _ in range(times)], step_ms=67 // times)
    seen, repeated = passed(frames)
    first = frames[::times]
    moves = [frame for frame in seen if isinstance(frame, Frame) and frame.index >= (STILL + 6) * times]
    # the last one may be a hand that has come to rest
    assert moves[: -times + 1] == [frame for frame in first if frame.index >= (STILL + 6) * times]
    assert repeated == len(frames) - len(seen)


def test_nothing_waits_longer_than_for_the_next_picture() -> None:
    """A live ruling is not put off: hands that have left, or stand still, are told a picture later."""
    source: list[int] = []

    def coming() -> Iterator[Frame]:
        for frame in film([*moving(), *[picture(500)] * 10]):
            source.append(frame.index)
            yield frame

    for frame in without_repeats(coming(), Counters()):
        assert source[-1] - frame.index <= 1


@pytest.mark.parametrize(("codec", "pixels"), [("mjpeg", "yuvj420p"), ("libx264", "yuv420p")])
def test_a_film_of_doubled_pictures_shows_each_once(tmp_path: Path, codec: str, pixels: str) -> None:
    clip = [frame.gray for frame in single_poem("own", 3, 30, (640, 360), "tatami", cards_per_side=4)]
    pictures = [(17 * number, gray) for number, gray in enumerate(np.repeat(clip, 2, axis=0))]
    source = VideoSource(write_video(tmp_path / "video.mkv", pictures, codec, pixels=pixels))
    frames = list(source)
    assert source.counters.repeated > 0.1 * len(pictures)
    assert source.counters.repeated + source.counters.delivered == len(pictures)
    left_out = set(range(len(pictures))) - {frame.index for frame in frames}
    assert all(index % 2 for index in left_out), "only the second of two"
