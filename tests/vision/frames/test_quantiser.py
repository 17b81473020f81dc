"""How coarsely pictures were compressed is told by the decoder, and decides whether they prove anything."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from vision.frames.quantiser import POOR_PICTURES, Coarseness
from vision.sources.encoded_stream import Announced, Encoded, EncodedFeed, EncodedQueue
from vision.sources.video_file import VideoSource

MS = 1_000_000


def noisy(count: int) -> Iterator[av.VideoFrame]:
    """Return pictures of a camera's noise, 33 ms apart."""
    dice = np.random.default_rng(5)
    for number in range(count):
        gray = dice.integers(80, 170, (96, 128), np.uint8)
        frame = av.VideoFrame.from_ndarray(gray, format="gray").reformat(format="yuv420p")
        frame.pts, frame.time_base = number * 33, Fraction(1, 1000)
        yield frame


def film(path: Path, codec: str, options: dict[str, str], pixels: str = "yuv420p") -> VideoSource:
    with av.open(str(path), "w") as container:
        track: Any = container.add_stream(codec, rate=30, options=options)
        track.width, track.height, track.pix_fmt = 128, 96, pixels
        track.codec_context.time_base = track.time_base = Fraction(1, 1000)
        for frame in noisy(20):
            container.mux(track.encode(frame))
        container.mux(track.encode(None))
    source = VideoSource(path)
    assert len(list(source)) == 20
    return source


@pytest.mark.parametrize(("quantiser", "coarse"), [(22, False), (36, False), (39, True), (48, True)])
def test_a_film_is_too_coarse_by_its_quantiser(tmp_path: Path, quantiser: int, coarse: bool) -> None:
    source = film(tmp_path / "film.mkv", "libx264", {"qp": str(quantiser), "preset": "ultrafast"})
    assert source.coarseness.is_too_coarse() is coarse
    assert source.coarseness.is_too_coarse(0, 300 * MS) is coarse


def test_without_a_quantiser_the_bits_decide(tmp_path: Path) -> None:
    rich = film(tmp_path / "rich.webm", "libvpx", {"b": "4000000", "deadline": "realtime"})
    assert not rich.coarseness.is_too_coarse()
    poor = Coarseness("vp8")
    picture = next(noisy(1))
    for number in range(20):
        poor.note(picture, number * 33 * MS, packet_bytes=10)
    assert poor.is_too_coarse()


def test_pictures_that_stand_alone_are_never_too_coarse(tmp_path: Path) -> None:
    source = film(tmp_path / "film.avi", "mjpeg", {"qmin": "31", "qmax": "31"}, "yuvj420p")
    assert not source.coarseness.is_too_coarse()


def test_only_the_part_that_is_asked_for_counts() -> None:
    follows = Coarseness("h264")
    follows._told = [(0, 20.0), (100, 22.0), (1000, 45.0), (1100, 46.0)]
    follows._pictures = 4
    assert not follows.is_too_coarse(0, 500)
    assert follows.is_too_coarse(900, 1500)


@pytest.mark.parametrize(("quantiser", "doubt"), [("24", None), ("46", POOR_PICTURES)])
def test_a_live_stream_says_of_each_picture_that_it_proves_nothing(quantiser: str, doubt: str | None) -> None:
    context: Any = av.CodecContext.create("libx264", "w")
    context.width, context.height, context.pix_fmt = 128, 96, "yuv420p"
    context.time_base, context.options = Fraction(1, 1000), {"tune": "zerolatency", "qp": quantiser}
    queue = EncodedQueue()
    queue.announce(Announced("h264", 128, 96, 30.0))
    for number, frame in enumerate(noisy(3), start=1):
        for packet in context.encode(frame):
            queue.put(Encoded(bytes(packet), packet.is_keyframe, number * MS, 1, number * MS))
    feed = EncodedFeed(queue, "a phone")
    assert [feed.read().doubt for _ in range(3)] == [doubt] * 3
