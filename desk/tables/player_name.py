"""A player's name in the form by which games and pages recognise it."""

from __future__ import annotations

import unicodedata


def same_name(name: str | None) -> str | None:
    """Return a player's name in normal form, None if it is empty.

    The same name is the same player on any keyboard: wide letters, half-width kana, decomposed kana and
    spaces are normalised.
    """
    return " ".join(unicodedata.normalize("NFKC", name or "").split()) or None
