"""Events survive JSON exactly, and old versions are converted."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from desk.log.event_codec import EventCodec, EventCodecError, EventShape
from referee.facts import FieldSettled, Gap, PoemStarted, Touch, Unprovable
from referee.sides import BySide

FACTS = EventCodec(EventShape(each) for each in (PoemStarted, Touch, Unprovable, Gap, FieldSettled))


@dataclass(frozen=True, slots=True)
class Sent:
    """Version 1 said `from_near`, version 2 names the `side`, version 3 counts the cards of both."""

    cards: BySide[int]
    remark: str | None = None


def name_the_side(payload: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"side": "near" if payload["from_near"] else "far"}


def count_the_cards(payload: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"cards": {"near": 0, "far": 0, payload["side"]: 1}}


SENT = EventCodec([EventShape(Sent, 3, {1: name_the_side, 2: count_the_cards})])


@pytest.mark.parametrize(
    ("version", "payload"),
    [(1, {"from_near": False}), (2, {"side": "far"}), (3, {"cards": {"near": 0, "far": 1}})],
)
def test_old_shapes_are_lifted_step_by_step(version: int, payload: dict[str, Any]) -> None:
    assert SENT.decode("sent", version, payload) == Sent(BySide(0, 1))


def test_what_cannot_be_understood_is_said() -> None:
    with pytest.raises(EventCodecError, match="knows no event 'goal'"):
        SENT.decode("goal", 1, {})
    with pytest.raises(EventCodecError, match="version 4, but this shinpan reads up to 3"):
        SENT.decode("sent", 4, {})
    with pytest.raises(EventCodecError, match="has version 0: versions begin with 1"):
        SENT.decode("sent", 0, {})
    for damaged in ({"nothing": 1}, "{", "[1]"):
        with pytest.raises(EventCodecError, match="version 1 is damaged"):
            SENT.decode("sent", 1, damaged)
    with pytest.raises(EventCodecError, match=r"unexpected shape: cards\.far"):
        SENT.decode("sent", 3, {"cards": {"near": 0}})
    with pytest.raises(EventCodecError, match="poem_started"):
        FACTS.decode("poem_started", 1, {"poem": 1, "t_ns": 0, "t_unc_ns": 0})
    with pytest.raises(TypeError, match="registered for Sent"):
        FACTS.encode(Sent(BySide(0, 0)))


def test_a_version_without_its_upcaster_is_a_mistake_of_ours() -> None:
    with pytest.raises(ValueError, match=r"version 3 needs an upcaster .* got them for \[1\]"):
        EventShape(Sent, 3, {1: name_the_side})
