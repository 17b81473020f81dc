"""When a sample is heard: the output stream's samples on the match clock.

Every callback of the sound card says when the first sample of its block will reach the converter. Each of
these statements jitters; the stream itself does not. The offset between samples and clock is therefore the
median of the latest statements, and their spread and drift give the uncertainty. An underrun moves it, and so
does a sound server that takes a second to wake: where several statements in a row agree that the stream has
moved, the window starts afresh with them. One alone that lies far off is only a callback that came late.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

from recitation.reading.plan import sample_to_ns

_WINDOW = 480
"""Statements that are looked at: about a minute on a sound card that asks for 125 ms at a time."""
_MAD_TO_95 = 1.96 * 1.4826
"""Median absolute deviation of a normal distribution, to the half width that holds 95 % of it."""
_LEAST_UNC_NS = 100_000
_JUMP_NS = 20_000_000
"""Statements jitter by a few milliseconds; a larger step that stays means that the stream has moved."""
_ENOUGH = 3
"""So many statements are needed to tell the time, and so many must agree on a step while all is young."""
_YOUNG = 40
_WITNESSES = 24
"""So many must agree on a step later on: a starved sound server tells stale times for a second or two."""


@dataclass
class StreamClock:
    """Samples of a stream on the match clock.

    Attributes
    ----------
    latency_ns : from the converter to the ear, as calibrated (a wireless box, the air); added to all.
    latency_unc_ns : 95 % half width of that latency.
    settle_samples : before the card has asked for so many, instants are not to be relied on: it fills its
        buffer before it plays, and says anything about the time meanwhile. Samples, because a sound
        server that takes a second to wake asks for none.
    """

    latency_ns: int = 0
    latency_unc_ns: int = 0
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
        """Forget the past: samples were lost, the offset has changed."""
        self._offsets_ns.clear()

    @property
    def is_known(self) -> bool:
        """True once there are enough statements to go by."""
        return len(self._offsets_ns) >= _ENOUGH

    @property
    def is_settled(self) -> bool:
        """True once instants can be relied on."""
        return self.is_known and self._latest_sample >= self.settle_samples

    def instant(self, sample: int) -> tuple[int, int]:
        """Return when a stream sample is heard, and the 95 % half width, in nanoseconds.

        Raises
        ------
        ValueError
            Before there are enough statements of the sound card.
        """
        if not self.is_known:
            raise ValueError(f"the stream has not begun: fewer than {_ENOUGH} callbacks have told the time")
        offsets_ns = list(self._offsets_ns)
        offset_ns = median(offsets_ns)
        spread_ns = _MAD_TO_95 * median(abs(own - offset_ns) for own in offsets_ns)
        half = len(offsets_ns) // 2
        drift_ns = abs(median(offsets_ns[half:]) - median(offsets_ns[:half]))
        lately_ns = abs(median(offsets_ns[-_ENOUGH:]) - offset_ns)
        unc_ns = max(round(spread_ns + drift_ns), round(lately_ns), _LEAST_UNC_NS) + self.latency_unc_ns
        return round(offset_ns) + sample_to_ns(sample) + self.latency_ns, unc_ns


def _has_moved(before: Sequence[int], latest: Sequence[int]) -> bool:
    """Tell whether the latest offsets agree with each other and with none of the earlier ones' median."""
    away_ns = [offset_ns - median(before) for offset_ns in latest]
    agree = max(away_ns) - min(away_ns) <= _JUMP_NS
    return agree and (min(away_ns) > _JUMP_NS or max(away_ns) < -_JUMP_NS)
