"""Pictures that a camera encodes itself: decoded with their own instants, or dropped."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import av
import numpy as np
import pytest

from referee.facts import Gap
from vision.frames.frame import Frame
from vision.sources.live_source import LiveSource
from vision.sources.network.encoded_stream import Announced, Encoded, EncodedFeed, EncodedQueue
from vision.sources.source import SourceError

MS = 1_000_000
HELLO = Announced("h264", 64, 48, 30.0)


def at_ns(number: int) -> int:
    """Return when a picture was taken."""
    return (1000 + 33 * number) * MS


def encoded(count: int, whole_every: int = 1000, size: tuple[int, int] = (64, 48)) -> Iterator[Encoded]:
    """Encode pictures of which each is brighter than the one before, 33 ms apart."""
    context: Any = av.CodecContext.create("libx264", "w")
    context.width, context.height = size
    context.pix_fmt, context.time_base = "yuv420p", Fraction(1, 1000)
    context.options = {"tune": "zerolatency", "g": str(whole_every), "preset": "ultrafast"}
    for number in range(count):
        gray = np.full((size[1], size[0]), 40 + 10 * (number % 20), np.uint8)
        frame = av.VideoFrame.from_ndarray(gray, format="gray").reformat(format="yuv420p")
        frame.pts = number * 33
        for packet in context.encode(frame):
            t_ns = at_ns(number)
            yield Encoded(bytes(packet), packet.is_keyframe, t_ns, 2 * MS, t_ns + 80 * MS)


def test_each_picture_keeps_its_instant_and_its_uncertainty() -> None:
    queue = EncodedQueue()
    queue.announce(HELLO)
    assert all(queue.put(picture) for picture in encoded(6))
    feed = EncodedFeed(queue, "a phone")
    shots = [feed.read() for _ in range(6)]
    assert [shot.sent_ns for shot in shots] == [at_ns(number) for number in range(6)]
    brightness = [float(np.asarray(shot.picture).mean()) for shot in shots]
    assert np.diff(brightness) == pytest.approx(10 * 219 / 255, abs=1.5), "each picture has its own instant"
    assert {shot.sent_unc_ns for shot in shots} == {2 * MS}
    assert (feed.format.width, feed.format.fps, feed.format.fourcc) == (64, 30.0, "h264")


def test_a_phone_held_upright_is_turned() -> None:
    queue = EncodedQueue()
    queue.announce(Announced("h264", 64, 48, 30.0, turned_deg=90))
    queue.put(next(encoded(1)))
    feed = EncodedFeed(queue, "a phone")
    shot = feed.read()
    assert isinstance(shot.picture, np.ndarray)
    assert shot.picture.shape == (64, 48)
    assert (feed.format.width, feed.format.height) == (48, 64)


def test_a_slow_desk_drops_up_to_the_next_whole_picture_and_says_so() -> None:
    queue = EncodedQueue()
    queue.announce(HELLO)
    taken = [queue.put(picture) for picture in encoded(130, whole_every=100)]
    assert taken == [True] * 89 + [False] * 41, "the announcement waits with them"
    assert queue.wants_whole
    assert queue.dropped == 41


def test_damage_is_left_out_with_all_that_builds_on_it() -> None:
    queue = EncodedQueue()
    queue.announce(HELLO)
    pictures = list(encoded(8, whole_every=5))
    for number, picture in enumerate(pictures):
        broken = Encoded(b"\0\0\0\1\x65garbage", picture.is_whole, picture.t_ns, 1, picture.arrived_ns)
        queue.put(broken if number == 2 else picture)
    feed = EncodedFeed(queue, "a phone")
    instants = [feed.read().sent_ns for _ in range(5)]
    assert instants == [at_ns(number) for number in (0, 1, 5, 6, 7)]


@pytest.mark.live
def test_a_break_becomes_a_gap_and_late_pictures_keep_their_times() -> None:
    queues = [EncodedQueue(), EncodedQueue()]
    parts = list(encoded(10)), list(encoded(40, whole_every=30))[30:]
    for queue, pictures in zip(queues, parts, strict=True):
        queue.announce(HELLO)
        for picture in pictures:
            queue.put(picture)
        queue.end("the phone went away")
    waiting = list(queues)

    def connect() -> EncodedFeed:
        if not waiting:
            raise SourceError("no phone")
        return EncodedFeed(waiting.pop(0), "a phone")

    source = LiveSource("a phone", connect)
    items: list[Frame | Gap] = []
    for item in source:
        items.append(item)
        if len([each for each in items if isinstance(each, Frame)]) == 20:
            source.close()
    frames = [item for item in items if isinstance(item, Frame)]
    assert [frame.t_ns for frame in frames] == [at_ns(number) for number in (*range(10), *range(30, 40))]
    gaps = [item for item in items if isinstance(item, Gap) and item.t_to_ns == frames[10].t_ns]
    assert [(gap.reason, gap.t_from_ns) for gap in gaps] == [("camera_lost", frames[9].t_ns)]
    assert all(frame.t_unc_ns >= 2 * MS for frame in frames)


def test_a_picture_that_is_larger_than_a_phone_may_announce_is_dropped_undecoded() -> None:
    """100 kB can hold 38 million pixels, of which a decoder would keep 17 pictures."""
    queue = EncodedQueue()
    queue.announce(HELLO)
    queue.put(next(encoded(1, size=(8192, 4608))))
    queue.announce(HELLO)
    queue.put(next(encoded(1)))
    shot = EncodedFeed(queue, "a phone").read()
    assert isinstance(shot.picture, np.ndarray)
    assert shot.picture.shape == (48, 64)
    assert queue.dropped == 0
