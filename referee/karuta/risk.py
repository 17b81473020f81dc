"""What `decided` states: how many of a thousand decided rulings may be wrong, and what was measured of that.

`evidence.toml` counts fresh poems whose truth is known, each filmed on its own: how many rulings each
confidence would have decided, and how many of them wrongly. `python -m benchmarks.reliability --write` makes
it. A share is bounded from above (Clopper and Pearson, 1934), at 95 % for all rows together (Bonferroni),
since a threshold may be chosen by them.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import ceil, exp, lgamma, log, log1p
from typing import Any, Final

from referee.karuta.ruleset import RuleSet

THRESHOLDS: Final = (0.85, 0.9, 0.95, 0.98, 0.99)
"""Confidences from which a ruling may be decided, fixed before the poems were played."""
_MISSED: Final = 0.05  # chance that a bound does not hold
_MOST_POEMS: Final = 1_000_000  # more than anybody plays; a bound of many wrong ones takes long


def upper_bound(wrong: int, n: int, missed: float = _MISSED) -> float:
    """Return the upper end of the one-sided interval of a share, `wrong` of `n`; it is `missed` so often."""
    if wrong >= n:
        return 1.0
    choices = [lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) for k in range(wrong + 1)]
    low, high = 0.0, 1.0
    while high - low > 1e-9:
        share = (low + high) / 2
        chance = sum(exp(ways + k * log(share) + (n - k) * log1p(-share)) for k, ways in enumerate(choices))
        low, high = (share, high) if chance > missed else (low, share)
    return high


def poems_to_show(share: float, missed: float = _MISSED) -> int:
    """Return how many decided poems without a wrong one bound the share of wrong ones by this share."""
    return ceil(log(missed) / log1p(-share))


@dataclass(frozen=True, slots=True)
class Risk:
    """What is known of decided rulings from a confidence on."""

    stated_per_thousand: float  # how many of a thousand decided rulings a club lets be wrong
    threshold: float
    # decided, wrong: poems that it would have decided among those measured, and how many of these wrongly
    decided: int
    wrong: int

    def __post_init__(self) -> None:
        if not (0 < self.stated_per_thousand < 1000 and 0 <= self.wrong <= self.decided <= _MOST_POEMS):
            raise ValueError(
                f"{self.wrong} of {self.decided} poems, {self.stated_per_thousand} per thousand?"
            )

    @property
    def at_most_per_thousand(self) -> float:
        """Bound of the wrong ones among a thousand decided rulings."""
        return 1000 * upper_bound(self.wrong, self.decided, _MISSED / len(THRESHOLDS))

    @property
    def is_shown(self) -> bool:
        """Whether the bound keeps within what is stated."""
        return self.at_most_per_thousand <= self.stated_per_thousand

    @property
    def poems_to_show(self) -> int:
        """How many decided poems without a wrong one it takes to show what is stated."""
        return poems_to_show(self.stated_per_thousand / 1000, _MISSED / len(THRESHOLDS))

    def to_json(self) -> dict[str, Any]:
        return {
            "stated_per_thousand": self.stated_per_thousand,
            "threshold": self.threshold,
            "decided": self.decided,
            "wrong": self.wrong,
            "at_most_per_thousand": round(self.at_most_per_thousand, 2),
            "is_shown": self.is_shown,
            "poems_to_show": self.poems_to_show,
        }


@cache
def _measured() -> tuple[tuple[float, int, int], ...]:
    """Return thresholds, poems decided, and those decided wrongly."""
    rows = tomllib.loads(files("referee.karuta").joinpath("evidence.toml").read_text("utf-8"))["row"]
    return tuple((row["threshold"], row["decided"], row["wrong"]) for row in rows)


def risk_of(rules: RuleSet) -> Risk:
    """Return what is known of the rulings that house rules decide.

    They count as at the measured threshold that is next below theirs, as surer rulings are no worse; below
    all of these nothing is known.
    """
    rows = [row for row in _measured() if row[0] <= rules.min_confidence]
    _, decided, wrong = rows[-1] if rows else (0.0, 0, 0)
    return Risk(rules.wrong_per_thousand, rules.min_confidence, decided, wrong)


def threshold_for(per_thousand: float) -> float:
    """Return the least measured threshold that keeps within a risk, else the one with the least bound."""
    risks = [Risk(per_thousand, *row) for row in _measured()]
    shown = [risk for risk in risks if risk.is_shown]
    return (shown[0] if shown else min(risks, key=lambda risk: risk.at_most_per_thousand)).threshold
