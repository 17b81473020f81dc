"""The score of a half: the beginning of every mora.

Lengths come from the rhythm alone, so that all poems have the same pace. The time that a short poem leaves
over lengthens the ends of its ku, most of it the last one, whose vowel needs time to fade.
"""

from dataclasses import dataclass

from recitation.chant.pronunciation import Mora, moras, spoken
from recitation.reading.phrase import Half, Phrase
from recitation.reading.plan import samples
from recitation.reading.rhythm import Rhythm

_KU_GAP_S = 0.06
_USUAL_MORAS = {Half.KAMI: 17, Half.SHIMO: 14}
_MORA_SHARE = 0.7  # part of a half that its moras fill; the rest lengthens the ends of its ku
_LONGEST_MORA_S = 0.22
_LEAST_SLACK = 0.12
"""Part of a half that is kept for the ends of its ku even if a poem has surplus moras (ji-amari)."""
_SLACK_SHARES = {Half.KAMI: (0.15, 0.10, 0.75), Half.SHIMO: (0.55, 0.45)}


@dataclass(frozen=True, slots=True)
class Beat:
    """One mora in time, from sample `start` to sample `end` of its clip; `ku` counts from 0."""

    mora: Mora
    ku: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Score:
    """One half of a poem, ready to be sung."""

    phrase: Phrase
    ku: tuple[str, ...]  # its phrases in katakana as pronounced
    beats: tuple[Beat, ...]  # its moras in time
    samples: int  # length of the clip

    def of_ku(self, index: int) -> tuple[Beat, ...]:
        return tuple(beat for beat in self.beats if beat.ku == index)


def compose(phrase: Phrase, rhythm: Rhythm) -> Score:
    """Return the score of a half in a rhythm.

    Raises ValueError if the rhythm is "as recorded": a synthetic voice needs lengths.
    """
    length_s = rhythm.length_s(phrase.half)
    if length_s is None:
        raise ValueError("a made voice needs a rhythm with lengths such as 4-3-1-5, got 'as recorded'")
    linger_s = (rhythm.linger_s or 0.0) if phrase.half is Half.SHIMO else 0.0
    ku = spoken(phrase)
    sung = [moras(part) for part in ku]
    spoken_s = length_s - linger_s
    gaps_s = _KU_GAP_S * (len(ku) - 1)
    count = sum(len(part) for part in sung)
    mora_s = min(
        _LONGEST_MORA_S,
        _MORA_SHARE * spoken_s / _USUAL_MORAS[phrase.half],
        ((1 - _LEAST_SLACK) * spoken_s - gaps_s) / count,
    )
    slack_s = spoken_s - gaps_s - count * mora_s
    beats: list[Beat] = []
    at_s = 0.0
    for index, (part, share) in enumerate(zip(sung, _SLACK_SHARES[phrase.half], strict=True)):
        for place, mora in enumerate(part):
            start_s, at_s = at_s, at_s + mora_s
            if place == len(part) - 1:
                at_s += share * slack_s + (linger_s if index == len(sung) - 1 else 0.0)
            beats.append(Beat(mora, index, samples(start_s), samples(at_s)))
        at_s += _KU_GAP_S
    return Score(phrase, ku, tuple(beats), samples(length_s))
