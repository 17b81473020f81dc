"""The hall receives a first sound at once, and a poem only after it could be recognised by ear."""

from desk.hall.messages import FirstSoundCue, JokaCue, JokaOverCue, PoemCue, VoidCue
from desk.hall.reading.cues import CueMaker
from desk.karuta.readers.loudspeaker_reader import RecitedPoem
from desk.karuta.readers.reader import JokaOver, JokaSounds, ReadOn
from desk.karuta.readers.recital import HeardPoem
from desk.tables.table import FirstSound, NoVerse
from recitation.playback.reports import PhraseStarted
from recitation.reading.phrase import Half, Phrase
from recitation.reading.rhythm import DEFAULT
from recitation.voices.catalogue import find_voice
from referee.cards.poems import POEMS
from referee.facts import PoemStarted

S = 1_000_000_000


def recited(poem: int, t_ns: int = 10 * S) -> RecitedPoem:
    phrase = Phrase(poem, Half.KAMI)
    clip = find_voice("high", DEFAULT).clip(phrase)
    started = PhraseStarted(phrase, 0, 100, t_ns, 1000, len(clip.wave), clip.moras)
    return RecitedPoem(started, PoemStarted(poem, t_ns, 1000))


def test_a_poem_is_told_once_its_whole_kimariji_was_heard() -> None:
    poem = recited(31)  # asaborake a...: six sounds decide it
    decided = poem.decided(POEMS.keys())
    assert decided is not None
    assert decided.t_ns > 11 * S
    maker = CueMaker("s")
    assert maker.take([poem], 10 * S) == [FirstSoundCue("s", 1, 10 * S, 1000)]
    assert maker.take([], decided.t_ns) == []
    assert (maker.poem, maker.read) == (None, ())
    (cue,) = maker.take([], decided.t_ns + S // 10)
    assert isinstance(cue, PoemCue)
    assert (cue.poem, cue.number, cue.hall_ns) == (31, 1, 10 * S)
    assert len(cue.moras) > 10
    assert cue.moras[6][1] == decided.t_ns
    assert (maker.poem, maker.read) == (31, (31,))


def test_a_person_s_poem_is_told_when_the_ear_knows_it_and_again_when_more_was_heard() -> None:
    maker = CueMaker("s")
    assert maker.take([FirstSound(S, 5)], S) == [FirstSoundCue("s", 1, S, 5)]
    heard = HeardPoem(PoemStarted(17, S, 5, 0.93))
    assert maker.take([heard], 3 * S) == [PoemCue("s", 1, 17, S, 5, confidence=0.93)]
    more = HeardPoem(PoemStarted(17, S, 5), (("chi", S), ("ha", S + 1), ("ya", S + 2)))
    (again,) = maker.take([ReadOn(more)], 3 * S)
    assert isinstance(again, PoemCue)
    assert again.moras == more.marks
    assert maker.read == (17,)
    assert maker.take([HeardPoem(PoemStarted(2, 9 * S, 5))], 12 * S)[0] == FirstSoundCue("s", 2, 9 * S, 5)


def test_what_was_no_poem_or_misread_is_void() -> None:
    maker = CueMaker("s")
    assert maker.void() == []
    maker.take([FirstSound(S, 5)], S)
    assert maker.take([NoVerse()], 2 * S) == [VoidCue("s", 1)]
    maker.take([HeardPoem(PoemStarted(17, 3 * S, 5))], 5 * S)
    assert maker.void() == [VoidCue("s", 2)]
    assert maker.read == ()


def test_the_joka_has_no_number() -> None:
    maker = CueMaker("s")
    assert maker.take([JokaSounds((S, 2 * S)), JokaOver()], S) == [JokaCue("s", (S, 2 * S)), JokaOverCue("s")]
    assert maker.number == 0
