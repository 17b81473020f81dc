"""The reader follows the rules' requests, and reports its sounds as events of the game."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

import desk.karuta.readers.loudspeaker_reader
from desk.karuta.house.agreed_reader import reading_of
from desk.karuta.house.agreement import Agreement
from desk.karuta.readers.loudspeaker_reader import RecitedPoem, ReciterReader
from desk.karuta.readers.reader import JokaOver, JokaSounds, Sound
from recitation.playback.player import ReadingSettings
from recitation.playback.reports import (
    Act,
    Failed,
    Opened,
    PhraseStarted,
    Report,
    SoundPlayed,
    State,
    StateChanged,
)
from recitation.reading.phrase import JOKA, Half, Phrase
from recitation.reading.rhythm import DEFAULT
from recitation.sound.clip import in_16_bit
from recitation.voices.catalogue import find_voice
from referee.karuta.declarations import Misread
from referee.karuta.flow.events import (
    Confirm,
    HandRaised,
    MemoriseEnded,
    Pause,
    Rearranging,
    Resume,
    Revert,
    Tick,
)
from referee.karuta.flow.follow_ups import MatchEnded, NoticeId, ReadJoka, ReadPoem, notice
from referee.sides import Side

S = 1_000_000_000


class ScriptedPlayer:
    """Records its commands, and reports what the test sets."""

    def __init__(self, reading: ReadingSettings) -> None:
        self.acts: list[Act] = []
        self.waiting: list[Report] = []

    def do(self, act: Act, value: float = 0.0) -> None:
        self.acts.append(act)

    def reports(self) -> list[Report]:
        told, self.waiting = self.waiting, []
        return told

    def close(self) -> None:
        self.acts.clear()


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> ReciterReader:
    monkeypatch.setattr(desk.karuta.readers.loudspeaker_reader, "Player", ScriptedPlayer)
    return ReciterReader(reading_of(Agreement(order_seed=1).reader, joka=True))


def player_of(reader: ReciterReader) -> ScriptedPlayer:
    player = reader._player
    assert isinstance(player, ScriptedPlayer)
    return player


def told(reader: ReciterReader, *reports: Report) -> Sequence[Sound]:
    """Let the player report, and return what the reader makes of it."""
    player_of(reader).waiting = [*reports]
    return reader.sounds()


def begun(poem: int, half: Half = Half.KAMI, t_ns: int = 10 * S) -> PhraseStarted:
    phrase = Phrase(poem, half)
    clip = find_voice("high", DEFAULT).clip(phrase)
    return PhraseStarted(phrase, 0, 100, t_ns, 1000, len(clip.wave), clip.moras)


def test_a_poem_that_is_asked_for_while_another_sounds_is_read_after_it(reader: ReciterReader) -> None:
    player = player_of(reader)
    reader.follow(ReadPoem(), {})
    told(reader, StateChanged(State.READING, 0), begun(17))
    reader.follow(ReadPoem(), {})  # the card was taken at once
    reader.sounds()
    assert player.acts == [Act.GO]
    told(reader, StateChanged(State.WAITING, 1))
    assert player.acts == [Act.GO, Act.GO]
    told(reader, StateChanged(State.READING, 1), StateChanged(State.WAITING, 2))
    assert player.acts == [Act.GO, Act.GO], "it is read once"


def test_what_the_loudspeaker_played_is_kept_for_replays(reader: ReciterReader) -> None:
    wave = np.linspace(-0.5, 0.5, 48_000).astype(np.float32)
    told(reader, SoundPlayed(10 * S, 1000, in_16_bit(wave)))
    heard = reader.sound(10 * S + S // 4, 10 * S + S // 2)
    assert heard is not None
    assert heard.wave == pytest.approx(wave[12_000:24_000], abs=1e-4)
    assert reader.sound(20 * S, 21 * S) is None


@pytest.mark.parametrize("event", [Misread(), MatchEnded(None)])
def test_what_was_asked_for_ends_with_the_poem(reader: ReciterReader, event: Misread | MatchEnded) -> None:
    player = player_of(reader)
    told(reader, StateChanged(State.READING, 0))
    reader.follow(ReadPoem(), {})
    reader.follow(event, {})
    told(reader, StateChanged(State.WAITING, 0))
    assert player.acts == [Act.STOP]


@pytest.mark.parametrize("event", [Pause(), Revert(1), HandRaised(Side.NEAR), Rearranging(Side.NEAR)])
def test_a_poem_that_the_rules_no_longer_want_is_not_read(
    reader: ReciterReader, event: Pause | Revert | HandRaised | Rearranging
) -> None:
    player = player_of(reader)
    told(reader, StateChanged(State.READING, 0))
    reader.follow(ReadPoem(), {})
    reader.follow(event, {})
    told(reader, StateChanged(State.WAITING, 1))
    assert Act.GO not in player.acts
    reader.follow(ReadPoem(), {})  # the rules ask again
    assert player.acts[-1] is Act.GO


def test_what_the_rules_say_the_reader_does(reader: ReciterReader) -> None:
    for event in (
        ReadJoka(),
        ReadPoem(),
        Pause(),
        Resume(),
        Confirm(),
        Misread(),
        ReadPoem(17),
        MatchEnded(None),
    ):
        reader.follow(event, range(1, 101))
    assert player_of(reader).acts == [Act.GO, Act.GO, Act.PAUSE, Act.RESUME, Act.STOP, Act.REPEAT, Act.STOP]


def test_a_poem_that_begins_is_told_after_the_joka_is_over(reader: ReciterReader) -> None:
    both = begun(JOKA), begun(JOKA, Half.SHIMO), begun(17), begun(17, Half.SHIMO, 20 * S)
    upper, lower, joka, first, second = told(reader, *both, begun(99, t_ns=30 * S))
    assert isinstance(upper, JokaSounds)
    assert isinstance(lower, JokaSounds)
    assert len(upper.t_ku_ns) + len(lower.t_ku_ns) == 5
    assert isinstance(joka, JokaOver)
    assert isinstance(first, RecitedPoem)
    assert isinstance(second, RecitedPoem)
    assert (first.start.poem, first.start.t_ns) == (17, 10 * S)
    assert second.start.poem == 99
    assert reader.sounds() == []


def test_ku_and_kimariji_lie_where_the_voice_has_them(reader: ReciterReader) -> None:
    (cue,) = told(reader, begun(17))
    assert isinstance(cue, RecitedPoem)
    assert cue.t_ku_ns[0] == cue.start.t_ns
    assert list(cue.t_ku_ns) == sorted(cue.t_ku_ns)
    assert len(cue.t_ku_ns) == 3
    decided = cue.decided(range(1, 101))
    alone = cue.decided([17])
    assert decided is not None
    assert alone is not None
    assert cue.start.t_ns < alone.t_ns < decided.t_ns < cue.t_ku_ns[1]


def test_a_voice_whose_moras_are_not_known_tells_no_more_than_the_start(reader: ReciterReader) -> None:
    (cue,) = told(reader, replace(begun(17), moras=()))
    assert isinstance(cue, RecitedPoem)
    assert cue.decided([17]) is None
    assert list(cue.t_ku_ns) == []


def test_a_reader_without_sound_says_so(reader: ReciterReader) -> None:
    told(reader, Opened(0.0, "no device"))
    problems = [reader.problem]
    for report in (Opened(0.01), Failed("it broke")):
        told(reader, report)
        problems.append(reader.problem)
    assert problems == ["no device", None, "it broke"]


def test_the_last_two_minutes_and_the_end_of_memorising_are_spoken_where_they_are_true(
    reader: ReciterReader,
) -> None:
    swings, greeting = notice(NoticeId.PRACTICE_SWINGS, minutes=2), notice(NoticeId.GREETING)
    for event in (Tick(1), swings, Tick(2), greeting, ReadJoka()):
        reader.follow(event, {})
    shorter = notice(NoticeId.PRACTICE_SWINGS, minutes=1)
    for not_true in (
        Tick(1),
        shorter,
        MemoriseEnded(),
        greeting,
        ReadJoka(),
    ):  # too early
        reader.follow(not_true, {})
    assert player_of(reader).acts == [Act.TWO_MINUTES, Act.TIME, Act.GO, Act.GO]
