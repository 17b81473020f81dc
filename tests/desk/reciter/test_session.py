"""The public state of a reading: a poem is shown only after it was read to the end."""

from typing import cast

from desk.reciter.session import ReciteSession
from recitation.playback.player import Player
from recitation.playback.reports import (
    Act,
    Opened,
    PhraseStarted,
    SoundBack,
    SoundBlock,
    SoundLost,
    State,
    StateChanged,
    Underran,
)
from recitation.playback.sound_out import Listened
from recitation.reading.phrase import JOKA, Half, Phrase
from recitation.reading.plan import SAMPLE_RATE
from recitation.reading.practice import steps
from recitation.sound.clip import MoraMark

S = 1_000_000_000


class Told:
    """A player that only records its commands."""

    def __init__(self) -> None:
        self.acts: list[tuple[Act, float]] = []
        self.listeners: list[bool] = []

    def send(self, told: Listened) -> None:
        self.listeners.append(told.is_so)

    def do(self, act: Act, value: float = 0.0) -> None:
        self.acts.append((act, value))


class Evening:
    """A session whose clock is set by hand."""

    def __init__(self, mode: str = "competition") -> None:
        self.now_ns = 0
        self.player = Told()
        self.session = ReciteSession(
            cast("Player", self.player), steps([31, 64, 17], mode), now_ns=lambda: self.now_ns
        )

    def begin(self, poem: int, half: Half, at_s: float) -> None:
        self.session.take(StateChanged(State.READING, 0))
        self.now_ns = round(at_s * S)
        marks = (MoraMark("ア", 0),)
        self.session.take(
            PhraseStarted(Phrase(poem, half), 0, 4, self.now_ns, 1_000_000, 5 * SAMPLE_RATE, marks)
        )

    def read_at(self, at_s: float) -> list[int]:
        self.now_ns = round(at_s * S)
        return self.session.now()["read"]


def test_a_poem_is_told_when_its_first_half_is_over() -> None:
    evening = Evening()
    evening.begin(JOKA, Half.KAMI, 0.0)
    assert evening.session.now()["is_joka"]
    evening.begin(31, Half.KAMI, 20.0)
    assert evening.session.now()["half"] == "kami"
    assert evening.read_at(24.9) == []
    assert evening.read_at(25.1) == [31]
    assert evening.session.now()["half"] is None
    evening.begin(31, Half.SHIMO, 30.0)
    assert evening.read_at(31.0) == [31]


def test_a_pause_does_not_give_the_poem_away() -> None:
    evening = Evening()
    evening.begin(31, Half.KAMI, 0.0)
    evening.session.take(StateChanged(State.PAUSED, 0))
    assert evening.read_at(60.0) == []
    evening.session.take(StateChanged(State.READING, 0))
    assert evening.read_at(61.0) == []
    assert evening.session.now()["half"] == "kami"
    evening.session.take(StateChanged(State.WAITING, 1))
    assert evening.read_at(62.0) == [31]


def test_kimariji_shrink_as_poems_are_read() -> None:
    evening = Evening("kami-only")
    evening.begin(31, Half.KAMI, 0.0)
    assert evening.session.now()["changes"] == []
    evening.begin(64, Half.KAMI, 10.0)
    assert evening.session.now()["changes"] == [
        {"poem": 64, "before": "あさぼらけう", "now": "あ", "since": 31}
    ]
    assert evening.session.kimariji_of(31) == "あさぼらけあ"
    assert evening.read_at(16.0) == [31, 64]
    assert evening.session.kimariji_of(64) == "あ"


def test_acts_and_troubles() -> None:
    evening = Evening()
    assert evening.session.do("volume", 0.25)
    assert evening.session.do("go")
    assert not evening.session.do("dance")
    assert evening.player.acts == [(Act.VOLUME, 0.25), (Act.GO, 0.0)]
    evening.session.take(Underran(2))
    evening.session.take(Opened(0.0, "no device"))
    now = evening.session.now()
    assert (now["underruns"], now["problem"], now["volume"], now["poems"]) == (2, "no_sound", 0.25, 3)
    assert now["why"] == "no device"
    evening.session.take(SoundBack("USB"))
    assert evening.session.now()["problem"] == ""
    for lost, told in (
        (SoundLost("gone"), "sound_lost"),
        (SoundLost("none", has_no_listener=True), "no_listener"),
    ):
        evening.session.take(lost)
        assert evening.session.now()["problem"] == told


def test_the_player_learns_whether_anybody_takes_the_sound() -> None:
    evening = Evening()
    told = evening.player.listeners
    evening.session.take(SoundBlock(0, b""))
    assert told == [False]
    waiting = evening.session.listen()
    assert told == [False, True]
    for place in range(30):
        evening.session.take(SoundBlock(place, b""))  # which nobody sends on
    assert told == [False, True, False]
    waiting.clear()
    evening.session.take(SoundBlock(99, b""))
    evening.session.unlisten(waiting)
    assert told == [False, True, False, True, False]
