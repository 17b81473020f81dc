"""The marks of a replay: where the mat lies in its pictures."""

from __future__ import annotations

import numpy as np
import pytest

from desk.karuta.evidence.replay import bundle_of
from referee.facts import PoemStarted, Touch
from referee.layout import CARD_WIDTH_M
from vision.field.layout_reader import LayoutReading, read_layout
from vision.frames.frame import Frame
from vision.match.evidence_ring import EvidenceRing
from vision.poem.events import PoemSeen
from vision.simulator import SimulatedMatch


@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_a_card_measured_in_the_pictures_is_as_wide_as_a_card(scale: float) -> None:
    before = read_layout([next(iter(SimulatedMatch(7, size=(960, 540), cards_per_side=8))).gray])
    assert isinstance(before, LayoutReading)
    card = before.layout.cards[0]
    touch = Touch(card.card, card.side, 900_000_000, 2_000_000)
    seen = PoemSeen(PoemStarted(1, 0, 1), before, (touch,), 1_000_000_000)
    ring = EvidenceRing()
    ring.append(Frame(np.zeros((90, 160), np.uint8), 900_000_000, 1, 0))
    to_mm = np.array(bundle_of(ring, seen, None, scale).manifest["marks"]["to_mm"])
    for corners_px in before.corners_px:
        ends = np.column_stack([scale * corners_px[:2], np.ones(2)]) @ to_mm.T
        at_mm = ends[:, :2] / ends[:, 2:]
        assert np.linalg.norm(at_mm[1] - at_mm[0]) == pytest.approx(1000 * CARD_WIDTH_M, abs=2.5)
