"""A film from a phone or camera: its length and its frame rate."""

from __future__ import annotations

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
        """Its end on the clock of its pictures."""
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
