"""Open a film or sound file, whatever its name says, without letting it open others."""

from pathlib import Path

import av
import av.container

_FORMATS = (
    "matroska", "mov", "avi", "mpegts", "mpeg", "asf", "flv", "ogg", "mxf", "dv",
    "mjpeg", "h264", "hevc", "mpegvideo", "m4v", "ivf", "obu",
    "wav", "w64", "aiff", "caf", "au", "amr", "mp3", "aac", "flac", "ac3", "eac3",
)  # fmt: skip
"""FFmpeg's names of the formats that keep everything in one file.

Playlists and descriptions (`hls`, `concat`, `dash`, `sdp`, ...) name other files and addresses, and FFmpeg
knows them by their content, whatever the file is called.
"""


class ForeignFormatError(OSError):
    """A file is in no format of films and sound that is opened here."""


def open_container(path: Path, metadata_errors: str = "replace") -> av.container.InputContainer:
    """Open a film or sound file.

    Raises ForeignFormatError if it is a playlist, a description of a stream, or in a rare format. Raises
    OSError, av.FFmpegError if it cannot be read.

    `path`: the file; it is never taken for an address. `metadata_errors`: how tags that are no text are
    decoded, as for `bytes.decode`.
    """
    options = {"format_whitelist": ",".join(_FORMATS), "protocol_whitelist": "file"}
    try:
        # without the prefix a name with a colon would be an address
        return av.open(f"file:{path}", options=options, metadata_errors=metadata_errors)
    except av.ArgumentError as error:  # what FFmpeg says of a format that is not in the list
        raise ForeignFormatError(error.errno, error.strerror, str(path)) from error
