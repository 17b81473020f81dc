"""The score of a half: lengths from the rhythm, every ku low, gliding, held."""

import pytest

from recitation.chant.score import compose
from recitation.reading.phrase import JOKA, Half, Phrase
from recitation.reading.plan import SAMPLE_RATE
from recitation.reading.rhythm import AS_RECORDED, DEFAULT, parse_rhythm
from referee.cards.poems import POEMS


@pytest.mark.parametrize("text", ["4-3-1-5", "5-3-1-6", "3-0-1-3.5", "8-5-1-10"])
def test_every_half_is_exactly_as_long_as_the_rhythm_says(text: str) -> None:
    rhythm = parse_rhythm(text)
    for poem in (JOKA, *POEMS):
        for half in Half:
            score = compose(Phrase(poem, half), rhythm)
            length_s = rhythm.length_s(half)
            assert length_s is not None
            assert score.samples == round(length_s * SAMPLE_RATE)
            assert score.beats[0].start == 0
            assert abs(score.beats[-1].end - score.samples) <= 1
            starts = [beat.start for beat in score.beats]
            assert starts == sorted(set(starts))
            assert all(beat.end > beat.start for beat in score.beats)


def test_the_linger_is_held_on_the_last_mora() -> None:
    score = compose(Phrase(17, Half.SHIMO), DEFAULT)
    last = score.beats[-1]
    assert last.start < 4 * SAMPLE_RATE
    assert last.end - last.start > 3 * SAMPLE_RATE


def test_as_recorded_has_no_score() -> None:
    with pytest.raises(ValueError, match="needs a rhythm with lengths"):
        compose(Phrase(1, Half.KAMI), AS_RECORDED)
