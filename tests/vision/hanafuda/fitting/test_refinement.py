"""An outline is moved onto its card, and stays unchanged if that fails."""

import numpy as np
import pytest

from tests.vision.painted_hanafuda import corners, lay, painted_deck
from vision.hanafuda.crops import rectify
from vision.hanafuda.fitting.refinement import CardAligner

DECK = painted_deck()
ALIGNER = CardAligner([DECK.pictures["06-2"]])


@pytest.mark.parametrize("seed", range(4))
def test_an_outline_some_pixels_off_finds_its_card(seed: int) -> None:
    dice = np.random.default_rng(seed)
    table = np.full((160, 160, 3), (60, 110, 140), np.uint8)
    where = corners((80, 80), 44, 63 * seed)
    lay(table, DECK.pictures["06-2"], where)
    off = where + dice.uniform(-2, 2, (4, 2))
    (refined,) = ALIGNER.refine([rectify(table, off)], [off], [0])
    assert np.linalg.norm(refined - where, axis=1).max() < 0.5 < np.linalg.norm(off - where, axis=1).max()


def test_an_outline_stays_where_there_is_nothing_to_fit() -> None:
    table = np.full((160, 160, 3), (60, 110, 140), np.uint8)
    where = corners((80, 80), 44, 20)
    (refined,) = ALIGNER.refine([rectify(table, where)], [where], [0])
    assert np.array_equal(refined, where)
