import sys
from pathlib import Path
from threading import Thread

import pytest

from desk.machine.memory import return_memory

MB = 1_000_000


def held_bytes() -> int:
    status = Path("/proc/self/status").read_text("utf-8")
    return int(status.partition("RssAnon:")[2].split()[0]) * 1024


@pytest.mark.skipif(sys.platform != "linux", reason="only glibc can be asked")
def test_what_a_game_freed_goes_back_to_the_system() -> None:
    kept: list[bytearray] = []

    def play() -> None:
        pictures: list[bytearray] = []
        for _ in range(600):
            pictures.append(bytearray(100_000))
            kept.append(bytearray(500))  # lies behind the picture, so that nothing below goes back by itself

    thread = Thread(target=play)
    thread.start()
    thread.join()
    before = held_bytes()
    return_memory()
    assert len(kept) == 600
    assert held_bytes() < before - 40 * MB
