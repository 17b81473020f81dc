"""A judged poem as JSON, and the marks of its replay: where the mat lies in its pictures."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from desk.karuta.evidence.poem_json import judged_poem
from desk.karuta.evidence.replay import bundle_of
from referee.facts import Contact, PoemStarted, Touch
from referee.karuta.house_rules import PRESETS
from referee.layout import CARD_WIDTH_M, Layout, PlacedCard
from referee.sides import Side
from vision.field.layout_reader import LayoutReading, read_layout
from vision.frames.frame import Frame
from vision.match.evidence_ring import EvidenceRing
from vision.poem.events import PoemSeen
from vision.simulator import SimulatedMatch


def touches(*facts: Touch) -> list[dict[str, Any]]:
    """Return the touches of a poem as JSON, on a field of the cards 1 and 2."""
    layout = Layout((PlacedCard(1, Side.NEAR, 0, 0.0, 0.1), PlacedCard(2, Side.NEAR, 0, 0.06, 0.1)))
    seen: Any = SimpleNamespace(before=SimpleNamespace(layout=layout), facts=facts)
    return list(judged_poem(PoemStarted(1, 1_000, 10), seen, PRESETS["kyogi"])["touches"])


def test_of_contacts_at_one_instant_the_surest_is_told_first() -> None:
    told = touches(Touch(1, Side.NEAR, 2_000, 900), Touch(2, Side.NEAR, 2_000, 300))
    assert [touch["card"] for touch in told] == [2, 1]


def test_a_card_stands_once_for_each_player() -> None:
    pushed = Touch(1, Side.NEAR, 60_000_000, 9_000_000, contact=Contact.PUSHED_OUT, confidence=0.9)
    own = Touch(1, Side.NEAR, 2_000_000, 900_000, confidence=0.7)
    told = touches(pushed, own, Touch(1, Side.FAR, 9_000_000, 1))
    assert [(touch["player"], touch["kind"], touch["t_ms"]) for touch in told] == [
        ("near", "touch", 2.0),
        ("far", "touch", 9.0),
    ]
    assert [touch.get("or_pushed_out") for touch in told] == [{"t_ms": 60.0, "confidence": 0.9}, None]


def test_a_touch_that_is_hardly_likelier_than_not_is_told_as_not_provable() -> None:
    layout = Layout((PlacedCard(1, Side.NEAR, 0, 0.0, 0.1), PlacedCard(2, Side.NEAR, 0, 0.06, 0.1)))
    facts = (Touch(1, Side.NEAR, 2_000, 900), Touch(2, Side.NEAR, 2_000, 300, confidence=0.5))
    seen: Any = SimpleNamespace(before=SimpleNamespace(layout=layout), facts=facts)
    told = judged_poem(PoemStarted(1, 1_000, 10), seen, PRESETS["kyogi"])
    assert [touch["card"] for touch in told["touches"]] == [1]
    assert [(one["card"], one["reason"]) for one in told["not_provable"]] == [(2, "hands_merged")]


def test_a_card_that_a_hand_swept_out_says_when_it_was_out() -> None:
    swept = Touch(1, Side.NEAR, 2_000_000, 900, out_ns=(50_000_000, 90_000_000))
    told = touches(swept, Touch(2, Side.NEAR, 3_000_000, 900))
    assert [touch.get("swept_out") for touch in told] == [{"t_low_ms": 50.0, "t_high_ms": 90.0}, None]


def test_of_a_poem_that_nobody_saw_nothing_is_said() -> None:
    told = judged_poem(PoemStarted(1, 1_000, 10), None, PRESETS["kyogi"])
    assert told["ruling"]["status"] == "review"
    assert "dead_card" not in told["ruling"]["reasons"]
    assert told["ruling"]["doubts"] == ["gap"]


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
