"""A recital by a person: the listener's reports become the beginning, the name or the end of a poem."""

from collections.abc import Iterator

import numpy as np
import pytest

from desk.karuta.engine.events import PoemSuggested, Suggested
from desk.karuta.readers.reader import JokaOver, JokaSounds, ReadOn, Sound
from desk.karuta.readers.recital import HeardPoem, Recital
from desk.tables.table import FirstSound, NoVerse
from recitation.listening.hearing import Hearing
from recitation.listening.listener import Heard, Suggestion
from recitation.listening.live_listener import Began, Ended, Guessed, VerseSoFar
from recitation.reading.phrase import JOKA, Half, Phrase
from recitation.reading.plan import SAMPLE_RATE, samples
from recitation.reading.rhythm import DEFAULT
from recitation.voices.catalogue import find_voice
from referee.facts import PoemStarted

S = 1_000_000_000
UNC_NS = 20_000_000
NOTHING = VerseSoFar(0, np.zeros((0, 1), np.float32), np.zeros(0, np.float32))


class Evening:
    """A recital with a listener that reports what the test sets."""

    def __init__(self, *, joka: bool = False, certainty: float = 0.9) -> None:
        self.recital = Recital(certainty, joka)
        self.at_s = 0

    def begins(self) -> list[Sound]:
        self.at_s += 10
        return self._noticed(Began(self.at_s * SAMPLE_RATE))

    def guess(self, *suggestions: tuple[int, float], heard: VerseSoFar = NOTHING) -> list[Sound]:
        return self._noticed(Guessed(self.at_s * SAMPLE_RATE, 1.0, suggested(*suggestions)), heard)

    def ends(
        self,
        half: Half | None,
        *suggestions: tuple[int, float],
        is_reading: bool = True,
        heard: VerseSoFar = NOTHING,
    ) -> list[Sound]:
        told = Heard(self.at_s, 0.02, half, suggested(*suggestions))
        return self._noticed(Ended(self.at_s * SAMPLE_RATE, told, is_reading), heard)

    def lower(self, poem: int) -> list[Sound]:
        return [*self.begins(), *self.ends(Half.SHIMO, (poem, 0.99))]

    def _noticed(self, noticed: Began | Guessed | Ended, heard: VerseSoFar = NOTHING) -> list[Sound]:
        return list(self.recital.take(noticed, self.at_s * S, UNC_NS, heard))


def read_17(poem: int = 17) -> Evening:
    """An evening on which an upper half was named and read to its end."""
    evening = Evening()
    evening.begins()
    evening.guess((poem, 0.95))
    evening.ends(Half.KAMI, (poem, 0.99))
    return evening


def suggested(*poems: tuple[int, float]) -> tuple[Suggestion, ...]:
    return tuple(Suggestion(poem, confidence) for poem, confidence in poems)


def names(sounds: list[Sound]) -> Iterator[int]:
    return (sound.start.poem for sound in sounds if isinstance(sound, HeardPoem))


def test_a_poem_begins_at_its_first_sound_and_is_named_when_the_ear_is_certain() -> None:
    evening = Evening()
    assert evening.begins() == [FirstSound(10 * S, UNC_NS)]
    assert evening.guess((17, 0.6), (18, 0.3)) == [
        PoemSuggested(10 * S, UNC_NS, (Suggested(17, 0.6), Suggested(18, 0.3)))
    ]
    (named,) = evening.guess((17, 0.93))
    assert isinstance(named, HeardPoem)
    assert (named.start.poem, named.start.t_ns, named.start.t_unc_ns) == (17, 10 * S, UNC_NS)
    assert named.start.confidence == 0.93
    corrected = evening.recital.renamed(18)
    assert corrected is not None
    assert (corrected.start.poem, corrected.start.confidence) == (18, 1.0), "an official is sure"


def test_the_lower_half_is_no_poem_and_the_next_upper_half_is() -> None:
    evening = read_17()
    assert evening.lower(17) == []
    assert evening.begins() == [FirstSound(30 * S, UNC_NS)]


def test_talk_before_a_poem_is_withdrawn_with_its_suggestion() -> None:
    evening = Evening()
    evening.begins()
    evening.guess((17, 0.6))
    assert evening.ends(None, is_reading=False) == [NoVerse(), PoemSuggested(10 * S, UNC_NS, ())]
    assert evening.begins() == [FirstSound(20 * S, UNC_NS)]


def test_the_joka_is_read_in_three_parts_before_the_first_poem() -> None:
    evening = Evening(joka=True)
    assert [*evening.begins(), *evening.ends(Half.KAMI, (JOKA, 0.99))] == [JokaSounds(())]
    assert evening.lower(JOKA) == []
    assert evening.lower(JOKA) == [JokaOver()]
    assert evening.begins() == [FirstSound(40 * S, UNC_NS)]


def test_a_reader_who_leaves_the_joka_out_begins_with_the_first_poem() -> None:
    evening = Evening(joka=True)
    evening.begins()
    told = evening.ends(Half.KAMI, (17, 0.99))
    assert told[:2] == [JokaOver(), FirstSound(10 * S, UNC_NS)]
    assert list(names(told)) == [17]


def test_a_reader_who_leaves_a_lower_half_out_is_followed() -> None:
    evening = read_17()
    evening.begins()
    assert list(names(evening.ends(Half.KAMI, (54, 0.99)))) == [54]
    assert evening.lower(54) == []


def test_a_lower_half_that_nobody_understands_is_one_if_it_is_long_enough() -> None:
    evening = read_17(65)
    evening.begins()
    assert evening.ends(None, is_reading=False) == [], "a slap is none"
    evening.begins()
    five_s = VerseSoFar(0, np.zeros((500, 1), np.float32), np.zeros(500, np.float32))
    assert evening.ends(None, is_reading=False, heard=five_s) == []
    assert evening.begins() == [FirstSound(40 * S, UNC_NS)]


def test_a_slap_at_the_end_takes_no_name_away() -> None:
    evening = Evening()
    evening.begins()
    evening.guess((65, 0.95))
    evening.ends(None, is_reading=False)
    assert evening.begins() == [], "the lower half comes next"


def test_an_official_names_what_the_ear_is_not_certain_of() -> None:
    evening = Evening(certainty=2.0)
    evening.begins()
    evening.guess((17, 0.99))
    evening.ends(Half.KAMI, (17, 0.999), (18, 0.001))
    assert evening.recital.waits_for_name
    (named,) = evening.recital.name(18, 99 * S)
    assert isinstance(named, HeardPoem)
    assert (named.start.poem, named.start.t_ns, named.start.confidence) == (18, 10 * S, 1.0)
    assert evening.lower(18) == []
    assert list(evening.recital.name(5, 99 * S)) == [HeardPoem(PoemStarted(5, 99 * S, S))], "it has its name"


def test_a_poem_that_nobody_heard_begins_when_an_official_names_it() -> None:
    (named,) = Evening().recital.name(5, 99 * S)
    assert isinstance(named, HeardPoem)
    assert named.start.t_ns == 99 * S
    assert named.start.t_unc_ns >= S, "nobody knows when it began"
    assert named.decided(range(1, 101)) is None


def test_a_poem_that_nobody_heard_is_not_renamed_by_what_was_heard_before() -> None:
    evening = read_17()
    list(evening.recital.name(5, 99 * S))
    assert evening.recital.renamed(6) is None


def test_nothing_counts_by_itself_while_the_match_is_paused() -> None:
    evening = Evening()
    evening.recital.is_paused = True
    evening.begins()
    assert not list(names(evening.guess((17, 0.99))))
    assert list(names(list(evening.recital.name(17, 99 * S)))) == [17]


def test_a_poem_that_is_read_again_is_awaited() -> None:
    evening = read_17()
    evening.recital.await_poem()
    assert evening.begins() == [FirstSound(20 * S, UNC_NS)]


def sure_of(sounds: list[Sound]) -> list[float]:
    return [sound.cue.start.confidence for sound in sounds if isinstance(sound, ReadOn)]


def test_the_name_is_as_sure_as_all_that_was_heard_so_far() -> None:
    evening = Evening()
    evening.begins()
    evening.guess((17, 0.92))
    assert sure_of(evening.guess((17, 0.6), (18, 0.4))) == [0.6]
    assert sure_of(evening.guess((18, 0.9))) == [0.0]
    assert sure_of(evening.ends(None, is_reading=False)) == [0.0], "a slap at its end says nothing"


def test_the_ear_never_doubts_the_name_that_an_official_gave() -> None:
    evening = Evening()
    evening.begins()
    list(evening.recital.name(17, 11 * S))
    assert sure_of(evening.guess((18, 0.99))) == [1.0]
    evening.ends(Half.KAMI, (18, 0.99))
    evening.lower(17)
    evening.begins()
    evening.guess((18, 0.95))
    assert evening.recital.renamed(20) is not None
    assert sure_of(evening.guess((18, 0.99))) == [1.0]


@pytest.fixture(scope="module")
def chihayaburu() -> tuple[VerseSoFar, list[int]]:
    """Two seconds of poem 17 as the ear has them, and where its moras begin."""
    clip = find_voice("high", DEFAULT).clip(Phrase(17, Half.KAMI))
    hearing = Hearing()
    hearing.hear(clip.wave[: samples(2.0)])
    return VerseSoFar(10 * SAMPLE_RATE, hearing.evidence, hearing.weights), [
        mark.sample for mark in clip.moras
    ]


def test_ku_and_kimariji_lie_where_they_were_heard(chihayaburu: tuple[VerseSoFar, list[int]]) -> None:
    heard, true = chihayaburu
    evening = Evening()
    evening.begins()
    (named,) = evening.guess((17, 0.95), heard=heard)
    assert isinstance(named, HeardPoem)
    decided = named.decided(range(1, 101))  # chi-ha: two moras
    assert decided is not None
    assert abs(decided.t_ns - 10 * S - true[2] * 1e9 / SAMPLE_RATE) < decided.t_unc_ns
    assert len(named.t_ku_ns) == 2, "the third ku begins later"
    assert abs(named.t_ku_ns[1] - 10 * S - true[5] * 1e9 / SAMPLE_RATE) < 0.1 * S
    (more,) = evening.guess((17, 0.99), heard=heard)
    assert isinstance(more, ReadOn)
    renamed = evening.recital.renamed(16)
    assert renamed is not None
    assert (renamed.start.poem, renamed.start.t_ns) == (16, 10 * S)


def test_a_slap_before_the_verse_is_not_its_first_sound(chihayaburu: tuple[VerseSoFar, list[int]]) -> None:
    heard, _ = chihayaburu
    evening = Evening()
    evening.begins()
    silence = np.repeat(np.eye(1, heard.evidence.shape[1], dtype=np.float32), 30, axis=0)  # 0.3 s
    after_a_slap = heard._replace(
        evidence=np.concatenate([silence, heard.evidence]),
        weights=np.concatenate([np.ones(30, np.float32), heard.weights]),
    )
    (named,) = evening.guess((17, 0.95), heard=after_a_slap)
    assert isinstance(named, HeardPoem)
    assert abs(named.start.t_ns - 10 * S - 0.3 * S) < named.start.t_unc_ns
    assert named.start.t_unc_ns > UNC_NS
