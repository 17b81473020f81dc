"""What a table agrees on: a preset, the rules on which tables differ, and both in words with the yaku."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from types import MappingProxyType
from typing import Any, Final

from desk.errors import DeskError
from desk.koikoi.page.view import called_yaku, card_names
from desk.panel.words import N_, Words, texts
from desk.tables.rules_option import load_rules
from referee.complaint import sentence_of
from referee.koikoi.house_rules import PRESETS
from referee.koikoi.piles import SAKE_CUP, Pile, cards_of
from referee.koikoi.ruleset import RuleSet
from referee.koikoi.yaku import MONTH_YAKU, YAKU, Yaku

_TEXTS = texts("desk.koikoi.page")
_PRESET_TEXTS: Final[Mapping[str, Mapping[str, Any]]] = _TEXTS["presets"]
"""Each preset's title, and in three lines what is special about it."""
SWITCH_TEXTS: Final[Mapping[str, Mapping[str, Any]]] = _TEXTS["switches"]
"""The rules on which tables differ, `SWITCHES`, and their settings."""
_COUNTED: Final[Mapping[str, str]] = _TEXTS["counted"]
_KINDS: Final[Mapping[str, str]] = _TEXTS["kinds"]
"""The cards of a yaku where they are too many to be named one by one."""
_RIBBON = N_("each further ribbon +{n}")


def offered(rules: Sequence[Mapping[str, Any]], said: Words) -> list[dict[str, Any]]:
    return [{**each, **_rules_shown(each, said)} for each in rules]


def switches(said: Words) -> list[dict[str, Any]]:
    offers = []
    for name, settings in SWITCHES.items():
        about, meanings = SWITCH_TEXTS[name].values()
        shown = {each: said(meanings[each]) for each in settings}
        offers.append({"name": name, "about": said(about), "settings": shown})
    return offers


def rules_view(rules: Mapping[str, Any], said: Words) -> dict[str, Any]:
    """Return the rules of a table in words: what was agreed, and every yaku with its points."""
    agreed = [
        {"about": said(about), "setting": said(meanings[setting])}
        for name, (about, meanings) in ((name, switch.values()) for name, switch in SWITCH_TEXTS.items())
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
    if preset not in PRESETS.names:
        return None
    try:
        rules = rules_shown(load_rules(PRESETS, preset, assignments(changes)))
    except DeskError:
        return None
    return {**rules_view(rules, said), "card_names": card_names(said.language)}


def _rules_shown(rules: Mapping[str, Any], said: Words) -> dict[str, Any]:
    preset = _PRESET_TEXTS.get(rules["name"])
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


PROPOSED: Final = "nintendo"
"""The preset that a set-up proposes: its leaflet lies in the box of the most common cards, and Japanese pages
of rules such as http://toranpu.wiki.fc2.com/wiki/花札　こいこい list the same points."""

SWITCHES: Final[Mapping[str, Mapping[str, Sequence[str]]]] = MappingProxyType(
    {
        "months": {number: (f"match.rounds={number}",) for number in ("1", "3", "6", "12")},
        "calls": {
            "opponent": ("calls.effect=opponent_call_doubles",),
            "each": ("calls.effect=each_call_doubles",),
            "own": ("calls.effect=own_calls_multiply",),
            "anybody": ("calls.effect=any_call_doubles",),
        },
        "call_limit": {"any": ("calls.limit=0",), "once": ("calls.limit=1",)},
        "seven": {
            "from": ("threshold.mode=ge", "threshold.points=7"),
            "above": ("threshold.mode=gt", "threshold.points=7"),
            "off": ("threshold.mode=off",),
        },
        "viewing": {
            "never": ("yaku.hanamizake.points=0", "yaku.tsukimizake.points=0"),
            "beside_another": ("viewing.beside_another=true",),
            "rain_man": ("viewing.rained_off=true",),
            "captured": ("viewing.rain=captured", "viewing.fog=captured"),
            "on_field": ("viewing.rain=on_field", "viewing.fog=on_field"),
            "always": (
                "viewing.rained_off=false",
                "viewing.rain=never",
                "viewing.fog=never",
                "viewing.beside_another=false",
            ),
        },
        "sake": {"both": ("sake_cup.counts_as_kasu=true",), "animal": ("sake_cup.counts_as_kasu=false",)},
        "lights": {
            name: (f"field.lights_multiply={name}",) for name in ("off", "double", "count", "one_more")
        },
        "no_winner": {
            number: (f"settlement.dealer_points_without_winner={number}",) for number in ("0", "1", "6")
        },
    }
)
"""For each switch its settings, and the house rules that each of them sets."""


def settings(rules: RuleSet) -> dict[str, str]:
    """Return the setting of each switch under a ruleset; empty where the rules say something else."""
    return {
        switch: next(
            (name for name, sets in choices.items() if all(_holds(rules, each) for each in sets)), ""
        )
        for switch, choices in SWITCHES.items()
    }


def assignments(changes: Mapping[str, str]) -> list[str]:
    """Return the house rules of settings of switches, as `--set` takes them; DeskError for none."""
    sets: list[str] = []
    for switch, name in changes.items():
        chosen = SWITCHES.get(switch, {}).get(name)
        if chosen is None:
            raise DeskError("there is no rule {switch} = {name}", switch=switch, name=name)
        sets += chosen
    return sets


def check_players(rules: RuleSet, players: int) -> None:
    try:
        rules.deal.size(players)
    except ValueError as error:
        raise DeskError(
            "--rules {rules}: {why}; kasu-2008 is for two to four", rules=rules.name, why=sentence_of(error)
        ) from error


def rules_shown(rules: RuleSet) -> dict[str, Any]:
    """Return what a page tells of a ruleset; `title` is that of a house's own rules, None for a preset."""
    is_preset = rules.name in PRESETS
    # a log of an earlier version has the title of the preset on which its house's rules are based
    is_own = not is_preset and rules.title not in {PRESETS[name].title for name in PRESETS.names}
    return {
        "name": rules.name,
        "title": rules.title if is_own else None,
        "is_changed": is_preset and replace(PRESETS[rules.name], match=rules.match) != rules,
        "players": [number for number in (2, 3, 4) if _is_for(rules, number)],
        "settings": settings(rules),
        "yaku": [row for yaku in (*YAKU, MONTH_YAKU[0]) if (row := _row(yaku, rules))["points"]],
        "threshold": rules.threshold.points,
        "hands": rules.hands.points if rules.hands.teshi == "win" else 0,
    }


def _is_for(rules: RuleSet, players: int) -> bool:
    try:
        check_players(rules, players)
    except DeskError:
        return False
    return True


def _row(yaku: Yaku, rules: RuleSet) -> dict[str, Any]:
    worth = getattr(rules.yaku, yaku.name)
    return {
        "name": yaku.name,
        "points": worth.points,
        "extra": worth.extra,
        "after_call": worth.points_after_call,
        "count": yaku.count,
        "cards": [] if yaku.name == "month" else list(cards_of(_cards(yaku, rules))),
        "among": [] if yaku.needs.bit_count() == yaku.count else list(cards_of(yaku.needs)),
    }


def _cards(yaku: Yaku, rules: RuleSet) -> Pile:
    """Return the cards that make a yaku, without those that only add points to it."""
    if yaku.name == "kasu" and not rules.sake_cup.counts_as_kasu:
        return yaku.pool & ~SAKE_CUP
    return yaku.needs if yaku.needs.bit_count() == yaku.count else yaku.pool


def _holds(rules: RuleSet, assignment: str) -> bool:
    path, _, wanted = assignment.partition("=")
    value: object = reduce(getattr, path.split("."), rules)
    return (str(value).lower() if isinstance(value, bool) else str(value)) == wanted
