"""Japanese names of people are marked, so that screen readers read them out as Japanese."""

import pytest

from desk.panel.pages import spoken


@pytest.mark.parametrize(
    ("name", "marked"), [("蒼", True), ("ひな Mei", True), ("Ｈａｎａ", False), ("Zoë", False), ("", False)]
)
def test_a_japanese_name_is_marked(name: str, marked: bool) -> None:
    assert str(spoken(name)) == (' lang="ja"' if marked else "")
