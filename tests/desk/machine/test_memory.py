"""Memory that games freed goes back to the system, measured in a process where nothing else runs."""

import subprocess
import sys

import pytest

PLAYED = """
from pathlib import Path
from threading import Thread

from desk.machine.memory import return_memory


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
