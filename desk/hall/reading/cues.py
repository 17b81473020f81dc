"""The cues for the mats: the first sound at once, the poem only once everybody can know it."""

from collections.abc import Iterator, Sequence

from desk.hall.messages import Cue, FirstSoundCue, JokaCue, JokaOverCue, PoemCue, VoidCue
from desk.karuta.readers.loudspeaker_reader import RecitedPoem
from desk.karuta.readers.reader import JokaOver, JokaSounds, ReadOn, Sound
from desk.karuta.readers.recital import HeardPoem
from desk.karuta.readers.simulated_reader import kimariji_completed
from desk.tables.table import Cue as Heard
from desk.tables.table import FirstSound, NoVerse
from recitation.reading.plan import sample_to_ns
from referee.cards.poems import POEMS

_BREATH_NS = 50_000_000  # a mora ends at most this much later than stated


class CueMaker:
    """Turns a reader's sounds into cues.

    A poem is held back until its kimariji, at the length it has before any poem was read, has been heard. So
    the hall's messages reveal nothing before it can be heard.

    `read`: the poems that were read before it began.

    `number`: the latest reading, 0 before the first. `poem`: its poem once it is public, else None.
    """

    def __init__(self, session: str, read: Sequence[int] = ()) -> None:
        self.number, self.read = 0, tuple(read)
        self.poem: int | None = None
        self._session, self._is_open = session, False
        self._held: tuple[PoemCue, int] | None = None  # a poem, and when everybody can know it

    def take(self, sounds: Sequence[Sound], now_ns: int) -> list[Cue]:
        """Return the cues that may be sent now.

        `sounds`: the reader's sounds since the last call. `now_ns`: the present instant on the reader's
        clock.
        """
        cues = [cue for sound in sounds for cue in self._cues(sound)]
        if self._held is not None and now_ns >= self._held[1]:
            (cue, _), self._held = self._held, None
            if self.poem is None:
                self.poem = cue.poem
                self.read = (*self.read, cue.poem)
            cues.append(cue)
        return cues

    def void(self) -> list[Cue]:
        """Return the cue that makes the latest reading void."""
        if not self.number:
            return []
        if self.poem is not None:
            self.read = self.read[:-1]
        self._is_open, self._held = False, None
        return [VoidCue(self._session, self.number)]

    def _cues(self, sound: Sound) -> Iterator[Cue]:
        match sound:
            case JokaSounds():
                yield JokaCue(self._session, tuple(sound.t_ku_ns))
            case JokaOver():
                yield JokaOverCue(self._session)
            case FirstSound():
                yield self._begin(sound.t_ns, sound.t_unc_ns)
            case NoVerse():
                if self._is_open:
                    self._is_open = False
                    yield VoidCue(self._session, self.number)
            case ReadOn(cue=heard):
                self._hold(heard)
            case HeardPoem() | RecitedPoem():
                if not self._is_open:
                    yield self._begin(sound.start.t_ns, sound.start.t_unc_ns)
                self._is_open = False
                self._hold(sound)
            case _:
                pass

    def _begin(self, t_ns: int, unc_ns: int) -> FirstSoundCue:
        self.number, self.poem = self.number + 1, None
        self._is_open, self._held = True, None
        return FirstSoundCue(self._session, self.number, t_ns, unc_ns)

    def _hold(self, heard: Heard) -> None:
        start = heard.start
        when = start.t_ns, start.t_unc_ns
        moras: tuple[tuple[str, int], ...] = ()
        if isinstance(heard, HeardPoem):
            moras = heard.marks
        elif isinstance(heard, RecitedPoem):
            phrase = heard.phrase
            moras = tuple((mark.kana, phrase.t_ns + sample_to_ns(mark.sample)) for mark in phrase.moras)
        cue = PoemCue(self._session, self.number, start.poem, *when, moras, start.confidence)
        decided = heard.decided(POEMS.keys())
        if decided is not None:
            known_ns = decided.t_ns + _BREATH_NS
        elif isinstance(heard, HeardPoem):
            known_ns = 0  # already recognised, by the listener or by a person
        else:
            known_ns = kimariji_completed(start, POEMS.keys()).t_ns + _BREATH_NS
        self._held = cue, known_ns
