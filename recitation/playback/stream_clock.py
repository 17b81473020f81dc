"""The samples of an output stream on the match clock.

Every callback of the sound card states when the first sample of its block will reach the converter. These
statements jitter; the stream itself does not. The offset between samples and clock is therefore the median of
the latest statements, and their spread and drift give the uncertainty. An underrun shifts the offset, and so
does a sound server that takes a second to wake: if several statements in a row agree on a shift, the window
restarts with them. A single outlier is only a late callback.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

from calibration.clocks.spread import middle_and_spread
from recitation.reading.plan import sample_to_ns

_WINDOW = 480  # statements that are kept: one minute of a sound card that asks for 125 ms at a time
_LEAST_UNC_NS = 100_000
_JUMP_NS = 20_000_000
"""Statements jitter by a few milliseconds; a larger and lasting step means that the stream has shifted."""
_ENOUGH = 3  # statements needed to tell the time; with fewer than `_YOUNG`, as many must agree on a step
_YOUNG = 40
_WITNESSES = 24
"""Statements that must agree later: a starved sound server gives stale times for a second or two."""


@dataclass(frozen=True, slots=True)
class Latency:
    """How much later than promised a device is heard."""

    latency_ns: int  # median over the chirps
    unc_ns: int  # 95 % half width of a single chirp
    heard: int  # chirps found in the recording
    played: int


@dataclass
class StreamClock:
    """Samples of a stream on the match clock."""

    # calibrated latency from the converter to the ear (a wireless box, the air); added to every instant
    latency_ns: int = 0
    latency_unc_ns: int = 0  # 95 % half width of that latency
    # instants are unreliable until the card has asked for this many samples, because it gives wrong times
    # while it fills its buffer. Counted in samples, because a sound server asks for none while it wakes.
    settle_samples: int = 0
    _latest_sample: int = -1
    _offsets_ns: deque[int] = field(default_factory=lambda: deque(maxlen=_WINDOW))

    def observe(self, sample: int, t_ns: int) -> None:
        """Note that stream sample `sample` reaches the converter at `t_ns`."""
        self._latest_sample = sample
        self._offsets_ns.append(t_ns - sample_to_ns(sample))
        told_ns = list(self._offsets_ns)
        witnesses = _ENOUGH if len(told_ns) < _YOUNG else _WITNESSES
        before, latest = told_ns[:-witnesses], told_ns[-witnesses:]
        if before and _has_moved(before, latest):
            self._offsets_ns.clear()
            self._offsets_ns.extend(latest)

    def restart(self) -> None:
        """Forget all statements, because samples were lost and the offset has changed."""
        self._offsets_ns.clear()

    @property
    def is_known(self) -> bool:
        """True once there are enough statements to tell the time."""
        return len(self._offsets_ns) >= _ENOUGH

    @property
    def is_settled(self) -> bool:
        return self.is_known and self._latest_sample >= self.settle_samples

    def instant(self, sample: int) -> tuple[int, int]:
        """Return the instant at which a stream sample is heard, and its 95 % half width, in nanoseconds.

        Raises ValueError if the sound card has not given enough statements yet.
        """
        if not self.is_known:
            raise ValueError(f"the stream has not begun: fewer than {_ENOUGH} callbacks have told the time")
        offsets_ns = list(self._offsets_ns)
        offset_ns, spread_ns = middle_and_spread(offsets_ns)
        half = len(offsets_ns) // 2
        drift_ns = abs(median(offsets_ns[half:]) - median(offsets_ns[:half]))
        lately_ns = abs(median(offsets_ns[-_ENOUGH:]) - offset_ns)
        unc_ns = max(round(spread_ns + drift_ns), round(lately_ns), _LEAST_UNC_NS) + self.latency_unc_ns
        return round(offset_ns) + sample_to_ns(sample) + self.latency_ns, unc_ns


def is_heard(sample: int, clock: StreamClock, now_ns: int) -> bool:
    return clock.is_settled and now_ns >= clock.instant(sample)[0]


def _has_moved(before: Sequence[int], latest: Sequence[int]) -> bool:
    """Tell whether the latest offsets agree with each other but not with the median of the earlier ones."""
    away_ns = [offset_ns - median(before) for offset_ns in latest]
    agree = max(away_ns) - min(away_ns) <= _JUMP_NS
    return agree and (min(away_ns) > _JUMP_NS or max(away_ns) < -_JUMP_NS)
