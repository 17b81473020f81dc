"""Small halls for the tests: real `nats-server` processes on loopback."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest

from desk.commands.hall.streams import make_streams
from desk.errors import DeskError
from desk.hall.link import Link
from desk.hall.operation.plan import HallPlan, tickets, write
from desk.hall.operation.server_process import ServerProcess, program, start_together
from desk.hall.ticket import Ticket, ticket_of

T = TypeVar("T")

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
