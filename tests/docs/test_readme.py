"""The README in both languages and the page of results: measured figures, and short enough to be read."""

import re
from pathlib import Path

import pytest
from PIL import Image

ROOT = Path(__file__).parents[2]
BENCHMARKS = ROOT / "benchmarks"
RESULTS = (BENCHMARKS / "RESULTS.md").read_text("utf-8")
AREAS = re.findall(r"^\| \[[^]]+\]\(([^)#]+)[^)]*\) \|(.*)\|$", RESULTS, re.MULTILINE)
"""The areas of the page of results: their own page, and the other cells of the row."""
ENGLISH, JAPANESE = ((ROOT / name).read_text("utf-8") for name in ("README.md", "README.ja.md"))
MOST_BYTES = 3_000_000


def cells(line: str) -> list[str]:
    """Return the cells of a table's row."""
    return [cell.strip() for cell in line.strip("|").split("|")]


def rows(text: str, head: str) -> list[list[str]]:
    """Return the rows of the table whose head begins with a word, without the head."""
    (table,) = re.findall(rf"^\| {head}[^\n]*\n\|[-| ]+\n((?:\|[^\n]*\n)+)", text, re.MULTILINE)
    return [cells(line) for line in table.splitlines()]


@pytest.mark.parametrize("place", range(3))
def test_the_accuracy_table_says_what_was_measured(place: int) -> None:
    what, rulings, _, inside = rows(ENGLISH, "karuta")[place]
    measured = [cells(line.replace("| † ", "| ")) for line in RESULTS.splitlines() if line.startswith("| ")]
    (found,) = [row for row in measured if row[0] == what]
    assert found[2].startswith(rulings)  # what the reviews were may follow
    assert found[5] == inside


def numbers(text: str) -> set[str]:
    """Return the numbers of a text other than 0, which a page may also write as "none"."""
    return {found.rstrip(".,") for found in re.findall(r"(?<![\w.])\d[\d,.]*", text)} - {"0"}


@pytest.mark.parametrize("row", AREAS, ids=lambda row: row[1].strip()[:40])
def test_the_page_of_results_says_what_the_page_of_the_area_says(row: tuple[str, str]) -> None:
    own, (_, _, measured, _) = row[0], cells(row[1])
    known = numbers((BENCHMARKS / own).read_text("utf-8"))
    assert numbers(measured.partition(" (code")[0]) <= known


def test_the_page_of_results_is_one_page_and_leads_to_all_others() -> None:
    assert RESULTS.count("\n") <= 80
    pages = {page.relative_to(BENCHMARKS).as_posix() for page in BENCHMARKS.glob("*/RESULTS.md")}
    assert {own for own, _ in AREAS} == pages
    rooms = (BENCHMARKS / "README.md").read_text("utf-8")
    assert [page for page in pages if f"({page})" not in rooms] == []
    assert [page for page in pages if "](../RESULTS.md)" not in (BENCHMARKS / page).read_text("utf-8")] == []


def test_the_japanese_page_has_the_same_figures_links_and_commands() -> None:
    assert [row[1:] for row in rows(JAPANESE, "かるた")] == [row[1:] for row in rows(ENGLISH, "karuta")]
    links = [
        {
            to.replace("docs/ja/", "docs/")  # in Japanese where there is such a page
            for to in re.findall(r"\]\(([^)]+)\)", text)
            if not to.startswith("README")
        }
        for text in (ENGLISH, JAPANESE)
    ]
    assert links[0] == links[1]
    commands = [re.findall(r"^(?:pip|uv) [^#\n]*", text, re.MULTILINE) for text in (ENGLISH, JAPANESE)]
    assert [line.strip() for line in commands[0]] == [line.strip() for line in commands[1]]
    assert JAPANESE.count("\n## ") == ENGLISH.count("\n## ")


def test_it_takes_two_minutes_to_read() -> None:
    assert len(re.findall(r"\w+", re.sub(r"\]\([^)]*\)", "]", ENGLISH))) <= 650  # 330 words a minute
    assert len(re.findall(r"[ぁ-んァ-ヶ一-龠]", JAPANESE)) <= 1200  # 600 characters a minute


def test_the_picture_moves_and_is_small() -> None:
    (picture,) = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", ENGLISH)
    assert (ROOT / picture).stat().st_size < MOST_BYTES
    with Image.open(ROOT / picture) as image:
        assert getattr(image, "n_frames", 1) > 30
        assert image.width <= 800
