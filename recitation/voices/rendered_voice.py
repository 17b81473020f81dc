"""A built-in voice rendered on demand, for rhythms without a pack."""

from __future__ import annotations

from dataclasses import dataclass

from recitation.chant.score import compose
from recitation.chant.singer import TIMBRES, Singer, Timbre
from recitation.chant.speech import Speaker
from recitation.reading.phrase import Phrase
from recitation.reading.rhythm import Rhythm
from recitation.sound.clip import Clip, MoraMark


@dataclass(frozen=True)
class Rendered:
    """A voice rendered on demand; one core takes about a tenth of a clip's length."""

    name: str
    rhythm: Rhythm
    timbre: Timbre
    singer: Singer

    @classmethod
    def of(cls, name: str, rhythm: Rhythm) -> Rendered:
        """Return a built-in voice by its name; VoicesMissingError if the extra `voices` is not installed."""
        return cls(name, rhythm, TIMBRES[name], Singer(Speaker()))

    def samples(self, phrase: Phrase) -> int:
        """Return the length by the rhythm."""
        return compose(phrase, self.rhythm).samples

    def clip(self, phrase: Phrase) -> Clip:
        wave, score = self.singer.sing(phrase, self.rhythm, self.timbre)
        return Clip(wave, tuple(MoraMark(beat.mora.kana, beat.start) for beat in score.beats))
