"""What pages say: links lead somewhere, bold words are labels of the panel, Japanese marks are full-width.

MkDocs checks the links within the site.
"""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from manual.generated import generated_pages
from manual.repository_pages import MADE_PAGES, PAGES, DeadLinkError, linked

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"(?<!\\)\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]+))?\)")
SITE = [*sorted((ROOT / "docs").rglob("*.md")), *(ROOT / page for page in PAGES)]
ITEM = re.compile(r"- |\d+\. ")
IN_REPOSITORY = [*sorted(ROOT.glob("*.md")), *SITE]


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub and MkDocs name them."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("place", IN_REPOSITORY, ids=lambda place: str(place.relative_to(ROOT)))
def test_links_lead_somewhere_in_a_clone(place: Path) -> None:
    dead = []
    for to, anchor in LINK.findall(place.read_text("utf-8")):
        target = (place.parent / to).resolve() if to else place
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target)):
            dead.append(f"{to}#{anchor}")
    assert dead == []


def test_a_page_of_the_repository_is_linked_to_where_the_site_has_it() -> None:
    text = "[accuracy](../benchmarks/RESULTS.md#karuta) and ![a field](images/panel-laptop.jpg)"
    assert linked(text, "setup.md") == (
        "[accuracy](project/results.md#karuta) and ![a field](images/panel-laptop.jpg)"
    )
    between = "[all](../RESULTS.md), [holes](../book/RESULTS.md), [speech](../../docs/recitation.md)"
    assert linked(between, "project/results/tables.md") == (
        "[all](../results.md), [holes](book.md), [speech](../../recitation.md)"
    )
    assert linked("[setup](docs/setup.md)", "project/contributing.md") == "[setup](../setup.md)"


def test_what_a_clone_says_in_place_of_a_generated_page_leads_to_that_page_in_the_site() -> None:
    made = generated_pages()
    for told, address in MADE_PAGES.items():
        assert address in made
        page, _, anchor = told.partition("#")
        assert anchor in anchors(ROOT / page)
    text = "[commands](reference/index.md#commands) and [all](reference/index.md)"
    assert linked(text, "setup.md") == "[commands](reference/commands/index.md) and [all](reference/index.md)"


def test_a_link_to_nothing_is_refused_with_its_page() -> None:
    with pytest.raises(DeadLinkError, match=r"docs/setup.md links to ../gone.md, which is not there"):
        linked("[gone](../gone.md)", "setup.md")
    assert linked("[gone](gone.md)", "setup.md") == "[gone](gone.md)"  # MkDocs itself looks within docs/


@pytest.mark.parametrize("place", SITE, ids=lambda place: str(place.relative_to(ROOT)))
def test_tables_and_lists_stand_by_themselves(place: Path) -> None:
    """The site takes text that touches a table for a part of it, and a list that touches text for text."""
    text = re.sub(r"^```.*?^```", "code", place.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    lines = [line for line in text.splitlines() if not line.startswith(("#", "<!--"))]
    torn = [
        (one, other)
        for one, other in pairwise(lines)
        if one and other
        if one.startswith("|") != other.startswith("|")
        or (ITEM.match(other) and not ITEM.match(one) and not one.startswith(" "))
    ]
    assert torn == []
    below_an_item = [block for block in text.split("\n\n") if block.startswith(" ") and "\n" in block]
    assert [block for block in below_an_item if any(map(ITEM.match, block.splitlines()))] == []


# --- bold words of tutorials and guides are labels that the panel shows ------------------------------------
DOCS = ROOT / "docs"
CATALOGUE = (ROOT / "desk/panel/locale/ja/LC_MESSAGES/panel.po").read_text("utf-8")
WORDS = dict(re.findall(r'^msgid "(.+)"\nmsgstr "(.*)"$', CATALOGUE, re.MULTILINE))
LABELLED = [
    page
    for folder in ("tutorials", "guides", "ja/tutorials", "ja/guides")
    for page in sorted((DOCS / folder).glob("*.md"))
]


@pytest.mark.parametrize("place", LABELLED, ids=lambda place: str(place.relative_to(DOCS)))
def test_bold_words_are_labels_of_the_panel(place: Path) -> None:
    known = set(WORDS.values()) if "ja" in place.parts else set(WORDS)
    text = re.sub(r"^```.*?^```", "", place.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    assert [label for label in re.findall(r"\*\*(.+?)\*\*", text) if label not in known] == []


# --- Japanese text has full-width punctuation --------------------------------------------------------------
JAPANESE_PAGES = [ROOT / "README.ja.md", *sorted((ROOT / "docs" / "ja").rglob("*.md"))]
_FENCED = re.compile(r"^(```|~~~).*?^\1", re.DOTALL | re.MULTILINE)
_NO_TEXT = re.compile(r"`[^`]*`|\]\([^)]*\)|<[^>]*>|https?://\S+")
JAPANESE = r"[々ぁ-ヿ一-鿿、。「」『』]"
HALF_WIDTH = re.compile(rf"{JAPANESE}[\x00*]*[(:;,!?](?! [a-z])|(?<![a-z] )\({JAPANESE}|{JAPANESE}\.(?!\w)")
"""A half-width mark that touches Japanese text; English cited on such a page keeps its own."""


def prose(page: str) -> str:
    """Return a page without code, addresses and tags; a NUL stands for each."""
    return _NO_TEXT.sub("\x00", _FENCED.sub("", page))


@pytest.mark.parametrize("path", JAPANESE_PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_japanese_text_has_full_width_punctuation(path: Path) -> None:
    lines = enumerate(prose(path.read_text("utf-8")).splitlines(), 1)
    assert [line for _, line in lines if HALF_WIDTH.search(line)] == []
