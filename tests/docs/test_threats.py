"""Every test and measurement that the pages of threats and promises name exists."""

import re

import pytest

from tests.docs.shown_commands import ROOT

PAGES = ("SECURITY.md", "docs/threats.md", "docs/ja/threats.md")
TESTS = sorted((ROOT / "tests").rglob("test_*.py"))
FUNCTIONS = {
    name
    for path in TESTS
    for name in re.findall(r"^ *(?:async )?def (test_\w+)", path.read_text("utf-8"), re.MULTILINE)
}


def exists(named: str) -> bool:
    if named.startswith("python -m "):
        module, *_ = named.removeprefix("python -m ").split()
        path = ROOT.joinpath(*module.split("."))
        return path.is_dir() or path.with_suffix(".py").is_file()
    if named.startswith("tests/"):
        return (ROOT / named).exists()
    return named in FUNCTIONS or named in {path.name for path in TESTS}


@pytest.mark.parametrize("page", PAGES)
def test_what_is_said_to_show_it_exists(page: str) -> None:
    named = re.findall(r"`((?:tests/|test_|python -m )[^`]+)`", (ROOT / page).read_text("utf-8"))
    assert len(named) > 5
    assert not [each for each in named if not exists(each)]


def test_every_line_of_a_table_says_what_shows_it() -> None:
    """In a hall one test tries every kind of ticket; it is named above the table."""
    for page in PAGES[1:]:
        rows = [line for line in (ROOT / page).read_text("utf-8").splitlines() if line.startswith("| ")]
        for row in (row.strip("| ").split(" | ") for row in rows):
            assert len(row) < 4 or "test" in row[-1] or row[-1] in {"shown by", "確かめるテスト"}, row
