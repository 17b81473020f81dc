"""Cards that lie over one another are read from the top down; a table without cards has none."""

import numpy as np
import pytest

from tests.vision.painted_hanafuda import CARD_MM, PLANE, painted_deck, painted_table, put
from vision.hanafuda.bare_table import BareTable
from vision.hanafuda.candidates import lines_mm, poses_along
from vision.hanafuda.gallery import CardGallery
from vision.hanafuda.peeling import Peeler
from vision.hanafuda.seen_card import SeenCard
from vision.plane.table_plane import TablePlane
from vision.simulator.art.hanafuda import drawn_deck

DECK = painted_deck()
GALLERY = CardGallery.of(DECK)
TABLE = painted_table()


def read(picture: object, plane: TablePlane = PLANE) -> list[SeenCard]:
    view = plane.from_above(np.asarray(picture, np.uint8))
    everywhere = np.full(view.shape[:2], 255, np.uint8)
    return Peeler(view, GALLERY).peel(poses_along(lines_mm(view, everywhere), CARD_MM))


def laid(*cards: tuple[str, float, float, float]) -> object:
    return put(TABLE, [(DECK.pictures[card], (x, y, np.deg2rad(turn))) for card, x, y, turn in cards])


def names(seen: list[SeenCard]) -> set[str]:
    return {GALLERY.ids[card.best] for card in seen}


@pytest.mark.parametrize("turn", [0, 33, 90, 155, 180, 251, 304])
def test_a_card_in_any_direction(turn: float) -> None:
    (seen,) = read(laid(("03-1", 300, 250, turn)))
    assert GALLERY.ids[seen.best] == "03-1"
    assert np.abs(seen.pose[:2] - (300, 250)).max() < 1.0
    assert np.cos(seen.pose[2] - np.deg2rad(turn)) > np.cos(np.deg2rad(2))
    assert seen.visible == 1


def test_a_fan_is_read_card_by_card_and_tells_who_lies_over_whom() -> None:
    cards = ["01-1", "02-2", "05-1", "09-3", "11-2"]
    fan = [(card, 200 + 16 * n, 480 + n % 2, 2 * n - 4) for n, card in enumerate(cards)]
    seen = read(laid(*fan))
    assert names(seen) == set(cards)
    order = [GALLERY.ids[card.best] for card in seen]
    assert order[0] == "11-2"
    visible = {GALLERY.ids[card.best]: card.visible for card in seen}
    assert visible["11-2"] == 1
    assert 0.35 < visible["05-1"] < 0.65


@pytest.mark.parametrize(
    "cards", [("08-2", "08-3", "08-1"), ("12-2", "12-3", "12-1"), ("12-3", "12-2", "12-4")]
)
def test_prints_that_go_on_from_one_stacked_card_to_the_next_are_not_one_card(cards: tuple[str, ...]) -> None:
    deck = drawn_deck()
    gallery = CardGallery.of(deck)
    stack = [(deck.pictures[card], (300.0 + 17 * n, 300.0 + n % 2, 0.02 * n)) for n, card in enumerate(cards)]
    view = PLANE.from_above(np.asarray(put(TABLE, stack), np.uint8))
    lines = lines_mm(view, np.full(view.shape[:2], 255, np.uint8))
    seen = Peeler(view, gallery, BareTable().shows(view)).peel(poses_along(lines, CARD_MM))
    assert [gallery.ids[card.best] for card in seen] == list(reversed(cards))


def test_cards_of_another_deck_are_not_taken_for_ours() -> None:
    other = painted_deck(seed=9)
    strange = put(
        TABLE, [(other.pictures["03-1"], (300, 250, 0.3)), (other.pictures["08-2"], (420, 250, 1.0))]
    )
    assert read(strange) == []
