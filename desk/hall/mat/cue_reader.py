"""The hall's reader for a match: converts cues into sounds on the mat's own clock."""

import math
from collections.abc import Collection, Sequence

from calibration.clocks.remote_clock import LaidOnto
from desk.hall.clock import HallClock
from desk.hall.mat.delay import Delay
from desk.hall.messages import Cue, FirstSoundCue, JokaCue, JokaOverCue, PoemCue, VoidCue
from desk.karuta.engine.events import DeskEvent
from desk.karuta.readers.reader import JokaOver, JokaSounds, Reader, ReadOn, Sound
from desk.karuta.readers.recital import HeardPoem
from desk.log.clocks import Clock, match_clock
from desk.tables.table import FirstSound, NoVerse
from referee.facts import PoemStarted
from referee.karuta.declarations import Misread
from referee.karuta.flow.events import Event, Pause
from referee.karuta.flow.follow_ups import FollowUp, MatchEnded, ReadJoka, ReadPoem

UNTIMED_UNC_NS = 1_000_000_000
"""Uncertainty of a cue while the hall's clock is not known, and of a poem that an official names."""


class CueReader(Reader):
    """Follows the hall's reader; a `desk.karuta.readers.reader.Reader`.

    `picture_unc_ns`: offset of the camera's stamps against the clock, 95 % half width.

    `wants`: whether the rules asked for the next poem (or the joka), and it has not begun. `session`,
    `heard`: the latest reading that was heard, 0 for none. `problem`: why no cues come now.
    """

    warning = "hall_lost"
    problem: str | None = None

    def __init__(
        self, hall_clock: HallClock, delay: Delay, picture_unc_ns: int = 0, clock: Clock = match_clock
    ) -> None:
        self.wants, self.session, self.heard = False, "", 0
        self.delay = delay
        self._hall_clock, self._picture_unc_ns, self._clock = hall_clock, picture_unc_ns, clock
        self._sounds: list[Sound] = []
        self._poem: HeardPoem | None = None
        self._is_open = self._is_over = False
        self._plays = self._owes_joka = False

    @property
    def is_timed(self) -> bool:
        """Whether the hall's clock is known, so that a first sound can be told to the millisecond."""
        return self._hall_clock.is_known

    @property
    def takes_names(self) -> bool:
        """Whether officials may name the poem: without the link, the loudspeaker can still be heard."""
        return self.problem is not None

    @property
    def waits_for_name(self) -> bool:
        """Whether a verse has begun and is not named yet."""
        return self._is_open

    def follow(self, event: Event | FollowUp | DeskEvent, unread: Collection[int]) -> None:  # noqa: ARG002
        match event:
            case ReadPoem():
                self.wants = self._plays = True
            case ReadJoka():
                self.wants = self._plays = self._owes_joka = True
            case PoemStarted() | Pause() | Misread():
                self.wants = False
            case MatchEnded():
                self.wants, self._is_over = False, True
            case _:
                pass

    def sounds(self) -> Sequence[Sound]:
        sounds, self._sounds = self._sounds, []
        return sounds

    def name(self, poem: int, now_ns: int) -> None:
        self._is_open = False
        self._poem = HeardPoem(PoemStarted(poem, now_ns, UNTIMED_UNC_NS))
        self._sounds.append(self._poem)

    def renamed(self, poem: int) -> HeardPoem | None:
        if self._poem is None:
            return None
        start = self._poem.start
        return HeardPoem(PoemStarted(poem, start.t_ns, start.t_unc_ns))

    def close(self) -> None:
        self._is_over = True

    def hear(self, cue: Cue) -> None:
        if self._is_over or not self._plays:
            return  # a match that still memorises ignores the reading
        match cue:
            case JokaCue():
                self._sounds.append(JokaSounds([self._at(cue.session, ku, 0).t_ns for ku in cue.ku_ns]))
            case JokaOverCue():
                self._end_joka()
            case FirstSoundCue():
                if self._is_new(cue.session, cue.number):
                    self._end_joka()
                    self.session, self.heard = cue.session, cue.number
                    self._is_open, self.wants = True, False
                    heard = self._at(cue.session, cue.hall_ns, cue.unc_ns)
                    self._sounds.append(FirstSound(heard.t_ns, heard.t_unc_ns))
            case PoemCue():
                self._hear_poem(cue)
            case VoidCue():
                if self._is_open and (cue.session, cue.number) == (self.session, self.heard):
                    self._is_open, self.wants = False, True
                    self._sounds.append(NoVerse())

    def _end_joka(self) -> None:
        """End the joka, also for a match that began after the hall's joka."""
        if self._owes_joka:
            self._owes_joka = self.wants = False
            self._sounds.append(JokaOver())

    def _hear_poem(self, cue: PoemCue) -> None:
        is_new = self._is_new(cue.session, cue.number)
        if not is_new and (cue.session, cue.number) != (self.session, self.heard):
            return  # of an earlier reading
        start = self._at(cue.session, cue.hall_ns, cue.unc_ns)
        confidence = min(1.0, max(0.0, cue.confidence))
        marks = tuple((kana, self._at(cue.session, t_ns, 0).t_ns) for kana, t_ns in cue.moras)
        poem = HeardPoem(PoemStarted(cue.poem, start.t_ns, start.t_unc_ns, confidence), marks)
        reads_on = not is_new and not self._is_open
        self._end_joka()
        self.session, self.heard = cue.session, cue.number
        self._is_open, self.wants, self._poem = False, False, poem
        self._sounds.append(ReadOn(poem) if reads_on else poem)

    def _is_new(self, session: str, number: int) -> bool:
        return session != self.session or number > self.heard

    def _at(self, session: str, hall_ns: int, unc_ns: int) -> LaidOnto:
        """Return the instant at which a sound at the loudspeaker at `hall_ns` is heard here."""
        if not self._hall_clock.is_known or self._hall_clock.session != session:
            return LaidOnto(self._clock(), UNTIMED_UNC_NS)
        laid = self._hall_clock.laid_onto(hall_ns)
        unc = math.hypot(laid.t_unc_ns, unc_ns, self.delay.unc_ns, self._picture_unc_ns)
        return LaidOnto(laid.t_ns + self.delay.ns, max(1, round(unc)))
