"""A replay as an MP4 film to share: slow motion at the pictures' true instants, with the contacts marked."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.files.storage import keep_bytes
from desk.errors import DeskError
from vision.match.evidence_ring import MANIFEST

SLOWER = 8
"""Times slower than it was."""
_ZIP_ERRORS = (zipfile.BadZipFile, zlib.error)
_TIME_BASE = Fraction(1, 90_000)
"""The usual clock of MP4 films."""
_HOLD_NS = 100_000_000
"""How long the last picture stays, in the time of the replay."""
_SHOWN_NS = 400_000_000
_COLOURS = {"near": (60, 90, 255), "far": (255, 165, 87)}
"""Blue, green, red of a player's marks, as on the panel."""
_UNKNOWN = (210, 226, 232)

Picture = NDArray[np.uint8]


def film(bundle: Path) -> Path:
    """Make a film of an evidence bundle, beside it; one that is there already is taken.

    Parameters
    ----------
    bundle : a ZIP file of `vision.match.evidence_ring`.

    Returns
    -------
    path of the MP4 file (H.264, every picture at its own instant, slowed by `SLOWER`).

    Raises
    ------
    DeskError
        If the bundle cannot be read.
    """
    path = bundle.with_suffix(".mp4")
    if path.is_file():
        return path
    try:
        with zipfile.ZipFile(bundle) as archive:
            manifest = json.loads(archive.read(MANIFEST))
            pictures = [archive.read(frame["file"]) for frame in manifest["frames"]]
    except (OSError, LookupError, ValueError, TypeError, EOFError, RuntimeError, *_ZIP_ERRORS) as error:
        raise DeskError(f"the evidence {bundle} cannot be read: {error}") from error
    data = _encoded(pictures, manifest)
    keep_bytes(path, data)
    return path


def _encoded(pictures: Iterable[bytes], manifest: Mapping[str, Any]) -> bytes:
    instants_ns = [frame["t_ns"] for frame in manifest["frames"]]
    marks, out = manifest["marks"], io.BytesIO()
    with av.open(out, "w", format="mp4") as container:
        stream = container.add_stream("libx264", rate=30, options={"preset": "veryfast", "crf": "20"})
        assert isinstance(stream, av.VideoStream)
        stream.pix_fmt = "yuv420p"
        stream.codec_context.time_base = _TIME_BASE
        painted = None
        for jpeg, t_ns in zip(pictures, instants_ns, strict=True):
            is_first, painted = painted is None, _painted(jpeg, t_ns, marks)
            if is_first:
                stream.height, stream.width = painted.shape[:2]
            container.mux(stream.encode(_frame(painted, t_ns - instants_ns[0])))
        if painted is not None:
            container.mux(stream.encode(_frame(painted, instants_ns[-1] + _HOLD_NS - instants_ns[0])))
            container.mux(stream.encode(None))
    return out.getvalue()


def _frame(picture: Picture, after_ns: int) -> av.VideoFrame:
    frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
    frame.pts = round(after_ns * SLOWER * 1e-9 / _TIME_BASE)
    frame.time_base = _TIME_BASE
    return frame


def _painted(jpeg: bytes, t_ns: int, marks: Mapping[str, Any]) -> Picture:
    """Return the picture with its instant and the contacts that have begun, in even size as H.264 needs."""
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise DeskError("a picture of the evidence is damaged")
    height, width = (side - side % 2 for side in picture.shape[:2])
    picture = np.ascontiguousarray(picture[:height, :width])
    radius, line = round(0.028 * width), max(2, round(0.0035 * width))
    for touch in marks["touches"]:
        age_ns = t_ns - (touch["t_ns"] - touch["t_unc_ns"])
        if touch.get("at_px") and not touch["unprovable"] and 0 <= age_ns <= _SHOWN_NS:
            x, y = (round(value) for value in touch["at_px"])
            colour = _COLOURS.get(touch["player"], _UNKNOWN)
            if touch["player"] == "far":
                reach = round(1.25 * radius)
                corners = np.array([[x, y - reach], [x + reach, y], [x, y + reach], [x - reach, y]])
                cv2.polylines(picture, [corners], isClosed=True, color=colour, thickness=line)
            else:
                cv2.circle(picture, (x, y), radius, colour, line)
    text = f"{(t_ns - marks['t_poem_ns']) / 1e6:+.1f} ms"
    size = width / 1500
    for colour, thickness in (((0, 0, 0), 2 * line), ((255, 255, 255), line // 2 or 1)):
        cv2.putText(
            picture, text, (line * 4, height - line * 5), cv2.FONT_HERSHEY_SIMPLEX, size, colour, thickness
        )
    return np.asarray(picture, np.uint8)
