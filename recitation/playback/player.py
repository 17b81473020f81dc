"""A reciter in a process of its own, so that load in the vision process cannot make it stutter.

Both processes read the machine's monotonic clock (`time.perf_counter_ns`), so all reported instants are on
the match clock.
"""

import multiprocessing
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

import numpy as np

from recitation.playback.lasting_stream import NoSoundError
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
from recitation.playback.sound_out import (
    Heard,
    Listened,
    PortAudioOut,
    SilentOut,
    StreamOut,
)
from recitation.playback.stream_clock import Latency, StreamClock
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
_SoundOut = PortAudioOut | SilentOut
_Told = TypeVar("_Told")
UNMEASURED_UNC_NS = 15_000_000
"""Uncertainty for a loudspeaker without a measured latency: 9 ms for three metres of air, a few for the
converter."""


@dataclass(frozen=True)
class ReadingSettings:
    """The settings of a reading."""

    steps: Sequence[Step] = ()  # see `recitation.reading.practice.steps`
    # voice, rhythm, folders: see `recitation.voices.catalogue.find_voice`
    voice: str = "high"
    rhythm: Rhythm = DEFAULT
    folders: Sequence[Path] = (PACKS,)
    spacing: Spacing = field(default_factory=Spacing)  # silences that the rhythm does not define
    by_hand: bool = False  # True if every step waits for `Act.GO`
    volume: float = 1.0  # 0..1
    device: str | int | None = None  # PortAudio's name or index; None takes the default device
    silent: bool = False  # True keeps time without sound (the panel shows the text)
    # True gives the sound as blocks for a browser, see `recitation.playback.sound_out`
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


class SoundProcess(Generic[_Told]):
    """A process of its own that plays: messages go in, reports come out."""

    def __init__(self, play: Callable[[Connection, Any], None], settings: Any, name: str) -> None:
        context = multiprocessing.get_context("spawn")  # forking a process with threads and devices is unsafe
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(play, theirs, settings), name=name, daemon=True)
        self._process.start()
        theirs.close()
        self._has_ended = False
        self._sending = threading.Lock()

    def send(self, message: Any) -> None:
        """Send a message; does nothing once the process has ended."""
        try:
            with self._sending:
                self._pipe.send(message)
        except OSError:
            self._has_ended = True

    def reports(self, timeout_s: float = 0.0) -> list[_Told]:
        """Return what happened since the last call; waits up to `timeout_s` for the first report."""
        found: list[_Told] = []
        with suppress(EOFError, OSError):
            while self._pipe.poll(0.0 if found else timeout_s):
                found.append(self._pipe.recv())
            return found
        return found + self._end()

    def _end(self) -> list[_Told]:
        """Return what is to be told of a process that has ended."""
        return []

    def close(self) -> None:
        """Stop the sound and end the process."""
        self._has_ended = True
        self._pipe.close()
        self._process.join(_CLOSE_S)
        if self._process.is_alive():
            self._process.terminate()
            self._process.join()


def _serve(play: Callable[[Connection, Any], None], pipe: Connection, settings: Any) -> None:
    try:
        play(pipe, settings)
    except (EOFError, BrokenPipeError, ConnectionResetError, KeyboardInterrupt):
        return  # the other side has closed the pipe
    except Exception as error:  # noqa: BLE001 - the operator must learn of any error
        pipe.send(Failed(f"{type(error).__name__}: {error}"))


class Player(SoundProcess[Report]):
    """Plays a reading in its own process.

    Use it as a context manager. `do` sends commands, `reports` returns what happened.
    """

    def __init__(self, reading: ReadingSettings) -> None:
        super().__init__(_play, reading, "reciter")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def do(self, act: Act, value: float = 0.0) -> None:
        """Send a command to the reciter; does nothing once the process has ended."""
        self.send((act, value))

    def _end(self) -> list[Report]:
        has_ended, self._has_ended = self._has_ended, True
        return [] if has_ended else [Failed("the reciter's process has ended; start the reading again")]


def _play(pipe: Connection, reading: ReadingSettings) -> None:
    with suppress(OSError, AttributeError):
        os.nice(_NICENESS)  # sound takes priority over pictures, if the system permits
    voice = find_voice(reading.voice, reading.rhythm, reading.folders)
    timeline = Timeline(reading.volume, kept=reading.kept)
    clock = StreamClock()
    habits = reading.spacing, reading.by_hand, reading.starts_by_hand, reading.memorise_s
    reciter = Reciter(reading.steps, voice, timeline, clock, time.perf_counter_ns, *habits)
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
            if problem is not None and not lost:
                pipe.send(SoundLost(problem, has_no_listener=isinstance(out, StreamOut)))
                reciter.lose_sound()
            elif lost and problem is None:
                known = reading.latencies
                device = _calibrated(out, clock, known) if isinstance(out, PortAudioOut) else _BROWSER
                pipe.send(SoundBack(device))
                reciter.go_on()
            lost = problem is not None
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


def _obey(message: _Message, reciter: Reciter, out: _SoundOut) -> None:
    if isinstance(message, tuple):
        reciter.do(*message)
    elif isinstance(out, StreamOut):
        if isinstance(message, Heard):
            out.heard(message)
        else:
            out.listened(message)


def _open(timeline: Timeline, clock: StreamClock, reading: ReadingSettings) -> tuple[_SoundOut, Opened]:
    if reading.streamed:
        streamed = StreamOut(timeline, clock)
        streamed.start()
        return streamed, Opened(streamed.latency_s)
    return opened_out(timeline, clock, reading)


def opened_out(timeline: Timeline, clock: StreamClock, reading: ReadingSettings) -> tuple[_SoundOut, Opened]:
    """Open a sound device, or an output that only keeps time, and return it with its report."""
    why: str = ASKED_FOR
    if not reading.silent:
        out = PortAudioOut(timeline, reading.device, clock)
        try:
            out.start()
            name = _calibrated(out, clock, reading.latencies)
            return out, Opened(out.latency_s, device=name, is_calibrated=name in reading.latencies)
        except NoSoundError as error:
            why = sentence_of(error)
    quiet = SilentOut(timeline, clock)
    quiet.start()
    return quiet, Opened(0.0, why)


def _calibrated(out: PortAudioOut, clock: StreamClock, latencies: Mapping[str, Latency]) -> str:
    """Set the clock's latency to the device's own one, and return the device's name."""
    known = latencies.get(out.name)
    clock.latency_ns = known.latency_ns if known else 0
    clock.latency_unc_ns = known.unc_ns if known else UNMEASURED_UNC_NS
    return out.name
