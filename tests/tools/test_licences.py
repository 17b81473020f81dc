"""What is installed along is known: every package has a hash in the lock file and a licence on the page."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import licences
import pytest
from licences import PAGE, licence, locked, main, needed


def listed() -> dict[str, tuple[str, str]]:
    """Return each package of the page with its licence and who needs it."""
    rows = [line.strip("| \n").split(" | ") for line in PAGE.read_text("utf-8").splitlines()]
    cells = [row for row in rows if len(row) == 3]
    return {name: (licence, by) for name, licence, by in cells[1:]}


def test_every_file_of_every_package_has_a_hash() -> None:
    packages = [package for package in locked().values() if "registry" in package["source"]]
    assert len(packages) > 50
    for package in packages:
        files = [*package.get("wheels", ()), *([package["sdist"]] if "sdist" in package else ())]
        assert files, package["name"]
        assert all(file["hash"].startswith("sha256:") for file in files), package["name"]


def test_the_page_lists_what_the_wheel_needs_and_nothing_else() -> None:
    assert {name: by for name, (_, by) in listed().items()} == needed(locked())


def test_the_page_names_the_licence_that_each_package_names() -> None:
    known = {}
    for name, (told, _) in listed().items():
        assert told, name
        try:
            known[name] = licence(name) == told
        except PackageNotFoundError:  # of an extra that is not installed here
            continue
    assert len(known) > 25
    assert all(known.values()), [name for name, same in known.items() if not same]


def test_what_is_needed_by_what_is_needed_is_needed() -> None:
    packages: dict[str, dict[str, Any]] = {
        "shinpan": {
            "dependencies": [{"name": "a"}, {"name": "a", "extra": ["x"]}],
            "optional-dependencies": {"e": [{"name": "d"}]},
        },
        "a": {"dependencies": [{"name": "b"}], "optional-dependencies": {"x": [{"name": "c"}]}},
        **{name: {} for name in "bcd"},
        "unneeded": {},
    }
    assert needed(packages) == {"a": "shinpan", "b": "a", "c": "a", "d": "shinpan[e]"}


def test_what_stands_around_the_table_stays(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    page = tmp_path / "licences.md"
    before, _, after = PAGE.read_text("utf-8").partition("| annotated-doc ")
    page.write_text(before + after[after.index("\n| annotated-types") + 1 :], "utf-8")
    monkeypatch.setattr(licences, "PAGE", page)
    monkeypatch.setattr(licences, "licence", lambda name: listed()[name][0])
    assert main() == 0
    assert page.read_text("utf-8") == PAGE.read_text("utf-8")


def test_a_package_that_is_not_installed_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    page = tmp_path / "licences.md"
    monkeypatch.setattr(licences, "PAGE", page)
    monkeypatch.setattr(licences, "licence", missing)
    assert main() == 1
    assert "is not installed: uv sync --all-extras" in capsys.readouterr().err
    assert not page.exists()
