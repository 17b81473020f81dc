"""Checking that a recording says what its name says; each half is compared with all halves.

If a half cannot be recognised, nothing is claimed: a correct file is never accused.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from recitation.listening.bands import Usual
from recitation.listening.hearing import EVERY_PHRASE, hear_verse, learn_reader, openness
from recitation.listening.moras import Span, measured_moras, spans
from recitation.reading.phrase import Half, Phrase
from recitation.sound.clip import MoraMark, Wave
from referee.cards.poems import POEMS

_AGREES = 0.5
_SURE = 0.95


@dataclass(frozen=True)
class Verdict:
    """What a half says, compared with its name."""

    agrees: bool  # True if it was recognised as its phrase
    instead: Phrase | None = None  # the other phrase that it was recognised as beyond doubt, else None
    moras: tuple[MoraMark, ...] = ()


@dataclass
class Wording:
    """Listens to one reader's halves."""

    usual: Usual | None = None  # the reader's usual spectrum, once learnt
    _cuts: dict[int, list[Span]] = field(default_factory=dict)

    def learn(self, halves: Iterable[Wave]) -> None:
        """Learn the reader's usual spectrum; nothing is learnt from no halves."""
        verses = list(halves)
        if verses:
            self.usual = learn_reader(verses)

    def verdict(self, phrase: Phrase, wave: Wave) -> Verdict:
        """Compare a half with its phrase."""
        hearing = hear_verse(wave, self.usual)
        likely = hearing.ended(openness(POEMS))
        if likely.phrases[EVERY_PHRASE.index(phrase)] >= _AGREES:
            return Verdict(agrees=True, moras=measured_moras(hearing, phrase))
        best = int(np.argmax(likely.phrases))
        return Verdict(agrees=False, instead=EVERY_PHRASE[best] if likely.phrases[best] >= _SURE else None)

    def halves(self, wave: Wave, poem: int) -> list[Wave]:
        """Cut a whole poem into its halves by the words; empty if they are not recognised.

        The second half may be read twice.

        `wave`: the poem, (samples,), without silence around it.
        """
        if poem not in self._cuts:
            self._cuts[poem] = self._cut(wave, poem)
        return [wave[first:last] for first, last in self._cuts[poem]]

    def _cut(self, wave: Wave, poem: int) -> list[Span]:
        kami, shimo = Phrase(poem, Half.KAMI), Phrase(poem, Half.SHIMO)
        whole = hear_verse(wave, self.usual)
        cuts = [spans(whole, phrases) for phrases in ((kami, shimo), (kami, shimo, shimo))]
        best = max(cuts, key=lambda cut: cut.score)
        both = list(zip((kami, shimo), best.spans[:2], strict=True))
        agrees = all(self.verdict(phrase, wave[span.first : span.last]).agrees for phrase, span in both)
        return [span for _, span in both] if agrees else []
