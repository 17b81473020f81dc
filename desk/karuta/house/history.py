"""The matches of this machine: their logs in one folder, to be listed, viewed, exported and deleted."""

import os
import re
import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from calibration.files import folders
from desk.errors import DeskError
from desk.karuta.engine.engine import Engine, decoded
from desk.karuta.engine.events import CODEC, MatchOpened
from desk.karuta.engine.minutes import Standing, read_minutes
from desk.karuta.house.panel_port import MatchPort
from desk.log import database
from desk.log.database import file_version
from desk.log.event_log import EventLog
from desk.log.log_lock import LogLock, OpenElsewhereError
from desk.machine.config import data_folder
from desk.panel.house.port import BinRefusal, MatchListed
from desk.panel.match.port import Health
from referee.complaint import sentence_of
from referee.karuta.flow.events import MatchStopped
from referee.karuta.flow.follow_ups import MatchEnded
from referee.sentence import Sentence

_LISTED = ("match_opened", "match_stopped", "match_ended", "revert", "misread", "poem_started", "proposed")
_NAME = re.compile(r"(?!\.)[^/\\:\0]{1,120}")
"""The name of a file in the folder itself, also of one that a person renamed or copied."""


def log_path(folder: Path, match_id: str) -> Path | None:
    """Return the file of a match's log, None if there is none; an id is never taken as a path."""
    if not _NAME.fullmatch(match_id):
        return None
    path = folder / f"{match_id}.sqlite"
    return path if path.is_file() else None


def path_of(match: str) -> Path:
    """Return the log of a match named by path or by its id in this user's folder; else DeskError."""
    path = Path(match)
    named = data_folder() / "matches" / f"{match}.sqlite"
    if not path.exists() and not named.exists() and path.name == match and not path.suffix:
        raise no_match(match, named.parent)
    if path.is_file() and named.is_file():
        sys.stderr.write(f"{match}: the file in this folder is taken, not the match of this name\n")
    return named if not path.is_file() and named.is_file() else path


def no_match(match_id: str, folder: Path) -> DeskError:
    """Return the error that a folder has no match of this id, with the latest that it has."""
    latest = ", ".join(match["id"] for match in list_matches(folder)[:5]) or Sentence("none")
    return DeskError(
        "there is no match {match_id!r} in {folder}; the latest there: {latest}",
        match_id=match_id,
        folder=folder,
        latest=latest,
    )


def list_matches(folder: Path) -> list[MatchListed]:
    """Return the matches with logs in a folder, the latest first; other files are left out."""
    found = [listed for listed in _in_folder(folder).values() if isinstance(listed, dict)]
    return sorted(found, key=lambda listed: listed["started_wall"], reverse=True)


def unreadable(folder: Path) -> dict[str, Sentence]:
    """Return the names of the files in a folder that should be logs and cannot be read, and why."""
    return {name: why for name, why in _in_folder(folder).items() if isinstance(why, Sentence)}


def _in_folder(folder: Path) -> dict[str, MatchListed | Sentence | None]:
    return {path.name: _listed(path, file_version(path)) for path in folders.listed(folder, "*.sqlite")}


@lru_cache(maxsize=2048)  # a list of a club's year, of which one match changes
def _listed(path: Path, _version: object) -> MatchListed | Sentence | None:
    try:
        with EventLog.read(path) as log:
            return listed_match(log)
    except DeskError as error:
        return _without_folder(error, path)


def match_in(path: Path, *, is_stored: bool = False) -> MatchPort:
    """Return the match in a log, for viewing: as far as it can be followed, with what is told of the rest.

    Raises DeskError if no match can be read in it; the log's folder is not named, since viewers see it.
    `is_stored`: whether nobody copies what still happens in it.
    """
    try:
        with EventLog.read(path) as log:
            engine = Engine.look_at(log)
    except DeskError as error:
        raise DeskError(_without_folder(error, path)) from error
    latest_ns = engine.history[-1].t_ns
    health: Health = {
        "now_ns": latest_ns,
        "fps": None,
        "fps_nominal": None,
        "dropped": 0,
        "late_ms": None,
        "warnings": [],
        "problems": engine.problems,
    }
    return MatchPort(
        engine,
        clock=lambda: latest_ns,
        evidence_folder=path.with_suffix(".evidence"),
        health=lambda: health,
        is_stored=is_stored,
    )


def _without_folder(error: DeskError, path: Path) -> Sentence:
    """Return what an error says of a log; where it lies is none of the viewers' business."""
    return sentence_of(error).replacing(f"{path.parent}{os.sep}", "")


def listed_match(log: EventLog) -> MatchListed | None:
    """Return the match in a log for a list under the name of its file, None if it is of another game.

    Raises DeskError if its opening cannot be read.
    """
    opened: MatchOpened | None = None
    ended: MatchEnded | None = None
    stopped: MatchStopped | None = None
    wall, poems, is_being_read, is_read_anew = "", 0, False, False
    damaged: list[int] = []
    for entry in log.entries(kinds=_LISTED, damaged=lambda seq, _: damaged.append(seq)):
        if not isinstance(entry.payload, dict):
            damaged.append(entry.seq)
            continue
        match entry.kind:
            case "match_opened":
                opened = CODEC.decode(entry.kind, entry.version, entry.payload)
                wall = entry.wall
            case "match_ended" | "match_stopped":
                with suppress(DeskError):
                    said = CODEC.decode(entry.kind, entry.version, entry.payload)
                    ended = said if isinstance(said, MatchEnded) else ended
                    stopped = said if isinstance(said, MatchStopped) else stopped
            case "revert":
                ended, stopped, is_read_anew = None, None, True
            case "misread":
                is_read_anew = True
            case "poem_started":
                poem = entry.payload.get("poem")
                is_being_read = isinstance(poem, int) and poem > 0
            case "proposed":  # as in the record, a poem counts once it is judged
                poems, is_being_read = poems + is_being_read, False
    if opened is None:
        return None
    return {
        "id": log.path.stem,
        "is_renamed": opened.id != log.path.stem,
        "source": opened.source.value,
        "where": opened.where or "",
        "rules": opened.settings.rules.name,
        "names": {"near": opened.names.near, "far": opened.names.far},
        "started_wall": wall,
        "poems": _standing_poems(log) if is_read_anew else poems,
        "winner": None if ended is None or ended.winner is None else ended.winner.value,
        "over": ended is not None,
        "stopped": None if stopped is None else stopped.reason.value,
        "damaged": len(damaged),
    }


def _standing_poems(log: EventLog) -> int:
    """Return the number of poems whose ruling was neither taken back nor void; it takes the whole log."""
    try:
        minutes = read_minutes([decoded(entry) for entry in log.entries()])
    except (DeskError, LookupError, AssertionError):  # an entry is impossible
        minutes = read_minutes(Engine.look_at(log).history)
    return sum(minute.standing not in (Standing.REVERTED, Standing.VOID) for minute in minutes)


class MatchBin:
    """The deleted matches of a folder of logs: they lie in the folder `bin` in it; see `BinPort`."""

    def __init__(self, folder: Path, is_running: Callable[[str], bool] = lambda _match_id: False) -> None:
        self._folder, self._bin = folder, folder / "bin"
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
