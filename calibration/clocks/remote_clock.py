"""Map another machine's clock to this one's, from questions it answered with its own time.

An answer was given after the question was sent and before the answer came, whatever the network did: both
bound the offset. Bounds hold for ever, except for the drift between the clocks. The narrowest answers of the
last minutes together bound the offset far better than a usual answer does.
"""

from typing import NamedTuple

_DRIFT = 100e-6  # quartz clocks are right to 20 to 50 parts per million; two of them may drift apart
_NEEDED = 5  # answers before the clock is believed


class LaidOnto(NamedTuple):
    """An instant of the other clock on this one, and its half width, nanoseconds."""

    t_ns: int
    t_unc_ns: int


class RemoteClock:
    """Estimates the offset of another machine's clock.

    `jumps`: how often the other clock contradicted itself: it was set, or stood still while its machine
    slept.
    """

    def __init__(self) -> None:
        self.answers = self.jumps = 0
        self._low = self._high = self._offset = 0.0
        self._since = 0
        self._at_ns = 0

    @property
    def is_known(self) -> bool:
        """Whether enough answers came since the clock last jumped."""
        return self._since >= _NEEDED

    @property
    def half_width_ns(self) -> float:
        """Half width of the offset at the last answer, nanoseconds."""
        return max(self._high - self._offset, self._offset - self._low)

    def answered(self, sent_ns: int, there_ns: int, back_ns: int, tick_ns: int = 0) -> None:
        """Take in an answer; ValueError if it came before its question.

        `sent_ns`, `back_ns`: when the question was sent and the answer came, on this clock. `there_ns`: when
        it was answered, on the other clock. `tick_ns`: how far `there_ns` may be rounded.
        """
        if back_ns < sent_ns or tick_ns < 0:
            raise ValueError(f"an answer comes after its question, got {sent_ns} and {back_ns} ns")
        low, high = float(sent_ns - there_ns - tick_ns), float(back_ns - there_ns + tick_ns)
        apart_ns = _DRIFT * abs(back_ns - self._at_ns)
        self.answers += 1
        kept_low, kept_high = max(low, self._low - apart_ns), min(high, self._high + apart_ns)
        if not self._since or kept_low > kept_high:
            self.jumps += bool(self._since)
            self._since, self._low, self._high = 1, low, high
            self._offset = (low + high) / 2
        else:
            self._since, self._low, self._high = self._since + 1, kept_low, kept_high
            # no faster than clocks drift, so that neighbouring pictures keep their distance
            wish = (kept_low + kept_high) / 2 - self._offset
            step = wish if not self.is_known else max(-apart_ns, min(apart_ns, wish))
            self._offset = min(kept_high, max(kept_low, self._offset + step))
        self._at_ns = back_ns

    def laid_onto(self, there_ns: int) -> LaidOnto:
        """Return an instant of the other clock on this one; ValueError if the clock is not known yet."""
        if not self.is_known:
            raise ValueError(f"{_NEEDED} answers are needed, {self._since} came")
        t_ns = round(there_ns + self._offset)
        apart_ns = _DRIFT * abs(t_ns - self._at_ns)
        return LaidOnto(t_ns, max(1, round(self.half_width_ns + apart_ns)))
