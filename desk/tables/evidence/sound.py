"""Sound for replays: what a film holds, a compressed file, and the way back."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np

from recitation.reading.plan import SAMPLE_RATE
from recitation.sound.clip import Wave
from recitation.sound.recent_sound import TimedSound
from vision.match.evidence_ring import KeptSound


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
