"""Opened tables: of a card game with cards, zones and words, and recordings played as if they were live."""

from collections.abc import Callable, Collection, Iterator, Sequence
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
from recitation.sound.recent_sound import TimedSound
from referee.facts import Gap, KimarijiCompleted, PoemStarted
from vision.frames.frame import Frame
from vision.plane.zones import TableZones
from vision.recordings.recording import JOKA, Recording, RecordingError, load_recording
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
    with DeskError.wrapping("", VideoError):
        video = VideoSource(path, filmed_fps)
    fps = video.nominal_fps * video.slow_motion or _USUAL_FPS
    sound = partial(film_sound, path, slow_motion=video.slow_motion)
    return ScriptedTable(lambda: iter(video), Source.VIDEO, str(path), fps, sound=sound)


Doubt = Callable[[Recording, VideoSource, PoemStarted], Gap | None]
"""Function that returns what a film leaves in doubt about a poem, None for nothing."""


@dataclass(frozen=True, slots=True)
class RecordedPoem:
    """A poem of a recording, of which only the first sound is known."""

    start: PoemStarted
    t_ku_ns: Sequence[int] = ()

    def decided(self, unread: Collection[int]) -> KimarijiCompleted | None:  # noqa: ARG002 (see `Cue`)
        """Return None: a recording does not tell the rhythm of the reading."""
        return None


def recorded_table(folder: Path, speed: float = 1.0, doubt_of: Doubt | None = None) -> ScriptedTable:
    """Return a table that plays a recording of karuta; DeskError if there is none to play."""
    with DeskError.wrapping("", RecordingError, VideoError):
        recording = load_recording(folder)
        if recording.game != "karuta":
            raise DeskError(
                "{folder} is a recording of {game}; this referees karuta", folder=folder, game=recording.game
            )
        video = VideoSource(recording.video, recording.filmed_fps, may_be_cut=True)
    fps = recording.fps_nominal or video.nominal_fps * video.slow_motion or 30.0
    return ScriptedTable(
        lambda: _happenings(recording, video, doubt_of),
        Source.VIDEO,
        str(folder.resolve()),
        fps,
        speed,
        sound=partial(_sound, recording, video),
    )


def _sound(recording: Recording, video: VideoSource, from_ns: int, to_ns: int) -> TimedSound | None:
    """Return what was heard from an instant of the video to another: beside the field, else by the camera."""
    audio = recording.audio
    if audio is None:
        return film_sound(video.path, from_ns, to_ns, video.slow_motion)
    sound = film_sound(audio.path, from_ns - audio.start_ns, to_ns - audio.start_ns)
    return None if sound is None else sound._replace(t_ns=sound.t_ns + audio.start_ns)


def _happenings(
    recording: Recording, video: VideoSource, doubt_of: Doubt | None
) -> Iterator[Frame | Gap | RecordedPoem]:
    upcoming = [reading for reading in recording.readings if reading.poem != JOKA]
    cuts_ns = list(video.cuts_ns)
    for frame in video:
        if cuts_ns and cuts_ns[0] <= frame.t_ns:
            yield Gap(cuts_ns[0], cuts_ns.pop(0) + 1, "film_cut")
        while upcoming and upcoming[0].t_ns <= frame.t_ns:
            reading = upcoming.pop(0)
            start = PoemStarted(reading.poem, reading.t_ns, reading.t_unc_ns)
            yield RecordedPoem(start)
            if doubt_of is not None and (doubted := doubt_of(recording, video, start)) is not None:
                yield doubted
        yield frame
