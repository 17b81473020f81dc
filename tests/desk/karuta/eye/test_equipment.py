"""The second camera, microphone and helper are opened and closed together with a live camera."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from desk.karuta.eye.equipment import Equipment, Wanted
from desk.karuta.eye.second_camera import SecondEye
from desk.karuta.house.agreement import Agreement
from desk.karuta.house.setup import SetUp
from recitation.sound.recent_sound import TimedSound
from tests.vision.sources.http_camera import Part, Script, at_rate, http_camera
from vision.simulator.hall.clip import single_poem
from vision.simulator.hall.recorder import write_recording
from vision.sources.source import SourceError

pytestmark = pytest.mark.live

JPEG = cv2.imencode(".jpg", np.full((120, 160), 90, np.uint8))[1].tobytes()


def refuse(*_: Any) -> None:
    raise AssertionError("no match begins here")


async def opened(where: str, wanted: Wanted) -> tuple[Mapping[str, Any], dict[str, Any]]:
    """Choose a camera; return what the set-up shows, and what its witnesses say of themselves."""
    set_up = SetUp(Agreement(), refuse, wanted)
    await set_up.choose("camera", where)
    try:
        await asyncio.sleep(0.3)
        watch = set_up.watch
        return set_up.state(), {} if watch is None else watch.beside.told()
    finally:
        await set_up.leave()


def test_a_second_camera_is_opened_with_the_first() -> None:
    film = [at_rate([JPEG] * 300, 60.0)]
    with http_camera(Script(film)) as first, http_camera(Script(film)) as second:
        shown, told = asyncio.run(opened(first, Wanted(second_camera=second)))
    assert shown["problem"] in {None, "no_field", "field_not_read"}
    assert told["second_camera"]["poems"] == 0
    assert told["second_camera"]["problem"] is None


def test_a_second_camera_that_does_not_answer_is_told_in_the_set_up() -> None:
    with http_camera(Script([at_rate([JPEG] * 60, 60.0)])) as first:
        shown, told = asyncio.run(opened(first, Wanted(second_camera="http://127.0.0.1:9/x")))
    assert "http://127.0.0.1:9/x cannot be opened" in shown["problem"]
    assert told == {}


def test_a_microphone_that_is_not_there_is_told_in_the_set_up() -> None:
    with http_camera(Script([at_rate([JPEG] * 60, 60.0)])) as first:
        shown, _ = asyncio.run(opened(first, Wanted(microphone="no such device")))
    assert "no such device" in shown["problem"]


def test_a_second_camera_that_is_lost_is_told() -> None:
    class Lost:
        name, is_live = "lost", True

        def __iter__(self) -> Iterator[Any]:
            yield from self._read()

        def _read(self) -> list[Any]:
            raise SourceError("the cable was pulled out")

        def close(self) -> None:
            pass

    eye = SecondEye(Lost())  # type: ignore[arg-type]
    eye.close()
    assert Equipment(eye).problem == "the cable was pulled out"
    assert Equipment().problem is None


def test_an_unplugged_second_camera_is_told_until_it_is_back() -> None:
    """It closes its connection after half a second and sends nothing for two seconds."""
    unplugged = [*at_rate([JPEG] * 15, 30.0), Part(0.5, None)]
    film = [unplugged, at_rate([JPEG] * 300, 30.0, begin_s=2.0)]

    async def told() -> list[bool]:
        """Return whether pictures were said to be missing, each time that this changed."""
        set_up = SetUp(Agreement(), refuse, Wanted(second_camera=second))
        await set_up.choose("camera", first)
        missing: list[bool] = []
        try:
            watch = set_up.watch
            assert watch is not None
            for _ in range(400):
                await asyncio.sleep(0.03)
                says_so = (watch.beside.problem or "").startswith("no pictures come from the second camera")
                if not missing or says_so != missing[-1]:
                    missing.append(says_so)
                if len(missing) == 3:
                    break
        finally:
            await set_up.leave()
        return missing

    with http_camera(Script([at_rate([JPEG] * 900, 60.0)])) as first, http_camera(Script(film)) as second:
        assert asyncio.run(told()) == [False, True, False]


def test_a_recording_is_opened_with_its_sound(tmp_path: Path) -> None:
    match = single_poem("own", 2, 30, (320, 240), "tatami", cards_per_side=4)
    folder = write_recording(match, tmp_path / "clip", with_sound=True)

    async def heard() -> list[TimedSound | None]:
        set_up = SetUp(Agreement(), refuse, Wanted())
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
