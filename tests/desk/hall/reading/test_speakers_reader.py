"""Halves are scheduled ahead of time for every loudspeaker, and reported when they sound."""

from desk.hall.reading.speakers_reader import LEAD_S, SYNC_UNC_NS, SpeakersReader
from desk.karuta.house.agreed_reader import reading_of
from desk.karuta.house.agreement import Agreement
from desk.karuta.readers.loudspeaker_reader import RecitedPoem
from desk.karuta.readers.reader import JokaOver, JokaSounds
from recitation.reading.phrase import JOKA, Half, Phrase
from referee.karuta.declarations import Misread
from referee.karuta.flow.follow_ups import ReadJoka, ReadPoem

S = 1_000_000_000


class Noted:
    """Notes what is to be played."""

    def __init__(self) -> None:
        self.played: list[tuple[Phrase, int]] = []
        self.stopped = 0

    def play(self, phrase: Phrase, t_ns: int) -> None:
        self.played.append((phrase, t_ns))

    def stop(self) -> None:
        self.stopped += 1


def test_a_step_is_appointed_as_a_whole_and_told_as_it_sounds() -> None:
    speakers, now = Noted(), [100 * S]
    reading = reading_of(Agreement(order_seed=3).reader, joka=True)
    reader = SpeakersReader(reading, speakers, lambda: now[0])
    reader.follow(ReadJoka(), range(1, 101))
    phrases = [phrase for phrase, _ in speakers.played]
    assert phrases == list(reading.steps[0])
    assert phrases[0].poem == JOKA
    begins = [t_ns for _, t_ns in speakers.played]
    assert begins[0] == 100 * S + round(LEAD_S * S)
    assert begins == sorted(begins)
    assert reader.sounds() == []
    now[0] = begins[-1]
    *joka, over, poem = reader.sounds()
    assert all(isinstance(each, JokaSounds) for each in joka)
    assert isinstance(over, JokaOver)
    assert isinstance(poem, RecitedPoem)
    assert (poem.start.poem, poem.start.t_ns) == (phrases[-1].poem, begins[-1])
    assert poem.start.t_unc_ns == SYNC_UNC_NS

    reader.follow(ReadPoem(), range(1, 101))
    assert [phrase for phrase, _ in speakers.played[len(phrases) :]] == list(reading.steps[1])


def test_a_misread_poem_is_silenced_and_appointed_again() -> None:
    speakers, now = Noted(), [0]
    reader = SpeakersReader(reading_of(Agreement(order_seed=3).reader, joka=False), speakers, lambda: now[0])
    reader.follow(ReadPoem(), range(1, 101))
    ((phrase, t_ns),) = speakers.played
    now[0] = t_ns
    assert len(reader.sounds()) == 1
    reader.follow(Misread(), range(1, 101))
    assert speakers.stopped == 1
    reader.follow(ReadPoem(phrase.poem), range(1, 101))
    again, later_ns = speakers.played[-1]
    assert again == phrase == Phrase(phrase.poem, Half.KAMI)
    assert later_ns > t_ns
