"""From the sum of the yaku to the points: koi-koi calls and the doubling of large sums (L83, L91-L101)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.koikoi.ruleset import CallEffect, RuleSet

LADDER_STEPS = 3
"""`own_ladder`: so many calls add a point each, later ones multiply."""


def call_effect(effect: CallEffect, own_calls: int, other_calls: int) -> tuple[int, int]:
    """Return the factor and the bonus that koi-koi calls give the stopping player.

    Parameters
    ----------
    effect : the ruleset's key `calls.effect`.
    own_calls, other_calls : calls of the stopping player and of all others in this round.
    """
    if effect == "each_call_doubles":
        return 2 ** (own_calls + other_calls), 0
    if effect == "opponent_call_doubles":
        return (2 if other_calls else 1), 0
    if effect == "any_call_doubles":
        return (2 if own_calls or other_calls else 1), 0
    if effect == "own_calls_multiply":
        return 1 + own_calls, 0
    if effect == "opponent_calls_multiply":
        return 1 + other_calls, 0
    if own_calls <= LADDER_STEPS:
        return 1, own_calls
    return own_calls - LADDER_STEPS + 1, 0


def threshold_factor(base: int, rules: RuleSet) -> int:
    """Return the factor for a large sum; the undoubled sum is held against the limit (L95)."""
    threshold = rules.threshold
    reached = (threshold.mode == "gt" and base > threshold.points) or (
        threshold.mode == "ge" and base >= threshold.points
    )
    return threshold.factor if reached else 1


@dataclass(frozen=True, slots=True)
class Payout:
    """How the points of a stop come about.

    Attributes
    ----------
    base : sum of the yaku.
    call_factor, call_bonus : what the calls give.
    threshold_factor : what a large sum gives.
    """

    base: int
    call_factor: int
    call_bonus: int
    threshold_factor: int

    @classmethod
    def of(cls, base: int, own_calls: int, other_calls: int, rules: RuleSet) -> Payout:
        """Work out the payout of a sum of yaku; nobody can stop without a yaku, so 0 pays nothing."""
        if base == 0:
            return cls(0, 1, 0, 1)
        factor, bonus = call_effect(rules.calls.effect, own_calls, other_calls)
        return cls(base, factor, bonus, threshold_factor(base, rules))

    @property
    def points(self) -> int:
        """What the stopping player gets."""
        return (self.base * self.call_factor + self.call_bonus) * self.threshold_factor

    def formula(self, yaku_points: Sequence[int] = ()) -> str:
        """Return the calculation as players write it.

        Parameters
        ----------
        yaku_points : the points of each yaku; their sum alone is shown where they are left out.
        """
        terms = list(yaku_points) or [self.base]
        product = " + ".join(map(str, terms))
        if len(terms) > 1 and (self.call_factor > 1 or self.threshold_factor > 1):
            product = f"({product})"
        if self.call_factor > 1:
            product += f" x {self.call_factor} (koi-koi)"
        if self.call_bonus:
            product += f" + {self.call_bonus} (koi-koi)"
        if self.threshold_factor > 1:
            # a bonus is part of what a large sum multiplies
            product = f"({product})" if self.call_bonus else product
            product += f" x {self.threshold_factor} (large sum)"
        return product if product == str(self.points) else f"{product} = {self.points}"
