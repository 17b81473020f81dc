"""A live card table: observations wait while the disk is full, and the last step keeps its pictures."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from desk.errors import EventLogError
from desk.panel.table.stream import HINDRANCES
from desk.tables import live_table
from desk.tables.live_table import LiveTable
from vision.frames.frame import Frame

pytestmark = pytest.mark.live


class OnePicture:
    """A table that shows one picture; see `desk.tables.table.Table`."""

    problem: str | None = None
    can_wait = True

    def happenings(self) -> Iterator[Frame]:
        yield Frame(np.zeros((4, 4), np.uint8), 1_000_000, 1, 0)

    def show(self, frame: Frame) -> None: ...
    def go_on(self) -> None: ...
    def close(self) -> None: ...


class Eye:
    plane: object | None = object()
    blank_looks = 0
    shows_small_cards = False
    markers = frozenset({0, 1, 2, 3})
    failures: Sequence[str] = ()

    @property
    def watcher(self) -> Eye:
        return self

    def feed(self, frame: Frame) -> Sequence[str]:
        return ("first", "second")

    def preview(self) -> bytes | None:
        return None


class FullDisk:
    """A log that refuses the second event until a few attempts were made."""

    failures: Sequence[str] = ()

    def __init__(self) -> None:
        self.kept: list[str] = []
        self.tries = 0

    def seen(self, event: str) -> None:
        if event == "second":
            self.tries += 1
            if self.tries < 4:
                raise EventLogError("database or disk is full")
        self.kept.append(event)

    def at(self, t_ms: float) -> None: ...


def watched(table: Any, eye: Any, attendant: Any) -> LiveTable:
    return LiveTable(table, eye, attendant)


def test_what_was_seen_waits_for_room(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(live_table, "_DISK_S", 0.02)
    disk, told = FullDisk(), set[str]()
    table: Any = OnePicture()

    async def run() -> None:
        live = watched(table, Eye(), disk)
        live.begin(asyncio.get_running_loop())
        while live.is_watching:
            told.update(map(str, live.health()["warnings"]))  # type: ignore[call-overload]
            await asyncio.sleep(0.005)
        assert live.failure is None
        assert live.health()["warnings"] == []
        await live.end()

    asyncio.run(asyncio.wait_for(run(), 20))
    assert disk.kept == ["first", "second"]
    assert any("disk is full" in text for text in told)
    assert capsys.readouterr().err.count("disk is full") == 1


class HandOverTheTable(OnePicture):
    """A table at rest unless a test lets a hand reach over it or something move, until the test ends it."""

    def __init__(self) -> None:
        self.hand, self.moves, self.ends = False, False, False

    def happenings(self) -> Iterator[Frame]:
        number = 0
        while not self.ends:
            number += 1
            picture = np.full((90, 160), 120, np.uint8)
            if self.hand:
                picture[:40, 60:90] = 220
            if self.moves:
                picture[40:60, 60 + number % 2 * 20 : 80 + number % 2 * 20] = 30
            yield Frame(picture, number * 200_000_000, 1_000_000, number)
            time.sleep(0.005)


def test_the_page_is_told_what_keeps_the_table_from_being_read() -> None:
    table: Any = HandOverTheTable()
    eye = Eye()

    async def run() -> None:
        live = watched(table, eye, FullDisk())
        live.begin(asyncio.get_running_loop())

        async def until(hindrance: str | None) -> None:
            while live.health()["hindrance"] != hindrance:
                await asyncio.sleep(0.005)
            assert hindrance is None or HINDRANCES[hindrance].text

        await until(None)
        table.hand = True
        await until("hands")
        table.hand = False
        await until(None)
        table.moves = True
        await until("moves")
        eye.plane = None
        await until("markers")
        table.ends = True
        await until("ended")
        await live.end()

    asyncio.run(asyncio.wait_for(run(), 60))


@pytest.mark.parametrize(("can_wait", "told"), [(False, "pictures"), (True, None)])
def test_a_camera_that_sends_nothing_is_told_and_a_film_that_waits_is_not(
    monkeypatch: pytest.MonkeyPatch, *, can_wait: bool, told: str | None
) -> None:
    monkeypatch.setattr(live_table, "_NO_PICTURES_S", 0.05)
    left = threading.Event()

    class Silent(OnePicture):
        def happenings(self) -> Iterator[Frame]:
            yield from super().happenings()
            left.wait(20)

    async def run() -> None:
        table: Any = Silent()
        table.can_wait = can_wait
        disk = FullDisk()
        disk.tries = 4
        live = watched(table, Eye(), disk)
        live.begin(asyncio.get_running_loop())
        while live.health()["hindrance"] != told:
            await asyncio.sleep(0.005)
        left.set()
        await live.end()

    asyncio.run(asyncio.wait_for(run(), 20))
