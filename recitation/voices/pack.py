"""A voice on disk: one ZIP file with Ogg clips and an index of every mora.

The clips are named as in a well-known reading app (`017_1.ogg`: poem 17, first half; 000 is the joka), so
that other reading programs can play the unzipped folder.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import soundfile

from calibration.files import json_text
from calibration.files.archive import read_member
from calibration.files.storage import writing
from recitation.reading.phrase import Half, Phrase
from recitation.reading.plan import SAMPLE_RATE
from recitation.reading.rhythm import Rhythm, parse_rhythm
from recitation.sound.clip import Clip, MoraMark, Wave
from referee.complaint import sentence_of
from referee.sentence import Sentence, SentenceError

INDEX = "pack.json"
FORMAT = 1
_ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)  # a pack's bytes depend on its clips, not on when it was written
_PEAK = 0.97
_MORE_BITS = 0.03
_ZIP_ERRORS = (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError)
"""What Python's reader raises for a damaged archive, or for an unknown compression."""
_DIGIT = {Half.KAMI: 1, Half.SHIMO: 2}


class PackError(SentenceError, ValueError):
    """A voice pack that cannot be used; the message says what is wrong with which file."""


def clip_name(phrase: Phrase) -> str:
    """Return the name of a phrase's clip without its ending, such as `017_1`."""
    return f"{phrase.poem:03d}_{_DIGIT[phrase.half]}"


def phrase_of(name: str) -> Phrase:
    """Return the phrase of a clip's name; the inverse of `clip_name`."""
    poem, digit = name.split("_")
    return Phrase(int(poem), next(half for half, own in _DIGIT.items() if own == int(digit)))


@dataclass(frozen=True)
class VoicePack:
    """An open pack: the index is in memory, clips are decoded on demand."""

    path: Path
    voice: str
    rhythm: Rhythm  # the rhythm that it was made for, or `as recorded`
    # for each clip name `samples`, `moras` and the maker's notes
    index: Mapping[str, Mapping[str, Any]] = field(repr=False)

    @classmethod
    def open(cls, path: Path) -> VoicePack:
        """Read a pack's index; PackError if the file is not a pack, or comes from a newer program."""
        try:
            with zipfile.ZipFile(path) as archive:
                index = json_text.parse(_member(archive, INDEX))
            version = index["format"]
            if version == FORMAT:
                return cls(path, str(index["voice"]), parse_rhythm(index["rhythm"]), _clips(index["clips"]))
        except (OSError, KeyError, ValueError, TypeError, AttributeError, *_ZIP_ERRORS) as error:
            raise PackError(
                "{path} is not a voice pack ({error}); import or install the voice again",
                path=path,
                error=sentence_of(error),
            ) from error
        raise PackError(
            "{path}: expected pack format {format}, got {version!r}; update the program",
            path=path,
            format=FORMAT,
            version=version,
        )

    def __contains__(self, phrase: Phrase) -> bool:
        return clip_name(phrase) in self.index

    def __iter__(self) -> Iterator[Phrase]:
        return (phrase_of(name) for name in self.index)

    def samples(self, phrase: Phrase) -> int:
        """Return a clip's length without decoding it."""
        return int(self._entry(phrase)["samples"])

    def moras(self, phrase: Phrase) -> tuple[MoraMark, ...]:
        """Return where a clip's moras begin."""
        return tuple(MoraMark(kana, sample) for kana, sample in self._entry(phrase).get("moras", ()))

    def clip(self, phrase: Phrase) -> Clip:
        """Decode one clip.

        Raises PackError if the pack lacks the clip, or the clip is not as long as the index says.
        """
        expected = self.samples(phrase)
        try:
            with zipfile.ZipFile(self.path) as archive:
                wave = decoded(_member(archive, f"{clip_name(phrase)}.ogg"))
        except (OSError, KeyError, ValueError, soundfile.SoundFileError, *_ZIP_ERRORS) as error:
            raise PackError(
                "{path}: the clip of the {phrase} is damaged ({error})",
                path=self.path,
                phrase=phrase,
                error=sentence_of(error),
            ) from error
        if len(wave) != expected:
            raise PackError(
                "{path}: expected {expected} samples for the {phrase}, got {wave}; import or install the "
                "voice again",
                path=self.path,
                expected=expected,
                phrase=phrase,
                wave=len(wave),
            )
        return Clip(wave, self.moras(phrase))

    def _entry(self, phrase: Phrase) -> Mapping[str, Any]:
        if phrase not in self:
            raise PackError("{name} has no clip of the {phrase}", name=self.path.name, phrase=phrase)
        return self.index[clip_name(phrase)]


@dataclass
class PackWriter:
    """Collects clips for a pack; made by `writing_pack`."""

    archive: zipfile.ZipFile
    compression: float
    clips: dict[str, dict[str, Any]] = field(default_factory=dict)

    def add(self, phrase: Phrase, clip: Clip, **notes: Any) -> None:
        """Encode a clip (Opus) and note its moras; `notes` go into the index unchanged."""
        name = clip_name(phrase)
        data = _encoded_without_clipping(clip.wave, self.compression)
        self.archive.writestr(zipfile.ZipInfo(f"{name}.ogg", _ZIP_EPOCH), data)
        self.clips[name] = {"samples": clip.samples, "moras": [list(mark) for mark in clip.moras], **notes}


@contextmanager
def writing_pack(path: Path, voice: str, rhythm: Rhythm, compression: float) -> Iterator[PackWriter]:
    """Write a pack; nothing appears under `path` unless the block ends well.

    `compression`: 0 (about 250 kbit/s) to 1 (6 kbit/s).
    """
    with writing(path) as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        writer = PackWriter(archive, compression)
        yield writer
        index = {"format": FORMAT, "voice": voice, "rhythm": str(rhythm), "clips": writer.clips}
        text = json.dumps(index, ensure_ascii=False, separators=(",", ":"))
        info = zipfile.ZipInfo(INDEX, _ZIP_EPOCH)
        info.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(info, text)


def _member(archive: zipfile.ZipFile, name: str) -> bytes:
    """Return a member's bytes, up to a size limit: packs come from other people and may be zip bombs."""
    return read_member(archive, name, 16 << 20)


def _clips(index: Any) -> Mapping[str, Mapping[str, Any]]:
    for name, entry in index.items():
        if type(entry["samples"]) is not int:
            raise ValueError(Sentence("the clip {name} has no length", name=name))
    return dict(index)


def _encoded_without_clipping(wave: Wave, compression: float) -> bytes:
    """Encode a wave with more bits until it does not clip: the codec sometimes overshoots."""
    data = encoded(wave, compression)
    while compression > 0 and np.abs(decoded(data)).max() > _PEAK:
        compression = max(compression - _MORE_BITS, 0.0)
        data = encoded(wave, compression)
    return data


def decoded(data: bytes) -> Wave:
    """Return an Ogg file's wave; PackError if it is not mono sound at 48 kHz."""
    with soundfile.SoundFile(io.BytesIO(data)) as file:
        longest_s = 300
        if file.frames > longest_s * file.samplerate:
            raise PackError(
                "expected a clip of at most {longest_s} s, got {frames} samples",
                longest_s=longest_s,
                frames=file.frames,
            )
        wave, rate = file.read(dtype="float32"), file.samplerate
    if rate != SAMPLE_RATE or wave.ndim != 1:
        raise PackError(
            "expected mono sound at {sample_rate} Hz, got shape {shape} at {rate} Hz",
            sample_rate=SAMPLE_RATE,
            shape=wave.shape,
            rate=rate,
        )
    return np.asarray(wave, dtype=np.float32)


def encoded(wave: Wave, compression: float) -> bytes:
    """Return a wave as an Ogg Opus file of exactly the same length."""
    file = io.BytesIO()
    soundfile.write(file, wave, SAMPLE_RATE, format="OGG", subtype="OPUS", compression_level=compression)
    return file.getvalue()
