"""From the sum of the yaku to the points: koi-koi calls, and doubling of large sums (L83, L91-L101)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.koikoi.ruleset import CallEffect, LightsFactor, RuleSet

LADDER_STEPS = 3  # `own_ladder`: the number of calls that add points; later calls multiply


def call_effect(effect: CallEffect, own_calls: int, other_calls: int) -> tuple[int, int]:
    """Return the factor and the bonus that the calls of this round give the stopping player."""
    if effect == "own_ladder":
        return (1, own_calls) if own_calls <= LADDER_STEPS else (own_calls - LADDER_STEPS + 1, 0)
    factors = {
        "each_call_doubles": 2 ** (own_calls + other_calls),
        "opponent_call_doubles": 2 if other_calls else 1,
        "any_call_doubles": 2 if own_calls or other_calls else 1,
        "own_calls_multiply": 1 + own_calls,
        "opponent_calls_multiply": 1 + other_calls,
    }
    return factors[effect], 0


def lights_factor(multiply: LightsFactor, lights: int) -> int:
    """Return the factor for the lights that were dealt to the field."""
    if multiply == "off" or not lights:
        return 1
    return {"double": 2, "count": lights, "one_more": lights + 1}[multiply]


def threshold_factor(base: int, rules: RuleSet) -> int:
    """Return the factor for a large sum; the undoubled sum is compared with the limit (L95)."""
    threshold = rules.threshold
    reached = (threshold.mode == "gt" and base > threshold.points) or (
        threshold.mode == "ge" and base >= threshold.points
    )
    return threshold.factor if reached else 1


@dataclass(frozen=True, slots=True)
class Payout:
    """How the points of a stop are calculated."""

    base: int
    call_factor: int
    call_bonus: int
    threshold_factor: int
    lights_factor: int = 1

    @classmethod
    def of(cls, base: int, own_calls: int, other_calls: int, rules: RuleSet, lights: int = 0) -> Payout:
        """Calculate the payout of a sum of yaku; 0 pays nothing, since nobody can stop without a yaku."""
        if base == 0:
            return cls(0, 1, 0, 1)
        factor, bonus = call_effect(rules.calls.effect, own_calls, other_calls)
        of_lights = lights_factor(rules.field.lights_multiply, lights)
        return cls(base, factor, bonus, threshold_factor(base, rules), of_lights)

    @property
    def points(self) -> int:
        """The points of the stopping player."""
        points = self.base * self.call_factor + self.call_bonus
        return points * self.threshold_factor * self.lights_factor

    def formula(self, yaku_points: Sequence[int] = ()) -> str:
        """Return the calculation as players write it.

        `yaku_points`: the points of each yaku; if omitted, only their sum is shown.
        """
        terms = list(yaku_points) or [self.base]
        product = " + ".join(map(str, terms))
        last = [(self.threshold_factor, "large sum"), (self.lights_factor, "lights on the field")]
        factors = [f" x {factor} ({why})" for factor, why in last if factor > 1]
        if len(terms) > 1 and (self.call_factor > 1 or factors):
            product = f"({product})"
        if self.call_factor > 1:
            product += f" x {self.call_factor} (koi-koi)"
        if self.call_bonus:
            product += f" + {self.call_bonus} (koi-koi)"
            # the factors multiply the bonus too
            product = f"({product})" if factors else product
        product += "".join(factors)
        return product if product == str(self.points) else f"{product} = {self.points}"
