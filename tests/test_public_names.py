"""docs/api.md says which names are public: they keep their signatures, and the examples use no others."""

import ast
import inspect
import re
from collections.abc import Callable
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import is_typeddict

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = {"calibration", "desk", "recitation", "referee", "vision"}
NAMES = re.findall(r"^\| `([\w.]+)` \|", (ROOT / "docs" / "api.md").read_text("utf-8"), re.MULTILINE)
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def described(name: str) -> str:
    """Return a public name with its parameters; a class with its methods, an enum or record with names."""
    module, _, word = name.rpartition(".")
    thing = getattr(import_module(module), word)
    if inspect.isclass(thing) and issubclass(thing, Enum):
        return f"{name} {' '.join(member.name for member in thing)}"
    if is_typeddict(thing):
        return f"{name} {' '.join(thing.__annotations__)}"
    if inspect.isfunction(thing):
        return f"{name}{_parameters(thing)}"
    if not inspect.isclass(thing) or issubclass(thing, BaseException):
        return name
    methods = {
        key: value for key, value in inspect.getmembers(thing, inspect.isfunction) if not key.startswith("_")
    }
    return "\n".join(
        [f"{name}{_parameters(thing)}", *(f"  .{key}{_parameters(value)}" for key, value in methods.items())]
    )


def _parameters(thing: Callable[..., object]) -> str:
    """Return the names of what can be given; what may be left out ends with `=`, `*` begins keywords."""
    told = inspect.Signature(
        [
            parameter.replace(annotation=parameter.empty, default=parameter.empty)
            for parameter in inspect.signature(thing).parameters.values()
        ]
    )
    optional = {
        name
        for name, parameter in inspect.signature(thing).parameters.items()
        if parameter.default is not parameter.empty
    }
    return re.sub(r"\w+", lambda found: f"{found[0]}{'=' * (found[0] in optional)}", str(told))


def imported(path: Path) -> set[str]:
    """Return what an example takes from our rooms, as `module.name`."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in ROOMS:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.split(".")[0] in ROOMS}
    return found


def test_public_names_keep_their_signatures(golden: Callable[[str, str], None]) -> None:
    assert len(NAMES) == len(set(NAMES)) > 50
    golden("public_names.txt", "".join(f"{described(name)}\n" for name in NAMES))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_use_public_names_only_and_are_short(path: Path) -> None:
    assert imported(path) - set(NAMES) == set()
    assert len(path.read_text("utf-8").splitlines()) < (250 if path.stem == "pairs_table" else 150)
    assert (ROOT / "examples" / "README.md").read_text("utf-8").count(f"({path.name})") == 1
