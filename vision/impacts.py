"""Hits on the tatami, heard: the instant of contact to the millisecond, whatever the camera's frame rate.

A hand that lands sets off a burst that rises within a millisecond and reaches far up in frequency. A
reciter's voice does neither: vowels have little above 6 kHz, and what hisses (s, sh, h) swells over tens of
milliseconds. So only what jumps up in the high band, and dies away soon, is taken for an impact.
"""

from __future__ import annotations

from collections.abc import Sequence
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
_RISE_SHARE = 0.3
_ONSET_UNC_NS = 500_000
_SLACK_NS = 1_000_000
_DOMINANT = 4.0
"""An impact is a touch's own when it is so much likelier than all others together."""


@dataclass(frozen=True, slots=True)
class Impact:
    """A hit that was heard.

    Attributes
    ----------
    t_ns, t_unc_ns : when it was struck, 95 % half width; the sound's way to the microphone is taken off.
    level_db : how far it stood out from the high band just before.
    """

    t_ns: int
    t_unc_ns: int
    level_db: float


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
    for at in _jumps(energy):
        first = _onset(high, at * hop, hop)
        t_ns = t_start_ns + round(first / rate_hz * 1e9) - delay_ns
        unc_ns = round(float(np.hypot(_ONSET_UNC_NS, spread_ns)))
        found.append(Impact(t_ns, unc_ns, float(10 * np.log10(energy[at] / _before(energy, at)))))
    return found


def _jumps(energy: Floats) -> list[int]:
    """Return the hops at which impacts are loudest."""
    apart = round(_APART_S / _HOP_S)
    floor = float(np.median(energy))
    low, high = (round(span / _HOP_S) for span in _DIES_S)
    jumps: list[int] = []
    for at in np.flatnonzero(energy > floor * 10 ** (_FLOOR_DB / 10)):
        near = energy[max(0, at - apart) : at + apart + 1]
        if energy[at] < near.max() or energy[at] < _before(energy, int(at)) * 10 ** (_JUMP_DB / 10):
            continue
        after = energy[at + low : at + high]
        if len(after) and np.median(after) > energy[at] / 10 ** (_FALL_DB / 10):
            continue  # it goes on: a hiss, not a hit
        if not jumps or at - jumps[-1] > apart:
            jumps.append(int(at))
    return jumps


def _before(energy: Floats, at: int) -> float:
    """Return how loud it was just before a hop: the loudest stretch, so that swelling is no jump."""
    guard, span = round(_GUARD_S / _HOP_S), round(_BEFORE_S / _HOP_S)
    earlier = energy[max(0, at - guard - span) : max(1, at - guard)]
    return float(np.percentile(earlier, 80))


def _onset(high: Floats, at: int, hop: int) -> int:
    """Return the sample at which a burst rises out of what was before."""
    begin = max(0, at - 4 * hop)
    loud = np.abs(high[begin : at + hop])
    return begin + int(np.argmax(loud >= _RISE_SHARE * loud.max()))


def with_impacts(
    facts: Sequence[Touch | Unprovable | Gap], impacts: Sequence[Impact]
) -> tuple[Touch | Unprovable | Gap, ...]:
    """Give each touch the instant of the impact that is its own, where one is heard within its interval.

    Vision says which card and who; the sound only narrows when. Where several impacts may be it, the touch
    stays as it was seen; so do touches of both players that would share one, since a second hit close behind
    a first one is not heard.
    """
    own = [_own_impact(fact, impacts) for fact in facts]
    claimed: dict[Impact, set[Side | None]] = {}
    for fact, impact in zip(facts, own, strict=True):
        if impact is not None and isinstance(fact, Touch):
            claimed.setdefault(impact, set()).add(fact.player)
    return tuple(
        replace(fact, t_ns=impact.t_ns, t_unc_ns=impact.t_unc_ns)
        if isinstance(fact, Touch) and impact is not None and len(claimed[impact]) == 1
        else fact
        for fact, impact in zip(facts, own, strict=True)
    )


def _own_impact(fact: Touch | Unprovable | Gap, impacts: Sequence[Impact]) -> Impact | None:
    if not isinstance(fact, Touch) or fact.contact is not Contact.TOUCH:
        return None
    near = [impact for impact in impacts if abs(impact.t_ns - fact.t_ns) <= fact.t_unc_ns + _SLACK_NS]
    if not near:
        return None
    sigma_ns = fact.t_unc_ns / 1.96
    weights = np.array([np.exp(-0.5 * ((impact.t_ns - fact.t_ns) / sigma_ns) ** 2) for impact in near])
    best = int(np.argmax(weights))
    likely = float(weights[best]) >= _DOMINANT * float(weights.sum() - weights[best])
    return near[best] if likely and near[best].t_unc_ns < fact.t_unc_ns else None
