"""A ruleset as TOML with a comment on every key: the template for a club's own file."""

import inspect
import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from types import MappingProxyType
from typing import Any

_WIDTH = 100
_ENTRY = re.compile(r"(?P<keys>\w+(, \w+)*) : (?P<text>.*)")


def listing(rules: Any, said: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return a ruleset as TOML text; reading it as house rules gives the same ruleset.

    `rules`: a game's ruleset: nested dataclasses whose numpy-style docstrings describe the keys. `said`:
    comments on keys of the ruleset itself.
    """
    lines = []
    sections = []
    for field in fields(rules):
        value = getattr(rules, field.name)
        comment = _comment(said.get(field.name, ""))
        if is_dataclass(value):
            sections += ["", *comment, *_section(field.name, value)]
        else:
            lines += comment
            lines.append(f"{field.name} = {_written(value)}")
    return "\n".join([*lines, *sections]) + "\n"


def _section(name: str, section: Any) -> Iterator[str]:
    doc = inspect.getdoc(type(section)) or ""
    said = meanings(doc)
    yield from _comment(doc.split("\n\n")[0])
    yield f"[{name}]"
    for field in fields(section):
        yield from _comment(said.get(field.name, ""))
        yield f"{field.name} = {_written(getattr(section, field.name))}"


def meanings(doc: str) -> dict[str, str]:
    """Return the text of each key of a numpy-style docstring's list of attributes."""
    found: dict[str, str] = {}
    keys: list[str] = []
    for line in doc.split("\n"):
        entry = _ENTRY.fullmatch(line)
        if entry:
            keys = entry["keys"].split(", ")
            found |= dict.fromkeys(keys, entry["text"])
        elif line.startswith("    "):
            found |= {key: f"{found[key]} {line.strip()}" for key in keys}
    return found


def _comment(text: str) -> list[str]:
    return [f"# {line}" for line in textwrap.wrap(" ".join(text.split()), _WIDTH)]


def _written(value: object) -> str:
    """Write a value as TOML; omitted keys are left out."""
    if is_dataclass(value):
        pairs = ((field.name, getattr(value, field.name)) for field in fields(value))
        inner = ", ".join(f"{key} = {_written(inner)}" for key, inner in pairs if inner is not None)
        return f"{{ {inner} }}"
    if value is None or isinstance(value, bool):
        return str(bool(value)).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)
