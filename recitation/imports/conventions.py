"""The naming conventions for sound files, and what each file holds by its name."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath

from recitation.reading.phrase import JOKA, Half, Phrase
from referee.sentence import SentenceError

SOUND_ENDINGS = frozenset(
    {".ogg", ".oga", ".opus", ".mp3", ".m4a", ".aac", ".mp4", ".wav", ".flac", ".aif", ".aiff"}
)
_LAST = 100
_ENOUGH = 0.8  # part of a folder's sound files that must fit a convention


class ConventionError(SentenceError, ValueError):
    """No convention fits a folder; the message says what was looked for."""


class Part(StrEnum):
    """The part of a poem that a file holds."""

    KAMI = "kami"
    SHIMO = "shimo"
    WHOLE = "whole"  # both halves, perhaps with the second one twice; the file is split
    KU_1, KU_2, KU_3, KU_4, KU_5 = "ku 1", "ku 2", "ku 3", "ku 4", "ku 5"


_KU = (Part.KU_1, Part.KU_2, Part.KU_3, Part.KU_4, Part.KU_5)
_FIRST_OR_SECOND = {"1": Part.KAMI, "2": Part.SHIMO, "a": Part.KAMI, "b": Part.SHIMO}
_VERSE = {"first": Part.KAMI, "second": Part.SHIMO}

Slot = tuple[int, Part]  # number of the poem (0 for the joka) and the part of it


@dataclass(frozen=True)
class Convention:
    """One way to name files."""

    name: str
    pattern: re.Pattern[str]  # pattern for the whole path inside the folder, without the suffix
    slot: Callable[[re.Match[str]], Slot]

    def read(self, path: PurePosixPath) -> Slot | None:
        """Return what a file holds, or None if its name does not fit."""
        found = self.pattern.fullmatch(path.with_suffix("").as_posix())
        if found is None:
            return None
        poem, part = self.slot(found)
        return (poem, part) if JOKA <= poem <= _LAST else None


def _convention(name: str, pattern: str, slot: Callable[[re.Match[str]], Slot]) -> Convention:
    return Convention(name, re.compile(rf"(?:.*/)?{pattern}"), slot)


CONVENTIONS = (
    _convention("wasuramoti", r"(?:[^/]*_)?(\d{3})_([12])", lambda m: (int(m[1]), _FIRST_OR_SECOND[m[2]])),
    _convention(
        "shuffle100",
        r"(?:(\d{3})([ab])|序歌)",
        lambda m: (int(m[1]), _FIRST_OR_SECOND[m[2]]) if m[1] else (JOKA, Part.WHOLE),
    ),
    _convention(
        "karutasrs-halves", r"(first|second)-verse/poem-(\d{1,3})", lambda m: (int(m[2]), _VERSE[m[1]])
    ),
    _convention("karutasrs-whole", r"(?<!verse/)poem-(\d{1,3})", lambda m: (int(m[1]), Part.WHOLE)),
    _convention("numbered", r"(\d{3})", lambda m: (int(m[1]), Part.WHOLE)),
    _convention("karuta-numbered", r"karuta_(\d{3})", lambda m: (int(m[1]), Part.WHOLE)),
    _convention(
        "karuta-koen-halves", r"recording_(\d{1,3})_([ab])", lambda m: (int(m[1]), _FIRST_OR_SECOND[m[2]])
    ),
    _convention("karuta-koen-whole", r"audio_recording_(\d{1,3})", lambda m: (int(m[1]), Part.WHOLE)),
    _convention("five-ku", r"(\d{1,3})_([0-4])", lambda m: (int(m[1]), _KU[int(m[2])])),
    _convention("kiri-from-zero", r"kiri(\d{2})", lambda m: (int(m[1]) + 1, Part.WHOLE)),
    _convention("book-cd", r"(\d{3})_.*", lambda m: (int(m[1]), Part.WHOLE)),
)


def recognise(paths: Iterable[PurePosixPath]) -> tuple[Convention, Mapping[PurePosixPath, Slot]]:
    """Return the convention that fits most sound files of a folder, and what each fitting file holds.

    Raises ConventionError if there are no sound files, too few fit any convention, or two claim one slot.
    """
    sounds = sorted(path for path in paths if path.suffix.lower() in SOUND_ENDINGS)
    if not sounds:
        raise ConventionError(
            "there are no sound files in the folder ({endings})", endings=", ".join(sorted(SOUND_ENDINGS))
        )
    readings = [(convention, _slots(convention, sounds)) for convention in CONVENTIONS]
    convention, slots = max(readings, key=lambda reading: len(set(reading[1].values())))
    spare = _spare(convention, slots, sounds)
    if len(slots) + spare < _ENOUGH * len(sounds):
        known = ", ".join(own.name for own in CONVENTIONS)
        strange = next(path for path in sounds if path not in slots)
        raise ConventionError(
            "only {named} of {total} sound files are named as a known reader does ({known}); "
            "{strange} is not; rename them, for example to NAME_017_1.ogg for the first half of "
            "poem 17",
            named=len(slots) + spare,
            total=len(sounds),
            known=known,
            strange=strange,
        )
    twice = _twice(slots)
    if twice:
        raise ConventionError(
            "these files claim the same place: {files}; remove one of them", files=", ".join(map(str, twice))
        )
    return convention, slots


def sources(slots: Mapping[PurePosixPath, Slot]) -> dict[Phrase, tuple[PurePosixPath, ...]]:
    """Return the files that make up each half, in order; a file of a whole poem is listed for both halves."""
    by_slot = {slot: path for path, slot in slots.items()}
    found: dict[Phrase, tuple[PurePosixPath, ...]] = {}
    for poem in sorted({poem for poem, _ in by_slot}):
        for half, part, ku in ((Half.KAMI, Part.KAMI, _KU[:3]), (Half.SHIMO, Part.SHIMO, _KU[3:])):
            for parts in ((part,), (Part.WHOLE,), ku):
                if all((poem, one) in by_slot for one in parts):
                    found[Phrase(poem, half)] = tuple(by_slot[poem, one] for one in parts)
                    break
    return found


def _spare(chosen: Convention, slots: Mapping[PurePosixPath, Slot], sounds: Sequence[PurePosixPath]) -> int:
    """Count the spare files: by another convention, whole poems whose halves other files hold already."""
    held = {poem for poem, _ in slots.values()}
    others = {
        path
        for convention in CONVENTIONS
        if convention is not chosen
        for path, (poem, part) in _slots(convention, sounds).items()
        if path not in slots and part is Part.WHOLE and poem in held
    }
    return len(others)


def shifted(slots: Mapping[PurePosixPath, Slot], by: int) -> dict[PurePosixPath, Slot]:
    """Return the slots with `by` added to each number; numbers that are then no poem are left out."""
    return {path: (poem + by, part) for path, (poem, part) in slots.items() if JOKA <= poem + by <= _LAST}


def _slots(convention: Convention, sounds: Sequence[PurePosixPath]) -> dict[PurePosixPath, Slot]:
    read = {path: convention.read(path) for path in sounds}
    return {path: slot for path, slot in read.items() if slot is not None}


def _twice(slots: Mapping[PurePosixPath, Slot]) -> list[PurePosixPath]:
    seen: dict[Slot, PurePosixPath] = {}
    for path, slot in slots.items():
        if slot in seen:
            return [seen[slot], path]
        seen[slot] = path
    return []
