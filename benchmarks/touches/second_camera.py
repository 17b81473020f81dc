"""What a second camera of the same field adds: rulings and touch times with one camera and with two.

`uv run python -m benchmarks.touches.second_camera [--seeds 2] [--seed 700] [--fps 60] [--second-fps 60]
[--style tatami] [--scenarios race ...] [--json OUT]`:
simulated poems are filmed from above and once more aslant from a side, on a clock of its own; each recording
is judged as a club would hand it in (`shinpan judge`), with the second video and without. Half of them have a
flash that both cameras see; the others leave the clocks to the play. Recordings are kept in benchmarks/cache.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.command import read_options, write_json
from benchmarks.judging import judge, told, truth_of
from benchmarks.places import CACHE
from benchmarks.touches.scoring import Json
from desk.karuta.eye.recorded_match import judge_recording
from vision.simulator.drawing.sensor import Flash
from vision.simulator.hall.clip import single_poem
from vision.simulator.hall.recorder import write_recording
from vision.simulator.hall.second_camera import SecondCamera, Stand

SCENARIOS = ("race", "head", "late", "two_hands", "own", "harai", "press", "both_fault")
_CACHE = CACHE / "second_camera"
_STANDS: tuple[Stand, ...] = ("left", "right")
_CLOCKS_S = (0.35, -0.2, 1.7)
_ALONE, _BOTH = "one camera", "two cameras"


def main() -> int:
    """Measure, print a line for each poem and a summary, optionally write JSON."""
    arguments = read_options(
        __doc__,
        seeds=2,
        seed=700,
        fps=60.0,
        second_fps=60.0,
        tilts=[*(30.0, 40.0, 50.0)],
        style="tatami",
        scenarios=[*SCENARIOS],
    )
    rows: list[Json] = []
    for folder in _recordings(arguments):
        both, alone = judge(folder), judge(folder, lambda place: judge_recording(_alone(place)))
        second = both.judged["stats"]["second_camera"]
        apart_ms = (
            None if second["poems"] == 0 else second["offset_ms"] - both.truth["meta"]["second_clock_ms"]
        )
        rows.append({"clip": folder.name, "second": second, "offset_error_ms": apart_ms})
        for name, one in ((_ALONE, alone), (_BOTH, both)):
            rows[-1][name] = told(one.scores[0]) | {"times": _times(one.judged, one.truth)}
        verdicts = [
            f"{row['verdict']:<6} {','.join(row['doubts']):<30}"
            for row in (rows[-1][_ALONE], rows[-1][_BOTH])
        ]
        clock = (
            second["problem"]
            if apart_ms is None
            else f"clock off by {apart_ms:+.1f} ms, told +-{second['offset_unc_ms']:.1f}"
        )
        print(f"{folder.name:<32} {verdicts[0]} | {verdicts[1]} {clock}", flush=True)
    _summary(rows)
    write_json(arguments.json, rows)
    return 0


def _recordings(arguments: argparse.Namespace) -> Iterator[Path]:
    for seed in range(arguments.seed, arguments.seed + arguments.seeds):
        for number, scenario in enumerate(arguments.scenarios):
            rates = f"{arguments.fps:g}-{arguments.second_fps:g}"
            tilt = f"{_tilt_deg(arguments, number + seed):g}"
            folder = _CACHE / f"{arguments.style}-{rates}-{tilt}-{scenario}-{seed}"
            if not (folder / "truth.json").is_file():
                _film(folder, arguments, scenario, seed, number)
            yield folder


def _tilt_deg(arguments: argparse.Namespace, turn: int) -> float:
    return float(arguments.tilts[turn % len(arguments.tilts)])


def _film(folder: Path, arguments: argparse.Namespace, scenario: str, seed: int, number: int) -> None:
    turn = number + seed
    flash = Flash(0.21 + 0.0037 * turn % 0.05) if turn % 2 else None
    match = single_poem(scenario, seed, arguments.fps, (1280, 720), arguments.style, flash=flash)
    second = SecondCamera(
        fps=arguments.second_fps,
        stand=_STANDS[turn % len(_STANDS)],
        tilt_deg=_tilt_deg(arguments, turn),
        clock_s=_CLOCKS_S[turn % len(_CLOCKS_S)],
    )
    write_recording(match, folder, second=second)
    truth = truth_of(folder)
    truth["meta"]["second_clock_ms"] = second.clock_s * 1e3
    (folder / "truth.json").write_text(json.dumps(truth, ensure_ascii=False), "utf-8")


def _alone(folder: Path) -> Path:
    """Return the same recording without its second video."""
    alone = folder / "alone"
    alone.mkdir(exist_ok=True)
    text = (folder / "recording.toml").read_text("utf-8")
    (alone / "recording.toml").write_text(text.replace('second = "second.mkv"\n', ""), "utf-8")
    shutil.copy(folder / "reading.jsonl", alone)
    video = alone / "video.mkv"
    video.unlink(missing_ok=True)
    video.symlink_to(folder.resolve() / "video.mkv")
    return alone


def _times(judged: dict[str, Any], truth: dict[str, Any]) -> dict[str, tuple[float, float]]:
    """Return the error and the half width of each contact that is true, by card and player."""
    true_ms = {(each["card"], each["player"]): each["t_ms"] for each in truth["poems"][0]["touches"]}
    return {
        f"{touch['card']} {touch['player']}": (
            touch["t_ms"] - true_ms[touch["card"], touch["player"]],
            touch["t_unc_ms"],
        )
        for touch in judged["poems"][0]["touches"]
        if touch["kind"] == "touch" and (touch["card"], touch["player"]) in true_ms
    }


def _summary(rows: list[dict[str, Any]]) -> None:
    for name in (_ALONE, _BOTH):
        verdicts = Counter(row[name]["verdict"] for row in rows)
        # the same contacts for both, or whoever sees more would look worse
        common = [
            row[name]["times"][key]
            for row in rows
            for key in row[_ALONE]["times"].keys() & row[_BOTH]["times"]
        ]
        errors, halves = np.abs([error for error, _ in common]), np.array([half for _, half in common])
        found = sum(len(row[name]["times"]) for row in rows)
        firsts = [row[name]["first_right"] for row in rows if row[name]["first_right"] is not None]
        p50, p90 = np.percentile(errors, [50, 90])
        print(
            f"{name:<12} right {verdicts['right']}  wrong {verdicts['WRONG']}  review {verdicts['review']}  "
            f"first {sum(firsts)}/{len(firsts)}  touches {found}, of both {len(errors)}: p50 {p50:.1f} ms  "
            f"p90 {p90:.1f} ms  inside {np.mean(errors <= halves):.2f}  half width {np.median(halves):.1f} ms"
        )
    apart = [(row["offset_error_ms"], row["second"]) for row in rows if row["offset_error_ms"] is not None]
    if apart:
        within = np.mean([abs(error) <= second["offset_unc_ms"] for error, second in apart])
        p50, p90 = np.percentile(np.abs([error for error, _ in apart]), [50, 90])
        print(
            f"clocks found {len(apart)} of {len(rows)}: off by p50 {p50:.1f} ms  p90 {p90:.1f} ms  "
            f"inside {within:.2f}"
        )


if __name__ == "__main__":
    sys.exit(main())
