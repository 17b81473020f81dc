"""Copies of the matches of all mats: logs like theirs, as far as the hall has them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from calibration.files.folders import listed
from desk.errors import EventLogError
from desk.hall.ledger import Ledger, Taken
from desk.hall.subjects import match_of
from desk.karuta.house.history import list_matches
from desk.log.event_log import EventLog, UnbegunLogError, remove_log
from desk.panel.house.port import MatchListed

_OPEN_AT_ONCE: Final = 128
"""More than mats in a hall. Each takes three files (SQLite's WAL), and Linux lets a process have 1,024."""


class Copies:
    """The copies of a hall in a folder, one file for each match in a folder for each mat.

    No batch waits for the disk: a hundred mats that ruled on the same poem took the board 550 ms, and 1.6 s
    when they began at once (measured). What a power cut takes comes again, since a board reads the whole
    stream when it begins.

    Parameters
    ----------
    folder : where they lie; those that are there are gone on with.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._logs: dict[tuple[str, str], EventLog] = {}
        self.ledger = Ledger()

    def path(self, mat: str, match: str) -> Path:
        """Return where the copy of a match lies, or would."""
        return self._folder / mat / f"{match}.sqlite"

    def listed(self) -> list[tuple[str, MatchListed]]:
        """Return each mat with a match of which there is a copy, the latest match first; reads every copy."""
        mats = [path for path in listed(self._folder) if path.is_dir()]
        found = [(mat.name, match) for mat in mats for match in list_matches(mat)]
        return sorted(found, key=lambda each: each[1]["started_wall"], reverse=True)

    def take(self, subject: str, data: bytes) -> Taken | None:
        """Take a batch in, and keep it; None where nothing in it is new.

        Raises
        ------
        MessageError
            As `Ledger.take`.
        EventLogError
            If it could not be stored: it has to be taken in again.
        """
        mat, match = match_of(subject)
        log = self._log(mat, match)
        taken = self.ledger.take(subject, data)
        if taken is None:
            return None
        try:
            log.append(taken.entries)
        except EventLogError:
            self.ledger.go_on(mat, match, log.last_seq)  # what was stored counts
            raise
        return taken

    def last_seq(self, mat: str, match: str) -> int:
        """Return the number of the latest entry of a copy, 0 where there is none."""
        return self.ledger.last_seq(mat, match)

    def close(self) -> None:
        """Close all files."""
        for log in self._logs.values():
            log.close()
        self._logs.clear()

    def _log(self, mat: str, match: str) -> EventLog:
        log = self._logs.pop((mat, match), None)
        if log is None:
            while len(self._logs) >= _OPEN_AT_ONCE:
                self._logs.pop(next(iter(self._logs))).close()
            log = _opened(self.path(mat, match))
            self.ledger.go_on(mat, match, log.last_seq)
        self._logs[mat, match] = log  # the latest is last
        return log


def _opened(path: Path) -> EventLog:
    if not path.exists():
        return EventLog.create(path, durable=False)
    try:
        return EventLog.open(path, durable=False)
    except UnbegunLogError:  # the board was killed while it made the file
        remove_log(path)
        return EventLog.create(path, durable=False)
