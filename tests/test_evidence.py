"""Claims are told with their count, their unit and their bound."""

import re
from pathlib import Path

import pytest

from benchmarks.evidence import BEGIN, END, PAGES, bound, claims, poems_needed, table, wanted_risk

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("failed", "n", "below"),
    [(0, 33, 0.0868), (0, 18, 0.1533), (1, 20, 0.2161)],  # tables of Clopper and Pearson, one-sided
)
def test_few_units_rule_out_little(failed: int, n: int, below: float) -> None:
    assert bound(failed, n) == pytest.approx(below, abs=0.0001)


@pytest.mark.parametrize("language", PAGES)
def test_the_page_says_what_the_command_prints(language: str) -> None:
    page = PAGES[language].read_text("utf-8")
    assert page.split(BEGIN)[1].split(END)[0].strip() == table(language)
    assert f"{wanted_risk():.3%}".rstrip("%") in page
    assert f"{poems_needed(wanted_risk()):,}" in page


def test_the_readme_tells_the_bound_beside_its_rulings() -> None:
    known = {(one["n"], one["failed"]): f"{bound(one['failed'], one['n']):.1%}" for one in claims()}
    for name in ("README.md", "README.ja.md"):
        rows = re.findall(r"\| (\d+) / (\d+) / \d+ \| ([\d.]+) ?% \|", (ROOT / name).read_text("utf-8"))
        assert len(rows) == 3, name
        for right, wrong, below in rows:
            assert known[int(right) + int(wrong), int(wrong)] == f"{below}%"


def test_every_count_is_in_the_results() -> None:
    results = (ROOT / "benchmarks" / "RESULTS.md").read_text("utf-8")
    assert [one["id"] for one in claims() if f"`{one['command']}`" not in results] == []
