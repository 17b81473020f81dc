"""`shinpan judge --jobs N FOLDER...`: judge an archive of recordings in parallel, each once."""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from desk.archive.recordings import HouseRules, Recording, holds_many, key_of, recordings_in
from desk.archive.results import SUMMARY, Summary, keep_summary, known_result, open_folder, result_path
from desk.commands.progress_line import ProgressLine, time_left
from desk.errors import DeskError
from referee.sentence import Sentence

if TYPE_CHECKING:
    from desk.archive.workers import Task, Work

_RESULTS = Path("shinpan-results")


def add_archive_options(parser: argparse.ArgumentParser) -> None:
    archive = parser.add_argument_group("archives", "several recordings at once")
    archive.add_argument(
        "--jobs", type=int, metavar="N", help="recordings judged at the same time (default: one per core)"
    )
    archive.add_argument(
        "--results",
        type=Path,
        metavar="FOLDER",
        help=Sentence(
            "where the results and {summary} go, one file per recording; what is there and still holds is "
            "not judged again (default: {folder})",
            summary=SUMMARY,
            folder=_RESULTS,
        ),
    )


def is_archive(arguments: argparse.Namespace) -> bool:
    """Tell whether the command line names several recordings, or has options for several."""
    return (
        arguments.jobs is not None
        or arguments.results is not None
        or len(arguments.recordings) > 1
        or holds_many(arguments.recordings[0])
    )


def filmed_by(arguments: argparse.Namespace) -> str | None:
    from vision.sources.source_address import name_of

    return None if arguments.camera is None else name_of(arguments.camera)


def judge_archive(arguments: argparse.Namespace) -> int:
    """Judge the recordings on the command line; return 1 if one could not be judged."""
    if arguments.json is not None:
        raise DeskError("--json is for one recording; several have a folder: --results FOLDER")
    from desk.archive.workers import jobs_of

    jobs = jobs_of(arguments.jobs)
    house = HouseRules(arguments.rules, arguments.deck, filmed_by(arguments))
    recordings = recordings_in(arguments.recordings)
    folder = open_folder(arguments.results or _RESULTS)
    keys = {recording.name: key_of(recording.folder, house) for recording in recordings}
    tasks = _tasks(recordings, keys, house, folder)
    known = {key: known_result(task.result, key) for key, task in tasks.items()}
    left = [tasks[key] for key, summary in known.items() if summary is None]
    if len(left) < len(tasks):
        sys.stderr.write(f"shinpan judge: {len(tasks) - len(left)} of {len(tasks)} are judged already\n")
    answers = {task.key: summary for task, summary in zip(left, _judged(left, jobs), strict=True)}
    found = {key: summary or answers[key] for key, summary in known.items()}
    rows = [replace(found[key], recording=name) for name, key in sorted(keys.items())]
    keep_summary(folder, rows)
    failed = sum(bool(row.problem) for row in rows)
    review = sum((row.counts or {}).get("review", 0) for row in rows)
    sys.stdout.write(
        f"{len(rows) - failed} of {len(rows)} recordings judged, {review} rulings to be looked at: "
        f"{folder / SUMMARY}\n"
    )
    return 1 if failed else 0


def _tasks(
    recordings: list[Recording], keys: dict[str, str], house: HouseRules, folder: Path
) -> dict[str, Task]:
    """Return the tasks by key; copies of a recording share one."""
    from desk.archive.workers import Task

    tasks: dict[str, Task] = {}
    for recording in recordings:
        key = keys[recording.name]
        tasks.setdefault(key, Task(recording, key, house, result_path(folder, recording.name, key)))
    return tasks


def _judged(tasks: list[Task], jobs: int) -> list[Summary]:
    from desk.archive.workers import judge_all

    line, failed = ProgressLine(), 0

    def told(work: Work, summary: Summary | None) -> None:
        nonlocal failed
        if summary is not None and summary.problem:
            failed += 1
            line.end()
            sys.stderr.write(f"shinpan judge: {summary.recording}: {summary.problem}\n")
        now_s, width = time.monotonic(), 20
        share = work.share(now_s)
        bar = "#" * round(share * width)
        wrong = f", {failed} failed" if failed else ""
        line.show(
            "judging",
            f"[{bar:-<{width}}] {share:4.0%}, {work.finished} of {len(tasks)} recordings{wrong}"
            f"{time_left(work.left_s(now_s))}",
        )

    try:
        return judge_all(tasks, jobs, told)
    finally:
        line.end()
