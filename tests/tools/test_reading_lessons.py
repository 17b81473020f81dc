"""Lessons for the listener: bands and phonemes belong together, and vocal tracts differ as they say."""

import numpy as np
import pytest
from reading.lessons import Ku, Voice, evened, lesson

from recitation.listening.bands import BANDS
from recitation.listening.phoneme_net import INDEX, SILENCE

PHONEMES = ("s", "a", "k", "i", "m", "o", "t", "e", "r", "u")
EDGES = np.arange(len(PHONEMES) + 1) * 20
HEARD = {INDEX[name] for name in PHONEMES} | {INDEX[SILENCE]}


def said(dice: np.random.Generator, peak: float = 3.0) -> Ku:
    """Return a ku whose vowels and consonants have spectra of their own."""
    shapes = {name: dice.normal(0.0, 0.6, 34) for name in PHONEMES}
    rows = [np.r_[peak, shapes[name]] for name in PHONEMES for _ in range(20)]
    return Ku(PHONEMES, EDGES, np.array(rows, np.float32))


@pytest.mark.parametrize("seed", range(5))
def test_each_frame_has_its_phoneme(seed: int) -> None:
    dice = np.random.default_rng(seed)
    own = lesson(Voice([said(dice)] * 3, 1.0), dice, np.full(BANDS, -7.0, np.float32))
    assert own.bands.shape == (len(own.classes), BANDS)
    assert np.isfinite(own.bands).all()
    assert set(own.classes) == HEARD
    assert own.classes[-1] == INDEX[SILENCE]


def test_a_dull_voice_is_evened() -> None:
    own = said(np.random.default_rng(2))
    dull = Ku(own.phonemes, own.edges, own.cepstra + np.r_[0.0, 1.5, np.zeros(33)].astype(np.float32))
    bright, evened_dull = evened([[own], [dull]])
    assert evened_dull.ku[0].cepstra == pytest.approx(bright.ku[0].cepstra, abs=1e-4)
    assert evened_dull.tract == pytest.approx(bright.tract)
