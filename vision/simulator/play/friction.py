"""Mechanics of cards and hands, and the players' temper: what differs from hall to hall."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Friction:
    """The mechanics of one hall."""

    sliding_mps2: float = 3.6  # deceleration of a card that slides on the floor
    grip_s: float = 0.003  # time constant with which a card takes on the speed of the hand above it
    passed_on: float = 0.75  # share of its closing speed that a card passes on to a card it hits
    # vertical speed, metres per second, of a card that is hit at 3 m/s and leaves the floor
    lift: float = 0.9
    leaps: float = 1.0  # factor on the probability that a card hit fast leaves the floor
    # half width and half length of the four fingers' contact area
    fingers_half_m: tuple[float, float] = (0.036, 0.030)


@dataclass(frozen=True, slots=True)
class Temper:
    """The temper of the players of one hall."""

    haste: float = 1.0  # factor on the speed of sweeps
    lies_s: float = 0.0  # how long fingers lie on a card, gathering speed, before they push its row


USUAL, CALM = Friction(), Temper()
