"""Difficult fields, as in halls, are read without errors, and measured to one or two millimetres."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.slow_case import slow_case
from tests.vision.field.layout_papers import PAPERS, Paper, compare, draw, field_rms_mm
from vision.field.layout_reader import LayoutReading, read_layout

_FLOORS = Path(__file__).parent / "hard_floors"
_EASIER = ("720p", "tilt 15 degrees", "lens k1 -0.15")
"""Of each another paper is a harder case: 50 cards at 720p, and tilt and lens together."""


def read(paper: Paper, seed: int) -> tuple[float, int]:
    """Read a field on which every card must be found; returns the error of its scale and shape, in mm."""
    gray, truth, camera = draw(paper, seed)
    reading = read_layout([gray])
    assert isinstance(reading, LayoutReading), str(reading)
    found, wrong = compare(reading, truth)
    assert wrong == 0
    assert found == len(truth)
    return field_rms_mm(reading.geometry, camera), len(truth)


@pytest.mark.parametrize(
    "paper",
    [slow_case(paper) if paper.name in _EASIER else paper for paper in PAPERS],
    ids=lambda paper: paper.name.replace(" ", "-"),
)
def test_every_card_of_a_hard_field_is_found_and_named(paper: Paper) -> None:
    rms_mm, cards = read(paper, 7)
    # Of a dozen cards, or at 360p, the border is harder to see than on a full field.
    assert rms_mm < (4.0 if cards > 20 and paper.size[0] >= 1280 else 7.0)


def test_pieces_of_cards_and_planks_do_not_measure_the_field() -> None:
    """What lay between two grooves, a part of a card on it, has more contrast than a card: 28 mm were wrong.

    The picture is drawn, with a typeface of Debian's; beside it each card and where its middle lies, in mm.
    """
    gray = cv2.imread(str(_FLOORS / "planks-720.jpg"), cv2.IMREAD_GRAYSCALE)
    assert gray is not None
    reading = read_layout([np.asarray(gray, np.uint8)])
    assert isinstance(reading, LayoutReading), str(reading)
    read_mm = {placed.card: np.array([placed.x_m, placed.y_m]) * 1000 for placed in reading.layout}
    true_mm = {
        card: np.array(place) for card, *place in json.loads((_FLOORS / "planks-720.json").read_text())
    }
    assert read_mm.keys() == true_mm.keys()
    assert max(np.hypot(*(read_mm[card] - place)) for card, place in true_mm.items()) < 1.0


@pytest.mark.parametrize(("seed", "cards"), [(60_000, (8, 50)), (110_104, (8, 15)), (111_131, (8, 15))])
def test_few_cards_seen_aslant_by_a_bent_lens_measure_the_field(seed: int, cards: tuple[int, int]) -> None:
    """Eight or nine cards; in the last picture its edge cuts as many stretches of floor, alike in size."""
    rms_mm, count = read(Paper("few", cards=cards, tilt_deg=15.0, k1=-0.15), seed)
    assert count < 10
    assert rms_mm < 0.7
