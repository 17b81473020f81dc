"""Damaged inputs for every command that reads text, and for every page: a small, fixed part of the benchmark.

`uv run python -m benchmarks.hostile` gives as many as wanted, and pictures, films and sound as well.
"""

from pathlib import Path
from random import Random

import pytest

from benchmarks.hostile.damage import damaged
from benchmarks.hostile.files import text_targets
from benchmarks.hostile.requests import PAGES, ask
from benchmarks.hostile.trial import command, tried

INPUTS = 12


def test_damaged_inputs_get_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    there = tmp_path / "work"
    random, problems = Random(49), []
    for target in text_targets(tmp_path):
        for data in (target.seed, *(damaged(target.seed, random) for _ in range(INPUTS))):
            problem = tried(lambda: command(target, data, there))  # noqa: B023 (called at once)
            problems += [] if problem is None else [(target.name, problem, data[:500])]
    assert problems == []
    assert {path.name for path in tmp_path.iterdir()} <= {"data", "work", "seed.sqlite"}


# the Kendo page is left to the benchmark: its cards take seconds to be drawn
@pytest.mark.parametrize("name", ["page of karuta", "page of Koi-Koi", "page of the reciter"])
def test_damaged_requests_get_an_answer(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    page, random = PAGES[name](tmp_path), Random(49)
    for number in range(8 * INPUTS):
        request = page.request(random, whole=number == 0)
        assert tried(lambda: ask(page, request)) is None, request  # noqa: B023 (called at once)
    page.close()
