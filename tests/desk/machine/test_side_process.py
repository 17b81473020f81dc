"""Work on replays and films has a process of its own; memory that games freed goes back to the system."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from desk.errors import DeskError
from desk.machine import side_process
from desk.machine.side_process import MOST_BYTES, BusyError, SideProcess
from tests.desk.machine import side_work

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has these limits")


def run(story: Callable[[SideProcess], Awaitable[Any]], **options: float) -> Any:
    async def whole() -> Any:
        return await story(SideProcess(**options))

    return asyncio.run(whole())


def test_what_several_ask_for_is_done_once_and_elsewhere(tmp_path: Path) -> None:
    async def story(side: SideProcess) -> list[int]:
        asked = [asyncio.ensure_future(side.do(side_work.wait_for, tmp_path)) for _ in range(3)]
        await asyncio.sleep(0)
        asked[0].cancel()  # who leaves takes nothing from the others
        (tmp_path / "go").touch()
        return [await each for each in asked[1:]]

    first, second = run(story)
    assert first == second != os.getpid()
    assert (tmp_path / "calls").read_text("utf-8") == "go\n"


def test_one_piece_comes_after_the_other_and_too_many_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(side_process, "MOST_WAITING", 2)

    async def story(side: SideProcess) -> None:
        asked = [asyncio.ensure_future(side.do(side_work.wait_for, tmp_path, name)) for name in ("a", "b")]
        await asyncio.sleep(0)
        with pytest.raises(BusyError):
            await side.do(side_work.number)
        (tmp_path / "a").touch()
        process = await asked[0]
        assert (tmp_path / "calls").read_text("utf-8").startswith("a\n")
        (tmp_path / "b").touch()
        assert await asked[1] == process == await side.do(side_work.number)

    run(story)


def test_a_process_that_dies_or_does_not_end_is_told_and_another_one_goes_on(tmp_path: Path) -> None:
    async def story(side: SideProcess) -> None:
        first = await side.do(side_work.number)
        with pytest.raises(DeskError, match="no picture"):
            await side.do(side_work.refuse, "no picture")
        with pytest.raises(FileNotFoundError):
            await side.do(side_work.wait_for, tmp_path / "nowhere")
        assert await side.do(side_work.number) == first
        with pytest.raises(DeskError, match="has ended"):
            await side.do(side_work.crash)
        with pytest.raises(DeskError, match="took too long"):
            await side.do(side_work.wait_for, tmp_path, "never")
        assert await side.do(side_work.number) != first

    run(story, patience_s=5.0)


@on_linux
def test_it_holds_little_memory_and_is_the_first_that_the_system_ends() -> None:
    async def story(side: SideProcess) -> None:
        nice, willing = await side.do(side_work.standing)
        assert nice >= os.nice(0)
        assert willing == "1000"
        assert await side.do(side_work.hold, 1 << 20) == 1 << 20
        with pytest.raises(DeskError, match="too much for the memory"):
            await side.do(side_work.hold, MOST_BYTES)
        assert await side.do(side_work.number)

    run(story)


PLAYED = """
from pathlib import Path
from threading import Thread

from desk.machine.side_process import return_memory


def held_bytes():
    status = Path("/proc/self/status").read_text("utf-8")
    return int(status.partition("RssAnon:")[2].split()[0]) * 1024


kept = []


def play():
    pictures = []
    for _ in range(600):
        pictures.append(bytearray(100_000))
        kept.append(bytearray(500))  # lies behind the picture, so that nothing below goes back by itself


thread = Thread(target=play)
thread.start()
thread.join()
before = held_bytes()
return_memory()
assert len(kept) == 600
print(before - held_bytes())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only glibc can be asked")
def test_what_a_game_freed_goes_back_to_the_system() -> None:
    done = subprocess.run([sys.executable, "-c", PLAYED], capture_output=True, text=True, check=True)
    returned_bytes = int(done.stdout)
    assert returned_bytes > 40_000_000
