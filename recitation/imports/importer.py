"""Making a voice pack from a folder of recordings, or a report of what prevents it."""

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from functools import lru_cache
from itertools import islice
from pathlib import Path, PurePosixPath
from statistics import median
from typing import Any

import numpy as np

from calibration.files.folders import listed
from recitation.imports.conventions import ConventionError, Part, Slot, recognise, shifted, sources
from recitation.imports.decoding import DecodingError, load
from recitation.imports.wording import Wording
from recitation.listening.hearing import EVERY_PHRASE
from recitation.reading.phrase import JOKA, Half, Phrase
from recitation.reading.plan import SAMPLE_RATE, samples
from recitation.reading.rhythm import AS_RECORDED
from recitation.sound.clip import Clip, MoraMark, Wave
from recitation.sound.loudness import levelled
from recitation.sound.trimming import is_clipped, stretches
from recitation.voices.catalogue import pack_path
from recitation.voices.pack import clip_name, writing_pack

_COMPRESSION = 0.8
_SHORTEST_S, _LONGEST_S = 2.0, 20.0
_USUAL_RATIO = 1.6
"""A half is suspect if it is longer, or shorter, than the reader's usual one by this factor."""
_LISTEN_FIRST = 8  # number of halves from which the reader is learnt
_KU_GAP_S = 0.06
_FADE_S = 0.01


class Stage(StrEnum):
    """What is being done with the halves."""

    CHECKING = "checking"
    WRITING = "writing"


Progress = Callable[[Stage, int, int], None]
"""Called with a stage, the number of halves that it has processed, and the total."""


@dataclass(frozen=True)
class Problem:
    """Something wrong with a file. If it is `fatal`, the voice is not imported."""

    file: str
    what: str
    fatal: bool = True


@dataclass
class ImportReport:
    """The findings about a folder."""

    convention: str | None = None  # name of the naming convention, or None if no convention fits
    clips: int = 0  # number of usable halves
    # halves that no file holds, as clip names such as `017_1`
    missing: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    lengths_s: dict[str, float] = field(default_factory=dict)  # median length of the first and second halves
    heard: int = 0  # number of halves that were recognised as what their names say
    imported: bool = False  # whether the voice was written

    @property
    def is_fit(self) -> bool:
        """True if all hundred poems exist and nothing fatal was found; the joka may be missing."""
        poems_missing = [name for name in self.missing if not name.startswith(f"{JOKA:03d}_")]
        return (
            self.convention is not None and not poems_missing and not any(one.fatal for one in self.problems)
        )

    def as_json(self) -> dict[str, Any]:
        """Return the report in the format of `shinpan voices import --json`."""
        return asdict(self)


def import_voice(
    folder: Path,
    name: str,
    voices: Path,
    *,
    check_only: bool = False,
    progress: Progress = lambda _stage, _done, _total: None,
) -> ImportReport:
    """Check a folder of recordings and make a voice of it.

    Returns: nothing is written unless the report is fit: a voice is never half imported.

    `voices`: folder of the packs; made if needed. `check_only`: report without writing.
    """
    report = ImportReport()
    paths = [
        PurePosixPath(path.relative_to(folder).as_posix())
        for path in listed(folder, "**/*")
        if path.is_file()
    ]
    try:
        convention, slots = recognise(paths)
    except ConventionError as error:
        report.problems.append(Problem(str(folder), str(error)))
        return report
    report.convention = convention.name
    wording = Wording()
    slots = _numbered_right(folder, slots, wording, report)
    held = sources(slots)
    report.missing = [clip_name(phrase) for phrase in EVERY_PHRASE if phrase not in held]
    halves = _Halves(folder, slots, report, wording)
    checks = _Checks(report, held, wording)
    for phrase, wave in _counted(halves.of(held), Stage.CHECKING, len(held), progress):
        checks.take(phrase, wave)
    checks.finish()
    # read the files again rather than keep half an hour of sound in memory
    again = _Halves(folder, slots, ImportReport(), wording)
    if report.is_fit and not check_only:
        voices.mkdir(parents=True, exist_ok=True)
        with writing_pack(pack_path(name, AS_RECORDED, voices), name, AS_RECORDED, _COMPRESSION) as pack:
            for phrase, wave in _counted(again.of(held), Stage.WRITING, len(held), progress):
                pack.add(phrase, Clip(levelled(wave).astype(np.float32), checks.moras.get(phrase, ())))
        report.imported = True
    return report


def _counted(
    halves: Iterable[tuple[Phrase, Wave]], stage: Stage, total: int, progress: Progress
) -> Iterator[tuple[Phrase, Wave]]:
    """Iterate over halves and report the progress after each."""
    progress(stage, 0, total)
    for done, half in enumerate(halves, 1):
        yield half
        progress(stage, done, total)
    progress(stage, total, total)  # refused halves are done, too


def _numbered_right(
    folder: Path, slots: Mapping[PurePosixPath, Slot], wording: Wording, report: ImportReport
) -> Mapping[PurePosixPath, Slot]:
    """Learn the reader from a few halves, and correct the numbers if the files count the poems from 0."""
    some = dict(islice(sources(slots).items(), _LISTEN_FIRST))
    # the numbers may still be wrong, so these cuts are not remembered
    heard = list(_Halves(folder, slots, ImportReport(), Wording()).of(some))
    wording.learn(wave for _, wave in heard)
    verdicts = [(phrase, wording.verdict(phrase, wave)) for phrase, wave in heard]
    instead = [(phrase, own.instead) for phrase, own in verdicts if own.instead is not None]
    from_zero = [other == Phrase(phrase.poem + 1, phrase.half) for phrase, other in instead]
    if len(from_zero) < _LISTEN_FIRST / 2 or not all(from_zero) or any(own.agrees for _, own in verdicts):
        return slots
    what = "the files count the poems from 0: each was taken for the poem after its number"
    report.problems.append(Problem(str(folder), what, fatal=False))
    return shifted(slots, 1)


@dataclass
class _Checks:
    """The checks of every half: its words, its length, and whether it is a copy of another half."""

    report: ImportReport
    held: Mapping[Phrase, tuple[PurePosixPath, ...]]
    wording: Wording
    moras: dict[Phrase, tuple[MoraMark, ...]] = field(default_factory=dict)
    _lengths: dict[Phrase, int] = field(default_factory=dict)
    _first: dict[str, Phrase] = field(default_factory=dict)
    _agrees: set[Phrase] = field(default_factory=set)

    def take(self, phrase: Phrase, wave: Wave) -> None:
        self._lengths[phrase] = len(wave)
        verdict = self.wording.verdict(phrase, wave)
        print_of_sound = hashlib.sha256(wave.tobytes()).hexdigest()
        same = self._first.setdefault(print_of_sound, phrase)
        if verdict.agrees:
            self._agrees.add(phrase)
            self.moras[phrase] = verdict.moras
        if same != phrase and not verdict.agrees:
            self._accuse(phrase, f"the {phrase} is the same sound as the {same} ({self.held[same][0]})")
        elif verdict.instead is not None:
            self._accuse(phrase, f"the {phrase} was expected, but the {verdict.instead} is heard")

    def finish(self) -> None:
        """Compare the halves with one another."""
        self.report.clips = len(self._lengths)
        self.report.heard = len(self._agrees)
        _compare_lengths(self._lengths, self._agrees, self.held, self.report)

    def _accuse(self, phrase: Phrase, what: str) -> None:
        self.report.problems.append(Problem(str(self.held[phrase][0]), what))


@dataclass
class _Halves:
    """Cuts halves out of files and notes problems of the files."""

    folder: Path
    slots: Mapping[PurePosixPath, Slot]
    report: ImportReport
    wording: Wording

    def __post_init__(self) -> None:
        self._cut = lru_cache(maxsize=4)(self._pieces)

    def of(self, held: Mapping[Phrase, tuple[PurePosixPath, ...]]) -> Iterator[tuple[Phrase, Wave]]:
        for phrase, files in held.items():
            pieces = [self._piece(path, phrase.half) for path in files]
            if all(piece is not None for piece in pieces):
                yield phrase, _joined([piece for piece in pieces if piece is not None])

    def _piece(self, path: PurePosixPath, half: Half) -> Wave | None:
        pieces = self._cut(path)
        if not pieces:
            return None
        return pieces[0] if half is Half.KAMI or self.slots[path][1] is not Part.WHOLE else pieces[1]

    def _pieces(self, path: PurePosixPath) -> list[Wave]:
        """Return the halves in a file: one, or both if it holds a whole poem."""
        try:
            wave = load(self.folder / path)
        except DecodingError as error:
            return self._refuse(path, str(error))
        found = stretches(wave)
        if not found:
            return self._refuse(path, "the file is silent")
        if is_clipped(wave):
            self.report.problems.append(
                Problem(str(path), "the recording is clipped (too loud)", fatal=False)
            )
        if self.slots[path][1] is not Part.WHOLE:
            return [wave[found[0][0] : found[-1][1]]]
        # a reader may pause longer within a half than between the two, so the words say where to cut
        by_words = self.wording.halves(wave[found[0][0] : found[-1][1]], self.slots[path][0])
        if by_words:
            return by_words
        if len(found) not in {2, 3}:
            return self._refuse(
                path,
                f"expected both halves and silence between, perhaps the second twice, got {len(found)} parts",
            )
        return [wave[first:last] for first, last in found[:2]]

    def _refuse(self, path: PurePosixPath, what: str) -> list[Wave]:
        self.report.problems.append(Problem(str(path), what))
        return []


def _joined(pieces: list[Wave]) -> Wave:
    """Join the ku of a half with the short gap that readers make, and fade their edges."""
    gap = np.zeros(samples(_KU_GAP_S), np.float32)
    parts = [part for piece in pieces for part in (piece, gap)][:-1]
    wave = np.concatenate(parts)
    fade = np.linspace(0.0, 1.0, samples(_FADE_S), dtype=np.float32)
    wave[-len(fade) :] *= fade[::-1]
    return wave


def _compare_lengths(
    lengths: Mapping[Phrase, int],
    heard: Collection[Phrase],
    held: Mapping[Phrase, tuple[PurePosixPath, ...]],
    report: ImportReport,
) -> None:
    """Report halves of an unusual length, unless the right words were heard in them."""
    for half in Half:
        own = {phrase: count / SAMPLE_RATE for phrase, count in lengths.items() if phrase.half is half}
        if not own:
            continue
        usual_s = median(own.values())
        report.lengths_s[half] = round(usual_s, 3)
        for phrase, length_s in own.items():
            usual = usual_s / _USUAL_RATIO <= length_s <= usual_s * _USUAL_RATIO
            excused = phrase.poem == JOKA or phrase in heard
            if not (_SHORTEST_S <= length_s <= _LONGEST_S and (usual or excused)):
                what = (
                    f"the {phrase} lasts {length_s:.1f} s, this reader's usual {half} lasts {usual_s:.1f} s"
                )
                report.problems.append(Problem(str(held[phrase][0]), what))
