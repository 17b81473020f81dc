"""A film as it comes from a phone: how long it is, and how fast it was filmed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Literal

import av

from desk.errors import DeskError
from vision.sources.video_file import VideoError, VideoSource

Game = Literal["karuta", "koikoi", "kendo"]

MOST_PLAYERS = 4
"""Of Koi-Koi."""


@dataclass(frozen=True, slots=True)
class Seats:
    """How many play Koi-Koi, and which seat deals first, from 0; None where nobody has said."""

    players: int | None = None
    dealer: int | None = None


class Ask(StrEnum):
    """What a person is asked for who knows more than the film tells."""

    GAME = "game"
    DECK = "deck"
    PLAYERS = "players"
    POEMS = "poems"
    RATE = "rate"
    """How many pictures a second were filmed."""


class OpenQuestionError(DeskError):
    """A film that cannot be judged unless a person says something about it.

    Attributes
    ----------
    ask : what.
    """

    def __init__(self, text: str, ask: Ask) -> None:
        super().__init__(text)
        self.ask = ask


@dataclass(frozen=True, slots=True)
class Film:
    """A film.

    Attributes
    ----------
    path : the file.
    filmed_fps : how many pictures a second were filmed, where a person said so.
    usual_fps : how many come a second of the file's own time.
    slow_motion : by how much the file's times are stretched against what was filmed.
    length_ns : its length, in the time in which it was filmed.
    begins_ns : the instant at which it begins on the clock of its pictures: camcorders count on from one film
        to the next.
    """

    path: Path
    filmed_fps: float | None
    usual_fps: float
    slow_motion: float
    length_ns: int
    begins_ns: int = 0

    @property
    def ends_ns(self) -> int:
        """The instant at which it ends."""
        return self.begins_ns + self.length_ns

    def pictures(self) -> VideoSource:
        """Return its pictures."""
        return VideoSource(self.path, self.filmed_fps, may_be_cut=True)


def open_film(path: Path, filmed_fps: float | None = None) -> Film:
    """Look at what a film's container tells.

    Raises
    ------
    DeskError
        Where it cannot be read as a film.
    """
    try:
        source = VideoSource(path, filmed_fps, may_be_cut=True)
    except VideoError as error:
        raise DeskError(str(error)) from error
    with av.open(f"file:{path}", metadata_errors="replace") as container:
        length_us, begins_us = container.duration or 0, max(0, container.start_time or 0)
    length_ns, begins_ns = (round(us * 1000 / source.slow_motion) for us in (length_us, begins_us))
    return Film(path, filmed_fps, source.usual_fps, source.slow_motion, length_ns, begins_ns)
