"""The path of all that is judged and compared with its truth: material, judge, scores and their sums."""

import json
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from benchmarks.touches.scoring import Json, PoemScore, score_poems
from desk.book.intervals import share_of

EDGE_SWIPES = frozenset({"own", "opp", "harai"})
"""Scenarios in which one hand strikes at the edge of cards, and nothing else happens."""
_CONFIDENCES = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


@dataclass(frozen=True)
class JudgedRecording:
    """A recording that was judged: what was said, what is true, each poem's score, and what it cost."""

    folder: Path
    judged: Json
    truth: Json
    scores: Sequence[PoemScore]
    wall_s: float
    cpu_s: float

    @property
    def speed(self) -> Json:
        """What it cost, and how much faster than its film it was."""
        video_s = self.judged["stats"]["video_s"]
        return {
            "recording": self.folder.name,
            "fps": self.truth["meta"]["fps"],
            "wall_s": self.wall_s,
            "cpu_s": self.cpu_s,
            "video_s": video_s,
            "times_real_time": video_s / self.wall_s,
        }


def recordings(folders: Sequence[Path], only: str = "") -> list[Path]:
    """Return the recordings with their truth in some folders whose path has one of the words `only`.

    Raises SystemExit with 2 where there are none; stderr says so.
    """
    found = [path.parent for folder in folders for path in sorted(folder.rglob("truth.json"))]
    chosen = [path for path in found if any(word in str(path) for word in only.split(","))]
    if not chosen:
        print(f"no recordings with a truth.json in {', '.join(map(str, folders))}", file=sys.stderr)
        raise SystemExit(2)
    return chosen


def truth_of(recording: Path) -> Json:
    """Return what truly happened in a recording."""
    truth: Json = json.loads((recording / "truth.json").read_text("utf-8"))
    return truth


def judge(recording: Path) -> JudgedRecording:
    """Judge a recording as `shinpan judge` does, and compare it with its truth.

    Raises DeskError if it cannot be judged.
    """
    from desk.karuta.eye.recorded_match import judge_recording

    truth, began_s, cpu_s = truth_of(recording), time.perf_counter(), time.process_time()
    judged = judge_recording(recording)
    spent = time.perf_counter() - began_s, time.process_time() - cpu_s
    return JudgedRecording(
        recording, judged, truth, tuple(score_poems(recording.name, judged, truth)), *spent
    )


def sums(scores: Sequence[PoemScore]) -> Json:
    """Return what was decided and how well touches were told, over all poems."""
    verdicts = [score.verdict for score in scores]
    firsts = [score.first_right for score in scores if score.first_right is not None]
    return {
        "poems": len(scores),
        "right": verdicts.count("right"),
        "wrong": verdicts.count("WRONG"),
        "review": verdicts.count("review"),
        "first right": f"{sum(firsts)}/{len(firsts)}",
        "false faults": sum(score.false_faults for score in scores),
        "false touches": sum(not is_right for score in scores for _, is_right in score.sureness),
        "inside": f"{sum(sum(score.covered) for score in scores)}/{sum(len(s.covered) for s in scores)}",
        "p50/p90 ms": quantiles(error for score in scores for error in score.time_errors_ms),
    }


def quantiles(errors: Iterable[float]) -> str:
    """Return the median and the 90 % quantile of errors without their sign."""
    sizes = [abs(error) for error in errors]
    return "{:.2f}/{:.2f}".format(*np.percentile(sizes, [50, 90])) if sizes else "-"


def told(score: PoemScore) -> Json:
    """Return a score as JSON."""
    return {**vars(score), "layout": vars(score.layout), "verdict": score.verdict}


def touch_sums(scores: Sequence[PoemScore]) -> Json:
    """Return half widths, errors by frame rate, and how many touches are right by how sure they are."""
    half_widths = [half for score in scores for half in score.half_widths_ms]
    rows: Json = {}
    if half_widths:
        rows["half width of intervals, median (ms)"] = round(float(np.median(half_widths)), 2)
    rows |= _errors(scores, "time error")
    rows |= _errors([score for score in scores if score.scenario in EDGE_SWIPES], "edge swipes: error")
    rows |= _shares_inside(scores)
    sureness = [one for score in scores for one in score.sureness]
    for low, high in pairwise(_CONFIDENCES):
        right = [is_right for sure, is_right in sureness if low <= sure < high or (sure == high == 1.0)]
        if right:
            rows[f"touches said {low:.1f} to {high:.1f}, right"] = f"{sum(right)}/{len(right)}"
    return rows


def _shares_inside(scores: Sequence[PoemScore]) -> dict[str, str]:
    """Return how many told intervals hold the true instant, by kind of contact and by scenario."""
    groups: dict[str, list[bool]] = {}
    for score in sorted(scores, key=lambda score: score.scenario):
        for kind, inside in score.inside:
            for name in (f"inside 95 %: {kind}", f"inside 95 %: {kind}, {score.scenario}"):
                groups.setdefault(name, []).append(inside)
    rows = {}
    for name in sorted(groups):
        share = share_of(sum(groups[name]), len(groups[name]))
        low, high = share["interval"] or (0.0, 1.0)
        rows[name] = f"{share['won']}/{share['n']} (Wilson 95 %: {low:.1%} to {high:.1%})"
    return rows


def _errors(scores: Sequence[PoemScore], name: str) -> dict[str, str]:
    rows = {}
    for fps in sorted({score.fps for score in scores}):
        errors = [error for score in scores if score.fps == fps for error in score.time_errors_ms]
        if errors:
            rows[f"{name} p50/p90 at {fps:.0f} fps (ms)"] = f"{quantiles(errors)} (n={len(errors)})"
    return rows


def lines(scores: Iterable[PoemScore]) -> Iterator[str]:
    """Yield a line for each poem."""
    for score in scores:
        layout = f"{score.layout.right}/{score.layout.expected}"
        layout += f"!{score.layout.wrong}" if score.layout.wrong else ""
        pairs = zip(score.time_errors_ms, score.covered, strict=True)
        errors = " ".join(f"{error:+.1f}{'' if inside else '!'}" for error, inside in pairs)
        yield (
            f"{score.recording:<10} {score.poem:>4} {score.scenario:<14} {score.fps:>4.0f} {layout:>7} "
            f"{score.judged:<14} {score.truth:<14} {score.verdict:<7} {errors} {','.join(score.doubts)}"
        )
