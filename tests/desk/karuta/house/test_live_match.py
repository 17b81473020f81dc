"""A running match: eye, reader and officials wait for each other, and the engine receives their events."""

import asyncio
import hashlib
import json
import threading
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from desk.errors import EventLogError
from desk.karuta.engine.engine import Engine, Origin
from desk.karuta.engine.events import DeskEvent, EvidenceKept, PoemSuggested, Suggested
from desk.karuta.eye.equipment import Equipment
from desk.karuta.eye.second_camera import SecondEye
from desk.karuta.eye.watcher import Watch
from desk.karuta.house.live_match import LiveMatch
from desk.karuta.readers.reader import JokaOver, JokaSounds, Reader, ReadOn, Sound
from desk.log.event_log import EventLog
from desk.panel.match.bundle import read_member
from desk.panel.match.port import Refusal
from desk.tables.evidence.sound import kept_sound, wave_of
from desk.tables.source_kind import Source
from desk.tables.table import Cue, FirstSound, NoVerse, Said
from recitation.sound.recent_sound import TimedSound
from referee.facts import Gap, KimarijiCompleted, PoemStarted, Touch
from referee.karuta.flow.events import Confirm, Event, MemoriseStarted, Pause, Resume
from referee.karuta.flow.follow_ups import FollowUp, ReadJoka, ReadPoem
from referee.karuta.flow.state import MINUTE_NS, Phase
from referee.karuta.ruleset import KYOGI
from referee.sides import Side
from tests.desk.karuta.karuta_script import (
    MS,
    OPENED,
    SETTINGS,
    START,
    ScriptedClock,
    opening,
    play,
    poem,
    settled,
)
from tests.desk.panel.commands import command as command_of
from vision.frames.frame import Frame
from vision.match.evidence_ring import MANIFEST, EvidenceRing, KeptSound
from vision.poem.events import PoemSeen
from vision.sources.source import Counters

pytestmark = pytest.mark.live


class StillTable:
    """A table at which nothing happens by itself; see `desk.tables.table.Table`."""

    source = Source.CAMERA
    where = "0"
    nominal_fps: float | None = 60.0
    speed = 1.0
    dropped = 3
    late_ns = 0
    exposure_s: float | None = None
    automatic: tuple[str, ...] | None = None
    problem: str | None = None

    def __init__(self, *, can_wait: bool = True) -> None:
        self.can_wait = can_wait
        self.clock = ScriptedClock()

    def happenings(self) -> Iterator[Frame | Gap | Cue]:
        return iter(())

    def show(self, frame: Frame) -> None: ...
    def go_on(self) -> None: ...
    def close(self) -> None: ...


@dataclass(frozen=True)
class Heard:
    start: PoemStarted
    t_ku_ns: Sequence[int] = (1, 2, 3)

    def decided(self, unread: Collection[int]) -> KimarijiCompleted:
        return KimarijiCompleted(self.start.poem, self.start.t_ns + 1, 1)


class ScriptedReader(Reader):
    problem: str | None = None

    def __init__(self) -> None:
        self.told: list[object] = []
        self.to_say: list[Sound] = []

    def follow(self, event: Event | FollowUp | DeskEvent, unread: Collection[int]) -> None:
        self.told.append(event)

    def sounds(self) -> Sequence[Sound]:
        said, self.to_say = self.to_say, []
        return said

    def sound(self, from_ns: int, to_ns: int) -> TimedSound | None:
        return TimedSound(np.full((to_ns - from_ns) * 48 // 1_000_000, 0.25, np.float32), from_ns, 7)

    def close(self) -> None: ...


class Confirming:
    """An attendant who confirms whatever waits."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.learnt: list[Cue] = []

    def learn(self, cue: Cue) -> None:
        self.learnt.append(cue)

    def attend(self) -> None:
        if self.engine.state.phase is Phase.RULING:
            self.engine.submit(Confirm(), Origin.OPERATOR)

    def before_poem(self) -> None: ...


Story = Callable[[LiveMatch], Awaitable[None]]


def tell(
    folder: Path, story: Story, *, table: StillTable | None = None, settings: Any = SETTINGS, **options: Any
) -> None:
    """Play a story at a live match."""
    table = table or StillTable()
    attendant = options.pop("attendant", None)

    async def run() -> None:
        log = EventLog.create(folder / "match.sqlite")
        engine = Engine.begin(log, replace(OPENED, settings=settings), clock=table.clock)
        who = None if attendant is None else attendant(engine)
        watch = Watch(table, options.pop("beside", None))
        live = LiveMatch(engine, watch, folder, attendant=who, **options)
        live.begin(asyncio.get_running_loop())
        try:
            await story(live)
        finally:
            await live.end()

    asyncio.run(asyncio.wait_for(run(), 20))


def heard(number: int, confidence: float = 1.0) -> Heard:
    return Heard(PoemStarted(number, 50_000 * MS, 1, confidence))


async def until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.01)


RACE = poem(1, 1000, (1, Side.FAR, 900), (1, Side.NEAR, 900), t_unc_ms=20)
"""Too close to call: the ruling waits for a person."""


def test_a_table_that_can_wait_waits_while_the_match_is_paused(tmp_path: Path) -> None:
    async def story(live: LiveMatch) -> None:
        play(live.engine, [*opening(), Pause()])
        assert live.stands_still
        assert not await asyncio.to_thread(live.hear, heard(50))
        play(live.engine, [Resume()])
        assert await asyncio.to_thread(live.hear, heard(50))
        assert live.engine.state.poem == 50
        assert live.port.state()["reading"] == {"poem": 50, "order": 1, "t_ku_ns": [1, 2, 3]}

    tell(tmp_path, story)


def test_a_ruling_that_waits_for_a_person_holds_the_next_poem(tmp_path: Path) -> None:
    async def story(live: LiveMatch) -> None:
        play(live.engine, [*opening(), *RACE])
        assert live.engine.state.phase is Phase.RULING
        assert not await asyncio.to_thread(live.hear, heard(50))
        play(live.engine, [Confirm()])
        assert await asyncio.to_thread(live.hear, heard(50))

    tell(tmp_path, story)


def test_an_attendant_decides_when_patience_is_over(tmp_path: Path) -> None:
    async def story(live: LiveMatch) -> None:
        play(live.engine, [*opening(), *RACE])
        while not await asyncio.to_thread(live.hear, heard(50)):
            await asyncio.sleep(0.02)
        assert [each.origin for each in live.engine.history if isinstance(each.event, Confirm)] == [
            "operator"
        ]

    tell(tmp_path, story, attendant=Confirming, patience_s=0.1)


def test_under_a_camera_a_poem_that_sounds_is_taken_as_it_comes(tmp_path: Path) -> None:
    async def story(live: LiveMatch) -> None:
        play(live.engine, [*opening(), *RACE])
        assert await asyncio.to_thread(live.hear, heard(50))
        assert live.engine.state.poem == 50

    tell(tmp_path, story, table=StillTable(can_wait=False))


def test_the_rules_are_woken_when_the_time_to_memorise_is_over(tmp_path: Path) -> None:
    async def story(live: LiveMatch) -> None:
        play(live.engine, [opening()[0], MemoriseStarted(table.clock.t_ns)])
        assert not live.is_playing
        table.clock.t_ns += 16 * MINUTE_NS
        await until(lambda: live.is_playing)

    table = StillTable()
    tell(tmp_path, story, table=table)


def test_the_reader_is_led_by_the_rules_and_heard_by_the_eye(tmp_path: Path) -> None:
    async def story(live: LiveMatch) -> None:
        play(live.engine, opening())
        assert isinstance(reader.told[-1], ReadJoka)
        reader.to_say = [JokaSounds((1, 2, 3)), JokaSounds((4, 5)), JokaSounds((6, 7))]
        await until(lambda: not reader.to_say)
        assert live.port.state()["reading"] == {"poem": 0, "order": 0, "t_ku_ns": [1, 2, 3, 4, 5]}
        reader.to_say = [JokaOver(), heard(50)]
        await until(lambda: live.engine.state.phase is Phase.RESTORE)
        play(live.engine, [settled(live.engine.state.home, 5)])
        assert any(isinstance(event, ReadPoem) for event in reader.told)
        cues: list[Said] = []
        while not cues:
            await asyncio.sleep(0.01)
            cues += live.said()
        assert [cue.start.poem for cue in cues if not isinstance(cue, FirstSound | NoVerse)] == [50]
        assert live.said() == []

    reader = ScriptedReader()
    tell(tmp_path, story, reader=reader, settings=replace(SETTINGS, rules=KYOGI))


class Listening(ScriptedReader):
    """A reader whose poems officials may name, as `desk.karuta.readers.human_reader` has them."""

    takes_names = True

    def name(self, poem: int, now_ns: int) -> None:
        self.to_say.append(heard(poem))

    def renamed(self, poem: int) -> Cue:
        return heard(poem)


def test_officials_name_what_a_person_reads_and_correct_it(tmp_path: Path) -> None:
    async def story(live: LiveMatch) -> None:
        play(live.engine, [*opening(), settled(live.engine.state.home, 5)])
        suggestion = PoemSuggested(50_000 * MS, 1, (Suggested(4, 0.6), Suggested(1, 0.3)))
        reader.to_say = [FirstSound(50_000 * MS, 1), suggestion]
        await until(lambda: bool(live.port.state()["suggested"]))
        assert [each["poem"] for each in live.port.state()["suggested"]] == [4, 1]
        named = await live.port.command(command_of("name_poem", poem=4))
        assert named.refusal is None
        assert live.port.state()["suggested"] == []
        said: list[Said] = []
        while len(said) < 2:
            await asyncio.sleep(0.01)
            said += live.said()
        assert isinstance(said[0], FirstSound)
        assert not isinstance(said[1], FirstSound | NoVerse)
        await asyncio.to_thread(live.hear, said[1])
        assert live.engine.state.poem == 4
        correction = command_of("correct_poem", poem=1)
        assert (await live.port.command(correction)).refusal is None
        assert live.engine.state.poem == 1
        assert (await live.port.command(correction)).refusal is Refusal.NOT_NOW, "it is that poem already"

    reader = Listening()
    tell(tmp_path, story, reader=reader, table=StillTable(can_wait=False))


def gaps(live: LiveMatch) -> list[Gap]:
    return [fact for fact in live.engine.state.facts if isinstance(fact, Gap)]


def test_a_poem_that_the_ear_no_longer_believes_is_left_to_officials_until_they_name_it(
    tmp_path: Path,
) -> None:
    async def story(live: LiveMatch) -> None:
        play(live.engine, [*opening(), settled(live.engine.state.home, 5)])
        await asyncio.to_thread(live.hear, heard(4, 0.93))
        reader.to_say = [ReadOn(heard(4, 0.7)), ReadOn(heard(4, 0.1)), ReadOn(heard(4, 0.0))]
        await until(lambda: bool(gaps(live)) and not reader.to_say)
        assert gaps(live) == [Gap(50_000 * MS, 50_000 * MS, "poem_unsure")]
        correction = command_of("correct_poem", poem=1)
        assert (await live.port.command(correction)).refusal is None
        assert gaps(live) == []

    reader = Listening()
    tell(tmp_path, story, reader=reader, table=StillTable(can_wait=False))


def test_the_reader_of_an_interrupted_match_is_asked_again(tmp_path: Path) -> None:
    async def story(live: LiveMatch) -> None:
        play(live.engine, opening())
        play(live.engine, [settled(live.engine.state.home, 5)])
        assert live.engine.state.asked
        again = LiveMatch(live.engine, None, tmp_path, reader=reader)
        again.begin(asyncio.get_running_loop())
        assert reader.told == [ReadPoem()]
        await again.end()

    reader = ScriptedReader()
    tell(tmp_path, story)


def test_what_falls_into_a_gap_is_never_ruled_by_itself(tmp_path: Path) -> None:
    async def story(live: LiveMatch) -> None:
        started, *rest = poem(1, 1000, (1, Side.NEAR, 900))
        play(live.engine, [*opening(), started])
        await asyncio.to_thread(live.missed, Gap(1800 * MS, 2000 * MS, "camera_lost"))
        play(live.engine, rest)
        assert live.engine.state.phase is Phase.RULING
        assert live.port.state()["poems"][0]["doubts"] == ["gap"]

    tell(tmp_path, story)


def test_a_full_disk_stops_no_eye_and_is_a_gap_once_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def no_room(*_: object) -> None:
        raise EventLogError("the disk is full")

    async def story(live: LiveMatch) -> None:
        started, *rest = poem(1, 1000, (1, Side.NEAR, 900))
        play(live.engine, [*opening(), started])
        with monkeypatch.context() as full:
            full.setattr(EventLog, "append", no_room)
            await asyncio.to_thread(live.missed, Gap(1800 * MS, 2000 * MS, "camera_lost"))
            assert live.port.health()["warnings"] == ["not_kept"]
        await asyncio.to_thread(live.missed, Gap(2100 * MS, 2101 * MS, "camera_lost"))
        assert live.port.health()["warnings"] == []
        gaps = [entry.event for entry in live.engine.history if isinstance(entry.event, Gap)]
        assert [gap.t_from_ns for gap in gaps] == [1800 * MS, 2100 * MS]
        play(live.engine, rest)
        assert live.engine.state.phase is Phase.RULING

    tell(tmp_path, story)
    assert capsys.readouterr().err.count("the disk is full") == 1


def test_the_panel_is_told_when_far_fewer_cards_are_in_sight_than_lie_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(live: LiveMatch) -> None:
        play(live.engine, opening())
        for seen, told in ((4, []), (2, ["view_blocked"]), (3, [])):
            monkeypatch.setattr(Watch, "cards_in_sight", seen)
            live.pass_time()
            table.clock.t_ns += 5_000 * MS
            live.pass_time()
            assert live.port.health()["warnings"] == told

    table = StillTable()
    tell(tmp_path, story, table=table)


def test_the_panel_is_told_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def story(live: LiveMatch) -> None:
        assert live.port.health()["warnings"] == []
        assert live.port.health()["dropped"] == 3
        reader.problem = "no device"
        live.failed(OSError("the cable " + "and much more " * 1000))
        assert live.port.health()["warnings"] == ["no_signal", "reader_silent"]
        assert "the cable" in str(live.failure)

    reader = ScriptedReader()
    tell(tmp_path, story, reader=reader)
    told = capsys.readouterr().err
    assert "the eye has stopped: the cable" in told
    assert "OSError" in told
    assert len(told) < 400


class Unplugged:
    """A second camera that has gone, and comes back."""

    name, is_live, counters = "second", True, Counters()

    def __init__(self) -> None:
        self.plugged_in, self.closed = threading.Event(), threading.Event()

    def __iter__(self) -> Iterator[Frame | Gap]:
        picture = np.full((12, 16), 90, np.uint8)
        yield Frame(picture, 0, 1, 0)
        yield Gap(0, 1000 * MS, "camera_lost")
        self.plugged_in.wait()
        yield Frame(picture, 1000 * MS, 1, 1)
        self.closed.wait()

    def close(self) -> None:
        self.plugged_in.set()
        self.closed.set()


def test_the_panel_is_told_that_the_second_camera_is_gone_until_it_is_back(tmp_path: Path) -> None:
    async def story(live: LiveMatch) -> None:
        await until(lambda: live.port.health()["warnings"] == ["no_witness"])
        camera.plugged_in.set()
        await until(lambda: live.port.health()["warnings"] == [])

    camera = Unplugged()
    tell(tmp_path, story, beside=Equipment(SecondEye(camera)))  # type: ignore[arg-type]


def kept_evidence(folder: Path, *, keeps_sound: bool, own: KeptSound | None = None) -> dict[str, Any]:
    """Return the manifest of a replay whose pictures came with their `own` sound."""

    async def story(live: LiveMatch) -> None:
        play(live.engine, opening())
        live.mat.hear(PoemStarted(1, 1000 * MS, 1))
        ring = EvidenceRing(sound=own)
        ring.append(Frame(np.zeros((90, 160), np.uint8), 1900 * MS, 1, 0))
        facts = (Touch(1, Side.NEAR, 1900 * MS, MS),)
        before: Any = SimpleNamespace(layout=START, corners_px=[np.zeros((4, 2))] * len(START))
        seen = PoemSeen(PoemStarted(1, 1000 * MS, 1), before, facts, 3000 * MS)
        await asyncio.to_thread(live.seen, [seen], ring)
        await until(lambda: any(isinstance(each.event, EvidenceKept) for each in live.engine.history))

    tell(folder, story, reader=ScriptedReader(), keeps_sound=keeps_sound)
    (bundle,) = folder.glob("*.zip")
    return dict(json.loads(read_member(bundle, MANIFEST)))


def test_a_replay_keeps_what_the_reader_said_around_its_contacts(tmp_path: Path) -> None:
    sound = kept_evidence(tmp_path, keeps_sound=True)["sound"]
    assert (sound["t_ns"], sound["t_unc_ns"]) == (1300 * MS, 7), "from its first picture on"
    (bundle,) = tmp_path.glob("*.zip")
    data = read_member(bundle, sound["file"])
    assert hashlib.sha256(data).hexdigest() == sound["sha256"]
    assert wave_of(data) == pytest.approx(np.full(48 * 1100, 0.25), abs=1e-3)


@pytest.mark.parametrize("is_wanted", [True, False])
def test_what_the_microphone_heard_comes_before_what_was_read(tmp_path: Path, is_wanted: bool) -> None:
    own = kept_sound(TimedSound(np.zeros(480, np.float32), 1500 * MS, 9))
    kept = kept_evidence(tmp_path, keeps_sound=is_wanted, own=own)
    assert kept.get("sound", {}).get("t_ns") == (1500 * MS if is_wanted else None)
