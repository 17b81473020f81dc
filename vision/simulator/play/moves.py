"""The movements of a karuta player's hand, as moments in the player's own directions."""

import numpy as np

from referee.facts import Hand
from vision.simulator.drawing.paths import Moment, Place

REST_AHEAD_M = -0.335
SHOULDER: Place = (0.17, -0.62)  # that of the right arm of an upright player
FLAT_HEIGHT_M = 0.012  # height of a hand that leans on the tatami without touching a card


def handed(hand: Hand) -> float:
    """Return 1 for the right hand and -1 for the left."""
    return 1.0 if hand is Hand.RIGHT else -1.0


def natural_turn(at: Place, hand: Hand = Hand.RIGHT) -> float:
    """Return the direction of the fingers if the arm comes straight from its shoulder, radians."""
    across = at[0] - handed(hand) * SHOULDER[0]
    return float(np.clip(np.arctan2(across, at[1] - SHOULDER[1]) * 0.8, -1.0, 1.0))


def rest(t_s: float, hand: Hand = Hand.RIGHT) -> Moment:
    """Wait at the player's edge of the field: the right hand ready, the left one leaning on the tatami."""
    if hand is Hand.RIGHT:
        rest_right_m = 0.12
        rest_height_m = 0.03
        return Moment(t_s, (rest_right_m, REST_AHEAD_M), rest_height_m, -0.25)
    support_m = (0.235, -0.375)
    return Moment(t_s, (-support_m[0], support_m[1]), FLAT_HEIGHT_M, 0.35)


def strike(
    t_s: float,
    at: Place,
    way: Place,
    *,
    speed_mps: float,
    lead_m: float,
    through_m: float,
    stop: float = 0.35,
    lies_s: float = 0.0,
) -> list[Moment]:
    """Land beside or on a card and sweep it away with the right hand.

    Parameters
    ----------
    t_s : about when the fingers meet the card.
    way : unit direction of the sweep.
    lead_m, through_m : how far before and beyond `at` the hand is down.
    stop : share of the speed left when it lifts.
    lies_s : how long the fingers gather speed on the card below them; for half as long they rest.
    """
    along, middle = np.array(way), np.array(at)
    first, last = middle - along * lead_m, middle + along * through_m
    landing_s = t_s - 0.25 * lead_m / speed_mps
    leaving_s = landing_s + (lead_m + through_m) / (speed_mps * (1 + stop) / 2)
    beyond = last + along * speed_mps * stop * 0.06
    turn = natural_turn(at)
    v, v_end = along * speed_mps, along * speed_mps * stop
    landing_mps = -0.7
    down = []
    if lies_s:
        # from rest, as the third power of time: fingers that have come down drive a card slowly at first
        lain = _place(first - v * lies_s / 3)
        at_rest_s = landing_s - lies_s
        down = [
            Moment(at_rest_s - lies_s / 2, lain, 0.0, turn - 0.25 * way[0], (0.0, 0.0), landing_mps),
            Moment(at_rest_s, lain, 0.0, turn - 0.25 * way[0]),
        ]
        landing_mps = 0.0
    return [
        *down,
        Moment(landing_s, _place(first), 0.0, turn - 0.25 * way[0], _place(v), landing_mps),
        Moment(leaving_s, _place(last), 0.0, turn + 0.3 * way[0], _place(v_end)),
        Moment(leaving_s + 0.12, _place(beyond), 0.06, turn + 0.15 * way[0]),
    ]


def press(t_s: float, at: Place, slip: Place, *, hold_s: float, hand: Hand = Hand.RIGHT) -> list[Moment]:
    """Come down on a place at about `t_s`, slip a little, and lift again."""
    turn = natural_turn(at, hand)
    slip_s = 0.022
    # A hand that stops evenly slips half its first speed times its stopping time.
    speed = np.array(slip) * 2 / slip_s
    before = np.array(at) - speed * 0.024
    after = np.array(at) + np.array(slip)
    pressing_mps = -0.9
    return [
        Moment(t_s - 0.055, _place(before), 0.045, turn),
        Moment(t_s, at, 0.0, turn, _place(speed), pressing_mps),
        Moment(t_s + slip_s, _place(after), 0.0, turn),
        Moment(t_s + slip_s + hold_s, _place(after), 0.0, turn),
        Moment(t_s + slip_s + hold_s + 0.09, (float(after[0]), float(after[1]) - 0.02), 0.05, turn),
    ]


def lie(t_s: float, at: Place, *, hold_s: float) -> list[Moment]:
    """Come down on a place, lie there, and lift straight off again, so that no card is moved."""
    turn, landing_mps = natural_turn(at), -0.9
    return [
        Moment(t_s, at, 0.0, turn, v_z=landing_mps),
        Moment(t_s + hold_s, at, 0.0, turn),
        Moment(t_s + hold_s + 0.06, at, 0.04, turn),
    ]


def hover(t_s: float, at: Place, height_m: float, *, hold_s: float, hand: Hand = Hand.RIGHT) -> list[Moment]:
    """Rush over a place, stop in the air, and change one's mind."""
    turn = natural_turn(at, hand)
    return [
        Moment(t_s, at, height_m, turn),
        Moment(t_s + hold_s, (at[0] + 0.006, at[1] - 0.004), height_m + 0.006, turn),
    ]


def _place(vector: np.typing.NDArray[np.float64]) -> Place:
    return float(vector[0]), float(vector[1])
