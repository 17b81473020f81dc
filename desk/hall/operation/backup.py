"""Backup and restore of a hall: what its streams keep, the board's folder, and the keys.

The messages are kept one by one with their signatures, not as the server's own snapshots: they can be read
and counted by themselves, come back into a server of any version, and are new there, so that no age limit
takes them. The mats find what the hall lacks and send it.
"""

import base64
import binascii
import hashlib
import json
import shutil
import sqlite3
import tempfile
from contextlib import aclosing
from pathlib import Path
from typing import Any, Final

from nats.errors import Error
from nats.js.api import RetentionPolicy

from calibration.files.json_text import parse
from calibration.files.storage import keep_text, writing
from calibration.files.text import read_text
from desk.errors import DeskError
from desk.hall.link import Link
from desk.hall.signature import HEADER, ForeignMessageError, Verifier
from desk.hall.store import everything, hall_streams, lay_out
from desk.log.clocks import wall_clock
from desk.log.database import raw_bytes
from desk.log.log_file import copy_as_it_is

_ABOUT: Final = "backup.json"
_FORMAT: Final = 1
_STREAMS: Final = tuple(str(config.name) for config in hall_streams())
"""`WORK` comes before `RESULTS`: what is judged meanwhile is in one of both, or in both, and judged once."""
_EMPTY: Final = {"EVENTS", "READING", "WORK", "RESULTS"}
"""Streams into which a backup is brought only if they have nothing."""
_BESIDE: Final = ("-wal", "-shm", ".part")
_SQLITE: Final = b"SQLite format 3\x00"


async def back_up(
    link: Link, folder: Path, *, keys: Path | None = None, board: Path | None = None, replace: bool = False
) -> dict[str, int]:
    """Write a hall to a new folder, which appears only once it is whole; return how much its parts hold.

    Raises DeskError if the folder exists, the hall does not hand out everything that it has, or the disk is
    full.

    `keys`: the hall's folder with its key and tickets, `board`: the board's folder; None leaves them out.
    `replace`: whether to replace an earlier backup in `folder`.
    """
    if folder.exists() and not (replace and (folder / _ABOUT).is_file()):
        raise DeskError(
            "{folder} exists already: name another folder, or replace the backup in it with --replace"
            if (folder / _ABOUT).is_file()
            else "{folder} exists already: name another folder",
            folder=folder,
        )
    with (
        DeskError.wrapping(
            "the backup cannot be written to {folder}: {why}", OSError, sqlite3.Error, folder=folder
        ),
        DeskError.wrapping("the hall does not answer any more: {why}; back it up again", Error, TimeoutError),
    ):
        folder.parent.mkdir(parents=True, exist_ok=True)
        # of mode 0700, as its tickets open the hall
        with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as made:
            new = Path(made) / "new"
            new.mkdir(0o700)
            saved = await _write(link, new, keys, board)
            _put(new, folder, Path(made) / "old")
    return saved


async def restore(
    link: Link, folder: Path, *, board: Path | None = None, replicas: int = 1
) -> dict[str, int]:
    """Bring a backup back into a hall that has no events, and into a board's folder that is empty.

    Raises DeskError if the backup is not whole or of another hall, or the hall or the board's folder is not
    empty.

    `link`: the operator's link, of the hall whose keys are in the backup. `board`: where the board's folder
    goes; None leaves it out. `replicas`: as in `desk.hall.store.lay_out`.
    """
    about = _about(folder)
    verifier = Verifier(link.ticket.hall)
    for name, told in about["streams"].items():
        _checked(folder, name, told, verifier)
    brings_board = about["board"] is not None and board is not None
    if brings_board and board is not None and board.exists() and any(board.iterdir()):
        raise DeskError(
            "{board} holds a board already: move it away, or name another folder with --board", board=board
        )
    with DeskError.wrapping("the hall does not answer any more: {why}", Error, TimeoutError):
        await lay_out(link.stream(5.0), replicas)
        for name in about["streams"]:
            if (await link.stream().stream_info(name)).state.messages and name in _EMPTY:
                raise DeskError(
                    "the hall's stream {name} has messages already, and a backup goes into an empty "
                    "hall: stop the servers, move their folders away, and start them anew",
                    name=name,
                )
        saved = {}
        for name in about["streams"]:
            for line in (lines := _lines(folder, name)):
                subject, data, headers = _message(line)
                await link.stream(5.0).publish(subject, data, headers=headers)
            saved[name] = len(lines)
    if brings_board and board is not None:
        saved["board"] = _bring(folder / "board", board)
    return saved


def _put(new: Path, folder: Path, old: Path) -> None:
    """Give a new folder its name; what had it before goes to `old`, or stays if that fails."""
    if folder.exists():
        folder.rename(old)
    try:
        new.rename(folder)
    except OSError:
        if old.exists():
            old.rename(folder)
        raise


async def _write(link: Link, folder: Path, keys: Path | None, board: Path | None) -> dict[str, int]:
    streams = {name: await _write_stream(link, folder, name) for name in _STREAMS}
    saved: dict[str, int] = {name: told["messages"] for name, told in streams.items()}
    if board is not None:
        saved["board"] = _copy(board, folder / "board")
    if keys is not None:
        (folder / "keys" / "tickets").mkdir(0o700, parents=True)
        files = [keys / "hall.key", *sorted((keys / "tickets").glob("*.toml"))]
        for file in files:
            shutil.copy2(file, folder / "keys" / file.relative_to(keys))
        saved["keys"] = len(files)
    about = {"format": _FORMAT, "made": wall_clock(), "streams": streams, "board": saved.get("board")}
    keep_text(folder / _ABOUT, json.dumps(about, indent=1))
    return saved


async def _write_stream(link: Link, folder: Path, name: str) -> dict[str, Any]:
    """Write the messages that a stream has now, and return their number and the file's digest."""
    state = (await link.stream(5.0).stream_info(name)).state
    count, digest = 0, hashlib.sha256()
    with writing(folder / f"{name}.jsonl") as file:
        async with aclosing(everything(link, name, ">")) as messages:
            async for kept in messages:
                if kept.seq > state.last_seq:
                    break
                count += 1
                data = base64.b64encode(kept.data).decode("ascii")
                told = {"subject": kept.subject, "signature": kept.signature, "data": data}
                line = f"{json.dumps(told)}\n".encode("ascii")
                digest.update(line)
                file.write(line)
    config = next(each for each in hall_streams() if each.name == name)
    # newer messages take the place of older ones, or an order is done
    goes = config.max_msgs_per_subject == 1 or config.retention is RetentionPolicy.WORK_QUEUE
    if count != state.messages and not goes:
        raise DeskError(
            "the hall has {stored} messages in stream {name}, but handed out {count}: try again",
            stored=state.messages,
            name=name,
            count=count,
        )
    return {"messages": count, "sha256": digest.hexdigest()}


def _about(folder: Path) -> dict[str, Any]:
    with DeskError.wrapping(
        "{folder} holds no backup of a hall: {why}",
        ValueError,
        LookupError,
        TypeError,
        OSError,
        folder=folder,
    ):
        about: dict[str, Any] = parse(read_text(folder / _ABOUT))
        if about["format"] != _FORMAT or not set(about["streams"]) <= set(_STREAMS):
            raise ValueError(f"expected format {_FORMAT}, got {about['format']!r}")
        _ = about["board"]
    return about


def _checked(folder: Path, name: str, told: dict[str, Any], verifier: Verifier) -> None:
    """Raise DeskError if a stream's file is not what was written, or of another hall."""
    count, digest, foreign = 0, hashlib.sha256(), 0
    for line in _lines(folder, name):
        count += 1
        digest.update(line)
        try:
            verifier.check(*_message(line))
        except ForeignMessageError:
            foreign += 1
        except (ValueError, LookupError, TypeError, binascii.Error):
            count = -1
            break
    if {"messages": count, "sha256": digest.hexdigest()} != told:
        raise DeskError("{file}.jsonl is not whole: take another backup", file=folder / name)
    if count and foreign == count:
        raise DeskError(
            "{folder} is the backup of another hall, whose messages nobody would believe here: "
            "copy what is in its keys/ to the hall's folder, call hall up again, and take that "
            "operator's ticket",
            folder=folder,
        )


def _lines(folder: Path, name: str) -> list[bytes]:
    with DeskError.wrapping("the backup in {folder} cannot be read: {why}", OSError, folder=folder):
        return (folder / f"{name}.jsonl").read_bytes().splitlines(keepends=True)


def _message(line: bytes) -> tuple[str, bytes, dict[str, str]]:
    told = json.loads(line)
    return told["subject"], base64.b64decode(told["data"], validate=True), {HEADER: told["signature"]}


def _copy(source: Path, target: Path) -> int:
    """Copy a folder whose databases may be in use, and return the number of files."""
    count = 0
    for path in sorted(source.rglob("*")):
        if path.is_symlink() or not path.is_file() or path.name.endswith(_BESIDE):
            continue
        beside = target / path.relative_to(source)
        beside.parent.mkdir(0o700, parents=True, exist_ok=True)
        begins = raw_bytes(path, len(_SQLITE))
        if begins is None or begins == _SQLITE:
            copy_as_it_is(path, beside)
        else:
            shutil.copy2(path, beside)
        count += 1
    return count


def _bring(source: Path, board: Path) -> int:
    board.parent.mkdir(parents=True, exist_ok=True)
    with (
        DeskError.wrapping(
            "the board's folder cannot be written to {board}: {why}", OSError, sqlite3.Error, board=board
        ),
        tempfile.TemporaryDirectory(prefix=".board-", dir=board.parent) as made,
    ):
        new = Path(made) / "new"
        new.mkdir(0o700)
        count = _copy(source, new)
        if board.exists():
            board.rmdir()
        new.rename(board)
    return count
