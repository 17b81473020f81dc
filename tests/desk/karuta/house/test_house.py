"""The house: a match is begun from its set-up, gone on with, and kept."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from desk.karuta.engine.engine import Engine, Origin
from desk.karuta.house.agreement import Agreement
from desk.karuta.house.house import House
from desk.log.event_log import EventLog
from desk.panel.app import create_app
from desk.tables.source_kind import Source
from referee.facts import PoemStarted
from referee.karuta.flow.events import JokaFinished, MemoriseStarted
from referee.karuta.flow.follow_ups import ReadJoka
from referee.karuta.flow.state import Phase
from tests.desk.filmed import filmed
from tests.desk.karuta.karuta_script import OPENED, ScriptedClock, begin, opening, play, whole_match
from tests.desk.panel.commands import command as command_of
from vision.simulator import single_poem

pytestmark = pytest.mark.live

SMALL = "seed=5 cards=4 fps=30 size=640x360 speed=100"
AGREED = {**Agreement(near="Hana", cards_per_side=4, appeals=1, take="propose").to_json()}


def at_home(folder: Path, story: Callable[[House], Awaitable[None]]) -> None:
    async def run() -> None:
        house = House(folder, Agreement())
        try:
            await story(house)
        finally:
            await house.close()

    asyncio.run(asyncio.wait_for(run(), 60))


async def until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.02)


async def lay_out(house: House, wish: str = SMALL) -> list[Any]:
    """Choose a simulated table; return its cards once they are seen."""
    await house.set_up.choose("simulator", wish)
    await until(lambda: bool(house.set_up.state()["layout"]))
    return list(house.set_up.state()["layout"])


def test_a_match_begins_as_agreed_and_when_it_is_left_it_gives_its_camera_back(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        assert house.live is None
        await house.end()  # nothing is played
        layout = await lay_out(house)
        place, known = layout[0], {placed["card"] for placed in layout}
        stranger = next(card for card in range(1, 101) if card not in known)
        assert house.set_up.correct(0, stranger)
        watch = house.set_up.watch
        assert watch is not None
        watch.table.__dict__["where"] = "rtsp://user:word@camera/1"
        await until(lambda: house.set_up.state()["corrected"] == [0])
        assert await house.set_up.start(AGREED) is None
        match = house.match
        assert match is not None
        with EventLog.read(next(tmp_path.rglob("match_*.sqlite"))) as log:
            assert next(log.entries()).payload["where"] == "rtsp://camera/1"  # no log keeps a password
        shown = match.state()
        assert shown["match"]["names"] == {"near": "Hana", "far": None}
        assert shown["policies"] == {"take": "propose", "fault": "auto"}
        assert shown["appeals_left"] == {"near": 1, "far": 1}
        corrected = next(each for each in shown["layout"] if each["card"] == stranger)
        assert (corrected["x_mm"], corrected["y_mm"]) == (place["x_mm"], place["y_mm"])
        assert house.set_up.state()["source"] is None
        assert await house.stored(shown["match"]["id"]) is match
        (listed,) = house.matches()
        assert (listed["source"], listed["over"]) == ("simulator", False)
        await house.end()
        assert house.match is None
        assert not watch._thread.is_alive()
        assert [listed["over"] for listed in house.matches()] == [False]

    at_home(tmp_path, story)


@pytest.mark.parametrize(("axis", "problem"), [(1, "mirrored"), (None, "sideways")])
def test_a_camera_held_wrongly_is_told_in_a_set_up(tmp_path: Path, axis: int | None, problem: str) -> None:
    match = single_poem("dead_none", 3, fps=30, size=(1280, 720), cards_per_side=8)
    at_rest = islice(match, 45)
    held = (np.rot90(frame.gray) if axis is None else np.flip(frame.gray, axis) for frame in at_rest)
    folder = filmed(tmp_path / "film", (np.ascontiguousarray(gray) for gray in held))

    async def story(house: House) -> None:
        await house.set_up.choose("video", str(folder))
        await until(lambda: house.set_up.state()["problem"] == problem)
        assert house.set_up.state()["layout"] == []

    at_home(tmp_path, story)


@pytest.fixture
def walked_through(tmp_path: Path) -> Path:
    """A recording of a poem in which somebody walks through an empty room."""
    rng = np.random.default_rng(1)
    room = 120 + rng.integers(0, 6, (30, 360, 640), dtype=np.uint8)
    for number, picture in enumerate(room):
        picture[60:340, 20 * number : 20 * number + 80] = 60
    return filmed(tmp_path / "film", room)


def test_no_match_begins_without_a_field_or_cards(
    tmp_path: Path, walked_through: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def story(house: House) -> None:
        assert await house.set_up.start(AGREED) == "no_field"
        await house.set_up.choose("video", str(tmp_path / "nowhere"))
        assert "is not a folder" in str(house.set_up.state()["problem"])
        assert "is not a folder" in str(await house.set_up.start(AGREED))
        await house.set_up.choose("video", str(walked_through))
        await until(lambda: house.set_up.state()["problem"] == "film_without_cards")
        assert await house.set_up.start(AGREED) == "film_without_cards"
        await until(lambda: "not a single karuta card could be read" in capsys.readouterr().err)
        assert (house.match, house.matches()) == (None, [])

    at_home(tmp_path, story)


@pytest.mark.parametrize("t_ms", [0.0, 200.0])
def test_a_match_that_goes_on_before_no_cards_leaves_its_poems_to_the_officials(
    tmp_path: Path, walked_through: Path, t_ms: float
) -> None:
    (walked_through / "reading.jsonl").write_text(f'{{"t_ms": {t_ms}, "poem": 17}}\n')
    play(begin(tmp_path / f"{OPENED.id}.sqlite"), opening())

    async def story(house: House) -> None:
        await house.set_up.choose("video", str(walked_through))
        house.resume(OPENED.id, house.set_up.take_watch())
        assert house.match is not None
        match = house.match
        await until(lambda: bool(match.state()["poems"]))
        (poem,) = match.state()["poems"]
        assert (poem["state"], poem["status"]) == ("proposed", "review")
        assert match.state().get("is_watched", True)
        assert "no_card_read" in match.health()["warnings"]  # a busy machine is slow, too

    at_home(tmp_path, story)


def test_an_interrupted_match_goes_on_with_the_officials_alone(tmp_path: Path) -> None:
    play(begin(tmp_path / f"{OPENED.id}.sqlite"), opening())

    async def story(house: House) -> None:
        house.resume(OPENED.id)
        assert house.match is not None
        before = house.match.state()["seq"]
        await house.match.command(command_of("pause"))
        assert house.match.state()["pause"] == {"reason": "operator", "side": None}
        assert house.match.state()["seq"] == before + 2
        assert house.match.health()["fps"] is None
        assert not house.match.state().get("is_watched", True)

    at_home(tmp_path, story)
    at_home(tmp_path, story)  # and once more


def camera_match(folder: Path) -> None:
    log = EventLog.create(folder / f"{OPENED.id}.sqlite")
    play(
        Engine.begin(log, replace(OPENED, source=Source.CAMERA, where="0"), clock=ScriptedClock()), opening()
    )
    log.close()


def test_a_match_goes_on_under_the_source_of_the_set_up(tmp_path: Path, walked_through: Path) -> None:
    camera_match(tmp_path)

    async def story(house: House) -> None:
        await house.set_up.choose("video", str(walked_through))
        assert await house.go_on(OPENED.id) is None
        assert house.match is not None
        assert house.match.state()["match"]["id"] == OPENED.id
        assert house.match.state().get("is_watched", True)
        assert house.set_up.state()["source"] is None  # the match has it now
        assert await house.go_on(OPENED.id) is None  # pressed twice

    at_home(tmp_path, story)


def test_a_field_that_the_set_up_has_seen_is_known_to_the_match_that_goes_on(tmp_path: Path) -> None:
    camera_match(tmp_path)

    async def story(house: House) -> None:
        layout = await lay_out(house)
        house.resume(OPENED.id, house.set_up.take_watch())
        assert house.match is not None
        assert house.match.state()["layout"] == layout

    at_home(tmp_path, story)


def test_what_cannot_go_on_says_why_and_leaves_the_running_match(tmp_path: Path) -> None:
    simulated = "test_simulated"
    log = EventLog.create(tmp_path / f"{simulated}.sqlite")
    play(Engine.begin(log, replace(OPENED, id=simulated), clock=ScriptedClock()), opening())
    log.close()
    over = begin(tmp_path / "over.sqlite")
    play(over, whole_match())
    camera_match(tmp_path)

    async def story(house: House) -> None:
        assert await house.go_on(OPENED.id) is None
        running = house.match
        assert running is not None
        for match, why in (("nobody", "there is no match"), ("over", "over"), (simulated, "simulated table")):
            assert why in (await house.go_on(match) or ""), match
        assert house.match is running
        assert (await running.command(command_of("pause"))).seq  # and it is not closed
        assert await house.stored("nobody") is None

    at_home(tmp_path, story)


def test_a_stored_match_is_shown_as_its_log_stands_now(tmp_path: Path) -> None:
    engine = begin(tmp_path / f"{OPENED.id}.sqlite")
    play(engine, whole_match()[:3])

    async def story(house: House) -> None:
        first = await house.stored(OPENED.id)
        assert first is not None
        assert await house.stored(OPENED.id) is first
        play(engine, whole_match()[3:])
        later = await house.stored(OPENED.id)
        assert later is not None
        assert first.state()["winner"] is None
        assert later.state()["winner"] == "near"

    at_home(tmp_path, story)


def test_logs_are_read_once_and_not_in_the_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (OPENED.id, "another"):
        begin(tmp_path / f"{name}.sqlite")
    opened: list[Path] = []
    read = EventLog.read

    def noted(path: Path) -> EventLog:
        with pytest.raises(RuntimeError, match="no running event loop"):
            asyncio.get_running_loop()
        opened.append(path)
        return read(path)

    monkeypatch.setattr("desk.karuta.house.history.EventLog.read", noted)

    async def story(house: House) -> None:
        shown = await asyncio.gather(*(house.stored(OPENED.id) for _ in range(3)))
        assert len({id(each) for each in shown}) == len(opened) == 1
        app = create_app(house=house)
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8321") as browser:
            for _ in range(2):
                page = await browser.get("/matches")
                assert page.status_code == 200
                assert "another" in page.text

    at_home(tmp_path, story)
    assert sorted(path.stem for path in opened[1:]) == sorted([OPENED.id, "another"])


def test_a_simulated_match_without_its_official_waits_for_a_person(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        await lay_out(house)
        assert await house.set_up.start({**AGREED, "official": False, "take": "propose"}) is None
        live = house.live
        assert live is not None
        assert live._attendant is None
        await until(lambda: live.engine.state.phase is Phase.RULING)
        assert not live.engine.state.read, "nobody has decided"
        assert {each.origin for each in live.engine.history}.isdisjoint({Origin.SIMULATED, Origin.POLICY})

    at_home(tmp_path, story)


def test_a_rehearsal_has_its_time_to_memorise_and_its_joka(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        await lay_out(house, f"{SMALL.replace('speed=100', 'speed=20')} rehearse=yes")
        assert await house.set_up.start({**AGREED, "memorise_min": 1, "take": "auto"}) is None
        live = house.live
        assert live is not None
        assert live.engine.state.phase is Phase.MEMORISE
        await until(lambda: live.engine.state.phase is Phase.JOKA)  # the minute is over by itself
        begun_ns, over_ns = (
            next(each.t_ns for each in live.engine.history if isinstance(each.event, kind))
            for kind in (MemoriseStarted, ReadJoka)
        )
        assert over_ns - begun_ns >= 60_000_000_000
        await until(lambda: bool(live.engine.state.records))  # the first poem is read and ruled on
        kinds = [type(each.event) for each in live.engine.history]
        assert kinds.index(JokaFinished) < kinds.index(PoemStarted)

    at_home(tmp_path, story)
