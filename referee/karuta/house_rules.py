"""The karuta rulesets that ship with the referee, and those of a house."""

from __future__ import annotations

from referee.house_rules import Presets
from referee.karuta.ruleset import KYOGI, RuleSet

PRESETS = Presets(RuleSet, "referee.karuta", ("kyogi", "official", "seed-000", "seed-001"), KYOGI.name)
