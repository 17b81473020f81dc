"""No picture is lost over how a container counts time, and none is shown at another's instant."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from tests.vision.sources.written_video import edited, write_video
from vision.frames.frame import Gray
from vision.sources.instants import Instants, cuts_ns
from vision.sources.source import SourceError
from vision.sources.video_file import VideoError, VideoSource

COUNT, RATE = 40, 60


def picture(number: int) -> Gray:
    """Return a picture that moves only later: an encoder has nothing to put in another order before."""
    gray = np.full((48, 64), 40, np.uint8)
    at = 0 if number < 12 else 2 * ((7 * number) % 20)
    gray[8:40, at : at + 12] = 210
    return gray


def film(path: Path, codec: str = "libx264", stamps: list[int] | None = None) -> Path:
    """Write a film with B-frames, picture by picture at `stamps` sixtieths of a second."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=RATE)
        assert isinstance(stream, av.VideoStream)
        stream.height, stream.width, stream.pix_fmt = 48, 64, "yuv420p"
        stream.codec_context.time_base = Fraction(1, RATE)
        stream.codec_context.max_b_frames = 3
        stream.codec_context.gop_size = 30
        for number in range(COUNT):
            frame = av.VideoFrame.from_ndarray(picture(number), format="gray").reformat(format="yuv420p")
            frame.pts = number if stamps is None else stamps[number]
            frame.time_base = Fraction(1, RATE)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return path


def copied(path: Path, to: Path, stamps: Sequence[tuple[int, int]] | None = None) -> Path:
    """Copy packets into another container, with these stamps (PTS, DTS) in its own ticks."""
    with av.open(str(path)) as source, av.open(str(to), "w") as target:
        stream = target.add_stream_from_template(source.streams.video[0])
        packets = [packet for packet in source.demux(source.streams.video[0]) if packet.size]
        for number, packet in enumerate(packets):
            if stamps is not None:
                packet.pts, packet.dts = stamps[number]
            packet.stream = stream
            target.mux(packet)
    return to


def shows_all(path: Path, begins: int = 0) -> None:
    """Check that a film shows every picture, each at its own instant."""
    source = VideoSource(path)
    frames = list(source)
    assert [round(frame.t_ns * RATE / 1e9) for frame in frames] == list(range(begins, begins + COUNT))
    assert source.counters.untimed == source.counters.damaged == 0
    for number, frame in enumerate(frames):
        assert ((frame.gray > 120) == (picture(number) > 120)).mean() > 0.97, number


@pytest.mark.parametrize("codec", ["libx264", "mpeg4"])
@pytest.mark.parametrize("ending", ["mp4", "mkv", "avi", "mov"])
def test_every_picture_has_its_own_instant(tmp_path: Path, codec: str, ending: str) -> None:
    shows_all(film(tmp_path / f"film.{ending}", codec))


def test_a_film_that_tells_only_when_it_is_decoded_is_shown_in_order(tmp_path: Path) -> None:
    """MOV without the table that says by how much pictures are shown later, as copied out of an AVI."""
    plain = film(tmp_path / "film.mp4")
    told = [(256 * number, 256 * number) for number in range(COUNT)]
    shows_all(copied(plain, tmp_path / "told.mov", told))


def test_bare_pictures_have_no_times(tmp_path: Path) -> None:
    for name in ("film.h264", "film.mjpeg"):
        codec = "mjpeg" if name.endswith("mjpeg") else "libx264"
        with av.open(str(tmp_path / name), "w") as container:
            stream = container.add_stream(codec, rate=RATE)
            assert isinstance(stream, av.VideoStream)
            stream.height, stream.width = 48, 64
            stream.pix_fmt = "yuvj420p" if codec == "mjpeg" else "yuv420p"
            for number in range(5):
                frame = av.VideoFrame.from_ndarray(picture(number), format="gray").reformat(
                    format=stream.pix_fmt
                )
                container.mux(stream.encode(frame))
            container.mux(stream.encode())
        with pytest.raises(VideoError, match=f"{name} holds bare pictures and no times"):
            VideoSource(tmp_path / name)


def test_a_film_whose_times_repeat_is_refused(tmp_path: Path) -> None:
    with av.open(str(tmp_path / "pairs.mkv"), "w") as container:
        stream = container.add_stream("mjpeg", rate=RATE)
        assert isinstance(stream, av.VideoStream)
        stream.height, stream.width, stream.pix_fmt = 48, 64, "yuvj420p"
        container.start_encoding()
        for number in range(COUNT):
            packet = av.Packet(cv2.imencode(".jpg", picture(number))[1].tobytes())
            packet.pts = packet.dts = 34 * (number // 2)
            packet.time_base, packet.stream = Fraction(1, 1000), stream
            container.mux(packet)
    with pytest.raises(VideoError, match=r"times of .*pairs\.mkv repeat or jump back, 40 pictures"):
        VideoSource(tmp_path / "pairs.mkv")


@pytest.mark.parametrize("codec", ["libx264", "mpeg2video"])
def test_films_that_were_joined_as_they_were_are_refused(tmp_path: Path, codec: str) -> None:
    """The second one's clock begins anew: nobody knows how much lies between them."""
    part = copied(film(tmp_path / "film.mp4", codec), tmp_path / "part.ts").read_bytes()
    (tmp_path / "joined.ts").write_bytes(part + part)
    with pytest.raises(VideoError, match=r"joined\.ts repeat or jump back"):
        list(VideoSource(tmp_path / "joined.ts"))


MEDIA_HZ = 16000


def film_of_film_cuts(path: Path, codec: str) -> Path:
    """Write three seconds that grow brighter."""
    grays = [np.full((48, 64), 20 + 2 * number, np.uint8) for number in range(90)]
    pictures = [(round(1000 * number / 30), gray) for number, gray in enumerate(grays)]
    return write_video(path, pictures, codec, pixels="yuvj420p" if codec == "mjpeg" else "yuv420p")


@pytest.fixture(
    params=[("film_of_film_cuts.mp4", "libx264"), ("film_of_film_cuts.mov", "mjpeg")], ids=["H.264", "JPEG"]
)
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return film_of_film_cuts(tmp_path / request.param[0], request.param[1])


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


@pytest.mark.parametrize("wrong", ["damaged", "missing", "jump"])
def test_stamps_of_decoding_are_no_use_where_packets_are_lost(wrong: str) -> None:
    instants = Instants[int](of_decoding=True)

    def play() -> None:
        for at in range(60):
            late = 3 if wrong == "missing" and at > 10 else -at if wrong == "jump" and at == 10 else 0
            instants.feed(at, at + late)
            instants.show(at, at)
            if wrong == "damaged" and at == 10:
                instants.lose()

    with pytest.raises(SourceError, match="tells when its pictures are decoded"):
        play()
