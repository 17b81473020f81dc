"""The eye's report of a poem, what too poor a camera does to it, and what is opened beside a camera."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from desk.karuta.eye.equipment import Wanted
from desk.karuta.eye.source_findings import PictureChecks
from desk.karuta.eye.watcher import Watch
from desk.karuta.house.agreement import Agreement
from desk.karuta.house.setup import SetUp
from desk.tables.simulated.scripted_table import ScriptedTable
from desk.tables.source_kind import Source
from recitation.sound.recent_sound import TimedSound
from referee.facts import Gap, PoemStarted, Touch
from referee.karuta.judge import judge_poem
from referee.karuta.ruleset import KYOGI
from referee.karuta.ruling import Status
from tests.vision.sources.http_camera import Script, at_rate, http_camera
from vision.field.layout_reader import LayoutReading, read_layout
from vision.frames.frame import Frame
from vision.poem.events import PoemSeen, WatchEvent
from vision.poem.knock_watch import KnockWatch
from vision.simulator import SimulatedMatch
from vision.simulator.hall.clip import single_poem
from vision.simulator.hall.recorder import write_recording


class Listening:
    """A listener who remembers the poems."""

    is_playing, stands_still, is_over = True, False, False

    def __init__(self) -> None:
        self.poems: list[PoemSeen] = []

    def said(self) -> Sequence[Any]:
        return ()

    def seen(self, events: Sequence[WatchEvent], replay: object) -> None:
        self.poems += [event for event in events if isinstance(event, PoemSeen)]

    def missed(self, gap: Gap) -> None: ...

    def hear(self, cue: object) -> bool:
        return True

    def finish(self) -> bool:
        return True

    def failed(self, error: Exception) -> None:
        raise error


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Callable[[Source, tuple[int, int]], Status]:
    """Returns how a poem is ruled in which its owner touched the card that was read."""

    def watched(source: Source, size: tuple[int, int]) -> Status:
        before = read_layout([next(iter(SimulatedMatch(7, size=size, cards_per_side=4))).gray])
        assert isinstance(before, LayoutReading)
        card = before.layout.cards[0]
        assert card.card is not None
        touch = Touch(card.card, card.side, 900_000_000, 2_000_000)
        seen = PoemSeen(PoemStarted(card.card, 0, 1), before, (touch,), 1_000_000_000)
        watch, listening = Watch(ScriptedTable(lambda: frames(1), source, "0", 60.0)), Listening()
        monkeypatch.setattr(watch.eye, "feed", lambda _frame: [seen])
        monkeypatch.setattr("desk.karuta.eye.watcher.frames_of", lambda _ring, _seen: None)
        watch_to_the_end(watch, listening)
        (poem,) = listening.poems
        return judge_poem(poem.start.poem, poem.before.layout, poem.facts, KYOGI).status

    return watched


def frames(count: int) -> Iterator[Frame]:
    return (Frame(np.zeros((90, 160), np.uint8), 1 + at * 500_000_000, 1, at) for at in range(count))


def watch_to_the_end(watch: Watch, listening: Listening) -> None:
    watch.listener = listening
    watch.begin()
    deadline_s = time.monotonic() + 10.0
    while not watch.has_ended and time.monotonic() < deadline_s:
        time.sleep(0.002)
    watch.end()


@pytest.mark.parametrize(
    ("source", "size", "status"),
    [
        (Source.CAMERA, (960, 540), Status.DECIDED),
        (Source.CAMERA, (640, 360), Status.REVIEW),
        (Source.SIMULATOR, (640, 360), Status.DECIDED),
    ],
)
def test_cards_that_a_camera_shows_too_small_decide_nothing(
    source: Source, size: tuple[int, int], status: Status, watched: Callable[..., Status]
) -> None:
    assert watched(source, size) is status


@pytest.mark.parametrize(("wanders", "status"), [(True, Status.REVIEW), (False, Status.DECIDED)])
def test_light_that_wanders_decides_nothing(
    wanders: bool, status: Status, monkeypatch: pytest.MonkeyPatch, watched: Callable[..., Status]
) -> None:
    monkeypatch.setattr(PictureChecks, "light_wandered_since", lambda _self, _t_ns: wanders)
    assert watched(Source.CAMERA, (960, 540)) is status


@pytest.mark.parametrize("flickers", [True, False])
def test_pictures_that_flicker_are_not_said_to_be_hidden(
    flickers: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(KnockWatch, "is_blind", property(lambda _: True, lambda *_: None), raising=False)
    monkeypatch.setattr(PictureChecks, "light_is_unsteady", flickers)
    watch = Watch(ScriptedTable(lambda: frames(12), Source.CAMERA, "0", 60.0))
    watch_to_the_end(watch, Listening())
    assert ("view_blocked" in watch.checks.warnings()) is not flickers


FILM = [at_rate([cv2.imencode(".jpg", np.full((120, 160), 90, np.uint8))[1].tobytes()] * 300, 60.0)]


async def opened(where: str, wanted: Wanted) -> tuple[Mapping[str, Any], dict[str, Any]]:
    """Choose a camera; return what the set-up shows, and what its witnesses say of themselves."""
    set_up = SetUp(Agreement(), lambda *_: None, wanted)
    await set_up.choose("camera", where)
    try:
        await asyncio.sleep(0.3)
        watch = set_up.watch
        return set_up.state(), {} if watch is None else watch.beside.told()
    finally:
        await set_up.leave()


@pytest.mark.live
def test_a_second_camera_is_opened_with_the_first() -> None:
    with http_camera(Script(FILM)) as first, http_camera(Script(FILM)) as second:
        shown, told = asyncio.run(opened(first, Wanted(second_camera=second)))
    assert shown["problem"] in {None, "no_field", "field_not_read"}
    assert told["second_camera"]["poems"] == 0
    assert told["second_camera"]["problem"] is None


@pytest.mark.live
@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (Wanted(second_camera="http://127.0.0.1:9/x"), "http://127.0.0.1:9/x cannot be opened"),
        (Wanted(microphone="no such device"), "no such device"),
    ],
)
def test_what_is_not_there_beside_a_camera_is_told_in_the_set_up(wanted: Wanted, said: str) -> None:
    with http_camera(Script(FILM)) as first:
        shown, told = asyncio.run(opened(first, wanted))
    assert said in shown["problem"]
    assert told == {}


@pytest.mark.live
def test_a_recording_is_opened_with_its_sound(tmp_path: Path) -> None:
    match = single_poem("own", 2, 30, (320, 240), "tatami", cards_per_side=4)
    folder = write_recording(match, tmp_path / "clip", with_sound=True)

    async def heard() -> list[TimedSound | None]:
        set_up = SetUp(Agreement(), lambda *_: None)
        await set_up.choose("video", str(folder))
        try:
            assert set_up.watch is not None
            return [set_up.watch.beside.sound(from_ns, from_ns + 10**9) for from_ns in (10**9, 10**12)]
        finally:
            await set_up.leave()

    within, after_its_end = asyncio.run(heard())
    assert within is not None
    assert within.t_ns <= 10**9 < 2 * 10**9 <= within.ends_ns
    assert after_its_end is None
