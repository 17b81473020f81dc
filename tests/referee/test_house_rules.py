"""Rulesets are written as text and read again."""

from __future__ import annotations

import pytest

from referee import rules_listing
from referee.kendo import house_rules as kendo
from referee.koikoi import house_rules as koikoi
from referee.rules_listing import listing


@pytest.mark.parametrize("name", koikoi.PRESET_NAMES)
def test_a_written_koikoi_ruleset_reads_back_as_itself(name: str) -> None:
    rules = koikoi.preset(name)
    assert koikoi.house_rules(listing(rules)) == rules


def test_a_written_kendo_ruleset_reads_back_as_itself() -> None:
    assert kendo.house_rules(listing(kendo.preset())) == kendo.preset()


def test_keys_carry_their_meaning() -> None:
    lines = listing(koikoi.preset("koikoi-japan")).splitlines()
    place = lines.index("counts_as_kasu = true")
    assert lines[place - 1] == "# it counts among the ten kasu as well as among the animals."
    assert "hanamizake = { points = 1, extra = 0, points_after_call = 3 }" in lines
    assert all(len(line) <= rules_listing._WIDTH + 2 for line in lines)
    # one text for several keys stands at each of them
    assert sum("`redeal` or `play` on; if play goes on with three of a month" in line for line in lines) == 3
