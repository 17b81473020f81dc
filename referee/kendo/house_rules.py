"""The rulesets of the Kendo game that ship with the referee, and those of a club."""

from referee.house_rules import Presets
from referee.kendo.ruleset import RuleSet

DEFAULT = "seed-003"
PRESETS = Presets(RuleSet, "referee.kendo", (DEFAULT,), DEFAULT)
PRESET_NAMES = PRESETS.names
house_rules = PRESETS.house


def preset(name: str = DEFAULT) -> RuleSet:
    """Return a ruleset that ships with the referee; an unknown name is refused with a suggestion."""
    return PRESETS[name]
