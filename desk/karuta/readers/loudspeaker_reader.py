"""The reader of a live match: a voice from the loudspeaker that reads when the rules ask for it."""

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from desk.karuta.engine.events import DeskEvent
from desk.karuta.readers.reader import JokaOver, JokaSounds, Reader, Sound
from desk.karuta.readers.simulated_reader import kimariji_moras
from desk.panel.reciter.port import SOUND_LOST
from recitation.chant.score import compose
from recitation.playback.player import Player, ReadingSettings
from recitation.playback.reports import (
    Act,
    Failed,
    Opened,
    PhraseStarted,
    Report,
    SoundBack,
    SoundLost,
    SoundPlayed,
    State,
    StateChanged,
)
from recitation.reading.phrase import JOKA, Half
from recitation.reading.plan import sample_to_ns
from recitation.reading.rhythm import DEFAULT
from recitation.sound.clip import from_16_bit
from recitation.sound.recent_sound import RecentSound, TimedSound
from referee.facts import KimarijiCompleted, PoemStarted
from referee.karuta.declarations import Misread
from referee.karuta.flow.events import Event, HandRaised, Pause, Rearranging, Resume, Revert, Tick
from referee.karuta.flow.follow_ups import FollowUp, MatchEnded, Notice, NoticeId, ReadJoka, ReadPoem

_KIMARIJI_UNC_NS = 10_000_000  # listeners hear the end of a mora to about a hundredth of a second


@dataclass(frozen=True, slots=True)
class RecitedPoem:
    """A poem that has begun to sound; see `desk.tables.table.Cue`."""

    phrase: PhraseStarted
    start: PoemStarted
    picture_unc_ns: int = 0

    @property
    def t_ku_ns(self) -> Sequence[int]:
        return ku_begin_ns(self.phrase)

    def decided(self, unread: Collection[int]) -> KimarijiCompleted | None:
        t_ns = self.phrase.mora_ns(kimariji_moras(self.start.poem, unread))
        unc_ns = round(math.hypot(_KIMARIJI_UNC_NS, self.picture_unc_ns))
        return None if t_ns is None else KimarijiCompleted(self.start.poem, t_ns, unc_ns)


class ReciterReader(Reader):
    """A reciter that reads on when the rules ask for it; see `desk.karuta.readers.reader.Reader`.

    `reading`: what it reads; every step must wait for the rules (`by_hand`). `picture_unc_ns`: 95 % half
    width of the offset between the stamps of pictures and sound.
    """

    problem: str | None = None

    def __init__(self, reading: ReadingSettings, picture_unc_ns: int = 0) -> None:
        if not reading.by_hand:
            raise ValueError("a referee's reader waits before every poem: expected by_hand")
        self._asked_silent = reading.silent
        self._picture_unc_ns = picture_unc_ns
        self._player = Player(reading)
        self._played = RecentSound()
        self._joka_heard = False
        self._is_reading = self._owes_next = self._by_clock = False

    def follow(self, event: Event | FollowUp | DeskEvent, unread: Collection[int]) -> None:  # noqa: ARG002
        """Read on, pause and resume as the rules say, and announce the end of the time to memorise."""
        if isinstance(event, Event):
            self._by_clock = isinstance(event, Tick)
        match event:
            case Notice(id=NoticeId.PRACTICE_SWINGS, params={"minutes": 2}):
                self._player.do(Act.TWO_MINUTES)
            case Notice(id=NoticeId.GREETING) if self._by_clock:
                self._player.do(Act.TIME)
            case ReadPoem(poem=None) | ReadJoka():
                # a card is often taken and put away before its first half is over; a reciter that reads would
                # not hear the command
                self._owes_next = self._is_reading
                if not self._is_reading:
                    self._player.do(Act.GO)
            case ReadPoem():
                self._owes_next = False
                self._player.do(Act.REPEAT)
            case Pause():
                self._owes_next = False  # the rules ask again
                self._player.do(Act.PAUSE)
            case Revert() | HandRaised() | Rearranging():
                self._owes_next = False
            case Resume():
                self._player.do(Act.RESUME)
            case Misread() | MatchEnded():
                self._owes_next = False
                self._player.do(Act.STOP)
            case _:
                pass

    def sounds(self) -> Sequence[Sound]:
        """Return the poems that have begun, the joka's halves, and its end before the first poem."""
        return [sound for report in self._player.reports() for sound in self._sounds(report)]

    def sound(self, from_ns: int, to_ns: int) -> TimedSound | None:
        return self._played.between(from_ns, to_ns)

    def close(self) -> None:
        self._player.close()

    def _sounds(self, report: Report) -> Iterator[Sound]:
        match report:
            case Opened(silent=silent):
                self.problem = silent if silent and not self._asked_silent else None
            case Failed(text=text):
                self.problem = text
            case SoundPlayed(t_ns=t_ns, t_unc_ns=t_unc_ns, data=data):
                self._played.append(TimedSound(from_16_bit(data), t_ns, t_unc_ns))
            case SoundLost():
                self.problem = SOUND_LOST
            case SoundBack():
                self.problem = None
            case StateChanged(state=state):
                self._is_reading = state in {State.READING, State.PAUSED}
                if self._owes_next and not self._is_reading:
                    self._owes_next = False
                    self._player.do(Act.GO)
            case PhraseStarted(phrase=phrase) if phrase.poem == JOKA:
                self._joka_heard = True
                yield JokaSounds(ku_begin_ns(report))
            case PhraseStarted(phrase=phrase) if phrase.half is Half.KAMI:
                if self._joka_heard:
                    self._joka_heard = False
                    yield JokaOver()
                start = report.fact
                assert start is not None, "a first half starts a poem"
                unc_ns = round(math.hypot(start.t_unc_ns, self._picture_unc_ns))
                yield RecitedPoem(report, replace(start, t_unc_ns=unc_ns), self._picture_unc_ns)
            case _:
                pass


def ku_begin_ns(half: PhraseStarted) -> list[int]:
    """Return the beginnings of a half's ku; empty if the clip's moras were not measured."""
    beats = compose(half.phrase, DEFAULT).beats
    if len(half.moras) != len(beats):
        return []
    firsts = {beat.ku: place for place, beat in reversed([*enumerate(beats)])}
    return [half.t_ns + sample_to_ns(half.moras[firsts[ku]].sample) for ku in sorted(firsts)]
