"""Endings are guessed anew when other things are seen, and not in every picture."""

from collections.abc import Mapping
from typing import Any

import pytest

from tests.vision.painted_table import PaintedTable, Pose
from vision.departures.outcome import End, Ending, ending
from vision.field.model import FieldModel
from vision.field.slots import SlotGrid
from vision.poem import outcome_guess as guesses
from vision.poem.outcome_guess import Guesses


@pytest.fixture(scope="module")
def table() -> PaintedTable:
    return PaintedTable()


@pytest.fixture
def guessed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The slots whose endings were guessed."""
    numbers: list[int] = []

    def noted(field: FieldModel, number: int, *rest: Any) -> Ending:
        numbers.append(number)
        return ending(field, number, *rest)

    monkeypatch.setattr(guesses, "ending", noted)
    return numbers


class Watched:
    """Pictures of a table on which the cards of two slots were moved, and guesses about these."""

    def __init__(self, table: PaintedTable) -> None:
        grid = SlotGrid(table.slots, table.resting())
        self.guesses = Guesses(FieldModel(grid.picture, table.slots), grid)
        self._table = table

    def look(self, t_ms: int, words: Mapping[int, str], *, hands_left: bool = False) -> None:
        away = self._table.gray({8: Pose(700.0, 80.0), 9: Pose(3.0, 0.0)})  # in the slots 7 and 8
        self.guesses.look(self._table.frame(float(t_ms), away), words, hands_left=hands_left)


def test_of_one_card_it_is_guessed_in_a_picture(table: PaintedTable, guessed: list[int]) -> None:
    watched = Watched(table)
    for t_ms in (0, 8, 16, 24):
        watched.look(t_ms, {7: "bare", 8: "moved"})
    assert guessed == [7, 8]
    assert {number: one.end for number, one in watched.guesses.ends.items()} == {7: End.GONE, 8: End.MOVED}
    watched.look(32, {8: "moved"})
    assert watched.guesses.ends.keys() == {8}


def test_it_is_guessed_anew_when_other_things_are_seen_though_not_at_once(
    table: PaintedTable, guessed: list[int]
) -> None:
    watched = Watched(table)
    for number, t_ms in enumerate(range(0, 240, 8)):
        watched.look(t_ms, {7: f"{number % 2}"})
    assert 3 <= len(guessed) <= 5
    guessed.clear()
    watched.look(240, {7: "left"}, hands_left=True)
    assert guessed == [7]
    watched.look(248, {7: "left"}, hands_left=True)
    watched.look(400, {7: "left"})
    assert guessed == [7]
    watched.look(500, {7: "left"})
    assert guessed == [7, 7]
