"""The output of a timeline: a PortAudio stream, silence in real time without a sound card, or a browser.

The browser takes the place of the sound card. It gets blocks ahead of time, plays them, and reports now and
then which sample was heard at which instant, and how often it ran dry.
"""

import threading
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from recitation.playback.lasting_stream import LastingStream
from recitation.playback.reports import SoundBlock
from recitation.playback.stream_clock import StreamClock
from recitation.playback.timeline import Timeline
from recitation.reading.plan import SAMPLE_RATE, sample_to_ns, samples
from recitation.sound.clip import Wave, in_16_bit

LATENCY_S = 0.5
"""Sound held in the card's buffer; with 0.3 s it ran dry beside eight busy processes on two cores."""
_SETTLE_S = 1.0  # time that the card must play after filling its buffer before its times count as reliable
AHEAD_S = 0.8  # assumed delay from sending to hearing, until the browser reports
_UNHEARD_UNC_NS = 500_000_000
_KEPT = 50
_UNHEARD = (
    "no browser is the loudspeaker: open the page on the device that shall be it, and press a button there"
)


@dataclass
class PortAudioOut:
    """A PortAudio output stream."""

    timeline: Timeline
    device: str | int | None = None  # PortAudio's name or index of a device; None takes the default one
    clock: StreamClock = field(default_factory=StreamClock)
    underruns: int = 0  # how often the card ran dry; shown, logged, and each one restarts the clock
    sample: int = 0  # samples handed to the card so far

    def __post_init__(self) -> None:
        self._line = LastingStream(self.device, self._fill, self._made, LATENCY_S, plays=True)

    @property
    def latency_s(self) -> float:
        """Time from filling a sample to hearing it, as the card promised."""
        return float(self._line.stream.latency) if self._line.stream else LATENCY_S

    @property
    def name(self) -> str:
        """The device's own name, by which its calibrated latency is kept; empty before `start`."""
        return self._line.name

    @property
    def problem(self) -> str | None:
        """Why there is no sound now, else None; the timeline waits until a device is back."""
        return self._line.problem

    def start(self) -> None:
        """Open the device and begin; NoSoundError as `LastingStream.start`."""
        self._line.start()

    def close(self) -> None:
        self._line.close()

    def _made(self, stream: Any) -> None:
        self.clock.restart()
        self.clock.settle_samples = self.sample + samples(float(stream.latency) + _SETTLE_S)

    def _fill(self, stream: Any, block: Any, frames: int, times: Any, status: Any) -> None:
        # Read both clocks together: `times.currentTime` is older by the time that the interpreter took to get
        # here.
        card_s, now_ns = stream.time, time.perf_counter_ns()
        if status.output_underflow:
            self.underruns += 1
            self.clock.restart()
        # some hosts give no times: the promised latency is then the best guess
        ahead_s = times.outputBufferDacTime - card_s if times.outputBufferDacTime else self.latency_s
        self.clock.observe(self.sample, now_ns + round(ahead_s * 1e9))
        self.timeline.fill(block[:, 0], self.sample)
        self.sample += frames


@dataclass
class SilentOut:
    """Keeps time without sound, while the panel shows the text in time."""

    timeline: Timeline
    clock: StreamClock = field(default_factory=StreamClock)
    underruns: int = 0
    sample: int = 0  # samples filled so far
    latency_s: float = 0.0  # time from filling a sample to hearing it
    problem: str | None = None  # why nothing is heard now
    block: ClassVar[int] = 480

    def __post_init__(self) -> None:
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"{type(self).__name__} output", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        began_ns = time.perf_counter_ns()
        block = np.zeros(self.block, dtype=np.float32)
        while not self._stop.is_set():
            self._note(began_ns + sample_to_ns(self.sample))
            self.timeline.fill(block, self.sample)
            self._hand_on(block)
            self.sample += len(block)
            ahead_ns = began_ns + sample_to_ns(self.sample) - time.perf_counter_ns()
            self._stop.wait(max(ahead_ns, 0) / 1e9)

    def _note(self, filled_ns: int) -> None:
        self.clock.observe(self.sample, filled_ns)

    def _hand_on(self, block: Wave) -> None:
        """Give a block to whoever plays it; nobody does here."""


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


@dataclass
class StreamOut(SilentOut):
    """Fills blocks in real time; the sender takes them from `blocks`."""

    # blocks that wait to be sent; if nobody takes them, the oldest are dropped
    blocks: deque[SoundBlock] = field(default_factory=lambda: deque(maxlen=_KEPT))
    latency_s: float = AHEAD_S
    block: ClassVar[int] = SAMPLE_RATE // 10
    _is_heard: bool = False

    def start(self) -> None:
        self.clock.latency_unc_ns = _UNHEARD_UNC_NS
        super().start()

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

    def _note(self, filled_ns: int) -> None:
        if not self._is_heard:
            super()._note(filled_ns + round(AHEAD_S * 1e9))

    def _hand_on(self, block: Wave) -> None:
        self.blocks.append(SoundBlock(self.sample, in_16_bit(block)))
