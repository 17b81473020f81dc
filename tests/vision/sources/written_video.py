"""Small video files of every kind, written picture by picture with true times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import av

from vision.frames.frame import Gray


def write_video(
    path: Path,
    pictures: Sequence[tuple[int, Gray]],
    codec: str,
    *,
    pixels: str = "yuv420p",
    rotate: int = 0,
    matrix: list[int] | None = None,
    aspect: Fraction = Fraction(1),
    metadata: Mapping[str, str] | None = None,
    encoder: Mapping[str, str] | None = None,
) -> Path:
    """Write pictures, each with its instant in milliseconds.

    A player turns them by `rotate` degrees, or as the display matrix says.

    `aspect` is how much wider than tall each pixel is to be shown, `encoder` its options.
    """
    options = {"movflags": "use_metadata_tags"} if path.suffix == ".mp4" else {}
    height, width = pictures[0][1].shape
    with av.open(str(path), "w", options=options) as container:
        container.metadata.update(metadata or {})
        stream = container.add_stream(codec, rate=30, options=dict(encoder or {}))
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height, stream.pix_fmt = width, height, pixels
        stream.codec_context.time_base = stream.time_base = Fraction(1, 1000)
        if codec == "mjpeg":
            stream.codec_context.qmin = stream.codec_context.qmax = 2
        if aspect != 1:
            stream.codec_context.sample_aspect_ratio = aspect
        if rotate:
            stream.set_display_rotation(rotate)
        if matrix is not None:
            stream.set_display_matrix(matrix)  # type: ignore[attr-defined, unused-ignore]
        for t_ms, gray in pictures:
            frame = av.VideoFrame.from_ndarray(gray, format="gray").reformat(format=pixels)
            frame.pts, frame.time_base = t_ms, Fraction(1, 1000)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return path
