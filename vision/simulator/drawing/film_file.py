"""Write simulated pictures into a film, each at its own instant."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Final, Literal

import numpy as np

from vision.simulator.drawing.sprites import Pixels

Codec = Literal["mjpeg", "h264"]
_TIME_BASE: Final = Fraction(1, 1000)  # matroska counts milliseconds


@dataclass(frozen=True)
class Encoding:
    """The encoding of pictures."""

    encoder: str
    pixels: str  # its pixel format
    options: Mapping[str, str]


def write_film(
    pictures: Iterable[tuple[int, Pixels]],
    path: Path,
    encoding: Encoding,
    fps: float,
    size_px: tuple[int, int],
) -> None:
    """Write a Matroska file, with the instants of its pictures rounded to milliseconds.

    `pictures`: instant in nanoseconds, and picture: gray, or blue, green, red. `fps`: nominal frames a
    second.
    """
    import av  # noqa: PLC0415 - a match that is only shown needs no encoder

    with av.open(str(path), "w", format="matroska") as container:
        rate = Fraction(fps).limit_denominator(1001)
        stream = container.add_stream(encoding.encoder, rate=rate, options=dict(encoding.options))
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height = size_px
        stream.pix_fmt = encoding.pixels
        stream.codec_context.time_base = _TIME_BASE
        latest_ms = -1
        for t_ns, picture in pictures:
            layout = "bgr24" if picture.ndim == 3 else "gray"
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), format=layout)
            frame = frame.reformat(format=encoding.pixels)
            latest_ms = max(latest_ms + 1, round(t_ns / 1_000_000))  # no two pictures share an instant
            frame.pts, frame.time_base = latest_ms, _TIME_BASE
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))


def rate_in_toml(fps: float) -> int | float:
    """Return a frame rate as `recording.toml` holds it: an integer if possible."""
    return int(fps) if float(fps).is_integer() else fps
