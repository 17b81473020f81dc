"""One way to name any source: a camera's number, a device, a video, a folder, a list of files, an address."""

from pathlib import Path
from typing import Any

from referee.complaint import sentence_of
from referee.sentence import Sentence
from vision.recordings.recording import HEAD, RecordingError, load_recording
from vision.sources.camera import camera_source
from vision.sources.network.mjpeg_http import mjpeg_source, shown_url
from vision.sources.network.network_stream import stream_source
from vision.sources.picture_folder import SUFFIXES, PictureSource, is_picture, matching
from vision.sources.source import CameraWish, Source, SourceError
from vision.sources.video_file import VideoSource

EXPECTED = Sentence(
    "a camera's number (0), a device (/dev/video0), a video file, a recording, a folder or pattern of "
    "pictures, or an address (http://..., rtsp://...)"
)
_HTTP = ("http://", "https://")
_VIDEO_ENDINGS = (".m3u8", ".mp4", ".m4v", ".mov", ".mkv", ".avi", ".webm", ".ts")


def name_of(text: str) -> str:
    """Return the name that `open_source` gives a live source: a camera's, or an address."""
    name = text.strip()
    return shown_address(name) if "://" in name else f"camera {name}"


def shown_address(text: str) -> str:
    """Return a source's name as it may be shown and logged: an address without what lets people in."""
    return shown_url(text) if "://" in text else text


def open_source(text: str, wish: CameraWish | None = None, **options: Any) -> Source:
    """Open the source that `text` names.

    Raises SourceError if there is no such source or it cannot be opened; the text says what was expected.

    `text`: a camera's number, a device, a file, a folder, a pattern such as `shots/*.jpg` or
    `shots/%04d.png`, or an address. `options`: those of `LiveSource`, for cameras and streams; recorded
    sources have none.
    """
    name = text.strip()
    if name.isdecimal():
        return camera_source(int(name), wish, **options)
    if name.startswith(_HTTP) and not name.lower().partition("?")[0].endswith(_VIDEO_ENDINGS):
        return mjpeg_source(name, **options)
    if "://" in name:
        return stream_source(name, **options)
    path = Path(name).expanduser()
    if path.is_char_device():
        return camera_source(name, wish, **options)
    if (path / HEAD).is_file():
        try:
            recording = load_recording(path)
            return VideoSource(recording.video, recording.filmed_fps)
        except RecordingError as error:
            raise SourceError(sentence_of(error)) from error
    if path.is_dir():
        return PictureSource(path)
    if path.is_file():
        return PictureSource([path]) if path.suffix.lower() in SUFFIXES else VideoSource(path)
    matches = matching(str(path))
    if pictures := [match for match in matches if is_picture(match)]:
        return PictureSource(pictures)
    if len(matches) == 1:
        return VideoSource(matches[0])
    if matches:
        raise SourceError(
            "{text!r} names {matches} files, none of them a picture: name one film",
            text=text,
            matches=len(matches),
        )
    raise SourceError("no source {text!r}: expected {expected}", text=text, expected=EXPECTED)
