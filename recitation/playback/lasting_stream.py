"""A PortAudio stream that survives the loss of its device: unplugged, suspended, or its server restarted.

PortAudio does not report that a device is gone: its callbacks just stop. A thread notices that, opens the
same device again once it is back, or the default one instead, and reports what happened.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar

from recitation.reading.plan import SAMPLE_RATE
from referee.complaint import sentence_of
from referee.sentence import SentenceError

GONE_S = 1.5
"""The device is gone if no callback comes for this long: a card's buffer holds half a second
(`recitation.playback.sound_out.LATENCY_S`), and a sound server may take a second to wake."""
_STARTS_S = 5.0  # time limit for the first callback of a new stream: a busy sound server takes seconds
_LOOK_S = 0.1
_AGAIN_S = 1.0  # interval at which a lost device is searched for
_CLOSING_S = 1.0  # longest wait for a stream to close: if its sound server hangs, it never does

Device = str | int | None


class NoSoundError(SentenceError, RuntimeError):
    """There is no suitable sound device; the message says what to do."""


class LastingStream:
    """Keeps a stream running, mono at 48 kHz.

    `stream`: the present one; None before `start`. `problem`: message for people while none works. `device`:
    PortAudio's name or index; None for the default one. `take`: called with the stream and what PortAudio
    gives a callback. `made`: called with each new stream before it starts.
    """

    _running: ClassVar[set[LastingStream]] = set()

    def __init__(
        self,
        device: Device,
        take: Callable[[Any, Any, int, Any, Any], None],
        made: Callable[[Any], None],
        latency_s: float,
        *,
        plays: bool,
    ) -> None:
        self.stream: Any = None
        self.name = ""
        self.problem: str | None = None
        self.times_lost = 0
        self._device, self._take, self._made, self._latency_s = device, take, made, latency_s
        self._plays, self._what = plays, "sound device" if plays else "microphone"
        self._beat_s = 0.0
        self._has_begun = False
        self._on_trial = False
        self._over = threading.Event()
        self._closing: threading.Thread | None = None
        self._thread = threading.Thread(target=self._watch, name=f"watch over the {self._what}", daemon=True)

    def start(self) -> None:
        """Open the device and start to watch it.

        Raises NoSoundError if PortAudio has no such device, or it refuses one channel at 48 kHz.
        """
        import sounddevice  # noqa: PLC0415 - opening PortAudio costs time and fails where it is not installed

        try:
            self._open(self._device)
        except (sounddevice.PortAudioError, ValueError) as error:
            which = (
                f"the default {self._what}" if self._device is None else f"the {self._what} {self._device!r}"
            )
            told = {"name": which, "rate_hz": SAMPLE_RATE, "why": sentence_of(error)}
            if self._plays:
                raise NoSoundError(
                    "{name} cannot play mono at {rate_hz} Hz ({why}); see `shinpan doctor`, or choose "
                    "another one with --device",
                    **told,
                ) from error
            raise NoSoundError(
                "{name} cannot record mono at {rate_hz} Hz ({why}); see `shinpan doctor`, or choose "
                "another one with --device",
                **told,
            ) from error
        self._running.add(self)
        self._thread.start()

    def close(self) -> None:
        """Stop at once and release the device."""
        self._over.set()
        self._running.discard(self)
        self._drop()

    def _open(self, device: Device) -> None:
        import sounddevice  # noqa: PLC0415 - see `start`

        def called(block: Any, frames: int, times: Any, status: Any) -> None:
            # an abandoned stream may still call once or twice, and a reopened one is on trial at first
            if self.stream is stream:
                self._beat_s, self._has_begun = time.monotonic(), True
            if self.stream is stream and not self._on_trial:
                self._take(stream, block, frames, times, status)
            elif self._plays:
                block.fill(0.0)

        self._beat_s, self._has_begun = time.monotonic(), False
        opened = sounddevice.OutputStream if self._plays else sounddevice.InputStream
        stream = opened(
            samplerate=SAMPLE_RATE,
            channels=1,
            dtype="float32",
            latency=self._latency_s,
            device=device,
            callback=called,
        )
        self._made(stream)
        self.stream = stream
        stream.start()
        self.name = str(sounddevice.query_devices(self.stream.device)["name"])

    def _drop(self) -> None:
        """Close the stream, waiting at most `_CLOSING_S` for a server that may hang."""
        stream, self.stream = self.stream, None
        if stream is None:
            return

        def drop() -> None:
            with suppress(Exception):
                stream.abort()
            with suppress(Exception):
                stream.close()

        self._closing = threading.Thread(target=drop, name=f"closing the {self._what}", daemon=True)
        self._closing.start()
        self._closing.join(_CLOSING_S)

    @property
    def _beats(self) -> bool:
        patience_s = GONE_S if self._has_begun else _STARTS_S
        return time.monotonic() - self._beat_s < patience_s and self.stream is not None and self.stream.active

    def _watch(self) -> None:
        while not self._over.wait(_LOOK_S):
            with suppress(Exception):  # any error of a dead stream means that it is gone
                if self._beats:
                    continue
            self.times_lost += 1
            self.problem = (
                f"the {self._what} {self.name!r} is gone: plug it in again, or choose another one as the "
                "system's default"
            )
            self._on_trial = True
            while not self._over.is_set() and not self._is_back():
                self._over.wait(_AGAIN_S)
            self._on_trial = False
            self.problem = None

    def _is_back(self) -> bool:
        """Try to open the device, or else the default one; tell whether one of them works."""
        self._drop()
        if self._closing is not None and self._closing.is_alive():
            return False  # the sound server hangs, and PortAudio with it
        for device in self._candidates():
            try:
                with quiet_stderr():
                    self._open(device)
            except Exception:  # noqa: BLE001 - PortAudio has many errors for a missing device
                self._drop()
                continue
            with suppress(Exception):  # any error of a dead stream means that it is not back
                while self._beats and not self._has_begun and not self._over.wait(_LOOK_S):
                    pass
                # a suspended device also fills its buffer once: only one that keeps asking works
                self._over.wait(GONE_S)
                if self._beats and time.monotonic() - self._beat_s < GONE_S / 2:
                    return True
            self._drop()
        return False

    def _candidates(self) -> Iterator[Device]:
        import sounddevice  # noqa: PLC0415 - see `start`

        if self._running == {self}:
            # PortAudio lists devices only when it starts; a restart would kill other streams, so only if
            # alone
            with suppress(Exception), quiet_stderr():
                sounddevice._terminate()
            with suppress(Exception), quiet_stderr():
                sounddevice._initialize()
        if self._device is not None:
            yield self.name  # indices change when a device goes
        yield None


@contextmanager
def quiet_stderr() -> Iterator[None]:
    """Discard everything written to file descriptor 2 inside the block."""
    sys.stderr.flush()
    saved = os.dup(2)
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(saved, 2)
            os.close(saved)
