"""The logs of a club's season: copies of a few matches, by other players on other days."""

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

from benchmarks.book.club_matches import ClubMatch, play
from desk.log.event_log import EventLog, LogEntry
from referee.sides import BySide, Side

PLAYERS = ("Hana", "Ken", "Mei", "Taro", "蒼", "陽菜", "Jun", "Emi", "Rin", "Sora")


def played(number: int, folder: Path) -> list[LogEntry]:
    """Play a match and return its log."""
    match = ClubMatch(folder / f"m{number}.sqlite", BySide("A", "B"), seed=number)
    play(match, {Side.NEAR: 280, Side.FAR: 300})
    return match.log.held


def season(
    folder: Path, matches: int, originals: Sequence[Sequence[LogEntry]], first: date = date(2026, 1, 4)
) -> None:
    """Write the logs of a season: the matches that were played, by others, three a day from `first` on."""
    dice = random.Random(1)
    for number in range(matches):
        near, far = dice.sample(PLAYERS, 2)
        day = first + timedelta(days=number // 3)
        wall = f"{day}T19:{number % 60:02}:00.000+09:00"
        opening, *others = (replace(entry, wall=wall) for entry in originals[number % len(originals)])
        names = {"near": near, "far": far}
        opened = replace(opening, payload={**opening.payload, "id": f"s{number}", "names": names})
        with EventLog.create(folder / f"s{number}.sqlite") as log:
            log.append([opened, *others])
