"""Matches that were deleted: their files lie in a folder beside the others until somebody puts them back."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from desk.errors import DeskError
from desk.karuta.house.history import list_matches, log_path
from desk.log import database
from desk.log.event_log import EventLog
from desk.log.log_lock import LogLock, OpenElsewhereError
from desk.panel.house.port import BinRefusal, MatchListed
from referee.complaint import sentence_of

FOLDER = "bin"


class MatchBin:
    """The deleted matches of a folder; see `desk.panel.house.port.BinPort`.

    `folder`: folder of the match logs; the bin is the folder `bin` in it. `is_running`: tells whether a match
    of this id is played now.
    """

    def __init__(self, folder: Path, is_running: Callable[[str], bool] = lambda _match_id: False) -> None:
        self._folder, self._bin = folder, folder / FOLDER
        self._is_running = is_running

    def matches(self) -> list[MatchListed]:
        return list_matches(self._bin)

    def delete(self, match_id: str) -> BinRefusal | None:
        if self._is_running(match_id):
            return "running"
        return _moved(self._folder, match_id, self._bin)

    def put_back(self, match_id: str) -> BinRefusal | None:
        return _moved(self._bin, match_id, self._folder)


def _moved(source: Path, match_id: str, target: Path) -> BinRefusal | None:
    """Move a log and its replays; where one of this name lies there already, nothing is moved over it."""
    path = log_path(source, match_id)
    if path is None:
        return "missing"
    if (target / path.name).exists():
        return "taken"
    try:
        lock = LogLock.take(path)
    except OpenElsewhereError:
        return "running"
    except OSError as error:
        return _failed(path, error)
    try:
        with suppress(DeskError), EventLog.open(path):
            pass  # SQLite's files beside it go into the log itself; those of a damaged one move with it
        target.mkdir(exist_ok=True)
        # the log last: until then it counts where it was, and a second try moves the rest
        for ending in ("-wal", "-journal", ""):
            file = database.beside(path, ending)
            replays = path.with_suffix(".evidence")
            if not ending and replays.is_dir():
                shutil.move(replays, target / replays.name)
            if file.is_file():
                file.replace(target / file.name)
        database.remove(path)
    except OSError as error:
        return _failed(path, error)
    finally:
        lock.release()
    return None


def _failed(path: Path, error: OSError) -> BinRefusal:
    sys.stderr.write(f"{path} cannot be moved: {sentence_of(error)}\n")
    return "failed"
