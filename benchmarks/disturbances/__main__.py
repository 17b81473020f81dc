"""Judge films in which something besides a hand moves a card, or seems to, and compare with the truth.

`uv run python -m benchmarks.disturbances [--folders practice practice3d] [--simulated N] [--kinds KIND ...]
[--strengths 0..4 ...] [--only NAME] [--share K/N] [--every N] [--json OUT]`

Each clip of one poem is judged as it is and once in each way and strength of `scene.KINDS`, edited in memory:
cards are moved in the decoded pictures below whatever lies over them, the whole picture trembles, ripples or
is smeared. What truly happened stays the same. `--share 1/3` takes the first third of the films, for several
runs side by side; `--from FILE ...` sums up what such runs wrote.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from scipy.stats import binomtest

from benchmarks.disturbances.films import Clip, EditedFilm, recorded, simulated
from benchmarks.disturbances.scene import KINDS
from benchmarks.touches.scoring import score_poems
from desk.karuta.eye.recorded_match import watch_recording

PLAIN = "none"
"""The kind of a film without an edit."""
MILD = {"shock": 1.0, "tremble": 1.0, "ripple": 0.25}
"""Up to these strengths most of what is decided without an edit has to be decided."""


@dataclass(frozen=True)
class Row:
    """A clip that was judged: how it was edited, what was ruled, and what was said of touches.

    Attributes
    ----------
    verdict : `right`, `WRONG` (decided and not true), or `review`.
    false_touches : touches of cards that their player never touched.
    covered, timed : how many instants lie inside their intervals, of how many.
    """

    clip: str
    scenario: str
    kind: str
    strength: float
    verdict: str
    judged: str
    truth: str
    confidence: float
    false_touches: int
    false_faults: int
    covered: int
    timed: int
    doubts: Sequence[str]


def main() -> int:
    """Judge the films, print a line for each and a table; 1 if any ruling was decided wrongly."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--folders", nargs="*", default=["practice", "practice3d"])
    parser.add_argument("--simulated", type=int, default=0, help="clips of the own simulator (default: 0)")
    parser.add_argument("--kinds", nargs="+", choices=(PLAIN, *KINDS), default=[PLAIN, *KINDS])
    parser.add_argument("--strengths", nargs="+", type=int, help="only these of the five, from 0 on")
    parser.add_argument("--only", default="", help="only clips whose name contains this")
    parser.add_argument("--share", default="1/1", help="which part of the clips, as K/N")
    parser.add_argument("--every", type=int, default=1, help="use only every N-th picture")
    parser.add_argument("--from", dest="written", nargs="+", type=Path, help="sum up these files instead")
    parser.add_argument("--json", type=Path, help="write every film to this file")
    arguments = parser.parse_args()
    if arguments.written:
        rows = [Row(**one) for path in arguments.written for one in json.loads(path.read_text())["films"]]
    else:
        part, parts = map(int, arguments.share.split("/"))
        folders = [*recorded(arguments.folders), *simulated(arguments.simulated)]
        chosen = [one for one in folders if arguments.only in str(one)][part - 1 :: parts]
        rows = []
        for folder in chosen:
            for row in judged(Clip(folder, arguments.every), arguments.kinds, arguments.strengths):
                rows.append(row)
                print(
                    f"{row.clip:<34} {row.scenario:<14} {row.kind:<8} {row.strength:<5} {row.judged:<14} "
                    f"{row.truth:<14} {row.verdict:<7} {row.confidence:.2f} "
                    f"{row.false_touches or '-'} {','.join(row.doubts)}",
                    flush=True,
                )
                if arguments.json:
                    arguments.json.write_text(json.dumps({"films": [asdict(one) for one in rows]}, indent=1))
    if not rows:
        print(
            "no clips: put the shared test data beside the checkout, or ask for --simulated", file=sys.stderr
        )
        return 2
    summary = summed_up(rows)
    print("\n".join(table(summary)))
    if arguments.json:
        told = {"summary": summary, "films": [asdict(one) for one in rows]}
        arguments.json.write_text(json.dumps(told, indent=1))
    return int(any(row.verdict == "WRONG" for row in rows))


def judged(clip: Clip, kinds: Iterable[str], which: Sequence[int] | None) -> Iterable[Row]:
    """Judge a clip in each way and strength that suits it."""
    for kind in kinds:
        strengths = (0.0,) if kind == PLAIN else KINDS[kind].strengths
        for index, strength in enumerate(strengths):
            if kind != PLAIN and which is not None and index not in which:
                continue
            edit = None if kind == PLAIN else clip.edit(kind, strength)
            if kind != PLAIN and edit is None:
                continue

            def opened(video: Path, fps: float | None, *, may_be_cut: bool, edit: Any = edit) -> EditedFilm:
                film = EditedFilm(video, fps, may_be_cut=may_be_cut)
                film.edit, film.every = edit, clip.every
                return film

            told = watch_recording(clip.folder, opened=opened).judged
            (score,) = score_poems(clip.name, told, clip.truth)
            yield Row(
                clip.name,
                score.scenario,
                kind,
                strength,
                score.verdict,
                score.judged,
                score.truth,
                score.confidence,
                sum(not is_right for _, is_right in score.sureness),
                score.false_faults,
                sum(score.covered),
                len(score.covered),
                tuple(score.doubts),
            )


def summed_up(rows: Sequence[Row]) -> dict[str, Any]:
    """Return what is told of each kind and strength, and the goals' figures."""
    groups = sorted({(row.kind, row.strength) for row in rows})
    plain = {row.clip: row for row in rows if row.kind == PLAIN}
    mild = [
        row
        for row in rows
        if row.strength <= MILD.get(row.kind, -1) and row.clip in plain and plain[row.clip].verdict == "right"
    ]
    edited = [row for row in rows if row.kind != PLAIN]
    wrong = sum(row.verdict == "WRONG" for row in edited)
    most_wrong = binomtest(wrong, len(edited)).proportion_ci(method="wilson").high if edited else None
    kept = sum(row.verdict == "right" for row in mild)
    smeared = [row for row in rows if row.kind == "smear"]
    return {
        "films": [
            _group([row for row in rows if (row.kind, row.strength) == group])
            | {"kind": group[0], "strength": group[1]}
            for group in groups
        ],
        "plain": _group(list(plain.values())),
        "decided wrongly, all edits": f"{wrong}/{len(edited)}",
        "at most, Wilson 95 %": None if most_wrong is None else round(most_wrong, 4),
        "still decided rightly, mild edits": f"{kept}/{len(mild)}",
        "instants inside, smeared and decided": "{}/{}".format(
            *(
                sum(getattr(row, name) for row in smeared if row.verdict != "review")
                for name in ("covered", "timed")
            )
        ),
        "false touches a poem": round(sum(row.false_touches for row in edited) / max(1, len(edited)), 3),
    }


def _group(rows: Sequence[Row]) -> dict[str, Any]:
    verdicts = [row.verdict for row in rows]
    return {
        "films": len(rows),
        "right": verdicts.count("right"),
        "wrong": verdicts.count("WRONG"),
        "review": verdicts.count("review"),
        "false touches": sum(row.false_touches for row in rows),
        "instants inside": f"{sum(row.covered for row in rows)}/{sum(row.timed for row in rows)}",
    }


def table(summary: dict[str, Any]) -> Iterable[str]:
    """Yield the lines of the table."""
    names = "edit", "strength", "films", "right", "wrong", "review", "false touches"
    yield "{:<9} {:>8} {:>6} {:>6} {:>6} {:>7} {:>14}  instants".format(*names)
    for row in summary["films"]:
        yield (
            f"{row['kind']:<9} {row['strength']:>8} {row['films']:>6} {row['right']:>6} {row['wrong']:>6} "
            f"{row['review']:>7} {row['false touches']:>14}  {row['instants inside']}"
        )
    for name, told in summary.items():
        if name not in {"films", "plain"}:
            yield f"{name:<40} {told}"


if __name__ == "__main__":
    sys.exit(main())
