"""Small halls for the tests: real `nats-server` processes on loopback."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest
from nats.errors import Error

from desk.commands.hall.streams import make_streams
from desk.errors import DeskError
from desk.hall.link import Link
from desk.hall.mat.sender import Outbox, Sender
from desk.hall.operation.plan import HallPlan, tickets, write
from desk.hall.operation.server_process import ServerProcess, program, start_together
from desk.hall.ticket import Ticket, ticket_of
from desk.karuta.engine.engine import Origin
from desk.karuta.engine.events import EvidenceKept
from desk.log.event_log import EventLog, LogEntry
from tests.desk.karuta.karuta_script import begin, play, whole_match

T = TypeVar("T")
WALL = "2026-11-28T10:00:00.000+09:00"

# the group `dev` has one beside its Python; Debian's is too old
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])


def _is_there() -> bool:
    try:
        return bool(program())
    except DeskError:
        return False


needs_server = pytest.mark.skipif(not _is_there(), reason="a nats-server that is new enough is not installed")


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def free_ports(count: int) -> int:
    """Return the first of so many ports in a row that nobody uses."""
    while True:
        first = free_port()
        with ExitStack() as stack:
            try:
                for port in range(first, first + count):
                    stack.enter_context(socket.create_server(("127.0.0.1", port)))
            except OSError:
                continue
            return first


class SmallHall:
    """A hall with one server, or three, and a few mats."""

    def __init__(
        self, folder: Path, *, tls: bool = False, mats: int = 3, disk_gib: float = 8.0, nodes: int = 1
    ) -> None:
        client_port, cluster_port = free_ports(nodes), free_ports(nodes)
        self.plan = HallPlan(
            folder,
            ("127.0.0.1",) * nodes,
            mats,
            frozenset({"mat-03"}),
            tls=tls,
            disk_gib=disk_gib,
            client_port=client_port,
            cluster_port=cluster_port,
        )
        files = write(self.plan)
        self.servers = [
            ServerProcess(file, peer.client_port) for file, peer in zip(files, self.plan.peers(), strict=True)
        ]
        self.server = self.servers[0]

    def ticket(self, user: str) -> Ticket:
        return ticket_of(str(tickets(self.plan.folder) / f"{user}.toml"))

    def start(self) -> None:
        start_together(self.servers)
        asyncio.run(self.lay_out())

    async def lay_out(self) -> None:
        """Make the streams that are missing."""
        operator = str(tickets(self.plan.folder) / "operator.toml")
        await make_streams(operator, 90.0, len(self.servers))

    def link(self, user: str) -> Joined:
        return Joined(Link(self.ticket(user)))


def entry(seq: int, text: str = "") -> LogEntry:
    return LogEntry(seq, seq, WALL, "rules", "ruled", 1, {"text": text})


def whole_log(folder: Path, replay: str | None = None) -> tuple[LogEntry, ...]:
    """Return the log of a match of four cards, whose third ruling has this replay."""
    engine = begin(folder / "test_1.sqlite")
    play(engine, whole_match())
    if replay is not None:
        ruling = [each.seq for each in engine.history if type(each.event).__name__ == "Proposed"][-1]
        engine.note(EvidenceKept(ruling, replay), Origin.DESK)
    return tuple(engine._log.entries())


class Mat:
    """A mat with one match, whose log grows when told."""

    def __init__(self, folder: Path, link: Link, match: str = "m") -> None:
        self.match = match
        path = folder / f"{match}.sqlite"
        self.log = EventLog.open(path) if path.exists() else EventLog.create(path)
        self.outbox = Outbox(folder, link.ticket.user)
        self.outbox.join(match)
        self.sender = Sender(link, self.outbox)
        self._task = asyncio.get_running_loop().create_task(self.sender.run())

    def step(self, count: int = 1, text: str = "") -> None:
        """Append what one step of the rules writes."""
        first = self.log.last_seq + 1
        self.log.append([replace(entry(seq, text), t_ns=first) for seq in range(first, first + count)])
        self.sender.wake()

    async def all_sent(self) -> None:
        await until(lambda: self.outbox.unsent(self.match) == 0, 10)

    async def play(self, steps: int = 1) -> None:
        for _ in range(steps):
            self.step()
            await self.all_sent()

    async def leave(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self.outbox.close()
        self.log.close()


async def settled(*links: Link) -> None:
    """Return once the server has carried out what was said, as far as a second question can tell."""
    for link in links:
        with suppress(Error):
            await link.client.flush()
    await asyncio.sleep(0.1)


class Joined:
    """A link for as long as a block runs."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def __aenter__(self) -> Link:
        self._link.open()
        await asyncio.wait_for(self._link.joined(), 20)
        return self._link

    async def __aexit__(self, *_: object) -> None:
        await self._link.close()


@contextmanager
def small_hall(folder: Path, **settings: Any) -> Iterator[SmallHall]:
    hall = SmallHall(folder, **settings)
    hall.start()
    try:
        yield hall
    finally:
        for server in hall.servers:
            server.kill()


def run(test: Callable[[], Coroutine[Any, Any, T]], limit_s: float = 20.0) -> T:
    """Run a coroutine to its end, on a loop of its own."""
    return asyncio.run(asyncio.wait_for(test(), limit_s))


async def until(condition: Callable[[], bool], limit_s: float = 30.0) -> None:
    """Return as soon as something holds; only what hangs takes the limit."""
    async with asyncio.timeout(limit_s):
        while not condition():
            await asyncio.sleep(0.01)
