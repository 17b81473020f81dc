"""House rules from TOML: a game's presets and a club's overrides, checked key by key.

A game defines its rules as nested frozen dataclasses; this module fills them and reports errors.
"""

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import is_dataclass, replace
from enum import StrEnum
from functools import cached_property
from importlib import resources
from types import UnionType
from typing import Any, Generic, Literal, TypeVar, get_args, get_origin, get_type_hints

from referee import toml_text
from referee.complaint import sentence_of
from referee.sentence import Sentence, SentenceError

T = TypeVar("T")
Table = Mapping[str, Any]


class RuleSetError(SentenceError, ValueError):
    """A ruleset is wrong: an unknown key, a wrong value, a missing preset. The message names the key."""


class Presets(Generic[T]):
    """The rulesets of one game; a preset may name another one as its `base`.

    `kind`: the dataclass of the game's rules. It has a `name`; its sections are dataclasses; its values are
    numbers, booleans, text, or one of a list of words. `package`: its folder `rulesets/` holds the TOML
    files. `default`: the preset that a club's file builds on if it names none.
    """

    def __init__(self, kind: type[T], package: str, names: Sequence[str], default: str) -> None:
        self.names = tuple(names)
        self.default = default
        self._kind = kind
        self._package = package

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __getitem__(self, name: str) -> T:
        self._check(name)
        return self._all[name]

    def house(self, text: str, name: str = "house", overrides: Sequence[str] = ()) -> T:
        """Return a club's ruleset from TOML with a `base` and the keys that differ from it.

        Raises RuleSetError if the text is no TOML, or a key or value is not one of the documented ones.

        `name`: name of the ruleset if the text gives none, or that of a preset from which it differs: whoever
        edits a copy of a preset seldom thinks of its name and title. `overrides`: further keys as typed on a
        command line, such as `threshold.mode=ge`; they take precedence.
        """
        own = _toml(text)
        base = self._table(str(own.pop("base", self.default)))
        typed = _toml("\n".join(_as_toml(assignment) for assignment in overrides))
        table = {"name": name, **_merged(_merged(base, own), typed)}
        return self._called(_section(self._kind, table, ""), name)

    def _called(self, rules: T, name: str) -> T:
        """Return a ruleset under its own name and title, where it has those of a preset that it is not."""
        own: Any = rules
        if name not in self.names and own.name in self.names and own != self[own.name]:
            own = replace(own, name=name)
        titles = {getattr(preset, "title", "") for preset in self._all.values()}
        if own.name not in self.names and getattr(own, "title", None) in titles:
            own = replace(own, title=own.name)
        named: T = own
        return named

    @cached_property
    def _all(self) -> Mapping[str, T]:
        return {name: _section(self._kind, {"name": name, **self._table(name)}, "") for name in self.names}

    def _table(self, name: str) -> Table:
        self._check(name)
        file = resources.files(self._package).joinpath("rulesets", f"{name}.toml")
        own = _toml(file.read_text("utf-8"))
        base = own.pop("base", None)
        return own if base is None else _merged(self._table(base), own)

    def _check(self, name: str) -> None:
        if name not in self.names:
            raise RuleSetError(
                "there is no ruleset {name!r}{hint}; presets: {names}",
                name=name,
                hint=suggestion(name, self.names),
                names=", ".join(self.names),
            )


def _toml(text: str) -> dict[str, Any]:
    try:
        return toml_text.parse(text)
    except ValueError as error:
        raise RuleSetError("not valid TOML: {why}", why=sentence_of(error)) from error


def _as_toml(assignment: str) -> str:
    """Return `key=value` as a line of TOML; a bare word is a string, so that shells need no inner quotes."""
    key, equals, value = (part.strip() for part in assignment.partition("="))
    if not equals or not key or not value:
        raise RuleSetError(
            "an override is written key=value, such as threshold.mode=ge; got {assignment!r}",
            assignment=assignment,
        )
    bare_word = value not in {"true", "false"} and value.replace("_", "").isalpha()
    return f'{key} = "{value}"' if bare_word else f"{key} = {value}"


def _merged(base: Table, own: Table) -> Table:
    both = dict(base)
    for key, value in own.items():
        are_tables = isinstance(both.get(key), Mapping) and isinstance(value, Mapping)
        both[key] = _merged(both[key], value) if are_tables else value
    return both


def _section(kind: type[T], table: object, path: str) -> T:
    """Make the dataclass `kind` from a TOML table; refuse unknown keys and wrong values."""
    if not isinstance(table, Mapping):
        raise RuleSetError(
            "{path} must be a table of keys, got {table!r}", path=path.rstrip("."), table=table
        )
    hints = get_type_hints(kind)
    for key in table:
        if key not in hints:
            raise RuleSetError("unknown key {key!r}{hint}", key=path + key, hint=suggestion(key, hints, path))
    checked = {key: _checked(hints[key], value, path + key) for key, value in table.items()}
    try:
        return kind(**checked)
    except ValueError as error:
        raise RuleSetError("{path}{why}", path=path, why=sentence_of(error)) from error


def _checked(kind: Any, value: object, path: str) -> object:
    if get_origin(kind) is UnionType:
        kind = get_args(kind)[0]  # the other alternative is None, for an omitted key or `false`
        if value is False and kind is not bool:
            return None
    if is_dataclass(kind):
        return _section(kind, value, f"{path}.")  # type: ignore[arg-type]
    choices = _choices(kind)
    if choices:
        if value in choices:
            return kind(value) if isinstance(kind, type) else value
        hint = suggestion(str(value), choices)
        wanted = Sentence("one of {choices}{hint}", choices=", ".join(choices), hint=hint)
    elif kind is float:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return float(value)
        wanted = Sentence("a number")
    elif kind is int:
        # in Python, TOML's true is an int
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
        wanted = Sentence("a whole number from 0 on")
    else:
        if isinstance(value, kind):
            return value
        wanted = Sentence("true or false") if kind is bool else Sentence("text")
    raise RuleSetError("{path} must be {wanted}, got {value!r}", path=path, wanted=wanted, value=value)


def _choices(kind: Any) -> tuple[str, ...]:
    """Return the words among which a key chooses; none if it is of another kind."""
    if get_origin(kind) is Literal:
        return get_args(kind)
    return tuple(kind) if isinstance(kind, type) and issubclass(kind, StrEnum) else ()


def suggestion(word: str, known: Iterable[str], path: str = "") -> Sentence:
    """Return the end of a message: the known word that a wrong one most resembles; empty if none does."""
    close = difflib.get_close_matches(word, known, n=1)
    return Sentence(" (did you mean {word!r}?)", word=path + close[0]) if close else Sentence()
