"""The offset between a film's pictures and its sound, measured where the first hand lands.

A phone stamps both by one clock, but with an offset of up to some hundredths of a second. A table is silent
until the first hand lands, so the first hit that is heard is the first touch that is seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from calibration.clocks.clock_offset import refined
from calibration.clocks.latency import Offset
from recitation.imports.decoding import Track
from recitation.reading.plan import SAMPLE_RATE, samples
from vision.witnesses.impacts import find_impacts

APART_NS = 60_000_000
"""95 % half width of the offset of sound and picture in a film, if it was not measured (EBU R 37)."""
_SURE_NS = 20_000_000
_POEMS = 3  # poems that must agree, because a single hit may be another sound


def lateness(track: Track, poems: Sequence[dict[str, Any]]) -> Offset | None:
    """Return the offset of the pictures' stamps after those of the sound; None if too few hits agree.

    `track`: the film's sound. `poems`: its judged poems, as JSON, with their touches.
    """
    told = list(_apart(track, poems))
    unknown = Offset(0.0, APART_NS, APART_NS / 1.96, 1)
    offset = refined(unknown, told)
    agreeing = offset.n - 1  # without the prior
    return offset if agreeing >= _POEMS and offset.unc_ns <= _SURE_NS else None


def _apart(track: Track, poems: Sequence[dict[str, Any]]) -> Iterator[tuple[float, float]]:
    """Yield the time from each first hit to its first touch, and the 95 % half width, in nanoseconds."""
    around_s, before_s = 2 * APART_NS / 1e9, 0.5  # the sound before measures the noise of the room
    for poem in poems:
        touches = [touch for touch in poem["touches"] if touch["kind"] == "touch"]
        if not touches:
            continue
        first = min(touches, key=lambda touch: float(touch["t_ms"]))
        begin_s = first["t_ms"] / 1e3 - around_s - before_s - track.start_s
        at = max(0, samples(begin_s))
        wave = track.wave[at : at + samples(before_s + 2 * around_s)]
        begins_ns = round((track.start_s + at / SAMPLE_RATE) * 1e9)
        for hit in find_impacts(wave, SAMPLE_RATE, begins_ns):
            apart_ns = first["t_ms"] * 1e6 - hit.t_ns
            if abs(apart_ns) <= around_s * 1e9:
                yield apart_ns, float(np.hypot(first["t_unc_ms"] * 1e6, hit.t_unc_ns))
                break
