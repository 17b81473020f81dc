"""Network cameras as they are: a real HTTP server, a real RTSP session, and what goes wrong on the way."""

import io
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.facts import Gap
from tests.vision.sources.http_camera import BOUNDARY, Part, Script, at_rate, http_camera
from tests.vision.sources.written_video import write_video
from vision.frames.frame import Frame
from vision.sources import live_source as live
from vision.sources.network.mjpeg_http import MultipartReader, mjpeg_source, without_password
from vision.sources.source import SourceError
from vision.sources.source_address import open_source

pytestmark = pytest.mark.live

SYSTEM_PYTHON = Path("/usr/bin/python3")  # GStreamer's bindings belong to the system, not to this environment


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "STALL_S", 0.1)
    monkeypatch.setattr(live, "RETRY_S", 0.02)


def jpeg(level: int, width: int = 64) -> bytes:
    return cv2.imencode(".jpg", np.full((48, width), level, np.uint8))[1].tobytes()


def collect(url: str, frames: int) -> tuple[list[Frame], list[Gap], object]:
    seen: list[Frame] = []
    gaps: list[Gap] = []
    with mjpeg_source(url, give_up_s=2.0) as source:
        for item in source:
            if isinstance(item, Gap):
                gaps.append(item)
                continue
            seen.append(item)
            if len(seen) == frames:
                return seen, gaps, source
    raise AssertionError("the source ended early")


@pytest.mark.parametrize("with_length", [True, False])
def test_every_picture_keeps_its_own_bytes(with_length: bool) -> None:
    jpegs = [jpeg(20 + number) for number in range(30)]
    with http_camera(Script([at_rate(jpegs, 120)], with_length)) as url:
        frames, gaps, _ = collect(url, 29)  # the last part without a length ends with the next boundary
    assert [frame.jpeg for frame in frames] == jpegs[:29]
    assert [round(float(frame.gray.mean())) for frame in frames] == list(range(20, 49))
    assert "camera_lost" not in {gap.reason for gap in gaps}


def test_a_broken_connection_is_told_and_opened_again() -> None:
    first = [*at_rate([jpeg(1)] * 5, 100), Part(0.05, None)]
    second = at_rate([jpeg(2)] * 6, 100, begin_s=0.3)  # the last one keeps the connection open
    with http_camera(Script([first, second])) as url:
        frames, gaps, source = collect(url, 10)
    assert [round(float(frame.gray.mean())) for frame in frames] == [1] * 5 + [2] * 5
    assert {gap.reason for gap in gaps} <= {"camera_lost", "camera_stalled"}
    whole = gaps[-1]
    assert (whole.t_from_ns, whole.t_to_ns) == (frames[4].t_ns, frames[5].t_ns)
    assert whole.reason == "camera_lost"
    assert len(gaps) >= 2  # told at once, and as a whole
    assert source.counters.lost >= 1  # type: ignore[attr-defined]


def test_what_is_no_camera_is_named() -> None:
    with (
        http_camera(Script([[]], status=401)) as url,
        pytest.raises(SourceError, match="the camera answered 401 Unauthorized"),
    ):
        mjpeg_source(url)
    with (
        http_camera(Script([[]], content_type="text/html")) as url,
        pytest.raises(SourceError, match="sends text/html, not a stream of pictures"),
    ):
        mjpeg_source(url)
    with pytest.raises(SourceError, match=r"127\.0\.0\.1:9/video cannot be opened: nobody answers"):
        mjpeg_source("http://127.0.0.1:9/video")


def test_a_password_is_sent_and_never_shown() -> None:
    script = Script([at_rate([jpeg(1)] * 3, 100)])
    with http_camera(script) as url:
        secret = url.replace("http://", "http://judge:s%40crets@")
        with mjpeg_source(secret) as source:
            assert isinstance(next(iter(source)), Frame)
            assert source.name == url
    assert script.authorization == "Basic anVkZ2U6c0BjcmV0cw=="
    assert without_password("rtsp://a:b@host/x?y=1") == "rtsp://host/x?y=1"


def test_a_password_follows_a_redirect_to_no_other_host() -> None:
    there, here = Script([at_rate([jpeg(1)] * 3, 100)]), Script([at_rate([jpeg(1)] * 3, 100)])
    with http_camera(there) as other, http_camera(here) as own:
        for target, seen in ((other, None), (own, "Basic anVkZ2U6czpjcmV0cw==")):
            here.moved_to = target
            with mjpeg_source(own.replace("http://", "http://judge:s%3Acrets@") + "?moved") as source:
                assert isinstance(next(iter(source)), Frame)
            script = there if target == other else here
            assert script.authorization == seen


class Drip(io.RawIOBase):
    """A body that comes a few bytes at a time."""

    def __init__(self, content: bytes, size: int) -> None:
        self.content, self.size = content, size

    def read1(self, _: int, /) -> bytes:
        chunk, self.content = self.content[: self.size], self.content[self.size :]
        return chunk


@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize("newline", [b"\r\n", b"\n"])
@pytest.mark.parametrize("named", [BOUNDARY, f"--{BOUNDARY}", f'"{BOUNDARY}"'])
def test_parts_are_told_apart_however_they_come(size: int, newline: bytes, named: str) -> None:
    pictures = [b"\xff\xd8 one \r\n\n-- \xff\xd9", b"\xff\xd8 two \xff\xd9", b"\xff\xd8 three \xff\xd9"]
    mark = b"--" + BOUNDARY.encode()
    body = b"preamble"
    for number, picture in enumerate(pictures):
        length = b"" if number == 1 else b"Content-Length: %d" % len(picture) + newline
        body += newline.join([b"", mark, length + b"X-A: b", b"", picture])
    reader = MultipartReader(Drip(body + newline + mark + b"--", size), named, lambda: 5)
    for picture in pictures:
        header, content, arrived_ns = reader.part()
        assert (content, header["x-a"], arrived_ns) == (picture, "b", 5)
    with pytest.raises(EOFError):
        reader.part()


def test_an_absurd_length_is_refused() -> None:
    body = f"--{BOUNDARY}\r\nContent-Length: 99999999999\r\n\r\n".encode()
    with pytest.raises(ValueError, match="99999999999 bytes was announced"):
        MultipartReader(Drip(body, 99), BOUNDARY, lambda: 0).part()


# --- RTSP ------------------------------------------------------------------------------------------------


@pytest.fixture
def video(tmp_path: Path) -> Path:
    """Two seconds of a square that moves, H.264 with a key frame every 10."""
    grays = np.full((90, 120, 160), 60, np.uint8)
    for number, gray in enumerate(grays):
        gray[40:80, number : number + 40] = 200
    pictures = [(round(1000 * number / 30), gray) for number, gray in enumerate(grays)]
    return write_video(tmp_path / "square.mp4", pictures, "libx264", encoder={"g": "10", "bf": "0"})


@contextmanager
def rtsp_server(video: Path) -> Iterator[str]:
    """Run GStreamer's RTSP server in the system's Python; skip where Debian's packages are missing."""
    if not SYSTEM_PYTHON.exists():
        pytest.skip(f"needs {SYSTEM_PYTHON} with python3-gi for GStreamer's RTSP server")
    command = [SYSTEM_PYTHON, Path(__file__).with_name("rtsp_server.py"), video]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        assert server.stderr is not None
        url = server.stdout.readline().strip()
        if not url:
            pytest.skip(
                f"{server.stderr.read().strip()} (apt-get install gir1.2-gst-rtsp-server-1.0 python3-gi "
                "gstreamer1.0-plugins-good)"
            )
        try:
            yield url
        finally:
            server.kill()


def test_a_real_rtsp_server(video: Path) -> None:
    """GStreamer's own server, with session descriptions and sender reports as cameras send them."""
    with rtsp_server(video) as url, open_source(url, give_up_s=5.0) as source:
        frames = []
        for item in source:
            if isinstance(item, Frame):
                frames.append(item)
            if len(frames) == 60:
                break
    assert frames[0].gray.shape == (120, 160)
    steps_ms = np.diff([frame.t_ns for frame in frames[35:]]) / 1e6
    # the sender's clock; it is laid onto ours anew when a frame comes sooner than any before
    assert (np.abs(steps_ms - 1000 / 30) < 2.0).mean() > 0.9
    assert all(frame.t_unc_ns > 0 for frame in frames)
    square_px = [int(np.argmax(frame.gray[60] > 130)) for frame in frames]
    assert np.all(np.diff(square_px) == 1), "every frame came, and in order"


def test_nobody_answers_at_an_rtsp_address() -> None:
    for address in ("rtsp://judge:secret@127.0.0.1:9/x", "http://judge:secret@127.0.0.1:9/x.m3u8"):
        with pytest.raises(SourceError, match=r"127\.0\.0\.1:9/x.* cannot be opened") as told:
            open_source(address)
        assert "secret" not in str(told.value)
