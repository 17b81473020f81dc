"""The movements of a karuta player's hand, as moments in the player's own directions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.simulator.paths import Moment

REST_RIGHT_M = 0.12
REST_AHEAD_M = -0.335
REST_HEIGHT_M = 0.03
SHOULDER_RIGHT_M = 0.17
SHOULDER_AHEAD_M = -0.62
_LEAD_M = 0.095
"""A striking hand lands this far before the middle of the card."""


def natural_turn(right_m: float, ahead_m: float, handed: float = 1.0) -> float:
    """Direction in which the fingers point when the arm comes straight from its shoulder."""
    across = right_m - handed * SHOULDER_RIGHT_M
    return float(np.clip(np.arctan2(across, ahead_m - SHOULDER_AHEAD_M) * 0.8, -1.0, 1.0))


def rest(t_s: float, handed: float = 1.0) -> Moment:
    """Return the waiting hand at the player's edge of the field; `handed` is -1 for the left hand."""
    turn = -0.25 * handed
    return Moment(t_s, handed * REST_RIGHT_M, REST_AHEAD_M, REST_HEIGHT_M, turn)


def support(t_s: float, handed: float = -1.0, ahead_m: float = -0.375) -> Moment:
    """Return the hand that the player leans on, flat on the tatami."""
    return Moment(t_s, handed * 0.235, ahead_m, 0.012, -0.35 * handed)


def strike(
    t_s: float,
    at: tuple[float, float],
    way: tuple[float, float],
    speed_mps: float,
    lead_m: float = _LEAD_M,
    through_m: float = 0.15,
    handed: float = 1.0,
    stop: float = 0.35,
) -> list[Moment]:
    """Land beside a card and sweep it away: fingers meet it about `t_s`.

    `way` is the unit direction of the sweep, `lead_m` and `through_m` how far before and beyond the
    middle of the card the hand is down, `stop` the share of the speed left when it lifts.
    """
    along = np.array(way)
    middle = np.array(at)
    first, last = middle - along * lead_m, middle + along * through_m
    landing_s = t_s - 0.25 * lead_m / speed_mps
    leaving_s = landing_s + (lead_m + through_m) / (speed_mps * (1 + stop) / 2)
    turn = natural_turn(*at, handed)
    lead_turn = turn - 0.25 * way[0]
    beyond = last + along * speed_mps * stop * 0.06
    return [
        Moment(landing_s, *first, 0.0, lead_turn, *(along * speed_mps), v_z=-0.7),
        Moment(leaving_s, *last, 0.0, turn + 0.3 * way[0], *(along * speed_mps * stop), v_z=0.0),
        Moment(leaving_s + 0.12, *beyond, 0.06, turn + 0.15 * way[0]),
    ]


def press(
    t_s: float,
    at: tuple[float, float],
    slip: tuple[float, float],
    hold_s: float = 0.14,
    handed: float = 1.0,
) -> list[Moment]:
    """Come down on a place at about `t_s`, slip a little, and lift again."""
    turn = natural_turn(*at, handed)
    slip_s = 0.022
    # A decelerating hand slips half its speed times the time it takes to stop.
    rate = np.array(slip) * 2 / slip_s
    before = np.array(at) - rate * 0.04 * 0.6
    return [
        Moment(t_s - 0.055, *before, 0.045, turn),
        Moment(t_s, *at, 0.0, turn, *rate, v_z=-0.9),
        Moment(t_s + slip_s, at[0] + slip[0], at[1] + slip[1], 0.0, turn),
        Moment(t_s + slip_s + hold_s, at[0] + slip[0], at[1] + slip[1], 0.0, turn),
        Moment(t_s + slip_s + hold_s + 0.09, at[0] + slip[0], at[1] + slip[1] - 0.02, 0.05, turn),
    ]


def hover(
    t_s: float, at: tuple[float, float], height_m: float, hold_s: float, handed: float = 1.0
) -> list[Moment]:
    """Rush over a place, stop in the air, and think better of it."""
    turn = natural_turn(*at, handed)
    return [
        Moment(t_s, at[0], at[1], height_m, turn),
        Moment(t_s + hold_s, at[0] + 0.006, at[1] - 0.004, height_m + 0.006, turn),
    ]


def home(after: Moment, within_s: float, handed: float = 1.0) -> Moment:
    """Return to the waiting place."""
    return replace(rest(after.t_s + within_s, handed))
