"""The decoder reports how coarsely pictures were compressed, which decides whether they prove anything."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from vision.frames.quantiser import LATEST, POOR_PICTURES, Coarseness
from vision.sources.network.encoded_stream import Announced, Encoded, EncodedFeed, EncodedQueue
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


def test_what_vp9_counts_on_a_scale_of_its_own_is_no_quantiser(tmp_path: Path) -> None:
    quality = {"crf": "20", "b": "0", "deadline": "realtime", "cpu-used": "8"}  # near 80 of its 255
    assert not film(tmp_path / "film.webm", "libvpx-vp9", quality).coarseness.is_too_coarse()


def noted(follows: Coarseness, packets: list[int]) -> Coarseness:
    """Note pictures of so many bytes, 33 ms apart."""
    picture = next(noisy(1))
    for number, size in enumerate(packets):
        follows.note(picture, number * 33 * MS, packet_bytes=size)
    return follows


@pytest.mark.parametrize("codec", ["vp8", "hevc", "vp9", "av1", "theora"])
def test_without_a_quantiser_the_bits_decide(codec: str) -> None:
    assert noted(Coarseness(codec), [10] * 20).is_too_coarse()
    assert not noted(Coarseness(codec), [2000] * 20).is_too_coarse()


def test_a_stream_that_becomes_poor_is_too_coarse_whatever_came_before() -> None:
    follows = noted(Coarseness("vp8", LATEST), [2000] * 1200)
    assert not follows.is_too_coarse()
    assert noted(follows, [10] * 600).is_too_coarse()


@pytest.mark.parametrize(("codec", "options"), [("mjpeg", {"qmin": "31", "qmax": "31"}), ("ffv1", {})])
def test_pictures_that_are_kept_whole_are_never_too_coarse(
    tmp_path: Path, codec: str, options: dict[str, str]
) -> None:
    source = film(tmp_path / "film.avi", codec, options, "yuvj420p" if codec == "mjpeg" else "yuv420p")
    assert not source.coarseness.is_too_coarse()


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
