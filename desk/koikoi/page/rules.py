"""House rules in words: what each preset says, the rules on which tables differ, and the table of yaku."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from desk.errors import DeskError
from desk.koikoi.agreement import assignments, rules_shown
from desk.koikoi.page.view import called_yaku, card_names
from desk.panel.words import N_, Words, texts
from desk.tables.rules_option import load_rules
from referee.koikoi.house_rules import PRESETS as HOUSE_RULES

_TEXTS = texts("desk.koikoi.page")
PRESETS: Final[Mapping[str, Mapping[str, Any]]] = _TEXTS["presets"]
"""Each preset's title, and in three lines what is special about it."""
SWITCHES: Final[Mapping[str, Mapping[str, Any]]] = _TEXTS["switches"]
"""The rules on which tables differ, `desk.koikoi.agreement.SWITCHES`, and their settings."""
_COUNTED: Final[Mapping[str, str]] = _TEXTS["counted"]
_KINDS: Final[Mapping[str, str]] = _TEXTS["kinds"]
"""The cards of a yaku where they are too many to be named one by one."""
_RIBBON = N_("each further ribbon +{n}")


def offered(rules: Sequence[Mapping[str, Any]], said: Words) -> list[dict[str, Any]]:
    return [{**each, **_rules_shown(each, said)} for each in rules]


def switches(offered_settings: Mapping[str, Sequence[str]], said: Words) -> list[dict[str, Any]]:
    offers = []
    for name, settings in offered_settings.items():
        about, meanings = SWITCHES[name].values()
        shown = {each: said(meanings[each]) for each in settings}
        offers.append({"name": name, "about": said(about), "settings": shown})
    return offers


def rules_view(rules: Mapping[str, Any], said: Words) -> dict[str, Any]:
    """Return the rules of a table in words: what was agreed, and every yaku with its points."""
    agreed = [
        {"about": said(about), "setting": said(meanings[setting])}
        for name, (about, meanings) in ((name, switch.values()) for name, switch in SWITCHES.items())
        if (setting := rules["settings"][name])
    ]
    if rules["hands"]:
        agreed.append({"about": said("Teshi and kuttsuki"), "setting": _points(rules["hands"], said)})
    return {
        **_rules_shown(rules, said),
        "agreed": agreed,
        "yaku": [_yaku(row, said) for row in rules["yaku"]],
    }


def rules_with(preset: str, changes: Mapping[str, str], said: Words) -> dict[str, Any] | None:
    """Return a preset with some switches changed, in words and with `card_names`; None if there is none."""
    if preset not in HOUSE_RULES.names:
        return None
    try:
        rules = rules_shown(load_rules(HOUSE_RULES, preset, assignments(changes)))
    except DeskError:
        return None
    return {**rules_view(rules, said), "card_names": card_names(said.language)}


def _rules_shown(rules: Mapping[str, Any], said: Words) -> dict[str, Any]:
    preset = PRESETS.get(rules["name"])
    title = (rules["title"] or rules["name"]) if preset is None else said.plain(preset["title"])
    players = said(" or ").join(map(str, rules["players"]))
    return {
        "title": said("Based on: {title}", title=title) if rules["is_changed"] else title,
        "lines": [] if preset is None or rules["is_changed"] else [said(line) for line in preset["lines"]],
        "only": said("for {players} players only", players=players),
    }


def _yaku(row: Mapping[str, Any], said: Words) -> dict[str, Any]:
    name, more = row["name"], []
    if row["extra"]:
        more.append(said(_COUNTED.get(name, _RIBBON), n=row["extra"]))
    if row["after_call"] is not None:
        more.append(said("{points} after an own koi-koi", points=_points(row["after_call"], said)))
    names, of = card_names(said.language), ""
    among = said(" and ").join(names[card] for card in row["among"])
    if row["count"] < len(row["cards"]):
        of = said("{n} of these", n=row["count"])
        of = said("{some}, among them {card}", some=of, card=among) if among else of
    return {
        "name": name,
        **called_yaku(name, said),
        "points": row["points"],
        "points_text": _points(row["points"], said),
        "more": more,
        "of": of,
        "kind": said(_KINDS[name], n=row["count"]) if name in _KINDS else "",
        "cards": row["cards"],
    }


def _points(points: int, said: Words) -> str:
    return said.counted("{n} point", "{n} points", points)
