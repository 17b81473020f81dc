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

_CANCELLED = 0.1
"""A mix this much quieter than its loudest channel (20 dB) is of channels in antiphase."""


class DecodingError(ValueError):
    """A file without sound that can be read."""


def load(path: Path) -> Wave:
    """Return a file's sound, channels mixed, shape (samples,).

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
    mono = _mixed(wave)
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
            resampler = av.AudioResampler(format="fltp")
            blocks = [
                block.to_ndarray().T
                for frame in container.decode(audio=0)
                for block in resampler.resample(frame)
            ]
            rate = container.streams.audio[0].rate
    except (av.FFmpegError, UnicodeDecodeError) as error:
        raise DecodingError(f"the file cannot be read as sound ({error})") from error
    wave = np.concatenate(blocks) if blocks else np.zeros((0, 1), np.float32)
    return wave.astype(np.float32), int(rate)


def _mixed(wave: NDArray[np.float32]) -> NDArray[np.float32]:
    """Average the channels, (samples, channels); where they cancel each other out, take the loudest alone."""
    mono = wave.mean(axis=1)
    levels = np.sqrt(np.mean(wave**2, axis=0)) if len(wave) else np.zeros(wave.shape[1])
    if len(wave) and np.sqrt(np.mean(mono**2)) < _CANCELLED * levels.max():
        return np.asarray(wave[:, int(np.argmax(levels))])
    return np.asarray(mono)
