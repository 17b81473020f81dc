"""Says what a change concerns: tests, golden files, texts and pages of both languages, and what tests cost.

    python tools/check_changed.py [--since main] [--run] [FILE ...]

Without a FILE it asks git what differs from `--since`, and what is new. First come the tests that stand where
the changed modules stand, then those that import them, then how many more reach them through other modules.
Costs are numbers of tests; `live` ones run by the clock, `browser` ones drive a browser. `--run` runs the
first two groups without those.
"""

import argparse
import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def changed_since(revision: str) -> list[str]:
    """Return the files that differ from a revision, and those that git does not know yet."""
    asked = (("diff", "--name-only", revision), ("ls-files", "--others", "--exclude-standard"))
    said = [
        subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True)
        for words in asked
    ]
    return sorted({line for each in said for line in each.stdout.splitlines() if (ROOT / line).exists()})


@cache
def files() -> tuple[str, ...]:
    """Return every file of the checkout."""
    said = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return tuple(line for line in said.stdout.splitlines() if (ROOT / line).is_file())


@cache
def importers() -> Mapping[str, set[str]]:
    """Return the modules that import each module, by their files."""
    modules = {
        name.removesuffix(".py").removesuffix("/__init__").replace("/", "."): name
        for name in files()
        if name.endswith(".py")
    }
    found: dict[str, set[str]] = {name: set() for name in modules.values()}
    for name in modules.values():
        for node in ast.walk(ast.parse((ROOT / name).read_text("utf-8"))):
            wanted: list[str] = []
            if isinstance(node, ast.Import):
                wanted = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                wanted = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            for module in wanted:
                if module in modules and modules[module] != name:
                    found[modules[module]].add(name)
    return found


def reached(changed: Iterable[str]) -> set[str]:
    """Return every module that imports a changed one, directly or through others."""
    known, waiting = set[str](), list(changed)
    while waiting:
        new = importers().get(waiting.pop(), set()) - known
        known |= new
        waiting += new
    return known


def beside(changed: Iterable[str]) -> set[str]:
    """Return the tests of each file: of `a/b/c.py`, `tests/a/b/test_c.py`, or all beside it."""
    found = {name for name in changed if is_test(name)}
    for name in changed:
        path = Path(name)
        folder = f"tests/{path.parent.as_posix()}/"
        own = f"{folder}test_{path.stem}.py"
        found |= (
            {own}
            if own in files()
            else {one for one in files() if str(Path(one).parent) + "/" == folder and is_test(one)}
        )
    return found


def is_test(name: str) -> bool:
    """Tell whether a file holds tests."""
    return bool(re.fullmatch(r"tests/(.*/)?test_\w+\.py", name))


def cost(tests: Iterable[str]) -> str:
    """Return how many tests some files hold, and how many files run by the clock or in a browser."""
    texts = [(ROOT / name).read_text("utf-8") for name in tests]
    parts = [f"{sum(len(re.findall(r'^(?:async )?def test_', text, re.MULTILINE)) for text in texts)} tests"]
    counts = {mark: sum(f"mark.{mark}" in text for text in texts) for mark in ("slow", "live", "browser")}
    return ", ".join([*parts, *(f"{mark} ones in {count} files" for mark, count in counts.items() if count)])


def texts_of(changed: Iterable[str]) -> dict[str, list[str]]:
    """Return golden files, phrases and pages that a change may make untrue."""
    names = list(changed)
    words = {name.removesuffix(".py").replace("/", ".") for name in names} | {
        name for name in names if "/" in name
    }
    words |= {f"`{Path(name).stem}`" for name in names if name.endswith(".py")}
    pages = [
        name
        for name in files()
        if name.endswith(".md") and any(word in (ROOT / name).read_text("utf-8") for word in words)
    ]
    pages += [
        page.replace("docs/", "docs/ja/", 1)
        for page in pages
        if page.replace("docs/", "docs/ja/", 1) in files()
    ]
    panel = [name for name in names if name.startswith(("desk/panel/", "desk/commands/")) or "/page/" in name]
    folders = {str(Path(name).parent) for name in panel}
    texts = [name for name in files() if name.endswith("texts.toml") and str(Path(name).parent) in folders]
    rules = any(name.startswith("referee/") for name in names)
    return {
        "golden files (--regold)": [
            name for name in files() if rules and name.startswith("tests/golden/") and name.endswith(".txt")
        ],
        "phrases, both languages": [*texts, "desk/panel/locale/ja/LC_MESSAGES/panel.po"] if panel else [],
        "pages": sorted(set(pages) - {"CHANGELOG.md"}),
    }


def main(arguments: list[str] | None = None) -> int:
    """Print the lists; with `--run` return what pytest does."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--since", default="main", help="the revision with which the checkout is compared")
    parser.add_argument(
        "--run", action="store_true", help="run the tests beside the change and its importers"
    )
    options = parser.parse_args(arguments)
    changed = options.files or changed_since(options.since)
    own = beside(changed)
    near = {name for one in changed for name in importers().get(one, ()) if is_test(name)} - own
    far = {name for name in reached(changed) if is_test(name)} - own - near
    for title, tests in (("beside it", own), ("import it", near)):
        print(f"tests that {'stand ' if title == 'beside it' else ''}{title} ({cost(tests)}):")
        print(*(f"  {name}" for name in sorted(tests)), sep="\n")
    print(f"tests that reach it through other modules: {cost(far)} in {len(far)} files")
    for title, names in texts_of(changed).items():
        if names:
            print(f"{title}:", *(f"  {name}" for name in names), sep="\n")
    if not options.run or not own | near:
        return 0
    words = [sys.executable, "-m", "pytest", "-q", "-m", "not slow and not live and not browser"]
    return subprocess.run([*words, *sorted(own | near)], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
