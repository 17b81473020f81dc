"""A film from a phone or camera: its length and frame rate, and the progress of the work on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from calibration.files.film_file import open_container
from desk.errors import DeskError
from referee.complaint import sentence_of
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
    try:
        source = VideoSource(path, filmed_fps, may_be_cut=True)
    except VideoError as error:
        raise DeskError(sentence_of(error)) from error
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
