"""The log of a practice: its events, who noted them and when, and whether the disk can still store them."""

from __future__ import annotations

from collections.abc import Callable

from desk.errors import EventLogError
from desk.karuta.engine.engine import Origin
from desk.log.clocks import WallClock, name_stamp, wall_clock
from desk.log.event_log import EventLog, LogEntry
from desk.practice.events import CODEC, PracticeEvent, PracticeOpened
from desk.tables.source_kind import Source


class Record:
    """Writes the log of a practice, empty at first, by the table's clock in nanoseconds.

    Raises EventLogError if the log cannot be written; an unrecorded practice is useless. `is_kept`: whether
    the latest events were stored.
    """

    def __init__(
        self, log: EventLog, opened: PracticeOpened, clock: Callable[[], int], wall: WallClock
    ) -> None:
        self._log, self._clock, self._wall = log, clock, wall
        self.is_kept = True
        self._append(Origin.DESK, opened)

    def note(self, origin: Origin, *events: PracticeEvent) -> bool:
        """Log events, all or none; return whether they were stored."""
        try:
            self._append(origin, *events)
            self.is_kept = True
        except EventLogError:
            self.is_kept = False
        return self.is_kept

    def close(self) -> None:
        self._log.close()

    def _append(self, origin: Origin, *events: PracticeEvent) -> None:
        t_ns, wall = self._clock(), self._wall()
        self._log.append(
            [
                LogEntry(seq, t_ns, wall, origin, *CODEC.encode(event))
                for seq, event in enumerate(events, start=self._log.last_seq + 1)
            ]
        )


def opened_now(source: Source, player: str | None, where: str) -> PracticeOpened:
    """Return the first event of a practice's log, with an id made of the time of day."""
    stamp = name_stamp(wall_clock())
    return PracticeOpened(f"practice_{stamp}", source, player, where)
