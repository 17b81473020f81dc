"""Hits on the tatami, heard: the instant of contact to the millisecond, whatever the camera's frame rate.

A hand that lands sets off a burst that rises within a millisecond and reaches far up in frequency. A
reciter's voice does neither: vowels have little above 6 kHz, and what hisses (s, sh, h) swells over tens of
milliseconds. So only what jumps up in the high band, and dies away soon, is taken for an impact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.signal import butter, sosfilt

from referee.facts import Contact, Gap, Touch, Unprovable
from referee.sides import Side

Wave = NDArray[np.float32]
Floats = NDArray[np.float64]

SOUND_MPS = 343.0
MIN_RATE_HZ = 16_000
_LOW_HZ = 6_000.0
_HOP_S = 0.0005
_BEFORE_S = 0.010
_GUARD_S = 0.001
_DIES_S = (0.012, 0.030)
_JUMP_DB, _FLOOR_DB, _FALL_DB = 13.0, 12.0, 6.0
_APART_S = 0.004
_AFTER_S, _AFTER_BEFORE_S = 0.030, 0.003
_CLEAR_DB, _AFTER_JUMP_DB, _ECHO_DB = 22.0, 10.0, 6.0
"""Close behind a clear hit: what stands out from its dying away, and is not as much quieter as an echo."""
_QUIETER_DB = 8.0
"""So much quieter than a first hit may a second be that is still to be heard."""
_RISE_SHARE = 0.3
_ONSET_UNC_NS = 500_000
_GRID_NS = 500_000
_SEEN_LATE = 0.3
"""A card sets off after it was hit: by the median so many standard deviations later, on simulated poems."""
_REACH = 3.0
"""Further from where it was seen, in standard deviations, nothing is looked for."""
_SLIDES_NS, _SLID_SHARE = 20_000_000, 0.05
"""A hand that comes down meets its cards at once, but for some that it slides onto without another sound."""
_OTHERS_SHARE = 0.05
"""How likely an impact is a player's own that only the other one's touches are nearest to."""
_SILENT_PER_NS = 5e-10
"""How often a touch makes no sound of its own, for every nanosecond in which it may have been."""


@dataclass(frozen=True, slots=True)
class Impact:
    """A hit that was heard.

    Attributes
    ----------
    t_ns, t_unc_ns : when it was struck, 95 % half width; the sound's way to the microphone is taken off.
    level_db : how far it stood out from the high band just before.
    deaf_ns : for how long after it a somewhat quieter hit would be drowned by it.
    """

    t_ns: int
    t_unc_ns: int
    level_db: float
    deaf_ns: int


@dataclass(frozen=True, slots=True)
class Microphone:
    """Where the microphone stands: metres from the middle of the field, and by how much hits may differ."""

    distance_m: float = 1.0
    spread_m: float = 0.4

    @property
    def delay_ns(self) -> tuple[int, int]:
        """The sound's way from the field to the microphone and its 95 % half width, in nanoseconds."""
        return round(self.distance_m / SOUND_MPS * 1e9), round(self.spread_m / SOUND_MPS * 1e9)


def find_impacts(
    wave: Wave, rate_hz: int, t_start_ns: int = 0, microphone: Microphone | None = None
) -> list[Impact]:
    """Find the hits in a recording.

    Parameters
    ----------
    wave : shape (samples,), one channel.
    rate_hz : samples per second, at least 16,000.
    t_start_ns : when the first sample was recorded, on the pictures' clock.
    microphone : where it stood.

    Raises
    ------
    ValueError
        Where the sound has too few samples per second to tell hits from vowels.
    """
    if rate_hz < MIN_RATE_HZ:
        raise ValueError(
            f"sound of {rate_hz} samples a second is too dull for impacts: record at 44100 or 48000"
        )
    delay_ns, spread_ns = (microphone or Microphone()).delay_ns
    high = sosfilt(butter(4, min(_LOW_HZ, 0.4 * rate_hz), "highpass", fs=rate_hz, output="sos"), wave)
    hop = round(_HOP_S * rate_hz)
    count = len(high) // hop
    energy = np.square(high[: count * hop]).reshape(count, hop).mean(axis=1) + 1e-14
    found = []
    for at, level in _jumps(energy):
        first = _onset(high, at * hop, hop)
        t_ns = t_start_ns + round(first / rate_hz * 1e9) - delay_ns
        unc_ns = round(float(np.hypot(_ONSET_UNC_NS, spread_ns)))
        deaf_ns = round(_deaf_hops(energy, at) * _HOP_S * 1e9)
        found.append(Impact(t_ns, unc_ns, float(10 * np.log10(level)), deaf_ns))
    return found


def _jumps(energy: Floats) -> list[tuple[int, float]]:
    """Return the hops at which impacts are loudest, and by how many times they stand out from before."""
    apart, near_by = (round(span / _HOP_S) for span in (_APART_S, _AFTER_S))
    floor = float(np.median(energy))
    low, high = (round(span / _HOP_S) for span in _DIES_S)
    jumps: list[tuple[int, float]] = []
    for at in np.flatnonzero(energy > floor * 10 ** (_FLOOR_DB / 10)):
        if energy[at] < energy[max(0, at - apart) : at + apart + 1].max():
            continue
        level = energy[at] / _before(energy, int(at), _BEFORE_S)
        if level < 10 ** (_JUMP_DB / 10):
            last, clear = jumps[-1] if jumps else (0, 0.0)
            level = energy[at] / _before(energy, int(at), _AFTER_BEFORE_S)
            is_echo = energy[at] < energy[last] / 10 ** (_ECHO_DB / 10)
            is_behind = at - last < near_by and clear > 10 ** (_CLEAR_DB / 10)
            if not is_behind or is_echo or level < 10 ** (_AFTER_JUMP_DB / 10):
                continue
        after = energy[at + low : at + high]
        if len(after) and np.median(after) > energy[at] / 10 ** (_FALL_DB / 10):
            continue  # it goes on: a hiss, not a hit
        if not jumps or at - jumps[-1][0] > apart:
            jumps.append((int(at), float(level)))
    return jumps


def _before(energy: Floats, at: int, span_s: float) -> float:
    """Return how loud it was just before a hop: the loudest stretch, so that swelling is no jump."""
    guard, span = round(_GUARD_S / _HOP_S), round(span_s / _HOP_S)
    earlier = energy[max(0, at - guard - span) : max(1, at - guard)]
    return float(np.percentile(earlier, 80))


def _deaf_hops(energy: Floats, at: int) -> int:
    """Return how many hops after a hit one that is somewhat quieter would be heard again."""
    audible = energy[at] / 10 ** (_QUIETER_DB / 10)
    first, last = (round(span / _HOP_S) for span in (_APART_S, _AFTER_S))
    for hops in range(first, min(last, len(energy) - at)):
        if audible > _before(energy, at + hops, _BEFORE_S) * 10 ** (_JUMP_DB / 10):
            return hops
    return last


def _onset(high: Floats, at: int, hop: int) -> int:
    """Return the sample at which a burst rises out of what was before."""
    begin = max(0, at - 4 * hop)
    loud = np.abs(high[begin : at + hop])
    return begin + int(np.argmax(loud >= _RISE_SHARE * loud.max()))


def with_impacts(
    facts: Sequence[Touch | Unprovable | Gap], impacts: Sequence[Impact]
) -> tuple[Touch | Unprovable | Gap, ...]:
    """Give each touch that may have been heard the instant that sight and sound agree on.

    Vision says which card and who; the sound only tells when. A touch was at one of the impacts, or while one
    of them drowned it, or, seldom, it made no sound. Where hits of both players may be the same impact, it is
    one player's, and the other's is as likely to be drowned by it: their order stays open.
    """
    own = [_nearest(fact, impacts) for fact in facts]
    players: dict[Impact, set[Side | None]] = {impact: set() for impact in impacts}
    for fact, impact in zip(facts, own, strict=True):
        if impact is not None and isinstance(fact, Touch):
            players[impact].add(fact.player)
    return tuple(
        _weighed(fact, players) if isinstance(fact, Touch) and impact is not None else fact
        for fact, impact in zip(facts, own, strict=True)
    )


def _nearest(fact: Touch | Unprovable | Gap, impacts: Sequence[Impact]) -> Impact | None:
    """Return the impact nearest to a touch, None where none is near enough to be its own."""
    if not isinstance(fact, Touch) or fact.contact is not Contact.TOUCH:
        return None
    hit_ns, sigma_ns = _hit_as_seen(fact)
    nearest = min(impacts, key=lambda impact: abs(impact.t_ns - hit_ns), default=None)
    if nearest is None or nearest.t_unc_ns >= fact.t_unc_ns:
        return None
    return nearest if abs(nearest.t_ns - hit_ns) <= _REACH * sigma_ns else None


def _hit_as_seen(touch: Touch) -> tuple[float, float]:
    """Return when a touch made its sound by what was seen of it, and the standard deviation of that."""
    sigma_ns = touch.t_unc_ns / 1.96
    return touch.t_ns - _SEEN_LATE * sigma_ns, sigma_ns


def _weighed(touch: Touch, players: Mapping[Impact, Set[Side | None]]) -> Touch:
    """Weigh where a touch was seen with where hits were heard, or drowned; tell the median of that."""
    hit_ns, sigma_ns = _hit_as_seen(touch)
    between_ns = hit_ns + np.arange(-_REACH * sigma_ns, _REACH * sigma_ns, _GRID_NS)
    unheard = np.full(len(between_ns), _SILENT_PER_NS * _GRID_NS)
    at = []
    for impact, hitting in players.items():
        if hitting <= {touch.player}:
            at_share, after_share, span_ns = 1 - _SLID_SHARE, _SLID_SHARE, max(impact.deaf_ns, _SLIDES_NS)
        elif touch.player in hitting:
            at_share, after_share, span_ns = 0.5, 0.5, impact.deaf_ns
        else:
            at_share, after_share, span_ns = _OTHERS_SHARE, _OTHERS_SHARE, impact.deaf_ns
        at.append(at_share)
        after_ns = between_ns - impact.t_ns
        unheard[(after_ns > 0) & (after_ns <= span_ns)] += after_share * _GRID_NS / span_ns
    t_ns = np.append(between_ns, [impact.t_ns for impact in players])
    weights = np.append(unheard, at) * np.exp(-0.5 * ((t_ns - hit_ns) / sigma_ns) ** 2)
    middle_ns = _quantile(t_ns, weights, 0.5)
    half_ns = _quantile(np.abs(t_ns - middle_ns), weights, 0.95)
    near = min(players, key=lambda impact: abs(impact.t_ns - middle_ns))
    return replace(touch, t_ns=round(middle_ns), t_unc_ns=round(float(np.hypot(half_ns, near.t_unc_ns))))


def _quantile(values: Floats, weights: Floats, share: float) -> float:
    """Return the value below which a share of the weight lies."""
    order = np.argsort(values)
    below = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(below, share * below[-1])])
