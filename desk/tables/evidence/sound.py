"""Sound for replays: what a film holds, a compressed file, and the way back."""

import io
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from recitation.reading.plan import SAMPLE_RATE
from recitation.sound.clip import Wave
from recitation.sound.recent_sound import TimedSound
from vision.frames.frame import Frame
from vision.match.evidence_ring import Bundle, EvidenceRing, Kept, KeptSound, cut


def film_sound(path: Path, begins_ns: int, ends_ns: int, slow_motion: float = 1.0) -> TimedSound | None:
    """Return the sound of a part of a film, by the clock of its pictures; None if it is silent."""
    from recitation.imports.decoding import load_span  # a match under a camera reads no film

    track = load_span(path, begins_ns / 1e9, ends_ns / 1e9, slow_motion)
    return None if track is None else TimedSound(track.wave, round(track.start_s * 1e9), 0)


def kept_sound(sound: TimedSound) -> KeptSound:
    """Return sound as FLAC: 16 bit, about 50 kB a second, which every browser plays and no copy wears out."""
    import soundfile  # a match without a microphone does not wait for it

    file = io.BytesIO()
    clipped = np.clip(sound.wave, -1.0, 1.0)
    soundfile.write(file, clipped, SAMPLE_RATE, format="FLAC", subtype="PCM_16")
    return KeptSound(sound.t_ns, sound.t_unc_ns, file.getvalue())


def wave_of(data: bytes) -> Wave:
    """Return a FLAC file's sound, shape (samples,) at 48 kHz; ValueError if it is none of `kept_sound`."""
    import soundfile

    try:
        wave, rate = soundfile.read(io.BytesIO(data), dtype="float32")
    except soundfile.SoundFileError as error:
        raise ValueError(f"the sound is damaged: {error}") from error
    if rate != SAMPLE_RATE or wave.ndim != 1:
        raise ValueError(f"expected mono sound at {SAMPLE_RATE} Hz, got {rate} Hz")
    return np.asarray(wave, np.float32)


WIDEST_PX: Final = 1280
"""Greatest width of a replay: it shows a hand at a card well, and a hundred poems take at most a gigabyte."""


def in_colour(frame: Frame) -> Kept:
    """Return a picture as a JPEG in colour, at most `WIDEST_PX` wide."""
    colour = frame.colour()
    scale = WIDEST_PX / colour.shape[1]
    if scale < 1:
        smaller = cv2.resize(colour, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        colour = np.asarray(smaller, np.uint8)
    done, data = cv2.imencode(".jpg", colour, [cv2.IMWRITE_JPEG_QUALITY, 85])
    assert done, "a picture of a camera can be encoded"
    return Kept(frame.t_ns, frame.t_unc_ns, frame.index, data.tobytes())


def step_bundle(frames: EvidenceRing, t_ns: int) -> Bundle:
    """Return the bundle of a step whose cards lay still from `t_ns` on."""
    marks: dict[str, Any] = {
        "counted": "after_step",
        "poem": None,
        "t_poem_ns": t_ns,
        "t_poem_unc_ns": 0,
        "t_kimariji_ns": None,
        "touches": [],
        "slower": 1,
    }
    return cut(frames, 0, 2**63 - 1, marks)
