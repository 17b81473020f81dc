"""Watch every recording of a folder with the true layout given, and compare its contacts with the truth.

`uv run python -m benchmarks.touches.practice [FOLDER] [--json OUT]`; FOLDER defaults to `../shared/practice`.
Only recordings of one poem are used. Reading the layout is left out on purpose: what is wrong here is wrong
in `vision.poem.watcher` alone.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.places import SHARED
from referee.facts import Contact, Touch, Unprovable
from referee.sides import Side
from vision.field.slots import Slot
from vision.frames.frame import Frame
from vision.poem.watcher import PoemWatcher
from vision.recordings.recording import load_recording
from vision.sources.video_file import VideoSource

DEFAULT = SHARED / "practice"
RESTING_FRAMES = 8


@dataclass
class Score:
    """What became of one recording's contacts."""

    name: str
    scenario: str
    fps: float
    first_right: bool | None = None
    counts: Counter[str] = field(default_factory=Counter)
    errors_ms: list[float] = field(default_factory=list)
    covered: list[bool] = field(default_factory=list)
    sureness: list[tuple[float, bool]] = field(default_factory=list)
    feed_ms: float = 0.0
    finish_ms: float = 0.0
    decode_ms: float = 0.0


def main() -> int:
    """Run the comparison, print a table, optionally write JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=DEFAULT)
    parser.add_argument("--json", type=Path, default=None, help="write every figure to this file")
    arguments = parser.parse_args()
    scores = [
        score
        for path in sorted(arguments.folder.glob("*/truth.json"))
        if (score := judge(path.parent)) is not None
    ]
    if not scores:
        print(f"no recordings of one poem in {arguments.folder}", file=sys.stderr)
        return 2
    for score in scores:
        errors = " ".join(
            f"{error:+.1f}{'' if inside else '!'}"
            for error, inside in zip(score.errors_ms, score.covered, strict=True)
        )
        counts = " ".join(f"{name} {count}" for name, count in score.counts.items())
        print(
            f"{score.name:<10} {score.scenario:<20} {score.fps:>4.0f} fps  first {score.first_right!s:<5} "
            f"decode {score.decode_ms:.2f} feed {score.feed_ms:.2f} ms/frame finish {score.finish_ms:.0f} "
            f"{counts}  {errors}"
        )
    summary = summarise(scores)
    for name, value in summary.items():
        print(f"{name:<44} {value}")
    if arguments.json is not None:
        arguments.json.write_text(
            json.dumps({"summary": summary, "scores": [vars(s) for s in scores]}, indent=1)
        )
    return 0


def judge(folder: Path) -> Score | None:
    """Watch one recording; None where it is not a recording of one poem."""
    truth = json.loads((folder / "truth.json").read_text())
    if len(truth["poems"]) != 1:
        return None
    poem = truth["poems"][0]
    score = Score(folder.name, poem["scenario"], float(truth["meta"]["fps"]))
    started_ns = time.process_time_ns()
    frames = list(VideoSource(load_recording(folder).video))
    score.decode_ms = (time.process_time_ns() - started_ns) / 1e6 / len(frames)
    compare(score, _watch(score, frames, truth), poem)
    return score


def _watch(score: Score, frames: list[Frame], truth: dict[str, Any]) -> list[Touch | Unprovable]:
    corners = truth["meta"]["corners_px"]
    slots = [
        Slot(placed["card"], Side(placed["side"]), np.array(corners[str(placed["card"])], np.float64))
        for placed in truth["layout"]
    ]
    watcher = PoemWatcher(slots, [frame.gray for frame in frames[:RESTING_FRAMES]])
    started_ns = time.process_time_ns()
    for frame in frames:
        watcher.feed(frame)
    fed_ns = time.process_time_ns()
    facts = [fact for fact in watcher.finish() if isinstance(fact, Touch | Unprovable)]
    score.feed_ms = (fed_ns - started_ns) / 1e6 / len(frames)
    score.finish_ms = (time.process_time_ns() - fed_ns) / 1e6
    return facts


def compare(score: Score, facts: list[Touch | Unprovable], poem: dict[str, Any]) -> None:
    """Compare the facts of a poem with its true contacts."""
    true = sorted(poem["touches"], key=lambda touch: touch["t_ms"])
    firsts: dict[int, dict[str, Any]] = {}
    for touch in true:
        firsts.setdefault(touch["card"], touch)
    touches = sorted(
        (fact for fact in facts if isinstance(fact, Touch) and fact.contact is Contact.TOUCH),
        key=lambda touch: touch.t_ns,
    )
    for touch in touches:
        expected = firsts.pop(touch.card or 0, None)
        right = expected is not None and touch.player == expected["player"]
        score.sureness.append((touch.confidence, right))
        score.counts["right" if right else "wrong player" if expected else "false"] += 1
        if right and expected is not None:
            error_ms = touch.t_ns / 1e6 - expected["t_ms"]
            score.errors_ms.append(error_ms)
            score.covered.append(touch.earliest_ns <= expected["t_ms"] * 1e6 <= touch.latest_ns)
    if firsts:
        score.counts["missed"] += len(firsts)
    if true:
        earliest = {(t["card"], t["player"]) for t in true if t["t_ms"] <= true[0]["t_ms"] + 1.0}
        score.first_right = bool(touches) and (touches[0].card, touches[0].player) in earliest


def summarise(scores: list[Score]) -> dict[str, Any]:
    """Return the figures over all recordings."""
    counts = sum((score.counts for score in scores), Counter[str]())
    firsts = [score.first_right for score in scores if score.first_right is not None]
    covered = [inside for score in scores for inside in score.covered]
    summary: dict[str, Any] = {
        "contacts": dict(counts),
        "first card and player right": f"{sum(firsts)}/{len(firsts)}",
        "interval coverage": f"{sum(covered)}/{len(covered)}",
    }
    for fps in sorted({score.fps for score in scores}):
        errors = [abs(error) for score in scores if score.fps == fps for error in score.errors_ms]
        if errors:
            p50, p90 = np.percentile(errors, [50, 90])
            summary[f"time error p50/p90 at {fps:.0f} fps (ms)"] = f"{p50:.2f}/{p90:.2f} (n={len(errors)})"
    for low, high in ((0.0, 0.6), (0.6, 0.9), (0.9, 1.01)):
        right = [right for score in scores for sure, right in score.sureness if low <= sure < high]
        if right:
            summary[f"right where said {low:.1f}..{min(high, 1.0):.1f}"] = f"{sum(right)}/{len(right)}"
    return summary


if __name__ == "__main__":
    sys.exit(main())
