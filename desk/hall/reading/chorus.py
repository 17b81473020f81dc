"""A reader for mats with loudspeakers of their own: every half is appointed ahead of time for all of them."""

from __future__ import annotations

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
from desk.karuta.readers.reader import JokaOver, JokaSounds, SelfAssured, Sound
from desk.log.clocks import Clock, match_clock
from recitation.playback.player import Reading
from recitation.playback.reports import PhraseStarted
from recitation.reading.phrase import JOKA, Half, Phrase
from recitation.reading.plan import plan_step, samples
from recitation.reading.practice import Step
from recitation.voices.catalogue import find_voice
from referee.karuta.declarations import Misread
from referee.karuta.flow.events import Event
from referee.karuta.flow.follow_ups import FollowUp, MatchEnded, ReadJoka, ReadPoem

LEAD_S: Final = 1.5
"""A message takes milliseconds, a sound device is filled up to half a second ahead, and a clip is decoded."""
SYNC_UNC_NS: Final = 20_000_000
"""Mats play within 20 ms of the appointed instant, or say that they do not."""


class Speakers(Protocol):
    """All loudspeakers of a hall; those of the mats are also silent where a reading is void (`VoidCue`)."""

    def play(self, phrase: Phrase, t_ns: int) -> None:
        """Play a half everywhere, at an instant of the reader's clock."""

    def stop(self) -> None:
        """Be silent at once."""


class HallSpeakers:
    """The loudspeakers of the mats, by messages, and the one beside the reader.

    Parameters
    ----------
    link : of the reader, on the running loop.
    session : this run of the reader.
    voice, rhythm : as `shinpan recite` takes them.
    own : the loudspeaker of the reader's machine; None where it has none.
    """

    def __init__(
        self, link: Link, session: str, voice: str, rhythm: str, own: Speakers | None = None
    ) -> None:
        self._link = link
        self._session = session
        self._voice, self._rhythm = voice, rhythm
        self._own = own
        self._tasks: set[asyncio.Task[bool]] = set()

    def play(self, phrase: Phrase, t_ns: int) -> None:
        """Play a half everywhere."""
        cue = PlayCue(self._session, phrase.poem, phrase.half.value, self._voice, self._rhythm, t_ns)
        task = asyncio.get_running_loop().create_task(self._link.say(READING_PLAY, pack(cue)))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        if self._own is not None:
            self._own.play(phrase, t_ns)

    def stop(self) -> None:
        """Be silent here; the mats are when they hear that the reading is void."""
        if self._own is not None:
            self._own.stop()


@dataclass(frozen=True, slots=True)
class _Sounding:
    phrase: Phrase
    t_ns: int
    samples: int


class Chorus(SelfAssured):
    """Appoints what is read; see `desk.karuta.readers.reader.Reader`.

    Parameters
    ----------
    reading : steps, voice and rhythm; see `desk.karuta.house.agreed_reader.reading_of`.
    speakers : are told of every half, `LEAD_S` ahead.
    """

    def __init__(self, reading: Reading, speakers: Speakers, clock: Clock = match_clock) -> None:
        self.problem: str | None = None
        self._reading = reading
        self._voice = find_voice(reading.voice, reading.rhythm, reading.folders)
        self._speakers = speakers
        self._clock = clock
        self._steps = deque(reading.steps)
        self._sounding: deque[_Sounding] = deque()
        self._last: Phrase | None = None
        self._joka_heard = False

    def follow(self, event: Event | FollowUp | DeskEvent, unread: Collection[int]) -> None:  # noqa: ARG002
        """Read on, or be silent."""
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
        """Return what began to sound since the last call."""
        sounds = list[Sound]()
        while self._sounding and self._sounding[0].t_ns <= self._clock():
            sounds += self._sounds(self._sounding.popleft())
        return sounds

    def close(self) -> None:
        """Be silent for good."""
        self._speakers.stop()

    def _read(self, step: Step) -> None:
        lead = samples(LEAD_S)
        now_ns = self._clock()
        for cue in plan_step(step, lead, self._voice.rhythm, self._voice.samples, self._reading.spacing):
            self._speakers.play(cue.phrase, now_ns + cue.t_ns)
            self._sounding.append(_Sounding(cue.phrase, now_ns + cue.t_ns, cue.samples))

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
