"""A player's name in the form by which games and pages recognise it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from desk.errors import DeskError
from referee.sentence import Sentence


def same_name(name: str | None) -> str | None:
    """Return a player's name in normal form, None if it is empty.

    The same name is the same player on any keyboard: wide letters, half-width kana, decomposed kana and
    spaces are normalised.
    """
    return " ".join(unicodedata.normalize("NFKC", name or "").split()) or None


def check_names(names: Iterable[str | None]) -> None:
    """Refuse one name for two players of a game: the book and the sums of an evening count by name.

    Raises
    ------
    DeskError
        If two players have the same name, on whatever keyboard it was typed.
    """
    known = set()
    for name in map(same_name, names):
        if name is not None and name in known:
            raise DeskError(
                Sentence(
                    "two players are called {name}, but the book counts by name: give one of them another, "
                    "such as {other}",
                    name=name,
                    other=f"{name} 2",
                )
            )
        known.add(name)
