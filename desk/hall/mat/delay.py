"""The delay of a reading at a mat relative to the loudspeaker."""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from calibration.clocks.spread import student_95
from desk.errors import DeskError

NS_PER_M = 2_915_000  # time of sound per metre: 343 m/s in air of 20 °C
_AIR = 0.02  # relative uncertainty of the speed of sound: 337 to 349 m/s at 10 to 30 °C
_TAPED_M = 0.5  # uncertainty of a distance on a floor plan, metres: players lean, too
_TOLD_UNC_MS = 20.0
"""Uncertainty of a delay that is given without one: `shinpan hall delay` found 19 ms beside a loudspeaker
whose latency was not measured."""
_FEWEST = 5
_EARLY_NS = 100_000_000  # the listener may detect the breath before the first sound this much early
_FARTHEST_M = 200.0


@dataclass(frozen=True, slots=True)
class Delay:
    """A delay and its 95 % half width, nanoseconds."""

    ns: int = 0
    unc_ns: int = 0

    def told(self) -> str:
        """Return both in milliseconds for `--reading-delay`, the half width rounded up."""
        return f"{self.ns / 1e6:.0f},{max(1, math.ceil(self.unc_ns / 1e6))}"


def delay_of(distance_m: float) -> Delay:
    """Return the delay of a mat from its distance to the nearest loudspeaker, metres.

    Raises DeskError if the distance is negative or larger than any hall.
    """
    if not 0 <= distance_m <= _FARTHEST_M:
        raise DeskError(
            "--distance: expected 0 to {most:.0f} m to the loudspeaker, got {distance_m:g}",
            most=_FARTHEST_M,
            distance_m=distance_m,
        )
    ns = distance_m * NS_PER_M
    return Delay(round(ns), round(math.hypot(_AIR * ns, _TAPED_M * NS_PER_M)))


def told_delay(told: str) -> Delay:
    """Return a delay that somebody measured, as `Delay.told` writes it; the half width may be left out.

    Raises DeskError if it is no possible delay.
    """
    most_ms = _FARTHEST_M * NS_PER_M / 1e6
    ms, _, unc_ms = told.partition(",")
    try:
        late_ms, half_ms = float(ms), float(unc_ms or _TOLD_UNC_MS)
    except ValueError:
        late_ms = half_ms = math.nan
    if not (0 <= late_ms <= most_ms and 0 < half_ms <= most_ms):
        raise DeskError(
            "--reading-delay: expected 0 to {most_ms:.0f} ms, with or without a half width such "
            "as 87,4; got {told!r}",
            most_ms=most_ms,
            told=told,
        )
    return Delay(round(late_ms * 1e6), round(half_ms * 1e6))


def measured(late_ns: Sequence[int], unc_ns: int) -> Delay | None:
    """Return the delay measured by a mat's microphone, None if there are too few readings yet.

    `late_ns`: delay of each reading's first sound against the hall's cue. `unc_ns`: uncertainty of a single
    delay (clock, microphone, listener), 95 % half width; this error is the same in all readings, so it does
    not shrink with their number.
    """
    if len(late_ns) < _FEWEST:
        return None
    middle = statistics.median(late_ns)
    # soft first sounds are detected late, slaps early: the median of deviations tolerates half of them
    spread = statistics.median(abs(each - middle) for each in late_ns)
    n = len(late_ns)
    sigma_ns = 1.4826 * n / (n - 0.8) * spread  # for few values (Croux and Rousseeuw, 1992)
    # Student's t, as if half of the values were known: so few go into a median of deviations. Of normal
    # errors the interval then holds 95 to 96.5 %, from five readings on.
    half_ns = student_95((n - 1) / 2) * sigma_ns * math.sqrt(math.pi / 2 / n)
    return Delay(max(0, round(middle)), round(math.hypot(half_ns, unc_ns)))


class DelayMeter:
    """Pairs the hall's cues with the first sounds that a microphone at the mat detects.

    A sound without a cue (a lower half, a slap) and a cue without a sound stay unpaired.
    """

    def __init__(self) -> None:
        self._cued: list[tuple[int, int]] = []
        self._heard: list[int] = []

    def cued(self, t_ns: int, unc_ns: int) -> None:
        """Note a cue: when a reading was heard at the loudspeaker, on the mat's clock."""
        self._cued.append((t_ns, unc_ns))

    def heard(self, t_ns: int) -> None:
        self._heard.append(t_ns)

    @property
    def count(self) -> int:
        return len(self._late())

    @property
    def delay(self) -> Delay | None:
        late = self._late()
        return measured([each for each, _ in late], max((unc_ns for _, unc_ns in late), default=0))

    def _late(self) -> list[tuple[int, int]]:
        """Return the delay of each paired reading with its cue's uncertainty."""
        farthest_ns = round(_FARTHEST_M * NS_PER_M)
        found = []
        for t_ns, unc_ns in self._cued:
            near = [each - t_ns for each in self._heard if -_EARLY_NS <= each - t_ns <= farthest_ns]
            if near:
                found.append((min(near), unc_ns))
        return found
