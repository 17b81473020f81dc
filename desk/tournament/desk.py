"""The one writer of a tournament: it asks the rules, writes the log, then informs listeners."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from pathlib import Path
from typing import get_args

from desk.errors import DeskError
from desk.log.clocks import Clock, WallClock, match_clock, wall_clock
from desk.log.event_codec import EventCodec, EventShape, Payload
from desk.log.event_log import EventLog, LogEntry
from desk.log.fanout import Fanout
from referee.tournament.events import DivisionOpened, Event, TournamentOpened
from referee.tournament.state import RefusedError
from referee.tournament.tournament import apply, begin, replayed


def _ranked_as_before(opened: Payload) -> Payload:
    """Keep the tie-breaks by which earlier versions ranked a class that they opened."""
    return {**opened, "division": {**opened["division"], "virtual_opponents": False}}


TOURNAMENT_CODEC = EventCodec(
    EventShape(event, 2, {1: _ranked_as_before}) if event is DivisionOpened else EventShape(event)
    for event in get_args(Event)
)
_OPERATOR = "operator"


class TournamentDesk:
    """A running tournament.

    Raises DeskError if it is the log of something else.

    `log`: an empty log for a new tournament, or the log of the tournament to continue. `opened`: the first
    event of a new tournament; ignored if the log is not empty.
    """

    def __init__(
        self,
        log: EventLog,
        opened: TournamentOpened | None = None,
        *,
        clock: Clock = match_clock,
        wall: WallClock = wall_clock,
    ) -> None:
        self._log, self._clock, self._wall = log, clock, wall
        self._news = Fanout()
        if not log.last_seq and opened is not None:
            self.state = begin(opened)
            self._append([opened])
            return
        with DeskError.wrapping("{path} is not the log of a tournament: {why}", RefusedError, path=log.path):
            self.state = replayed(
                TOURNAMENT_CODEC.decode(entry.kind, entry.version, entry.payload) for entry in log.entries()
            )

    @classmethod
    def at(cls, path: Path, opened: TournamentOpened) -> TournamentDesk:
        """Continue the tournament in a file, or open a new one there; errors as in `EventLog`."""
        path.parent.mkdir(parents=True, exist_ok=True)
        log = EventLog.open(path) if path.exists() else EventLog.create(path)
        try:
            return cls(log, opened)
        except BaseException:
            log.close()
            raise

    @property
    def seq(self) -> int:
        return self._log.last_seq

    def tell(self, *events: Event) -> None:
        """Apply and log events, all or none.

        Raises DeskError if the rules refuse one of them, with their message, or they could not be stored.
        """
        with DeskError.wrapping("", RefusedError):
            after = reduce(apply, events, self.state)
        self._append(events)
        self.state = after
        self._news.tell()

    def listen(self, wake: Callable[[], None]) -> Callable[[], None]:
        return self._news.listen(wake)

    def close(self) -> None:
        self._log.close()

    def _append(self, events: Sequence[Event]) -> None:
        t_ns, wall = self._clock(), self._wall()
        told = enumerate(map(TOURNAMENT_CODEC.encode, events), self._log.last_seq + 1)
        self._log.append([LogEntry(seq, t_ns, wall, _OPERATOR, *event) for seq, event in told])
