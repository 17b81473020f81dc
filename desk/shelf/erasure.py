"""Forgetting a person: her name in all logs, the pictures of her matches, her films, and the book's index.

Only this changes what was logged. The rules never look at names, so every match replays as before.
"""

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from io import BytesIO
from pathlib import Path

from calibration.files import json_text
from calibration.files.storage import keep_text
from desk.book.index import FILE_NAME, BookIndex
from desk.errors import DeskError
from desk.log.database import raw_bytes
from desk.log.event_log import EventLog
from desk.log.log_file import UnbegunLogError
from desk.log.log_lock import OpenElsewhereError
from desk.shelf.entry import FILE as ENTRY
from desk.shelf.entry import read_entry
from desk.tables.evidence.events import delete
from desk.tables.person import Person, is_in_file

_MOST_BYTES = 64 << 20
"""How much is searched for a name at once: a log of a long day has 2 MB, films have more."""


@dataclass
class Traces:
    """Where a person's name was found."""

    logs: list[Path] = field(default_factory=list)  # logs of matches, games and practice, and of tournaments
    # folders of films that were handed in, on whose name or in whose match the person is
    films: list[Path] = field(default_factory=list)
    texts: list[Path] = field(default_factory=list)
    # files that hold the name, or may, and cannot be changed
    unreadable: list[Path] = field(default_factory=list)


def traces_of(person: Person, folders: Sequence[Path]) -> Traces:
    """Look for a person in all that lies in some folders and below them."""
    found = Traces()
    files = sorted({path for folder in folders for path in folder.rglob("*") if path.is_file()})
    for path in files:
        if path.suffix == ".sqlite":
            try:
                with EventLog.read(path) as log:
                    payloads = [entry.payload for entry in log.entries()]
            except UnbegunLogError:
                continue
            except DeskError:
                if _holds(path, person):
                    found.unreadable.append(path)
                continue
            if any(person.forgotten(payload) != payload for payload in payloads):
                found.logs.append(path)
    matches = {path.stem for path in found.logs}
    for path in files:
        entry = read_entry(path.parent) if path.name == ENTRY else None
        if entry is None:
            continue
        kept = {entry["kept_as"], entry.get("kept_before"), *entry.get("kept", [])}
        if person.forgotten(entry) != entry or kept & matches:
            found.films.append(path.parent)
    for path in files:
        if path.suffix == ".json" and path.parent not in found.films and _holds(path, person):
            (found.texts if _can_be_read(path) else found.unreadable).append(path)
    return found


def erase(person: Person, traces: Traces, folders: Sequence[Path]) -> list[Path]:
    """Forget a person, and return the files that still hold the name.

    Raises DeskError if a desk has one of the logs open: nothing was changed. After any other error it can be
    done once more. Raises OSError if a file cannot be changed.
    """
    for path in traces.logs:
        with DeskError.wrapping("nothing was changed: {why}", OpenElsewhereError):
            EventLog.open(path).close()
    for film in traces.films:
        shutil.rmtree(film)
    for path in traces.logs:
        delete(path.with_suffix(".evidence"))
        with EventLog.open(path) as log:
            log.rewrite(person.forgotten)
    for path in traces.texts:
        if path.with_suffix(".part").is_file():  # what has arrived of a film of this name
            path.with_suffix(".part").unlink()
            path.unlink()
        else:
            kept = json_text.parse(path.read_text("utf-8"))
            keep_text(path, json_text.dump(person.forgotten(kept), indent=1) + "\n")
    for index in {index for folder in folders for index in folder.rglob(FILE_NAME)}:
        book = BookIndex(index.parent)
        book.refresh(datetime.now().astimezone())  # a desk that shows the book goes on with the same file
        book.connection.execute("VACUUM")
        book.close()
    return [path for folder in folders for path in sorted(folder.rglob("*")) if _holds(path, person)]


def copies_of(match: str, folders: Sequence[Path]) -> Iterator[Path]:
    """Iterate over the folders of a match's pictures: beside its log, on a board, of the film it is from."""
    for folder in folders:
        yield from sorted(folder.rglob(f"{match}.evidence"))
        for entry in sorted(folder.rglob(ENTRY)):
            told = read_entry(entry.parent)
            if told is not None and told["kept_as"] == match:
                yield entry.parent / "evidence"


def _can_be_read(path: Path) -> bool:
    try:
        json_text.parse(path.read_text("utf-8"))
    except ValueError:
        return False
    return True


def _holds(path: Path, person: Person) -> bool:
    """Tell whether the name is in a file, or in the file's own name."""
    if person.is_in(path.name.encode("utf-8", "surrogateescape")):
        return True
    if not path.is_file():
        return False
    if path.stat().st_size <= _MOST_BYTES or path.suffix == ".sqlite":
        return is_in_file(BytesIO(raw_bytes(path) or b""), person)
    with path.open("rb") as file:  # a film, or an archive of one
        return is_in_file(file, person)
