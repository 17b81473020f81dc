"""The microphone: blocks of sound, and the instant at which each sample was in the air."""

import time
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any, Protocol, Self

import numpy as np

from recitation.playback.lasting_stream import LastingStream
from recitation.playback.sound_out import NoSoundError
from recitation.playback.stream_clock import StreamClock
from recitation.reading.plan import SAMPLE_RATE
from recitation.sound.clip import Wave
from referee.complaint import sentence_of

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
        """Open the device and begin to record.

        Raises NoSoundError if PortAudio has no such device, or it refuses one channel at 48 kHz.
        """
        import sounddevice  # noqa: PLC0415 - opening PortAudio costs time and fails where it is not installed

        self._line = LastingStream(self._made, self.device, "microphone")
        try:
            self._line.start()
        except (sounddevice.PortAudioError, ValueError) as error:
            name = "the default microphone" if self.device is None else f"the microphone {self.device!r}"
            raise NoSoundError(
                "{name} cannot record mono at {rate_hz} Hz ({why}); see `shinpan doctor`, or choose "
                "another one with --device",
                name=name,
                rate_hz=SAMPLE_RATE,
                why=sentence_of(error),
            ) from error
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

    def _made(self, device: str | int | None) -> Any:
        import sounddevice  # noqa: PLC0415 - see `__enter__`

        def take(block: Any, frames: int, times: Any, status: Any) -> None:
            if self._line.stream is stream and self._line.beat():
                self._take(stream, block, frames, times, status)

        stream = sounddevice.InputStream(
            samplerate=SAMPLE_RATE,
            channels=1,
            dtype="float32",
            latency=_LATENCY_S,
            device=device,
            callback=take,
        )
        if self._line.times_lost:
            self.overflows += 1  # the sound in between is lost
        self.clock.restart()
        return stream

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
