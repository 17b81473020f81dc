"""Tutorials and guides name buttons as the pages do: every text in bold is one that the panel shows."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
CATALOGUE = (DOCS.parent / "desk/panel/locale/ja/LC_MESSAGES/panel.po").read_text("utf-8")
WORDS = dict(re.findall(r'^msgid "(.+)"\nmsgstr "(.*)"$', CATALOGUE, re.MULTILINE))
PAGES = [
    page
    for folder in ("tutorials", "guides", "ja/tutorials", "ja/guides")
    for page in sorted((DOCS / folder).glob("*.md"))
]


@pytest.mark.parametrize("place", PAGES, ids=lambda place: str(place.relative_to(DOCS)))
def test_bold_words_are_labels_of_the_panel(place: Path) -> None:
    known = set(WORDS.values()) if "ja" in place.parts else set(WORDS)
    text = re.sub(r"^```.*?^```", "", place.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    assert [label for label in re.findall(r"\*\*(.+?)\*\*", text) if label not in known] == []
