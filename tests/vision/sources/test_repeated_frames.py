"""Pictures that show the one before once more are left out; whatever really moved or rested stays."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from referee.facts import Gap
from tests.vision.sources.written_video import write_video
from vision.frames.frame import Frame, Gray
from vision.simulator.hall.clip import single_poem
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


def test_a_single_picture_that_fills_a_hole_is_left_out() -> None:
    grays = moving()
    grays[14] = grays[13]
    frames = film(grays)
    seen, repeated = passed(frames)
    assert seen == frames[:14] + frames[15:]
    assert repeated == 1


def rests_for_a_while() -> list[Gray]:
    """A hand that sweeps in, presses for 40 ms, and goes on."""
    way = [*range(0, 200, 20), *[200] * 5, *range(200, 420, 20)]
    return [picture(place) for place in way]


def turns_back() -> list[Gray]:
    """A hand as it turns: two pictures on either side of that moment are alike."""
    way = [300 - 8 * (number - 9.5) ** 2 for number in range(20)]
    return [picture(place) for place in way]


def flickers() -> list[Gray]:
    """Lamps whose light is the same on either side of its peak, on a field at rest."""
    return [picture(200, 1 + 0.1 * np.cos(np.pi * (number - 0.5) / 4)) for number in range(24)]


def creeps() -> list[Gray]:
    return [picture(100 + number // 2) for number in range(40)]


@pytest.mark.parametrize("drawn", [moving, rests_for_a_while, turns_back, flickers, creeps])
def test_what_a_camera_saw_is_passed_on(drawn: Callable[[], list[Gray]]) -> None:
    frames = film(drawn())
    assert passed(frames) == (frames, 0)


def test_gaps_and_pictures_of_another_size_are_passed_on_in_their_order() -> None:
    frames = film(moving())
    again = Frame(frames[12].gray, frames[12].t_ns + 1_000_000, 1_000, 13)
    gap = Gap(again.t_ns, again.t_ns + 1, "camera_stalled")
    small = Frame(frames[13].gray[::2, ::2], frames[13].t_ns, 1_000, 14)
    items: list[Frame | Gap] = [*frames[:13], again, gap, *frames[13:16], small, *frames[16:]]
    assert passed(items) == (items, 0)


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
