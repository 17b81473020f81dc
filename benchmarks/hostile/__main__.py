"""Damaged inputs for every command that reads something, and damaged requests for every page.

`uv run python -m benchmarks.hostile [--inputs 200] [--seed 1] [--only TEXT ...] [--json OUT]`

`--inputs` is per target: a command with one of its inputs, or the addresses of one page. Each target has its
process and folder. Counted are tracebacks (exceptions that leave the command, or reach the server
of a page), crashes, inputs that compute for more than ten seconds, files that are opened to write outside the
folder, connections to other machines, and the most memory that the process held. `--finds FOLDER` keeps each
input that failed.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import socket
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty
from random import Random
from typing import Any

from benchmarks.command import read_options, write_json
from benchmarks.hostile.damage import damaged
from benchmarks.hostile.files import Target, media_targets, text_targets
from benchmarks.hostile.requests import PAGES, ask
from benchmarks.hostile.trial import LONGEST_S, Watch, command, tried

_SILENT_S = 90
"""A process that says nothing for so long hangs where no signal reaches it."""


@dataclass
class Tally:
    """What came of one target's inputs.

    Attributes
    ----------
    inputs : how many were given.
    problems : how many inputs led to each kind of problem.
    examples : the last line of the first ones, with their number.
    rss_mib : the most memory that the process held.
    slowest_s : how long the slowest input took.
    """

    name: str
    inputs: int = 0
    problems: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)
    rss_mib: float = 0.0
    slowest_s: float = 0.0


def work(what: Target | str, inputs: int, seed: int, root: Path, told: Any) -> None:
    """Give one target its inputs, in a process of its own, and tell `told` how it goes."""
    name = what if isinstance(what, str) else what.name
    root = root / "".join(letter if letter.isalnum() else "-" for letter in name)
    root.mkdir()
    os.environ.update({"XDG_DATA_HOME": str(root / "work" / "data"), "XDG_CONFIG_HOME": str(root / "config")})
    tempfile.tempdir = str(root)
    os.chdir(root)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # what libraries of C say about damage
    tally, random, watch = Tally(name), Random(f"{seed} {name}"), Watch(root)
    attempts = _page(what, root) if isinstance(what, str) else _command(what, root)
    for number in range(inputs):
        data, attempt = attempts(random, number == 0)
        begun_s = time.process_time()
        problem = tried(attempt)
        tally.slowest_s = max(tally.slowest_s, time.process_time() - begun_s)
        tally.inputs += 1
        for kind, text in [*([] if problem is None else [problem]), *watch.seen]:
            tally.problems[kind] += 1
            if len(tally.examples) < 20:
                tally.examples.append(f"{number} {kind}: {text}"[:300])
            told.put(("find", f"{root.name}-{number}", data))
        watch.seen.clear()
        told.put(("alive", name, None))
    tally.rss_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    told.put(("done", name, tally))


Attempts = Callable[[Random, bool], tuple[bytes, Callable[[], str]]]


def _command(target: Target, root: Path) -> Attempts:
    def attempt(random: Random, is_whole: bool) -> tuple[bytes, Callable[[], str]]:
        data = target.seed if is_whole else damaged(target.seed, random)
        return data, lambda: command(target, data, root / "work")

    return attempt


def _page(name: str, root: Path) -> Attempts:
    page = PAGES[name](root)

    def attempt(random: Random, is_whole: bool) -> tuple[bytes, Callable[[], str]]:
        request = page.request(random, whole=is_whole)
        return repr(request).encode(), lambda: ask(page, request)

    return attempt


def measure(what: Target | str, inputs: int, seed: int, root: Path, finds: Path | None = None) -> Tally:
    """Give one target its inputs and return what came of them, whatever becomes of its process."""
    context = multiprocessing.get_context("fork")
    told = context.Queue()
    process = context.Process(target=work, args=(what, inputs, seed, root, told), daemon=True)
    process.start()
    begun = Tally(what if isinstance(what, str) else what.name)
    while True:
        try:
            kind, of, value = told.get(timeout=_SILENT_S if process.is_alive() else 1)
        except Empty:
            lost = "crash" if not process.is_alive() else "hang"
            process.kill()
            begun.problems[lost] += 1
            begun.examples.append(f"{begun.inputs} {lost}: exit code {process.exitcode}")
            return begun
        if kind == "done":
            process.join()
            assert isinstance(value, Tally)
            return value
        if kind == "find" and finds is not None:
            (finds / of).write_bytes(value)
        begun.inputs += kind == "alive"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; 1 where anything went wrong."""
    options = read_options(__doc__, argv=arguments, inputs=200, seed=1, only=[""], finds=Path)
    if options.finds is not None:
        options.finds.mkdir(parents=True, exist_ok=True)
    tallies = []
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        seeds = root / "seeds"
        seeds.mkdir()
        known: dict[str, Target | str] = {
            **{target.name: target for target in (*text_targets(seeds), *media_targets(seeds))},
            **{page: page for page in PAGES},
        }
        print(f"{'target':24} inputs  tracebacks  hangs  crashes  escapes  connections  slowest    RSS")
        for name, what in known.items():
            if not any(text in name for text in options.only):
                continue
            tally = measure(what, options.inputs, options.seed, root, options.finds)
            tallies.append(tally)
            print(_row(tally), flush=True)
            for example in tally.examples[:5]:
                print(f"    {example}", flush=True)
    total = Tally("all", sum(tally.inputs for tally in tallies))
    for tally in tallies:
        total.problems.update(tally.problems)
        total.rss_mib = max(total.rss_mib, tally.rss_mib)
        total.slowest_s = max(total.slowest_s, tally.slowest_s)
    print(_row(total))
    write_json(options.json, [vars(tally) for tally in (*tallies, total)])
    return 1 if total.problems else 0


def _row(tally: Tally) -> str:
    kinds = ("traceback", "hang", "crash", "escape", "connection")
    counts = "  ".join(
        f"{tally.problems[kind]:{width}}" for kind, width in zip(kinds, (10, 5, 7, 7, 11), strict=True)
    )
    return f"{tally.name:24} {tally.inputs:6}  {counts}  {tally.slowest_s:5.1f} s  {tally.rss_mib:4.0f} MiB"


if __name__ == "__main__":
    socket.setdefaulttimeout(LONGEST_S)
    sys.exit(main())
