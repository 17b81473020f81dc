"""The reader's side: the mats that it waits for, its cues, and halves that are scheduled ahead of time."""

from dataclasses import replace

import pytest

from desk.hall.messages import FirstSoundCue, MatState, PoemCue, VoidCue
from desk.hall.reading.cues import CueMaker
from desk.hall.reading.reader_control import SILENT_S, Attendance, Call
from desk.hall.reading.speakers_reader import LEAD_S, SYNC_UNC_NS, SpeakersReader
from desk.karuta.house.agreed_reader import reading_of
from desk.karuta.house.agreement import Agreement
from desk.karuta.readers.loudspeaker_reader import RecitedPoem
from desk.karuta.readers.reader import JokaOver, JokaSounds, ReadOn
from desk.karuta.readers.recital import HeardPoem
from desk.tables.table import FirstSound, NoVerse
from recitation.playback.reports import PhraseStarted
from recitation.reading.phrase import JOKA, Half, Phrase
from recitation.reading.rhythm import DEFAULT
from recitation.voices.catalogue import find_voice
from referee.cards.poems import POEMS
from referee.facts import PoemStarted
from referee.karuta.flow.follow_ups import ReadJoka, ReadPoem
from referee.sides import Side

WALL = "2026-11-28T10:00:00.000+09:00"


def mat(name: str, *, ready: bool = False, heard: int = 0, hands: tuple[Side, ...] = ()) -> MatState:
    return MatState(name, WALL, "m", session="s", heard=heard, follows=True, ready=ready, hands=hands)


@pytest.fixture
def hall() -> Attendance:
    """Return three mats before the first poem, the third of which still memorises."""
    attendance = Attendance("s")
    for name, ready in (("mat-01", True), ("mat-02", True), ("mat-03", False)):
        attendance.told(mat(name, ready=ready), 0.0)
    return attendance


def test_before_the_first_poem_every_match_that_has_begun_is_waited_for(hall: Attendance) -> None:
    assert hall.call(1.0) == Call(unready=("mat-03",))
    hall.told(mat("mat-03", ready=True), 1.0)
    assert hall.call(1.0) == Call()
    assert hall.count == 3


def test_a_mat_that_was_ready_for_the_poem_before_is_not_ready_for_the_next(hall: Attendance) -> None:
    hall.told(mat("mat-03", ready=True), 1.0)
    hall.begun(1, 10.0)
    for name in ("mat-01", "mat-02", "mat-03"):
        hall.told(mat(name, ready=True), 10.1)  # on its way when the poem began
    assert hall.call(10.2).unready == ("mat-01", "mat-02", "mat-03")
    hall.told(mat("mat-01", ready=True, heard=1), 10.5)
    hall.told(mat("mat-02", ready=True, heard=0), 12.5)  # was started anew in the middle of the poem
    assert hall.call(12.6).unready == ("mat-03",)


def test_who_joins_late_holds_nobody_up_until_he_is_ready_once(hall: Attendance) -> None:
    hall.begun(1, 10.0)
    hall.told(mat("mat-04"), 11.0)
    assert "mat-04" not in hall.call(11.0).waits_for
    hall.told(mat("mat-04", ready=True), 20.0)
    hall.begun(2, 21.0)
    hall.told(mat("mat-04", heard=2), 22.0)
    assert "mat-04" in hall.call(22.0).unready


def test_a_match_that_is_over_leaves(hall: Attendance) -> None:
    hall.told(replace(mat("mat-03"), follows=False, phase="over"), 1.0)
    assert (hall.call(1.0), hall.count) == (Call(), 2)


def test_a_raised_hand_is_told_apart_from_a_field_in_disorder(hall: Attendance) -> None:
    hall.told(mat("mat-01", hands=(Side.NEAR,)), 1.0)
    assert hall.call(1.0) == Call(unready=("mat-03",), hands=("mat-01",))


def test_a_silent_mat_is_waited_for_once_and_comes_back_with_its_first_word(hall: Attendance) -> None:
    late_s = SILENT_S + 1
    for name in ("mat-01", "mat-02"):
        hall.told(mat(name, ready=True), late_s)
    assert hall.call(late_s) == Call(silent=("mat-03",))
    hall.left_behind(late_s)
    hall.begun(1, late_s)
    assert "mat-03" not in hall.call(late_s + 1).waits_for
    hall.told(mat("mat-03", heard=1), late_s + 2)
    assert "mat-03" in hall.call(late_s + 2).unready


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
