"""Following a person who reads a match: first the joka, then the upper and the lower half of each poem.

In: what the ear notices. Out: what it means for the match. Only an upper half begins a poem. Its first sound
is reported at once, its name once the ear is certain enough or an official has said it.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import accumulate

from desk.karuta.engine.events import PoemSuggested, Suggested
from desk.karuta.readers.reader import JokaOver, JokaSounds, ReadOn, Sound
from desk.karuta.readers.simulated_reader import kimariji_moras
from desk.tables.table import FirstSound, NoVerse
from recitation.chant.pronunciation import moras, spoken
from recitation.listening.bands import HOP
from recitation.listening.first_sound import first_sound
from recitation.listening.listener import Suggestion
from recitation.listening.live_listener import UNHEARD, Began, Ended, Guessed, Noticed, VerseSoFar
from recitation.listening.moras import begun_moras
from recitation.reading.phrase import JOKA, Half, Phrase
from recitation.reading.plan import SAMPLE_RATE, sample_to_ns
from referee.cards.poems import POEMS
from referee.facts import KimarijiCompleted, PoemStarted

_MORA_UNC_NS = 40_000_000
"""95 % half width of a mora's end. For the built-in voices it is 12 ms; a person's moras blend."""
_SHORTEST_HALF_S = 3.0  # sound of this length counts as the expected lower half even if it is not recognised
_TYPED_UNC_NS = 1_000_000_000  # delay of an official who names a poem that nobody heard begin


class _Next(Enum):
    """The half that is to be read next."""

    JOKA_UPPER = auto()
    JOKA_LOWER = auto()
    JOKA_LOWER_AGAIN = auto()
    UPPER = auto()
    LOWER = auto()


@dataclass(frozen=True)
class HeardPoem:
    """A poem that a person reads; see `desk.tables.table.Cue`."""

    start: PoemStarted
    # (mora, beginning in nanoseconds on the match clock), as far as it was heard
    marks: tuple[tuple[str, int], ...] = ()

    @property
    def t_ku_ns(self) -> list[int]:
        sizes = [len(moras(ku)) for ku in spoken(Phrase(self.start.poem, Half.KAMI))]
        firsts = [0, *accumulate(sizes)][: len(sizes)]
        return [self.marks[first][1] for first in firsts if first < len(self.marks)]

    def decided(self, unread: Collection[int]) -> KimarijiCompleted | None:
        """Return the end of its kimariji, None if it was not heard."""
        said = kimariji_moras(self.start.poem, unread)
        if said >= len(self.marks):
            return None
        return KimarijiCompleted(self.start.poem, self.marks[said][1], max(_MORA_UNC_NS, self.start.t_unc_ns))


@dataclass
class _Verse:
    """A verse that has begun: its first sound, what was heard of it, and its poem once that is known.

    `confidence` is how sure the poem's name is: the ear's confidence by all that was heard so far, or 1 where
    an official named it.
    """

    sample: int
    t_ns: int
    t_unc_ns: int
    heard: VerseSoFar = UNHEARD
    suggestions: tuple[Suggested, ...] = ()
    poem: int | None = None
    confidence: float = 1.0
    by_ear: bool = False

    @property
    def length_s(self) -> float:
        return len(self.heard.evidence) * HOP / SAMPLE_RATE

    def named(self, poem: int) -> HeardPoem:
        first, evidence, weights, before = self.heard
        phrase = Phrase(poem, Half.KAMI)
        off_s, unc_s = first_sound(evidence, weights, phrase, self.t_unc_ns / 1e9, before)
        t_ns, unc_ns = self.t_ns + round(off_s * 1e9), round(unc_s * 1e9)
        return HeardPoem(
            PoemStarted(poem, t_ns, unc_ns, min(1.0, self.confidence)),
            tuple(
                (mark.kana, self.t_ns + sample_to_ns(mark.sample + first - self.sample))
                for mark in begun_moras(evidence, weights, phrase)
            ),
        )


@dataclass
class Recital:
    """Follows what a person reads."""

    certainty: float  # confidence from which a poem counts as read without an official; above 1 none does
    joka: bool
    is_paused: bool = False  # whether the match is paused; then no poem counts without an official
    _latest: _Verse | None = None
    _open: _Verse | None = None
    _read: _Verse | None = None
    _next: _Next = field(init=False)

    def __post_init__(self) -> None:
        self._next = _Next.JOKA_UPPER if self.joka else _Next.UPPER

    def await_poem(self) -> None:
        """Expect an upper half next, because the poem is read again or officials have reverted it."""
        self._open = None
        if self._next is _Next.LOWER:
            self._next = _Next.UPPER

    @property
    def waits_for_name(self) -> bool:
        return self._open is not None

    def take(self, noticed: Noticed, t_ns: int, t_unc_ns: int, heard: VerseSoFar) -> Iterator[Sound]:
        """Take in what the ear noticed, and yield what it means for the match.

        `t_ns`, `t_unc_ns`: the verse's first sound on the match clock, and its 95 % half width. `heard`: the
        verse as far as it was heard.
        """
        if isinstance(noticed, Began):
            self._latest = _Verse(noticed.sample, t_ns, t_unc_ns)
            if self._next is _Next.UPPER:
                self._open = self._latest
                yield FirstSound(t_ns, t_unc_ns)
            return
        verse = self._latest
        if verse is None:
            return
        verse.heard = heard
        if isinstance(noticed, Guessed):
            if verse is self._open:
                yield from self._suggest(verse, noticed.suggestions)
            elif verse is self._read:
                yield self._read_on(verse, noticed.suggestions)
        elif self._next is _Next.UPPER:
            yield from self._end_upper(verse, noticed)
        elif noticed.is_reading or verse.length_s >= _SHORTEST_HALF_S:
            yield from self._end_other(verse, noticed)

    def name(self, poem: int, now_ns: int) -> Iterator[Sound]:
        """Note the poem that an official says is being read, and yield its beginning."""
        verse = self._open
        if verse is None:
            self._read = None  # the verse heard last is not this poem
            yield HeardPoem(PoemStarted(poem, now_ns, _TYPED_UNC_NS))
        else:
            yield self._named(verse, poem)

    def renamed(self, poem: int) -> HeardPoem | None:
        if self._read is None:
            return None
        self._read.poem, self._read.confidence, self._read.by_ear = poem, 1.0, False
        return self._read.named(poem)

    def _suggest(self, verse: _Verse, suggestions: tuple[Suggestion, ...]) -> Iterator[Sound]:
        found = tuple(Suggested(one.poem, one.confidence) for one in suggestions if one.poem in POEMS)
        sure = bool(found) and suggestions[0].poem in POEMS and found[0].confidence >= self.certainty
        if sure and not self.is_paused:
            yield self._named(verse, found[0].poem, found[0].confidence, by_ear=True)
        elif found != verse.suggestions:
            verse.suggestions = found
            yield PoemSuggested(verse.t_ns, verse.t_unc_ns, found)

    def _named(self, verse: _Verse, poem: int, confidence: float = 1.0, *, by_ear: bool = False) -> HeardPoem:
        verse.poem, verse.confidence, verse.by_ear = poem, confidence, by_ear
        self._open, self._read = None, verse
        return verse.named(poem)

    def _read_on(self, verse: _Verse, suggestions: tuple[Suggestion, ...] | None) -> ReadOn:
        """Report more of a named poem, and how sure its name is now: the ear may have changed its mind."""
        assert verse.poem is not None, "a poem that was read has a name"
        if verse.by_ear and suggestions is not None:
            verse.confidence = next((one.confidence for one in suggestions if one.poem == verse.poem), 0.0)
        return ReadOn(verse.named(verse.poem))

    def _end_upper(self, verse: _Verse, ended: Ended) -> Iterator[Sound]:
        heard = ended.heard
        is_upper = ended.is_reading and heard.half is not Half.SHIMO and not _is_joka(ended)
        if verse is self._read:
            # it keeps its name, though a slap at its end may make it sound like no verse
            self._next = _Next.UPPER if heard.half is Half.SHIMO else _Next.LOWER
            yield self._read_on(verse, heard.suggestions if is_upper and heard.suggestions else None)
        elif verse is self._open and is_upper:
            self._next = _Next.LOWER
            yield from self._suggest(verse, heard.suggestions)
        elif verse is self._open:
            self._open = None
            yield NoVerse()
            if verse.suggestions:
                yield PoemSuggested(verse.t_ns, verse.t_unc_ns, ())
            if _is_joka(ended):
                self._next = _Next.JOKA_LOWER

    def _end_other(self, verse: _Verse, ended: Ended) -> Iterator[Sound]:
        """Take the end of a half that was not expected to begin a poem."""
        best = ended.heard.suggestions[:1]
        reads_on = ended.heard.half is Half.KAMI and not _is_joka(ended)
        known = best and best[0].confidence >= self.certainty
        if reads_on and known and not (self._read is not None and self._read.poem == best[0].poem):
            # a half was skipped: the poem is named late, and the time not watched is a gap
            if self._next is not _Next.LOWER:
                yield JokaOver()
            yield FirstSound(verse.t_ns, verse.t_unc_ns)
            yield self._named(verse, best[0].poem, best[0].confidence)
            self._next = _Next.LOWER
            return
        match self._next:
            case _Next.JOKA_UPPER if _is_joka(ended):
                is_upper = ended.heard.half is Half.KAMI
                self._next = _Next.JOKA_LOWER if is_upper else _Next.JOKA_LOWER_AGAIN
                yield JokaSounds(())
            case _Next.JOKA_LOWER:
                self._next = _Next.JOKA_LOWER_AGAIN
            case _Next.JOKA_LOWER_AGAIN:
                self._next = _Next.UPPER
                yield JokaOver()
            case _Next.LOWER:
                self._next = _Next.UPPER
            case _:
                pass


def _is_joka(ended: Ended) -> bool:
    best = ended.heard.suggestions[:1]
    return bool(best) and best[0].poem == JOKA
