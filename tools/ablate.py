"""Switches rules of the eye off, one at a time, and reports what each is worth on clips nobody tuned it on.

`python tools/ablate.py WORK [--rules WORD ...] [--recordings FOLDER ...] [--table FILE]` films the clips of
`ablation/clips.py` into WORK, judges them with everything on, then without each rule of `ablation/rules.py`
wherever that rule said anything, and prints a table: what is different without it. Recordings with a
`truth.json` get a table of their own. Answers are kept in WORK under a digest of the code, the rule and the
clip: what was broken off goes on, and nothing is answered by code that has changed since.
"""

import argparse
import ast
import hashlib
import json
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import ablation.rules
from ablation.clips import FIRST_SEED, planned_clips, rendered
from ablation.rules import RULES, Rule
from ablation.score import Score, is_no_worse, scored, summed
from ablation.switch import switched_off, watched

ROOT: Final = Path(__file__).resolve().parents[1]
_JUDGES: Final = ("calibration", "desk/karuta", "referee", "vision", "benchmarks/touches/scoring.py")
"""What an answer depends on, below the root."""
_COLUMNS: Final[tuple[tuple[str, Callable[[Score], float]], ...]] = (
    ("decided rightly", lambda one: one.right),
    ("wrongly", lambda one: one.wrong),
    ("touches told", lambda one: one.told),
    ("of the right hand", lambda one: one.told_right),
    ("instants in their intervals", lambda one: one.covered),
    ("half width, ms", lambda one: one.median_half_ms),
    ("log loss", lambda one: one.mean_log_loss),
    ("cards named", lambda one: one.named),
    ("CPU s", lambda one: one.cpu_s),
)


def main(arguments: list[str] | None = None) -> int:
    """Judge what is missing, print the tables; 1 where no rule has a name that was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("work", type=Path, help="folder for clips and answers")
    parser.add_argument("--rules", nargs="+", default=[""], help="only rules whose name or place has a word")
    parser.add_argument("--recordings", nargs="+", type=Path, default=[], help="folders of recordings")
    parser.add_argument("--seed", type=int, default=FIRST_SEED, help="first seed of the simulated clips")
    parser.add_argument("--no-clips", action="store_true", help="judge the recordings only")
    parser.add_argument("--table", type=Path, help="write the tables to this file, too")
    options = parser.parse_args(arguments)
    rules = [rule for rule in RULES if any(word in f"{rule.name} {rule.place}" for word in options.rules)]
    if not rules:
        print(f"no rule has {options.rules} in its name", file=sys.stderr)
        return 1
    sets: dict[str, list[Path]] = {}
    if not options.no_clips:
        plans = planned_clips(options.seed)
        sets["Simulated clips"] = [rendered(plan, options.work / "clips") for plan in plans]
    for folder in options.recordings:
        sets[f"Recordings in {folder.name}"] = sorted(file.parent for file in folder.glob("*/truth.json"))
    said = ["\n".join(_table(name, rules, clips, options.work)) for name, clips in sets.items()]
    text = "\n\n".join(said) + "\n"
    print(text, end="")
    if options.table is not None:
        options.table.write_text(text, "utf-8")
    return 0


def _table(name: str, rules: Sequence[Rule], clips: Sequence[Path], work: Path) -> Iterator[str]:
    """Yield the lines of the table of a set of clips, in Markdown."""
    _in_own_process(None, clips, work)
    on = {clip: _kept(None, clip, work) for clip in clips}
    said: dict[str, list[Path]] = {
        rule.name: [clip for clip in clips if rule.name in on[clip]["said"]] for rule in rules
    }
    with_all = summed(Score(**on[clip]["score"]) for clip in clips)
    yield f"### {name}: {len(clips)} films, {with_all.poems} poems"
    yield ""
    yield "| without | said something in | " + " | ".join(title for title, _ in _COLUMNS) + " | verdict |"
    yield "|---|---|" + "---|" * (len(_COLUMNS) + 1)
    cells = " | ".join(_number(of(with_all)) for _, of in _COLUMNS)
    yield f"| *nothing* | | {cells} | of {with_all.true} touches, {with_all.cards} cards |"
    for rule in rules:
        if not said[rule.name]:
            continue
        print(
            f"{time.strftime('%H:%M:%S')} {rule.name}: {len(said[rule.name])} clips",
            file=sys.stderr,
            flush=True,
        )
        _in_own_process(rule, said[rule.name], work)
        off = summed(
            Score(**(_kept(rule, clip, work) if clip in said[rule.name] else on[clip])["score"])
            for clip in clips
        )
        cells = " | ".join(_difference(of(off), of(with_all)) for _, of in _COLUMNS)
        verdict = "no worse" if is_no_worse(off, with_all) else "needed"
        yield f"| {rule.name} | {len(said[rule.name])} | {cells} | {verdict} |"
    silent = [rule.name for rule in rules if not said[rule.name]]
    if silent:
        yield ""
        yield f"Nowhere said anything: {'; '.join(silent)}."


def _number(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.3g}"


def _difference(off: float, on: float) -> str:
    told = f"{off - on:+d}" if isinstance(off, int) else f"{off - on:+.2f}"
    return "" if told in ("+0", "+0.00", "-0.00") else told


def _in_own_process(rule: Rule | None, clips: Sequence[Path], work: Path) -> None:
    """Judge the clips whose answers are missing, in a fresh process: nothing that was worked out stays."""
    missing = [clip for clip in clips if not _place(rule, clip, work).exists()]
    if not missing:
        return
    number = None if rule is None else RULES.index(rule)
    child = multiprocessing.get_context("spawn").Process(target=_judge_all, args=(number, missing, work))
    child.start()
    child.join()
    if child.exitcode:
        raise SystemExit(f"judging without {rule and rule.name} ended with exit code {child.exitcode}")


def _judge_all(number: int | None, clips: Sequence[Path], work: Path) -> None:
    rule = None if number is None else RULES[number]
    for clip in clips:
        answer = _judged(rule, clip)
        place = _place(rule, clip, work)
        place.parent.mkdir(parents=True, exist_ok=True)
        unfinished = place.with_suffix(f".{os.getpid()}")
        unfinished.write_text(json.dumps(answer), "utf-8")
        unfinished.rename(place)


def _judged(rule: Rule | None, clip: Path) -> dict[str, Any]:
    """Judge a clip without a rule; with all of them (None), it is noted which rules said anything."""
    from desk.karuta.eye.recorded_match import judge_recording  # noqa: PLC0415 (only children judge)

    truth = json.loads((clip / "truth.json").read_text("utf-8"))
    error, judged = "", None
    cpu_s = time.process_time()
    with watched(() if rule is not None else RULES) as said, switched_off(rule):
        try:
            judged = judge_recording(clip)
        except Exception as failure:  # noqa: BLE001 (without a rule, anything may fail: that is its worth)
            error = f"{type(failure).__name__}: {failure}"
    score = scored(clip.name, judged, truth)
    score.cpu_s = time.process_time() - cpu_s
    return {"rule": rule and rule.name, "clip": clip.name, "error": error, "said": dict(said)} | {
        "score": asdict(score)
    }


def _kept(rule: Rule | None, clip: Path, work: Path) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(_place(rule, clip, work).read_text("utf-8"))
    return answer


def _place(rule: Rule | None, clip: Path, work: Path) -> Path:
    told = "\n".join((_code(), _clip(clip), *map(_declared, RULES if rule is None else (rule,))))
    return work / "answers" / f"{hashlib.sha256(told.encode()).hexdigest()[:24]}.json"


@cache
def _code() -> str:
    """Return a digest of everything that judges, and of what it is counted by."""
    digest = hashlib.sha256("".join(map(version, ("numpy", "opencv-python", "av"))).encode())
    paths = [ROOT / name for name in _JUDGES] + [
        ROOT / "tools" / "ablation" / name for name in ("score.py", "switch.py")
    ]
    for path in paths:
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file() and file.suffix != ".pyc":
                digest.update(f"{file.relative_to(ROOT)}\n".encode() + file.read_bytes())
    return digest.hexdigest()


@cache
def _clip(folder: Path) -> str:
    """Return a digest of all files of a recording."""
    digest = hashlib.sha256()
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            digest.update(f"{file.relative_to(folder)}\n".encode() + file.read_bytes())
    return digest.hexdigest()


@cache
def _declared(rule: Rule) -> str:
    """Return how a rule stands in the table of rules."""
    table = ast.parse(Path(ablation.rules.__file__).read_text("utf-8"))
    for call in (node for node in ast.walk(table) if isinstance(node, ast.Call) and node.args):
        name = call.args[0]
        if isinstance(name, ast.Constant) and name.value == rule.name:
            return ast.dump(call)
    raise LookupError(f"{rule.name} is not in the table of rules")


if __name__ == "__main__":
    sys.exit(main())
