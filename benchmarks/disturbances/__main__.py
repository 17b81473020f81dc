"""Judge films in which something besides a hand moves a card, or seems to, and compare with the truth.

`uv run python -m benchmarks.disturbances [--folders practice practice3d] [--simulated N] [--kinds KIND ...]
[--strengths 0..4 ...] [--only NAME] [--drawn SEED] [--share K/N] [--every N] [--json OUT]`

Each clip of one poem is judged as it is and once in each way and strength of `scene.KINDS`, edited in memory:
cards are moved, or held still, in the decoded pictures below whatever lies over them, the whole picture
trembles, ripples or is smeared. What truly happened stays the same. `--drawn 1` takes the films in an order
that chance fixed and draws for each whether it is seen at 30, 60 or 120 pictures a second; a run that is
stopped goes on where `--json` left off. `--share 1/3` takes every third film, for several runs side by side;
`--written FILE ...` sums up what runs wrote.
"""

import json
import random
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from scipy.stats import binomtest

from benchmarks.command import read_options
from benchmarks.disturbances.films import Clip, EditedFilm, recorded, simulated
from benchmarks.disturbances.scene import KINDS
from benchmarks.touches.scoring import score_poems
from desk.karuta.eye.recorded_match import watch_recording

PLAIN = "none"  # the kind of a film without an edit
MILD = {"shock": 1.0, "tremble": 1.0, "ripple": 0.25}
"""Up to these strengths most of what is decided without an edit has to be decided."""


@dataclass(frozen=True)
class Row:
    """A clip that was judged: how it was edited, what was ruled, and what was said of touches."""

    clip: str
    scenario: str
    kind: str
    strength: float
    verdict: str  # `right`, `WRONG` (decided and not true), or `review`
    judged: str
    truth: str
    confidence: float
    false_touches: int  # touches of cards that their player never touched
    false_faults: int
    # covered, timed: how many instants lie inside their intervals, of how many
    covered: int
    timed: int
    doubts: Sequence[str]


def main() -> int:
    """Judge the films, print a line for each and a table; 1 if any ruling was decided wrongly."""
    arguments = read_options(
        __doc__,
        folders=["practice", "practice3d"],
        simulated=0,
        kinds={PLAIN: None, **KINDS},
        strengths=[int],
        only="",
        drawn=int,
        share="1/1",
        every=1,
        written=[Path],
    )
    if arguments.written:
        rows = _written(arguments.written)
    else:
        rows = _written([arguments.json] if arguments.json and arguments.json.exists() else [])
        done = {(row.clip, row.kind, row.strength) for row in rows}
        part, parts = map(int, arguments.share.split("/"))
        folders = [*recorded(arguments.folders), *simulated(arguments.simulated)]
        chosen = [one for one in folders if arguments.only in str(one)]
        films = _films(chosen, arguments.kinds, arguments.strengths or None, arguments.every, arguments.drawn)
        for clip, kind, strength in films[part - 1 :: parts]:
            row = None if (clip.name, kind, strength) in done else judged(clip, kind, strength)
            if row is None:
                continue
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


def _written(paths: Iterable[Path]) -> list[Row]:
    return [Row(**one) for path in paths for one in json.loads(path.read_text())["films"]]


def _films(
    folders: Sequence[Path], kinds: Sequence[str], which: Sequence[int] | None, every: int, seed: int | None
) -> list[tuple[Clip, str, float]]:
    """Return each clip with each edit and its strength; with a seed in an order and at rates by chance."""
    edits = [(kind, strength) for kind in kinds for strength in _strengths(kind, which)]
    clips = [
        Clip(folder, every)
        if seed is None
        else random.Random(f"{seed} {folder.name}").choice(Clip.at_rates(folder, (30, 60, 120)))
        for folder in folders
    ]
    films = [(clip, *edit) for clip in clips for edit in edits]
    if seed is not None:
        random.Random(seed).shuffle(films)
    return films


def _strengths(kind: str, which: Sequence[int] | None) -> Sequence[float]:
    if kind == PLAIN:
        return (0.0,)
    found = KINDS[kind].strengths
    return found if which is None else [found[index] for index in which]


def judged(clip: Clip, kind: str, strength: float) -> Row | None:
    """Judge a clip that is edited in a way; None if the way does not suit it."""
    edit = None if kind == PLAIN else clip.edit(kind, strength)
    if kind != PLAIN and edit is None:
        return None

    def opened(video: Path, fps: float | None, *, may_be_cut: bool) -> EditedFilm:
        film = EditedFilm(video, fps, may_be_cut=may_be_cut)
        film.edit, film.every = edit, clip.every
        return film

    told = watch_recording(clip.folder, opened=opened).judged
    (score,) = score_poems(clip.name, told, clip.truth)
    return Row(
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
    wrong = binomtest(verdicts.count("WRONG"), max(1, len(rows))).proportion_ci(method="wilson").high
    return {
        "wrong at most": round(wrong, 4),
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
