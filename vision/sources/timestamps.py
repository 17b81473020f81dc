"""Find when a frame was made: by the driver's or the sender's stamp if that is credible, else by its arrival.

A stamp on this machine's own clock is used as it is. A stamp on another clock is mapped to ours by the least
delay ever seen between stamp and arrival; a constant delay remains, and does not matter when frames are
compared with each other. If stamps do not run at the rate of the arrivals, they were made up, and the arrival
is used. The uncertainty is measured from the frames' rhythm on the clock in use.
"""

from collections import deque
from enum import StrEnum

import numpy as np

from calibration.clocks.timing import FrameTiming, measure_timing
from referee.sentence import Sentence

_TRIAL = 30  # frames after which stamps and rhythm are judged, and judged again each time


class ClockUsed(StrEnum):
    """The clock that the frames' times come from."""

    DRIVER = "driver"  # the driver's stamps, on this machine's own clock
    SENDER = "sender"  # the sender's stamps, mapped to this machine's clock
    ARRIVAL = "arrival"  # this machine's clock when a frame arrived


class Stamper:
    """Gives every frame its time.

    `claimed_fps`: the driver's claim; used until the rhythm is measured. `are_ours`: whether stamps are known
    to be on this machine's clock, however late pictures come.

    `used`: the clock in use. `problem`: why stamps are not credible; None if they are, or if there are none.
    `timing`: the latest measured rhythm, None before the first.
    """

    def __init__(self, claimed_fps: float = 0.0, *, are_ours: bool = False) -> None:
        self._are_ours = are_ours
        self.used = ClockUsed.ARRIVAL
        self.problem: Sentence | None = None
        self.timing: FrameTiming | None = None
        unknown_interval_ns = 33_333_333
        self._interval_ns = round(1e9 / claimed_fps) if claimed_fps > 0 else unknown_interval_ns
        window_frames = 180
        self._arrivals: deque[int] = deque(maxlen=window_frames)
        self._stamps: deque[int] = deque(maxlen=window_frames)
        self._frames = 0
        self._jitter_ns: float | None = None

    def stamp(self, arrived_ns: int, sent_ns: int | None = None) -> tuple[int, int]:
        """Return a frame's time on this machine's clock and its 95 % half width, nanoseconds.

        `sent_ns`: the stamp that came with it, None if there is none.
        """
        self._frames += 1
        self._arrivals.append(arrived_ns)
        if sent_ns is None:
            self._stamps.clear()
        else:
            self._stamps.append(sent_ns)
        if self._frames % _TRIAL == 0:
            self._judge_stamps()
        self.used = self._clock_for(arrived_ns, sent_ns)
        t_ns = arrived_ns
        if sent_ns is not None and self.used is ClockUsed.DRIVER:
            t_ns = sent_ns
        elif sent_ns is not None and self.used is ClockUsed.SENDER:
            arrivals = list(self._arrivals)[-len(self._stamps) :]
            t_ns = sent_ns + min(arrived - sent for arrived, sent in zip(arrivals, self._stamps, strict=True))
        if self._frames % _TRIAL == 0:
            self._measure()
        return t_ns, self._half_width_ns()

    def _clock_for(self, arrived_ns: int, sent_ns: int | None) -> ClockUsed:
        if sent_ns is None or self.problem is not None or sent_ns <= 0:
            return ClockUsed.ARRIVAL
        # A stamp farther than this from the machine's clock is on another clock.
        own_clock_slack_ns = 1_000_000_000
        if self._are_ours or 0 <= arrived_ns - sent_ns <= own_clock_slack_ns:
            return ClockUsed.DRIVER
        # another clock is used only after it was seen to run
        return ClockUsed.SENDER if self._frames >= _TRIAL else ClockUsed.ARRIVAL

    def _judge_stamps(self) -> None:
        self.problem = None
        if len(self._stamps) < _TRIAL:
            return
        stamps = np.array(self._stamps, np.int64)
        arrivals = np.array(list(self._arrivals)[-len(stamps) :], np.int64)
        if (np.diff(stamps) <= 0).any():
            self.problem = Sentence("the stamps that come with the frames do not increase")
            return
        if self._are_ours:
            return  # a network that holds pictures back says nothing about their stamps
        rate = float((stamps[-1] - stamps[0]) / max(1, arrivals[-1] - arrivals[0]))
        # frames held back at one end of the window make the rate uncertain by that part of the window
        held_back = 2 * float(
            np.ptp(arrivals - stamps - np.linspace(0, (1 - rate) * np.ptp(arrivals), len(stamps)))
        )
        wrong_rate = 0.02
        slack = wrong_rate + held_back / max(1.0, float(np.ptp(arrivals)))
        if abs(rate - 1) > slack:
            self.problem = Sentence(
                "the stamps that come with the frames run {rate} times as fast as the frames come",
                rate=f"{rate:.2f}",
            )

    def _measure(self) -> None:
        own = self.used is not ClockUsed.ARRIVAL and len(self._stamps) >= _TRIAL
        measured = measure_timing(np.array(self._stamps if own else self._arrivals, np.int64))
        if isinstance(measured, FrameTiming):
            self.timing = measured
            self._interval_ns = round(measured.interval_ns)
            self._jitter_ns = measured.jitter_95_ns

    def _half_width_ns(self) -> int:
        # V4L2 reports microseconds, but the bus announces a frame a little after its start
        # senders count milliseconds, or ticks of 90 kHz with a rounding of their own
        stamped_floor_ns, arrival_floor_ns = 500_000, 1_000_000
        floor_ns = arrival_floor_ns if self.used is ClockUsed.ARRIVAL else stamped_floor_ns
        if self._jitter_ns is None:
            return 2 * floor_ns if self.used is ClockUsed.DRIVER else max(floor_ns, self._interval_ns)
        return round(min(max(floor_ns, self._jitter_ns), max(floor_ns, self._interval_ns)))
