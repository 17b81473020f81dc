"""Writes the table of `docs/licences.md`: every package that the wheel needs, and its licence.

`uv run python tools/licences.py` reads names from `uv.lock` and licences from the packages that are installed
here; it needs all extras (`uv sync --all-extras`). What stands around the table stays.
"""

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "licences.md"
_HEAD = "| package | licence | needed by |\n|---|---|---|\n"
_SPDX = {"MIT License": "MIT", "BSD License": "BSD", "Apache Software License": "Apache-2.0"}


def locked() -> dict[str, dict[str, Any]]:
    """Return every package of the lock file by its name."""
    lock = tomllib.loads((ROOT / "uv.lock").read_text("utf-8"))
    return {package["name"]: package for package in lock["package"]}


def needed(packages: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Return the packages that the wheel and its extras need, each with who needs it first."""
    found: dict[str, str] = {}
    followed = set[tuple[str, tuple[str, ...]]]()
    root = packages["shinpan"]
    waiting = [("shinpan", root["dependencies"])]
    waiting += [(f"shinpan[{name}]", extra) for name, extra in root["optional-dependencies"].items()]
    for by, dependencies in waiting:
        for dependency in dependencies:
            name, extras = dependency["name"], tuple(dependency.get("extra", ()))
            if (name, extras) not in followed:
                followed.add((name, extras))
                found.setdefault(name, by)
                waiting.append((name, [*_of(packages[name], extras)]))
    return found


def _of(package: Mapping[str, Any], extras: Iterable[str]) -> Iterator[Mapping[str, Any]]:
    yield from package.get("dependencies", ())
    for extra in extras:
        yield from package["optional-dependencies"][extra]


def licence(package: str) -> str:
    """Return a package's licence by its own account, as an SPDX expression where it says one.

    Raises PackageNotFoundError where it is not installed.
    """
    told = metadata(package)
    line_length = 40  # some packages put the whole text there
    expression, text = ("".join(told.get_all(field, [])) for field in ("License-Expression", "License"))
    if expression or 0 < len(text) <= line_length:
        return expression or text
    named = [line.split(" :: ")[-1] for line in told.get_all("Classifier", []) if line.startswith("License")]
    return " AND ".join(_SPDX.get(name, name) for name in named)


def table() -> str:
    """Return the table; PackageNotFoundError where a package is not installed here."""
    rows = sorted(needed(locked()).items())
    return _HEAD + "".join(f"| {name} | {licence(name)} | {by} |\n" for name, by in rows)


def main() -> int:
    """Write the page; return 1 where a package is not installed."""
    try:
        made = table()
    except PackageNotFoundError as error:
        print(f"{error.name} is not installed: uv sync --all-extras", file=sys.stderr)
        return 1
    page = PAGE.read_text("utf-8")
    before, rest = page.split(_HEAD)
    after = re.sub(r"\A(\|.*\n)*", "", rest)
    PAGE.write_text(before + made + after, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
