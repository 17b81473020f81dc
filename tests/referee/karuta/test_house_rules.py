"""House rules of karuta: every value of every switch can be set by a club, and is explained to it."""

import re
from dataclasses import is_dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from referee.house_rules import RuleSetError
from referee.karuta import rulebook
from referee.karuta.house_rules import PRESETS
from referee.karuta.ruleset import Measures, RuleSet
from referee.karuta.ruling import Doubt
from referee.rules_listing import listing

SWITCHES: dict[str, Any] = {name: kind for name, kind in get_type_hints(RuleSet).items() if name != "name"}


def values_of(kind: Any) -> dict[str, object]:
    """Return a switch's values by the words that a club writes for them."""
    if kind is bool:
        return {"true": True, "false": False}
    return {word.value: word for word in kind} if issubclass(kind, StrEnum) else {}


VALUES = [(name, word, value) for name, kind in SWITCHES.items() for word, value in values_of(kind).items()]


@pytest.mark.parametrize(("switch", "word", "value"), VALUES)
def test_every_value_of_every_switch_is_set_by_file_and_option(switch: str, word: str, value: object) -> None:
    written = word if isinstance(value, bool) else f'"{word}"'
    assert getattr(PRESETS.house(f"{switch} = {written}"), switch) == value
    assert getattr(PRESETS.house("", overrides=[f"{switch}={word}"]), switch) == value


def test_numbers_and_measures_are_set_too() -> None:
    rules = PRESETS.house(
        "tidying_after_ms = 0\nmin_confidence = 1\n[measures]\nwidth_m = 0.9\nrow_gap_m = false"
    )
    assert (rules.tidying_after_ms, rules.min_confidence) == (0, 1.0)
    assert rules.measures == replace(Measures(), width_m=0.9, row_gap_m=None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('wrong_hand = "viod"', "wrong_hand must be one of fault, opponent_takes, void .did you mean 'void'"),
        ("wrong_hands = 1", "unknown key 'wrong_hands' .did you mean 'wrong_hand'"),
        ("min_confidence = true", "min_confidence must be a number, got True"),
        ("min_confidence = 2", r"min_confidence must lie in 0\.\.1, got 2"),
        ("tidying_after_ms = 1.5", "tidying_after_ms must be a whole number from 0 on, got 1.5"),
        ("[measures]\nwidth_m = 87", r"measures\.width_m must lie between 0 and 2 metres, got 87"),
        ("[measures]\nwidth_m = 2.5", r"measures\.width_m must lie between 0 and 2 metres, got 2.5"),
        ("[measures]\nwidth_m = 'wide'", "measures.width_m must be a number, got 'wide'"),
        ('base = "offical"', "there is no ruleset 'offical' .did you mean 'official'"),
    ],
)
def test_what_is_no_rule_is_refused_with_the_key(text: str, message: str) -> None:
    with pytest.raises(RuleSetError, match=message):
        PRESETS.house(text)


@pytest.mark.parametrize("name", PRESETS.names)
def test_a_preset_written_out_reads_back_as_itself(name: str) -> None:
    rules = PRESETS[name]
    assert rules.name == name
    said = {switch.id: switch.about_en for switch in rulebook.switches().values()}
    text = listing(rules, said)
    assert PRESETS.house(text) == rules
    assert all(about[:40] in text for about in said.values())


def test_the_usual_preset_is_what_the_defaults_say() -> None:
    assert PRESETS["kyogi"] == RuleSet()
    assert "kyogi" in PRESETS
    assert "house" not in PRESETS


def test_every_switch_and_value_has_its_text_and_every_text_its_switch() -> None:
    texts = rulebook.switches()
    assert list(texts) == [*{**dict.fromkeys(texts), **dict.fromkeys(SWITCHES)}]
    assert set(texts) == set(SWITCHES)
    for name, kind in SWITCHES.items():
        words = () if kind in {int, float} or is_dataclass(kind) else tuple(values_of(kind))
        assert tuple(texts[name].values) == words
        assert bool(words) != bool(texts[name].source)


def test_every_text_names_a_known_source_in_two_languages() -> None:
    texts = [one for switch in rulebook.switches().values() for one in switch.values.values()]
    numbers = [switch for switch in rulebook.switches().values() if not switch.values]
    places = [(one.source, one.paragraph) for one in texts] + [(one.source, one.paragraph) for one in numbers]
    assert {source for source, _ in places} <= set(rulebook.sources())
    assert all(paragraph for _, paragraph in places)
    said = [(one.ja, one.en) for one in texts]
    for switch in rulebook.switches().values():
        said += [(switch.title_ja, switch.title_en), (switch.about_ja, switch.about_en)]
    for ja, en in said:
        assert re.search("[ぁ-ゖァ-ヺ一-龠]", ja)
        assert not re.search("[(),:?]", ja), ja
        assert en


def test_each_preset_has_a_title_and_three_lines_of_differences_in_two_languages() -> None:
    assert tuple(rulebook.presets()) == PRESETS.names
    for preset in rulebook.presets().values():
        assert preset.title_ja
        assert preset.title_en
        assert len(preset.about_ja) == len(preset.about_en) == 3


KARUTA = Path(rulebook.__file__).parent


def test_every_reason_names_a_known_source_and_both_texts() -> None:
    for reason in rulebook.reasons().values():
        assert reason.source in rulebook.sources()
        assert reason.paragraph
        assert re.search("[ぁ-ゖ一-龠]", reason.ja)
        assert reason.en.endswith(".")


def test_every_doubt_has_a_text() -> None:
    assert set(rulebook.doubts()) == set(Doubt)
    assert all(text.ja and text.en for text in rulebook.doubts().values())


def test_every_reason_is_given_somewhere() -> None:
    code = "".join(path.read_text("utf-8") for path in KARUTA.rglob("*.py"))
    assert [id_ for id_ in rulebook.reasons() if f'"{id_}"' not in code] == []


def test_sources_have_titles() -> None:
    assert set(rulebook.sources()) == {"seed-000", "seed-001", "official", "reading"}
    assert all(source.title_ja and source.title_en for source in rulebook.sources().values())
