"""The rules against the practice recordings: their exact contacts must lead to their exact rulings."""

import json
from pathlib import Path
from typing import Any

import pytest

from referee.facts import Contact, PoemStarted, Touch
from referee.karuta.contacts import PoemFact
from referee.karuta.judge import judge_poem
from referee.karuta.ruleset import KYOGI
from referee.layout import Layout, PlacedCard
from referee.sides import Side


def layout(cards: list[dict[str, Any]]) -> Layout:
    return Layout(
        tuple(
            PlacedCard(
                card["card"], Side(card["side"]), card["row"], card["x_mm"] / 1000, card["y_mm"] / 1000
            )
            for card in cards
        )
    )


def touch(seen: dict[str, Any], contact: Contact) -> Touch:
    player = Side(seen["player"]) if seen["player"] else None
    return Touch(seen["card"], player, round(seen["t_ms"] * 1e6), 1, contact)


@pytest.mark.shared
def test_the_true_contacts_lead_to_the_true_rulings(shared: Path) -> None:
    judged = 0
    for path in sorted((shared / "practice").glob("*/truth.json")):
        truth = json.loads(path.read_text("utf-8"))
        readings = [
            json.loads(line) for line in (path.parent / "reading.jsonl").read_text("utf-8").splitlines()
        ]
        for poem, reading in zip(truth["poems"], readings, strict=True):
            before = layout(poem.get("layout_before", truth["layout"]))
            facts: list[PoemFact] = [
                PoemStarted(reading["poem"], round(reading["t_ms"] * 1e6), 1),
                *(touch(seen, Contact.TOUCH) for seen in poem["touches"]),
                *(touch(seen, Contact.PUSHED_OUT) for seen in poem["pushed_out"]),
            ]
            ruling = judge_poem(reading["poem"], before, facts, KYOGI).to_json()
            assert {key: ruling[key] for key in poem["ruling"]} == poem["ruling"], (path.parent.name, poem)
            judged += 1
    assert judged >= 20
