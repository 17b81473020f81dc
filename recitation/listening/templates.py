"""What each half sounds like: walks through the built-in voices, high and low."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from recitation.listening.features import NO_MEAN, cepstra, walk
from recitation.listening.matching import distances
from recitation.listening.reader import Reader, learnt
from recitation.reading.phrase import JOKA, Half, Phrase
from recitation.reading.rhythm import DEFAULT
from recitation.sound.clip import Wave
from recitation.voices.catalogue import BUILT_IN, PACKS, pack_path
from recitation.voices.pack import VoicePack
from referee.cards.poems import POEMS

EVERY_PHRASE = tuple(Phrase(poem, half) for poem in (JOKA, *POEMS) for half in Half)
_BEGINNING_STEPS = 60
_PACES = (0.75, 1.0, 1.33)
"""How much faster or slower than the templates a reader may begin."""
_LEAST_FRAMES = 8


@dataclass(frozen=True, eq=False)
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

    def learn(self, known: Sequence[tuple[Wave, Phrase]]) -> Reader:
        """Learn how a reader differs from the built-in voices; see `recitation.listening.reader`."""
        return learnt([(wave, self.phrases.index(phrase)) for wave, phrase in known], self._centred)

    def whole(
        self, wave: Wave, reader: Reader | None = None, among: Sequence[int] | None = None
    ) -> NDArray[np.float64]:
        """Return how unlike a whole half is to each phrase, shape (phrases,).

        Parameters
        ----------
        wave : the half, (samples,).
        reader : who reads; None asks all voices.
        among : indices of the phrases that are asked; inf for all others. None asks all.
        """
        asked = list(range(len(self.phrases)) if among is None else among)
        nearest = np.full(len(self.phrases), np.inf)
        if reader is None:
            unlike = distances(walk(cepstra(wave)), self._walks[asked].reshape(-1, *self._walks.shape[2:]))
        else:
            heard = walk(reader.sounds(wave), mean=NO_MEAN)
            unlike = distances(heard, self._walks_of(reader.voice)[asked])
        nearest[asked] = unlike.reshape(len(asked), -1).min(axis=1)
        return nearest

    def beginning(
        self, wave: Wave, among: Sequence[int], reader: Reader | None = None
    ) -> NDArray[np.float64]:
        """Return how unlike the beginning of a half is to that of some phrases; inf for all others.

        Parameters
        ----------
        wave : what was heard so far, (samples,).
        among : indices of the phrases that can come.
        reader : who reads; None asks all voices.
        """
        nearest = np.full(len(self.phrases), np.inf)
        if not len(among):
            return nearest
        if reader is None:
            voices, mean, heard = [self.sounds[index] for index in among], None, cepstra(wave)
        else:
            voices = [(self._centred[index][reader.voice],) for index in among]
            mean, heard = NO_MEAN, reader.sounds(wave)
        lengths = [max(round(len(heard) * pace), _LEAST_FRAMES) for pace in _PACES]
        walks = np.stack(
            [
                walk(sound[:length], _BEGINNING_STEPS, mean)
                for phrase in voices
                for sound in phrase
                for length in lengths
            ]
        )
        unlike = distances(walk(heard, _BEGINNING_STEPS, mean), walks)
        nearest[list(among)] = unlike.reshape(len(among), -1).min(axis=1)
        return nearest

    @cached_property
    def _walks(self) -> NDArray[np.float64]:
        """Walks of all phrases, shape (phrases, voices, steps, features)."""
        return np.stack([[walk(sound) for sound in voices] for voices in self.sounds])

    @cached_property
    def _centred(self) -> tuple[tuple[NDArray[np.float64], ...], ...]:
        means = [np.concatenate(own).mean(axis=0) for own in zip(*self.sounds, strict=True)]
        return tuple(
            tuple(sound - mean for sound, mean in zip(voices, means, strict=True)) for voices in self.sounds
        )

    @cache  # noqa: B019 - one set of templates lives as long as the program listens
    def _walks_of(self, voice: int) -> NDArray[np.float64]:
        return np.stack([walk(voices[voice], mean=NO_MEAN) for voices in self._centred])


@cache
def every_phrase() -> Templates:
    """Return templates of the joka and all hundred poems in the built-in voices; made once, in seconds."""
    return Templates.of(EVERY_PHRASE)
