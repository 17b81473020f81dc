"""Rulesets as data: presets, overrides, and clear error messages."""

import dataclasses

import pytest

from referee.house_rules import RuleSetError
from referee.koikoi.house_rules import PRESET_NAMES, house_rules, preset


def test_the_default_is_the_club() -> None:
    assert preset().name == "kasu-2008"
    assert house_rules("") == dataclasses.replace(preset(), name="house", title="house")


@pytest.mark.parametrize("name", PRESET_NAMES)
def test_presets_load_and_say_what_they_are(name: str) -> None:
    rules = preset(name)
    assert rules.name == name
    assert rules.title
    assert preset(name) is rules
    assert house_rules(f'base = "{name}"', name) == rules


def test_the_presets_differ_where_the_sources_differ() -> None:
    kasu, nintendo, wiki, japan, bga, soft = map(preset, PRESET_NAMES)
    assert [rules.threshold.mode for rules in (kasu, nintendo, wiki, japan, bga)] == [
        "gt",
        "ge",
        "ge",
        "off",
        "ge",
    ]
    assert [rules.match.rounds for rules in (kasu, nintendo, wiki, japan, bga)] == [12, 12, 12, 8, 6]
    assert [rules.yaku.goko.points for rules in (kasu, nintendo, wiki, japan, bga)] == [10, 10, 15, 10, 10]
    assert (wiki.yaku.sanko.points, wiki.yaku.month.points) == (6, 4)
    assert (japan.yaku.hanamizake.points, japan.yaku.hanamizake.points_after_call) == (1, 3)
    assert bga.yaku.akatan_aotan.points == 0
    assert [rules.field.lights_multiply for rules in (kasu, bga, soft)] == ["off", "off", "count"]
    assert [rules.calls.limit for rules in (kasu, nintendo, wiki)] == [0, 1, 0]
    assert japan.settlement.mode == bga.settlement.mode == "zero_sum"


def test_a_house_overrides_keys_of_its_base() -> None:
    rules = house_rules(
        'base = "nintendo"\nname = "ours"\n[threshold]\npoints = 10', overrides=["match.rounds=6"]
    )
    assert (rules.name, rules.threshold.points, rules.threshold.mode) == ("ours", 10, "ge")
    assert rules.match.rounds == 6
    assert preset("nintendo").match.rounds == 12


@pytest.mark.parametrize(
    ("assignment", "section", "key", "value"),
    [
        (" calls.effect = own_ladder ", "calls", "effect", "own_ladder"),
        ("capture.mandatory=false", "capture", "mandatory", False),
        ("match.rounds=3", "match", "rounds", 3),
    ],
)
def test_overrides_as_typed(assignment: str, section: str, key: str, value: object) -> None:
    rules = house_rules("", overrides=[assignment])
    assert getattr(getattr(rules, section), key) == value


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[treshold]\nmode = 'ge'", r"unknown key 'treshold' \(did you mean 'threshold'\?\)"),
        ("xyzzy = 1", "unknown key 'xyzzy'$"),
        ("[threshold]\nmode = 'gte'", r"threshold.mode must be one of gt, ge, off.*did you mean 'gt'"),
        ("[threshold]\npoints = 'seven'", "^threshold.points must be a whole number from 0 on, got 'seven'$"),
        ("[threshold]\npoints = true", "threshold.points must be a whole number from 0 on, got True"),
        ("[threshold]\npoints = -1", "whole number from 0 on, got -1"),
        ("[capture]\nmandatory = 1", "capture.mandatory must be true or false, got 1"),
        ("title = 5", "title must be text, got 5"),
        ("threshold = 7", "threshold must be a table of keys, got 7"),
        ("[yaku.goko]\npoint = 10", "did you mean 'yaku.goko.points'"),
        ("[threshold", "not valid TOML"),
    ],
)
def test_what_cannot_be_a_ruleset_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(RuleSetError, match=complaint):
        house_rules(text)


@pytest.mark.parametrize("assignment", ["threshold.mode", "=ge", "threshold.mode="])
def test_an_override_needs_key_and_value(assignment: str) -> None:
    with pytest.raises(RuleSetError, match="written key=value"):
        house_rules("", overrides=[assignment])


def test_an_unknown_preset_is_refused() -> None:
    with pytest.raises(RuleSetError, match="no ruleset 'poker'; presets: kasu-2008"):
        preset("poker")
