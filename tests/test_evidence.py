"""Claims are told with their count, their unit and their bound."""

import re
from pathlib import Path

import pytest

from benchmarks.evidence import COUNTS, PAGES, RISK, ROWS, claims, counts, stated, table
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
    assert f" {risk.poems_to_show:,} " in readme


def test_the_readme_tells_the_bound_beside_its_rulings() -> None:
    known = {(one["n"], one["failed"]): f"{upper_bound(one['failed'], one['n']):.1%}" for one in claims()}
    for path in READMES.values():
        rows = re.findall(r"\| (\d+) / (\d+) / \d+ \| ([\d.]+) ?% \|", path.read_text("utf-8"))
        assert len(rows) == 3, path
        for right, wrong, below in rows:
            assert known[int(right) + int(wrong), int(wrong)] == f"{below}%"


def test_every_count_of_readme_and_results_has_its_unit_and_bound() -> None:
    assert between(PAGES["en"], COUNTS) == counts()
    known = set(re.findall(r"^\| ([\d,]+ of [\d,]+) \|", counts(), re.MULTILINE))
    for path in (*READMES.values(), ROOT / "benchmarks" / "RESULTS.md"):
        lines = [line for line in path.read_text("utf-8").splitlines() if line.startswith("|")]
        told = {found for line in lines for found in re.findall(r"\d[\d,]* of \d[\d,]*\d|\d+ of \d", line)}
        assert told <= known, f"{path.name}: give these a unit in benchmarks/claims.toml"


def test_every_count_is_in_the_results() -> None:
    results = (ROOT / "benchmarks" / "RESULTS.md").read_text("utf-8")
    assert [one["id"] for one in claims() if f"`{one['command']}`" not in results] == []
