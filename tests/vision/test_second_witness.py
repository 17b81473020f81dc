"""When a second camera's witness looks for its place, and what it says where it finds none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from calibration.failed import FailedEstimation
from calibration.latency import Offset
from referee.facts import Touch
from referee.sides import Side
from vision import second_witness
from vision.frames import Frame
from vision.second_witness import SecondWitness
from vision.witnesses import Account

PICTURE = np.full((120, 160), 90, np.uint8)
OFFSET = Offset(0.0, 1e6, 5e5, 1)
FIRST = Account((Touch(5, Side.NEAR, 1_000, 9_000_000),))


class Reading:
    """A layout as far as the witness asks for it before it has found its place."""

    geometry = None
    corners_px = ()


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Count how often the camera's place is looked for; it is never found."""
    asked: list[Any] = []

    def nowhere(*about: Any) -> FailedEstimation:
        asked.append(about)
        return FailedEstimation("nothing alike", "aim the camera at the cards")

    monkeypatch.setattr(second_witness, "match_views", nowhere)
    return asked


def shown(witness: SecondWitness, seconds: float) -> None:
    for number in range(round(seconds * 30)):
        witness.feed(Frame(PICTURE, round((number + 1) / 30 * 1e9), 1_000, number))


def test_without_pictures_the_first_camera_stands_alone(looks: list[Any]) -> None:
    witness = SecondWitness(OFFSET)
    witness.begin(Reading(), PICTURE)  # type: ignore[arg-type]
    assert witness.problem == "no picture has come from the second camera"
    assert witness.joined(FIRST) == FIRST.facts
    assert not looks
    assert witness.poems == 0


def test_a_camera_that_is_not_found_is_not_looked_for_at_every_rest(looks: list[Any]) -> None:
    witness = SecondWitness(OFFSET)
    shown(witness, 1.0)
    for _ in range(5):
        witness.place(Reading(), PICTURE)  # type: ignore[arg-type]
    witness.begin(Reading(), PICTURE)  # type: ignore[arg-type]
    assert len(looks) == 1
    assert witness.problem == "nothing alike (aim the camera at the cards)"
    assert witness.joined(FIRST) == FIRST.facts
    shown(witness, 25.0)
    witness.place(Reading(), PICTURE)  # type: ignore[arg-type]
    assert len(looks) == 2
