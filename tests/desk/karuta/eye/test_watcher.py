"""The eye's report of a poem, what too poor a camera does to it, and what is opened beside a camera."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from desk.karuta.eye.equipment import Wanted
from desk.karuta.eye.source_findings import PictureChecks
from desk.karuta.eye.watcher import Watch, WatchListener
from desk.karuta.house.agreement import Agreement
from desk.karuta.house.setup import SetUp
from desk.tables.simulated.scripted_table import ScriptedTable
from desk.tables.source_kind import Source
from recitation.sound.recent_sound import TimedSound
from referee.facts import PoemStarted, Touch
from referee.karuta.judge import judge_poem
from referee.karuta.ruleset import KYOGI
from referee.karuta.ruling import Status
from tests.vision.sources.http_camera import Script, at_rate, http_camera
from vision.field.layout_reader import LayoutReading, read_layout
from vision.frames.frame import Frame
from vision.poem.events import PoemSeen, WatchEvent
from vision.simulator import SimulatedMatch
from vision.simulator.hall.match import single_poem
from vision.simulator.hall.recorder import write_recording


class Listening(WatchListener):
    """A listener who remembers the poems."""

    is_playing = True

    def __init__(self) -> None:
        self.poems: list[PoemSeen] = []

    def seen(self, events: Sequence[WatchEvent], replay: object) -> None:
        self.poems += [event for event in events if isinstance(event, PoemSeen)]

    def failed(self, error: Exception) -> None:
        raise error


def taken(size: tuple[int, int]) -> PoemSeen:
    """Return a poem whose card is taken at once, in pictures of this size."""
    before = read_layout([next(iter(SimulatedMatch(7, size=size, cards_per_side=4))).gray])
    assert isinstance(before, LayoutReading)
    card = before.layout.cards[0]
    assert card.card is not None
    touch = Touch(card.card, card.side, 900_000_000, 2_000_000)
    return PoemSeen(PoemStarted(card.card, 0, 1), before, (touch,), 1_000_000_000)


@pytest.mark.parametrize(
    ("source", "size", "wanders", "status"),
    [
        (Source.CAMERA, (960, 540), False, Status.DECIDED),
        (Source.CAMERA, (640, 360), False, Status.REVIEW),
        (Source.CAMERA, (960, 540), True, Status.REVIEW),
        (Source.SIMULATOR, (640, 360), False, Status.DECIDED),
    ],
)
def test_cards_that_a_camera_shows_too_small_or_in_wandering_light_decide_nothing(
    monkeypatch: pytest.MonkeyPatch, source: Source, size: tuple[int, int], wanders: bool, status: Status
) -> None:
    seen = taken(size)
    picture = Frame(np.zeros((90, 160), np.uint8), 1, 1, 0)
    watch, listening = Watch(ScriptedTable(lambda: iter([picture]), source, "0", 60.0)), Listening()
    monkeypatch.setattr(watch.eye, "feed", lambda _frame: [seen])
    monkeypatch.setattr("desk.karuta.eye.watcher.frames_of", lambda _ring, _seen: None)
    monkeypatch.setattr(PictureChecks, "light_wandered_since", lambda _self, _t_ns: wanders)
    watch.listener = listening
    watch.begin()
    deadline_s = time.monotonic() + 10.0
    while not watch.has_ended and time.monotonic() < deadline_s:
        time.sleep(0.002)
    watch.end()
    (poem,) = listening.poems
    assert judge_poem(poem.start.poem, poem.before.layout, poem.facts, KYOGI).status is status


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
