"""A judged poem as JSON."""

from types import SimpleNamespace
from typing import Any

from desk.karuta.evidence.poem_json import judged_poem
from referee.facts import Contact, PoemStarted, Touch
from referee.karuta.house_rules import PRESETS
from referee.layout import Layout, PlacedCard
from referee.sides import Side


def test_of_contacts_at_one_instant_the_surest_is_told_first() -> None:
    layout = Layout((PlacedCard(1, Side.NEAR, 0, 0.0, 0.1), PlacedCard(2, Side.NEAR, 0, 0.06, 0.1)))
    facts = (Touch(1, Side.NEAR, 2_000, 900), Touch(2, Side.NEAR, 2_000, 300))
    seen: Any = SimpleNamespace(before=SimpleNamespace(layout=layout), facts=facts)
    told = judged_poem(PoemStarted(1, 1_000, 10), seen, PRESETS["kyogi"])
    assert [touch["card"] for touch in told["touches"]] == [2, 1]


def test_a_card_stands_once_for_each_player() -> None:
    layout = Layout((PlacedCard(1, Side.NEAR, 0, 0.0, 0.1),))
    pushed = Touch(1, Side.NEAR, 60_000_000, 9_000_000, contact=Contact.PUSHED_OUT, confidence=0.9)
    facts = (
        pushed,
        Touch(1, Side.NEAR, 2_000_000, 900_000, confidence=0.7),
        Touch(1, Side.FAR, 9_000_000, 1),
    )
    seen: Any = SimpleNamespace(before=SimpleNamespace(layout=layout), facts=facts)
    told = judged_poem(PoemStarted(1, 1_000, 10), seen, PRESETS["kyogi"])["touches"]
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
    layout = Layout((PlacedCard(1, Side.NEAR, 0, 0.0, 0.1), PlacedCard(2, Side.NEAR, 0, 0.06, 0.1)))
    facts = (
        Touch(1, Side.NEAR, 2_000_000, 900, out_ns=(50_000_000, 90_000_000)),
        Touch(2, Side.NEAR, 3_000_000, 900),
    )
    seen: Any = SimpleNamespace(before=SimpleNamespace(layout=layout), facts=facts)
    told = judged_poem(PoemStarted(1, 1_000, 10), seen, PRESETS["kyogi"])["touches"]
    assert [touch.get("swept_out") for touch in told] == [{"t_low_ms": 50.0, "t_high_ms": 90.0}, None]


def test_of_a_poem_that_nobody_saw_nothing_is_said() -> None:
    told = judged_poem(PoemStarted(1, 1_000, 10), None, PRESETS["kyogi"])
    assert told["ruling"]["status"] == "review"
    assert "dead_card" not in told["ruling"]["reasons"]
    assert told["ruling"]["doubts"] == ["gap"]
