"""The rule book: every reason and doubt that a ruling can name, with its source and its text."""

from __future__ import annotations

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
    """Why a ruling is as it is.

    Attributes
    ----------
    id : short name used in rulings and logs.
    source, paragraph : the document (a key of `sources()`) and the place in it.
    ja, en : the text for people.
    """

    id: str
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


@cache
def _book() -> dict[str, Any]:
    return tomllib.loads(files("referee.karuta").joinpath("rulebook.toml").read_text("utf-8"))


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
    """Return all doubts by id."""
    return MappingProxyType({key: DoubtText(key, **entry) for key, entry in _book()["doubt"].items()})
