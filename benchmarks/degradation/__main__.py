"""Play a match in which something is lacking: the page has to say so, and nothing may be ruled wrongly.

`uv run python -m benchmarks.degradation [--scenes NAME ...] [--seed N] [--poems N] [--json OUT]`

One simulated match is filmed once and kept in `benchmarks/cache`; delete it where the simulator has changed.
In each scene it is played in real time with one thing that lacks: too few pictures, small ones, little light,
lamps that flicker, a lens that hunts, a bumped camera, somebody before it, cards of a deck that neither the
net nor anybody's enrolment knows, a loudspeaker or a microphone that is gone, one core for far too much work.
Told is after how many seconds of the hall the page warns (`low_fps` comes by itself where this machine is too
busy to play a film as fast as it was filmed), and what came of the poems. A decided ruling is wrong where its
taker, its faults or its sends are not the true ones; what waits for a person is settled by an official who
knows.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from benchmarks.command import read_options, write_json
from benchmarks.degradation.camera import ClockedTable, ReadByClock, one_core
from benchmarks.degradation.film import CARDS, FilmedMatch, jpeg_of
from benchmarks.degradation.scenes import SCENES, Scene
from desk.karuta.engine.engine import Engine
from desk.karuta.engine.events import MatchOpened
from desk.karuta.eye.equipment import Equipment
from desk.karuta.eye.watcher import Watch
from desk.karuta.house.live_match import LiveMatch
from desk.karuta.readers.reader import Reader
from desk.karuta.simulated_hall.official import SimulatedOfficial, same_outcome
from desk.karuta.simulated_hall.table import PoemRead, happenings
from desk.log.event_log import EventLog
from desk.tables.simulated.scripted_table import ScriptedTable
from desk.tables.source_kind import Source
from desk.tables.table import Table
from referee.karuta.flow.state import Settings
from referee.karuta.ruleset import KYOGI
from referee.karuta.ruling import Status
from vision.frames.frame import Frame

GOAL_S = 10.0
"""After so many seconds of the hall the page has to say what lacks."""


@dataclass
class Outcome:
    """What came of a scene: after how many seconds each warning came, and the poems."""

    warned_s: dict[str, float]
    right: int
    wrong: int
    review: int
    unruled: int


@dataclass(frozen=True)
class _Hall:
    """A table with its reader, the poems of its film, and when that begins on the table's clock."""

    table: Table
    reader: Reader
    poems: Sequence[PoemRead]
    begin_ns: int


def play(scene: Scene, match: FilmedMatch) -> Outcome:
    """Play a scene in real time."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        match.spoil = scene.spoil
        items = list(happenings(match))  # drawn before the clock runs
        poems = [item for item in items if isinstance(item, PoemRead)]
        if scene.starved:
            live = ClockedTable(
                [(item.t_ns, jpeg_of(item.gray)) for item in items if isinstance(item, Frame)]
            )
            begin_ns = live.feed.begin_ns
            hall = _Hall(live, ReadByClock(poems, begin_ns), poems, begin_ns)
        else:
            table = ScriptedTable(lambda: iter(items), Source.CAMERA, "a scene", scene.fps)
            hall = _Hall(table, scene.reader(), poems, 0)
        stack.enter_context(one_core(scene.starved))
        return asyncio.run(_played(scene, hall, folder))


async def _played(scene: Scene, hall: _Hall, folder: Path) -> Outcome:
    table, poems = hall.table, hall.poems
    rules = replace(KYOGI, joka=False, practice_swings=False)
    opened = MatchOpened("scene", Source.CAMERA, Settings(rules=rules, cards_per_side=CARDS))
    with EventLog.create(folder / "scene.sqlite") as log:
        engine = Engine.begin(log, opened, clock=table.clock)
        official = SimulatedOfficial(engine)
        for poem in poems:
            official.learn(poem)
        watch = Watch(table, Equipment(ear=None if scene.ear is None else scene.ear()))
        live = LiveMatch(
            engine, watch, folder, reader=hall.reader, attendant=official, patience_s=0.3, opens_itself=True
        )
        live.begin(asyncio.get_running_loop())
        warned_s = dict[str, float]()
        watch.begin()
        gives_up_s = time.monotonic() + 300.0
        while not watch.has_ended and time.monotonic() < gives_up_s:
            await asyncio.sleep(0.05)
            latest_ns = 0 if watch.latest is None else watch.latest.t_ns
            at_s = round((latest_ns - hall.begin_ns) / 1e9 - scene.begins_s, 1)
            for warning in live.port.health()["warnings"]:
                warned_s.setdefault(warning, at_s)
        await live.end()
        return _counted(engine, poems, warned_s)


def _counted(engine: Engine, poems: Sequence[PoemRead], warned_s: dict[str, float]) -> Outcome:
    truths = {poem.start.poem: poem.truth for poem in poems}
    proposed = [record.proposed for record in engine.state.records]
    if engine.state.ruling is not None:
        proposed.append(engine.state.ruling)
    decided = [ruling for ruling in proposed if ruling.status is Status.DECIDED]
    right = sum(same_outcome(ruling, truths[ruling.poem]) for ruling in decided)
    review = len(proposed) - len(decided)
    return Outcome(warned_s, right, len(decided) - right, review, len(poems) - len(proposed))


def main() -> int:
    """Play the scenes, print a table, and return 1 where the page was silent or a decided ruling wrong."""
    arguments = read_options(
        __doc__, scenes=dict.fromkeys([scene.name for scene in SCENES]), seed=11, poems=4
    )
    chosen = [scene for scene in SCENES if not arguments.scenes or scene.name in arguments.scenes]
    films: dict[tuple[float, bool], FilmedMatch] = {}
    rows, bad = [], 0
    print(f"{'scene':<42} {'right':>5} {'wrong':>5} {'review':>6} {'unruled':>7}  page warns after")
    for scene in chosen:
        film = scene.filmed_fps, scene.script
        if film not in films:
            films[film] = FilmedMatch(arguments.seed, arguments.poems, *film)
        outcome = play(scene, films[film])
        told_s = [outcome.warned_s[name] for name in scene.says if name in outcome.warned_s]
        silent = bool(scene.says) and (not told_s or min(told_s) > GOAL_S)
        bad += silent or outcome.wrong > 0
        told = ", ".join(f"{name} {at_s:.1f} s" for name, at_s in outcome.warned_s.items()) or "-"
        print(
            f"{scene.name:<42} {outcome.right:>5} {outcome.wrong:>5} {outcome.review:>6} "
            f"{outcome.unruled:>7}  {told}{'  SILENT' if silent else ''}",
            flush=True,
        )
        rows.append({"scene": scene.name, "silent": silent, **asdict(outcome)})
    write_json(arguments.json, rows)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
