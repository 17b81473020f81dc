"""Torifuda are named from their text alone, each at most once, and never guessed."""

from typing import Any

import cv2
import numpy as np
import pytest

from referee.cards.poems import POEMS
from vision.simulator.drawing.style import STYLES
from vision.simulator.hall.table import text_ink
from vision.torifuda.face_reader import (
    NUMBERS,
    FaceReadings,
    TorifudaReader,
    assign,
)


@pytest.fixture(scope="module")
def reader() -> TorifudaReader:
    return TorifudaReader()


def likely(*poems: int) -> FaceReadings:
    """Faces that read like the given poems (or, for 0, like nothing at all)."""
    logs = np.full((len(poems), len(NUMBERS)), -6.0)
    for face, poem in enumerate(poems):
        if poem:
            logs[face, poem == NUMBERS] = -0.2
    return FaceReadings(logs, np.zeros(len(poems)))


def names(readings: FaceReadings) -> list[int | None]:
    return [identity.card for identity in assign(readings)]


@pytest.mark.parametrize("columns", [(6, 5, 5), (5, 6, 5), (5, 5, 6)])
@pytest.mark.parametrize("style", ["hall", "holdout"])
def test_card_of_sixteen_kana_is_read_wherever_its_columns_break(
    reader: TorifudaReader, columns: tuple[int, int, int], style: str
) -> None:
    text = POEMS[21].torifuda
    broken = text[: columns[0]], text[columns[0] : columns[0] + columns[1]], text[-columns[2] :]
    width, height = 78, 110
    ink = cv2.resize(text_ink(broken, STYLES[style].typeface), (width, height), interpolation=cv2.INTER_AREA)
    gray = np.full((height + 40, width + 40), 90, np.uint8)
    gray[20:-20, 20:-20] = 220 - 170 * ink
    corners = np.array([[(20, 20), (20 + width, 20), (20 + width, 20 + height), (20, 20 + height)]], float)
    readings = reader.read(gray, corners - 0.5)
    assert names(readings) == [21]
    assert readings.best()[0] > -2.0


def test_face_between_two_poems_is_not_named_unless_the_rival_lies_elsewhere() -> None:
    readings = likely(26, 0)
    readings.poem_logs[1, NUMBERS == 26] = -0.3
    readings.poem_logs[1, NUMBERS == 56] = -0.35
    # Alone it could be either of two; beside the sure 26 it can only be 56.
    assert names(readings.only([1])) == [None]
    assert names(readings) == [26, 56]


def test_unseen_typefaces_are_read_without_a_mistake(reader: TorifudaReader, unseen_field: Any) -> None:
    found = names(reader.read(unseen_field.gray, unseen_field.corners_px))
    wrong = [
        (name, real)
        for name, real in zip(found, unseen_field.numbers, strict=True)
        if name not in {None, real}
    ]
    assert not wrong
    # The sample at 360p is blurred beyond what people can read.
    assert found.count(None) <= (0.0 if unseen_field.name.endswith("720") else 0.05) * len(found)


@pytest.mark.parametrize("hidden", [0.4, 0.6, 1.0])
@pytest.mark.parametrize("shade", [60, 170])
def test_partly_covered_cards_abstain(
    reader: TorifudaReader, full_field: Any, hidden: float, shade: int
) -> None:
    gray = full_field.gray.copy()
    for corners in full_field.corners_px:
        across, down = corners[1] - corners[0], hidden * (corners[3] - corners[0])
        patch = np.array([corners[0], corners[0] + across, corners[0] + across + down, corners[0] + down])
        cv2.fillConvexPoly(gray, np.round(patch).astype(np.int32), shade)
    assert set(names(reader.read(gray, full_field.corners_px))) == {None}


HEIGHT, WIDTH = 32, 24  # of the small crops used here; the trunk's map then is a quarter as large
