"""Judge every recording of folders and compare with the truth beside it.

`uv run python -m benchmarks.practice [FOLDER ...] [--only NAME] [--json OUT]`; FOLDER defaults to
`../shared/practice`. The lines of poems end with the errors of touches in ms (`!` = outside its interval) and
the doubts.
"""

import sys

from benchmarks.command import read_options, write_json
from benchmarks.judging import judge, lines, recordings, sums, told, touch_sums
from benchmarks.places import SHARED


def main() -> int:
    """Judge, print a line for each poem and a summary, and write JSON where asked."""
    asked = read_options(__doc__, SHARED / "practice", only="")
    done = []
    for recording in recordings(asked.folders, asked.only):
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
    write_json(asked.json, figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
