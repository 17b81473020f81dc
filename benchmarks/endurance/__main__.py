"""Whether a desk holds out for a whole day: eight hours of a game in fast motion.

`uv run python -m benchmarks.endurance [--game karuta] [--hours 8] [--seed 3] [--poems 3] [--json OUT]`

One game is drawn once, kept in `benchmarks/cache`, and played again and again in one process, each with its
eye, desk and log, as fast as the eye looks: karuta 720p at 120 pictures a second under a camera that waits
for nobody now and then, the card tables at 30. Told are the memory that the process holds without the film's
file, its threads and open files as the hours go by, and what became of the pictures. Memory may grow by 5 %
after the first ten minutes (after the first third of a shorter run); every picture has to be looked at or
told as dropped.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

import numpy as np

from benchmarks.command import read_options, write_json
from benchmarks.endurance.films import Pictures
from benchmarks.endurance.games import Game, karuta, kendo, koikoi

GROWTH_GOAL, WARM_MIN = 0.05, 10.0


@dataclass(frozen=True, slots=True)
class Sample:
    """The process after a game: minutes of play so far, bytes held, threads, open files, objects."""

    minutes: float
    held: int
    threads: int
    files: int
    objects: int


def sampled(minutes: float) -> Sample:
    """Look at this process."""
    status = Path("/proc/self/status").read_text("utf-8")
    held = int(status.partition("RssAnon:")[2].split()[0]) * 1024
    files = len(list(Path("/proc/self/fd").iterdir()))
    return Sample(minutes, held, threading.active_count(), files, len(gc.get_objects()))


def played(game: Game, hours: float) -> tuple[list[Sample], Pictures]:
    """Play a game until the hours are over."""
    game_min = (game.film[-1][0] - game.film[0][0]) / 60e9
    samples, pictures, begun_s = [sampled(0.0)], Pictures(), time.monotonic()
    while samples[-1].minutes < hours * 60:
        with tempfile.TemporaryDirectory() as folder:
            told = asyncio.run(game.play(Path(folder)))
        pictures.add(told)
        samples.append(sampled(samples[-1].minutes + game_min * (told.came / len(game.film))))
        last = samples[-1]
        print(
            f"{last.minutes:7.1f} min  {last.held / 1e6:6.1f} MB  {last.threads:3} threads  "
            f"{last.files:3} files  {last.objects:8} objects  {time.monotonic() - begun_s:6.0f} s",
            flush=True,
        )
    return samples, pictures


def growth(samples: Sequence[Sample]) -> tuple[float, float]:
    """Return by which share memory grew after the warm-up, and its slope in bytes an hour."""
    warm_min = min(WARM_MIN, samples[-1].minutes / 3)
    later = [sample for sample in samples if sample.minutes >= warm_min]
    most = max(1, len(later) // 5)
    begin, end = (median(sample.held for sample in part) for part in (later[:most], later[-most:]))
    if len(later) < 2:
        return end / begin - 1, 0.0
    slope = np.polyfit([sample.minutes / 60 for sample in later], [sample.held for sample in later], 1)[0]
    return end / begin - 1, float(slope)


def main() -> int:
    """Play, print a row for each game, and return 1 where memory grew or pictures are missing."""
    options = read_options(__doc__, game=("karuta", "koikoi", "kendo"), hours=8.0, seed=3, poems=3)
    makers = {"karuta": lambda: karuta(options.seed, options.poems), "koikoi": lambda: koikoi(options.seed)}
    game = makers.get(options.game, lambda: kendo(options.seed))()
    samples, pictures = played(game, options.hours)
    grown, slope = growth(samples)
    print(
        f"{options.game}: {samples[-1].minutes / 60:.2f} h in {len(samples) - 1} games; memory {grown:+.1%}, "
        f"{slope / 1e6:+.1f} MB an hour; {samples[1].threads} to {samples[-1].threads} threads, "
        f"{samples[1].files} to {samples[-1].files} files"
    )
    print(
        f"{pictures.came} pictures came, {pictures.looked} were looked at, {pictures.dropped} told as "
        f"dropped, {pictures.left} left when a game was over: "
        f"{'they add up' if pictures.add_up else 'SOME ARE MISSING'}"
    )
    told = {"samples": [asdict(sample) for sample in samples], "pictures": asdict(pictures)}
    write_json(options.json, told)
    return 0 if pictures.add_up and grown <= GROWTH_GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
