"""A deck that the reader cannot read, but its owner enrolled."""

from typing import Any

import numpy as np
import pytest

from calibration.decks.deck import Deck, DeckError
from referee.layout import Layout
from tests.secret_script import photograph, secret_deck
from vision.field.layout_reader import LayoutReading, read_layout
from vision.photo.torifuda_photo import identify
from vision.simulator.drawing.camera import Camera
from vision.simulator.hall.match import SimulatedMatch
from vision.torifuda.prior_knowledge import DeckFaces, PriorKnowledge

HD, SMALL = (1280, 720), (640, 360)


@pytest.fixture(scope="module")
def faces() -> DeckFaces:
    return DeckFaces(secret_deck())


@pytest.fixture(scope="module")
def layout() -> Layout:
    return SimulatedMatch(11, cards_per_side=18).start


def camera(size: tuple[int, int], tilt_deg: float = 3.0) -> Camera:
    return Camera(*size, across_m=1.2, height_m=1.6, tilt_rad=float(np.deg2rad(tilt_deg)), k1=-0.03)


def named(picture: Any, known: PriorKnowledge) -> LayoutReading:
    reading = read_layout([picture], known=known)
    assert isinstance(reading, LayoutReading), str(reading)
    return reading


def wrong(reading: LayoutReading, truth: Layout) -> list[int]:
    """Names of cards that lie elsewhere or not at all; rows and sides included."""
    names = []
    for placed in reading.layout:
        if placed.card is None:
            continue
        real = truth.find(placed.card)
        if real is None or (real.side, real.row) != (placed.side, placed.row):
            names.append(placed.card)
    return names


@pytest.mark.parametrize(("size", "share"), [(HD, 1.0), (SMALL, 0.97)])
def test_an_enrolled_hand_is_read_where_the_net_cannot(
    faces: DeckFaces, layout: Layout, size: tuple[int, int], share: float
) -> None:
    picture = photograph(layout, camera(size))
    alone, helped = named(picture, PriorKnowledge()), named(picture, PriorKnowledge(faces=faces))
    assert alone.named < 0.1 * len(layout)
    assert wrong(helped, layout) == []
    assert helped.named >= share * len(layout)
    assert all(placed.faces_owner for placed in helped.layout)


def test_a_dim_picture_in_half_shadow_is_read(faces: DeckFaces, layout: Layout) -> None:
    picture = photograph(layout, camera(HD, 8.0))
    shade = np.where(np.arange(picture.shape[1]) < 500, 0.35, 0.7)
    reading = named((picture * shade).astype(np.uint8), PriorKnowledge(faces=faces))
    assert wrong(reading, layout) == []
    assert reading.named >= 0.97 * len(layout)


def test_a_photo_of_an_enrolled_hand_is_named(faces: DeckFaces) -> None:
    cards = SimulatedMatch(12, cards_per_side=4).start
    near = Camera(1600, 900, across_m=1.15, height_m=1.2, tilt_rad=0.3, k1=0.0)
    picture = photograph(cards, near)
    found = [card.card for card in identify(picture, faces) if card.card is not None]
    assert sorted(found) == sorted(placed.card or 0 for placed in cards)
    assert [card.card for card in identify(picture) if card.card is not None] == []


def test_only_torifuda_can_be_read() -> None:
    blank = np.zeros((324, 198, 3), np.uint8)
    from referee.cards.hanafuda import HANAFUDA

    deck = Deck("hanafuda", "flowers", dict.fromkeys(HANAFUDA, blank))
    with pytest.raises(DeckError, match="one of hanafuda"):
        DeckFaces(deck)
