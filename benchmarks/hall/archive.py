"""Whether two workers judge an archive twice as fast as one, and what is lost where one is killed.

Recordings of `../shared/practice`, a real `nats-server` for each run, and workers as users start them
(`shinpan hall work run`). Each worker has one core, as if it were a machine: without that a single worker
takes 1.3 cores (the video's decoder has threads of its own), and on two cores two could never be twice as
fast. In the last run one of two workers is killed (SIGKILL) once the first result is there. The rulings of
all three runs have to be the same.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.hall.floor import Servers, servers
from benchmarks.places import SHARED
from desk.hall.archive.queue import RESULTS, Outcome, Queue, unpacked
from desk.hall.link import Link

_LOOK_S = 0.2
_PORT = 27222
_RECORDINGS = 12
"""As many at most: one worker judges them within half a minute on a quiet core."""


def begin(hall: Servers, archive: Path, what: str, number: int, *options: str) -> subprocess.Popen[bytes]:
    """Begin a worker of a hall, on a core of its own where there are as many."""
    cores = sorted(os.sched_getaffinity(0))
    words = ["hall", "work", what, "--hall", hall.ticket_file(f"worker-{number}"), "--archive", str(archive)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # users have compiled modules: half the time of a start
    return subprocess.Popen(
        ["taskset", "-c", str(cores[number % len(cores)]), sys.executable, "-m", "desk", *words, *options],
        stdout=subprocess.DEVNULL,
        env=environment,
    )


def outcomes_of(hall: Servers) -> tuple[list[Outcome], int]:
    """Return everything that the stream of results holds, and how many recordings wait."""

    async def ask() -> tuple[list[Outcome], int]:
        link = Link(hall.ticket("worker-1"))
        link.open()
        await link.joined()
        stream = link.stream(5.0)
        last = (await stream.stream_info(RESULTS)).state.last_seq
        found = [await stream.get_msg(RESULTS, seq, direct=True) for seq in range(1, last + 1)]
        waiting = await Queue(link).waiting()
        await link.close()
        return [unpacked(each.data or b"") for each in found], waiting

    return asyncio.run(ask())


def judged(archive: Path, workers: int, *, kill: bool = False) -> tuple[float, list[Outcome], int]:
    """Judge an archive; return the seconds that it took, what came of it, and how many recordings wait."""
    with servers(1, 1, _PORT) as hall:
        begin(hall, archive, "add", 1).wait()
        began_s = time.monotonic()
        options = ("--jobs", "1", "--until-empty")
        crew = [begin(hall, archive, "run", number, *options) for number in range(1, workers + 1)]
        if kill:
            while not outcomes_of(hall)[0]:
                time.sleep(_LOOK_S)
            crew[0].kill()
        for worker in crew:
            worker.wait()
        return time.monotonic() - began_s, *outcomes_of(hall)


def rulings(outcomes: list[Outcome]) -> dict[str, Any]:
    """Return the poems of each recording, without what the run cost."""
    return {each.order.name: json.loads(each.result)["poems"] for each in outcomes if each.result}


def judge_archive(_: int) -> dict[str, Any]:
    """Run one worker, two, and two of which one is killed."""
    clips = sorted((SHARED / "practice").glob("clip-*"))[:_RECORDINGS]
    if not clips:
        raise SystemExit(f"expected recordings clip-* in {SHARED / 'practice'}, found none")
    count = len(clips)
    with tempfile.TemporaryDirectory(prefix="shinpan-recordings-") as place:
        archive = Path(place)
        for clip in clips:
            shutil.copytree(clip, archive / clip.name)
        one_s, one, _ = judged(archive, 1)
        two_s, two, _ = judged(archive, 2)
        killed, waiting = judged(archive, 2, kill=True)[1:]
    times = Counter(each.order.key for each in killed)
    return {
        "recordings": count,
        "one worker, s": round(one_s, 1),
        "two workers, s": round(two_s, 1),
        "times faster": round(one_s / two_s, 2),
        "killed: results": len(times),
        "killed: lost": count - len(times) + waiting,
        "killed: doubled": len(killed) - len(times),
        "killed: failed": sum(bool(each.problem) for each in killed),
        "rulings the same in all runs": rulings(one) == rulings(two) == rulings(killed),
        "load of the machine": round(os.getloadavg()[0], 1),
    }
