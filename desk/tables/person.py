"""A person whose name is taken out of what was logged, written or sent."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

from desk.errors import DeskError
from desk.tables.player_name import same_name

_UNNAMED = frozenset({"names", "player"})
"""Fields in which a player may have no name; elsewhere a name gives way to a pseudonym."""


class Person:
    """A person who is to be forgotten.

    Parameters
    ----------
    name : as it was typed in, on any keyboard.
    pseudonym : what stands in its place where there must be a name.
    """

    def __init__(self, name: str, pseudonym: str) -> None:
        plain = same_name(name)
        if plain is None:
            raise DeskError("name the person who is to be forgotten")
        self.name, self.pseudonym = plain, pseudonym
        words = r"\s+".join(map(re.escape, plain.split(" ")))
        # "Ken" is not in "Kendo"; Japanese has no gaps between words
        left, right = (r"(?<!\w)" if plain[0].isascii() else "", r"(?!\w)" if plain[-1].isascii() else "")
        self._pattern = re.compile(f"{left}{words}{right}")

    def forgotten(self, value: Any, key: str = "") -> Any:
        """Return plain data without the name; `key` names the field in which it stands."""
        if isinstance(value, dict):
            return {
                self._without(name): self.forgotten(each, key if key in _UNNAMED else name)
                for name, each in value.items()
            }
        if isinstance(value, list):
            return [self.forgotten(each, key) for each in value]
        if not isinstance(value, str):
            return value
        return None if key in _UNNAMED and same_name(value) == self.name else self._without(value)

    def is_in(self, data: bytes) -> bool:
        """Tell whether bytes hold the name in any form and encoding in which a program writes it."""
        forms = {unicodedata.normalize(form, self.name) for form in ("NFC", "NFD", "NFKD")}
        forms |= {json.dumps(form)[1:-1] for form in forms}
        return any(form.encode(encoding) in data for form in forms for encoding in ("utf-8", "utf-16-le"))

    def _without(self, text: str) -> str:
        plain = unicodedata.normalize("NFKC", text)
        return self._pattern.sub(self.pseudonym, plain) if self._pattern.search(plain) else text
