"""A whole match in which one of two cameras is unplugged in the middle of a poem, and comes back.

Its pictures come through `LiveSource`, as any camera's, to the eye, the engine and the panel's door. What
time it is in the hall is told by the pictures that were taken: a busy machine plays the same
match, only slower.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice, takewhile
from pathlib import Path
from typing import Any

import cv2
import pytest

from desk.karuta.engine.engine import Engine
from desk.karuta.eye.equipment import Equipment
from desk.karuta.eye.second_camera import SecondEye
from desk.karuta.eye.watcher import Watch
from desk.karuta.house.live_match import LiveMatch
from desk.karuta.simulated_hall.official import SimulatedOfficial
from desk.karuta.simulated_hall.table import PoemRead, happenings
from desk.log.event_log import EventLog
from desk.tables.table import Cue
from referee.facts import Gap
from tests.desk.karuta.house.test_live_match import StillTable
from tests.desk.karuta.karuta_script import OPENED
from vision.frames.frame import Frame
from vision.simulator.hall.match import Pace, SimulatedMatch
from vision.simulator.hall.second_camera import SecondCamera
from vision.sources.live_source import LiveSource, Shot
from vision.sources.source import CameraFormat, SourceError

FPS, SIZE, CARDS, POEMS = 30, (960, 540), 8, 2
HANGS_S = 120.0  # only what hangs takes so long
BEFORE_NS, AFTER_NS = 200_000_000, 100_000_000
"""The cable is unplugged from this long before the first poem's card is touched until this long after."""

TOLD = {"first": "no_signal", "second": "no_witness"}  # the panel's warning while a camera is unplugged

Film = list[tuple[int, bytes]]


@dataclass(frozen=True)
class Match:
    """What two cameras film of two poems, and when one of their cables is out."""

    poems: list[PoemRead]
    first: Film
    second: Film
    out_ns: int
    back_ns: int


@cache
def played() -> Match:
    match = SimulatedMatch(3, FPS, SIZE, "tatami", CARDS, pace=Pace(first_s=1.0, settle_s=1.6))
    episodes = list(islice(match.episodes(), POEMS))
    end_ns = round(episodes[-1].end_s * 1e9)
    items = list(takewhile(lambda item: not isinstance(item, Frame) or item.t_ns < end_ns, happenings(match)))
    seen = match.filmed_by(SecondCamera(FPS, SIZE, "right", 30.0))
    touched_ns = [round(touch["t_ms"] * 1e6) for touch in episodes[0].truth["touches"]]
    return Match(
        [item for item in items if isinstance(item, PoemRead)],
        [(item.t_ns, jpeg_of(item.gray)) for item in items if isinstance(item, Frame)],
        [(t_ns, jpeg_of(picture)) for t_ns, picture in takewhile(lambda one: one[0] < end_ns, seen)],
        min(touched_ns) - BEFORE_NS,
        max(touched_ns) + AFTER_NS,
    )


def jpeg_of(picture: Any) -> bytes:
    return cv2.imencode(".jpg", picture)[1].tobytes()


def wait(condition: Callable[[], bool]) -> None:
    until_s = time.monotonic() + HANGS_S
    while not condition():
        assert time.monotonic() < until_s, "nothing goes on"
        time.sleep(0.002)


class Camera:
    """A camera with a cable; its pictures come when `show` is told that it is their time."""

    format = CameraFormat(*SIZE, FPS, "MJPG")

    def __init__(self, film: Film) -> None:
        self._film = film
        self._passed = self._shown = 0
        self._now_ns = 0
        self._is_in = True
        self._changed = threading.Condition()
        self.handed_out = 0
        self.source = LiveSource("filmed", self._connect, clock_ns=lambda: self._now_ns)

    def show(self, t_ns: int) -> bool:
        """Advance the clock; tell whether there are new pictures."""
        with self._changed:
            self._now_ns = t_ns
            before, self._passed = self._passed, sum(at_ns <= t_ns for at_ns, _ in self._film)
            if not self._is_in:
                self._shown = self._passed
            self._changed.notify_all()
        return self._is_in and self._passed > before

    def unplug(self) -> None:
        with self._changed:
            self._is_in = False
            self._changed.notify_all()
        wait(lambda: self.source.problem is not None)

    def plug_in(self) -> None:
        self._is_in = True
        wait(lambda: self.source.problem is None)

    def all_taken(self) -> bool:
        """Tell whether the consumer of the source is waiting for more pictures than were handed out."""
        counters = self.source.counters
        return self._shown == self._passed and counters.delivered == self.handed_out

    def _connect(self) -> Camera:
        if not self._is_in:
            raise SourceError("no camera answers")
        return self

    # --- a connection, in the source's own thread --------------------------------------------------------

    def read(self) -> Shot:
        with self._changed:
            self._changed.wait_for(lambda: not self._is_in or self._shown < self._passed)
            if not self._is_in:
                raise SourceError("the cable is out")
            t_ns, jpeg = self._film[self._shown]
            self._shown += 1
            self.handed_out += 1
            return Shot(jpeg, t_ns, None)

    def close(self) -> None: ...


class FilmedTable(StillTable):
    """A table under the first camera; the hall's time goes on with its pictures."""

    dropped = 0

    def __init__(self, match: Match, first: Camera, second: Camera, unplugged: Camera) -> None:
        super().__init__(can_wait=False)
        self._match, self._first, self._second, self._unplugged = match, first, second, unplugged
        self.warnings: Callable[[], list[str]] = list
        self.said: list[str] = []
        self.said_at_last: list[str] | None = None

    @property
    def problem(self) -> str | None:  # type: ignore[override]
        return self._first.source.problem

    def happenings(self) -> Iterator[Frame | Gap | Cue]:
        items = iter(self._first.source)
        poems = list(self._match.poems)
        for t_ns, _ in self._match.first:
            if self._match.out_ns <= t_ns < self._match.back_ns and self._unplugged.source.problem is None:
                self._unplugged.unplug()
                if self._unplugged is self._first:
                    yield next(items)
                wait(lambda: bool(self.warnings()))
                self.said += self.warnings()
            if t_ns >= self._match.back_ns and self._unplugged.source.problem is not None:
                self._unplugged.plug_in()
            while poems and poems[0].start.t_ns <= t_ns:
                yield poems.pop(0)
            self._second.show(t_ns)
            wait(self._second.all_taken)
            if self._first.show(t_ns):
                item: Frame | Gap = next(items)
                while isinstance(item, Gap):
                    yield item
                    item = next(items)
                yield item
        self.said_at_last = self.warnings()

    def close(self) -> None:
        self._first.unplug()
        self._first.source.close()


def decided(live: LiveMatch) -> int:
    """Return how many poems are ruled on, a person's word included."""
    return sum(poem["state"] != "proposed" for poem in live.port.state()["poems"])


@pytest.mark.slow
@pytest.mark.parametrize("which", ["first", "second"])
def test_a_camera_is_unplugged_in_the_middle_of_a_match(which: str, tmp_path: Path) -> None:
    match = played()
    first, second = Camera(match.first), Camera(match.second)
    table = FilmedTable(match, first, second, first if which == "first" else second)
    eye = SecondEye(second.source)

    async def play() -> Any:
        settings = replace(OPENED.settings, cards_per_side=CARDS)
        log = EventLog.create(tmp_path / "match.sqlite")
        engine = Engine.begin(log, replace(OPENED, settings=settings), clock=table.clock)
        watch = Watch(table, Equipment(eye))
        official = SimulatedOfficial(engine)
        live = LiveMatch(engine, watch, tmp_path, attendant=official, patience_s=0.0, opens_itself=True)
        live.begin(asyncio.get_running_loop())
        table.warnings = lambda: [each for each in live.port.health()["warnings"] if each in TOLD.values()]
        watch.begin()
        try:
            await asyncio.to_thread(wait, lambda: table.said_at_last is not None and decided(live) == POEMS)
            return live.port.state()["poems"]
        finally:
            second.unplug()
            await live.end()

    poems = asyncio.run(play())
    assert TOLD[which] in table.said, "the panel says so while the cable is out"
    assert table.said_at_last == [], "and no more once it is back"
    assert [poem["poem"] for poem in poems] == [read.start.poem for read in match.poems]
    for poem, read in zip(poems, match.poems, strict=True):
        if poem["state"] == "ruled":
            assert poem["taken_by"] == (read.truth.taken_by and read.truth.taken_by.value), poem
    across = poems[0]
    if which == "first":
        assert across["state"] != "ruled"
        with EventLog.read(tmp_path / "match.sqlite") as log:  # a person's word leaves no doubt on the page
            proposed = next(entry.payload["ruling"] for entry in log.entries(kinds=("proposed",)))
        assert "gap" in proposed["doubts"]
    assert eye.witness.poems == (2 if which == "first" else 1)
