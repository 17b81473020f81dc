"""Measure the product beside its peers, and write the table of ratios.

`uv run --extra voices --extra hall python -m benchmarks [NAME ...] [--list] [--page FILE]`

Each row is one command that measures the product and what it is compared with in the same run; without a NAME
all rows are measured. A measured row replaces its predecessor in the table of `benchmarks/RESULTS.md`. A row
that cannot be measured on this machine says why, and its predecessor stays.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import numpy as np

PAGE: Final = Path(__file__).parent / "RESULTS.md"
BEGIN: Final = "<!-- rows of python -m benchmarks -->"
END: Final = "<!-- end of these rows -->"
HEAD: Final = ("| row | shinpan | beside it | ratio | command, machine and day |", "|---|---|---|---|---|")

Told = tuple[str, str, str]  # what shinpan reaches, what stands beside it, and their ratio


@dataclass(frozen=True)
class Row:
    """A command that writes JSON, and what its figures say."""

    command: tuple[str, ...]
    told: Callable[[Any], Told]


def first_touch(found: Any) -> Told:
    """Compare who was first at the read card, and when."""
    rows = {row["judge"]: row for row in found["summary"] if row["fps"] == "all"}
    ours = rows.pop("shinpan")

    def says(row: Mapping[str, Any]) -> str:
        right = f"{row['first player right']} of {row['poems']} players right"
        return f"{right}, median error {row['error p50, ms']} ms"

    return (
        f"{says(ours)}; {ours['decided']} decided, {ours['decided, first player wrong']} of them wrong",
        "; ".join(f"{name}: {says(row)}, always decides" for name, row in rows.items()),
        f"{ours['error p50, ms'] / rows['first changed frame']['error p50, ms']:.2f} x that of the first",
    )


def card_names(found: Any) -> Told:
    """Compare the names of cards on photos."""
    ours = found.pop("shinpan")

    def says(row: Mapping[str, float]) -> str:
        right = f"{row['right']:.0f} of {row['cards']:.0f} right, {row['wrong']:.0f} wrong"
        return f"{right}, {row['cpu_ms']:.0f} ms a photo"

    return (
        f"{says(ours)}, cards found too",
        "cut out along their true edges: " + "; ".join(f"{name} {says(row)}" for name, row in found.items()),
        f"{ours['cpu_ms'] / found['SIFT']['cpu_ms']:.2f} x the time of SIFT",
    )


def poem_names(found: Any) -> Told:
    """Compare the names of poems that are read."""
    rows = list(found.values())
    asked, ours, wrong, theirs = (
        sum(row[key] for row in rows) for key in ("asked", "listener", "listener wrong", "templates")
    )
    return (
        f"{ours} of {asked} poems of {len(rows)} readers, {wrong} surely wrong",
        f"templates of one voice: {theirs} of {asked}",
        f"{ours / theirs:.1f} x as many" if theirs else "",
    )


def onsets(found: Any) -> Told:
    """Compare how well the instant of a first sound is known."""
    off = {name: float(np.median(np.abs(errors))) for name, errors in found.items()}
    ours = off.pop("shinpan")
    return (
        f"first sounds known to {ours:.2f} ms (median)",
        "; ".join(f"{name} {error:.1f} ms" for name, error in off.items()),
        f"1 / {min(off.values()) / ours:.0f} of the best",
    )


def cost(found: Any) -> Told:
    """Compare what a picture costs."""
    ratio = found["judged_ms"] / found["decoded_ms"]
    return (
        f"a picture judged in {found['judged_ms']:.2f} ms, decoding included",
        f"bare gray decoding {found['decoded_ms']:.2f} ms",
        f"{ratio:.2f}",
    )


def start_up(found: Any) -> Told:
    """Compare how soon the command line answers."""
    return (
        f"`shinpan --help` {found['help'] * 1e3:.0f} ms",
        f"`python -c pass` {found['bare'] * 1e3:.0f} ms",
        f"{found['help'] / found['bare']:.1f}",
    )


ROWS: Final[Mapping[str, Row]] = {
    "first-touch": Row(("benchmarks.peers.first_touch",), first_touch),
    "card-names": Row(("benchmarks.peers.card_names", "--photos", "1"), card_names),
    "poem-names": Row(("benchmarks.peers.poem_names", "--every", "20"), poem_names),
    "onsets": Row(("benchmarks.peers.onsets", "--poems", "3"), onsets),
    "cost": Row(("benchmarks.cost",), cost),
    "start-up": Row(("benchmarks.start_up",), start_up),
}


def measured(name: str) -> str:
    """Run a row's command and return its line of the table; ValueError says why it cannot be run."""
    row = ROWS[name]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "figures.json"
        run = subprocess.run(
            [sys.executable, "-m", *row.command, "--json", str(out)],
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        # a command may miss its goal, and say so with its exit code, after it has written its figures
        if not out.exists():
            raise ValueError((run.stderr.strip().splitlines() or [f"exit code {run.returncode}"])[-1])
        told = row.told(json.loads(out.read_text("utf-8")))
    how = f"`python -m {' '.join(row.command)}`; {machine()}; {datetime.now(UTC).date().isoformat()}"
    return f"| {' | '.join((name, *told, how))} |"


def machine() -> str:
    """Return what the figures were measured on, and how busy it was with other work."""
    load = f", load {os.getloadavg()[0]:.0f}" if hasattr(os, "getloadavg") else ""
    return f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}{load}"


def replaced(page: str, lines: Mapping[str, str]) -> str:
    """Return the page with these lines in its table, in the order of `ROWS`; others stay as they are."""
    before, _, rest = page.partition(BEGIN)
    table, _, after = rest.partition(END)
    known = {line.split("|")[1].strip(): line for line in table.splitlines() if line.startswith("| ")}
    known |= lines
    rows = [known[name] for name in ROWS if name in known]
    return before + "\n".join([BEGIN, *HEAD, *rows, END]) + after


def main() -> int:
    """Measure rows, print each, and keep it on the page; 1 where one could not be measured."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"any of {', '.join(ROWS)} (default: all)")
    parser.add_argument("--list", action="store_true", help="print the commands instead")
    parser.add_argument("--page", type=Path, default=PAGE, help="the page that holds the table")
    arguments = parser.parse_args()
    if unknown := [name for name in arguments.names if name not in ROWS]:
        parser.error(f"expected any of {', '.join(ROWS)}, got {unknown[0]!r}")
    names = arguments.names or [*ROWS]
    if arguments.list:
        for name in names:
            print(f"{name:<12} python -m {' '.join(ROWS[name].command)}")
        return 0
    page = arguments.page.read_text("utf-8")
    if BEGIN not in page or END not in page:
        parser.error(f"{arguments.page} has no table between {BEGIN} and {END}")
    missed = 0
    for name in names:
        try:
            line = measured(name)
        except ValueError as problem:
            missed += 1
            print(f"{name}: not measured: {problem}", file=sys.stderr)
        else:
            print(line, flush=True)
            arguments.page.write_text(replaced(arguments.page.read_text("utf-8"), {name: line}), "utf-8")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
