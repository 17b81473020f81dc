"""Rulesets are written as text and read again."""

import pytest

from referee import rules_listing, toml_text
from referee.karuta import house_rules as karuta
from referee.kendo import house_rules as kendo
from referee.koikoi import house_rules as koikoi
from referee.rules_listing import listing


def test_a_written_ruleset_reads_back_as_itself() -> None:
    for name in koikoi.PRESET_NAMES:
        assert koikoi.house_rules(listing(koikoi.preset(name))) == koikoi.preset(name)
    assert kendo.house_rules(listing(kendo.preset())) == kendo.preset()


@pytest.mark.parametrize(
    ("toml", "complaint"),
    [("a = " + "[" * 5000, "nested"), ("a" + ".a" * 50_000 + " = 1", "nested"),
     ("a = " + "9" * 5000, "digits"), ("# " + "a" * (1 << 20), "too long"),
     ("a = 1\na = 2", "overwrite")],
)  # fmt: skip
def test_toml_that_cannot_be_read_is_no_traceback(toml: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        toml_text.parse(toml)


def test_one_word_may_fill_a_file() -> None:
    """A search for deep keys that began anew at each letter would take an hour."""
    word = "x" * 1_000_000
    assert toml_text.parse(f'a = "{word}"') == {"a": word}


def test_keys_carry_their_meaning() -> None:
    lines = listing(koikoi.preset("koikoi-japan")).splitlines()
    place = lines.index("counts_as_kasu = true")
    assert lines[place - 1] == "# it counts among the ten kasu as well as among the animals."
    assert "hanamizake = { points = 1, extra = 0, points_after_call = 3 }" in lines
    assert all(len(line) <= rules_listing._WIDTH + 2 for line in lines)
    # one text for several keys stands at each of them
    assert sum("`redeal` or `play` on; if play goes on with three of a month" in line for line in lines) == 3


@pytest.mark.parametrize("change", ["rounds = 3", "rounds = 4"])
def test_an_edited_copy_of_a_preset_has_the_name_of_its_file(change: str) -> None:
    copied = listing(koikoi.preset("bga-hard"))
    assert koikoi.house_rules(copied, "parlour").name == "bga-hard"  # nothing was changed: that is what it is
    edited = koikoi.house_rules(copied.replace("rounds = 6", change), "parlour")
    assert (edited.name, edited.title) == ("parlour", "parlour")
    named = koikoi.house_rules(copied.replace('"bga-hard"', '"Hana\'s"'), "parlour")
    assert (named.name, named.title) == ("Hana's", "Hana's")


def test_a_house_has_its_own_title_or_that_of_its_file() -> None:
    assert koikoi.house_rules('base = "nintendo"', "parlour").title == "parlour"
    assert koikoi.house_rules('title = "Evenings at home"', "parlour").title == "Evenings at home"
    assert karuta.PRESETS.house('base = "official"\nmay_waive = false', "club").name == "club"
    edited = listing(karuta.PRESETS["kyogi"]).replace("may_waive = true", "may_waive = false")
    assert karuta.PRESETS.house(edited, "club").name == "club"
    assert koikoi.house_rules('base = "nintendo"', "nintendo", ["match.rounds=3"]).name == "nintendo"
