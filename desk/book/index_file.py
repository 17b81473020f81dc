"""The file of the book's index: its tables, how it is made and opened, and what is another program's."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from desk.log import database

APPLICATION_ID = 0x53484958
"""The letters SHIX in the SQLite header, which distinguish an index from other databases."""
_VERSION = 7  # version of the tables and of the extracts; an index of another version is built anew
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
CREATE TABLE schedule (player TEXT PRIMARY KEY, told TEXT NOT NULL) STRICT, WITHOUT ROWID;
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
