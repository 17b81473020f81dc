"""Judge every recording of folders and compare with the truth beside it.

`uv run python -m benchmarks.practice [FOLDER ...] [--only NAME] [--json OUT]`; FOLDER defaults to
`../shared/practice`. `--filter` judges the recordings as a filter of ffmpeg makes them, `--every N` only each
N-th of their pictures, `--turned` with the players' seats exchanged. The lines of poems end with the errors
of touches in ms (`!` = outside its interval) and the doubts.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.command import read_options, write_json
from benchmarks.judging import judge, lines, recordings, sums, told, touch_sums
from benchmarks.places import SHARED
from benchmarks.touches.refilmed import refilmed

DEFAULT = SHARED / "practice"


def main() -> int:
    """Run the comparison, print a table, optionally write JSON."""
    asked = read_options(__doc__, DEFAULT, only="", filter="null", every=1, turned=False)
    if asked.filter == "null" and asked.every == 1 and not asked.turned:
        return report(asked.folders, asked.json, asked.only)
    with tempfile.TemporaryDirectory() as anew:
        made = [
            refilmed(folder, Path(anew) / str(place), asked.filter, asked.every, turned=asked.turned)
            for place, folder in enumerate(asked.folders)
        ]
        return report(made, asked.json, asked.only)


def report(folders: Sequence[Path], json_out: Path | None = None, only: str = "") -> int:
    """Judge the recordings in some folders, print a line for each poem and a summary."""
    done = []
    for recording in recordings(folders, only):
        done.append(judge(recording))
        print(*lines(done[-1].scores), sep="\n", flush=True)
    scores = [score for one in done for score in one.scores]
    summary = sums(scores) | {
        "cards found": f"{sum(s.layout.right for s in scores)}/{sum(s.layout.expected for s in scores)}",
        "wrong identities": sum(score.layout.wrong for score in scores),
    }
    summary |= touch_sums(scores)
    summary["times real time (slowest)"] = round(min(one.speed["times_real_time"] for one in done), 2)
    for name, value in summary.items():
        print(f"{name:<44} {value}")
    figures = {"summary": summary, "poems": list(map(told, scores)), "speed": [one.speed for one in done]}
    write_json(json_out, figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
