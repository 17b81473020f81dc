"""Listening while somebody reads: each first sound at once, suggestions as soon as there is enough to hear.

Pure of sound cards: blocks go in, what was noticed comes out. Samples count from the first block.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

import numpy as np

from recitation.listening.listener import LOOKS_S, Heard, Listener, Part, Suggestion
from recitation.reading.phrase import Half
from recitation.reading.plan import SAMPLE_RATE, samples
from recitation.sound.clip import Wave
from recitation.sound.trimming import KEEP_BEFORE_S

_BLOCK = samples(0.005)
_ROOM_S = 10.0
"""The room's own level is the quietest that was heard within this time."""
_ROOM_PERCENTILE = 5
_ABOVE_ROOM = 5.6
"""Sound is what is louder than the room by this factor (15 dB) ..."""
_LEAST_LEVEL = 10 ** (-55 / 20)
"""... and than this part of full scale, ..."""
_SUSTAINED_S = 0.06
"""... for this long: a cough on the table or a slap is shorter."""
_AUDIBLE = 2.0
"""A first consonant is traced back to where it is louder than the room by this factor."""
_BACK_S = 0.12
_LEAST_SILENCE_S = 0.45
_LEAST_SOUND_S = 1.0
_LEARN_FROM = 6


@dataclass(frozen=True)
class Began:
    """A half may have begun: `sample` is its first sound."""

    sample: int


@dataclass(frozen=True)
class Guessed:
    """What the half that began at `sample` may be, `after_s` later; empty where nothing stands out."""

    sample: int
    after_s: float
    suggestions: tuple[Suggestion, ...]


@dataclass(frozen=True)
class Ended:
    """The half that began at `sample` is over, and this is what it was."""

    sample: int
    heard: Heard


Noticed = Began | Guessed | Ended


@dataclass
class LiveListener:
    """Listens block by block.

    Attributes
    ----------
    listener : who knows the poems; may learn the reader as soon as the joka was heard.
    halves : which halves are guessed at while they are read.
    """

    listener: Listener
    halves: Collection[Half] = (Half.KAMI,)
    _levels: deque[float] = field(default_factory=lambda: deque(maxlen=round(_ROOM_S * SAMPLE_RATE / _BLOCK)))
    _kept: list[Wave] = field(default_factory=list)
    _rest: Wave = field(default_factory=lambda: np.zeros(0, np.float32))
    _parts: list[Part] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._at = 0  # first sample that was not looked at yet
        self._kept_from = 0
        self._loud_blocks = self._quiet_blocks = 0
        self._first: int | None = None
        self._looks: list[float] = []

    def hear(self, wave: Wave) -> Iterator[Noticed]:
        """Listen to the next samples, shape (samples,), float32 at 48 kHz."""
        wave = np.concatenate([self._rest, wave])
        whole = len(wave) // _BLOCK * _BLOCK
        self._rest = wave[whole:]
        for block in wave[:whole].reshape(-1, _BLOCK):
            yield from self._hear_block(block)

    def _hear_block(self, block: Wave) -> Iterator[Noticed]:
        level = float(np.sqrt(np.mean(block**2)))
        self._levels.append(level)
        self._kept.append(block)
        self._at += _BLOCK
        is_sound = level > max(_ABOVE_ROOM * self._room(), _LEAST_LEVEL)
        self._loud_blocks = self._loud_blocks + 1 if is_sound else 0
        self._quiet_blocks = 0 if is_sound else self._quiet_blocks + 1
        if self._first is None:
            if self._loud_blocks * _BLOCK >= samples(_SUSTAINED_S):
                self._first = self._first_sound()
                self._looks = list(LOOKS_S)
                yield Began(self._first)
            else:
                self._forget()
            return
        heard_s = (self._at - self._first) / SAMPLE_RATE
        if self._looks and heard_s >= self._looks[0]:
            yield Guessed(self._first, self._looks.pop(0), self.listener.begun(self._wave(), self.halves))
        if self._quiet_blocks * _BLOCK >= samples(_LEAST_SILENCE_S):
            yield from self._end()

    def _end(self) -> Iterator[Noticed]:
        assert self._first is not None, "only what has begun ends"
        wave = self._wave()[: -self._quiet_blocks * _BLOCK]
        if len(wave) >= samples(_LEAST_SOUND_S):
            part = Part(wave, self._first / SAMPLE_RATE)
            self._learn(part)
            yield Ended(self._first, self.listener.ended(part))
        self._first = None
        self._forget()

    def _learn(self, part: Part) -> None:
        if self.listener.reader is None:
            self._parts.append(part)
            self.listener.learn(self._parts[-_LEARN_FROM:])

    def _wave(self) -> Wave:
        assert self._first is not None, "something has begun"
        begin = max(self._first - samples(KEEP_BEFORE_S) - self._kept_from, 0)
        return np.concatenate(self._kept)[begin:]

    def _room(self) -> float:
        return float(np.percentile(np.array(self._levels), _ROOM_PERCENTILE))

    def _first_sound(self) -> int:
        levels = list(self._levels)
        audible = max(_AUDIBLE * self._room(), _LEAST_LEVEL / 4)
        first = len(levels) - self._loud_blocks
        earliest = max(first - samples(_BACK_S) // _BLOCK, 0)
        while first > earliest and levels[first - 1] > audible:
            first -= 1
        return self._at - (len(levels) - first) * _BLOCK

    def _forget(self) -> None:
        """Keep only as much as a first consonant can be traced back."""
        keep = samples(_BACK_S + _SUSTAINED_S) // _BLOCK + 2
        if len(self._kept) > 2 * keep:
            self._kept_from += (len(self._kept) - keep) * _BLOCK
            self._kept = self._kept[-keep:]
