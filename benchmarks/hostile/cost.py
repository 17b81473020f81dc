"""What a command line costs whose input is large, in a process that loads only what it needs.

`python -m benchmarks.hostile.cost < INPUTS > COSTS`, both as JSON; see `benchmarks.hostile.large`.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import resource
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TextIO

from desk.commands.cli import main as shinpan

MOST_BYTES, LONGEST_S = 1_500_000_000, 10.0
_ADDRESSES = 8 << 30


@dataclass(frozen=True, slots=True)
class LargeInput:
    """A command line whose input is large; `piped` stands for so many bytes on standard input."""

    name: str
    words: tuple[str, ...]
    piped: int = 0


@dataclass(frozen=True, slots=True)
class Cost:
    """What came of it: exit code, lines of complaint, seconds of computing, most bytes held."""

    name: str
    code: int | None
    said: str
    seconds: float
    held: int

    @property
    def is_good(self) -> bool:
        """Whether it ended in one line and in time, and held little."""
        told = self.code == 2 and self.said.count("\n") == 1 and "Traceback" not in self.said
        return told and self.seconds <= LONGEST_S and self.held <= MOST_BYTES


def cost(what: LargeInput) -> Cost:
    """Give one input to its command, in this process."""
    out, said, stdin = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO(), sys.stdin
    begun_s = time.process_time()
    try:
        with (
            _piped(what.piped) as sys.stdin,
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(said),
        ):
            code = shinpan(what.words)
    except BaseException as error:  # noqa: BLE001 (whatever leaves a command is what is looked for)
        code = None
        said.write(f"Traceback: {type(error).__name__}: {error}")
    finally:
        sys.stdin = stdin
    # of this program alone: `getrusage` remembers what the process held before it became this program
    held = int(Path("/proc/self/status").read_text("utf-8").partition("VmHWM:")[2].split()[0]) * 1024
    return Cost(what.name, code, said.getvalue(), time.process_time() - begun_s, held)


@contextlib.contextmanager
def _piped(size: int) -> Iterator[TextIO]:
    """Yield a pipe as standard input that a thread fills with so many bytes, as long as anybody reads."""
    ours, theirs = os.pipe()

    def fill() -> None:
        piece = bytes(1 << 16)
        with contextlib.suppress(BrokenPipeError), os.fdopen(theirs, "wb") as pipe:
            pipe.writelines(piece for _ in range(size // len(piece)))

    filling = threading.Thread(target=fill)
    filling.start()
    try:
        with os.fdopen(ours, encoding="utf-8") as pipe:
            yield pipe
    finally:
        filling.join()


def main() -> int:
    """Run the command lines that stand on standard input, and write a line for each."""
    inputs = [LargeInput(**each) for each in json.load(sys.stdin)]
    resource.setrlimit(resource.RLIMIT_AS, (_ADDRESSES, _ADDRESSES))
    for each in inputs:
        print(json.dumps(asdict(cost(each))), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
