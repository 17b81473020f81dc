"""Whether the same match is ruled the same twice, to the last bit: on one core, then on two.

`uv run python -m benchmarks.determinism [--scripted 100] [--pixels 2] [--recordings TEXT] [--keep FOLDER]`

Scripted matches of karuta go through the engine and its log, without pictures. Matches of pixels are played
by `shinpan demo --headless`, four cards a side. Recordings are those below `../shared`, judged or identified
by `tools/record_behaviour.py`; TEXT is how their names begin, or `none`. Of a match the whole log is
compared, every fact of the eye and every ruling with its instant; only its name and the wall clock are left
out. The two runs are processes of their own with different seeds for Python's hashes. Each log is stepped
through again as `shinpan replay --check` does. `--keep` keeps the answers; the first difference is printed,
and 1 returned.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.book.club_matches import ClubMatch, play
from desk.karuta.house.second_judgement import steps_again
from desk.log.event_log import EventLog
from desk.log.jsonl_file import exported_lines
from referee.sides import BySide, Side

ROOT = Path(__file__).parents[1]
TOOL = ROOT / "tools" / "record_behaviour.py"


def written(log: Path, *, broken: list[str]) -> str:
    """Return a match's log as text without its name and the wall clock, and step through it again."""
    with EventLog.read(log) as entries:
        _, difference = steps_again(entries)
        if difference is not None:
            broken.append(f"{log.name}: {difference}")
        head, *lines = [json.loads(line) for line in exported_lines(entries)]
    for line in lines:
        del line["wall"]
    lines[0]["payload"].pop("id")
    return "".join(f"{json.dumps(line, sort_keys=True)}\n" for line in (head, *lines))


def scripted(seed: int, folder: Path) -> Path:
    """Play a match of a club without pictures and return its log."""
    match = ClubMatch(folder / f"scripted-{seed}.sqlite", BySide("a", "b"), seed=seed)
    play(match, {Side.NEAR: 300.0 + seed % 7 * 20, Side.FAR: 360.0}, trouble=0.1)
    return match.write()


def filmed(seed: int, folder: Path) -> Path:
    """Play a match whose pictures are drawn, and return its log."""
    log = folder / f"pixels-{seed}.sqlite"
    words = ["demo", "--headless", "--seed", str(seed), "--cards", "4", "--size", "960x540", "--fps", "30"]
    command = [sys.executable, "-m", "desk", *words, "--log", str(log)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode not in {0, 1}:
        raise RuntimeError(f"{' '.join(words)}: {done.stderr.strip()}")
    return log


def write_answers(out: Path, scripts: int, films: int) -> int:
    """Play the matches on the cores of this process and write their logs; 1 where one cannot be followed."""
    broken = list[str]()
    out.mkdir(parents=True, exist_ok=True)
    jobs = [(scripted, seed) for seed in range(1, scripts + 1)]
    jobs += [(filmed, seed) for seed in range(1, films + 1)]
    with (
        tempfile.TemporaryDirectory() as folder,
        ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool,
    ):
        for log in pool.map(lambda job: job[0](job[1], Path(folder)), jobs):
            (out / log.with_suffix(".txt").name).write_text(written(log, broken=broken), "utf-8")
    print(*broken, sep="\n", end="\n" if broken else "")
    return 1 if broken else 0


def run(cores: set[int], out: Path, options: argparse.Namespace) -> int:
    """Let the answers be written by processes that may use these cores only."""
    matches = ["--scripted", str(options.scripted), "--pixels", str(options.pixels), "--answers", str(out)]
    parts = [["-m", "benchmarks.determinism", *matches]]
    if options.recordings != "none":
        parts.append([str(TOOL), "record", str(out), "--only", options.recordings, "--jobs", str(len(cores))])
    environment = os.environ | {"PYTHONHASHSEED": str(len(cores))}
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        return sum(
            subprocess.run([sys.executable, *part], cwd=ROOT, env=environment, check=False).returncode
            for part in parts
        )
    finally:
        os.sched_setaffinity(0, before)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run twice and print the first difference, or how many answers are the same."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--scripted", type=int, default=100)
    parser.add_argument("--pixels", type=int, default=2)
    parser.add_argument("--recordings", default="", metavar="TEXT")
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    parser.add_argument("--answers", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.answers is not None:
        return write_answers(options.answers, options.scripted, options.pixels)
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        print("expected two cores, got one: there is nothing to compare with")
        return 2
    with tempfile.TemporaryDirectory() as folder:
        kept = (options.keep or Path(folder)).resolve()
        failed = run({cores[0]}, kept / "one", options) + run(set(cores[:2]), kept / "two", options)
        compared = [sys.executable, str(TOOL), "compare", str(kept / "one"), str(kept / "two")]
        return min(failed + subprocess.run(compared, cwd=ROOT, check=False).returncode, 1)


if __name__ == "__main__":
    sys.exit(main())
