"""The second camera, microphone and helper are opened and closed together with a live camera."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from desk.karuta.eye.equipment import Wanted
from desk.karuta.house.agreement import Agreement
from desk.karuta.house.setup import SetUp
from recitation.sound.recent_sound import TimedSound
from tests.vision.sources.http_camera import Script, at_rate, http_camera
from vision.simulator.hall.clip import single_poem
from vision.simulator.hall.recorder import write_recording

pytestmark = pytest.mark.live

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


def test_a_second_camera_is_opened_with_the_first() -> None:
    with http_camera(Script(FILM)) as first, http_camera(Script(FILM)) as second:
        shown, told = asyncio.run(opened(first, Wanted(second_camera=second)))
    assert shown["problem"] in {None, "no_field", "field_not_read"}
    assert told["second_camera"]["poems"] == 0
    assert told["second_camera"]["problem"] is None


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
