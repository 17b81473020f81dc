"""The floor of a hall: mats that play by a schedule, and a board that takes in what they send."""

import asyncio
import multiprocessing
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from desk.commands.hall.streams import make_streams
from desk.hall.board.copies import Copies
from desk.hall.link import Link
from desk.hall.mat.sender import Outbox, Sender
from desk.hall.operation.plan import HallPlan, tickets, write
from desk.hall.operation.server_process import ServerProcess, start_together
from desk.hall.store import follow
from desk.hall.subjects import EVERY_EVENT
from desk.hall.ticket import Ticket, ticket_of
from desk.log.event_log import EventLog, LogEntry

STEP = ("poem_finished", "proposed", "confirm", "ruled")
"""What one step of the rules writes at the end of a poem; a fifth of the payloads is a layout (5 kB)."""
_LAYOUT = [{"card": card, "x_m": card / 100, "y_m": 0.1, "side": "near", "row": 1} for card in range(50)]
_LEAD_S = 4.0
_DRAIN_S = 40.0


class Servers:
    """The servers of a hall in a folder."""

    def __init__(self, folder: Path, nodes: int, mats: int, port: int) -> None:
        self.plan = HallPlan(folder, ("127.0.0.1",) * nodes, mats, client_port=port, cluster_port=port + 2000)
        files = write(self.plan)
        self.peers = self.plan.peers()
        self.servers = [
            ServerProcess(file, peer.client_port) for file, peer in zip(files, self.peers, strict=True)
        ]

    def start(self) -> None:
        """Start all of them, and make the streams."""
        start_together(self.servers)
        asyncio.run(make_streams(self.ticket_file("operator"), 90.0, len(self.servers)))

    def ticket_file(self, user: str) -> str:
        """Return the file of a user's ticket."""
        return str(tickets(self.plan.folder) / f"{user}.toml")

    def ticket(self, user: str) -> Ticket:
        """Return a user's ticket."""
        return ticket_of(self.ticket_file(user))

    def leader(self) -> ServerProcess:
        """Return the server that leads the stream of events."""

        async def ask() -> str:
            link = Link(self.ticket("operator"))
            link.open()
            await link.joined()
            info = await link.stream(5.0).stream_info("EVENTS")
            await link.close()
            return "" if info.cluster is None else str(info.cluster.leader)

        leader = asyncio.run(ask())
        names = [peer.name for peer in self.peers]
        return self.servers[names.index(leader)] if leader in names else self.servers[0]


@contextmanager
def servers(nodes: int, mats: int, port: int) -> Iterator[Servers]:
    """Run a hall's servers for as long as a block runs."""
    with tempfile.TemporaryDirectory(prefix="shinpan-hall-") as folder:
        hall = Servers(Path(folder), nodes, mats, port)
        try:
            hall.start()
            yield hall
        finally:
            for server in hall.servers:
                server.kill()


@dataclass(frozen=True)
class Schedule:
    """What the mats play."""

    # mats, bursts: how many; in each burst every mat makes one step at the same instant
    mats: int
    bursts: int
    every_s: float  # from one burst to the next
    # a mat without a link up to a burst; its log grows meanwhile by `backlog` entries
    absent: str | None = None
    absent_until: int = 0
    backlog: int = 0

    @property
    def length_s(self) -> float:
        """How long it takes."""
        return self.bursts * self.every_s

    @property
    def entries(self) -> int:
        """How many entries all mats write."""
        return self.mats * self.bursts * len(STEP) + self.backlog


@dataclass
class Arrivals:
    """What the board took in: instant of writing and delay of each entry, by mat."""

    written_ns: list[int] = field(default_factory=list)
    delay_ns: list[int] = field(default_factory=list)
    mat: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    doubled: int = 0
    refused: int = 0
    begins_ns: int = 0
    cpu_s: dict[str, float] = field(default_factory=dict)

    def delays_ms(self, without: str | None = None) -> list[float]:
        """Return the delays of all mats but one, milliseconds."""
        return [delay / 1e6 for mat, delay in zip(self.mat, self.delay_ns, strict=True) if mat != without]


class Floor:
    """Mats and board in processes of their own."""

    def __init__(self, hall: Servers, schedule: Schedule, processes: int = 2) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._hall = hall
        self._schedule = schedule
        self._pipes: list[Connection] = []
        self._processes: list[Any] = []
        names = [name for name, _ in hall.plan.users() if name.startswith("mat-")][: schedule.mats]
        self.begins_ns = 0
        files = {name: hall.ticket_file(name) for name in names}
        self._start(_board, hall.ticket_file("board"), schedule.entries)
        absent = {name: file for name, file in files.items() if name == schedule.absent}
        if absent:  # its own machine is busy when it catches up, and no other mat's
            self._start(_mats, absent, schedule)
        present = [name for name in names if name not in absent]
        for place in range(processes):
            self._start(_mats, {name: files[name] for name in present[place::processes]}, schedule)

    def _start(self, work: Any, *arguments: Any) -> None:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=work, args=(theirs, *arguments), daemon=True)
        process.start()
        theirs.close()
        self._pipes.append(ours)
        self._processes.append(process)

    def begin(self) -> None:
        """Let the mats begin once all are there."""
        for pipe in self._pipes:
            assert pipe.recv() == "ready"
        self.begins_ns = time.perf_counter_ns() + round(_LEAD_S * 1e9)
        for pipe in self._pipes:
            pipe.send(self.begins_ns)
        self._cpu_s = self._spent_s()

    def _spent_s(self) -> dict[str, float]:
        """Return the processor time until now of all mats, all servers and the board, seconds."""
        board, *mats = [process.pid for process in self._processes]
        of = {"mats": mats, "servers": [server.pid for server in self._hall.servers], "board": [board]}
        return {who: sum(map(_cpu_s, pids)) for who, pids in of.items()}

    def wait_until(self, at_s: float) -> None:
        """Sleep until so long after the first burst."""
        time.sleep(max(0.0, at_s + (self.begins_ns - time.perf_counter_ns()) / 1e9))

    def end(self) -> Arrivals:
        """Return what the board took in, once it has everything or nothing more comes."""
        arrivals: Arrivals = self._pipes[0].recv()
        arrivals.begins_ns = self.begins_ns
        arrivals.cpu_s = {who: spent - self._cpu_s[who] for who, spent in self._spent_s().items()}
        for process in self._processes:
            process.terminate()
            process.join()
        return arrivals


def _cpu_s(pid: int) -> float:
    """Return the processor time of a process, seconds; 0 where the system does not say it (not Linux)."""
    file = Path(f"/proc/{pid}/stat")
    if not file.is_file():
        return 0.0
    spent = file.read_text("ascii", "replace").rpartition(")")[2].split()[11:13]
    return sum(map(int, spent)) / os.sysconf("SC_CLK_TCK")


def _board(pipe: Connection, ticket: str, expected: int) -> None:
    with tempfile.TemporaryDirectory(prefix="shinpan-board-") as folder:
        asyncio.run(_take(pipe, ticket, expected, Copies(Path(folder))))


async def _take(pipe: Connection, ticket: str, expected: int, copies: Copies) -> None:
    link, arrivals = Link(ticket_of(ticket)), Arrivals()
    link.open()
    await link.joined()
    begins_ns: int | None = None

    def took(message: Any) -> None:
        taken = copies.take(message.subject, message.data)
        now_ns = time.perf_counter_ns()
        for entry in taken:
            if begins_ns is None or entry.t_ns < begins_ns:
                continue  # how a match was opened
            arrivals.written_ns.append(entry.t_ns)
            arrivals.delay_ns.append(now_ns - entry.t_ns)
            arrivals.mat.append(message.subject.split(".")[2])

    following = asyncio.create_task(follow(link, "EVENTS", EVERY_EVENT, took))
    await asyncio.sleep(1.0)
    pipe.send("ready")
    begins_ns = await asyncio.to_thread(pipe.recv)
    last, since_s = -1, time.monotonic()
    while len(arrivals.delay_ns) < expected and time.monotonic() - since_s < _DRAIN_S:
        await asyncio.sleep(0.1)
        if len(arrivals.delay_ns) != last:
            last, since_s = len(arrivals.delay_ns), time.monotonic()
    await asyncio.sleep(0.5)  # for what comes twice
    following.cancel()
    arrivals.doubled, arrivals.refused = copies.ledger.again, copies.ledger.refused
    for mat in arrivals.mat:
        arrivals.counts[mat] = arrivals.counts.get(mat, 0) + 1
    pipe.send(arrivals)
    await link.close()
    copies.close()


def _mats(pipe: Connection, files: dict[str, str], schedule: Schedule) -> None:
    asyncio.run(_play(pipe, files, schedule))


class _Mat:
    """A mat whose log lies in memory, as if it had a disk of its own."""

    def __init__(self, folder: Path, name: str, file: str) -> None:
        self.name, self.link = name, Link(ticket_of(file))
        self._outbox = Outbox(folder / name, name)
        self._log = EventLog.create(folder / name / "match_1.sqlite")
        self._outbox.join("match_1")
        self.sender = Sender(self.link, self._outbox)

    def step(self, count: int = len(STEP)) -> None:
        """Write what one step of the rules writes, and wake the sender."""
        t_ns, first = time.perf_counter_ns(), self._log.last_seq + 1
        self._log.append(
            [
                LogEntry(
                    first + place,
                    t_ns,
                    "2026-11-28T10:00:00.000+09:00",
                    "rules",
                    STEP[place % len(STEP)],
                    1,
                    {"n": first + place, "layout": _LAYOUT if (first + place) % 5 == 0 else []},
                )
                for place in range(count)
            ]
        )
        self.sender.wake()


async def _play(pipe: Connection, files: dict[str, str], schedule: Schedule) -> None:
    memory = Path("/dev/shm")
    where = memory if memory.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="shinpan-mats-", dir=where) as folder:
        mats = [_Mat(Path(folder), name, file) for name, file in files.items()]
        tasks = [asyncio.create_task(mat.sender.run()) for mat in mats]
        for mat in mats:
            if mat.name != schedule.absent:
                mat.link.open()
                await mat.link.joined()
            mat.step()  # a match is opened long before its first poem
        pipe.send("ready")
        begins_ns: int = await asyncio.to_thread(pipe.recv)
        for burst in range(schedule.bursts):
            at_ns = begins_ns + round(burst * schedule.every_s * 1e9)
            await asyncio.sleep(max(0.0, (at_ns - time.perf_counter_ns()) / 1e9))
            for mat in mats:
                mat.step()
                await asyncio.sleep(0)  # each mat has a processor of its own, and sends at once
                if mat.name == schedule.absent and burst == 0:
                    for _ in range(schedule.backlog // len(STEP)):
                        mat.step()
                if mat.name == schedule.absent and burst == schedule.absent_until:
                    mat.link.open()
        await asyncio.gather(*tasks)


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value that `share` of all do not exceed; 0 where there are none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0
