"""A film as it may be given away: nothing but the field is seen, and nobody but the reader is heard.

The picture is cut to the field with a rim around it, and black outside. Sound stays while the first half of a
verse is read, and is silent elsewhere; what players say while it is read stays in it. The new files hold
nothing else of the old ones: no place, no date, no name.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import av.container
import cv2
import numpy as np
import soundfile
from av.video.reformatter import ColorRange
from numpy.typing import NDArray

from calibration.failure import FailedEstimation
from calibration.files.storage import keep_text
from desk.errors import DeskError
from desk.films.film import Film, write_down
from desk.films.trials import Called
from recitation.imports.decoding import DecodingError, load_tracks, read
from recitation.reading.plan import SAMPLE_RATE
from referee.sentence import Sentence
from vision.field.layout_reader import FIELD_CORNERS_M, LayoutReading, read_layout
from vision.field.stillness import RESTING_FRAMES
from vision.frames.frame import Frame
from vision.recordings.recording import Audio, RecordedReading
from vision.sources.video_file import VideoError, VideoSource
from vision.torifuda.prior_knowledge import PriorKnowledge

_TIME_BASE = Fraction(1, 90_000)  # the usual clock of MP4 films: 11 microseconds
_HEARD_S = (0.1, 6.0)  # before and after a first sound; a first half is read in 5 to 6 s (`reading.rhythm`)
_FADE_S = 0.02
_NAMED_SHARE = 0.5  # of the cards: fewer legible ones may be no field at all
_QUALITY = "14"  # of H.264: at 23 its noise moves cards by tenths of a millimetre

_Cut = tuple[slice, slice, NDArray[np.uint8]]
"""The part of a picture that is kept: rows, columns, and a mask of them, 255 where something is seen."""


def pack_film(
    film: Film,
    folder: Path,
    rim_m: float,
    known: PriorKnowledge,
    watched: Callable[[int], None],
    *,
    readings: Sequence[RecordedReading] = (),
    audio: Audio | None = None,
    calls: Sequence[Called] = (),
) -> None:
    """Write a film into an empty folder, without what lies more than `rim_m` outside the two territories.

    Raises DeskError if it cannot be read, or no field is found in it. `watched`: called with the instant of
    every picture, in nanoseconds. `readings`, `audio`: what was read in it, and the sound beside it; the
    film's own sound if there is none. `calls`: the trials that were called in it.
    """
    with DeskError.wrapping("", VideoError):
        source = film.pictures()
        cut = _cut(_field(film, known), rim_m)
        begins_ns = _write_pictures(folder / "video.mp4", source, cut, watched)
    later = [replace(one, t_ms=one.t_ms - begins_ns / 1e6) for one in readings if one.t_ns >= begins_ns]
    head = ""
    if later and _write_sound(folder / "sound.flac", film, audio, begins_ns, later):
        distance_mm = 1e3 * (audio or Audio(film.path)).distance_m
        head = f'audio = "sound.flac"\nmicrophone = {{ distance_mm = {distance_mm!r} }}\n'
    if later:
        told = Film(folder / "video.mp4", None, film.usual_fps, film.slow_motion, film.length_ns)
        write_down(folder, told, "karuta", readings=later, head=head)
    if calls:
        lines = [
            f"{(one.t_ns - begins_ns) / 1e9:.3f},{one.trial}\n" for one in calls if one.t_ns >= begins_ns
        ]
        keep_text(folder / "trials.csv", "".join(["at,trial\n", *lines]))


def _field(film: Film, known: PriorKnowledge) -> LayoutReading:
    """Return the field as it lies when it can be read for the first time, whoever moves around it."""
    recent = deque[Frame](maxlen=RESTING_FRAMES)
    tried_ns, again_ns = 0, 500_000_000
    why = Sentence("it shows too few pictures")
    for frame in film.pictures():
        recent.append(frame)
        if len(recent) < RESTING_FRAMES or (tried_ns and frame.t_ns - tried_ns < again_ns):
            continue
        tried_ns = frame.t_ns
        found = read_layout([one.gray for one in recent], None, known, recent[-1].colour)
        if not isinstance(found, FailedEstimation) and found.named > _NAMED_SHARE * len(found.layout):
            return found
        few = Sentence("too few cards can be read")
        why = found.told if isinstance(found, FailedEstimation) else few
    raise DeskError(
        "no field was found in {film}, so nothing says what to hide: {why}; the cards must lie still for a "
        "moment, all in view",
        film=film.path,
        why=why,
    )


def _cut(reading: LayoutReading, rim_m: float) -> _Cut:
    corners_m = FIELD_CORNERS_M + np.sign(FIELD_CORNERS_M) * rim_m
    along = np.linspace(0, 1, 20)[:, None]  # a lens bends the sides
    rim = np.concatenate(
        [a + along * (b - a) for a, b in zip(corners_m, np.roll(corners_m, -1, axis=0), strict=True)]
    )
    outline_px = np.rint(reading.geometry.to_image(rim)).astype(np.int32)
    height, width = reading.geometry.height_px, reading.geometry.width_px
    mask = np.zeros((height, width), np.uint8)
    cv2.fillPoly(mask, [outline_px], 255)
    x, y, across, down = cv2.boundingRect(mask)
    even = 2  # H.264 takes even sides only
    rows, columns = slice(y, y + down // even * even), slice(x, x + across // even * even)
    return rows, columns, mask[rows, columns]


def _write_pictures(path: Path, source: VideoSource, cut: _Cut, watched: Callable[[int], None]) -> int:
    """Write the masked pictures; return the instant of the first, which is 0 in the new film."""
    begins_ns: int | None = None
    rows, columns, mask = cut
    hidden = mask == 0
    options = {"preset": "veryfast", "crf": _QUALITY, "bf": "0"}
    with av.open(str(path), "w", format="mp4", options={"movflags": "faststart"}) as container:
        stream = container.add_stream("libx264", rate=round(max(source.usual_fps, 1)), options=options)
        assert isinstance(stream, av.VideoStream)
        stream.pix_fmt = "yuv420p"
        stream.codec_context.color_range = ColorRange.JPEG  # all 256 gray levels stay
        stream.codec_context.time_base = _TIME_BASE
        stream.height, stream.width = mask.shape
        for frame in source:
            watched(frame.t_ns)
            begins_ns = frame.t_ns if begins_ns is None else begins_ns
            picture = np.ascontiguousarray(frame.colour()[rows, columns])
            picture[hidden] = 0
            made = av.VideoFrame.from_ndarray(picture, format="bgr24")
            made = made.reformat(format="yuv420p", dst_color_range=ColorRange.JPEG)
            made.pts, made.time_base = round((frame.t_ns - begins_ns) / 1e9 / _TIME_BASE), _TIME_BASE
            container.mux(stream.encode(made))
        container.mux(stream.encode(None))
    return begins_ns or 0


def _write_sound(
    path: Path, film: Film, audio: Audio | None, begins_ns: int, readings: Sequence[RecordedReading]
) -> bool:
    """Write the sound of the readings on the new film's clock; return False if there is none."""
    with DeskError.wrapping(
        "the sound {path} cannot be read: {why}",
        DecodingError,
        path=film.path if audio is None else audio.path,
    ):
        if audio is not None:
            channels, rate_hz = read(audio.path)
            wave, start_s = channels.mean(axis=1), audio.start_ns / 1e9
        else:
            tracks = load_tracks(film.path, film.slow_motion)
            if not tracks:
                return False
            wave, start_s, rate_hz = tracks[0].wave, tracks[0].start_s, SAMPLE_RATE
    kept = readers_alone(wave, rate_hz, start_s - begins_ns / 1e9, [one.t_ms / 1e3 for one in readings])
    soundfile.write(path, kept, rate_hz, format="FLAC", subtype="PCM_16")
    return True


def readers_alone(
    wave: NDArray[np.float32], rate_hz: int, start_s: float, first_sounds_s: Sequence[float]
) -> NDArray[np.float32]:
    """Return sound (samples,) from the instant 0 on, silent but while a first half is read.

    `start_s`: the instant of the first sample of `wave`. `first_sounds_s`: those at which first halves begin.
    """
    at = round(start_s * rate_hz)
    whole = np.concatenate([np.zeros(max(at, 0), np.float32), wave[max(-at, 0) :]])
    t_s = np.arange(len(whole)) / rate_hz
    loudness = np.zeros(len(whole), np.float32)
    before_s, after_s = _HEARD_S
    for first_s in first_sounds_s:
        low, high = (round(max(t, 0.0) * rate_hz) for t in (first_s - before_s, first_s + after_s))
        part = t_s[low:high]
        into_s = np.minimum(part - (first_s - before_s), first_s + after_s - part)
        loudness[low:high] = np.maximum(loudness[low:high], np.clip(into_s / _FADE_S, 0, 1))
    return np.asarray(whole * loudness, np.float32)
