"""The karuta rulesets that ship with the referee, and those of a house."""

from collections.abc import Sequence
from dataclasses import replace

from referee.house_rules import Presets
from referee.karuta.risk import threshold_for
from referee.karuta.ruleset import KYOGI, RuleSet


class _KarutaPresets(Presets[RuleSet]):
    """Rulesets that decide only from a confidence that keeps within their risk, as far as is known."""

    def house(self, text: str, name: str = "house", overrides: Sequence[str] = ()) -> RuleSet:
        """Return a club's ruleset; see `Presets.house`."""
        rules = super().house(text, name, overrides)
        least = threshold_for(rules.wrong_per_thousand)
        return replace(rules, min_confidence=max(rules.min_confidence, least))


PRESETS = _KarutaPresets(RuleSet, "referee.karuta", ("kyogi", "official", "seed-000", "seed-001"), KYOGI.name)
