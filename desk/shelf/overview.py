"""The overview of a film: its waveform and a strip of its pictures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.files.storage import keep_bytes
from desk.films.film import Film
from recitation.imports.decoding import DecodingError, Track, load_tracks
from recitation.reading.plan import SAMPLE_RATE
from vision.frames.frame import Colour, Frame
from vision.sources.video_file import VideoSource

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
