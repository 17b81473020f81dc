"""Any source by its name: files of every kind, folders, lists, addresses, and what is none of them."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.sources.written_video import write_video
from vision.frames.frame import Gray
from vision.sources import source_address as opening
from vision.sources.picture_folder import PictureSource
from vision.sources.source import SourceError
from vision.sources.source_address import open_source, shown_address

STEPS_MS = [0, 4, 9, 13, 30, 34, 38, 75, 79, 83]  # a phone: 240 fps that now and then hesitates


def picture(number: int) -> Gray:
    gray = np.full((48, 64), 40, np.uint8)
    gray[8:24, 4 + 4 * number : 16 + 4 * number] = 210
    return gray


def times_ms(source: object) -> list[float]:
    return [frame.t_ns / 1e6 for frame in source]  # type: ignore[attr-defined]


def test_a_recordings_folder_is_its_video(tmp_path: Path) -> None:
    pictures = [(t_ms, picture(number)) for number, t_ms in enumerate(STEPS_MS)]
    write_video(tmp_path / "video.mkv", pictures, "mjpeg", pixels="yuvj420p")
    head = 'format = 1\ngame = "koikoi"\nvideo = "video.mkv"\n'
    (tmp_path / "recording.toml").write_text(head, "utf-8")
    assert times_ms(open_source(str(tmp_path))) == STEPS_MS
    (tmp_path / "recording.toml").write_text(head.replace("video.mkv", "gone.mkv"), "utf-8")
    with pytest.raises(SourceError, match=r"gone\.mkv is missing"):
        open_source(str(tmp_path))


def test_single_pictures_and_damaged_files(tmp_path: Path) -> None:
    for name in ("shot0.jpg", "shot2.jpg", "shot10.jpg", "shot9.png"):
        cv2.imwrite(str(tmp_path / name), picture(int(Path(name).stem[4:])))
    assert len(list(open_source(str(tmp_path / "shot0.jpg")))) == 1
    (tmp_path / "shot1.jpg").write_bytes(b"\xff\xd8 damaged")
    (tmp_path / "shot3.png").write_bytes(b"")
    source = open_source(str(tmp_path))
    assert len(list(source)) == 4
    assert source.counters.damaged == 2


@pytest.mark.parametrize(
    ("text", "kind", "named"),
    [
        ("0", "camera", 0),
        (" 12 ", "camera", 12),
        ("/dev/null", "camera", "/dev/null"),  # a character device, as cameras are
        ("http://table.local:8080/video", "mjpeg", "http://table.local:8080/video"),
        ("https://a.b/cam.cgi?x=1.mp4", "mjpeg", "https://a.b/cam.cgi?x=1.mp4"),
        ("http://a.b/live.m3u8?token=1", "stream", "http://a.b/live.m3u8?token=1"),
        ("rtsp://user:word@camera/1", "stream", "rtsp://user:word@camera/1"),
        ("srt://camera:9000", "stream", "srt://camera:9000"),
    ],
)
def test_every_name_finds_its_kind(
    text: str, kind: str, named: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[tuple[str, object]] = []
    monkeypatch.setattr(opening, "camera_source", lambda name, *_, **__: opened.append(("camera", name)))
    monkeypatch.setattr(opening, "mjpeg_source", lambda name, **_: opened.append(("mjpeg", name)))
    monkeypatch.setattr(opening, "stream_source", lambda name, **_: opened.append(("stream", name)))
    open_source(text)
    assert opened == [(kind, named)]


def test_what_is_no_source_says_what_was_expected(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="expected a camera's number"):
        open_source(str(tmp_path / "nothing"))
    with pytest.raises(SourceError, match="holds no pictures"):
        open_source(str(tmp_path))
    with pytest.raises(SourceError, match=r"pictures are missing: .*gone\.png"):
        PictureSource([tmp_path / "gone.png"])


def test_what_is_shown_of_a_source_holds_no_password() -> None:
    assert shown_address("rtsp://user:word@camera:554/1?a=b") == "rtsp://camera:554/1?a=b"
    for secret, shown in (
        (
            "http://camera/v.cgi?usr=admin&pwd=s%26e&resolution=32",
            "http://camera/v.cgi?usr=...&pwd=...&resolution=32",
        ),
        ("http://camera/video?Authorization=s;fps=30", "http://camera/video?Authorization=...;fps=30"),
        ("https://camera/a?api_key=s&access_token=s#s", "https://camera/a?api_key=...&access_token=..."),
        ("rtsp://camera:554/user=admin_password=s_e_channel=1.sdp?real", "rtsp://camera:554/user=...?real"),
        ("rtsp://a:s@camera/live?PASSWORD=s", "rtsp://camera/live?PASSWORD=..."),
    ):
        assert shown_address(secret) == shown
    assert shown_address("/dev/video0") == "/dev/video0"
    assert shown_address("films/[odd@name].mkv") == "films/[odd@name].mkv"
