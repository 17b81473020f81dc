"""The microphone: blocks of sound, and the instant at which each sample was in the air."""

import time
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any, Protocol, Self

import numpy as np

from recitation.playback.lasting_stream import LastingStream
from recitation.playback.stream_clock import StreamClock
from recitation.sound.clip import Wave

_LATENCY_S = 0.1


class SoundIn(Protocol):
    """The interface of a microphone for listeners; see `Microphone`."""

    clock: StreamClock
    overflows: int

    @property
    def problem(self) -> str | None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *exc: object) -> None: ...
    def blocks(self, timeout_s: float = 0.0) -> list[Wave]: ...


@dataclass
class Microphone:
    """A PortAudio input stream, mono at 48 kHz. Use it as a context manager."""

    device: str | int | None = None  # PortAudio's name or index of a device; None takes the default one
    # samples on the match clock; `latency_ns` is negative if sound is older than the card says
    clock: StreamClock = field(default_factory=StreamClock)
    overflows: int = 0  # how often samples were lost because they were not fetched in time
    _blocks: SimpleQueue[Wave] = field(default_factory=SimpleQueue)
    _samples: int = 0

    def __enter__(self) -> Self:
        """Open the device and begin to record; NoSoundError as `LastingStream.start`."""
        self._line = LastingStream(self.device, self._take, self._made, _LATENCY_S, plays=False)
        self._line.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._line.close()

    @property
    def problem(self) -> str | None:
        """Why nothing is heard now, None while it is."""
        return self._line.problem

    @property
    def name(self) -> str:
        return self._line.name

    def _made(self, _: Any) -> None:
        if self._line.times_lost:
            self.overflows += 1  # the sound in between is lost
        self.clock.restart()

    def blocks(self, timeout_s: float = 0.0) -> list[Wave]:
        """Return what was recorded since the last call; waits up to `timeout_s` for the first block."""
        found: list[Wave] = []
        try:
            found.append(self._blocks.get(timeout=timeout_s) if timeout_s else self._blocks.get_nowait())
            while True:
                found.append(self._blocks.get_nowait())
        except Empty:
            return found

    def _take(self, stream: Any, block: Any, frames: int, times: Any, status: Any) -> None:
        heard_s, now_ns = times.inputBufferAdcTime - stream.time, time.perf_counter_ns()
        if status.input_overflow:
            self.overflows += 1
            self.clock.restart()
        self.clock.observe(self._samples, now_ns + round(heard_s * 1e9))
        self._blocks.put(np.array(block[:, 0], dtype=np.float32))
        self._samples += frames
