"""The rule book: every reason and doubt that a ruling can name, and every switch, with source and text."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any


@dataclass(frozen=True, slots=True)
class Source:
    """A document that rules are taken from; `title_ja` and `title_en` name it for people."""

    id: str
    title_ja: str
    title_en: str


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a ruling is as it is, or what one value of a switch means."""

    id: str  # short name used in rulings and logs, or the value
    # source, paragraph: the document (a key of `sources()`) and the place in it
    source: str
    paragraph: str
    ja: str
    en: str


@dataclass(frozen=True, slots=True)
class DoubtText:
    """Why a person should look at a ruling, in Japanese and English."""

    id: str
    ja: str
    en: str


@dataclass(frozen=True, slots=True)
class PresetText:
    """A preset of house rules for people: its title, and three lines that say what is special about it."""

    id: str
    title_ja: str
    title_en: str
    about_ja: tuple[str, ...]
    about_en: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SwitchText:
    """A switch of the house rules for people."""

    id: str  # its key in `RuleSet`
    # title_ja, title_en, about_ja, about_en: its name, and what it decides
    title_ja: str
    title_en: str
    about_ja: str
    about_en: str
    values: Mapping[str, Reason]  # its values; none for a number or measures
    # source, paragraph: where a number comes from; empty where the values say so
    source: str = ""
    paragraph: str = ""


@cache
def _book(name: str = "rulebook.toml") -> dict[str, Any]:
    return tomllib.loads(files("referee.karuta").joinpath(name).read_text("utf-8"))


@cache
def sources() -> Mapping[str, Source]:
    """Return the documents by id."""
    return MappingProxyType({key: Source(key, **entry) for key, entry in _book()["source"].items()})


@cache
def reasons() -> Mapping[str, Reason]:
    """Return all reasons by id, the weightiest first."""
    return MappingProxyType({key: Reason(key, **entry) for key, entry in _book()["reason"].items()})


@cache
def doubts() -> Mapping[str, DoubtText]:
    return MappingProxyType({key: DoubtText(key, **entry) for key, entry in _book()["doubt"].items()})


@cache
def presets() -> Mapping[str, PresetText]:
    """Return the texts of the presets by name, the usual one first."""
    found = {}
    for key, entry in _book("switches.toml")["preset"].items():
        about = {each: tuple(entry[each]) for each in ("about_ja", "about_en")}
        found[key] = PresetText(key, **{**entry, **about})
    return MappingProxyType(found)


@cache
def switches() -> Mapping[str, SwitchText]:
    """Return the texts of the switches by their key in `RuleSet`."""
    found = {}
    for key, entry in _book("switches.toml")["switch"].items():
        values = {word: Reason(word, **text) for word, text in entry.get("values", {}).items()}
        found[key] = SwitchText(key, **{**entry, "values": MappingProxyType(values)})
    return MappingProxyType(found)
