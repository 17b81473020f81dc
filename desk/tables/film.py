"""The film of a card table, played from beginning to end together with its declarations."""

import time
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desk.errors import DeskError
from desk.tables.recording import Declaration
from referee.sentence import Sentence
from vision.frames.frame import Frame
from vision.plane.table_plane import MARKER_PLACES
from vision.sources.video_file import VideoError, VideoSource

_LINGERS_NS = 3_000_000_000


@dataclass(frozen=True, slots=True)
class FilmStats:
    """Statistics of watching a film."""

    frames: int
    video_s: float  # seconds from the first picture to the last
    cpu_s: float  # CPU time in seconds
    unheard: int = 0  # number of declarations long after the last picture, which are left out

    def line(self, failures: Sequence[str] = ()) -> dict[str, Any]:
        """Return the `stats` of a judged recording, with the failures of eye and scribe if there are any."""
        hint = Sentence(
            "{n} lines of declarations.jsonl lie after the film's end and were left out: their times are "
            "those of the film",
            n=self.unheard,
        )
        return {
            **({"eye_failed": list(dict.fromkeys(failures))} if failures else {}),
            **({"hint": hint} if self.unheard else {}),
            "frames": self.frames,
            "video_s": round(self.video_s, 3),
            "cpu_s": round(self.cpu_s, 3),
            "cpu_s_per_video_s": round(self.cpu_s / max(self.video_s, 1e-9), 4),
        }


class TableFilm:
    """The pictures of a film, each with the declarations since the previous one."""

    def __init__(
        self,
        video: Path,
        filmed_fps: float | None,
        declarations: Sequence[Declaration],
        watched: Callable[[int], None] | None = None,
    ) -> None:
        self._started_ns = time.process_time_ns()
        self._video, self._filmed_fps, self._watched = video, filmed_fps, watched
        self._waiting = list(declarations)
        self._frames, self._first_ns, self._last_ns = 0, 0, 0

    def __iter__(self) -> Iterator[tuple[Frame, list[Declaration]]]:
        """Yield every picture with the declarations up to it; DeskError if the film cannot be read."""
        with DeskError.wrapping("", VideoError):
            for frame in VideoSource(self._video, self._filmed_fps):
                if not self._frames:
                    self._first_ns = frame.t_ns
                self._frames, self._last_ns = self._frames + 1, frame.t_ns
                if self._watched is not None:
                    self._watched(frame.t_ns)
                yield frame, self._declared_until(frame.t_ns)

    def end(self, *, table_was_seen: bool, markers: Set[int] = frozenset()) -> list[Declaration]:
        """Return the declarations just after the end; DeskError if the table was never seen."""
        if not table_was_seen:
            raise DeskError(
                "{video}: the table was never seen: {why}", video=self._video, why=_unseen(markers)
            )
        return self._declared_until(self._last_ns + _LINGERS_NS)

    @property
    def stats(self) -> FilmStats:
        cpu_s = (time.process_time_ns() - self._started_ns) / 1e9
        return FilmStats(self._frames, (self._last_ns - self._first_ns) / 1e9, cpu_s, len(self._waiting))

    def _declared_until(self, t_ns: float) -> list[Declaration]:
        due = []
        while self._waiting and self._waiting[0].t_ms * 1e6 <= t_ns:
            due.append(self._waiting.pop(0))
        return due


def _unseen(markers: Set[int]) -> str:
    """Return the advice for a table of which only these markers were seen together."""
    missing = [
        f"marker {number}, {place}" for number, place in enumerate(MARKER_PLACES) if number not in markers
    ]
    if not missing:
        return (
            "its markers lie elsewhere than size in [table] says: measure from outer corner to outer corner"
        )
    if markers:
        return (
            f"{'; '.join(missing)} not found: put every marker into its corner, flat and in even light, and "
            "keep hands away for a moment"
        )
    return (
        "its four markers (4x4 ArUco, numbers 0 to 3 clockwise from the upper left) must be in view while "
        "nothing moves"
    )
