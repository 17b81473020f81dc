"""Sound files of any kind as mono waves at 48 kHz, whatever their ending and their tags say."""

from __future__ import annotations

from math import gcd
from pathlib import Path

import av
import numpy as np
import soundfile
from numpy.typing import NDArray
from scipy.signal import resample_poly

from recitation.reading.plan import SAMPLE_RATE
from recitation.sound.clip import Wave


class DecodingError(ValueError):
    """A file without sound that can be read."""


def load(path: Path) -> Wave:
    """Return a file's sound, channels averaged, shape (samples,).

    libsndfile reads most kinds by their content; what it does not know (AAC) is read by FFmpeg's libraries,
    which are told not to mind broken tags.

    Raises
    ------
    DecodingError
        Where neither can read the file.
    """
    try:
        wave, rate = soundfile.read(path, dtype="float32", always_2d=True)
    except soundfile.SoundFileError:
        wave, rate = _by_ffmpeg(path)
    mono = wave.mean(axis=1)
    if not len(mono):
        raise DecodingError("the file holds no sound")
    if rate == SAMPLE_RATE:
        return np.asarray(mono, dtype=np.float32)
    common = gcd(rate, SAMPLE_RATE)
    return np.asarray(resample_poly(mono, SAMPLE_RATE // common, rate // common), dtype=np.float32)


def _by_ffmpeg(path: Path) -> tuple[NDArray[np.float32], int]:
    try:
        with av.open(str(path), metadata_errors="ignore") as container:
            if not container.streams.audio:
                raise DecodingError("the file holds no sound")
            resampler = av.AudioResampler(format="flt", layout="mono")
            blocks = [
                block.to_ndarray().reshape(-1)
                for frame in container.decode(audio=0)
                for block in resampler.resample(frame)
            ]
            rate = container.streams.audio[0].rate
    except (av.FFmpegError, UnicodeDecodeError) as error:
        raise DecodingError(f"the file cannot be read as sound ({error})") from error
    wave = np.concatenate(blocks) if blocks else np.zeros(0, np.float32)
    return wave.astype(np.float32)[:, None], int(rate)
