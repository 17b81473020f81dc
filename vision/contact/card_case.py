"""A card that moved, the hands at it, and whether the other player's hand may have reached it, too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from vision.contact.approach import Approach
from vision.contact.velocities import Velocity
from vision.departures.departure import Departure
from vision.hands.frame_map import OTHER
from vision.launch.onset import WEAK
from vision.launch.strikes import Strike

BESIDE_MM = 40.0  # a hand farther away than this did not touch it
RIVAL_MM = 75.0  # but a fast hand beside one that hovers may have come from this far
MET_NS = 60_000_000  # a hand tracked through the other player's arm for longer may be mixed up with it
_RESTS = 0.3  # metres per second: a hand slower than this before and after was nowhere else
TOUCHED_CHANCE = 0.8  # a card with a higher chance was certainly touched


@dataclass(frozen=True, slots=True, eq=False)
class HandMotion:
    """How hands moved beside a card as it set off; hands not seen there are missing."""

    # shape (2,) for each player, metres per second
    velocities: Mapping[int, Velocity] = field(default_factory=dict)
    # the highest speed that each may have had, metres per second
    speeds: Mapping[int, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class CardCase:
    """A card that moved and the hands at it."""

    strike: Strike  # its motion
    departure: Departure  # the pictures around its beginning
    approach: Mapping[int, Approach]  # how near each player's hand was
    # `approach` including what may be only shade on the card; None unless two hands were near
    shaded: Mapping[int, Approach] | None = None
    moving: HandMotion | None = None  # how the hands moved; None unless there were two to choose from

    def is_past(self, player: int) -> bool:
        """Tell whether a player's hand had passed the card for all the time in which it may have set off."""
        onset = self.strike.onset
        return self.approach[player].is_past(onset.t_ns, onset.t_unc_ns)

    @property
    def gaps(self) -> dict[int, float]:
        """Distance of each player's hand from the card as it set off, millimetres."""
        return {player: one.gap_at(self.strike.onset.t_ns) for player, one in self.approach.items()}

    @property
    def is_uncovered(self) -> bool:
        """Whether no hand lay over the card in any picture taken while it may have set off."""
        onset = self.strike.onset
        return all(one.nearest_mm(onset.t_ns, onset.t_unc_ns) > 0 for one in self.approach.values())

    def came_at_once(self, player: int, arrival: tuple[float, float] | None) -> tuple[float, float] | None:
        """Return when a player's hand came, if it was as the card set off and within a picture of the other.

        Either hand may then have struck first, whatever speaks for one of them. If they met in that picture,
        it does not tell them apart: the hand may have come as far as its speed allowed.
        """
        onset, approach = self.strike.onset, self.approach[player]
        step_ns = approach.step_at(onset.t_ns)
        soon_ns = min(onset.t_unc_ns, step_ns)
        if approach.gap_before(onset.t_ns - soon_ns) <= 0 or self.rested(player):
            return None
        if arrival is not None and arrival[0] < onset.t_ns + soon_ns:
            other = self.approach[OTHER[player]].arrival(float("-inf"))
            if other is None or arrival[0] - other[0] < step_ns:
                return arrival
        met = any(one.meets_after(onset.t_ns) for one in self.approach.values())
        if met and self.moving is not None and not approach.is_arm_at(onset.t_ns):
            pace = max(self.moving.speeds.get(player, 0.0), approach.pace_before(onset.t_ns))
            if approach.gap_before(onset.t_ns) < pace * step_ns / 1e6:
                return onset.t_ns, step_ns / 2
        return None

    def is_away_before(self, arrival: tuple[float, float], player: int) -> bool:
        """Tell whether the card had flown off before a player's hand came to its place.

        `arrival` is an instant and its half width, nanoseconds.
        """
        strike, gone_ns = self.strike, self.departure.shown_gone_ns
        if strike.flight is None:
            return False
        t_ns, earliest_ns = arrival[0], arrival[0] - arrival[1]
        set_off_ns = strike.onset.t_ns + strike.onset.t_unc_ns
        # A card that flew off, seen or not, is elsewhere by then. Of 20 hands that came to its place later
        # than this none touched it; a card kept under the first hand was struck again up to 0.25 s later.
        away_ns, away_unseen_ns = 100_000_000, 200_000_000
        if strike.flight.strength >= WEAK and t_ns > set_off_ns + away_ns:
            return True
        # of ten hands still this far away as it set off none touched it: most were cards
        far_off_mm = 200.0
        if self.approach[player].gap_at(set_off_ns) > far_off_mm:
            return True
        empty_ns = 30_000_000  # none of 19 hands that came this long after its place was empty touched it
        is_empty = gone_ns is not None and earliest_ns > gone_ns + empty_ns
        return is_empty or earliest_ns > set_off_ns + away_unseen_ns

    def rested(self, player: int) -> bool:
        """Tell whether a player's hand was seen beside the card as it set off, and did not come nearer.

        The flow may lose a hand that meets another one and call it slow: its gap must not have shrunk either.
        """
        pace = self.approach[player].pace_before(self.strike.onset.t_ns)
        moved = None if self.moving is None else self.moving.speeds.get(player)
        return moved is not None and max(moved, pace) < _RESTS

    def is_followed_by(self, player: int) -> bool:
        """Tell whether a player's hand, and no other, was over the card as it moved on."""
        after = self.approach[player].times_ns >= self.strike.onset.t_ns
        mine_mm = self.approach[player].gaps_mm[after]
        others_mm = self.approach[OTHER[player]].gaps_mm
        followed_mm = -33.0  # a hand that only passes a pushed card covers less of it
        return bool(len(mine_mm)) and mine_mm.min() < followed_mm and float(others_mm.min()) > RIVAL_MM

    @property
    def is_contest(self) -> bool:
        """Whether both players' hands were near: possible shade is then told from them."""
        near_mm = 60.0, 120.0  # as in the trees' training
        return self.is_between(*near_mm) or self.is_disputed

    @property
    def is_disputed(self) -> bool:
        """Whether either player's hand may have struck this card."""
        return self.is_between(BESIDE_MM, RIVAL_MM)

    def is_between(self, beside_mm: float, rival_mm: float) -> bool:
        """Tell whether one hand was within `beside_mm`, and the other player's within `rival_mm`."""
        gaps = sorted(self.gaps.values())
        return gaps[0] <= beside_mm and gaps[1] <= rival_mm
