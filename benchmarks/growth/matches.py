"""What a match costs by its length: to open its log, and to take in one event more."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from benchmarks.book.club_matches import ClubMatch, play
from benchmarks.cost import cpu_ms
from desk.karuta.engine.engine import Engine, Happened, Origin
from desk.log.event_log import EventLog, LogEntry
from referee.facts import PoemStarted
from referee.sides import BySide, Side

POEMS = (1, 20, 40, 60, 80)
"""How many poems have been begun at the lengths that are measured."""
WINDOW = 8
"""Poems whose events are taken in at each length."""
ROUNDS = 5
"""The cheapest of so many counts: the others waited for other work on this machine."""


def by_length() -> list[dict[str, float]]:
    """Return milliseconds of the processor at lengths of a scripted match of 25 cards a side.

    Opening steps the rules through every event, as `shinpan serve` does after a restart and `shinpan replay`
    before it compares; its floor reads the rows alone. The floor of an event is the log's own writing, which
    waits for no disk here: waiting would not show in these times.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        match = ClubMatch(folder / "match.sqlite", BySide("A", "B"), seed=4)
        play(match, {Side.NEAR: 280, Side.FAR: 300})
        with EventLog.read(match.write()) as log:
            history = Engine.resume(log).history
        begins = [place for place, entry in enumerate(history) if isinstance(entry.event, PoemStarted)]
        return [
            _cheapest(folder, match.log.held, history, begins[poems - 1], begins[poems - 1 + WINDOW])
            for poems in POEMS
        ]


def read_rows(path: Path) -> int:
    """Read every row of a log, make nothing of it, and return how many they are."""
    with closing(sqlite3.connect(path)) as connection:
        return len(connection.execute("SELECT * FROM event").fetchall())


def _cheapest(
    folder: Path, entries: Sequence[LogEntry], history: Sequence[Happened], length: int, end: int
) -> dict[str, float]:
    # an event and what rules and policy answered to it, which the log keeps in one transaction
    answers = (Origin.RULES, Origin.POLICY)
    starts = [place for place in range(length, end) if history[place].origin not in answers]
    steps = [entries[start:stop] for start, stop in zip(starts, [*starts[1:], end], strict=True)]
    counts = []
    for number in range(ROUNDS):
        paths = [folder / f"{length}-{number}-{use}.sqlite" for use in ("match", "rows")]
        for path in paths:
            with EventLog.create(path, durable=False) as log:
                log.append(entries[:length])
        with EventLog.open(paths[1], durable=False) as log:
            written_ms = cpu_ms(partial(_write, log, steps))
        counts.append(
            {
                "rows": cpu_ms(partial(read_rows, paths[0])),
                **_engine(paths[0], [history[start] for start in starts]),
                "written": written_ms / len(steps),
            }
        )
    return {"events": length, **{key: min(count[key] for count in counts) for key in counts[0]}}


def _engine(path: Path, coming: Sequence[Happened]) -> dict[str, float]:
    engines: list[Engine] = []
    with EventLog.open(path, durable=False) as log:
        opened_ms = cpu_ms(lambda: engines.append(Engine.resume(log)))
        taken_ms = cpu_ms(partial(_submit, engines[0], coming))
    return {"opened": opened_ms, "taken": taken_ms / len(coming)}


def _write(log: EventLog, steps: Sequence[Sequence[LogEntry]]) -> None:
    for step in steps:
        log.append(step)


def _submit(engine: Engine, coming: Sequence[Happened]) -> None:
    for each in coming:
        engine.submit(each.event, each.origin)  # type: ignore[arg-type]  # none of them answers another
