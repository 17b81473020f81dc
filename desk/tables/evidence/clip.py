"""A replay as an MP4 film to share: slow motion with true time steps, contacts and ruling.

A replay with sound plays once at its real pace with the sound, then in slow motion without.
Phones can play it: H.264 in yuv420p, with the index in front. PyAV's wheels contain libx264.
"""

import json
import os
import tempfile
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import av.container
import cv2
import numpy as np

from calibration.files.archive import read_member
from calibration.files.storage import leave_room
from desk.errors import DeskError
from desk.panel.match.port import Caption
from desk.tables.evidence.clip_request import clip_path
from desk.tables.evidence.inscription import HAS_JAPANESE, Picture, wrapped, write
from desk.tables.evidence.sound import wave_of
from recitation.reading.plan import SAMPLE_RATE
from recitation.sound.recent_sound import TimedSound
from referee.complaint import sentence_of
from vision.match.evidence_ring import MANIFEST

SLOWER = 8  # factor of the slow motion, unless the bundle gives another
_ZIP_ERRORS = (zipfile.BadZipFile, zlib.error)
_ENCODERS = ("libx264", "libopenh264", "h264_videotoolbox")
_TIME_BASE = Fraction(1, 90_000)  # the usual clock of MP4 films
_HOLD_NS = 100_000_000  # how long the last picture is shown, in the time of the replay
_CAPTION_HOLD_NS = 375_000_000  # the same with a caption, which takes three seconds to read
_BETWEEN_NS = 500_000_000  # how long the last picture at real pace is shown before the slow motion
_REAL_PACE_NS = 33_000_000
_SHOWN_NS = 400_000_000
_COLOURS = {"near": (60, 90, 255), "far": (255, 165, 87)}
"""Blue, green, red of a player's marks, as on the panel."""
_UNKNOWN = (210, 226, 232)
_PAPER, _BAND = (246, 253, 255), (27, 30, 32)
_NO_CAPTION = Caption(())
_MOST_BYTES = 512 << 20
"""Size limit of a bundle's pictures: three seconds at 240 pictures per second have about 70 MB."""
_SMALL_PX = 640  # width of a small film: a card is about 25 pixels wide in it
_MOST_CONTACTS = 5  # number of contacts listed under the picture; a ruling rests on the first ones


def film(bundle: Path, caption: Caption = _NO_CAPTION) -> Path:
    """Make an MP4 film of a bundle beside it, or return the one there is; DeskError if unreadable."""
    shown = caption if HAS_JAPANESE or caption.plain is None else caption.plain
    path = clip_path(bundle, caption)
    if path.is_file():
        return path
    try:
        with zipfile.ZipFile(bundle) as archive:
            (manifest,) = (json.loads(text) for text in _pictures(archive, [MANIFEST]))
            pictures = _pictures(archive, [frame["file"] for frame in manifest["frames"]])
            sound = _sound(archive, manifest)
    except (OSError, LookupError, ValueError, TypeError, EOFError, RuntimeError, *_ZIP_ERRORS) as error:
        raise DeskError(
            "the evidence {bundle} cannot be read: {why}", bundle=bundle, why=sentence_of(error)
        ) from error
    leave_room(path.parent)
    handle, name = tempfile.mkstemp(prefix=".shinpan-", suffix=".part", dir=path.parent)
    os.close(handle)
    part = Path(name)
    try:
        _encode(part, pictures, manifest, shown, sound)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return path


def _sound(archive: zipfile.ZipFile, manifest: Mapping[str, Any]) -> TimedSound | None:
    told = manifest.get("sound")
    if told is None:
        return None
    (data,) = _pictures(archive, [told["file"]])
    return TimedSound(wave_of(data), told["t_ns"], told["t_unc_ns"])


def _pictures(archive: zipfile.ZipFile, files: Sequence[str]) -> list[bytes]:
    if sum(archive.getinfo(file).file_size for file in files) > _MOST_BYTES:
        raise ValueError(f"expected at most {_MOST_BYTES >> 20} MiB of pictures")
    return [read_member(archive, file, _MOST_BYTES) for file in files]


def _encoder() -> str:
    for name in _ENCODERS:
        if name in av.codec.codecs_available:
            return name
    raise DeskError(
        "no film can be written: this PyAV has none of {encoders}; install its wheel",
        encoders=", ".join(_ENCODERS),
    )


def _encode(
    path: Path,
    pictures: Sequence[bytes],
    manifest: Mapping[str, Any],
    caption: Caption,
    sound: TimedSound | None,
) -> None:
    shown = list(zip(pictures, [frame["t_ns"] for frame in manifest["frames"]], strict=True))
    if not shown:
        raise DeskError("the evidence holds no picture")
    encoder, painter = _encoder(), _Painter(manifest["marks"], caption)
    quality = "26" if caption.is_small else "20"
    slower, began_ns, ended_ns = manifest["marks"].get("slower", SLOWER), shown[0][1], shown[-1][1]
    passes = [(slower, shown)] if sound is None or slower == 1 else [(1, _thinned(shown)), (slower, shown)]
    # no B-frames, so that pictures are stored in display order; otherwise players end before the last one
    options = {"preset": "veryfast", "crf": quality, "bf": "0"} if encoder == "libx264" else {"bf": "0"}
    with av.open(str(path), "w", format="mp4", options={"movflags": "faststart"}) as container:
        stream = container.add_stream(encoder, rate=30, options=options)
        assert isinstance(stream, av.VideoStream)
        stream.pix_fmt = "yuv420p"
        stream.codec_context.time_base = _TIME_BASE
        heard = None if sound is None else container.add_stream("aac", rate=SAMPLE_RATE, layout="mono")
        begins_ns, painted = 0, None
        for factor, part in passes:
            for jpeg, t_ns in part:
                is_first, painted = painted is None, painter.painted(jpeg, t_ns)
                if is_first:
                    stream.height, stream.width = painted.shape[:2]
                    if sound is not None and isinstance(heard, av.AudioStream):
                        _add_sound(container, heard, sound, began_ns, ended_ns)
                container.mux(stream.encode(_frame(painted, begins_ns + factor * (t_ns - began_ns))))
            begins_ns += factor * (ended_ns - began_ns) + _BETWEEN_NS
        assert painted is not None, "there is a picture"
        hold_ns = SLOWER * (_CAPTION_HOLD_NS if caption.lines else _HOLD_NS)
        container.mux(stream.encode(_frame(painted, begins_ns - _BETWEEN_NS + hold_ns)))
        container.mux(stream.encode(None))


def _thinned(shown: Sequence[tuple[bytes, int]]) -> list[tuple[bytes, int]]:
    """Return the pictures that are shown at real pace, thirty a second at most, and the last."""
    kept = [shown[0]]
    for picture in shown[1:-1]:
        if picture[1] - kept[-1][1] >= _REAL_PACE_NS:
            kept.append(picture)
    return [*kept, *shown[1:][-1:]]


def _add_sound(
    container: av.container.OutputContainer,
    stream: av.AudioStream,
    sound: TimedSound,
    began_ns: int,
    ended_ns: int,
) -> None:
    """Encode the sound from the first picture to the last; it is silent where none is known."""
    samples = max(round((ended_ns - began_ns) * SAMPLE_RATE / 1e9), 1)
    wave = np.zeros((1, samples), np.float32)
    at = round((sound.t_ns - began_ns) * SAMPLE_RATE / 1e9)
    low, high = max(at, 0), min(at + len(sound.wave), samples)
    if low < high:
        wave[0, low:high] = sound.wave[low - at : high - at]
    for begin in range(0, samples, SAMPLE_RATE):
        frame = av.AudioFrame.from_ndarray(wave[:, begin : begin + SAMPLE_RATE], format="fltp", layout="mono")
        frame.sample_rate, frame.pts, frame.time_base = SAMPLE_RATE, begin, Fraction(1, SAMPLE_RATE)
        container.mux(stream.encode(frame))
    container.mux(stream.encode(None))


def _frame(picture: Picture, after_ns: int) -> av.VideoFrame:
    frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
    frame.pts = round(after_ns * 1e-9 / _TIME_BASE)
    frame.time_base = _TIME_BASE
    return frame


class _Painter:
    def __init__(self, marks: Mapping[str, Any], caption: Caption) -> None:
        self._marks, self._caption = marks, caption
        self._band: Picture | None = None
        self._contacts_y = 0

    def painted(self, jpeg: bytes, t_ns: int) -> Picture:
        """Return a picture with its time, the contacts so far and the caption; width and height are even."""
        decoded = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
        if decoded is None:
            raise DeskError("a picture of the evidence is damaged")
        height, width = (side - side % 2 for side in decoded.shape[:2])
        picture = np.ascontiguousarray(decoded[:height, :width], np.uint8)
        scale = min(1.0, _SMALL_PX / width) if self._caption.is_small else 1.0
        if scale < 1:
            size = _SMALL_PX, round(scale * height / 2) * 2
            picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
        for touch in self._marks["touches"]:
            age_ns = t_ns - (touch["t_ns"] - touch["t_unc_ns"])
            if touch.get("at_px") and not touch["unprovable"] and 0 <= age_ns <= _SHOWN_NS:
                _ring(picture, touch, scale)
        instant = f"{(t_ns - self._marks['t_poem_ns']) / 1e6:+.1f} ms"
        if not self._caption.lines or self._caption.is_small:
            _stamp(picture, instant)
            return picture
        least_px = 960  # on a smaller picture the letters would be illegible on a phone
        if width < least_px:
            larger = cv2.resize(picture, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
            picture = np.asarray(larger, np.uint8)
        _stamp(picture, instant)
        return np.vstack([picture, self._under(picture.shape[1], t_ns)])

    def _under(self, width: int, t_ns: int) -> Picture:
        """Return the band under a picture of this width: the caption, and the contacts up to `t_ns`."""
        size = max(18, width // 34)
        step, margin = round(1.5 * size), size
        if self._band is None:
            lines = [line for text in self._caption.lines for line in wrapped(text, size, width - 2 * margin)]
            listed = min(_MOST_CONTACTS, len(self._listed()))
            height = margin + step * (len(lines) + listed) + margin // 2
            self._band = np.full((height + height % 2, width, 3), _BAND, np.uint8)
            for place, line in enumerate(lines):
                write(self._band, line, (margin, margin // 2 + step * (place + 1)), size, _PAPER)
            self._contacts_y = margin // 2 + step * (len(lines) + 1)
        band = self._band.copy()
        for place, (touch, text) in enumerate(self._listed()[:_MOST_CONTACTS]):
            if touch["t_ns"] > t_ns:
                continue
            y, colour = self._contacts_y + step * place, _COLOURS.get(touch["player"], _UNKNOWN)
            centre = margin + size // 3, y - round(0.35 * size)
            _shape(band, touch["player"], centre, size // 3, colour=colour, line=cv2.FILLED)
            fits = wrapped(text, size, width - 3 * margin)
            write(band, fits[0] if fits else "", (2 * margin, y), size, colour)
        return band

    def _listed(self) -> list[tuple[Mapping[str, Any], str]]:
        """Return the contacts that the caption has a text for, in order of time."""
        texts = self._caption.contacts
        touches = sorted(self._marks["touches"], key=lambda touch: int(touch["t_ns"]))
        keyed = ((touch, (touch["t_ns"], touch.get("card"), touch["player"])) for touch in touches)
        return [(touch, texts[key]) for touch, key in keyed if key in texts]


def _ring(picture: Picture, touch: Mapping[str, Any], scale: float) -> None:
    """Mark a contact with its player's shape and colour, in a picture that was scaled."""
    width = picture.shape[1]
    radius, line = round(0.028 * width), max(2, round(0.0035 * width))
    x, y = (round(scale * value) for value in touch["at_px"])
    colour = _COLOURS.get(touch["player"], _UNKNOWN)
    _shape(picture, touch["player"], (x, y), radius, colour=colour, line=line)


def _shape(
    picture: Picture,
    player: str | None,
    at: tuple[int, int],
    radius: int,
    *,
    colour: tuple[int, int, int],
    line: int,
) -> None:
    x, y = at
    if player == "far":
        reach = round(1.25 * radius)
        corners = np.array([[x, y - reach], [x + reach, y], [x, y + reach], [x - reach, y]])
        if line == cv2.FILLED:
            cv2.fillPoly(picture, [corners], colour, cv2.LINE_AA)
        else:
            cv2.polylines(picture, [corners], isClosed=True, color=colour, thickness=line)
    else:
        cv2.circle(picture, (x, y), radius, colour, line, cv2.LINE_AA)


def _stamp(picture: Picture, text: str) -> None:
    """Write a time into the corner of a picture, legible on any background."""
    height, width = picture.shape[:2]
    line, size = max(1, round(0.002 * width)), max(12, round(0.028 * width))
    x, y = size // 2, height - size // 2
    around = [(-line, -line), (-line, line), (line, -line), (line, line)]
    for (right, down), colour in [*((each, (0, 0, 0)) for each in around), ((0, 0), (255, 255, 255))]:
        write(picture, text, (x + right, y + down), size, colour)
