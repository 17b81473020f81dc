"""Sound files and the sound of films as mono waves at 48 kHz, regardless of file name and tags."""

from __future__ import annotations

import io
import math
from contextlib import nullcontext
from math import gcd
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

import av
import av.container
import numpy as np
import soundfile
from numpy.typing import NDArray

from calibration.files.film_file import ForeignFormatError, open_container
from recitation.reading.plan import SAMPLE_RATE
from recitation.sound.clip import Wave
from referee.complaint import sentence_of
from referee.sentence import Sentence, SentenceError

MOST_S = 2 * 3600
"""Longest sound, in seconds; reading a match of a hundred poems takes three quarters of an hour."""
_RATES = range(1_000, 1_000_001)
"""Samples per second; a header may say any. The filter grows with many, and few hold no voice."""
_LOUDEST = 1e6  # samples of floating-point files; whole numbers kept as such reach 32,768, damaged ones 1e38
_SEEK_S = 1.0  # decoding begins so much before a part, since packets depend on those before them
_CANCELLED = 0.1
"""Channels cancel each other if their mix has less than this part of the loudest one's level (20 dB)."""


class DecodingError(SentenceError, ValueError):
    """A file has no readable sound."""


class Track(NamedTuple):
    """The sound of a film: (samples,) at 48 kHz, and the instant of its first sample on the film's clock."""

    wave: Wave
    start_s: float


def load_tracks(path: Path, slowed: float = 1.0) -> list[Track]:
    """Return the sound tracks of a film, each with its channels mixed; empty for a silent film.

    Gaps in the sound are filled with silence, so that every sample keeps its instant. Unreadable tracks are
    left out if another one is readable. Raises DecodingError if all of its tracks are unreadable or longer
    than `MOST_S`.

    `slowed`: factor by which the film plays slower than real time; the sound is returned at its real pace, on
    the clock of the recording.
    """
    found: list[Track] = []
    unread: DecodingError | None = None
    with _film(path) as container:
        tracks = len(container.streams.audio)
    for number in range(tracks):
        try:
            with _film(path) as container:  # reopened, as each track is read to its end
                blocks, start_s = _timed(container, number, SAMPLE_RATE / slowed)
        except DecodingError as error:
            unread = error
        except (av.FFmpegError, UnicodeDecodeError) as error:
            unread = DecodingError("the sound of the film cannot be read ({why})", why=sentence_of(error))
        else:
            found += [Track(np.concatenate(blocks), start_s / slowed)] if blocks else []
    if unread is not None and not found:
        raise unread
    return found


def load_span(path: Path, from_s: float, to_s: float, slowed: float = 1.0) -> Track | None:
    """Return the sound of a part of a film, of its first track that has any there; None for a silent part.

    `from_s`, `to_s`: the part on the clock of the recording; `slowed`: both as in `load_tracks`.
    """
    try:
        with _film(path) as container:
            tracks = len(container.streams.audio)
        for number in range(tracks):
            with _film(path) as container:
                container.seek(max(0, round((from_s * slowed - _SEEK_S) * 1e6)))
                span = (from_s * slowed, to_s * slowed)
                blocks, start_s = _timed(container, number, SAMPLE_RATE / slowed, span)
            if blocks:
                return Track(np.concatenate(blocks), start_s / slowed)
    except (DecodingError, av.FFmpegError, UnicodeDecodeError):
        pass  # a replay without its sound is still a replay
    return None


def _film(path: Path) -> av.container.InputContainer:
    try:
        return open_container(path, "ignore")
    except (av.FFmpegError, ForeignFormatError, UnicodeDecodeError) as error:
        raise DecodingError("the sound of the film cannot be read ({why})", why=sentence_of(error)) from error


def _timed(
    container: av.container.InputContainer,
    number: int,
    rate: float,
    span_s: tuple[float, float] = (-math.inf, math.inf),
) -> tuple[list[Wave], float]:
    """Return one track, or its packets that reach into a span, in blocks without gaps, and their start."""
    resampler = av.AudioResampler(format="flt", layout="mono", rate=round(rate))
    blocks: list[Wave] = []
    start_s, ends_s = 0.0, None
    for frame in container.decode(audio=number):
        at_s = frame.time
        if at_s is not None and at_s + frame.samples / frame.sample_rate <= span_s[0]:
            continue
        if at_s is not None and at_s >= span_s[1]:
            break
        if ends_s is None:
            start_s = ends_s = at_s or 0.0
        pause_s = 0.0 if at_s is None else at_s - ends_s
        jitter_s = 0.05  # containers round times to milliseconds, and packets last up to 60 ms
        pause_s = pause_s if pause_s > jitter_s else 0.0
        ends_s += pause_s + frame.samples / frame.sample_rate
        _check_length(round((ends_s - start_s) * rate), round(rate), 1)
        if pause_s:
            blocks.append(np.zeros(round(pause_s * rate), np.float32))
        frame.pts = None
        blocks += [np.float32(block.to_ndarray()).ravel() for block in resampler.resample(frame)]
    blocks += [np.float32(block.to_ndarray()).ravel() for block in resampler.resample(None)]
    return blocks, start_s


def load(path: Path) -> Wave:
    """Return a file's sound with its channels mixed, shape (samples,) at 48 kHz; errors as in `read`."""
    wave, rate = read(path)
    mono = _mixed(wave)
    if not len(mono):
        raise DecodingError("the file holds no sound")
    if rate == SAMPLE_RATE:
        return np.asarray(mono, dtype=np.float32)
    from scipy.signal import resample_poly  # noqa: PLC0415 - slow to load, and films come without

    common = gcd(rate, SAMPLE_RATE)
    return np.asarray(resample_poly(mono, SAMPLE_RATE // common, rate // common), dtype=np.float32)


def read(path: Path) -> tuple[NDArray[np.float32], int]:
    """Return a file's sound unchanged, shape (samples, channels), and its samples per second.

    libsndfile reads most formats by their content; FFmpeg's libraries read the others (AAC) and ignore broken
    tags. Raises DecodingError if neither can read the file, or it is longer than `MOST_S`.
    """
    if not path.stat().st_size:
        raise DecodingError("expected sound, but the file is empty: copy it again")
    try:
        wave, rate = _by_libsndfile(path)
    except soundfile.SoundFileError:
        wave, rate = _by_ffmpeg(path)
    if len(wave) and not float(np.abs(wave).max()) <= _LOUDEST:  # no number is not either
        raise DecodingError(
            "expected samples between -1 and 1, but some are no numbers or beyond {most}: export the sound "
            "anew with 16 or 24 bits",
            most=round(_LOUDEST),
        )
    return wave, rate


def _by_libsndfile(path: Path) -> tuple[NDArray[np.float32], int]:
    lengths = false_length(path)
    whole = nullcontext(path) if lengths is None else Mended(path, lengths)
    with whole as source, soundfile.SoundFile(source) as file:
        _check_rate(file.samplerate)
        _check_length(file.frames, file.samplerate, file.channels)
        return file.read(dtype="float32", always_2d=True), int(file.samplerate)


def _check_rate(rate: int) -> None:
    if rate not in _RATES:
        raise DecodingError(
            "expected {least} to {most} samples per second, got {rate}: export the sound anew",
            least=_RATES[0],
            most=_RATES[-1],
            rate=rate,
        )


def _check_length(samples: int, rate: int, channels: int) -> None:
    """Refuse sound that would fill the memory: headers can lie, and silence compresses well."""
    if samples > MOST_S * rate or samples * channels > MOST_S * SAMPLE_RATE * 2:
        raise DecodingError("the file holds more than {n} hours of sound: cut it up", n=MOST_S // 3600)


def _by_ffmpeg(path: Path) -> tuple[NDArray[np.float32], int]:
    try:
        with open_container(path, "ignore") as container:
            if not container.streams.audio:
                raise DecodingError("the file holds no sound")
            resampler = av.AudioResampler(format="fltp")
            stream = container.streams.audio[0]
            if stream.codec_context is None:
                raise DecodingError("the file's sound has a codec that is not known")
            rate, blocks, samples = int(stream.rate), [], 0
            _check_rate(rate)
            for frame in container.decode(stream):
                for block in resampler.resample(frame):
                    blocks.append(block.to_ndarray().T)
                    samples += len(blocks[-1])
                    _check_length(samples, rate, blocks[-1].shape[1])
    except (av.FFmpegError, ForeignFormatError, UnicodeDecodeError) as error:
        raise DecodingError("the file cannot be read as sound ({why})", why=sentence_of(error)) from error
    wave = np.concatenate(blocks) if blocks else np.zeros((0, 1), np.float32)
    return wave.astype(np.float32), rate


def _mixed(wave: NDArray[np.float32]) -> NDArray[np.float32]:
    """Average the channels, (samples, channels); if they cancel each other, take the loudest one."""
    mono = wave.mean(axis=1)
    levels = np.sqrt(np.mean(wave**2, axis=0)) if len(wave) else np.zeros(wave.shape[1])
    if len(wave) and np.sqrt(np.mean(mono**2)) < _CANCELLED * levels.max():
        return np.asarray(wave[:, int(np.argmax(levels))])
    return np.asarray(mono)


if TYPE_CHECKING:
    from _typeshed import WriteableBuffer as Buffer

_UNSAID: Final = 0xFFFFFFFF
"""The length in the header of a stream, and of RF64, which says it elsewhere; every reader knows both."""


class Lengths(NamedTuple):
    """The bytes of sound in a header and in the file, and where the header says them."""

    said: int
    there: int
    at: int


def false_length(path: Path) -> Lengths | None:
    """Return the lengths of a WAV file if its header is not true; None for every other file."""
    whole = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(12)
        if head[:4] != b"RIFF" or head[8:] != b"WAVE":
            return None
        while len(chunk := file.read(8)) == 8:
            said, at = int.from_bytes(chunk[4:], "little"), file.tell()
            if chunk[:4] == b"data":
                is_true = said == _UNSAID or _ends_well(file, at + said, whole)
                return None if is_true else Lengths(said, whole - at, at - 4)
            file.seek(said + said % 2, io.SEEK_CUR)
    return None


class Mended(io.FileIO):
    """A WAV file whose sound goes on to its end, whatever its header says; nothing is copied."""

    def __init__(self, path: Path, lengths: Lengths) -> None:
        super().__init__(path)
        self._at = lengths.at

    def readinto(self, buffer: Buffer) -> int:
        begins = self.tell()
        count = super().readinto(buffer) or 0
        read = memoryview(buffer).cast("B")
        for place in range(max(begins, self._at), min(begins + count, self._at + 4)):
            read[place - begins] = 0xFF  # `_UNSAID`, byte by byte
        return count


def sentence_of_lengths(lengths: Lengths) -> Sentence:
    """Say what the header promised, what came, and what was done."""
    return Sentence(
        "expected {said} bytes of sound, as the file's header says, but {there} came: the recording or its "
        "copy broke off; everything that is there was heard; if something is missing, copy the file again",
        said=lengths.said,
        there=lengths.there,
    )


def _ends_well(file: BinaryIO, end: int, whole: int) -> bool:
    """Tell whether the file ends with its sound, or another chunk follows that fits into the file."""
    file.seek(end + end % 2)
    following = file.read(8)
    if whole in {end, end + end % 2} or end > whole:
        return end <= whole
    name, size = following[:4], int.from_bytes(following[4:8], "little")
    return name.isascii() and name.decode("ascii").isprintable() and end + end % 2 + 8 + size <= whole
