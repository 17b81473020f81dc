"""What is cut from a film: replays around each ruling's contacts, as of a live match, and its overview."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.files.storage import keep_bytes, leave_room
from desk.errors import DeskError
from desk.films.film import Film, open_film
from desk.karuta.evidence.replay import MOST_NS, bundle_of, span_of
from desk.tables.evidence.sound import WIDEST_PX, film_sound, in_colour, kept_sound, step_bundle
from recitation.imports.decoding import DecodingError, Track, load_tracks
from recitation.reading.plan import SAMPLE_RATE
from vision.frames.frame import Colour, Frame
from vision.match.evidence_ring import EvidenceRing, KeptSound
from vision.poem.events import PoemSeen
from vision.sources.source import SourceError
from vision.sources.video_file import VideoSource


def cut_replay(film: Film, seen: PoemSeen | None, folder: Path) -> str | None:
    """Write the replay of a poem into a folder and return its file's name; None if nobody touched a card.

    Raises DeskError if the film cannot be read any more.
    """
    span_ns = None if seen is None else span_of(seen)
    if seen is None or span_ns is None:
        return None
    frames, scale = _pictures(film, *span_ns)
    frames.sound = _sound(film, *span_ns)
    return bundle_of(frames, seen, None, scale).write(folder).name if len(frames) else None


def keep_step(film: Path, filmed_fps: float | None, span_ns: tuple[int, int], target: Path) -> bool:
    """Write the bundle of a step of a card table; return False if there are no pictures of it.

    Raises DeskError if the film cannot be read any more. Raises OSError if the bundle cannot be stored.

    `film`, `filmed_fps`: as for `desk.films.film.open_film`. `span_ns`: the instant of the previous step, and
    the one at which the cards of this step lay still.
    """
    before_ns, t_ns = span_ns
    most_ns, after_ns, least_apart_ns = 4_000_000_000, 600_000_000, 60_000_000
    begins_ns = max(0, before_ns, t_ns - most_ns)
    opened, ends_ns = open_film(film, filmed_fps), t_ns + after_ns
    frames, _ = _pictures(opened, begins_ns, ends_ns, least_apart_ns)
    if not len(frames):
        return False
    frames.sound = _sound(opened, begins_ns, ends_ns)
    leave_room(target.parent)
    target.parent.mkdir(exist_ok=True)
    keep_bytes(target, step_bundle(frames, t_ns).data)
    return True


def _sound(film: Film, begins_ns: int, ends_ns: int) -> KeptSound | None:
    sound = film_sound(film.path, begins_ns, ends_ns, film.slow_motion)
    return None if sound is None else kept_sound(sound)


def _pictures(film: Film, begins_ns: int, ends_ns: int, apart_ns: int = 0) -> tuple[EvidenceRing, float]:
    """Return the pictures of a part of a film, at least `apart_ns` apart, and their scale."""
    source = film.pictures()
    source.starts_ns = max(0, begins_ns)
    scale = min(1.0, WIDEST_PX / source.width)
    frames, next_ns = EvidenceRing(2 * MOST_NS), 0
    with DeskError.wrapping("", SourceError):
        for frame in source:
            if frame.t_ns > ends_ns:
                break
            if frame.t_ns >= next_ns:
                next_ns = frame.t_ns + apart_ns
                frames.append(in_colour(frame))
    return frames, scale


WAVEFORM, STRIP = "waveform.u8", "strip.jpg"
_COLUMN = SAMPLE_RATE // 100  # samples per column of the waveform: 10 ms, finer than anybody points
_PICTURE_PX = 160  # width of each picture of the strip
_EACH_S, _FEWEST, _MOST = 15, 12, 120
"""Seconds per picture of the strip, and the least and greatest number of pictures."""


def keep_overview(film: Film, folder: Path) -> None:
    """Write a film's waveform, one byte per 10 ms from its beginning, and its strip of pictures."""
    keep_bytes(folder / WAVEFORM, _waveform(film))
    strip = _strip(film)
    done, data = cv2.imencode(".jpg", strip, [cv2.IMWRITE_JPEG_QUALITY, 80])
    if done:
        keep_bytes(folder / STRIP, data.tobytes())


def _waveform(film: Film) -> bytes:
    """Return the loudness of a film, one byte per column; of several tracks the loudest at each moment."""
    try:
        tracks = load_tracks(film.path, film.slow_motion)
    except DecodingError:
        return b""
    drawn = [columns for track in tracks if len(columns := _columns(track, film.begins_ns / 1e9))]
    loudness = np.zeros(max(map(len, drawn), default=0))
    for columns in drawn:
        loudness[: len(columns)] = np.maximum(loudness[: len(columns)], columns)
    return np.round(255 * loudness).astype(np.uint8).tobytes()


def _columns(track: Track, begins_s: float) -> NDArray[np.float64]:
    """Return the loudness of a track, 0..1, from the film's beginning; shape (columns,)."""
    early = round((begins_s - track.start_s) * SAMPLE_RATE)
    wave = track.wave[max(0, early) :]
    whole: NDArray[np.float64] = (
        np.abs(wave[: len(wave) // _COLUMN * _COLUMN]).reshape(-1, _COLUMN).max(axis=1)
    )
    if not len(whole):
        return np.zeros(0)
    loud = max(float(np.percentile(whole, 99.5)), 1e-4)  # a slap on a card is louder than any voice
    silence = np.zeros(max(0, -early) // _COLUMN)
    return np.asarray(np.concatenate([silence, np.sqrt(np.clip(whole / loud, 0, 1))]))


def _strip(film: Film) -> Colour:
    source = film.pictures()
    height = max(1, round(_PICTURE_PX * source.height / source.width))
    pictures = min(_MOST, max(_FEWEST, film.length_ns // (_EACH_S * 1_000_000_000)))
    strip = np.zeros((height, pictures * _PICTURE_PX, 3), np.uint8)
    for number, frame in _frames(film, source, pictures):
        picture = cv2.resize(frame.colour(), (_PICTURE_PX, height), interpolation=cv2.INTER_AREA)
        # if the pictures end before the sound, the last picture is repeated
        strip[:, number * _PICTURE_PX :] = np.tile(picture, (1, pictures - number, 1))
    return strip


def _frames(film: Film, source: VideoSource, pictures: int) -> Iterator[tuple[int, Frame]]:
    """Yield the first frame of each part of a film, with the number of the part."""
    part_ns = max(1, film.length_ns // pictures)
    least_ns = 4_000_000_000  # phones write a key frame every second, other programs every ten seconds
    if part_ns < least_ns:
        number = 0
        for frame in source:
            part = (frame.t_ns - film.begins_ns) // part_ns
            if number <= part and number < pictures:
                number = min(pictures - 1, part)
                yield number, frame
                number += 1
        return
    for number in range(pictures):
        source.starts_ns = film.begins_ns + number * part_ns
        if (first := next(iter(source), None)) is not None:
            yield number, first
