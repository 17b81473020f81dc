"""Backup and restore of a running hall's streams by JetStream's own snapshots, one per stream.

A snapshot contains the messages with their numbers and ids, so after a restore the mats detect what the hall
lacks and send it again.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from nats.aio.msg import Msg
from nats.errors import Error

from calibration.files.json_text import parse
from calibration.files.storage import keep_text, writing
from calibration.files.text import read_text
from desk.errors import DeskError
from desk.hall.link import Link
from desk.hall.streams import hall_streams

_PIECE: Final = 128 << 10
_ANSWER_S: Final = 10.0
_ABSENT: Final = 10059
"""JetStream's error code `stream not found`."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A stream that was backed up or restored."""

    name: str
    messages: int
    size: int


async def back_up(link: Link, folder: Path) -> list[Kept]:
    """Write every stream of the hall to a folder, and return the streams.

    Parameters
    ----------
    link : the operator's link.
    folder : folder to create; an existing backup is replaced file by file, each atomically.

    Raises
    ------
    DeskError
        If the hall does not answer, a stream is missing, or the disk is full.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return [await _back_up_one(link, str(config.name), folder) for config in hall_streams()]
    except (Error, TimeoutError) as error:
        raise DeskError(
            f"the hall does not answer any more: {str(error) or 'no answer'}; back it up again"
        ) from error
    except OSError as error:
        raise DeskError(f"the backup cannot be written to {folder}: {error.strerror or error}") from error


async def restore(link: Link, folder: Path) -> list[Kept]:
    """Restore the streams of a backup in a hall that has none of them, and return them.

    Raises
    ------
    DeskError
        If the backup is incomplete, or the hall has such a stream already or refuses it.
    """
    told = [(str(config.name), folder / f"{config.name}.json") for config in hall_streams()]
    described = {name: _described(file) for name, file in told}
    try:
        for name in described:
            if "error" not in await _ask(link, f"STREAM.INFO.{name}", {}):
                raise DeskError(
                    f"the hall has a stream {name} already, and a backup goes into an empty hall: "
                    "stop the servers, move their folders away, and start them anew"
                )
        return [await _restore_one(link, name, told, folder) for name, told in described.items()]
    except (Error, TimeoutError) as error:
        raise DeskError(f"the hall does not answer any more: {str(error) or 'no answer'}") from error


async def _back_up_one(link: Link, name: str, folder: Path) -> Kept:
    inbox = link.client.new_inbox()
    pieces: asyncio.Queue[Msg] = asyncio.Queue()
    listening = await link.client.subscribe(inbox, cb=pieces.put)
    try:
        asked = {"deliver_subject": inbox, "no_consumers": True, "chunk_size": _PIECE}
        answer = await _ask(link, f"STREAM.SNAPSHOT.{name}", asked)
        if "error" in answer:
            raise DeskError(f"stream {name} cannot be backed up: {answer['error'].get('description')}")
        size = 0
        with writing(folder / f"{name}.snapshot") as file:
            while piece := (message := await asyncio.wait_for(pieces.get(), _ANSWER_S)).data:
                size += await asyncio.to_thread(file.write, piece)
                await message.respond(b"")  # flow control: the server waits for acknowledgements
    finally:
        await listening.unsubscribe()
    about = {"config": answer["config"], "state": answer["state"], "size": size}
    keep_text(folder / f"{name}.json", json.dumps(about, indent=1))
    return Kept(name, answer["state"]["messages"], size)


async def _restore_one(link: Link, name: str, told: dict[str, Any], folder: Path) -> Kept:
    answer = await _ask(link, f"STREAM.RESTORE.{name}", {"config": told["config"], "state": told["state"]})
    if "error" in answer:
        raise DeskError(f"stream {name} cannot be restored: {answer['error'].get('description')}")
    size = 0
    try:
        with (folder / f"{name}.snapshot").open("rb") as file:
            while piece := await asyncio.to_thread(file.read, _PIECE):
                await link.client.request(answer["deliver_subject"], piece, timeout=_ANSWER_S)
                size += len(piece)
    except OSError as error:
        raise DeskError(f"the backup in {folder} cannot be read: {error.strerror or error}") from error
    ended = await link.client.request(answer["deliver_subject"], b"", timeout=_ANSWER_S)
    state = json.loads(ended.data)
    if "error" in state:
        raise DeskError(f"stream {name} was not taken: {state['error'].get('description')}")
    return Kept(name, state["state"]["messages"], size)


def _described(file: Path) -> dict[str, Any]:
    try:
        told = parse(read_text(file))
        size = file.with_suffix(".snapshot").stat().st_size
        described = {name: told[name] for name in ("config", "state", "size")}
    except (ValueError, LookupError, TypeError, OSError) as error:
        raise DeskError(f"{file} describes no stream of a hall: {error}") from error
    if size != described["size"]:
        raise DeskError(f"{file.with_suffix('.snapshot')} is not whole: take another backup")
    return described


async def _ask(link: Link, what: str, asked: dict[str, Any]) -> dict[str, Any]:
    answer = await link.client.request(f"$JS.API.{what}", json.dumps(asked).encode(), timeout=_ANSWER_S)
    told: dict[str, Any] = json.loads(answer.data)
    return told
