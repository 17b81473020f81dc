"""Copies of the matches of all mats: logs like theirs, as far as the hall has them."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from desk.errors import EventLogError
from desk.hall.ledger import Ledger, Taken
from desk.hall.subjects import match_of
from desk.log.event_log import EventLog, UnbegunLogError, remove_log


class Copies:
    """The copies of a hall in a folder, one file for each match in a folder for each mat.

    Parameters
    ----------
    folder : where they lie; those that are there are gone on with.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._logs: dict[tuple[str, str], EventLog] = {}
        self._latest: defaultdict[str, str] = defaultdict(str)
        self.ledger = Ledger()

    def path(self, mat: str, match: str) -> Path:
        """Return where the copy of a match lies, or would."""
        return self._folder / mat / f"{match}.sqlite"

    def take(self, subject: str, data: bytes) -> Taken | None:
        """Take a batch in, on the disk before this returns; None where nothing in it is new.

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
            self.ledger = Ledger()  # what is on the disk counts
            for (each_mat, each_match), each in self._logs.items():
                self.ledger.go_on(each_mat, each_match, each.last_seq)
            raise
        return taken

    def last_seq(self, mat: str, match: str) -> int:
        """Return the number of the latest entry of a copy, 0 where there is none."""
        return self.ledger.last_seq(mat, match)

    def close(self) -> None:
        """Close all files; everything is on the disk already."""
        for log in self._logs.values():
            log.close()
        self._logs.clear()

    def _log(self, mat: str, match: str) -> EventLog:
        log = self._logs.get((mat, match))
        if log is None:
            path = self.path(mat, match)
            log = self._logs[mat, match] = _opened(path)
            self.ledger.go_on(mat, match, log.last_seq)
        return log


def _opened(path: Path) -> EventLog:
    if not path.exists():
        return EventLog.create(path)
    try:
        return EventLog.open(path)
    except UnbegunLogError:  # the board was killed while it made the file
        remove_log(path)
        return EventLog.create(path)
