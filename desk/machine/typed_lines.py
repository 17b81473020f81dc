"""Lines that are typed on the terminal while something else goes on."""

import sys
import threading
from collections.abc import Iterator
from queue import Empty, SimpleQueue

from calibration.files import typed_numbers as typed


def typed_lines() -> SimpleQueue[str]:
    """Return a queue that receives every line typed from now on."""
    lines: SimpleQueue[str] = SimpleQueue()

    def read() -> None:
        for line in sys.stdin:
            lines.put(line)

    threading.Thread(target=read, name="keyboard", daemon=True).start()
    return lines


def waiting(lines: SimpleQueue[str]) -> Iterator[str]:
    while True:
        try:
            yield typed.plain(lines.get_nowait()).strip().lower()
        except Empty:
            return
