"""Translates the machine's messages about a film."""

from __future__ import annotations

from typing import cast

from desk.panel.films.port import MessageShown
from desk.panel.words import Words


def told_text(told: MessageShown, words: Words) -> str:
    """Return a message in the visitor's language."""
    text = _filled(told, words)
    if not text or text.endswith("?"):
        return text
    return words("{sentence}.", sentence=f"{text[0].upper()}{text[1:]}".removesuffix("."))


def _filled(told: MessageShown, words: Words) -> str:
    values = {
        name: _filled(cast("MessageShown", value), words) if isinstance(value, dict) else value
        for name, value in told["values"].items()
    }
    text = told["text"]
    return words(text, **values) if text else ""
