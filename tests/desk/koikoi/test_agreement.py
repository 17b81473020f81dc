"""What a table agrees on before a game: presets, disputed rules, and numbers of players that fit."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from desk.errors import DeskError
from desk.koikoi.card_game import KOIKOI, UNFIT_RULES
from desk.koikoi.page.rules import (
    SWITCH_TEXTS,
    SWITCHES,
    assignments,
    check_players,
    rules_shown,
    rules_view,
    settings,
)
from desk.panel.words import words
from referee.koikoi.house_rules import PRESET_NAMES, house_rules, preset
from referee.koikoi.piles import SAKE_CUP, cards_of

(SAKE_CUP_CARD,) = cards_of(SAKE_CUP)


@pytest.mark.parametrize(
    ("switch", "setting"), [(switch, each) for switch, choices in SWITCHES.items() for each in choices]
)
def test_every_switch_can_be_set_and_is_read_back(switch: str, setting: str) -> None:
    rules = house_rules('base = "fuda-wiki"', overrides=assignments({switch: setting}))
    assert settings(rules)[switch] == setting
    assert setting in SWITCH_TEXTS[switch]["settings"], "it has a text"


@pytest.mark.parametrize("changes", [{"poker": "1"}, {"months": "5"}])
def test_a_setting_that_is_none_is_refused_in_one_line(changes: dict[str, str]) -> None:
    with pytest.raises(DeskError, match="there is no rule"):
        assignments(changes)


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("rules", [name for name in PRESET_NAMES if name != "kasu-2008"])
def test_three_or_four_cannot_begin_under_rules_for_two(rules: str, players: int) -> None:
    with pytest.raises(DeskError, match=f"^{UNFIT_RULES}$"):
        KOIKOI.rules(rules, {}, players)
    KOIKOI.rules(rules, {}, 2)
    KOIKOI.rules("kasu-2008", {"months": "3"}, players)
    with pytest.raises(DeskError, match=f"--rules {rules}: these rules are for 2 players, got {players}; "):
        check_players(preset(rules), players)


def test_the_set_up_proposes_what_lies_in_the_box_and_says_for_whom_rules_are() -> None:
    choices = KOIKOI.choices([], words("en"))
    assert choices["default_rules"] == choices["rules"][0]["name"] == "nintendo"
    fit = {each["name"]: each["players"] for each in choices["rules"]}
    assert set(fit) == set(PRESET_NAMES)
    assert fit["kasu-2008"] == [2, 3, 4]
    assert fit["nintendo"] == [2]


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("name", PRESET_NAMES)
def test_every_preset_has_a_title_and_three_lines(name: str, language: str) -> None:
    view = rules_view(rules_shown(preset(name)), words(language))
    assert len(view["lines"]) == 3
    assert view["title"] not in {name, ""}
    assert name not in "".join(view["lines"])


@pytest.mark.parametrize(("language", "based"), [("en", "Based on: "), ("ja", "をもとにした取り決め")])
def test_changed_rules_are_called_by_their_own_title(language: str, based: str) -> None:
    def shown(text: str, name: str, changes: dict[str, str]) -> Mapping[str, Any]:
        return rules_view(rules_shown(house_rules(text, name, assignments(changes))), words(language))

    usual = shown('base = "nintendo"', "nintendo", {"months": "3"})
    assert len(usual["lines"]) == 3
    assert based not in usual["title"]
    changed = shown('base = "nintendo"', "nintendo", {"seven": "off"})
    assert based in changed["title"]
    assert changed["lines"] == []  # they would tell of doubled sums
    assert shown('base = "nintendo"', "parlour", {})["title"] == "parlour"
    assert shown('title = "Evenings"', "parlour", {})["title"] == "Evenings"
    logged = replace(house_rules("", "parlour"), title=preset("kasu-2008").title)
    assert rules_view(rules_shown(logged), words(language))["title"] == "parlour"


def test_the_table_of_yaku_has_the_points_of_this_table() -> None:
    rules = house_rules(
        'base = "koikoi-japan"\nyaku.sanko.points = 6', overrides=assignments({"months": "3"})
    )
    view = rules_view(rules_shown(rules), words("en"))
    rows = {row["name"]: row for row in view["yaku"]}
    assert (rows["sanko"]["points_text"], rows["sanko"]["of"]) == ("6 points", "3 of these")
    assert rows["hanamizake"]["more"] == ["3 points after an own koi-koi"]
    assert rows["kasu"]["more"] == ["each further chaff card +1"]
    assert rows["akatan"]["cards"] == [1, 5, 9]
    assert "month" not in rows
    rows = {row["name"]: row for row in rules_view(rules_shown(rules), words("ja"))["yaku"]}
    assert rows["ame_shiko"]["of"] == "このうち4枚（11月 柳・小野道風を必ず含む）"
    assert rows["tane"]["kind"] == "タネ札をどれでも5枚"
    assert SAKE_CUP_CARD in rows["kasu"]["cards"]
    alone = rules_shown(house_rules("", overrides=assignments({"sake": "animal"})))
    assert [SAKE_CUP_CARD in row["cards"] for row in alone["yaku"] if row["name"] == "kasu"] == [False]
    assert {"about": "Months", "setting": "3 months"} in view["agreed"]
    assert "Teshi and kuttsuki" not in {each["about"] for each in view["agreed"]}
    without = rules_view(
        rules_shown(house_rules("", overrides=assignments({"viewing": "never"}))), words("en")
    )
    assert "hanamizake" not in {row["name"] for row in without["yaku"]}
