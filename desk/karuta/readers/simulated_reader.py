"""The reader of a simulated match: it makes no sound, but every sound has its instant."""

from collections.abc import Callable, Collection, Sequence

from desk.karuta.engine.events import DeskEvent
from desk.karuta.readers.reader import JokaOver, JokaSounds, Reader, Sound
from desk.log.clocks import Clock
from recitation.chant.score import compose
from recitation.reading.phrase import JOKA, Half, Phrase
from recitation.reading.plan import sample_to_ns
from recitation.reading.rhythm import DEFAULT
from referee.cards.kimariji import kimariji
from referee.facts import KimarijiCompleted, PoemStarted
from referee.karuta.flow.events import Event
from referee.karuta.flow.follow_ups import FollowUp, ReadJoka, ReadPoem

_SMALL_KANA = frozenset("ゃゅょぁぃぅぇぉ")  # small kana, which belong to the mora before them


def ku_instants_ns(start: PoemStarted) -> list[int]:
    """Return the beginnings of the poem's five ku, with the second half straight after the first."""
    instants: list[int] = []
    begins_ns = start.t_ns
    for half in Half:
        score = compose(Phrase(start.poem, half), DEFAULT)
        firsts = {beat.ku: beat.start for beat in reversed(score.beats)}
        instants += [begins_ns + sample_to_ns(firsts[ku]) for ku in sorted(firsts)]
        begins_ns += sample_to_ns(score.samples) + round(DEFAULT.pause_s * 1e9)
    return instants


def kimariji_completed(start: PoemStarted, unread: Collection[int]) -> KimarijiCompleted:
    """Return the end of the last sound of the poem's kimariji among the unread poems, itself among them."""
    moras = kimariji_moras(start.poem, unread)
    score = compose(Phrase(start.poem, Half.KAMI), DEFAULT)
    return KimarijiCompleted(
        start.poem, start.t_ns + sample_to_ns(score.beats[moras - 1].end), start.t_unc_ns
    )


def kimariji_moras(poem: int, unread: Collection[int]) -> int:
    """Return the length in moras of a poem's kimariji among the poems still unread."""
    return max(1, sum(kana not in _SMALL_KANA for kana in kimariji(poem, unread)))


class SimulatedReader(Reader):
    """Reads the joka of a rehearsal silently, and lets the first poem begin when the rules ask for it."""

    def __init__(self, clock: Clock, let_begin: Callable[[], object]) -> None:
        self._clock, self._let_begin = clock, let_begin
        self._sounds: list[Sound] = []
        self._joka_ends_ns: int | None = None

    def follow(self, event: Event | FollowUp | DeskEvent, unread: Collection[int]) -> None:  # noqa: ARG002
        match event:
            case ReadJoka():
                start_ns = self._clock()
                halves = [compose(Phrase(JOKA, half), DEFAULT).samples for half in (*Half, Half.SHIMO)]
                pauses_ns = round((len(halves) - 1) * DEFAULT.pause_s * 1e9)
                self._joka_ends_ns = start_ns + sample_to_ns(sum(halves)) + pauses_ns
                self._sounds.append(JokaSounds(ku_instants_ns(PoemStarted(JOKA, start_ns, 1))))
            case ReadPoem():
                self._let_begin()
            case _:
                pass

    def sounds(self) -> Sequence[Sound]:
        sounds, self._sounds = self._sounds, []
        if self._joka_ends_ns is not None and self._clock() >= self._joka_ends_ns:
            self._joka_ends_ns = None
            sounds.append(JokaOver())
        return sounds
