"""The README in both languages: measured figures, a picture that loads, and no more than two minutes."""

import re
from pathlib import Path

import pytest
from PIL import Image

ROOT = Path(__file__).parents[2]
RESULTS = (ROOT / "benchmarks" / "RESULTS.md").read_text("utf-8")
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
    what, rulings, inside = rows(ENGLISH, "karuta")[place]
    measured = [cells(line.replace("| † ", "| ")) for line in RESULTS.splitlines() if line.startswith("| ")]
    (found,) = [row for row in measured if row[0] == what]
    assert found[2].startswith(rulings)  # what the reviews were may follow
    assert found[5] == inside


def test_the_first_call_costs_what_was_measured() -> None:
    (measured,) = [line for line in RESULTS.splitlines() if line.startswith("| from a fresh clone")]
    assert "; 56 MB of repository and 183 MB of packages (309 MB with those of the tests)" in measured
    for text, seconds in ((ENGLISH, r"took (\d+) s here"), (JAPANESE, r"まで (\d+) 秒")):
        (took,) = re.findall(seconds, text)
        assert f"| {took} s; " in measured
        assert re.findall(r"(\d+) MB", text) == ["309", "183"]


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
