"""Cut holes into every practice recording, judge what is left, and compare with the truth.

`uv run python -m benchmarks.holes [--holes 20] [--seed 1] [--game karuta] [--only NAME] [--json OUT]`

Holes of 12 ms to 3 s lie at random places, 20 in each recording; the uncut films are judged in the same run.
A ruling that may rest on what a hole hides must not be decided: wanted are 0 wrong among decided, and 0 false
flags (faults that were none). At a card table every move is a ruling; one that is not written down is
doubt, which is flagged `unsure`. Of Kendo there are no recordings: bouts are simulated.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path

from benchmarks.command import read_options, table, write_json
from benchmarks.holes.karuta import karuta_outcomes
from benchmarks.holes.kendo import kendo_outcomes
from benchmarks.holes.koikoi import koikoi_outcomes
from benchmarks.holes.outcome import Outcome
from benchmarks.judging import recordings
from benchmarks.places import SHARED

_BANDS_MS = (12.0, 35.0, 100.0, 300.0, 1000.0, 3000.0)

Judge = Callable[[Path, int, int], Iterator[Outcome]]
"""Judges a recording, uncut and with so many holes, by this seed."""

GAMES: dict[str, tuple[Judge, tuple[Path, ...]]] = {
    "karuta": (karuta_outcomes, (SHARED / "practice", SHARED / "practice3d")),
    "koikoi": (koikoi_outcomes, (SHARED / "practice_koikoi",)),
}
"""How each game's recordings are judged, and the folders in which they lie."""


def main() -> int:
    """Run the comparison, print a table for each game, optionally write JSON."""
    arguments = read_options(__doc__, holes=20, seed=1, game=(None, *[*sorted(GAMES), "kendo"]), only="")
    outcomes: list[Outcome] = []
    for game, (judge, folders) in GAMES.items():
        if arguments.game in {None, game}:
            found = list(_judged(judge, recordings(folders, arguments.only, may_lack=True), arguments))
            _print_table(game, found)
            outcomes += found
    if arguments.game in {None, "kendo"} and not arguments.only:
        found = list(kendo_outcomes(arguments.holes, arguments.seed))
        _print_table("kendo", found)
        outcomes += found
    write_json(arguments.json, [asdict(outcome) for outcome in outcomes])
    return 0


def _judged(judge: Judge, recordings: Sequence[Path], arguments: argparse.Namespace) -> Iterator[Outcome]:
    for recording in recordings:
        for outcome in judge(recording, arguments.holes, arguments.seed):
            if outcome.wrong or outcome.false_flags:
                print(f"WRONG {outcome.recording} {outcome.told}", flush=True)
            yield outcome


def _print_table(game: str, outcomes: Sequence[Outcome]) -> None:
    rows = [("none (uncut)", [one for one in outcomes if one.hole is None])]
    for low_ms, high_ms in pairwise(_BANDS_MS):
        inside = [one for one in outcomes if one.hole and low_ms <= one.hole.length_ms < high_ms]
        rows.append((f"{low_ms:.0f} to {high_ms:.0f} ms", inside))
    rows.append(("all holes", [one for one in outcomes if one.hole is not None]))
    counts = ("rulings", "decided", "wrong", "false_flags")
    table(
        {f"{game}, hole": f"{name:<14}"}
        | {count: sum(getattr(one, count) for one in those) for count in counts}
        for name, those in rows
    )


if __name__ == "__main__":
    sys.exit(main())
