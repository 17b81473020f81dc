"""A microphone near a person who reads: poems begin and are named, and nothing else is reported."""

import time
from collections.abc import Callable, Iterator
from typing import Self

import numpy as np
import pytest

from desk.errors import DeskError
from desk.karuta.readers.human_reader import HumanReader
from desk.karuta.readers.reader import JokaOver, JokaSounds, ReadOn, Sound
from desk.karuta.readers.recital import HeardPoem, Recital
from desk.tables.table import FirstSound
from recitation.playback.lasting_stream import NoSoundError
from recitation.playback.stream_clock import StreamClock
from recitation.reading.phrase import JOKA, Half, Phrase
from recitation.reading.plan import SAMPLE_RATE, sample_to_ns
from recitation.sound.clip import Wave
from referee.karuta.flow.events import MemoriseStarted
from referee.karuta.flow.follow_ups import ReadJoka
from tests.recitation.listening.readings import evening

BLOCK = 4_800
S = 1_000_000_000
PATIENCE_S = 240.0
READ = (
    Phrase(JOKA, Half.KAMI),
    Phrase(JOKA, Half.SHIMO),
    Phrase(JOKA, Half.SHIMO),
    Phrase(17, Half.KAMI),
    Phrase(17, Half.SHIMO),
    Phrase(54, Half.KAMI),
)


class Recording:
    """A microphone that hears a recording, as fast as it is asked; see `SoundIn`.

    Parameters
    ----------
    wave : what is to be heard.
    lost_at : the block before which samples are lost; None for none.
    """

    def __init__(self, wave: Wave, lost_at: int | None = None) -> None:
        self.clock = StreamClock()
        self.overflows = 0
        self.problem: str | None = None
        self._blocks = [wave[at : at + BLOCK] for at in range(0, len(wave), BLOCK)]
        self._given = 0
        self._lost_at = lost_at

    @property
    def is_over(self) -> bool:
        return self._given == len(self._blocks)

    def __enter__(self) -> Self:
        for block in range(3):
            self.clock.observe(block * BLOCK, sample_to_ns(block * BLOCK))
        return self

    def __exit__(self, *exc: object) -> None: ...

    def blocks(self, timeout_s: float = 0.0) -> list[Wave]:
        if self.is_over:
            time.sleep(timeout_s)
            return []
        if self._given == self._lost_at:
            self.overflows += 1
        self._given += 1
        return [self._blocks[self._given - 1]]


@pytest.fixture(scope="module")
def read() -> tuple[Wave, list[int]]:
    return evening(READ)


@pytest.fixture
def listening() -> Iterator[Callable[[Recording, Recital], HumanReader]]:
    opened: list[HumanReader] = []

    def listen(microphone: Recording, recital: Recital) -> HumanReader:
        opened.append(HumanReader(microphone, recital))
        opened[-1].follow(ReadJoka(), range(1, 101))
        return opened[-1]

    yield listen
    for reader in opened:
        reader.close()


def heard_of(reader: HumanReader, microphone: Recording) -> list[Sound]:
    """Return everything up to the end of the recording."""
    heard: list[Sound] = []
    until_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < until_s:
        heard += reader.sounds()
        if microphone.is_over and any(
            isinstance(sound, HeardPoem) and sound.start.poem == 54 for sound in heard
        ):
            return heard
        time.sleep(0.02)
    raise AssertionError(f"the last poem was not heard, only {heard}")


def test_a_person_is_followed_from_the_joka_on(
    read: tuple[Wave, list[int]], listening: Callable[[Recording, Recital], HumanReader]
) -> None:
    wave, onsets = read
    microphone = Recording(wave)
    heard = heard_of(listening(microphone, Recital(0.9, joka=True)), microphone)
    kinds = [
        type(sound) for sound in heard if isinstance(sound, JokaSounds | JokaOver | FirstSound | HeardPoem)
    ]
    assert kinds == [JokaSounds, JokaOver, FirstSound, HeardPoem, FirstSound, HeardPoem]
    poems = [sound for sound in heard if isinstance(sound, HeardPoem)]
    assert [poem.start.poem for poem in poems] == [17, 54]
    for poem, onset in zip(poems, (onsets[3], onsets[5]), strict=True):
        assert abs(poem.start.t_ns - sample_to_ns(onset)) < poem.start.t_unc_ns <= 0.1 * S
    more = [sound.cue for sound in heard if isinstance(sound, ReadOn) and sound.cue.start.poem == 17]
    decided = more[-1].decided(range(1, 101))
    assert decided is not None
    assert 0.1 * S < decided.t_ns - poems[0].start.t_ns < 1.0 * S


def test_lost_samples_shift_no_first_sound(
    read: tuple[Wave, list[int]], listening: Callable[[Recording, Recital], HumanReader]
) -> None:
    wave, onsets = read
    begins = onsets[5] - 2 * SAMPLE_RATE
    microphone = Recording(wave[begins:], lost_at=5)
    (poem,) = [
        sound
        for sound in heard_of(listening(microphone, Recital(0.9, joka=False)), microphone)
        if isinstance(sound, HeardPoem)
    ]
    assert abs(poem.start.t_ns - sample_to_ns(onsets[5] - begins)) < poem.start.t_unc_ns


def test_nothing_is_read_while_the_cards_are_memorised(
    read: tuple[Wave, list[int]], listening: Callable[[Recording, Recital], HumanReader]
) -> None:
    wave, onsets = read
    microphone = Recording(wave[onsets[5] - SAMPLE_RATE :])
    reader = listening(microphone, Recital(0.9, joka=False))
    reader.follow(MemoriseStarted(0), range(1, 101))
    heard: list[Sound] = []
    while not microphone.is_over:
        heard += reader.sounds()
        time.sleep(0.02)
    assert [*heard, *reader.sounds()] == []


def test_a_microphone_that_cannot_be_opened_is_told() -> None:
    class Missing(Recording):
        def __enter__(self) -> Self:
            raise NoSoundError("there is no microphone 'x'")

    with pytest.raises(DeskError, match="no microphone 'x'"):
        HumanReader(Missing(np.zeros(1, np.float32)), Recital(0.9, joka=False))
