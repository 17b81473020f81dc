"""Contours of a half: low beginnings, a shaking tone, declining levels, a fading last vowel."""

import numpy as np
import pytest
from numpy.typing import NDArray

from recitation.chant.contours import contour_st, level_db
from recitation.chant.score import Score, compose
from recitation.reading.phrase import JOKA, Half, Phrase
from recitation.reading.plan import SAMPLE_RATE
from recitation.reading.rhythm import AS_RECORDED, DEFAULT, parse_rhythm
from referee.cards.poems import POEMS

TONE_ST = 60.0


def around(track: NDArray[np.float64], at: int, seconds: float) -> NDArray[np.float64]:
    reach = round(seconds / 2 * SAMPLE_RATE)
    return track[max(at - reach, 0) : at + reach]


def of_ku(score: Score, pitch: NDArray[np.float64], index: int) -> tuple[float, float]:
    """Return a ku's pitch relative to the tone at its beginning, and from its third mora on."""
    beats = score.of_ku(index)
    begins = around(pitch, beats[0].start + round(0.08 * SAMPLE_RATE), 0.04).mean()
    stays = pitch[beats[2].start + round(0.1 * SAMPLE_RATE) : beats[-1].start].mean()
    return float(begins - TONE_ST), float(stays - TONE_ST)


@pytest.mark.parametrize(
    ("half", "lows"), [(Half.KAMI, (True, False, True)), (Half.SHIMO, (True, True))], ids=str
)
def test_the_first_and_the_last_ku_begin_low_and_one_between_runs_on(
    half: Half, lows: tuple[bool, ...]
) -> None:
    for poem in (1, 17, 77):
        score = compose(Phrase(poem, half), DEFAULT)
        pitch = contour_st(score, TONE_ST)
        for index, low in enumerate(lows):
            begins, stays = of_ku(score, pitch, index)
            assert begins < -6 if low else abs(begins) < 1
            assert abs(stays) < 0.3


def test_a_tone_is_never_quite_still_nor_far_from_its_place() -> None:
    for poem in (1, 40, 99):
        score = compose(Phrase(poem, Half.SHIMO), DEFAULT)
        pitch = contour_st(score, TONE_ST)
        held = pitch[score.beats[-1].start + SAMPLE_RATE :]
        for part in np.array_split(held, 4):
            assert 0.05 < part.std() < 0.4, "semitones"
        assert np.abs(held - TONE_ST).max() < 1.0


@pytest.mark.parametrize("text", ["4-3-1-5", "5-3-1-6", "3-0-1-3.5"])
@pytest.mark.parametrize("half", Half)
def test_the_last_vowel_fades(half: Half, text: str) -> None:
    for poem in list(POEMS)[::30]:
        score = compose(Phrase(poem, half), parse_rhythm(text))
        level = level_db(score)
        assert len(level) == score.samples
        begin, end = score.beats[-1].start, score.samples
        thirds = [part.mean() for part in np.array_split(level[begin:end], 3)]
        assert thirds[0] > thirds[1] > thirds[2]
        assert level[-1] < level[begin] - 20, "dB"


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
