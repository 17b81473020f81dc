"""Listening while somebody reads: it reports each first sound at once, and suggestions as soon as possible.

It needs no sound card: blocks go in, events come out. Samples count from the first block.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recitation.listening.first_sound import LONGEST_PAUSE_S, NOTHING_BEFORE, Before, before_first_sound
from recitation.listening.hearing import Hearing
from recitation.listening.listener import LEAST_SOUND_S, ONSET_UNC_S, Heard, Listener, Suggestion
from recitation.listening.phoneme_net import PHONEMES
from recitation.listening.search import Evidence
from recitation.reading.plan import SAMPLE_RATE, samples
from recitation.sound.clip import Wave
from recitation.sound.trimming import KEEP_BEFORE_S

_BLOCK = samples(0.005)
_ROOM_S = 10.0  # the noise level of the room is the `_ROOM_PERCENTILE` of the levels within this time
_ROOM_PERCENTILE = 5
_ABOVE_ROOM = 5.6
"""A block is sound if it is louder than the room by this factor (15 dB) and than `_LEAST_LEVEL`."""
_LEAST_LEVEL = 10 ** (-55 / 20)  # part of full scale
_SUSTAINED_S = 0.06  # a half begins with sound of this length; a slap on the table is shorter
_AUDIBLE = 2.0  # the first consonant is traced back as long as it is louder than the room by this factor
_BACK_S = 0.12
_LEAST_SILENCE_S = 0.45
_LEAST_SOUND_S = 1.0
_TAKE_S = 0.1  # sound is evaluated in pieces of this length
_SURE = 0.9  # the reader is learnt from verses recognised with at least this confidence
LOOKS_S = (0.4, 0.6, 0.8, 1.0, 1.5, 2.0, 3.0, 4.0)
"""Times after the first sound of a half at which suggestions are made."""


@dataclass(frozen=True)
class Began:
    """A half may have begun: `sample` is its first sound."""

    sample: int


@dataclass(frozen=True)
class Guessed:
    """The suggestions for the half that began at `sample`, `after_s` later; empty if no poem stands out."""

    sample: int
    after_s: float
    suggestions: tuple[Suggestion, ...]


@dataclass(frozen=True)
class Ended:
    """The sound that began at `sample` is over: what it was, and whether it was a verse at all."""

    sample: int
    heard: Heard
    is_reading: bool


Noticed = Began | Guessed | Ended


class VerseSoFar(NamedTuple):
    """What is known of a half: the first sample heard, the rest as in `Hearing` and `Before`."""

    sample: int
    evidence: Evidence
    weights: NDArray[np.float32]
    before: Before = NOTHING_BEFORE


UNHEARD = VerseSoFar(0, np.zeros((0, len(PHONEMES)), np.float32), np.zeros(0, np.float32))
"""Nothing is known of it yet."""


@dataclass
class LiveListener:
    """Listens block by block."""

    listener: Listener  # knows the poems, and learns the reader from the first verse it is sure of
    begins_at: int = 0  # number of the first sample
    _levels: deque[float] = field(default_factory=lambda: deque(maxlen=round(_ROOM_S * SAMPLE_RATE / _BLOCK)))
    _kept: list[Wave] = field(default_factory=list)
    _rest: Wave = field(default_factory=lambda: np.zeros(0, np.float32))

    def __post_init__(self) -> None:
        self._at = self._kept_from = self.begins_at  # first sample not examined yet, first sample kept
        self._loud_blocks = self._quiet_blocks = 0
        self._first: int | None = None
        self._looks: list[float] = []
        self._looked: list[tuple[float, int]] = []
        self._hearing = Hearing()
        self._heard_from = 0
        self._before = NOTHING_BEFORE
        self._heard = 0  # first sample not yet taken in by the hearing

    def hear(self, wave: Wave) -> Iterator[Noticed]:
        """Listen to the next samples, shape (samples,), float32 at 48 kHz."""
        wave = np.concatenate([self._rest, wave])
        whole = len(wave) // _BLOCK * _BLOCK
        self._rest = wave[whole:]
        for block in wave[:whole].reshape(-1, _BLOCK):
            yield from self._hear_block(block)

    @property
    def verse(self) -> VerseSoFar:
        """The latest half, as far as it was heard."""
        return VerseSoFar(self._heard_from, self._hearing.evidence, self._hearing.weights, self._before)

    def _hear_block(self, block: Wave) -> Iterator[Noticed]:
        level = float(np.sqrt(np.mean(block**2)))
        self._levels.append(level)
        self._kept.append(block)
        self._at += _BLOCK
        # the room's level is the expensive part, and blocks below the least level do not need it
        is_sound = level > _LEAST_LEVEL and level > _ABOVE_ROOM * self._room()
        self._loud_blocks = self._loud_blocks + 1 if is_sound else 0
        self._quiet_blocks = 0 if is_sound else self._quiet_blocks + 1
        if self._first is None:
            if self._loud_blocks * _BLOCK >= samples(_SUSTAINED_S):
                self._first = self._first_sound()
                self._looks, self._looked, self._before = list(LOOKS_S), [], NOTHING_BEFORE
                self._hearing = Hearing(self.listener.usual)
                self._heard = self._heard_from = max(self._first - samples(KEEP_BEFORE_S), self._kept_from)
                yield Began(self._first)
            else:
                self._forget()
            return
        if self._at - self._heard >= samples(_TAKE_S):
            self._take()
        heard_s = (self._at - self._first) / SAMPLE_RATE
        if self._looks and heard_s >= self._looks[0]:
            self._take()
            after_s = self._looks.pop(0)
            if after_s == LOOKS_S[0]:
                first = len(self._levels) - (self._at - self._first) // _BLOCK
                levels = np.array(self._levels, np.float32)
                self._before = before_first_sound(levels, first, self._audible())
            yield Guessed(self._first, after_s, self.listener.begun(self._hearing))
        if self._quiet_blocks * _BLOCK >= samples(_LEAST_SILENCE_S):
            quiet_s = self._quiet_blocks * _BLOCK / SAMPLE_RATE
            # a reader may pause after each ku; a complete verse does not go on
            if quiet_s >= LONGEST_PAUSE_S or not self._may_go_on(heard_s - quiet_s):
                yield from self._end()

    def _may_go_on(self, sound_s: float) -> bool:
        """Tell whether a verse may have paused after so many seconds of sound."""
        self._take()
        return sound_s >= LEAST_SOUND_S and self._hearing.may_be_verse and not self._hearing.is_complete

    def _take(self) -> None:
        """Let the hearing take in the kept sound, and note the likeliest phrase."""
        assert self._first is not None, "something has begun"
        self._hearing.hear(np.concatenate(self._kept)[self._heard - self._kept_from :])
        self._heard = self._at
        self._looked.append(((self._at - self._first) / SAMPLE_RATE, self._hearing.likeliest))

    def _end(self) -> Iterator[Noticed]:
        assert self._first is not None, "only what has begun ends"
        sound = self._at - self._quiet_blocks * _BLOCK - self._first
        if sound < samples(_LEAST_SOUND_S):
            yield Ended(self._first, Heard(self._first / SAMPLE_RATE, ONSET_UNC_S), is_reading=False)
        else:
            self._take()
            self._hearing.end()
            ruling = self.listener.ended(self._hearing, self._first / SAMPLE_RATE, self._looked, self._before)
            best = ruling.heard.suggestions[:1]
            if best and best[0].confidence >= _SURE:
                self.listener.learn(self._verse())
            yield Ended(self._first, ruling.heard, ruling.is_reading)
        self._first = None
        self._forget()

    def _verse(self) -> Wave:
        """Return the sound since the first sound, without the silence at its end."""
        assert self._first is not None, "something has begun"
        return np.concatenate(self._kept)[
            self._heard_from - self._kept_from : len(self._kept) * _BLOCK - self._quiet_blocks * _BLOCK
        ]

    def _room(self) -> float:
        return float(np.percentile(np.array(self._levels), _ROOM_PERCENTILE))

    def _audible(self) -> float:
        return max(_AUDIBLE * self._room(), _LEAST_LEVEL / 4)

    def _first_sound(self) -> int:
        levels = list(self._levels)
        audible = self._audible()
        first = len(levels) - self._loud_blocks
        earliest = max(first - samples(_BACK_S) // _BLOCK, 0)
        while first > earliest and levels[first - 1] > audible:
            first -= 1
        return self._at - (len(levels) - first) * _BLOCK

    def _forget(self) -> None:
        """Keep only as much sound as the first consonant can be traced back."""
        keep = samples(_BACK_S + _SUSTAINED_S) // _BLOCK + 2
        if len(self._kept) > 2 * keep:
            self._kept_from += (len(self._kept) - keep) * _BLOCK
            self._kept = self._kept[-keep:]
