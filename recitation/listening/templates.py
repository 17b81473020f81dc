"""What each half sounds like: walks through the built-in voices, high and low."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from recitation.listening.features import HOP, cepstra, walk
from recitation.listening.matching import distances
from recitation.pack import VoicePack
from recitation.phrase import Half, Phrase
from recitation.plan import SAMPLE_RATE
from recitation.rhythm import DEFAULT
from recitation.voices import BUILT_IN, PACKS, pack_path

_BEGINNING_STEPS = 60
_PACES = (0.75, 1.0, 1.33)
"""How much faster or slower than the templates a reader may begin."""
_LEAST_FRAMES = 8


@dataclass(frozen=True)
class Templates:
    """Halves as cepstra, each in every voice."""

    phrases: tuple[Phrase, ...]
    sounds: tuple[tuple[NDArray[np.float64], ...], ...]

    @classmethod
    def of(cls, phrases: Iterable[Phrase], packs: Sequence[VoicePack] = ()) -> Templates:
        """Make templates of some phrases; takes about 15 ms for each clip."""
        voices = packs or [VoicePack.open(pack_path(name, DEFAULT, PACKS)) for name in BUILT_IN]
        wanted = tuple(phrases)
        return cls(wanted, tuple(tuple(cepstra(pack.clip(one).wave) for pack in voices) for one in wanted))

    def whole(self, heard: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how unlike a whole half is to each phrase, shape (phrases,)."""
        return self._nearest(distances(walk(heard), self._walks))

    def beginning(self, heard: NDArray[np.float64], half: Half) -> NDArray[np.float64]:
        """Return how unlike the beginning of a half is to each phrase's; inf for the other half."""
        walks = [
            walk(sound[: max(round(len(heard) * pace), _LEAST_FRAMES)], _BEGINNING_STEPS)
            for pace in _PACES
            for voices in self.sounds
            for sound in voices
        ]
        unlike = (
            distances(walk(heard, _BEGINNING_STEPS), np.stack(walks)).reshape(len(_PACES), -1).min(axis=0)
        )
        nearest = self._nearest(unlike)
        nearest[[phrase.half is not half for phrase in self.phrases]] = np.inf
        return nearest

    @cached_property
    def _walks(self) -> NDArray[np.float64]:
        return np.stack([walk(sound) for voices in self.sounds for sound in voices])

    def _nearest(self, unlike: NDArray[np.float64]) -> NDArray[np.float64]:
        nearest: NDArray[np.float64] = unlike.reshape(len(self.phrases), -1).min(axis=1)
        return nearest


def frames(seconds: float) -> int:
    """Return how many frames of cepstra a time gives."""
    return round(seconds * SAMPLE_RATE / HOP)
