"""Does a recording say what its name says? Each half is compared with the built-in voices.

The reader is learnt first, from halves that are clear without that.

Where the reader cannot be learnt (no speech, another language) nothing is claimed: the check abstains.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from recitation.listening.listener import is_speech, likelihood
from recitation.listening.moras import measured_moras
from recitation.listening.reader import Reader
from recitation.listening.templates import Templates, every_phrase
from recitation.reading.phrase import Phrase
from recitation.reading.rhythm import DEFAULT
from recitation.sound.clip import MoraMark, Wave
from recitation.voices.catalogue import BUILT_IN, PACKS, pack_path
from recitation.voices.pack import VoicePack

_DECOYS = 12
_MARGIN = 0.03
"""A half that is nearer to its own phrase than to every decoy by this much is what its name says."""
_SURE = 0.95
_TEACHERS = 4
"""Halves from which a reader is learnt."""


@dataclass(frozen=True)
class Verdict:
    """What a half says, compared with what its name says.

    Attributes
    ----------
    agrees : True where it was heard to be its phrase.
    instead : the phrase that it was heard to be, where that is another one beyond doubt.
    """

    agrees: bool
    instead: Phrase | None = None


@dataclass
class Wording:
    """Listens to one reader's halves.

    Attributes
    ----------
    reader : who reads, once learnt.
    """

    reader: Reader | None = None

    @property
    def templates(self) -> Templates:
        """All phrases in the built-in voices."""
        return every_phrase()

    def learn(self, halves: Iterable[Wave]) -> bool:
        """Learn the reader from halves that are clear, whatever they are called; tell whether it worked."""
        known = []
        for wave in filter(is_speech, halves):
            likely = likelihood(self.templates.whole(wave))
            best = int(np.argmax(likely))
            if likely[best] >= _SURE:
                known.append((wave, self.templates.phrases[best]))
            if len(known) == _TEACHERS:
                break
        if len(known) > 1:
            self.reader = self.templates.learn(known)
        return self.reader is not None

    def verdict(self, phrase: Phrase, wave: Wave) -> Verdict:
        """Compare a half with its phrase."""
        if self.reader is None or not is_speech(wave):
            return Verdict(agrees=False)
        own = self.templates.phrases.index(phrase)
        among = [own, *self._decoys(own)]
        unlike = self.templates.whole(wave, self.reader, among)
        if unlike[own] + _MARGIN <= np.delete(unlike, own).min():
            return Verdict(agrees=True)
        likely = likelihood(self.templates.whole(wave, self.reader))
        best = int(np.argmax(likely))
        if best == own:
            return Verdict(agrees=True)
        sure = likely[best] >= _SURE and self.templates.phrases[best].half is phrase.half
        return Verdict(agrees=False, instead=self.templates.phrases[best] if sure else None)

    def moras(self, phrase: Phrase, wave: Wave) -> tuple[MoraMark, ...]:
        """Return when the moras of a half begin that agrees with its phrase; empty without a reader."""
        if self.reader is None:
            return ()
        return measured_moras(wave, self.reader, self._packs[self.reader.voice].clip(phrase))

    def _decoys(self, own: int) -> list[int]:
        dice = np.random.default_rng(own)
        others = [index for index in range(len(self.templates.phrases)) if index != own]
        return [int(index) for index in dice.choice(others, min(_DECOYS, len(others)), replace=False)]

    @cached_property
    def _packs(self) -> list[VoicePack]:
        return [VoicePack.open(pack_path(name, DEFAULT, PACKS)) for name in BUILT_IN]
