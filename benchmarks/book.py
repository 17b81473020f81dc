"""How soon the club's book knows a season, and whether its figures are right.

`uv run python -m benchmarks.book [--matches 1000] [--compared 100] [--json OUT]`

Real rules judge `--played` scripted matches of 25 cards a side; the season consists of copies of them with
other players and days, so that no two logs are the same file. The figures of `--compared` matches are counted
a second time by refereeing each of them again (`benchmarks.second_count`).
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

from benchmarks.club_matches import ClubMatch, play
from benchmarks.second_count import count, differences
from desk.book.book import Book
from desk.log.event_log import EventLog, LogEntry
from referee.sides import BySide, Side

PLAYERS = ("Hana", "Ken", "Mei", "Taro", "蒼", "陽菜", "Jun", "Emi", "Rin", "Sora")
FIRST_GOAL_S, LATER_GOAL_S = 10.0, 1.0


def played(number: int, folder: Path) -> list[LogEntry]:
    """Play a match and return its log."""
    match = ClubMatch(folder / f"m{number}.sqlite", BySide("A", "B"), seed=number)
    play(match, {Side.NEAR: 280, Side.FAR: 300})
    return match.log.held


def season(folder: Path, matches: int, originals: Sequence[Sequence[LogEntry]]) -> None:
    """Write the logs of a season: the matches that were played, by other players on other days."""
    dice = random.Random(1)
    for number in range(matches):
        near, far = dice.sample(PLAYERS, 2)
        day = date(2026, 1, 4) + timedelta(days=number // 3)
        wall = f"{day}T19:{number % 60:02}:00.000+09:00"
        first, *others = (replace(entry, wall=wall) for entry in originals[number % len(originals)])
        names = {"near": near, "far": far}
        opened = replace(first, payload={**first.payload, "id": f"s{number}", "names": names})
        with EventLog.create(folder / f"s{number}.sqlite") as log:
            log.append([opened, *others])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--matches", type=int, default=1000, help="of the season")
    parser.add_argument("--played", type=int, default=100, help="of them, how many are different")
    parser.add_argument("--compared", type=int, default=100, help="matches that are counted a second time")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="shinpan-") as name:
        folder = Path(name)
        originals = [played(number, folder) for number in range(arguments.played)]
        season(folder, arguments.matches, originals)
        result = measured(folder)
    with tempfile.TemporaryDirectory(prefix="shinpan-") as name:
        folder = Path(name)
        season(folder, arguments.compared, originals)
        result |= compared(folder)
    for key, value in result.items():
        print(f"{key:28} {value}")
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(result, indent=1) + "\n", "utf-8")


def measured(folder: Path) -> dict[str, float]:
    """Return how long the book takes over the season."""
    started_s = time.perf_counter()
    book = Book(folder)
    logs = book.refresh().logs
    first_s = time.perf_counter() - started_s
    book.close()
    started_s = time.perf_counter()
    book = Book(folder)
    book.players()
    later_s = time.perf_counter() - started_s
    asked_ms = []
    for player in PLAYERS:
        started_s = time.perf_counter()
        book.figures(player)
        asked_ms.append(1e3 * (time.perf_counter() - started_s))
    index_mb = book.folder.joinpath("book.index").stat().st_size / 1e6
    book.close()
    return {
        "matches": logs,
        "first index s": round(first_s, 2),
        "goal s": FIRST_GOAL_S,
        "later start s": round(later_s, 3),
        "goal later s": LATER_GOAL_S,
        "figures of a player, max ms": round(max(asked_ms), 1),
        "index MB": round(index_mb, 1),
    }


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
