"""Which of two hands drove a card off: the one that is nearer, and above all the one that moves with it.

A hand that hovers, or leans on its fingers, does not send a card flying, however near it is. Each sign adds
to the logarithm of the odds that the near player's hand was it and not the far player's; the weights are a
logistic regression over simulated strikes with both hands at the card (styles other than the held-out one).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from vision.approach import Approach, Hands, outside_px
from vision.departure import Departure, View
from vision.field_model import FieldModel
from vision.hands import FAR, NEAR
from vision.onset import WEAK
from vision.optical_flow import Motion
from vision.strikes import Strike

_HAND_MM = 60.0  # the part of a hand whose motion counts
_MIN_CELLS = 3
_WINDOW_NS = (-22_000_000, 6_000_000)
"""Around the instant a card set off: until then a hand moves as it strikes, afterwards it may stop."""
_FARTHEST_NS = 40_000_000
_LONGEST_STEP_NS = 60_000_000
_GAPS_MM = (-30.0, 60.0)
_PER_MM = 0.028
_ALONG = 1.1  # per m/s along the way of a card that was struck off
_SLID = 1.2  # per m/s along the way of a card that slid a little
_FASTER = 1.1  # per m/s, where the card's way was not seen
_IS_ARM = 1.9  # an arm that passes over reaches for something else
_COMPANY = 0.5  # cards struck together were struck by one hand
_TOGETHER_NS = 12_000_000
_NEARBY_MM = 120.0
_CLEARLY = 1.0


@dataclass(frozen=True, slots=True)
class Evidence:
    """A card that moved, with a hand of each player at it, and what speaks for whom.

    Attributes
    ----------
    strike : its motion.
    odds : logarithm of the odds near : far from this card alone.
    """

    strike: Strike
    odds: float


def way_of(strike: Strike, departure: Departure) -> NDArray[np.float64] | None:
    """Return the direction in which a card set off, (2,), or None where it was not seen."""
    if strike.flight is not None and strike.flight.strength >= WEAK:
        return strike.flight.velocity_px if strike.flight.velocity_px.any() else None
    shift = departure.final_shift_px
    return shift if shift is not None and shift.any() else None


def evidence(
    field: FieldModel,
    strike: Strike,
    departure: Departure,
    hands: Hands,
    approach: Mapping[int, Approach],
) -> Evidence:
    """Weigh the signs at one card.

    Parameters
    ----------
    field : the resting field.
    strike : the card's motion.
    departure : the pictures around its beginning.
    hands : the players' maps of the poem.
    approach : how near each player's hand was.
    """
    t_ns = strike.onset.t_ns
    near, far = approach[NEAR], approach[FAR]
    lead_mm = float(np.clip(far.gap_at(t_ns), *_GAPS_MM) - np.clip(near.gap_at(t_ns), *_GAPS_MM))
    odds = _PER_MM * lead_mm + _IS_ARM * (far.is_arm_at(t_ns) - near.is_arm_at(t_ns))
    speed = _velocities(field, strike, departure, hands)
    way = way_of(strike, departure)
    if way is not None:
        slid = strike.flight is None
        odds += (_SLID if slid else _ALONG) * float((speed[NEAR] - speed[FAR]) @ way / np.hypot(*way))
    else:
        odds += _FASTER * float(np.hypot(*speed[NEAR]) - np.hypot(*speed[FAR]))
    return Evidence(strike, odds)


def with_company(field: FieldModel, one: Evidence, all_evidence: Sequence[Evidence]) -> float:
    """Return the odds at a card, with those of the cards that were struck together with it."""
    centre, t_ns = field.slots[one.strike.number].centre_px, one.strike.onset.t_ns
    company = [
        other.odds
        for other in all_evidence
        if other is not one
        and abs(other.strike.onset.t_ns - t_ns) < _TOGETHER_NS
        and np.hypot(*(field.slots[other.strike.number].centre_px - centre)) < _NEARBY_MM * field.px_per_mm
    ]
    return one.odds + (_COMPANY * float(np.mean(company)) if company else 0.0)


def is_contested(one: Evidence, all_evidence: Sequence[Evidence]) -> bool:
    """Tell whether a card that was struck together with this one speaks clearly for the other hand.

    Then both hands struck at once, and which of them drove which card off is not proven.
    """
    return any(
        abs(other.strike.onset.t_ns - one.strike.onset.t_ns) < _TOGETHER_NS
        and other.odds * one.odds < 0
        and abs(other.odds) >= _CLEARLY
        for other in all_evidence
    )


def _velocities(
    field: FieldModel, strike: Strike, departure: Departure, hands: Hands
) -> dict[int, NDArray[np.float64]]:
    """Return how fast each player's hand moved at the card as it set off, (2,) metres per second."""
    measured: dict[int, list[tuple[float, NDArray[np.float64]]]] = {NEAR: [], FAR: []}
    for earlier, later in zip(departure.views[:-1], departure.views[1:], strict=True):
        middle_ns = (earlier.t_ns + later.t_ns) / 2 - strike.onset.t_ns
        if abs(middle_ns) > _FARTHEST_NS or later.t_ns - earlier.t_ns > _LONGEST_STEP_NS:
            continue
        for player in (NEAR, FAR):
            velocity = hands.once(
                ("velocity", strike.number, player, earlier.t_ns, later.t_ns),
                partial(_velocity, field, strike.number, (earlier, later), hands, player=player),
            )
            if velocity is not None:
                measured[player].append((middle_ns, velocity))
    return {player: _before(found) for player, found in measured.items()}


def _velocity(
    field: FieldModel, number: int, views: tuple[View, View], hands: Hands, *, player: int
) -> NDArray[np.float64] | None:
    """Return how fast a player's hand moved at a card between two views; None where there is none."""
    earlier, later = views
    cells = _cells_near(hands, later, player, field.slots[number].corners_px, _HAND_MM * field.px_per_mm)
    if np.count_nonzero(cells) < _MIN_CELLS:
        return None
    return _moved_px(Motion(), earlier, later, cells) / hands.scale / field.px_per_mm / _ms(earlier, later)


def _before(found: Sequence[tuple[float, NDArray[np.float64]]]) -> NDArray[np.float64]:
    """Return the mean of what was measured as the card set off, or what was measured nearest to it."""
    if not found:
        return np.zeros(2)
    near = [velocity for at_ns, velocity in found if _WINDOW_NS[0] <= at_ns <= _WINDOW_NS[1]]
    return np.asarray(np.mean(near or [min(found, key=lambda pair: abs(pair[0]))[1]], axis=0))


def _cells_near(
    hands: Hands, view: View, player: int, corners_px: NDArray[np.float64], reach_px: float
) -> NDArray[np.bool_]:
    """Return the cells of the players' map, (h, w), where a player's hand lies near a card."""
    found = np.zeros(view.over.players.shape, np.bool_)
    cells = hands.cells(view, player)
    found[cells.rows, cells.columns] = outside_px(cells.points_px, corners_px) < reach_px
    return found


def _moved_px(motion: Motion, earlier: View, later: View, cells: NDArray[np.bool_]) -> NDArray[np.float64]:
    x, y = motion.origins(later.over.small, earlier.over.small, cells)
    rows, columns = np.nonzero(cells)
    return np.array([np.median(columns - x[cells]), np.median(rows - y[cells])], np.float64)


def _ms(earlier: View, later: View) -> float:
    return (later.t_ns - earlier.t_ns) / 1e6
