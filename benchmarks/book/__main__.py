"""How soon the club's book knows a season, and whether its figures are right.

`uv run python -m benchmarks.book [--matches 1000] [--compared 100] [--looks 1] [--json OUT]`

Real rules judge `--played` scripted matches of 25 cards a side; the season consists of copies of them with
other players and days, so that no two logs are the same file. The figures of `--compared` matches are counted
a second time by refereeing each of them again (`benchmarks.book.second_count`). Pages are the list, each
player, each pairing, and the page to print of each player. With `--looks` each is opened so often, every
time in a book that was just opened, and the fastest counts: other work on this machine does not.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import quantiles

import httpx

from benchmarks.book.season import PLAYERS, played, season
from benchmarks.book.second_count import count, differences
from benchmarks.command import read_options, write_json
from desk.book.book import Book
from desk.book.index import FILE_NAME
from desk.panel.app import create_app
from desk.panel.house.port import OneMatch

FIRST_GOAL_S, LATER_GOAL_S, PAGE_GOAL_MS = 10.0, 1.0, 150.0


def main() -> None:
    """Measure and print."""
    arguments = read_options(__doc__, matches=1000, played=100, compared=100, looks=1)
    with tempfile.TemporaryDirectory(prefix="shinpan-") as name:
        folder = Path(name)
        originals = [played(number, folder) for number in range(arguments.played)]
        season(folder, arguments.matches, originals)
        result = measured(folder, arguments.looks)
    with tempfile.TemporaryDirectory(prefix="shinpan-") as name:
        folder = Path(name)
        season(folder, arguments.compared, originals)
        result |= compared(folder)
    for key, value in result.items():
        print(f"{key:28} {value}")
    write_json(arguments.json, result)


def measured(folder: Path, looks: int) -> dict[str, float]:
    """Return how long the book takes over the season, by the clock and of the processor."""
    first = Watch()
    book = Book(folder)
    logs = book.refresh().logs
    first.stop()
    book.close()
    every_look = []
    for _ in range(looks):
        later = Watch()
        book = Book(folder)
        book.players()
        later.stop()
        every_look.append(asyncio.run(opened(book)))
        book.close()
    pages = [min(same, key=lambda watch: watch.clock_s) for same in zip(*every_look, strict=True)]
    index_mb = (folder / FILE_NAME).stat().st_size / 1e6
    return {
        "matches": logs,
        "first index s": round(first.clock_s, 2),
        "of the processor s": round(first.processor_s, 2),
        "goal of the first s": FIRST_GOAL_S,
        "later start s": round(later.clock_s, 3),
        "of the processor, later s": round(later.processor_s, 3),
        "goal of the later s": LATER_GOAL_S,
        "page p95 ms": round(p95([page.clock_s for page in pages]) * 1e3, 1),
        "of the processor p95 ms": round(p95([page.processor_s for page in pages]) * 1e3, 1),
        "goal of the page ms": PAGE_GOAL_MS,
        "index MB": round(index_mb, 1),
    }


async def opened(book: Book) -> list[Watch]:
    """Open the list, every player and every pairing, and return how long each page took."""
    app = create_app(house=OneMatch(None), book=book)
    paths = ["/book", *(f"/book/player?name={player}" for player in PLAYERS)]
    paths += [f"/book/player/sheet?name={player}" for player in PLAYERS]
    paths += [f"/book/player?name={a}&against={b}" for a in PLAYERS for b in book.opponents(a)]
    watches = []
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as browser:
        await browser.get("/book")  # templates are read once
        for path in paths:
            watch = Watch()
            answer = await browser.get(path)
            watch.stop()
            answer.raise_for_status()
            watches.append(watch)
    return watches


class Watch:
    """Seconds by the clock, and on the processors of this process and those that it waited for."""

    def __init__(self) -> None:
        self.clock_s, self.processor_s = time.perf_counter(), sum(os.times()[:4])

    def stop(self) -> None:
        """Hold the seconds since the watch was made."""
        self.clock_s = time.perf_counter() - self.clock_s
        self.processor_s = sum(os.times()[:4]) - self.processor_s


def p95(values: Sequence[float]) -> float:
    """Return the value that 95 of 100 do not exceed."""
    return quantiles(values, n=20, method="inclusive")[-1]


def compared(folder: Path) -> dict[str, float]:
    """Return how often the book and a second count differ."""
    counted = count(sorted(folder.glob("*.sqlite")))
    book = Book(folder)
    different = []
    for player, of in counted.items():
        figures = book.figures(player)
        different += [f"{player} is missing"] if figures is None else differences(figures, of)
    book.close()
    print(*different, sep="\n", end="\n" if different else "")
    return {
        "matches counted twice": len(list(folder.glob("*.sqlite"))),
        "takes counted twice": sum(sum(each.cards.values()) for each in counted.values()) // 2,
        "differences": len(different),
    }


if __name__ == "__main__":
    main()
