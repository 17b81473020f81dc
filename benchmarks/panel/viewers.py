"""What a hundred viewers cost a match: how much later rulings and pictures come, and who misses what.

`uv run python -m benchmarks.panel.viewers [--steady 40] [--phones 50] [--slow 10] [--poems 12] [--rounds 2]`

The server runs in this process as it does in `shinpan serve`, a page in a real Chromium looks at it, and the
viewers live in a process of their own: steady ones, phones that look for one to four seconds, sleep for up to
three and go on where they left off, and readers that take 256 bytes a second through a small window. Each
round plays the same poems without them and with them. Told are the time from a poem's end to its ruling in
the log, from an event to the painted page, and how long the page itself takes to be fetched. Of the events
none may be lost or come twice.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import multiprocessing
import random
import socket
import statistics
import sys
import tempfile
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from benchmarks.command import read_options
from benchmarks.panel.latency import CHROMIUM, PORT, WATCH_PAINT, Server, latencies_ms, play
from referee.karuta.flow.events import Event, PoemFinished

LATER_GOAL, P99_GOAL_MS = 0.10, 100.0
STREAM = "/api/events?lang=ja"


class TimedServer(Server):
    """A match's panel that notes how long rulings take."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.rulings_ms: list[float] = []

    def submit(self, *events: Event) -> None:
        """Let events happen on the server's loop; of a poem's end, note when its ruling stood in the log."""
        begun_ns = time.perf_counter_ns()
        super().submit(*events)
        if any(isinstance(event, PoemFinished) for event in events):
            self.rulings_ms.append((self.written_ns - begun_ns) / 1e6)


class Viewer:
    """One reader of the stream: the id of the last event, and what was lost or came twice."""

    def __init__(self, dice: random.Random, counts: Counter[str]) -> None:
        self._dice, self._counts = dice, counts
        self._last, self._id = "", ""

    async def steady(self) -> None:
        """Read without end."""
        async with self._stream() as lines:
            while line := await lines.readline():
                self._hear(line)

    async def phone(self) -> None:
        """Look, sleep, and go on after the last event."""
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._dice.uniform(1.0, 4.0)):
                    await self.steady()
            self._counts["sleeps"] += 1
            await asyncio.sleep(self._dice.uniform(0.2, 3.0))

    async def slow(self) -> None:
        """Read 256 bytes a second."""
        async with self._stream(window=4096) as lines:
            while await lines.read(256):
                await asyncio.sleep(1.0)

    def _hear(self, line: bytes) -> None:
        if line.startswith(b"id: "):
            self._id = line[4:].decode().strip()
        elif line.startswith(b"data: [{"):
            for told in json.loads(line[6:]):
                missed = told["seq"] - 1 - int(self._last.rpartition(".")[2]) if self._last else 0
                self._counts["events"] += 1
                self._counts["lost" if missed > 0 else "doubled"] += abs(missed)
                self._last = f"{self._id.rpartition('.')[0]}.{told['seq']}"

    @contextlib.asynccontextmanager
    async def _stream(self, window: int | None = None) -> AsyncIterator[asyncio.StreamReader]:
        line = socket.socket()
        if window is not None:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
        line.setblocking(False)
        await asyncio.get_running_loop().sock_connect(line, ("127.0.0.1", PORT))
        reader, writer = await asyncio.open_connection(sock=line, limit=window or 1 << 20)
        known = f"Last-Event-ID: {self._last}\r\n" if self._last else ""
        writer.write(f"GET {STREAM} HTTP/1.1\r\nHost: 127.0.0.1:{PORT}\r\n{known}\r\n".encode())
        try:
            yield reader
        finally:
            writer.close()


def look_on(steady: int, phones: int, slow: int, line: Connection) -> None:
    """Be a crowd until `line` is asked, then tell what was counted."""
    counts: Counter[str] = Counter()

    async def look() -> None:
        kinds = ["steady"] * steady + ["phone"] * phones + ["slow"] * slow
        each = [getattr(Viewer(random.Random(seed), counts), kind)() for seed, kind in enumerate(kinds)]
        looking = [asyncio.ensure_future(one) for one in each]
        await asyncio.to_thread(line.recv)
        counts["gone"] = sum(one.done() for one in looking)
        for one in looking:
            one.cancel()
        await asyncio.gather(*looking, return_exceptions=True)

    asyncio.run(look())
    line.send(dict(counts))


@contextlib.contextmanager
def crowd(options: argparse.Namespace, counts: Counter[str]) -> Iterator[None]:
    """Let viewers look from a process of their own, and add up what they counted."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    kinds = (options.steady, options.phones, options.slow)
    process = context.Process(target=look_on, args=(*kinds, theirs), daemon=True)
    process.start()
    time.sleep(3.0)
    try:
        yield
        ours.send("enough")
        counts.update(ours.recv() if ours.poll(20) else {"silent": 1})
    finally:
        process.kill()
        process.join()


@contextlib.contextmanager
def fetching(times_ms: list[float]) -> Iterator[None]:
    """Fetch the page four times a second meanwhile, and note how long it takes."""
    over = threading.Event()

    def fetch() -> None:
        while not over.wait(0.25):
            begun_ns = time.perf_counter_ns()
            with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/?lang=en", timeout=20) as answer:
                answer.read()
            times_ms.append((time.perf_counter_ns() - begun_ns) / 1e6)

    fetcher = threading.Thread(target=fetch)
    fetcher.start()
    try:
        yield
    finally:
        over.set()
        fetcher.join()


Times = dict[str, list[float]]


def measure(browser: Browser, options: argparse.Namespace, times: Times, counts: Counter[str] | None) -> None:
    """Play the poems once, with a crowd where there are counts, and add to the times in milliseconds."""
    with tempfile.TemporaryDirectory() as folder:
        server = TimedServer(Path(folder))
        context = browser.new_context(reduced_motion="reduce", bypass_csp=True)
        page = context.new_page()
        page.add_init_script(WATCH_PAINT)
        page.goto(f"http://127.0.0.1:{PORT}/?lang=en")
        page.locator('#line[data-line="connected"]').wait_for()
        looking = contextlib.nullcontext() if counts is None else crowd(options, counts)
        with looking, fetching(times["page"]):
            play(server, options.poems)
            time.sleep(2.0)
        times["ruling"] += server.rulings_ms
        times["pixels"] += latencies_ms(server, page)
        context.close()
        server.close()


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value below which a share of all lies."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def main() -> int:
    """Measure and print; 0 where every goal is reached."""
    options = read_options(__doc__, steady=40, phones=50, slow=10, poems=12, rounds=2)
    alone: Times = {"ruling": [], "pixels": [], "page": []}
    among: Times = {"ruling": [], "pixels": [], "page": []}
    counts: Counter[str] = Counter()
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        for _ in range(options.rounds):
            measure(browser, options, alone, None)
            measure(browser, options, among, counts)
        browser.close()
    print(f"{'milliseconds':24} {'alone p50':>10} {'p99':>8} {'among p50':>10} {'p99':>8}")
    for name, told in (
        ("ruling in the log", "ruling"),
        ("event to pixels", "pixels"),
        ("page fetched", "page"),
    ):
        cells = [quantile(times[told], share) for times in (alone, among) for share in (0.5, 0.99)]
        print(
            f"{name:24} "
            + " ".join(f"{cell:>{width}.1f}" for cell, width in zip(cells, (10, 8, 10, 8), strict=True))
        )
    later = statistics.median(among["ruling"]) / statistics.median(alone["ruling"]) - 1
    print(
        f"rulings {later:+.0%} later;",
        ", ".join(f"{count} {name}" for name, count in sorted(counts.items())),
    )
    good = later <= LATER_GOAL and quantile(among["pixels"], 0.99) <= P99_GOAL_MS
    good = good and not counts["lost"] + counts["doubled"] + counts["silent"]
    print("every goal is reached" if good else "a goal is not reached")
    if options.json is not None:
        told_all = {"alone": alone, "among": among, "counts": counts, "later": later}
        options.json.write_text(json.dumps(told_all, indent=1) + "\n", "utf-8")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
