"""Judge every recording of a folder and compare with the truth beside it.

`uv run python -m benchmarks.practice [FOLDER] [--json OUT]`; FOLDER defaults to `../shared/practice`.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from typing import Any

from benchmarks.places import SHARED
from benchmarks.touches.refilmed import refilmed
from benchmarks.touches.scoring import PoemScore, score_poems
from benchmarks.touches.summary import touch_summary

DEFAULT = SHARED / "practice"


def main() -> int:
    """Run the comparison, print a table, optionally write JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=DEFAULT)
    parser.add_argument("--json", type=Path, default=None, help="write every figure to this file")
    parser.add_argument("--only", default="", help="only recordings whose name contains this")
    parser.add_argument("--filter", default="null", help="judge them as this filter of ffmpeg makes them")
    parser.add_argument("--every", type=int, default=1, help="judge only every N-th picture of them")
    parser.add_argument("--turned", action="store_true", help="judge them with the players' seats exchanged")
    arguments = parser.parse_args()
    if arguments.filter == "null" and arguments.every == 1 and not arguments.turned:
        return report(arguments.folder, arguments.json, arguments.only)
    with tempfile.TemporaryDirectory() as anew:
        how = arguments.filter, arguments.every
        made = refilmed(arguments.folder, Path(anew), *how, turned=arguments.turned)
        return report(made, arguments.json, arguments.only)


def report(folder: Path, json_out: Path | None = None, only: str = "") -> int:
    """Judge the recordings in `folder`, print a line for each poem and a summary; 2 where there are none."""
    recordings = [path.parent for path in sorted(folder.glob("*/truth.json")) if only in path.parent.name]
    if not recordings:
        print(f"no recordings with a truth.json in {folder}", file=sys.stderr)
        return 2
    scores: list[PoemScore] = []
    speeds: list[dict[str, Any]] = []
    print(
        f"{'recording':<10} {'poem':>4} {'scenario':<14} {'fps':>4} {'layout':>7} "
        f"{'judged':<14} {'truth':<14} {'':<7} errors in ms (! = outside its interval), doubts"
    )
    for recording in recordings:
        judged, speed = _judge(recording)
        speeds.append(speed)
        for score in score_poems(recording.name, judged, json.loads((recording / "truth.json").read_text())):
            scores.append(score)
            _print_poem(score)
    summary = _summary(scores, speeds)
    for name, value in summary.items():
        print(f"{name:<44} {value}")
    if json_out is not None:
        rows = [{**vars(score), "layout": vars(score.layout), "verdict": score.verdict} for score in scores]
        json_out.write_text(json.dumps({"summary": summary, "poems": rows, "speed": speeds}, indent=1))
    return 0


def _judge(folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    from desk.karuta.eye.recorded_match import judge_recording

    started_ns, cpu_ns = time.perf_counter_ns(), time.process_time_ns()
    judged = judge_recording(folder)
    seconds = (time.perf_counter_ns() - started_ns) / 1e9
    video_s = judged["stats"]["video_s"]
    nominal = tomllib.loads((folder / "recording.toml").read_text())["camera"]["fps"]
    return judged, {
        "recording": folder.name,
        "fps": nominal,
        "wall_s": seconds,
        "cpu_s": (time.process_time_ns() - cpu_ns) / 1e9,
        "video_s": video_s,
        "times_real_time": video_s / seconds,
    }


def _print_poem(score: PoemScore) -> None:
    layout = f"{score.layout.right}/{score.layout.expected}" + (
        f"!{score.layout.wrong}" if score.layout.wrong else ""
    )
    errors = " ".join(
        f"{error:+.1f}{'' if inside else '!'}"
        for error, inside in zip(score.time_errors_ms, score.covered, strict=True)
    )
    print(
        f"{score.recording:<10} {score.poem:>4} {score.scenario:<14} {score.fps:>4.0f} {layout:>7} "
        f"{score.judged:<14} {score.truth:<14} {score.verdict:<7} {errors} {','.join(score.doubts)}"
    )


def _summary(scores: list[PoemScore], speeds: list[dict[str, Any]]) -> dict[str, Any]:
    firsts = [score.first_right for score in scores if score.first_right is not None]
    summary: dict[str, Any] = {
        "poems": len(scores),
        "decided and right": sum(score.verdict == "right" for score in scores),
        "decided and wrong": sum(score.verdict == "WRONG" for score in scores),
        "review": sum(score.verdict == "review" for score in scores),
        "first card and player right": f"{sum(firsts)}/{len(firsts)}",
        "false faults": sum(score.false_faults for score in scores),
        "cards found": f"{sum(s.layout.right for s in scores)}/{sum(s.layout.expected for s in scores)}",
        "wrong identities": sum(score.layout.wrong for score in scores),
    } | touch_summary(scores)
    summary["times real time (slowest)"] = round(min(speed["times_real_time"] for speed in speeds), 2)
    return summary


if __name__ == "__main__":
    sys.exit(main())
