"""When a card set off, from where it was seen afterwards."""

import numpy as np
import pytest

from vision.launch.path_search import launch_likelihood
from vision.sightings.spots import Spot

INSTANTS_NS = np.arange(90.0, 140.0, 0.25) * 1e6
TAKING_ON_MS = 1.5


def spots_after(launch_ms: float, velocity: tuple[float, float], at_ms: list[float]) -> list[Spot]:
    """Return where a card is seen that takes on its speed within a few milliseconds."""
    seen = [Spot(98e6, np.zeros(2), 0.3)]
    for t_ms in at_ms:
        since = max(0.0, t_ms - launch_ms)
        flown = since - TAKING_ON_MS * (1 - np.exp(-since / TAKING_ON_MS))
        seen.append(Spot(t_ms * 1e6, np.array(velocity) * flown, 0.3))
    return seen


def interval(chance: np.ndarray) -> tuple[float, float, float]:
    """Return the ends and the middle of the 95 % interval, milliseconds."""
    reached = np.cumsum(chance) / chance.sum()
    early, middle, late = np.interp([0.025, 0.5, 0.975], reached, INSTANTS_NS / 1e6)
    return float(early), float(middle), float(late)


@pytest.mark.parametrize("launch_ms", [100.0, 106.5, 113.0])
@pytest.mark.parametrize("hand", [None, (3.0, 0.2), (1.8, 0.0)])
def test_two_places_tell_the_instant(launch_ms: float, hand: tuple[float, float] | None) -> None:
    spots = spots_after(launch_ms, (2.2, 0.3), [114.7, 131.3])
    hand_px = None if hand is None else np.array(hand)
    early, middle, late = interval(launch_likelihood(spots, INSTANTS_NS, hand_px, 1.0))
    assert early < launch_ms < late
    assert abs(middle - launch_ms) < 2.5
    assert late - early < 12.0


def test_a_card_that_curves_after_the_hand_set_off_when_it_did() -> None:
    # struck forwards and swept aside, as where the hand that comes down on it turns to the side line
    spots = [
        Spot(98e6, np.zeros(2), 0.3),
        Spot(114e6, np.array([-24.0, -26.0]), 0.4),
        Spot(131e6, np.array([-87.0, -36.0]), 0.6),
        Spot(148e6, np.array([-151.0, -41.0]), 0.6),
    ]
    early, middle, late = interval(launch_likelihood(spots, INSTANTS_NS, np.array([-0.9, -4.5]), 1.1))
    assert early < 102.3 < late
    assert abs(middle - 102.3) < 3.0


def test_one_false_place_among_others_does_not_move_the_instant() -> None:
    spots = spots_after(106.5, (2.2, 0.3), [114.7, 123.0, 131.3])
    false = [*spots[:2], Spot(123e6, np.array([110.0, -40.0]), 0.6), spots[3]]
    hand_px = np.array([2.4, 0.2])
    right, wrong = (interval(launch_likelihood(one, INSTANTS_NS, hand_px, 1.0)) for one in (spots, false))
    assert abs(wrong[1] - right[1]) < 1.5


@pytest.mark.parametrize("at_ms", [[104.0, 108.0, 112.0, 116.0], [114.7, 131.3, 148.0]], ids=["240", "60"])
def test_a_card_that_is_knocked_off_and_then_driven_on_set_off_at_once(at_ms: list[float]) -> None:
    """Cards of a row go at a third of the hand's speed at first, and take on the rest in 25 ms."""
    spots = [Spot(98e6, np.zeros(2), 0.3)]
    for t_ms in at_ms:
        since = t_ms - 101.0
        way = 2.4 * (since - 0.65 * 25.0 * (1 - np.exp(-since / 25.0)))
        spots.append(Spot(t_ms * 1e6, np.array([way, 0.0]), 0.3))
    early, middle, late = interval(launch_likelihood(spots, INSTANTS_NS, np.array([2.4, 0.0]), 1.0))
    assert early < 101.0 < late
    assert abs(middle - 101.0) < 0.5
