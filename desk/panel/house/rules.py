"""The house rules of karuta in words: presets with what is special about them, and every switch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from desk.panel.house.port import RulesOffered
from desk.panel.words import N_, Words
from referee.karuta.rulebook import SwitchText, ValueText, presets, sources, switches

_CUSTOM: Final = N_("own rules")
_MEASURES: Final[Mapping[str, str]] = {
    "usual": N_("87 cm wide, 1 cm between rows, 3 cm between territories"),
    "off": N_("not checked"),
}


def rules_title(name: str, said: Words) -> str:
    """Return the title of house rules by the name in a log; a club's own file keeps its name."""
    if name == "custom":
        return said(_CUSTOM)
    preset = presets().get(name)
    if preset is None:
        return name
    return preset.title_ja if said.language == "ja" else preset.title_en


def offered(rules: Sequence[RulesOffered], said: Words) -> list[dict[str, Any]]:
    """Return the rules to choose, each with its title and three lines of what is special about it."""
    return [
        {**each, "title": rules_title(each["name"], said), "lines": _lines(each["name"], said)}
        for each in rules
    ]


def switches_offered(said: Words) -> list[dict[str, Any]]:
    """Return every switch with its title, what it decides, and its settings with their sources.

    A switch without settings takes a number; `step` is that of its field.
    """
    return [_switch(switch, said) for switch in switches().values()]


def _lines(name: str, said: Words) -> Sequence[str]:
    preset = presets().get(name)
    if preset is None:
        return ()
    return preset.about_ja if said.language == "ja" else preset.about_en


def _switch(switch: SwitchText, said: Words) -> dict[str, Any]:
    japanese = said.language == "ja"
    settings = {word: _setting(value, said) for word, value in switch.values.items()}
    if switch.id == "measures":
        settings = {word: said.plain(text) for word, text in _MEASURES.items()}
    return {
        "name": switch.id,
        "title": switch.title_ja if japanese else switch.title_en,
        "about": switch.about_ja if japanese else switch.about_en,
        "settings": settings,
        "step": "0.01" if switch.id == "min_confidence" else "1",
    }


def _setting(value: ValueText, said: Words) -> str:
    japanese = said.language == "ja"
    source = sources()[value.source]
    text, title = (value.ja, source.title_ja) if japanese else (value.en, source.title_en)
    return said("{what} ({source})", what=text, source=title)
