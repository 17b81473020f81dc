"""Names of modules: words that people know, and no folder too full to be read at a glance."""

import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("calibration", "desk", "recitation", "referee", "vision")
MODULES = sorted(
    path.relative_to(ROOT)
    for folder in (*PACKAGES, "benchmarks", "tools")
    for path in (ROOT / folder).rglob("*.py")
    if path.name not in {"__init__.py", "__main__.py"}
)
MOST_MODULES = 20


def glossary() -> set[str]:
    """Return every word in the first column of the glossary's tables."""
    text = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    cells = re.findall(r"^\| ([^|]+) \|", text, re.MULTILINE)
    return {word for cell in cells for word in re.findall(r"[a-z]+", cell.lower())}


def plain_words() -> set[str]:
    """Return the plain English words that names use; all of them are in any dictionary."""
    return set((Path(__file__).parent / "plain_words.txt").read_text("utf-8").split())


def knows(words: set[str], word: str) -> bool:
    return any(form in words for form in (word, word.removesuffix("s"), word.removesuffix("es")))


def test_names_use_words_of_the_glossary_or_plain_ones() -> None:
    known = glossary() | plain_words()
    unknown = {
        f"{path}: {word}"
        for path in MODULES
        for part in path.with_suffix("").parts
        for word in part.split("_")
        if not knows(known, word)
    }
    assert not unknown, "explain a term in docs/glossary.md; add a plain word to tests/plain_words.txt"


def test_no_folder_holds_more_modules_than_can_be_read_at_a_glance() -> None:
    counted = Counter(path.parent for path in MODULES if path.parts[0] in PACKAGES)
    assert {str(folder): count for folder, count in counted.items() if count > MOST_MODULES} == {}


def test_every_package_says_what_it_is() -> None:
    for package in PACKAGES:
        for path in (ROOT / package).rglob("__init__.py"):
            assert path.read_text("utf-8").startswith('"""'), path


def test_tests_mirror_the_tree() -> None:
    folders = {path.parent for path in MODULES if path.parts[0] in PACKAGES}
    for path in (ROOT / "tests").rglob("test_*.py"):
        folder = path.relative_to(ROOT / "tests").parent
        if folder.parts and folder.parts[0] in PACKAGES:
            assert folder in folders or (ROOT / folder / "__init__.py").exists(), path
