"""Recordings are judged in parallel, each once, even if processes die."""

import json
import os
import sys
from io import StringIO
from pathlib import Path

import pytest

from desk.archive import workers
from desk.archive.recordings import HouseRules, Recording
from desk.archive.results import Summary, keep_result, known_result
from desk.archive.workers import Task, Work, judge_all, judge_task, usable_cores
from desk.commands.cli import main
from tests.desk.archive.scripted_judge import COUNTS, JUDGED, judge
from tests.desk.archive.test_recordings import recording


def task(folder: Path, name: str, size: int = 100) -> Task:
    return Task(Recording(folder / name, name, size), f"key of {name}", HouseRules(), folder / f"{name}.json")


def test_a_process_that_dies_costs_its_own_recording_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "judge_task", judge)
    names = ["a", "dies", "b", "c"]
    told: list[Summary] = []
    answers = judge_all(
        [task(tmp_path, name) for name in names],
        1,
        lambda _, summary: told.append(summary) if summary else None,
    )
    assert [answer.recording for answer in answers] == names
    assert [bool(answer.problem) for answer in answers] == [False, True, False, False]
    assert "has ended" in answers[1].problem
    assert sorted(each.recording for each in told) == sorted(names)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.json", "b.json", "c.json"]
    assert known_result(tmp_path / "a.json", "key of a") == Summary("a", "a.json", "karuta", 1.0, COUNTS)


def test_a_result_of_something_else_or_half_a_result_is_none(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    assert known_result(path, "k") is None
    keep_result(path, JUDGED, name="a", key="k", game="karuta", seconds=2.0)
    assert known_result(path, "k") == Summary("a", "a.json", "karuta", 2.0, COUNTS)
    assert known_result(path, "another") is None
    path.write_bytes(path.read_bytes()[:-20])
    assert known_result(path, "k") is None


def test_a_broken_recording_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "recording.toml").write_text("format = 9\n")
    problem = judge_task(task(tmp_path, "a")).problem
    assert "format" in problem
    assert "\n" not in problem
    assert not (tmp_path / "a.json").exists()


def test_the_time_left_follows_from_what_gave_a_result() -> None:
    tasks = [task(Path(), name, size) for name, size in (("a", 100), ("b", 300), ("c", 200), ("d", 200))]
    work = Work(800, jobs=2)
    for each in tasks[:2]:
        work.begun_s[each.key] = (0.0, each.recording.size)
    assert (work.share(5.0), work.left_s(5.0)) == (0.0, None)
    work.finish(tasks[1], 1.0, gave_result=False)
    assert work.left_s(5.0) is None, "what could not be judged tells nothing about the pace"
    work.finish(tasks[0], 10.0, gave_result=True)
    for each in tasks[2:]:
        work.begun_s[each.key] = (10.0, each.recording.size)
    assert work.left_s(10.0) == pytest.approx(400 / (10 * 2))
    assert work.left_s(20.0) == pytest.approx(200 / (10 * 2))
    assert work.share(20.0) == pytest.approx(600 / 800)
    assert work.left_s(1000.0) == pytest.approx(20 / (10 * 2)), "it may take longer than others did"


def test_the_command_resumes_and_tells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(workers, "judge_task", judge)
    told = StringIO()
    monkeypatch.setattr(sys, "stderr", told)
    for name, video in (("day/a", b"1"), ("day/copy", b"1"), ("day/dies", b"2")):
        recording(tmp_path / name, video)
    results = tmp_path / "results"
    words = ["judge", "--jobs", "1", "--results", str(results), str(tmp_path / "day")]
    assert main(words) == 1
    assert (
        capsys.readouterr().out
        == f"2 of 3 recordings judged, 2 rulings to be looked at: {results / 'summary.json'}\n"
    )
    summary = json.loads((results / "summary.json").read_text())
    assert (summary["judged"], summary["failed"], summary["totals"]) == (2, 1, {"poems": 4, "review": 2})
    files = {row["recording"]: row["result"] for row in summary["results"]}
    assert files["a"] == files["copy"] != ""
    assert files["dies"] == ""
    written_ns = (results / files["a"]).stat().st_mtime_ns
    (tmp_path / "day" / "dies").rename(tmp_path / "day" / "lives")
    assert main(words) == 0
    assert (results / files["a"]).stat().st_mtime_ns == written_ns
    assert "1 of 2 are judged already" in told.getvalue()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--jobs", "0", "{day}"], "at least 1 recording at a time, got 0"),
        (["--json", "x.json", "{day}"], "several have a folder: --results FOLDER"),
        (["--jobs", "1", "--save", "x", "{day}"], "--save is for a film"),
        (["--results", "{day}/a/video.mkv", "{day}"], "cannot be a folder of results"),
    ],
)
def test_options_that_do_not_fit(
    tmp_path: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    recording(tmp_path / "a")
    assert main(["judge", *(word.format(day=tmp_path) for word in words)]) == 2
    assert message in capsys.readouterr().err


def test_where_the_system_tells_no_cores_of_a_process_all_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    assert usable_cores() >= 1
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 6)
    assert usable_cores() == 6
