"""The latest sound of a microphone or a loudspeaker, with the instants at which it was in the air."""

import threading
from collections import deque
from typing import NamedTuple

import numpy as np

from recitation.reading.plan import SAMPLE_RATE, sample_to_ns
from recitation.sound.clip import Wave

_SPAN_NS = 60_000_000_000  # a poem is over, and its replay cut, within a minute of its first sound
_CHAINED_NS = 5_000_000
"""Instants of a stream jitter by less: a piece so near to the last one follows it without a gap."""


class TimedSound(NamedTuple):
    """Sound, shape (samples,) at 48 kHz; its first sample was in the air at `t_ns` +- `t_unc_ns`."""

    wave: Wave
    t_ns: int
    t_unc_ns: int

    @property
    def ends_ns(self) -> int:
        return self.t_ns + sample_to_ns(len(self.wave))


class RecentSound:
    """Takes in pieces in one thread and gives excerpts in another."""

    def __init__(self) -> None:
        self._pieces: deque[TimedSound] = deque()
        self._lock = threading.Lock()

    def append(self, piece: TimedSound) -> None:
        """Take in the next piece, and forget what is older than a minute."""
        with self._lock:
            if self._pieces and abs(piece.t_ns - self._pieces[-1].ends_ns) <= _CHAINED_NS:
                piece = piece._replace(t_ns=self._pieces[-1].ends_ns)
            self._pieces.append(piece)
            while piece.t_ns - self._pieces[0].ends_ns > _SPAN_NS:
                self._pieces.popleft()

    def between(self, from_ns: int, to_ns: int) -> TimedSound | None:
        """Return the sound of an interval, silent where none is known; None if none is known at all."""
        with self._lock:
            pieces = [piece for piece in self._pieces if piece.t_ns < to_ns and piece.ends_ns > from_ns]
        if not pieces:
            return None
        samples = round((to_ns - from_ns) * SAMPLE_RATE / 1e9)
        wave = np.zeros(samples, np.float32)
        for piece in pieces:
            at = round((piece.t_ns - from_ns) * SAMPLE_RATE / 1e9)
            low, high = max(at, 0), min(at + len(piece.wave), samples)
            if low < high:
                wave[low:high] = piece.wave[low - at : high - at]
        return TimedSound(wave, from_ns, max(piece.t_unc_ns for piece in pieces))
