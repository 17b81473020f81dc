"""The rulesets of Koi-Koi that ship with the referee, and those of a house."""

from collections.abc import Sequence

from referee.house_rules import Presets
from referee.koikoi.ruleset import RuleSet

DEFAULT = "kasu-2008"
PRESET_NAMES = ("kasu-2008", "nintendo", "fuda-wiki", "koikoi-japan", "bga-hard", "bga-soft")
PRESETS = Presets(RuleSet, "referee.koikoi", PRESET_NAMES, DEFAULT)


def preset(name: str = DEFAULT) -> RuleSet:
    """Return a ruleset that ships with the referee; an unknown name is refused with a suggestion."""
    return PRESETS[name]


def house_rules(text: str, name: str = "house", overrides: Sequence[str] = ()) -> RuleSet:
    """Return a club's ruleset from TOML text; see `referee.house_rules.Presets.house`."""
    return PRESETS.house(text, name, overrides)
