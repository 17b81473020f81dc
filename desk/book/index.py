"""The index of the book: the extracts of a folder's logs in one SQLite file that may be deleted at any time.

A log is read again only when its file, or the WAL file that SQLite keeps next to it, has changed.
"""

import json
import os
import signal
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from multiprocessing import get_context
from operator import attrgetter
from pathlib import Path

from desk.book.digest import MatchDigest, PracticeDigest, read_digest
from desk.errors import DeskError
from desk.log import database
from desk.log.clocks import instant_of
from desk.panel.book.port import LeftOut
from desk.tables.person import same_name
from desk.tables.source_kind import Source
from referee.complaint import sentence_of
from referee.sentence import Sentence, from_plain, to_plain

APPLICATION_ID = 0x53484958
"""The letters SHIX in the SQLite header, which distinguish an index from other databases."""
_VERSION = 8  # version of the tables and of the extracts; an index of another version is built anew
_SCHEMA = """
CREATE TABLE log (
    id INTEGER PRIMARY KEY, file TEXT NOT NULL UNIQUE, stamp TEXT NOT NULL, problem TEXT,
    game TEXT, wall TEXT, instant REAL, source TEXT, events INTEGER NOT NULL
) STRICT;
CREATE TABLE match (
    id INTEGER PRIMARY KEY REFERENCES log ON DELETE CASCADE,
    near TEXT, far TEXT, winner TEXT, over INTEGER NOT NULL, in_doubt INTEGER NOT NULL
) STRICT;
CREATE TABLE poem (
    match INTEGER NOT NULL REFERENCES match ON DELETE CASCADE, place INTEGER NOT NULL, poem INTEGER NOT NULL,
    standing TEXT NOT NULL, taken_by TEXT, territory TEXT, line INTEGER, x_m REAL, reaction_ns INTEGER,
    sends_near INTEGER NOT NULL, sends_far INTEGER NOT NULL, PRIMARY KEY (match, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE fault (
    match INTEGER NOT NULL REFERENCES match ON DELETE CASCADE, place INTEGER NOT NULL, poem INTEGER NOT NULL,
    player TEXT NOT NULL, kind TEXT NOT NULL, card INTEGER
) STRICT;
CREATE TABLE practice (id INTEGER PRIMARY KEY REFERENCES log ON DELETE CASCADE, player TEXT) STRICT;
CREATE TABLE attempt (
    practice INTEGER NOT NULL REFERENCES practice ON DELETE CASCADE, place INTEGER NOT NULL,
    poem INTEGER NOT NULL, outcome TEXT NOT NULL, reaction_ns INTEGER, lure INTEGER,
    PRIMARY KEY (practice, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX practice_of ON practice (player);
CREATE INDEX fault_of_match ON fault (match);
CREATE INDEX match_of_near ON match (near);
CREATE INDEX match_of_far ON match (far);
"""
_VIEWS = """
CREATE TEMP TABLE counted (id INTEGER PRIMARY KEY);
CREATE TEMP VIEW played AS SELECT * FROM match JOIN counted USING (id) JOIN log USING (id);
CREATE TEMP VIEW begun AS
SELECT id, wall, instant, 'near' AS side, near AS player, far AS opponent, winner, over, in_doubt FROM played
WHERE near IS NOT NULL AND near IS NOT far
UNION ALL
SELECT id, wall, instant, 'far', far, near, winner, over, in_doubt FROM played
WHERE far IS NOT NULL AND near IS NOT far;
CREATE TEMP VIEW seat AS SELECT * FROM begun WHERE over;
CREATE TEMP VIEW alone AS SELECT * FROM practice JOIN counted USING (id) JOIN log USING (id)
WHERE player IS NOT NULL;
"""
"""What counts: `counted` holds the logs, `begun` each named player of their matches, and `seat` those of
matches that are over: the rulings of the others tell only of cards, as practice does. One name on both sides
has no opponent and does not count."""


_TOLD = attrgetter(
    "order",
    "poem",
    "standing",
    "taken_by",
    "territory",
    "row",
    "x_m",
    "reaction_ns",
    "sends.near",
    "sends.far",
)


def connected(path: Path | None) -> sqlite3.Connection:
    """Return a connection to an index, in memory if `path` is None."""
    return database.connect(path, "mode=rwc", timeout_s=10.0)


def prepared(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Return a connection with the tables of this version; others are dropped."""
    try:
        connection.execute("PRAGMA foreign_keys = ON")
        # a lost index is built anew, so writes need not wait for the disk
        connection.execute("PRAGMA synchronous = OFF")
        # names that are deleted are overwritten
        connection.execute("PRAGMA secure_delete = ON")
        if connection.execute("PRAGMA user_version").fetchone()[0] != _VERSION:
            tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
            drops = "".join(f"DROP TABLE IF EXISTS {name};" for (name,) in reversed(tables))
            connection.executescript(
                f"BEGIN; {drops} {_SCHEMA} PRAGMA application_id = {APPLICATION_ID};"
                f"PRAGMA user_version = {_VERSION}; COMMIT; VACUUM;"
            )
        connection.executescript(_VIEWS)
        connection.execute("SELECT COUNT(*) FROM played").fetchone()
    except sqlite3.DatabaseError:
        connection.close()
        raise
    return connection


def is_foreign(path: Path) -> bool:
    """Tell whether a file exists that no book wrote; the id is at bytes 68 to 71 of SQLite's header."""
    if not path.exists():
        return False
    try:
        header = database.raw_bytes(path, 72)  # None: this process has it open, and looked at it then
    except OSError:
        return True
    if header is None or not header.strip(b"\0"):  # a power cut may leave zeros
        return False
    return header[68:] != APPLICATION_ID.to_bytes(4, "big")


FILE_NAME = "book.index"
MANY = 100  # number of logs from which a second process is worth its start-up time of half a second
EARLY = timedelta(minutes=5)
"""Time by which the clocks of two machines may differ before a log counts as one from the future."""
_Digested = tuple[MatchDigest | PracticeDigest | None, Sentence | None]
"""The extract of a log, None if it is no karuta, and the problem that prevented reading it, if any."""
Progress = Callable[[int, int], None]
"""Called with the number of logs read so far and the number of logs to read."""


@dataclass(frozen=True, slots=True)
class Refreshed:
    """The result of a look at the folder."""

    logs: int
    read: int  # number of logs that were read because they were new or had changed
    players: frozenset[str]
    left_out: Sequence[LeftOut]  # logs that count nowhere, and why
    simulated: int  # number of matches and practices of the simulator, which count nowhere either
    counted: frozenset[int]  # the logs that count, by their numbers in the index


class BookIndex:
    """The index of one folder; use it from one thread at a time.

    Raises DeskError if another program's file has the name of the index.

    `folder`: folder of the match logs. The index is stored there, or in memory if it cannot be written.
    `connection`: the database, for queries only.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.path = folder / FILE_NAME
        self.connection = self._open()

    def refresh(self, now: datetime, progress: Progress = lambda _done, _all: None) -> Refreshed:
        """Read the logs that are new or have changed, and forget those that are gone.

        Raises DeskError if the index cannot be written, say because the disk is full.

        `now`: with its offset from UTC; a log that begins later does not count yet. `progress`: see
        `Progress`.
        """
        try:
            return self._refresh(now, progress)
        except sqlite3.OperationalError as error:
            if "readonly" not in str(error):
                raise self._unwritable(error) from error
            self.connection.close()
            self.connection = prepared(connected(None))
        except sqlite3.DatabaseError:
            self.begin_anew()
        try:
            return self._refresh(now, progress)
        except sqlite3.DatabaseError as error:
            raise self._unwritable(error) from error

    def begin_anew(self) -> None:
        """Replace a damaged index by an empty one; `refresh` fills it."""
        self.connection.close()
        database.remove(self.path)
        self.connection = self._open()

    def _unwritable(self, error: sqlite3.Error) -> DeskError:
        return DeskError(
            "cannot write the book's index {path} ({why}): make room, or delete it, and the "
            "book makes a new one",
            path=self.path,
            why=sentence_of(error),
        )

    def _refresh(self, now: datetime, progress: Progress) -> Refreshed:
        known: dict[str, str] = dict(self.connection.execute("SELECT file, stamp FROM log"))
        stamps = dict(_stamps(self._folder))
        changed = [name for name, stamp in stamps.items() if known.get(name) != stamp]
        gone = known.keys() - stamps.keys()
        players = frozenset[str]()
        if changed or gone:
            with self.connection:
                self.connection.execute("BEGIN IMMEDIATE")
                for name in (*gone, *changed):
                    self.connection.execute("DELETE FROM log WHERE file = ?", (name,))
                found = _digests([self._folder / name for name in changed])
                for done, (name, digested) in enumerate(zip(changed, found, strict=True), 1):
                    try:
                        players |= self._keep_log(name, stamps[name], *digested)
                    except (ValueError, OverflowError) as error:
                        # a number or a sign that SQLite has no room for: no other log suffers
                        self.connection.execute("DELETE FROM log WHERE file = ?", (name,))
                        why = Sentence("{path} is damaged: {why}", path=name, why=sentence_of(error))
                        self._keep_log(name, stamps[name], None, why)
                    progress(done, len(changed))
        counted, left_out, simulated = self._count(now)
        return Refreshed(len(stamps), len(changed), players, left_out, simulated, counted)

    def _count(self, now: datetime) -> tuple[frozenset[int], list[LeftOut], int]:
        """Choose the logs that count: each game once, none of the future, none of the simulator."""
        latest = (now + EARLY).timestamp()
        counted: set[int] = set()
        left_out: list[LeftOut] = []
        simulated = 0
        first: dict[tuple[str, float], str] = {}
        # of copies, the one with the most events counts, and of equal ones that with the game's own name
        for number, file, problem, game, wall, instant, source in self.connection.execute(
            "SELECT id, file, problem, game, wall, instant, source FROM log"
            " WHERE problem IS NOT NULL OR game IS NOT NULL"
            " ORDER BY events DESC, problem IS NOT NULL, file <> game || '.sqlite', file"
        ):
            if problem is not None:
                left_out.append({"file": file, "why": "damaged", "detail": from_plain(json.loads(problem))})
            if game is None:
                continue
            held = first.setdefault((game, instant), file)
            if held != file:
                left_out.append({"file": file, "why": "double", "detail": held})
            elif source == Source.SIMULATOR:
                simulated += 1
            elif instant > latest:
                left_out.append({"file": file, "why": "future", "detail": wall[:16].replace("T", " ")})
            else:
                counted.add(number)
        with self.connection:
            self.connection.execute("DELETE FROM counted")
            self.connection.executemany("INSERT INTO counted VALUES (?)", [(each,) for each in counted])
        return frozenset(counted), sorted(left_out, key=lambda each: each["file"]), simulated

    def close(self) -> None:
        self.connection.close()

    def _keep_log(
        self, name: str, stamp: str, digest: MatchDigest | PracticeDigest | None, problem: Sentence | None
    ) -> frozenset[str]:
        """Store what a log holds, and return the names of its players."""
        about: tuple[object, ...] = (None, None, None, None, 0)
        if digest is not None:
            instant = instant_of(digest.wall).timestamp()
            about = (digest.id, digest.wall, instant, digest.source.value, digest.events)
        number = self.connection.execute(
            "INSERT INTO log (file, stamp, problem, game, wall, instant, source, events)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (name, stamp, problem and json.dumps(to_plain(problem)), *about),
        ).lastrowid
        named: tuple[str | None, ...] = ()
        if isinstance(digest, MatchDigest):
            self._keep(number or 0, digest)
            named = (digest.names.near, digest.names.far)
        elif digest is not None:
            self._keep_practice(number or 0, digest)
            named = (digest.player,)
        return frozenset(name for name in map(same_name, named) if name is not None)

    def _keep(self, number: int, digest: MatchDigest) -> None:
        near, far = same_name(digest.names.near), same_name(digest.names.far)
        match = (number, near, far, digest.winner, digest.over, digest.in_doubt)
        self.connection.execute("INSERT INTO match VALUES (?, ?, ?, ?, ?, ?)", match)
        self.connection.executemany(
            "INSERT INTO poem VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(number, *_TOLD(poem)) for poem in digest.poems],
        )
        self.connection.executemany(
            "INSERT INTO fault VALUES (?, ?, ?, ?, ?, ?)",
            [
                (number, poem.order, poem.poem, fault.player, fault.kind, fault.card)
                for poem in digest.poems
                for fault in poem.faults
            ],
        )

    def _keep_practice(self, number: int, digest: PracticeDigest) -> None:
        self.connection.execute("INSERT INTO practice VALUES (?, ?)", (number, same_name(digest.player)))
        self.connection.executemany(
            "INSERT INTO attempt VALUES (?, ?, ?, ?, ?, ?)",
            [
                (number, place, each.poem, each.outcome, each.reaction_ns, each.lure)
                for place, each in enumerate(digest.attempts, 1)
            ],
        )

    def _open(self) -> sqlite3.Connection:
        if not self._folder.is_dir():
            return prepared(connected(None))
        if is_foreign(self.path):
            raise DeskError(
                "{path} is not the book's index: move it elsewhere, and the book makes a new one",
                path=self.path,
            )
        try:
            return prepared(connected(self.path))
        except sqlite3.OperationalError:  # it is not writable, or another process has locked it
            return prepared(connected(None))
        except sqlite3.DatabaseError:  # it is damaged
            database.remove(self.path)
            return self._open()


def _digests(paths: Sequence[Path]) -> Iterator[_Digested]:
    """Iterate over the extracts of some logs; from `MANY` on, two processes read them."""
    done = 0
    if len(paths) >= MANY:
        ignored = signal.SIGINT, signal.SIG_IGN  # Ctrl-C is the parent's
        pool = ProcessPoolExecutor(2, get_context("spawn"), initializer=signal.signal, initargs=ignored)
        try:
            with suppress(BrokenProcessPool):  # the remaining logs are read below
                for each in pool.map(_digested, paths, chunksize=10):
                    done += 1
                    yield each
        finally:
            pool.shutdown(cancel_futures=True)
    yield from map(_digested, paths[done:])


def _digested(path: Path) -> _Digested:
    try:
        digest = read_digest(path)
    except DeskError as error:
        # the page does not reveal the path of the folder
        return None, sentence_of(error).replacing(f"{path.parent}{os.sep}", "")
    return digest, None if digest is None else digest.left_out


def forget(folder: Path) -> None:
    """Delete the index of a folder, to build it anew.

    Raises DeskError if another program's file has the name of the index.
    """
    BookIndex(folder).close()  # refuses a file that is another program's
    with suppress(OSError):
        (folder / FILE_NAME).unlink(missing_ok=True)


def _stamps(folder: Path) -> Iterator[tuple[str, str]]:
    """Iterate over the names of a folder's logs, each with a stamp that changes with every write."""
    try:
        entries = {entry.name: entry for entry in os.scandir(folder)}
    except FileNotFoundError:
        return
    for name in sorted(entries):
        if not name.endswith(".sqlite") or name.startswith("."):
            continue
        with suppress(OSError):  # it has just been moved away
            files = [each.stat() for each in (entries[name], entries.get(f"{name}-wal")) if each is not None]
            yield name, " ".join(f"{each.st_size}:{each.st_mtime_ns}" for each in files if each.st_size)
