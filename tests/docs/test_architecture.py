"""The page of the architecture shows the packages, orders and functions that there are."""

import importlib
import re
import tomllib
from functools import reduce
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
PICTURE, *_, PATH = re.findall(r"^```\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
LAYERS = {
    contract["containers"][0]: [layer.split(" | ") for layer in reversed(contract["layers"])]
    for contract in CONTRACTS
    if "containers" in contract
}
DRAWN = ("vision", "recitation", "desk")


def packages(room: str) -> set[str]:
    """Return the packages of a room."""
    return {path.parent.name for path in (ROOT / room).glob("*/__init__.py")}


def drawn(room: str) -> list[str]:
    """Return the packages in a room's box of the picture, in its order."""
    lines = PICTURE.splitlines()
    (first,) = [number for number, line in enumerate(lines) if re.search(rf"\| {room}/", line)]
    left = lines[first].index(f"| {room}/")
    named: list[str] = []
    for line in lines[first + 1 :]:
        if line[left] == "+":
            break
        words = re.findall(r"\w+", line[left + 1 :].partition("|")[0])
        if set(words) <= packages(room):  # other lines are words about the room
            named += words
    return named


@pytest.mark.parametrize("room", [*DRAWN, "referee"])
def test_the_picture_names_every_package_once(room: str) -> None:
    assert sorted(drawn(room)) == sorted(packages(room))


@pytest.mark.parametrize("room", DRAWN)
def test_the_order_of_the_picture_is_that_of_the_contracts(room: str) -> None:
    level = {name: place for place, layer in enumerate(LAYERS[room]) for name in layer}
    upside_down = [pair for pair in combinations(drawn(room), 2) if level[pair[0]] > level[pair[1]]]
    assert upside_down == []


def test_every_order_that_the_page_promises_is_a_contract() -> None:
    (named,) = re.findall(r"^Inside (.*) a package imports only packages", PAGE, re.MULTILINE)
    assert {name.replace("/", ".") for name in re.findall(r"`([\w/]+)/`", named)} == set(LAYERS)


def test_every_package_has_a_paragraph() -> None:
    for room in DRAWN:
        (section,) = re.findall(rf"^## {room}/.*?(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
        assert packages(room) - set(re.findall(r"`(\w+)/`", section)) == set()


def test_the_path_of_a_touch_leads_through_functions_that_there_are() -> None:
    named = re.findall(r"(?<![\w.])[a-z_]+(?:\.\w+)+", PATH)
    assert len(named) > 15
    for name in named:
        thing(name if name.startswith(("desk.", "referee.")) else f"vision.{name}")


def test_packages_import_nothing_but_those_that_the_page_names() -> None:
    importing = {
        path.parent.relative_to(ROOT).as_posix()
        for room in (*DRAWN, "calibration", "referee")
        for path in (ROOT / room).rglob("__init__.py")
        if re.search("^(import|from) ", path.read_text("utf-8"), re.MULTILINE)
    }
    assert {name for name in importing if not name.startswith("vision/simulator")} == set()
    assert "vision/simulator" in importing


def test_the_shared_words_are_where_the_page_says() -> None:
    rows = re.findall(r"^\| (`[\w.]+`.*?) \| (.*) \|$", PAGE, re.MULTILINE)
    for modules, holds in rows:
        found = [importlib.import_module(name) for name in re.findall(r"`([\w.]+)`", modules)]
        for name in re.findall(r"`([A-Z]\w+)", holds):
            assert any(hasattr(module, name) for module in found), name


def thing(name: str) -> Any:
    """Return the module, class or function of a dotted name."""
    parts = name.split(".")
    module = next(
        n for n in range(len(parts), 0, -1) if (ROOT / Path(*parts[:n])).with_suffix(".py").is_file()
    )
    return reduce(getattr, parts[module:], importlib.import_module(".".join(parts[:module])))
