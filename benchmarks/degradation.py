"""Play a match in which something is lacking: the page has to say so, and nothing may be ruled wrongly.

`uv run python -m benchmarks.degradation [--scenes NAME ...] [--seed N] [--poems N] [--json OUT]`

One simulated match is filmed once. In each scene it is played in real time with one thing that lacks: too few
pictures, small ones, little light, lamps that flicker, a lens that hunts, a bumped camera, somebody before
it, cards of a deck that neither the net nor anybody's enrolment knows, a loudspeaker or a microphone that is
gone, one core for far too much work. Told is after how many seconds of the hall the page warns (`low_fps`
comes by itself where this machine is too busy to play a film as fast as it was filmed), and what came of the
poems. A decided ruling is wrong where its taker, its faults or its sends are not the true ones; what waits
for a person is settled by an official who knows.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Self
from unittest.mock import patch

import cv2
import numpy as np

from desk.karuta.engine.engine import Engine
from desk.karuta.engine.events import DeskEvent, MatchOpened
from desk.karuta.eye.equipment import Equipment
from desk.karuta.eye.microphone import HitEar
from desk.karuta.eye.watcher import Watch
from desk.karuta.house.live_match import LiveMatch
from desk.karuta.readers.human_reader import HumanReader
from desk.karuta.readers.reader import NoReader, Reader, SelfAssured, Sound
from desk.karuta.readers.recital import Recital
from desk.karuta.simulated_hall.table import PoemRead, SimulatedOfficial, happenings, same_outcome
from desk.log.clocks import Clock, match_clock
from desk.log.event_log import EventLog
from desk.panel.reciter.port import SOUND_LOST
from desk.tables.scripted_table import ScriptedTable
from desk.tables.source_kind import Source
from desk.tables.table import Cue, Table
from recitation.playback.stream_clock import StreamClock
from recitation.sound.clip import Wave
from referee.facts import Gap
from referee.karuta.flow.events import Event
from referee.karuta.flow.follow_ups import FollowUp
from referee.karuta.flow.state import Settings
from referee.karuta.ruleset import KYOGI
from referee.karuta.ruling import Status
from vision.frames.frame import Frame
from vision.simulator.art.glyphs import load_typeface
from vision.simulator.drawing.disturbances import (
    Bystander,
    Disturbance,
    Dusk,
    Hunting,
    Knock,
    Ripple,
    disturbed,
)
from vision.simulator.drawing.sprites import Pixels
from vision.simulator.hall import torifuda
from vision.simulator.hall.match import Pace, SimulatedMatch
from vision.sources.formats import CameraFormat
from vision.sources.live_source import LiveSource, Shot
from vision.sources.source import SourceError

Pictures = Iterator[tuple[int, Pixels]]
BEGINS_S = 1.0
"""From then on something lacks; the first poem is read at 1.5 s."""
GOAL_S = 10.0
CARDS = 8
FPS = 60.0


class FilmedMatch(SimulatedMatch):
    """A match that is drawn once, kept in `benchmarks/cache` as JPEG, and shown as a scene leaves it.

    Attributes
    ----------
    spoil : what the scene makes of the pictures.
    """

    def __init__(self, seed: int, poems: int, fps: float, script: bool) -> None:
        super().__init__(seed, fps, cards_per_side=CARDS, pace=Pace(first_s=1.5))
        self.poems = self.poems[:poems]
        self.spoil: Callable[[Pictures], Pictures] = lambda pictures: pictures
        name = f"degradation-{seed}-{poems}-{fps:g}{'-script' if script else ''}.npz"
        self._path = Path(__file__).parent / "cache" / name
        if not self._path.is_file():
            with _scrawled() if script else nullcontext():
                self._draw()
        film = np.load(self._path)
        ends = np.cumsum(film["sizes"])
        self._film = list(zip(film["t_ns"].tolist(), np.split(film["jpeg"], ends[:-1]), strict=True))

    def pictures(self) -> Pictures:
        """Yield the pictures of the scene."""
        return self.spoil(
            (t_ns, np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_GRAYSCALE), np.uint8))
            for t_ns, jpeg in self._film
        )

    def _draw(self) -> None:
        film = [(t_ns, _jpeg(picture)) for t_ns, picture in super().pictures()]
        self._path.parent.mkdir(exist_ok=True)
        np.savez(
            self._path,
            t_ns=[t_ns for t_ns, _ in film],
            sizes=[len(jpeg) for _, jpeg in film],
            jpeg=np.frombuffer(b"".join(jpeg for _, jpeg in film), np.uint8),
        )


@dataclass(frozen=True)
class Scene:
    """Something lacks.

    Attributes
    ----------
    name : for the table.
    says : the warnings of which the page has to show one.
    spoil : what becomes of the pictures.
    fps, filmed_fps : what the camera promises, and at which rate the match is filmed.
    script : cards in a hand that nobody can read.
    reader, ear : makes who reads, and who listens for hits, where that is what lacks.
    starved : so many other programs work on the only core; the camera waits for nobody.
    begins_s : when it begins.
    """

    name: str
    says: frozenset[str]
    spoil: Callable[[Pictures], Pictures] = lambda pictures: pictures
    fps: float = FPS
    filmed_fps: float = FPS
    script: bool = False
    reader: Callable[[], Reader] = NoReader
    ear: Callable[[], HitEar] | None = None
    starved: int = 0
    begins_s: float = BEGINS_S


@dataclass
class Outcome:
    """What came of a scene: after how many seconds each warning came, and the poems."""

    warned_s: dict[str, float]
    right: int
    wrong: int
    review: int
    unruled: int


# --- what lacks ------------------------------------------------------------------------------------------


def _with(*what: Disturbance) -> Callable[[Pictures], Pictures]:
    return partial(disturbed, disturbances=what)


def _every(step: int, pictures: Pictures) -> Pictures:
    return (each for number, each in enumerate(pictures) if number % step == 0)


def _small(pictures: Pictures) -> Pictures:
    for t_ns, picture in pictures:
        yield t_ns, np.asarray(cv2.resize(picture, (640, 360), interpolation=cv2.INTER_AREA), np.uint8)


class Silence:
    """A microphone that is pulled out a second after it was opened; see `SoundIn`."""

    overflows = 0

    def __init__(self) -> None:
        self.clock = StreamClock()
        self._begins_s = time.monotonic() + BEGINS_S

    @property
    def problem(self) -> str | None:  # noqa: D102
        return "the microphone is gone" if time.monotonic() > self._begins_s else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None: ...

    def blocks(self, timeout_s: float = 0.0) -> list[Wave]:  # noqa: D102
        time.sleep(min(timeout_s, 0.05))
        return []


class LostLoudspeaker(NoReader):
    """A reader whose sound device is pulled out; the poems come with the film."""

    def __init__(self) -> None:
        self._begins_s = time.monotonic() + BEGINS_S

    @property
    def problem(self) -> str | None:  # type: ignore[override]  # noqa: D102
        return SOUND_LOST if time.monotonic() > self._begins_s else None


SCENES = (
    Scene("nothing lacks", frozenset()),
    Scene("10 pictures a second", frozenset({"few_pictures"}), partial(_every, 6), fps=10.0),
    Scene("640 x 360", frozenset({"small_cards"}), _small),
    Scene("dim light", frozenset({"dark"}), _with(Dusk(BEGINS_S, 0.25, 6.0))),
    Scene("flicker of 50 Hz mains", frozenset({"unsteady_light"}), _with(Ripple(BEGINS_S, 100.0, 0.3))),
    Scene(
        "flicker of 60 Hz mains, 50 a second",
        frozenset({"unsteady_light"}),
        _with(Ripple(BEGINS_S, 120.0, 0.3)),
        fps=50.0,
        filmed_fps=50.0,
    ),
    Scene(
        "slow beat, lamps 0.1 Hz beside the camera",
        frozenset({"unsteady_light"}),
        _with(Ripple(BEGINS_S, 119.9, 0.3)),
    ),
    Scene("hunting autofocus", frozenset({"blurred"}), _with(Hunting(BEGINS_S, 2.5, 4.0))),
    Scene(
        "bumped camera", frozenset({"camera_moved"}), _with(Knock(4.1, (0.012, -0.008), 0.8)), begins_s=4.1
    ),
    Scene("blocked view", frozenset({"view_blocked"}), _with(Bystander(BEGINS_S, 60.0, 0.45))),
    Scene("cards that cannot be read", frozenset({"no_card_read"}), script=True),
    Scene("no sound", frozenset({"reader_lost"}), reader=LostLoudspeaker),
    Scene(
        "no microphone, a person reads",
        frozenset({"reader_unheard"}),
        reader=lambda: HumanReader(Silence(), Recital(0.9, joka=False)),
    ),
    Scene("no microphone for hits", frozenset({"no_ear"}), ear=lambda: HitEar(Silence())),
    Scene("one starved core", frozenset({"late", "low_fps", "few_pictures", "drops"}), starved=6),
)


@contextmanager
def _scrawled() -> Iterator[None]:
    """Let the simulator draw kana as strokes that mean nothing."""

    def scrawl(name: str) -> dict[str, Any]:
        made = {}
        for kana, glyph in load_typeface(name).items():
            strokes = np.random.default_rng(ord(kana)).uniform(0.1, 0.9, (3, 4, 2))
            picture = np.zeros_like(glyph)
            points = np.rint(strokes * glyph.shape[0]).astype(np.int32)
            cv2.polylines(picture, list(points), False, 255, max(2, glyph.shape[0] // 12))
            made[kana] = picture
        return made

    torifuda.card_sprite.cache_clear()
    with patch.object(torifuda, "load_typeface", scrawl):
        yield
    torifuda.card_sprite.cache_clear()


# --- a camera that waits for nobody ----------------------------------------------------------------------


class _FilmFeed:
    """Delivers a film's pictures by the clock; see `vision.sources.live_source.Feed`."""

    def __init__(self, film: Sequence[tuple[int, bytes]]) -> None:
        self.format = CameraFormat(width=1280, height=720, fps=FPS, fourcc="MJPG", exposure=0.0)
        self._film = iter(film)
        self.begin_ns = match_clock() + 500_000_000

    def read(self) -> Shot:
        item = next(self._film, None)
        if item is None:
            time.sleep(0.2)
            raise SourceError("the film is over")
        due_ns = self.begin_ns + item[0]
        time.sleep(max(0.0, (due_ns - match_clock()) / 1e9))
        return Shot(item[1], match_clock(), due_ns)

    def close(self) -> None: ...


class LiveTable:
    """A table under a camera that waits for nobody; see `desk.tables.table.Table`."""

    source, where, speed, can_wait = Source.CAMERA, "0", 1.0, False
    exposure_s: float | None = None

    def __init__(self, film: Sequence[tuple[int, bytes]]) -> None:
        self.clock: Clock = match_clock
        self.feed = _FilmFeed(film)
        self._camera = LiveSource("film", lambda: self.feed, give_up_s=2.0)
        self.nominal_fps: float | None = FPS

    def happenings(self) -> Iterator[Frame | Gap | Cue]:  # noqa: D102
        try:
            yield from self._camera
        except SourceError:
            return

    def show(self, frame: Frame) -> None: ...  # noqa: D102
    def go_on(self) -> None: ...  # noqa: D102

    @property
    def dropped(self) -> int:  # noqa: D102
        counters = self._camera.counters
        return counters.missed + counters.overflowed + counters.damaged + counters.repeated

    @property
    def late_ns(self) -> int:  # noqa: D102
        return self._camera.counters.late_ns

    @property
    def problem(self) -> str | None:  # noqa: D102
        return self._camera.problem

    def close(self) -> None:  # noqa: D102
        self._camera.close()


class ReadByClock(SelfAssured):
    """Reads the film's poems when their time has come; see `desk.karuta.readers.reader.Reader`."""

    def __init__(self, poems: Sequence[PoemRead], begin_ns: int) -> None:
        self._due = [
            replace(poem, start=replace(poem.start, t_ns=begin_ns + poem.start.t_ns)) for poem in poems
        ]

    def follow(self, event: Event | FollowUp | DeskEvent, unread: Collection[int]) -> None: ...  # noqa: D102

    def sounds(self) -> Sequence[Sound]:  # noqa: D102
        now_ns = match_clock()
        heard = [poem for poem in self._due if poem.start.t_ns <= now_ns]
        self._due = self._due[len(heard) :]
        return heard

    def close(self) -> None: ...  # noqa: D102


@contextmanager
def _one_core(others: int) -> Iterator[None]:
    """Keep this process and so many busy ones on one core."""
    if not others:
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(others)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()
        os.sched_setaffinity(0, cores)


# --- a scene ---------------------------------------------------------------------------------------------


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
            live = LiveTable([(item.t_ns, _jpeg(item.gray)) for item in items if isinstance(item, Frame)])
            begin_ns = live.feed.begin_ns
            hall = _Hall(live, ReadByClock(poems, begin_ns), poems, begin_ns)
        else:
            table = ScriptedTable(lambda: iter(items), Source.CAMERA, "a scene", scene.fps)
            hall = _Hall(table, scene.reader(), poems, 0)
        stack.enter_context(_one_core(scene.starved))
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


def _jpeg(picture: Pixels) -> bytes:
    done, jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 92])
    assert done
    return jpeg.tobytes()


def main() -> int:
    """Play the scenes, print a table, and return 1 where the page was silent or a decided ruling wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", nargs="+", choices=[scene.name for scene in SCENES], metavar="NAME")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--poems", type=int, default=4)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
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
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(rows, indent=1), "utf-8")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
