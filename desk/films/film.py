"""A film from a phone or camera: its length and rate, the progress of work on it, and a recording of it.

A recording is a folder that reproduces the film's rulings.
"""

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory

from calibration.files.film_file import open_container
from calibration.files.storage import keep_text
from desk.errors import DeskError
from referee.complaint import sentence_of
from vision.recordings.recording import FORMAT, HEAD, RecordedReading
from vision.sources.video_file import VideoError, VideoSource

MOST_PLAYERS = 4  # largest number of players at a card table


@dataclass(frozen=True, slots=True)
class Seats:
    """Number of players at a card table, and first dealer (seat, from 0); None if nobody has said."""

    players: int | None = None
    dealer: int | None = None


class Ask(StrEnum):
    """What a person is asked about a film."""

    GAME = "game"
    DECK = "deck"
    PLAYERS = "players"
    POEMS = "poems"
    RATE = "rate"  # the frame rate at which it was filmed


class OpenQuestionError(DeskError):
    """A film cannot be judged until a person answers a question about it."""

    def __init__(self, text: str, ask: Ask, /, **values: object) -> None:
        super().__init__(text, **values)
        self.ask = ask


@dataclass(frozen=True, slots=True)
class Film:
    """A film."""

    path: Path
    filmed_fps: float | None  # pictures per second at which it was filmed, if a person said so
    usual_fps: float  # pictures per second of the file's own time
    slow_motion: float  # factor by which the file's times are stretched
    length_ns: int
    # its beginning on the clock of its pictures; not 0 for camcorders, which count on from film to film
    begins_ns: int = 0

    @property
    def ends_ns(self) -> int:
        return self.begins_ns + self.length_ns

    def pictures(self) -> VideoSource:
        return VideoSource(self.path, self.filmed_fps, may_be_cut=True)


def open_film(path: Path, filmed_fps: float | None = None) -> Film:
    """Read the properties of a film from its container; DeskError if it cannot be read as a film."""
    with DeskError.wrapping("", VideoError):
        source = VideoSource(path, filmed_fps, may_be_cut=True)
    with open_container(path) as container:
        length_us, begins_us = container.duration or 0, max(0, container.start_time or 0)
    length_ns, begins_ns = (round(us * 1000 / source.slow_motion) for us in (length_us, begins_us))
    return Film(path, filmed_fps, source.usual_fps, source.slow_motion, length_ns, begins_ns)


class Stage(StrEnum):
    """The stage of the work."""

    LISTENING = "listening"
    LOOKING = "looking"  # looking for the plays of a film whose sound does not help
    JUDGING = "judging"


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a stage."""

    stage: Stage
    share: float  # part of the film that is done, 0..1
    left_s: float | None  # remaining time of the stage at this pace in seconds, None if unknown


class Pacer:
    """Turns instants of a film into progress. `clock_s`: a clock in seconds, such as `time.monotonic`."""

    def __init__(self, tell: Callable[[Progress], None], clock_s: Callable[[], float]) -> None:
        self._tell, self._clock_s = tell, clock_s
        self._told_s = -1.0

    def begin(self, stage: Stage, length_ns: int, begins_ns: int = 0) -> Callable[[int], None]:
        """Begin a stage; return a function that takes the instants of a film of this length and beginning."""
        began_s = self._clock_s()
        self._tell(Progress(stage, 0.0, None))
        every_s, least_share = 0.2, 0.02

        def watched(t_ns: int) -> None:
            now_s = self._clock_s()
            if now_s - self._told_s < every_s:
                return
            self._told_s = now_s
            share = min(1.0, max(0.0, (t_ns - begins_ns) / length_ns)) if length_ns else 0.0
            known = share >= least_share
            left_s = (now_s - began_s) * (1 - share) / share if known else None
            self._tell(Progress(stage, share, left_s))

        return watched


def check_new(folder: Path, film: Film) -> None:
    """Raise DeskError if a recording cannot be written into a folder, before minutes of judging are lost."""
    with DeskError.wrapping(
        "{folder} cannot be written ({why}): name another folder for the recording of {film}",
        OSError,
        folder=folder,
        film=film.path.name,
    ):
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise DeskError(
                "{folder} is not empty: name a new folder for the recording of {film}",
                folder=folder,
                film=film.path.name,
            )
        there = next(path for path in folder.absolute().parents if path.exists())
        with TemporaryDirectory(prefix=".shinpan-", dir=there):
            pass


def write_down(
    folder: Path,
    film: Film,
    game: str,
    *,
    readings: Sequence[RecordedReading] = (),
    head: str = "",
    sections: str = "",
) -> None:
    """Write a film's recording with its readings in order of time; karuta needs at least one.

    `head`, `sections`: further lines of `recording.toml`, before its sections and after them.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if readings:
        keep_text(folder / "reading.jsonl", "".join(f"{_line(one)}\n" for one in readings))
    fps = film.usual_fps * film.slow_motion
    filmed = f"filmed_fps = {film.filmed_fps!r}\n" if film.filmed_fps else ""
    camera = f"\n[camera]\n{f'fps = {fps:.3f}' if fps else ''}\n{filmed}"  # an unknown rate is left out
    text = f'format = {FORMAT}\ngame = "{game}"\nvideo = {json.dumps(film.path.name, ensure_ascii=False)}\n'
    keep_text(folder / HEAD, f"{text}{head}{camera}{sections}")


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """Yield a temporary folder, and move it to its place if the block ends well; otherwise remove it."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=".shinpan-", dir=folder.parent))
    try:
        yield made
        made.chmod(0o755)  # a temporary folder is readable for its owner only
        if folder.is_dir():
            folder.rmdir()  # it is empty
        made.rename(folder)
    finally:
        shutil.rmtree(made, ignore_errors=True)


@contextmanager
def lent_folder(film: Film, *paths: Path) -> Iterator[Path]:
    """Yield a temporary folder for a recording of a film; errors raised inside name the film itself."""
    with TemporaryDirectory(prefix="shinpan-film-") as name:
        folder = Path(name)
        bring(folder, film.path, *paths, lent=True)
        try:
            yield folder
        except DeskError as error:
            raise DeskError(
                sentence_of(error).replacing(str(folder / film.path.name), str(film.path))
            ) from error


def bring(folder: Path, *paths: Path, lent: bool = False) -> None:
    """Put a film, and a deck that is not enrolled, into a recording's folder.

    `lent`: whether symbolic links suffice, valid as long as the files stay in place; otherwise they are
    hard-linked or, if the disk cannot, copied.
    """
    for path in paths:
        target = folder / path.name
        for way in (os.symlink, os.link, _copy) if lent else (os.link, _copy):
            try:
                way(path.resolve(), target)
                break
            except OSError:
                if way is _copy:
                    raise


def _copy(path: Path, target: Path) -> None:
    if path.is_dir():
        shutil.copytree(path, target)
    else:
        shutil.copyfile(path, target)


def _line(reading: RecordedReading) -> str:
    line: dict[str, object] = {"t_ms": reading.t_ms, "poem": reading.poem, "t_unc_ms": reading.t_unc_ms}
    if reading.doubt:
        line["doubt"] = reading.doubt
    if reading.confidence < 1:
        line["confidence"] = reading.confidence
    return json.dumps(line)
