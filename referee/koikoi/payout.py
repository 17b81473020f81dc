"""From the sum of the yaku to the points: koi-koi calls, and doubling of large sums (L83, L91-L101)."""

from collections.abc import Sequence
from functools import cache

from referee.koikoi.ruleset import CallEffect, LightsFactor, RuleSet

LADDER_STEPS = 3  # `own_ladder`: the number of calls that add points; later calls multiply


@cache
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


def formula(yaku_points: Sequence[int], points: int, calls: tuple[int, int], large: int, lights: int) -> str:
    """Return the calculation of points as players write it.

    `calls`: factor and bonus of the calls. `large`, `lights`: the factors of the last two doublings.
    """
    call_factor, call_bonus = calls
    product = " + ".join(map(str, yaku_points))
    last = [(large, "large sum"), (lights, "lights on the field")]
    factors = "".join(f" x {factor} ({why})" for factor, why in last if factor > 1)
    if len(yaku_points) > 1 and (call_factor > 1 or factors):
        product = f"({product})"
    if call_factor > 1:
        product += f" x {call_factor} (koi-koi)"
    if call_bonus:
        product += f" + {call_bonus} (koi-koi)"
        # the factors multiply the bonus too
        product = f"({product})" if factors else product
    product += factors
    return product if product == str(points) else f"{product} = {points}"
