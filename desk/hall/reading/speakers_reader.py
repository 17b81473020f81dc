"""A reader for mats with their own loudspeakers: every half is scheduled ahead of time for all of them."""

import asyncio
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from desk.hall.link import Link
from desk.hall.messages import PlayCue, pack
from desk.hall.subjects import READING_PLAY
from desk.karuta.engine.events import DeskEvent
from desk.karuta.readers.loudspeaker_reader import RecitedPoem, ku_begin_ns
from desk.karuta.readers.reader import JokaOver, JokaSounds, Reader, Sound
from desk.log.clocks import Clock, match_clock
from recitation.playback.player import ReadingSettings
from recitation.playback.reports import PhraseStarted
from recitation.reading.phrase import JOKA, Half, Phrase
from recitation.reading.plan import plan_step, sample_to_ns, samples
from recitation.reading.practice import Step
from recitation.voices.catalogue import find_voice
from referee.karuta.declarations import Misread
from referee.karuta.flow.events import Event
from referee.karuta.flow.follow_ups import FollowUp, MatchEnded, ReadJoka, ReadPoem

LEAD_S: Final = 1.5
"""Time ahead: a message takes milliseconds, a sound device buffers half a second, a clip must be decoded."""
SYNC_UNC_NS: Final = 20_000_000  # mats play within 20 ms of the scheduled instant, or report that they do not


class Speakers(Protocol):
    """All loudspeakers of a hall; those of the mats also stop when a reading is void (`VoidCue`)."""

    def play(self, phrase: Phrase, t_ns: int) -> None:
        """Play a half on all of them at an instant of the reader's clock."""

    def stop(self) -> None:
        """Stop the sound at once."""


class HallSpeakers:
    """The loudspeakers of the mats, controlled by messages, and the one of the reader's machine.

    `voice`, `rhythm`: arguments of `shinpan recite`. `own`: the loudspeaker of the reader's machine; None if
    it has none.
    """

    def __init__(
        self, link: Link, session: str, voice: str, rhythm: str, own: Speakers | None = None
    ) -> None:
        self._link, self._session, self._own = link, session, own
        self._voice, self._rhythm = voice, rhythm
        self._tasks: set[asyncio.Task[bool]] = set()

    def play(self, phrase: Phrase, t_ns: int) -> None:
        cue = PlayCue(self._session, phrase.poem, phrase.half.value, self._voice, self._rhythm, t_ns)
        task = asyncio.get_running_loop().create_task(self._link.say(READING_PLAY, pack(cue)))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        if self._own is not None:
            self._own.play(phrase, t_ns)

    def stop(self) -> None:
        """Stop the own loudspeaker; the mats stop when they receive the `VoidCue`."""
        if self._own is not None:
            self._own.stop()


@dataclass(frozen=True, slots=True)
class _Sounding:
    phrase: Phrase
    t_ns: int
    samples: int


class SpeakersReader(Reader):
    """Schedules the reading; a `desk.karuta.readers.reader.Reader`.

    `reading`: steps, voice and rhythm; see `desk.karuta.house.agreed_reader.reading_of`. `speakers`: play
    every half, and receive it `LEAD_S` ahead.
    """

    problem: str | None = None

    def __init__(self, reading: ReadingSettings, speakers: Speakers, clock: Clock = match_clock) -> None:
        self._reading = reading
        self._voice = find_voice(reading.voice, reading.rhythm, reading.folders)
        self._speakers, self._clock = speakers, clock
        self._steps = deque(reading.steps)
        self._sounding: deque[_Sounding] = deque()
        self._last: Phrase | None = None
        self._joka_heard = False

    def follow(self, event: Event | FollowUp | DeskEvent, unread: Collection[int]) -> None:  # noqa: ARG002
        """Read on, or stop."""
        match event:
            case ReadPoem(poem=None) | ReadJoka():
                if self._steps:
                    self._read(self._steps.popleft())
            case ReadPoem():
                if self._last is not None:
                    self._read((self._last,))
            case Misread() | MatchEnded():
                self._sounding.clear()
                self._speakers.stop()
            case _:
                pass

    def sounds(self) -> Sequence[Sound]:
        """Return the sounds that began since the last call."""
        sounds = list[Sound]()
        while self._sounding and self._sounding[0].t_ns <= self._clock():
            sounds += self._sounds(self._sounding.popleft())
        return sounds

    def close(self) -> None:
        """Stop for good."""
        self._speakers.stop()

    def _read(self, step: Step) -> None:
        lead = samples(LEAD_S)
        now_ns = self._clock()
        for cue in plan_step(step, lead, self._voice.rhythm, self._voice.samples, self._reading.spacing):
            t_ns = now_ns + sample_to_ns(cue.sample)
            self._speakers.play(cue.phrase, t_ns)
            self._sounding.append(_Sounding(cue.phrase, t_ns, cue.samples))

    def _sounds(self, sounding: _Sounding) -> Iterator[Sound]:
        phrase = sounding.phrase
        moras = self._voice.clip(phrase).moras
        began = PhraseStarted(phrase, 0, 1, sounding.t_ns, SYNC_UNC_NS, sounding.samples, moras)
        if phrase.poem == JOKA:
            self._joka_heard = True
            yield JokaSounds(ku_begin_ns(began))
        elif phrase.half is Half.KAMI:
            self._last = phrase
            if self._joka_heard:
                self._joka_heard = False
                yield JokaOver()
            start = began.fact
            assert start is not None, "a first half starts a poem"
            yield RecitedPoem(began, start)
