"""`shinpan hall read`: read the poems to all mats of a hall."""

from __future__ import annotations

import argparse
import asyncio
import secrets
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from desk.errors import DeskError

if TYPE_CHECKING:
    from desk.hall.link import Link
    from desk.hall.messages import ReadingState
    from desk.hall.reading.reader_control import ReaderControl
    from desk.karuta.engine.events import ReaderAgreed
    from desk.karuta.readers.reader import Reader
    from recitation.playback.player import ReadingSettings

_SHOWN_EVERY_S = 0.5
_KEYS = {"": "go_on", "p": "pause", "r": "resume", "a": "again", "q": "stop"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--hall", required=True, metavar="TICKET", help="the reader's ticket")
    parser.add_argument(
        "--voice",
        default="high",
        help="as in shinpan recite; person: somebody reads, and is heard (default: high)",
    )
    parser.add_argument("--rhythm", default="4-3-1-5", help="as in shinpan recite (default: 4-3-1-5)")
    parser.add_argument("--device", help="name or number of the sound device that a voice is played on")
    parser.add_argument("--microphone", default="", metavar="DEVICE", help="the person's microphone")
    parser.add_argument("--seed", type=int, help="of the order of the poems (default: drawn)")
    parser.add_argument(
        "--speakers",
        action="store_true",
        help="have the mats' own loudspeakers play in time with this one (a built-in or imported voice)",
    )
    parser.add_argument("--no-joka", action="store_true", help="leave the joka out")
    parser.add_argument(
        "--resume",
        action="store_true",
        help="go on where the hall's reader was interrupted, without the joka",
    )
    parser.add_argument(
        "--limit",
        type=float,
        metavar="SECONDS",
        help="read on after so long although a mat is not ready; 0: never by itself (default: 120)",
    )


def run(arguments: argparse.Namespace) -> int:
    from desk.hall.reading.reader_control import LIMIT_S
    from desk.hall.subjects import Role
    from desk.hall.ticket import ticket_of

    ticket = ticket_of(arguments.hall)
    if ticket.role is not Role.READER:
        raise DeskError(
            "--hall: {ticket} is the ticket of a {role}; take reader.toml",
            ticket=Path(arguments.hall).name,
            role=ticket.role.value,
        )
    limit_s = LIMIT_S if arguments.limit is None else arguments.limit
    if not 0 <= limit_s <= 3600:
        raise DeskError("--limit: expected 0 to 3600 seconds, got {limit_s:g}", limit_s=limit_s)
    with suppress(KeyboardInterrupt):
        asyncio.run(_read(arguments, limit_s or None))
    return 0


async def _read(arguments: argparse.Namespace, limit_s: float | None) -> None:
    from desk.commands.hall.streams import joined_link
    from desk.hall.reading.reader_control import ReaderControl, poems_read

    joka = not (arguments.no_joka or arguments.resume)
    session = secrets.token_hex(8)
    spoken = (arguments.voice, arguments.rhythm) if arguments.speakers else ("", "")
    async with joined_link(arguments.hall) as link:
        read = await poems_read(link) if arguments.resume else ()
        reader = (
            _chorus(arguments, link, session, read, joka=joka)
            if arguments.speakers
            else _reader(arguments, read, joka=joka)
        )
        control = ReaderControl(link, reader, session, joka=joka, read=read, spoken=spoken, limit_s=limit_s)
        loop = asyncio.get_running_loop()
        with suppress(NotImplementedError, OSError, ValueError):  # there is no terminal
            loop.add_reader(sys.stdin.fileno(), _obey, control)
        showing = loop.create_task(_show(control))
        sys.stdout.write(
            "Enter: read on although a mat is not ready, p: pause, r: resume, a: read again, q: stop\n"
        )
        try:
            await control.run()
        finally:
            showing.cancel()
            reader.close()


def _chorus(
    arguments: argparse.Namespace, link: Link, session: str, read: tuple[int, ...], *, joka: bool
) -> Reader:
    from desk.hall.reading.speakers_reader import HallSpeakers, SpeakersReader
    from desk.karuta.house.agreed_reader import PERSON, SILENT
    from recitation.playback.loudspeaker import Loudspeaker

    if arguments.voice == PERSON:
        raise DeskError("--speakers: a person's voice cannot be played ahead of time; leave one of both out")
    reading = _reading(arguments, read, joka=joka)
    own = None if arguments.voice == SILENT else Loudspeaker(replace(reading, steps=()))
    return SpeakersReader(reading, HallSpeakers(link, session, arguments.voice, arguments.rhythm, own))


def _reader(arguments: argparse.Namespace, read: tuple[int, ...], *, joka: bool) -> Reader:
    from desk.karuta.house.agreed_reader import PERSON, open_reader
    from desk.karuta.readers.loudspeaker_reader import ReciterReader
    from referee.karuta.flow.match import start
    from referee.karuta.flow.state import Settings
    from referee.karuta.ruleset import KYOGI

    if arguments.voice != PERSON:
        return ReciterReader(_reading(arguments, read, joka=joka))
    state = start(Settings(replace(KYOGI, joka=joka)))
    return open_reader(_agreed(arguments), "", replace(state, read=read))


def _reading(arguments: argparse.Namespace, read: tuple[int, ...], *, joka: bool) -> ReadingSettings:
    """Return what a voice of the machine reads, with the loudspeaker that was asked for."""
    from desk.karuta.house.agreed_reader import reading_of
    from desk.machine.sound_device import device_of

    return reading_of(_agreed(arguments), joka=joka, read=read, device=device_of(arguments.device))


def _agreed(arguments: argparse.Namespace) -> ReaderAgreed:
    from desk.karuta.house.agreement import Agreement

    wanted = Agreement(
        voice=arguments.voice,
        rhythm=arguments.rhythm,
        order_seed=arguments.seed,
        microphone=arguments.microphone,
    )
    return wanted.reader


def _obey(control: ReaderControl) -> None:
    from desk.hall.messages import ReadingWish

    line = sys.stdin.readline()
    if not line:
        asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
        return
    wish = _KEYS.get(line.strip().lower())
    if wish is not None:
        control.wish(ReadingWish(wish))


async def _show(control: ReaderControl) -> None:
    shown = ""
    while True:
        line = _line(control.state)
        if line != shown:
            shown = line
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
        await asyncio.sleep(_SHOWN_EVERY_S)


def _line(state: ReadingState) -> str:
    where = f"reading {state.number}, {state.mats} mats: {state.phase.value}"
    told = [
        f"{word} {', '.join(mats)}"
        for word, mats in (
            ("not ready", [mat for mat in state.waits_for if mat not in {*state.hands, *state.silent}]),
            ("hand raised at", state.hands),
            ("no word from", state.silent),
        )
        if mats
    ]
    if state.problem:
        told.append(state.problem)
    return "; ".join([where, *told])
