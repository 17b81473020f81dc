"""The panel's two languages. English is the source; a gettext catalogue holds the Japanese.

The catalogue is parsed from its text when it is first needed, so nothing is compiled at installation.
"""

from __future__ import annotations

import io
import tomllib
from collections.abc import Mapping
from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from babel import negotiate_locale

from referee.complaint import sentence_of
from referee.sentence import Sentence

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

LANGUAGES: Mapping[str, str] = MappingProxyType({"ja": "日本語", "en": "English"})
"""The languages by code, each with its own name for itself."""

SOURCE_LANGUAGE = "en"


def N_(text: str) -> str:  # noqa: N802 (the customary name: the extractor looks for it)
    """Mark a text for the catalogue; it is translated later, where it is used."""
    return text


@cache
def texts(package: str) -> Mapping[str, Any]:
    """Return the English texts in a package's `texts.toml`; they are translated where they are used."""
    return MappingProxyType(tomllib.loads(files(package).joinpath("texts.toml").read_text("utf-8")))


def picked(shown: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """Return some of the values of a port's data, which a page shows as they are."""
    return {name: shown[name] for name in names}


class Words:
    """The texts of one language."""

    def __init__(self, language: str, translations: NullTranslations) -> None:
        self.language, self._translations = language, translations

    def __call__(self, text: str, /, **values: object) -> str:
        """Translate `text` and fill its `{fields}`."""
        return self._translations.gettext(text).format(**values) if values else self.plain(text)

    def plain(self, text: str) -> str:
        """Translate `text` without filling fields."""
        return self._translations.gettext(text)

    def complaint(self, problem: str | Exception) -> str:
        """Return what an error or a part of the program complains of, in this language."""
        if isinstance(problem, Exception):
            problem = sentence_of(problem)
        if not isinstance(problem, Sentence):
            return self.plain(problem) if problem else problem
        values = {
            name: self.complaint(value) if isinstance(value, Sentence) else value
            for name, value in problem.values.items()
        }
        return self(problem.text, **values) if problem else ""

    def counted(self, one: str, many: str, number: int, /, **values: object) -> str:
        """Translate the singular or plural for `number` and fill its fields, `{n}` with the number."""
        return self._translations.ngettext(one, many, number).format(n=number, **values)


@cache
def words(language: str) -> Words:
    """Return the texts of a language; ValueError if the panel does not have it."""
    if language not in LANGUAGES:
        raise ValueError(f"the panel speaks {', '.join(LANGUAGES)}, not {language!r}")
    if language == SOURCE_LANGUAGE:
        return Words(language, NullTranslations())
    from babel.messages.mofile import write_mo  # who reads English needs no catalogue

    compiled = io.BytesIO()
    write_mo(compiled, read_catalogue(language))
    compiled.seek(0)
    return Words(language, GNUTranslations(compiled))


def read_catalogue(language: str) -> Catalog:
    """Read the catalogue of a language other than English."""
    from babel.messages.pofile import read_po

    path = files("desk.panel").joinpath("locale", language, "LC_MESSAGES", "panel.po")
    with path.open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def choose_language(*wishes: str | None, accept: str = "") -> str:
    """Return the first of `wishes` that the panel has, else the best of an Accept-Language header."""
    for wish in wishes:
        if wish is not None and wish in LANGUAGES:
            return wish
    preferred = [part.split(";")[0].strip().replace("-", "_") for part in accept.split(",") if part.strip()]
    best: str | None = negotiate_locale(preferred, list(LANGUAGES))
    return best or SOURCE_LANGUAGE
