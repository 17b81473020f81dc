"""An opened card table: its pictures, its cards and zones, and what its players say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, Literal

from calibration.decks.deck import Deck
from desk.errors import DeskError
from desk.tables.evidence.sound import film_sound
from desk.tables.recording import Declaration
from desk.tables.simulated.scripted_table import ScriptedTable
from desk.tables.source_kind import Source
from desk.tables.table import Table
from referee.complaint import sentence_of
from vision.plane.zones import TableZones
from vision.sources.video_file import VideoError, VideoSource

_USUAL_FPS: Final = 30.0
SourceName = Literal["camera", "video", "simulator"]


@dataclass(frozen=True, slots=True)
class OpenedTable:
    """A card table."""

    open_table: Callable[[], Table]  # opens its pictures, a film from its beginning; raises DeskError
    source: SourceName  # the kind of source, as in the log
    deck: Deck
    zones: TableZones
    words: tuple[Declaration, ...] = ()  # the declarations of a film's or a simulated table's players
    # players, dealer: number of players, and the first dealer; None if nobody has said
    players: int = 2
    dealer: int | None = 0


def filmed_table(path: Path, filmed_fps: float | None) -> Table:
    """Open the film of a recording at its beginning; DeskError if it cannot be played."""
    try:
        video = VideoSource(path, filmed_fps)
    except VideoError as error:
        raise DeskError(sentence_of(error)) from error
    fps = video.nominal_fps * video.slow_motion or _USUAL_FPS
    sound = partial(film_sound, path, slow_motion=video.slow_motion)
    return ScriptedTable(lambda: iter(video), Source.VIDEO, str(path), fps, sound=sound)
