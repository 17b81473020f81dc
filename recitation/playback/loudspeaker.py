"""A loudspeaker that plays a half at a given instant, in a process of its own.

Several loudspeakers in one room, each on its own machine, sound together if their clocks are synchronised:
each plays the clip's first sample at the given instant. A clip that is requested too late starts in its
middle, in time with the others.
"""

import time
from collections import deque
from multiprocessing.connection import Connection
from typing import NamedTuple

from recitation.playback.player import ReadingSettings, SoundProcess, opened_out
from recitation.playback.reports import Failed, Opened
from recitation.playback.stream_clock import StreamClock, is_heard
from recitation.playback.timeline import Timeline
from recitation.reading.phrase import Phrase
from recitation.reading.plan import SAMPLE_RATE, Cue
from recitation.voices.catalogue import find_voice

_TICK_S = 0.005


class Appointed(NamedTuple):
    """A request: the first sound of the half is to be heard at `t_ns` (`time.perf_counter_ns`)."""

    phrase: Phrase
    t_ns: int


class Sounded(NamedTuple):
    """A half was heard from `t_ns` on, according to the sound card, with the 95 % half width."""

    phrase: Phrase
    t_ns: int
    t_unc_ns: int


Told = Sounded | Opened | Failed


class Loudspeaker(SoundProcess[Told]):
    """Plays halves at their instants with the device and voice of a reading. `play` returns at once."""

    def __init__(self, reading: ReadingSettings) -> None:
        super().__init__(_play, reading, "loudspeaker")

    def play(self, phrase: Phrase, t_ns: int) -> None:
        """Request a half at an instant; does nothing once the process has ended."""
        self.send(Appointed(phrase, t_ns))

    def stop(self) -> None:
        """Fade out, and drop all requests."""
        self.send(None)


def _play(pipe: Connection, reading: ReadingSettings) -> None:
    voice = find_voice(reading.voice, reading.rhythm, reading.folders)
    timeline, clock = Timeline(), StreamClock()
    out, opened = opened_out(timeline, clock, reading)
    pipe.send(opened)
    waiting: deque[Appointed] = deque()
    try:
        while True:
            while pipe.poll(_TICK_S):
                appointed = pipe.recv()
                if appointed is None:
                    waiting.clear()
                    timeline.stop()
                else:
                    waiting.append(appointed)
            while waiting and clock.is_settled:
                phrase, t_ns = waiting.popleft()
                wave = voice.clip(phrase).wave
                due = round((t_ns - clock.instant(0)[0]) * SAMPLE_RATE / 1e9)
                timeline.place(Cue(phrase, due, len(wave)), wave)
            now_ns = time.perf_counter_ns()
            while timeline.started and is_heard(timeline.started[0].stream_sample, clock, now_ns):
                started = timeline.started.popleft()
                pipe.send(Sounded(started.cue.phrase, *clock.instant(started.stream_sample)))
    finally:
        out.close()
