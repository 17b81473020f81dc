"""Video files as frames: true times, gray pictures, the camera's bytes, and clear words for bad files."""

from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from tests.vision.sources.written_video import write_video
from vision.frames.frame import Gray
from vision.sources.video_file import VideoError, VideoSource

TIMES_MS = [0, 33, 67, 100, 250, 267]  # a gap, and steps that no constant frame rate explains


def picture(number: int, height: int = 48, width: int = 64) -> Gray:
    gray = np.full((height, width), 40, np.uint8)
    gray[8:24, 8 + 4 * number : 24 + 4 * number] = 200
    return gray


def film(path: Path, codec: str, pixels: str = "yuv420p") -> Path:
    pictures = [(t_ms, picture(number)) for number, t_ms in enumerate(TIMES_MS)]
    return write_video(path, pictures, codec, pixels=pixels)


def test_stretched_slow_motion_is_timed_as_it_was_filmed(tmp_path: Path) -> None:
    """240 pictures a second, played as 30: without being told a touch would last eight times as long."""
    path = film(tmp_path / "video.mkv", "mjpeg", pixels="yuvj420p")
    told, untold = VideoSource(path, filmed_fps=240.0), VideoSource(path)
    assert told.slow_motion == pytest.approx(8, rel=0.02)  # the file counts in whole milliseconds
    for slow, fast in zip(untold, told, strict=True):
        assert fast.t_ns == pytest.approx(slow.t_ns / told.slow_motion, abs=1e3)
    assert VideoSource(path, filmed_fps=30.0).slow_motion == 1.0


@pytest.mark.parametrize(("codec", "pixels"), [("mjpeg", "yuvj420p"), ("libx264", "yuv420p")])
def test_frames_carry_the_containers_time_and_the_pictures_gray(
    tmp_path: Path, codec: str, pixels: str
) -> None:
    source = VideoSource(film(tmp_path / "video.mkv", codec, pixels=pixels))
    frames = list(source)
    assert (source.width, source.height) == (64, 48)
    assert [frame.t_ns for frame in frames] == [t_ms * 1_000_000 for t_ms in TIMES_MS]
    assert {frame.t_unc_ns for frame in frames} == {500_000}
    assert [frame.index for frame in frames] == list(range(len(TIMES_MS)))
    for number, frame in enumerate(frames):
        assert frame.gray.shape == (48, 64)
        assert frame.gray.dtype == np.uint8
        bright = frame.gray > 120
        assert (bright == (picture(number) > 120)).mean() > 0.97


def test_damaged_frames_are_counted_and_left_out(tmp_path: Path) -> None:
    path = film(tmp_path / "video.mkv", "mjpeg", pixels="yuvj420p")
    data = path.read_bytes()
    third = data.index(b"\xff\xd8", data.index(b"\xff\xd8", data.index(b"\xff\xd8") + 2) + 2)
    path.write_bytes(data[:third] + b"\x00\x00" + data[third + 2 :])
    source = VideoSource(path)
    assert [frame.t_ns // 1_000_000 for frame in source] == [0, 33, 100, 250, 267]
    assert source.counters.damaged == 1


def test_what_a_decoder_paints_over_damage_is_no_picture(tmp_path: Path) -> None:
    """It looks like the field, with hands where there are none, and another one each time."""
    whole, torn = film(tmp_path / "whole.mkv", "libx264"), tmp_path / "torn.mkv"
    with av.open(str(whole)) as source, av.open(str(torn), "w") as target:
        stream = target.add_stream_from_template(source.streams.video[0])
        packets = [packet for packet in source.demux(source.streams.video[0]) if packet.size]
        for number, packet in enumerate(packets):
            data = bytes(packet)
            if number == 2:  # its slice ends in nonsense
                data = data[: len(data) // 2] + b"\xff" * (len(data) - len(data) // 2)
            copied = av.Packet(data)
            copied.pts, copied.dts, copied.time_base = packet.pts, packet.dts, packet.time_base
            copied.is_keyframe, copied.stream = packet.is_keyframe, stream
            target.mux(copied)
    sound = list(VideoSource(whole))
    played = VideoSource(torn)
    seen = {frame.t_ns: frame.gray for frame in played}
    assert 0 < len(seen) < len(sound)
    assert played.counters.damaged == len(sound) - len(seen)
    for frame in sound:
        if frame.t_ns in seen:
            np.testing.assert_array_equal(seen[frame.t_ns], frame.gray)


@pytest.mark.parametrize(("codec", "pixels"), [("mjpeg", "yuvj420p"), ("libx264", "yuv420p")])
def test_pictures_are_shown_with_square_pixels(tmp_path: Path, codec: str, pixels: str) -> None:
    pictures = [(t_ms, picture(number)) for number, t_ms in enumerate(TIMES_MS)]
    path = write_video(tmp_path / "video.mkv", pictures, codec, pixels=pixels, aspect=Fraction(4, 3))
    source = VideoSource(path)
    source.glances = True
    frame = next(iter(source))
    assert (source.width, source.height) == (85, 48)
    assert frame.gray.shape == frame.colour().shape[:2] == (48, 85)
    bright = np.flatnonzero((frame.gray > 120).any(axis=0))
    assert (bright[0], bright[-1]) == pytest.approx((8 * 4 / 3, 24 * 4 / 3 - 1), abs=1)
    assert frame.jpeg is None


def test_what_is_not_a_video_is_named(tmp_path: Path) -> None:
    with pytest.raises(VideoError, match=r"nowhere\.mkv does not exist"):
        VideoSource(tmp_path / "nowhere.mkv")
    (tmp_path / "text.mkv").write_text("not a video", encoding="utf-8")
    with pytest.raises(VideoError, match=r"text\.mkv cannot be opened as a video"):
        VideoSource(tmp_path / "text.mkv")
    (tmp_path / "empty.mkv").write_bytes(b"")
    with pytest.raises(VideoError, match=r"empty\.mkv is empty"):
        VideoSource(tmp_path / "empty.mkv")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("playlist.mkv", "ffconcat version 1.0\nfile whole.mkv\n"),
        ("playlist.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nwhole.ts\n#EXT-X-ENDLIST\n"),
        (
            "session.sdp",
            "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 9 RTP/AVP 26\n",
        ),
    ],
)
def test_what_names_other_files_is_no_film_whatever_it_is_called(
    tmp_path: Path, name: str, text: str
) -> None:
    for whole in ("whole.mkv", "whole.ts"):
        film(tmp_path / whole, "libx264")
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(VideoError, match=f"{name} is in no format of films that is opened here"):
        VideoSource(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "codec", "pixels"),
    [
        ("film.mkv", "libx264", "yuv420p"),
        ("film.mp4", "libx264", "yuv420p"),
        ("film.avi", "mjpeg", "yuvj420p"),
    ],
)
def test_a_film_that_is_wound_on_shows_the_same_pictures_at_the_same_instants(
    tmp_path: Path, name: str, codec: str, pixels: str
) -> None:
    pictures = [(100 * number, picture(number % 8)) for number in range(60)]
    source = VideoSource(write_video(tmp_path / name, pictures, codec, pixels=pixels))
    whole = {frame.t_ns: frame.gray for frame in source}
    for from_ns in (1, 2_950_000_000, 5_800_000_000, 9_000_000_000):
        source.starts_ns = from_ns
        shown = {frame.t_ns: frame.gray for frame in source}
        assert shown.keys() == {t_ns for t_ns in whole if t_ns >= from_ns}
        assert all((shown[t_ns] == whole[t_ns]).all() for t_ns in shown)
    source.starts_ns = 0
    assert len(list(source)) == len(whole)


def test_a_codec_that_is_not_known_is_named(tmp_path: Path) -> None:
    whole = film(tmp_path / "video.mkv", "mjpeg", pixels="yuvj420p").read_bytes()
    assert b"V_MJPEG" in whole
    (tmp_path / "new.mkv").write_bytes(whole.replace(b"V_MJPEG", b"V_OTHER"))
    with pytest.raises(VideoError, match=r"new\.mkv is written in a codec that is not known here"):
        VideoSource(tmp_path / "new.mkv")
