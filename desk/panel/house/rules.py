"""The house rules of karuta in words: presets with what is special about them, and every switch."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from desk.panel.house.port import MatchListed, RulesOffered
from desk.panel.match.sentence import outcome_text, side_names
from desk.panel.words import N_, Words, texts
from referee.karuta.risk import risk_of
from referee.karuta.rulebook import Reason, SwitchText, presets, sources, switches
from referee.karuta.ruleset import KYOGI


def listed(match: MatchListed, said: Words) -> dict[str, Any]:
    """Return a match with the names of its sides (`called`), the rules' title and its `outcome`."""
    called = side_names(said, match["names"])
    over = match["over"]
    outcome = outcome_text(match["winner"], match["stopped"], called, said) if over else said("Not over")
    return {**match, "called": called, "outcome": outcome, "rules": rules_title(match["rules"], said)}


_CUSTOM: Final = N_("own rules")
_SHOWN: Final = N_(
    "A ruling is decided from a confidence of {threshold}. {wrong} of {decided} simulated poems decided so "
    "proved wrong: with 95 % confidence at most {at_most_per_thousand} of a thousand. Stated are "
    "{stated_per_thousand}: this is shown for simulated poems, not for filmed ones."
)
_NOT_SHOWN: Final = N_(
    "A ruling is decided from a confidence of {threshold}. {wrong} of {decided} simulated poems decided so "
    "proved wrong: with 95 % confidence at most {at_most_per_thousand} of a thousand. Stated are "
    "{stated_per_thousand}: this is not shown yet; it takes {poems_to_show} decided poems without a wrong "
    "one."
)
_MEASURES: Final[Mapping[str, str]] = texts("desk.panel.house")["measures"]


def rules_title(name: str, said: Words) -> str:
    """Return the title of house rules by the name in a log; a club's own file keeps its name."""
    if name == "custom":
        return said(_CUSTOM)
    preset = presets().get(name)
    return name if preset is None else preset.title_ja if said.language == "ja" else preset.title_en


def risk_text(risk: Mapping[str, Any], said: Words) -> str:
    """Return from which confidence a ruling is decided, and how much of the stated risk is shown."""
    text = _SHOWN if risk["is_shown"] else _NOT_SHOWN
    return said(text, **{**risk, "poems_to_show": f"{risk['poems_to_show']:,}"})


def offered(rules: Sequence[RulesOffered], said: Words) -> list[dict[str, Any]]:
    """Return the rules to choose, each with its title and three lines of what is special about it."""
    shown = []
    for each in rules:
        preset = presets().get(each["name"])
        lines = () if preset is None else preset.about_ja if said.language == "ja" else preset.about_en
        shown.append({**each, "title": rules_title(each["name"], said), "lines": lines})
    return shown


def switches_offered(said: Words) -> list[dict[str, Any]]:
    """Return every switch with its title, what it decides, and its settings with their sources.

    A switch without settings takes a number; `step` is that of its field.
    """
    return [_switch(switch, said) for switch in switches().values()]


def _switch(switch: SwitchText, said: Words) -> dict[str, Any]:
    japanese = said.language == "ja"
    settings = {word: _setting(value, said) for word, value in switch.values.items()}
    if switch.id == "measures":
        settings = {word: said.plain(text) for word, text in _MEASURES.items()}
    about = switch.about_ja if japanese else switch.about_en
    if switch.id == "wrong_per_thousand":
        about = f"{about} {risk_text(risk_of(KYOGI).to_json(), said)}"
    return {
        "name": switch.id,
        "title": switch.title_ja if japanese else switch.title_en,
        "about": about,
        "settings": settings,
        "step": "1" if switch.id == "tidying_after_ms" else "0.01",
    }


def _setting(value: Reason, said: Words) -> str:
    japanese = said.language == "ja"
    source = sources()[value.source]
    text, title = (value.ja, source.title_ja) if japanese else (value.en, source.title_en)
    return said("{what} ({source})", what=text, source=title)
