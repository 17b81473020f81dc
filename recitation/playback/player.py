"""A reciter in a process of its own, so that load in the vision process cannot make it stutter.

Both processes read the machine's monotonic clock (`time.perf_counter_ns`), so all reported instants are on
the match clock.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Self

import numpy as np

from recitation.playback.latency import Latency
from recitation.playback.reciter import Reciter
from recitation.playback.reports import (
    ASKED_FOR,
    Act,
    Failed,
    Opened,
    Report,
    SoundBack,
    SoundLost,
    SoundPlayed,
    Underran,
)
from recitation.playback.sound_out import NoSoundError, PortAudioOut, SilentOut, SoundOut
from recitation.playback.stream_clock import StreamClock
from recitation.playback.stream_out import Heard, Listened, StreamOut
from recitation.playback.timeline import Timeline
from recitation.reading.plan import SAMPLE_RATE, Spacing
from recitation.reading.practice import Step
from recitation.reading.rhythm import DEFAULT, Rhythm
from recitation.sound.clip import in_16_bit
from recitation.voices.catalogue import PACKS, find_voice
from referee.complaint import sentence_of

_TICK_S = 0.005
_CLOSE_S = 5.0
_NICENESS = -10
_BROWSER = "a browser"
_Message = tuple[Act, float] | Heard | Listened
UNMEASURED_UNC_NS = 15_000_000
"""Uncertainty for a loudspeaker without a measured latency: 9 ms for three metres of air, a few for the
converter."""


@dataclass(frozen=True)
class ReadingSettings:
    """The settings of a reading."""

    steps: Sequence[Step]  # see `recitation.reading.practice.steps`
    # voice, rhythm, folders: see `recitation.voices.catalogue.find_voice`
    voice: str = "high"
    rhythm: Rhythm = DEFAULT
    folders: Sequence[Path] = (PACKS,)
    spacing: Spacing = field(default_factory=Spacing)  # silences that the rhythm does not define
    by_hand: bool = False  # True if every step waits for `Act.GO`
    volume: float = 1.0  # 0..1
    device: str | int | None = None  # PortAudio's name or index; None takes the default device
    silent: bool = False  # True keeps time without sound (the panel shows the text)
    # True gives the sound as blocks for a browser, see `recitation.playback.stream_out`
    streamed: bool = False
    # starts_by_hand, memorise_s: see `recitation.playback.reciter.Reciter`
    starts_by_hand: bool = False
    memorise_s: float = 0.0
    # measured latency of each device, by its name; see `recitation.playback.loopback`
    latencies: Mapping[str, Latency] = field(default_factory=dict)
    kept: bool = False  # True reports what the loudspeaker played as `SoundPlayed`

    def __post_init__(self) -> None:
        if not 0.0 <= self.volume <= 1.0:
            raise ValueError(f"volume must be 0..1, got {self.volume:g}")


class Player:
    """Plays a reading in its own process.

    Use it as a context manager. `do` sends commands, `reports` returns what happened.
    """

    def __init__(self, reading: ReadingSettings) -> None:
        context = multiprocessing.get_context("spawn")  # forking a process with threads and devices is unsafe
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, reading), name="reciter", daemon=True)
        self._process.start()
        theirs.close()
        self._has_ended = False
        self._sending = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def do(self, act: Act, value: float = 0.0) -> None:
        """Send a command to the reciter; does nothing once the process has ended."""
        self._send((act, value))

    def heard(self, told: Heard) -> None:
        """Pass on a browser's report on the sound it received."""
        self._send(told)

    def listened(self, told: Listened) -> None:
        """Pass on whether a browser takes the sound; without one the reading waits."""
        self._send(told)

    def _send(self, message: _Message) -> None:
        try:
            with self._sending:
                self._pipe.send(message)
        except OSError:
            self._has_ended = True

    def reports(self, timeout_s: float = 0.0) -> list[Report]:
        """Return what happened since the last call; waits up to `timeout_s` for the first report."""
        found: list[Report] = []
        try:
            while self._pipe.poll(0.0 if found else timeout_s):
                found.append(self._pipe.recv())
        except (EOFError, OSError):
            if not self._has_ended:
                found.append(Failed("the reciter's process has ended; start the reading again"))
            self._has_ended = True
        return found

    def close(self) -> None:
        """Stop the sound and end the process."""
        self._has_ended = True
        self._pipe.close()
        self._process.join(_CLOSE_S)
        if self._process.is_alive():
            self._process.terminate()
            self._process.join()


def _serve(pipe: Connection, reading: ReadingSettings) -> None:
    with suppress(OSError, AttributeError):
        os.nice(_NICENESS)  # sound takes priority over pictures, if the system permits
    try:
        _play(pipe, reading)
    except (EOFError, BrokenPipeError, ConnectionResetError, KeyboardInterrupt):
        return  # the other side has closed the pipe
    except Exception as error:  # noqa: BLE001 - the operator must learn of any error
        pipe.send(Failed(f"{type(error).__name__}: {error}"))


def _play(pipe: Connection, reading: ReadingSettings) -> None:
    voice = find_voice(reading.voice, reading.rhythm, reading.folders)
    timeline = Timeline(reading.volume, kept=reading.kept)
    clock = StreamClock()
    reciter = Reciter(
        reading.steps,
        voice,
        timeline,
        clock,
        time.perf_counter_ns,
        reading.spacing,
        reading.by_hand,
        reading.starts_by_hand,
        reading.memorise_s,
    )
    reciter.tick()  # before the card starts, so that no buffer of silence comes before the first clip
    out, opened = _open(timeline, clock, reading)
    pipe.send(opened)
    underruns = 0
    lost = False
    try:
        while True:
            while pipe.poll(_TICK_S):
                _obey(pipe.recv(), reciter, out)
            problem = out.problem
            if (problem is not None) is not lost:
                lost = problem is not None
                if problem is not None:
                    pipe.send(SoundLost(problem, has_no_listener=isinstance(out, StreamOut)))
                    reciter.lose_sound()
                else:
                    device = _BROWSER
                    if isinstance(out, PortAudioOut):
                        device = _calibrated(out, clock, reading.latencies)
                    pipe.send(SoundBack(device))
                    reciter.go_on()
            if not lost:
                reciter.tick()
            while isinstance(out, StreamOut) and out.blocks:
                pipe.send(out.blocks.popleft())
            while reciter.reports:
                pipe.send(reciter.reports.popleft())
            if (played := _played(timeline, clock)) is not None and isinstance(out, PortAudioOut):
                pipe.send(played)
            if out.underruns != underruns:
                underruns = out.underruns
                pipe.send(Underran(underruns))
    finally:
        out.close()


def _played(timeline: Timeline, clock: StreamClock) -> SoundPlayed | None:
    """Return what was played and not reported yet, in pieces that are longer than the card's blocks."""
    pieces, least = timeline.played, SAMPLE_RATE // 4
    if not pieces or not clock.is_settled:
        return None
    has_ended = timeline.is_idle or timeline.is_paused
    if not has_ended and sum(len(wave) for _, wave in tuple(pieces)) < least:
        return None
    first, wave = pieces.popleft()
    waves = [wave]
    while pieces and pieces[0][0] == first + sum(map(len, waves)):
        waves.append(pieces.popleft()[1])
    t_ns, t_unc_ns = clock.instant(first)
    return SoundPlayed(t_ns, t_unc_ns, in_16_bit(np.concatenate(waves)))


def _obey(message: _Message, reciter: Reciter, out: SoundOut) -> None:
    if isinstance(message, tuple):
        reciter.do(*message)
    elif isinstance(out, StreamOut):
        if isinstance(message, Heard):
            out.heard(message)
        else:
            out.listened(message)


def _open(timeline: Timeline, clock: StreamClock, reading: ReadingSettings) -> tuple[SoundOut, Opened]:
    if reading.streamed:
        streamed = StreamOut(timeline, clock)
        streamed.start()
        return streamed, Opened(streamed.latency_s)
    return opened_out(timeline, clock, reading.device, reading.latencies, silent=reading.silent)


def opened_out(
    timeline: Timeline,
    clock: StreamClock,
    device: str | int | None,
    latencies: Mapping[str, Latency],
    *,
    silent: bool,
) -> tuple[PortAudioOut | SilentOut, Opened]:
    """Open a sound device, or an output that only keeps time, and return it with its report.

    `device`: PortAudio's name or index; None takes the default device. `silent`: True opens no device.
    """
    if silent:
        quiet = SilentOut(timeline, clock)
        quiet.start()
        return quiet, Opened(0.0, ASKED_FOR)
    out = PortAudioOut(timeline, device, clock)
    try:
        out.start()
    except NoSoundError as error:
        quiet = SilentOut(timeline, clock)
        quiet.start()
        return quiet, Opened(0.0, sentence_of(error))
    name = _calibrated(out, clock, latencies)
    return out, Opened(out.latency_s, device=name, is_calibrated=name in latencies)


def _calibrated(out: PortAudioOut, clock: StreamClock, latencies: Mapping[str, Latency]) -> str:
    """Set the clock's latency to the device's own one, and return the device's name."""
    known = latencies.get(out.name)
    clock.latency_ns = known.latency_ns if known else 0
    clock.latency_unc_ns = known.unc_ns if known else UNMEASURED_UNC_NS
    return out.name
