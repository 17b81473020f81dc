"""Japanese pages have one kind of punctuation: full-width marks in Japanese text, and code as it is."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.ja.md", *sorted((ROOT / "docs" / "ja").rglob("*.md"))]
_FENCED = re.compile(r"^(```|~~~).*?^\1", re.DOTALL | re.MULTILINE)
_NO_TEXT = re.compile(r"`[^`]*`|\]\([^)]*\)|<[^>]*>|https?://\S+")
JAPANESE = r"[々ぁ-ヿ一-鿿、。「」『』]"
HALF_WIDTH = re.compile(rf"{JAPANESE}[\x00*]*[(:;,!?](?! [a-z])|(?<![a-z] )\({JAPANESE}|{JAPANESE}\.(?!\w)")
"""A half-width mark that touches Japanese text; English cited on such a page keeps its own."""


def prose(page: str) -> str:
    """Return a page without code, addresses and tags; a NUL stands for each."""
    return _NO_TEXT.sub("\x00", _FENCED.sub("", page))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_japanese_text_has_full_width_punctuation(path: Path) -> None:
    lines = enumerate(prose(path.read_text("utf-8")).splitlines(), 1)
    assert [line for _, line in lines if HALF_WIDTH.search(line)] == []
