"""House rules in words: what each preset says, the rules on which tables differ, and the table of yaku."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from desk.errors import DeskError
from desk.koikoi.agreement import assignments, rules_shown
from desk.koikoi.page.view import called_yaku, card_names
from desk.panel.words import N_, Words
from desk.tables.rules_option import load_rules
from referee.koikoi.house_rules import PRESETS as HOUSE_RULES


@dataclass(frozen=True, slots=True)
class Preset:
    """A preset in words: a title, and in three lines what is special about it."""

    title: str
    lines: tuple[str, str, str]


PRESETS: Final[Mapping[str, Preset]] = MappingProxyType(
    {
        "nintendo": Preset(
            N_("The leaflet in the box"),
            (
                N_("7 points or more are doubled, and doubled again if the opponent called koi-koi."),
                N_("One koi-koi for each player and month. Four pairs in the middle are dealt again."),
                N_("The winner deals next; without a winner the deal passes on."),
            ),
        ),
        "fuda-wiki": Preset(
            N_("The players' wiki: five brights 15"),
            (
                N_("Five brights 15, three brights 6; in twelve months the four cards of the month 4."),
                N_("7 points or more are doubled, and doubled again if the opponent called koi-koi."),
                N_("Koi-koi as often as one likes. Without a winner the dealer stays."),
            ),
        ),
        "kasu-2008": Preset(
            N_("A club's rules of 2008, for two to four"),
            (
                N_("Every koi-koi doubles, whoever called it."),
                N_("More than 7 points are doubled: 7 are not."),
                N_("A dealer who wins deals again; else the neighbour to the right deals."),
            ),
        ),
        "koikoi-japan": Preset(
            N_("An online game: calls add points"),
            (
                N_("One's own calls add 1, 2, 3 points, later ones multiply. 7 points are not doubled."),
                N_("The viewings are 1 point, 3 after an own call. Animal and ribbon yaku add up."),
                N_("Everybody has 30 points, and the loser pays the winner."),
            ),
        ),
        "bga-hard": Preset(
            N_("A game server, the hard way"),
            (
                N_("7 points or more are doubled, and doubled again if the opponent called koi-koi."),
                N_("Animal and ribbon yaku add up."),
                N_("Everybody has 50 points, and the loser pays the winner."),
            ),
        ),
        "bga-soft": Preset(
            N_("A game server, the soft way"),
            (
                N_("Each of one's own calls multiplies: by 2, by 3, …"),
                N_(
                    "Brights that are dealt to the middle multiply by their number. 7 points are not doubled."
                ),
                N_("Everybody has 50 points, and the loser pays the winner."),
            ),
        ),
    }
)


@dataclass(frozen=True, slots=True)
class Switch:
    """A rule on which tables differ: what it is about, and its settings in words."""

    about: str
    settings: Mapping[str, str]


SWITCHES: Final[Mapping[str, Switch]] = MappingProxyType(
    {
        "months": Switch(
            N_("Months"),
            {"1": N_("1 month"), "3": N_("3 months"), "6": N_("6 months"), "12": N_("12 months")},
        ),
        "calls": Switch(
            N_("What a koi-koi call does"),
            {
                "opponent": N_("doubles for the opponent"),
                "each": N_("every call doubles"),
                "own": N_("own calls multiply: ×2, ×3, …"),
                "anybody": N_("doubles once, whoever called"),
            },
        ),
        "call_limit": Switch(
            N_("Calls of one player in a month"), {"any": N_("as many as one likes"), "once": N_("one")}
        ),
        "seven": Switch(
            N_("Doubling of large sums"),
            {"from": N_("from 7 points on"), "above": N_("above 7 points"), "off": N_("none")},
        ),
        "viewing": Switch(
            N_("Sake while viewing blossoms or the moon"),
            {
                "always": N_("counts"),
                "beside_another": N_("only beside another yaku"),
                "rain_man": N_("not for who holds the rain man"),
                "captured": N_("not for who took rain (willow) or fog (paulownia)"),
                "on_field": N_("not while rain or fog lies in the middle"),
                "never": N_("is not played"),
            },
        ),
        "sake": Switch(N_("The sake cup"), {"both": N_("animal and chaff"), "animal": N_("an animal only")}),
        "lights": Switch(
            N_("Brights dealt to the middle"),
            {
                "off": N_("change nothing"),
                "double": N_("double the month"),
                "count": N_("multiply by their number"),
                "one_more": N_("multiply by their number and one"),
            },
        ),
        "no_winner": Switch(
            N_("A month without a winner"),
            {"0": N_("no points"), "1": N_("1 point for the dealer"), "6": N_("6 points for the dealer")},
        ),
    }
)
"""Texts of `desk.koikoi.agreement.SWITCHES`."""
_COUNTED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "tane": N_("each further animal +{n}"),
        "inoshikacho": N_("each further animal +{n}"),
        "kasu": N_("each further chaff card +{n}"),
    }
)
_KINDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "tane": N_("any {n} animals"),
        "tan": N_("any {n} ribbons"),
        "kasu": N_("any {n} chaff cards"),
        "month": N_("all {n} cards of the month that is played"),
    }
)
"""The cards of a yaku where they are too many to be named one by one."""
_RIBBON = N_("each further ribbon +{n}")


def offered(rules: Sequence[Mapping[str, Any]], said: Words) -> list[dict[str, Any]]:
    """Return presets with their titles and lines, and for whom they are."""
    return [{**each, **_rules_shown(each["name"], each["players"], said)} for each in rules]


def switches(offered_settings: Mapping[str, Sequence[str]], said: Words) -> list[dict[str, Any]]:
    """Return the disputed rules with the texts of their settings."""
    return [
        {
            "name": name,
            "about": said(SWITCHES[name].about),
            "settings": {each: said(SWITCHES[name].settings[each]) for each in settings},
        }
        for name, settings in offered_settings.items()
    ]


def rules_view(rules: Mapping[str, Any], said: Words) -> dict[str, Any]:
    """Return the rules of a table in words: what was agreed, and every yaku with its points."""
    agreed = [
        {"about": said(switch.about), "setting": said(switch.settings[setting])}
        for name, switch in SWITCHES.items()
        if (setting := rules["settings"][name])
    ]
    if rules["hands"]:
        agreed.append({"about": said("Teshi and kuttsuki"), "setting": _points(rules["hands"], said)})
    return {
        **_rules_shown(rules["name"], rules["players"], said),
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


def _rules_shown(name: str, players: Sequence[int], said: Words) -> dict[str, Any]:
    preset = PRESETS.get(name)
    title = name if preset is None else preset.title
    only = said("for {players} players only", players=said(" or ").join(map(str, players)))
    return {
        "title": said(title) if title != name else name,
        "lines": [said(line) for line in preset.lines] if preset is not None else [],
        "only": only,
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
