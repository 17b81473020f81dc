"""Lay out the measurements at each card that moved as one table: a row for each card and player.

A row takes a player's view: the columns `own` are about that player's hand, `other` about the opponent's, and
directions away from the player are positive. So near and far are the same to a model trained on the table.
Columns hold measurements, never their interpretation; what was not measured is NaN.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.layout import CARD_HEIGHT_M, CARD_WIDTH_M
from referee.sides import Side
from vision.contact.approach import Approach, Hands
from vision.contact.card_case import CardCase
from vision.contact.velocities import Velocity
from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.hand_cues.speed import hand_velocity
from vision.hands.frame_map import FAR, NEAR, OTHER
from vision.launch.onset import WEAK
from vision.launch.strikes import Strike

Floats = NDArray[np.float64]

_GAPS_MS = (-60, -40, -24, -16, -8, -4, 0, 4, 8, 16, 30, 60)
_FINGERS_MS = (-24, -8, 0, 8, 24, 60)
_ALIKE_MS, _NEARBY_MM = 6.0, 130.0  # cards that one hand strikes together set off this close to each other
_CARD_MM = np.array([CARD_WIDTH_M, CARD_HEIGHT_M]) * 1000


@dataclass(frozen=True, slots=True, eq=False)
class CardMotion:
    """A card that moved, and everything measured at it."""

    number: int  # index of its slot
    is_near: bool  # whether it lay in the near player's territory
    centre_mm: Floats  # (2,), where it lay, x right and y down in the picture
    t_ns: float  # when it began to move; `t_unc_ns` the half width of that interval
    t_unc_ns: float
    hidden_ns: float  # for how long it was not seen after its last sight in place
    velocity_mps: Velocity | None  # (2,), how it flew off; None if it slid or was not seen to fly
    flew: bool  # it left its place instead of sliding by millimetres
    path_strength: float  # how strongly the pictures support its path, see `vision.launch.flight.Flight`
    spots: int  # in how many pictures its print was seen on its way
    is_timed_by_others: bool  # its instant is that of its neighbours
    slid_mm: Floats | None  # (2,), the shift to where it lies in the end if it stayed near; else None
    approach: Mapping[int, Approach]  # how near each player's hand was
    # (2,) for each player whose hand was seen moving beside it; only if both were near
    hand_mps: Mapping[int, Velocity] = field(default_factory=dict)
    any_hand_mps: Velocity | None = None  # (2,), velocity of any hands at it; None if not seen
    pushers: Sequence[int] = ()  # numbers of the cards that may have pushed it
    is_loose: bool = False  # a card in flight may have come down on it

    @property
    def way(self) -> Floats | None:
        """(2,), unit vector of the direction in which it went; None if unknown."""
        way = self.velocity_mps if self.velocity_mps is not None else self.slid_mm
        length = 0.0 if way is None else float(np.hypot(*way))
        return None if way is None or length < 1e-6 else np.asarray(way / length)


def measured(
    case: CardCase, hands: Hands, strikes: Sequence[Strike], pushers: Sequence[Strike]
) -> CardMotion:
    """Return what was measured at one of the `strikes` of a poem, which `pushers` may have pushed."""
    field, strike, departure = hands.field, case.strike, case.departure
    slot, flight, final = field.slots[strike.number], strike.flight, departure.final_shift_px
    moved = hand_velocity(slot, departure)
    still_ns, gone_ns = departure.bracket_ns
    return CardMotion(
        number=strike.number,
        is_near=slot.side is Side.NEAR,
        centre_mm=np.asarray(slot.centre_px / field.px_per_mm),
        t_ns=float(strike.onset.t_ns),
        t_unc_ns=float(strike.onset.t_unc_ns),
        hidden_ns=float(gone_ns - still_ns),
        velocity_mps=None if flight is None else np.asarray(flight.velocity_px / slot.px_per_mm),
        flew=flight is not None,
        path_strength=0.0 if flight is None else flight.strength,
        spots=0 if flight is None else len(flight.spots),
        is_timed_by_others=strike.is_timed_by_others,
        slid_mm=None if final is None else np.asarray(final / slot.px_per_mm, np.float64),
        approach=case.approach,
        hand_mps=case.moving or {},
        any_hand_mps=None if moved is None else moved / slot.px_per_mm,
        pushers=tuple(one.number for one in pushers),
        is_loose=is_loose_before(field, strike, strikes),
    )


def pushers_of(
    field: FieldModel, strike: Strike, strikes: Sequence[Strike], departures: Mapping[int, Departure]
) -> list[Strike]:
    """Return the cards that lay right behind a card on its way and had not provably set off after it.

    Cards of a row lie a millimetre apart, so a struck card and the card that it pushes set off at once.
    """
    way, least = departures[strike.number].final_shift_px, 0.0
    if strike.flight is not None:
        slowest_mm_per_ms = 0.1
        way, least = strike.flight.velocity_px, slowest_mm_per_ms * strike.flight.slot.px_per_mm
    if way is None or float(np.hypot(*way)) <= least:
        return []
    way = np.asarray(way / np.hypot(*way))
    own = field.slots[strike.number]
    push_mm = 25.0  # longest way of a pusher to the card; where a longer one leads is uncertain
    reach_px = (push_mm * field.px_per_mm * way).astype(np.float32)
    found = []
    for other in strikes:
        after_ns = other.onset.t_ns - strike.onset.t_ns
        if other.number == strike.number or after_ns > other.onset.t_unc_ns + strike.onset.t_unc_ns:
            continue
        behind = field.slots[other.number]
        corners_px = behind.corners_px.astype(np.float32)
        swept_px = cv2.convexHull(np.concatenate([corners_px, corners_px + reach_px]))
        ahead = own.centre_px - behind.centre_px
        ahead_cos = 0.5
        meets = cv2.intersectConvexConvex(swept_px, own.corners_px.astype(np.float32))[0] > 0
        if meets and float(ahead @ way) > ahead_cos * float(np.hypot(*ahead)):
            found.append(other)
    return found


def is_loose_before(field: FieldModel, strike: Strike, strikes: Sequence[Strike]) -> bool:
    """Tell whether a card that was struck away earlier may have come down on this one."""
    loose_m_per_s = (0.8, 6.0)  # slowest and fastest mean speed of a struck card to another one
    most_unc_ms = 25.0  # uncertainty of an instant beyond which it is not allowed for
    for other in strikes:
        took_ms = (strike.onset.t_ns - other.onset.t_ns) / 1e6
        if other.flight is None or took_ms <= 0:
            continue
        unc_ms = min(float(np.hypot(strike.onset.t_unc_ns, other.onset.t_unc_ns)) / 1e6, most_unc_ms)
        way = (field.slots[strike.number].centre_px - field.slots[other.number].centre_px) / field.px_per_mm
        length = float(np.hypot(*way))
        # distance between the centres of two cards in rows that touch in this direction
        across, along = np.maximum(np.abs(way / max(length, 1e-9)), 1e-9)
        free = length - float(min(CARD_WIDTH_M / across, CARD_HEIGHT_M / along)) * 1000
        if length < loose_m_per_s[0] * (took_ms - unc_ms) or free > loose_m_per_s[1] * took_ms:
            continue
        velocity = other.flight.velocity_px
        known = other.flight.is_clocked or other.flight.strength >= WEAK
        loose_cos = 0.8
        if not known or velocity @ way > loose_cos * float(np.hypot(*velocity)) * length:
            return True
    return False


def evidence_table(motions: Sequence[CardMotion]) -> tuple[Floats, tuple[str, ...]]:
    """Return the measurements of all cards of a poem that moved, (N, 2, C): near player's row, then far.

    With them the names of the C columns, each with its unit.
    """
    rows = []
    for motion in motions:
        hands = {player: _hand(motion, player) for player in (NEAR, FAR)}
        rows.append([_row(motion, motions, hands, player) for player in (NEAR, FAR)])
    columns = tuple(rows[0][0]) if rows else ()
    table = np.array([[[*row.values()] for row in pair] for pair in rows], np.float64)
    return table.reshape(len(motions), 2, len(columns)), columns


def _row(
    motion: CardMotion, motions: Sequence[CardMotion], hands: Mapping[int, dict[str, float]], player: int
) -> dict[str, float]:
    own, other = hands[player], hands[OTHER[player]]
    row = _card(motion, player) | _neighbours(motion, motions, player)
    row |= {f"own_{name}": value for name, value in own.items()}
    row |= {f"other_{name}": value for name, value in other.items()}
    places = "gap_0ms_mm", "gap_-8ms_mm", "gap_8ms_mm", "gap_before_mm", "fingers_0ms_mm2", "nearest_mm"
    leads = (*places, "speed_mps", "speed_along_mps")
    row |= {f"own_less_other_{name}": own[name] - other[name] for name in leads}
    return row


def _away(player: int) -> float:
    """Return the sign of the direction away from a player; the near one sits at the bottom of the picture."""
    return -1.0 if player == NEAR else 1.0


def _length(way: Floats | None) -> float:
    return np.nan if way is None else float(np.hypot(*way))


def _card(motion: CardMotion, player: int) -> dict[str, float]:
    away, velocity, slid = _away(player), motion.velocity_mps, motion.slid_mm
    return {
        "lay_in_own_territory": float(motion.is_near == (player == NEAR)),
        "frame_step_ms": _finite(motion.approach[player].step_at(motion.t_ns)) / 1e6,
        "onset_half_ms": motion.t_unc_ns / 1e6,
        "hidden_ms": motion.hidden_ns / 1e6,
        "flew": float(motion.flew),
        "path_strength": motion.path_strength,
        "path_spots": float(motion.spots),
        "timed_by_others": float(motion.is_timed_by_others),
        "speed_mps": _length(velocity),
        "speed_away_mps": np.nan if velocity is None else away * float(velocity[1]),
        "speed_across_mps": np.nan if velocity is None else abs(float(velocity[0])),
        "slid_mm": _length(slid),
        "slid_away_mm": np.nan if slid is None else away * float(slid[1]),
        "any_hand_mps": _length(motion.any_hand_mps),
        "any_hand_along": _cosine(motion.any_hand_mps, motion.way),
        "loose": float(motion.is_loose),
    }


def _cosine(one: Floats | None, other: Floats | None) -> float:
    if one is None or other is None:
        return np.nan
    lengths = float(np.hypot(*one) * np.hypot(*other))
    return float(one @ other) / lengths if lengths > 1e-6 else np.nan


def _hand(motion: CardMotion, player: int) -> dict[str, float]:
    one, t_ns = motion.approach[player], motion.t_ns
    velocity, way = motion.hand_mps.get(player), motion.way
    arrival = one.arrival(float("-inf"))
    gaps_mm = np.interp(t_ns + np.multiply(_GAPS_MS, 1e6), one.times_ns, one.gaps_mm)
    fingers_mm2 = np.interp(t_ns + np.multiply(_FINGERS_MS, 1e6), one.times_ns, one.fingers_mm2)
    found = {f"gap_{ms}ms_mm": float(gap) for ms, gap in zip(_GAPS_MS, gaps_mm, strict=True)}
    found |= {f"fingers_{ms}ms_mm2": float(area) for ms, area in zip(_FINGERS_MS, fingers_mm2, strict=True)}
    arms_mm2 = [float(np.interp(t_ns + after_ns, one.times_ns, one.beyond_mm2)) for after_ns in (0, 30e6)]
    return found | {
        "gap_before_mm": one.gap_before(t_ns),
        "gap_before_interval_mm": one.gap_before(t_ns - motion.t_unc_ns),
        "nearest_mm": _finite(one.nearest_mm(t_ns, motion.t_unc_ns)),
        "nearest_ever_mm": float(one.gaps_mm.min()),
        "pace_mps": one.pace_before(t_ns),
        "arm_0ms_mm2": arms_mm2[0],
        "arm_30ms_mm2": arms_mm2[1],
        "past": float(one.is_past(t_ns, motion.t_unc_ns)),
        "met_ms": one.met_at(t_ns) / 1e6,
        "arrived_ms_before": np.nan if arrival is None else (t_ns - arrival[0]) / 1e6,
        "lay_over_ms": one.lain_ns(t_ns) / 1e6,
        "speed_mps": _length(velocity),
        "speed_along_mps": np.nan if velocity is None or way is None else float(velocity @ way),
        "speed_away_mps": np.nan if velocity is None else _away(player) * float(velocity[1]),
    }


def _finite(value: float) -> float:
    return value if np.isfinite(value) else np.nan


def _edge_mm(one: CardMotion, other: CardMotion) -> float:
    """Return roughly how far apart the edges of two cards in rows lie, millimetres; 0 if they overlap."""
    apart = np.maximum(np.abs(one.centre_mm - other.centre_mm) - _CARD_MM, 0.0)
    return float(np.hypot(*apart))


def _neighbours(motion: CardMotion, motions: Sequence[CardMotion], player: int) -> dict[str, float]:
    others = [one for one in motions if one.number != motion.number]
    earlier = [one for one in others if one.t_ns < motion.t_ns]
    together = [
        one
        for one in others
        if abs(one.t_ns - motion.t_ns) < _ALIKE_MS * 1e6
        and float(np.hypot(*(one.centre_mm - motion.centre_mm))) < _NEARBY_MM
    ]
    row = {
        "moved_cards": float(len(motions)),
        "earlier_cards": float(len(earlier)),
        "since_first_ms": (motion.t_ns - min(one.t_ns for one in motions)) / 1e6,
        "flown_earlier": float(sum(one.flew for one in earlier)),
        "together": float(len(together)),
        "together_own_gap_mm": _least(one.approach[player].gap_at(one.t_ns) for one in together),
        "together_other_gap_mm": _least(one.approach[OTHER[player]].gap_at(one.t_ns) for one in together),
        "slid_alike": float(sum(_slid_alike(motion, one) for one in together)),
    }
    nearest = min(earlier, key=lambda one: _edge_mm(motion, one), default=None)
    row |= _behind("nearest", motion, nearest, player)
    pushers = [one for one in others if one.number in motion.pushers]
    best = min(pushers, key=lambda one: (_edge_mm(motion, one), one.t_ns), default=None)
    return row | {"pushers": float(len(pushers))} | _behind("pusher", motion, best, player)


def _least(values: Iterable[float]) -> float:
    return min(values, default=np.nan)


def _slid_alike(one: CardMotion, other: CardMotion) -> bool:
    """Tell whether two cards ended with similar shifts, as cards under one hand do."""
    if one.slid_mm is None or other.slid_mm is None:
        return False
    alike_mm, alike_share = 1.0, 0.4
    most_mm = max(alike_mm, alike_share * float(np.hypot(*one.slid_mm)))
    return float(np.hypot(*(one.slid_mm - other.slid_mm))) < most_mm


def _behind(name: str, motion: CardMotion, behind: CardMotion | None, player: int) -> dict[str, float]:
    """Return how another card moved that may have moved this one."""
    keys = "since_ms", "edge_mm", "flew", "towards", "speed_mps", "alike", "slid_mm", "own_gap_mm"
    found = dict.fromkeys((*keys, "other_gap_mm"), np.nan)
    if behind is not None:
        found |= {
            "since_ms": (motion.t_ns - behind.t_ns) / 1e6,
            "edge_mm": _edge_mm(motion, behind),
            "flew": float(behind.flew),
            "towards": _cosine(behind.way, motion.centre_mm - behind.centre_mm),
            "speed_mps": _length(behind.velocity_mps),
            "alike": _cosine(behind.way, motion.way),
            "slid_mm": _length(behind.slid_mm),
            "own_gap_mm": behind.approach[player].gap_at(behind.t_ns),
            "other_gap_mm": behind.approach[OTHER[player]].gap_at(behind.t_ns),
        }
    return {f"{name}_{key}": value for key, value in found.items()}
