"""Whether a hall loses or doubles an event when its programs die (SIGKILL), again and again.

One `nats-server`, four mats that play matches through the real rules into logs on the disk, the board, the
reader (`shinpan hall read`), and a program that reads all logs meanwhile. In every cycle one of each kind is
killed at a random moment and started again at once. What a mat confirmed, it noted in a file of its own after
the log had it; what the hall confirmed to the reader, that noted.
"""

import asyncio
import json
import multiprocessing
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from contextlib import aclosing, suppress
from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Any

from nats.js.api import PubAck

from benchmarks.hall.floor import Servers
from benchmarks.hall.tournament import _SETTINGS, Script
from desk.commands import cli
from desk.errors import DeskError, EventLogError
from desk.hall.board.floor import Floor
from desk.hall.link import Link
from desk.hall.mat.sender import Outbox, Sender
from desk.hall.mat.station import standing
from desk.hall.messages import FirstSoundCue, MatHealth, PoemCue, pack, unpack
from desk.hall.store import everything
from desk.hall.subjects import READING_CUE, state_of
from desk.hall.ticket import ticket_of
from desk.karuta.engine.engine import Engine, Origin
from desk.karuta.engine.events import MatchOpened
from desk.karuta.engine.policy import Policies
from desk.karuta.engine.snapshot import snapshot
from desk.log import database
from desk.log.clocks import match_clock, wall_clock
from desk.log.event_log import EventLog
from desk.log.log_file import UnbegunLogError
from desk.tables.source_kind import Source
from referee.cards.poems import POEMS
from referee.karuta.flow.events import Event
from referee.sides import BySide

MATS = 4
_PORT = 28222
_CYCLES = int(os.environ.get("SHINPAN_CRASHES", "200"))
_SEED = int(os.environ.get("SHINPAN_CRASH_SEED", "62"))
_CYCLE_S = float(os.environ.get("SHINPAN_CRASH_CYCLE", "10"))
"""The reader takes some seconds to start, and listens to the mats for 2.5 s before it reads."""
_READER = ("desk.commands.hall.read", "desk.hall.reading.reader_control", "desk.karuta.house.agreed_reader")
_STEP_S = 0.2
_SETTLES_WITHIN_S = 900.0


def kill_again_and_again(_: int) -> dict[str, Any]:
    """Return what was killed, and what of the events was lost or doubled afterwards."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["benchmarks.hall.crashes", *_READER])
    dice, killed = Random(_SEED), Counter[str]()
    with tempfile.TemporaryDirectory(prefix="shinpan-crashes-") as name:
        folder = Path(name)
        hall = Servers(folder / "hall", 1, MATS, _PORT)
        hall.start()
        mats = [f"mat-{number:02d}" for number in range(1, MATS + 1)]
        works: dict[str, tuple[Any, tuple[Any, ...]]] = {
            **{mat: (play, (hall.ticket_file(mat), folder / mat)) for mat in mats},
            "board": (watch, (hall.ticket_file("board"), folder / "board")),
            "reader": (read, (hall.ticket_file("reader"), folder / "cues.txt")),
        }
        running = {who: _started(context, work, given) for who, (work, given) in works.items()}
        onlooker = _started(context, look_on, (folder,))
        try:
            for cycle in range(_CYCLES):
                begins_s = time.monotonic()
                moments = sorted(
                    (dice.random() * _CYCLE_S, kind) for kind in ("desk", "board", "reader", "nats")
                )
                for at_s, kind in moments:
                    time.sleep(max(0.0, begins_s + at_s - time.monotonic()))
                    killed[kind] += 1
                    if kind == "nats":
                        hall.servers[0].kill()
                        hall.servers[0].start()
                        continue
                    who = mats[cycle % MATS] if kind == "desk" else kind
                    running[who].kill()
                    running[who].join()
                    running[who] = _started(context, *works[who])
                time.sleep(max(0.0, begins_s + _CYCLE_S - time.monotonic()))
            time.sleep(_CYCLE_S)  # whoever was started last is up
            for mat in mats:  # the mats stop between two steps, and send what is left
                os.kill(running[mat].pid, signal.SIGTERM)
            figures = {**asyncio.run(_cues(hall, folder / "cues.txt")), **_settled(folder, mats)}
        finally:
            for process in (*running.values(), onlooker):
                process.kill()
                process.join()
            hall.servers[0].kill()
        seen = json.loads((folder / "onlooker.json").read_text("utf-8"))
    return {**{f"{kind} killed": killed[kind] for kind in sorted(killed)}, **figures, **seen}


def _started(context: Any, work: Any, given: tuple[Any, ...]) -> Any:
    # the reader has a process of its own for its voice, which daemons may not have
    process = context.Process(target=work, args=given, daemon=work is not read)
    process.start()
    return process


# --- the programs ---------------------------------------------------------------------------------------


def play(ticket: str, folder: Path) -> None:
    """Play matches at a mat, one after the other; go on in the middle of the one that was interrupted."""
    asyncio.run(_play(ticket, folder))


async def _play(ticket: str, folder: Path) -> None:
    link, stopped = Link(ticket_of(ticket)), asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    outbox = Outbox(folder, link.ticket.user)
    sender = Sender(link, outbox)
    link.open()
    sending = asyncio.get_running_loop().create_task(sender.run())
    confirmed = os.open(folder / "confirmed.txt", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    begun = len(list(folder.glob("match_*.sqlite")))
    for number in count(max(1, begun)):
        engine = _engine(folder / f"match_{number}.sqlite")
        outbox.join(engine.opened.id)
        for event in _left(engine, number):
            if stopped.is_set():
                break
            engine.submit(event, Origin.EYE)
            os.write(confirmed, f"{engine.opened.id} {engine.last_seq}\n".encode())
            sender.wake()
            state = standing(link.ticket.user, engine, snapshot(engine), None, MatHealth())
            await link.say(state_of(link.ticket.user), pack(replace(state, follows=True, ready=True)))
            await asyncio.sleep(_STEP_S)
        if stopped.is_set():
            break
    await sending


def _engine(path: Path) -> Engine:
    """Return a match that begins, or that goes on where its log ends."""
    if path.exists():
        try:
            log = EventLog.open(path)
        except UnbegunLogError:
            database.remove(path)
        else:
            if log.last_seq:
                return Engine.resume(log, clock=match_clock, wall=wall_clock)
            log.close()
            database.remove(path)
    opened = MatchOpened(path.stem, Source.SIMULATOR, _SETTINGS, BySide("Aoi", "Ben"))
    return Engine.begin(
        EventLog.create(path), opened, policies=Policies(), clock=match_clock, wall=wall_clock
    )


def _left(engine: Engine, number: int) -> list[Event]:
    """Return what has not happened yet of the match with this number; the same dice give the same match."""
    told = sum(entry.origin is Origin.EYE for entry in engine.history)
    events = [event for step in Script(Random(number)).steps() for event in step]
    return list(islice(events, told, None))


def watch(ticket: str, folder: Path) -> None:
    """Be the board."""

    async def stand() -> None:
        floor = Floor(ticket_of(ticket), folder)
        floor.open()
        await asyncio.Event().wait()

    asyncio.run(stand())


def read(ticket: str, confirmed: Path) -> None:
    """Be the reader, which goes on where it was killed, and begins anew once it has read all."""
    sys.stdout = sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    file = os.open(confirmed, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    keep = Link.keep

    async def keep_and_note(link: Link, *given: Any) -> PubAck:
        kept = await keep(link, *given)
        os.write(file, f"{kept.seq}\n".encode())
        return kept

    Link.keep = keep_and_note  # type: ignore[method-assign, assignment]
    arguments = ["hall", "read", "--hall", ticket, "--voice", "silent", "--no-joka", "--limit", "0.5"]
    is_over = False
    while True:  # it ends in the middle where the server does not answer as it begins
        is_over = not cli.main([*arguments, *([] if is_over else ["--resume"])])


def look_on(folder: Path) -> None:
    """Read all logs again and again, and note whether one ever had a hole or lost an entry that was seen."""
    last, looks, holes, shrunk = Counter[Path](), 0, 0, 0
    while True:
        for path in [*folder.glob("mat-*/match_*.sqlite"), *folder.glob("board/*/*.sqlite")]:
            with suppress(EventLogError, DeskError, OSError), EventLog.read(path) as log:
                numbers = [entry.seq for entry in log.entries(last[path])]
                looks += 1
                holes += numbers != list(range(last[path] + 1, last[path] + 1 + len(numbers)))
                shrunk += "board" not in path.parts and log.newest_seq() < last[path]
                last[path] += len(numbers)
        seen = {"logs read meanwhile": looks, "with a hole": holes, "shorter than before": shrunk}
        (folder / "onlooker.part").write_text(json.dumps(seen), "utf-8")
        (folder / "onlooker.part").replace(folder / "onlooker.json")
        time.sleep(0.05)


# --- afterwards -----------------------------------------------------------------------------------------


async def _cues(hall: Servers, confirmed: Path) -> dict[str, int]:
    """Count the reader's cues, those that it was told are kept and are not, and poems that it read twice."""
    link = Link(hall.ticket("operator"))
    link.open()
    await link.joined()
    kept: dict[int, Any] = {}
    async with aclosing(everything(link, "READING", READING_CUE)) as messages:
        async for each in messages:
            kept[each.seq] = unpack(each.data)
    await link.close()
    begun = Counter((cue.session, cue.number) for cue in kept.values() if isinstance(cue, FirstSoundCue))
    poems = {(cue.session, cue.number): cue.poem for cue in kept.values() if isinstance(cue, PoemCue)}
    read, twice = set[int](), 0
    for poem in poems.values():
        if len(read) == len(POEMS):
            read = set()  # a new reading
        twice += poem in read
        read.add(poem)
    acknowledged = {int(line) for line in confirmed.read_text("ascii").splitlines()}
    return {
        "sessions that read": len({session for session, _ in begun}), "cues": len(kept), "poems": len(poems),
        "cues confirmed and lost": len(acknowledged - kept.keys()),
        "cues doubled": begun.total() - len(begun), "poems read twice": twice,
    }  # fmt: skip


def _settled(folder: Path, mats: list[str]) -> dict[str, Any]:
    """Wait until the board has what the mats have, and count."""
    ends_s = time.monotonic() + _SETTLES_WITHIN_S
    while (figures := _compared(folder, mats))["missing at the board"] and time.monotonic() < ends_s:
        time.sleep(0.5)
    return figures


def _compared(folder: Path, mats: list[str]) -> dict[str, Any]:
    entries = matches = lost = missing = differ = doubled = 0
    for mat in mats:
        confirmed = Counter[str]()
        for line in (folder / mat / "confirmed.txt").read_text("ascii").splitlines():
            match, seq = line.split()
            confirmed[match] = max(confirmed[match], int(seq))
        for path in sorted((folder / mat).glob("match_*.sqlite")):
            matches += 1
            own = _entries(path)
            copy = _entries(folder / "board" / mat / path.name)
            entries += len(own)
            numbers = [entry.seq for entry in own]
            lost += max(0, confirmed[path.stem] - len(set(numbers)))
            doubled += len(numbers) - len(set(numbers)) + len(copy) - len({entry.seq for entry in copy})
            missing += max(0, len(own) - len(copy))
            differ += sum(mine != theirs for mine, theirs in zip(own, copy, strict=False))
    return {
        "matches": matches, "entries": entries, "confirmed and lost": lost, "missing at the board": missing,
        "doubled": doubled, "different at the board": differ,
    }  # fmt: skip


def _entries(path: Path) -> list[Any]:
    try:
        with EventLog.read(path) as log:
            return list(log.entries())
    except EventLogError:
        return []
