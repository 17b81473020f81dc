"""From the sum of the yaku to the points: koi-koi calls, and doubling of large sums (L83, L91-L101)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.koikoi.ruleset import CallEffect, RuleSet

LADDER_STEPS = 3
"""`own_ladder`: the number of calls that add points; later calls multiply."""


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
    """Return the factor for a large sum; the undoubled sum is compared with the limit (L95)."""
    threshold = rules.threshold
    reached = (threshold.mode == "gt" and base > threshold.points) or (
        threshold.mode == "ge" and base >= threshold.points
    )
    return threshold.factor if reached else 1


@dataclass(frozen=True, slots=True)
class Payout:
    """How the points of a stop are calculated.

    Attributes
    ----------
    base : sum of the yaku.
    call_factor, call_bonus : factor and bonus of the calls.
    threshold_factor : factor of a large sum.
    """

    base: int
    call_factor: int
    call_bonus: int
    threshold_factor: int

    @classmethod
    def of(cls, base: int, own_calls: int, other_calls: int, rules: RuleSet) -> Payout:
        """Calculate the payout of a sum of yaku; 0 pays nothing, since nobody can stop without a yaku."""
        if base == 0:
            return cls(0, 1, 0, 1)
        factor, bonus = call_effect(rules.calls.effect, own_calls, other_calls)
        return cls(base, factor, bonus, threshold_factor(base, rules))

    @property
    def points(self) -> int:
        """The points of the stopping player."""
        return (self.base * self.call_factor + self.call_bonus) * self.threshold_factor

    def formula(self, yaku_points: Sequence[int] = ()) -> str:
        """Return the calculation as players write it.

        Parameters
        ----------
        yaku_points : the points of each yaku; if omitted, only their sum is shown.
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
            # the factor of a large sum multiplies the bonus too
            product = f"({product})" if self.call_bonus else product
            product += f" x {self.threshold_factor} (large sum)"
        return product if product == str(self.points) else f"{product} = {self.points}"
