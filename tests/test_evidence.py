"""Claims are told with their count, their unit and their bound; measured rows replace their lines alone."""

import importlib.util
import re
from pathlib import Path

import pytest

from benchmarks.__main__ import BEGIN, END, replaced
from benchmarks.__main__ import ROWS as MEASURED
from benchmarks.evidence import COUNTS, PAGES, RISK, ROWS, claims, counts, stated, table
from desk.book.intervals import share_of
from referee.karuta.risk import risk_of, upper_bound
from referee.karuta.ruleset import KYOGI

ROOT = Path(__file__).parents[1]
READMES = {"en": ROOT / "README.md", "ja": ROOT / "README.ja.md"}


def between(path: Path, marks: tuple[str, str]) -> str:
    return path.read_text("utf-8").split(marks[0])[1].split(marks[1])[0].strip()


@pytest.mark.parametrize("language", PAGES)
def test_the_page_says_what_the_command_prints(language: str) -> None:
    assert between(PAGES[language], ROWS) == table(language)


@pytest.mark.parametrize("language", PAGES)
def test_the_risk_is_told_alike_everywhere(language: str) -> None:
    assert between(PAGES[language], RISK) == stated(language)
    readme = READMES[language].read_text("utf-8")
    risk = risk_of(KYOGI)
    assert f" {risk.stated_per_thousand} " in readme
    assert f" {risk.at_most_per_thousand:.2f} " in readme
    assert f" {risk.poems_to_show:,} " in readme


def test_the_readme_tells_the_bound_beside_its_rulings() -> None:
    known = {(one["n"], one["failed"]): f"{upper_bound(one['failed'], one['n']):.1%}" for one in claims()}
    for path in READMES.values():
        rows = re.findall(r"\| (\d+) / (\d+) / \d+ \| ([\d.]+) ?% \|", path.read_text("utf-8"))
        assert len(rows) == 3, path
        for right, wrong, below in rows:
            assert known[int(right) + int(wrong), int(wrong)] == f"{below}%"


_COUNT = r"(?<![\d.])(?:\d[\d,]* of \d[\d,]*\d|\d+ of \d)(?![\d.]*\d)"
_JAPANESE_COUNT = r"(\d[\d,]*) ?[首件回枚人本か所試合]*(?:中|のうち)の? ?(\d[\d,]*)"
_OTHER_COUNT = r"\d out of \d|(?<![\d/.])(?<!/ )\d[\d,]* ?/ ?\d[\d,]+(?! ?/|[\d.])"
_AREAS = sorted((ROOT / "benchmarks").glob("*/RESULTS.md"))


@pytest.mark.parametrize("language", PAGES)
def test_every_count_of_readme_and_results_has_its_unit_and_bound(language: str) -> None:
    assert between(PAGES[language], COUNTS) == counts(language)
    known = set(re.findall(r"^\| ([\d,]+ of [\d,]+) \|", counts(language), re.MULTILINE))
    accuracy = PAGES[language].with_name("accuracy.md")
    for path in (READMES[language], accuracy, ROOT / "benchmarks" / "RESULTS.md", *_AREAS):
        is_area = path in _AREAS  # where a sentence counts what its own table holds
        lines = [line for line in path.read_text("utf-8").splitlines() if line.startswith("|") or not is_area]
        told = {found for line in lines if not bars(line) for found in re.findall(_COUNT, line)}
        told |= {f"{few} of {n}" for line in lines for n, few in re.findall(_JAPANESE_COUNT, line)}
        assert told <= known, f"{path}: give these a unit in benchmarks/claims.toml"
        others = [each for each in lines if path == READMES[language] and re.search(_OTHER_COUNT, each)]
        assert not others, f"{path}: write these as `12 of 345`"


def bars(line: str) -> list[tuple[float, ...]]:
    """Return the bars of the counts in a row of a table: both ends, or only the lower ones."""
    found = re.search(r"of [\d,]+ \| ([\d.]+) to ([\d.]+)( %)? \|", line)
    if found is not None:
        scale = 100 if found[3] else 1
        return [(float(found[1]) / scale, float(found[2]) / scale)]
    lower = re.search(r"\| from ([\d., ]+) % \|", line)
    return [] if lower is None else [(float(each) / 100,) for each in lower[1].split(", ")]


def test_a_bar_beside_a_count_is_that_of_the_count() -> None:
    rows = [line for path in _AREAS for line in path.read_text("utf-8").splitlines() if bars(line)]
    assert len(rows) > 12
    for row in rows:
        told = [tuple(map(int, one.replace(",", "").split(" of "))) for one in re.findall(_COUNT, row)]
        assert len(told) == len(bars(row)), row
        for (right, n), bar in zip(told, bars(row), strict=True):
            interval = share_of(right, n)["interval"]
            assert interval is not None
            assert interval[: len(bar)] == pytest.approx(bar, abs=0.001), row


def test_every_count_is_in_the_results() -> None:
    results = (ROOT / "benchmarks" / "RESULTS.md").read_text("utf-8")
    assert [one["id"] for one in claims() if f"`{one['command']}`" not in results] == []


def test_every_row_has_a_command() -> None:
    missing = [
        row.command[0] for row in MEASURED.values() if importlib.util.find_spec(row.command[0]) is None
    ]
    assert missing == []


def test_a_measured_row_replaces_its_line_and_the_others_stay() -> None:
    first, second, *_ = MEASURED
    page = f"before\n{BEGIN}\n| {second} | old |\n{END}\nafter\n"
    once = replaced(page, {first: f"| {first} | new |"})
    assert [line for line in once.splitlines() if line.startswith(f"| {first} ")] == [f"| {first} | new |"]
    assert once.index(f"| {first} | new |") < once.index(f"| {second} | old |")
    again = replaced(once, {second: f"| {second} | newer |"})
    assert f"| {second} | old |" not in again
    assert again.startswith("before\n")
    assert again.endswith("after\n")
