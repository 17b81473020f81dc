"""Fields in typefaces never taught, which no renderer of this repository drew, and a painted table."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.painted_table import PaintedTable
from vision.field.model import FieldModel
from vision.field.slots import SlotGrid

UNSEEN = Path(__file__).parent / "unseen_typefaces"


@dataclass(frozen=True)
class UnseenField:
    """A picture and what lies in it; `corners_px` has shape (N, 4, 2), in the text's reading order."""

    name: str
    gray: Any
    cards: list[dict[str, Any]]

    @property
    def corners_px(self) -> Any:
        return np.array([card["corners_px"] for card in self.cards])

    @property
    def numbers(self) -> list[int]:
        return [card["card"] for card in self.cards]


def load_unseen(name: str) -> UnseenField:
    gray = cv2.imread(str(UNSEEN / f"{name}.jpg"), cv2.IMREAD_GRAYSCALE)
    assert gray is not None, name
    truth = json.loads((UNSEEN / f"{name}.json").read_text("utf-8"))
    return UnseenField(name, gray, truth["layout"])


@pytest.fixture(scope="session", params=sorted(path.stem for path in UNSEEN.glob("*.jpg")))
def unseen_field(request: pytest.FixtureRequest) -> UnseenField:
    """Each of the sample fields in turn."""
    return load_unseen(request.param)


@pytest.fixture(scope="session")
def full_field() -> UnseenField:
    """One field at 720p."""
    return load_unseen("new-tegomin-720")


@pytest.fixture(scope="module")
def table() -> PaintedTable:
    """A painted table, its noise drawn anew for each file."""
    return PaintedTable()


@pytest.fixture(scope="module")
def field(table: PaintedTable) -> FieldModel:
    """That table at rest, as the eye knows it."""
    return FieldModel(SlotGrid(table.slots, table.resting(2)).picture, table.slots)
