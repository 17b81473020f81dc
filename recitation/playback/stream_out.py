"""The timeline as blocks of sound for a loudspeaker elsewhere: a browser that reports when they were heard.

The browser takes the place of the sound card. It gets blocks ahead of time, plays them, and reports now and
then which sample was heard at which instant, and how often it ran dry.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from dataclasses import dataclass, field

import numpy as np

from recitation.playback.reports import SoundBlock
from recitation.playback.stream_clock import StreamClock
from recitation.playback.timeline import Timeline
from recitation.reading.plan import SAMPLE_RATE, sample_to_ns

BLOCK = SAMPLE_RATE // 10
AHEAD_S = 0.8  # assumed delay from sending to hearing, until the browser reports
_UNHEARD_UNC_NS = 500_000_000
_KEPT = 50
_FULL_SCALE = 32_767


@dataclass(frozen=True, slots=True)
class Heard:
    """The browser's report: `sample` was heard at `t_ns` +- `unc_ns`; it ran dry `underruns` times."""

    sample: int
    t_ns: int
    unc_ns: int
    underruns: int = 0


@dataclass(frozen=True, slots=True)
class Listened:
    """Whether a browser takes the sound."""

    is_so: bool


_UNHEARD = (
    "no browser is the loudspeaker: open the page on the device that shall be it, and press a button there"
)


@dataclass
class StreamOut:
    """Fills blocks in real time; the sender takes them from `blocks`.

    Attributes
    ----------
    timeline, clock : what is played, and its samples on the match clock.
    blocks : blocks that wait to be sent; if nobody takes them, the oldest are dropped.
    underruns : how often the browser ran dry.
    sample : samples filled so far.
    latency_s : assumed time from filling a sample to hearing it.
    problem : why nothing is heard now, else None.
    """

    timeline: Timeline
    clock: StreamClock = field(default_factory=StreamClock)
    blocks: deque[SoundBlock] = field(default_factory=lambda: deque(maxlen=_KEPT))
    underruns: int = 0
    sample: int = 0
    latency_s: float = AHEAD_S

    def __post_init__(self) -> None:
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="stream output", daemon=True)
        self._is_heard = False
        self.problem: str | None = None

    def start(self) -> None:
        """Begin to fill blocks."""
        self.clock.latency_unc_ns = _UNHEARD_UNC_NS
        self._thread.start()

    def close(self) -> None:
        """Stop filling."""
        self._stop.set()
        self._thread.join()

    def heard(self, told: Heard) -> None:
        """Take in a report of the browser; it replaces the assumed delay."""
        if not self._is_heard or told.underruns != self.underruns:
            self.clock.restart()
        self._is_heard = True
        self.underruns = told.underruns
        self.clock.latency_unc_ns = told.unc_ns
        self.clock.observe(told.sample, told.t_ns)

    def listened(self, told: Listened) -> None:
        """Note whether there is a browser that takes the sound."""
        self.problem = None if told.is_so else _UNHEARD

    def _run(self) -> None:
        began_ns = time.perf_counter_ns()
        block = np.zeros(BLOCK, dtype=np.float32)
        while not self._stop.is_set():
            if not self._is_heard:
                ahead_ns = round(AHEAD_S * 1e9)
                self.clock.observe(self.sample, began_ns + sample_to_ns(self.sample) + ahead_ns)
            self.timeline.fill(block, self.sample)
            data = (np.clip(block, -1.0, 1.0) * _FULL_SCALE).astype("<i2").tobytes()
            self.blocks.append(SoundBlock(self.sample, data))
            self.sample += BLOCK
            wait_ns = began_ns + sample_to_ns(self.sample) - time.perf_counter_ns()
            self._stop.wait(max(wait_ns, 0) / 1e9)
