"""Cards that lie over one another are read from the top down; a table without cards has none."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.painted_card_table import CARD_MM, PLANE, painted_table, put
from tests.vision.painted_hanafuda import painted_deck
from vision.hanafuda.bare_table import BareTable
from vision.hanafuda.candidates import lines_mm, poses_along
from vision.hanafuda.gallery import COARSE, CardGallery
from vision.hanafuda.peeling import Peeler
from vision.hanafuda.pose import share_in
from vision.hanafuda.seen_card import SeenCard
from vision.plane.table_plane import TablePlane, find_markers, register, view_px
from vision.simulator.art.hanafuda import drawn_deck
from vision.simulator.cardtable.recording import film_koikoi

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


def test_a_bare_table_has_no_cards() -> None:
    assert read(TABLE) == []


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


@pytest.mark.parametrize("cards", [("08-2", "08-3", "08-1"), ("12-2", "12-3", "12-1")])
def test_what_lies_below_cards_whose_prints_go_on_does_not_hide_them(cards: tuple[str, ...]) -> None:
    deck = drawn_deck()
    gallery = CardGallery.of(deck)
    pile = [(deck.pictures["03-1"], (285.0, 300.5, 0.02))]
    pile += [(deck.pictures[card], (300.0 + 17 * n, 300.0 + n % 2, 0.02 * n)) for n, card in enumerate(cards)]
    view = PLANE.from_above(np.asarray(put(TABLE, pile), np.uint8))
    lines = lines_mm(view, np.full(view.shape[:2], 255, np.uint8))
    seen = Peeler(view, gallery, BareTable().shows(view)).peel(poses_along(lines, CARD_MM))
    assert [gallery.ids[card.best] for card in seen] == [*reversed(cards), "03-1"]


def test_a_card_between_two_of_its_month_is_looked_for_all_around_its_rough_place() -> None:
    deck = drawn_deck()
    gallery = CardGallery.of(deck)
    stack = [
        (deck.pictures["08-4"], (300.1, 302.9, -0.034)),
        (deck.pictures["08-3"], (315.2, 300.9, 0.005)),
        (deck.pictures["08-2"], (329.3, 298.9, -0.026)),
    ]
    view = PLANE.from_above(np.asarray(put(TABLE, stack), np.uint8))
    lines = lines_mm(view, np.full(view.shape[:2], 255, np.uint8))
    seen = Peeler(view, gallery, BareTable().shows(view)).peel(poses_along(lines, CARD_MM))
    assert [gallery.ids[card.best] for card in seen] == ["08-2", "08-3", "08-4"]


def test_a_strip_whose_rough_place_is_off_is_read_and_what_lies_below_it() -> None:
    koikoi = film_koikoi(drawn_deck(), seed=92009, players=2, look="wood", pace=0.8, fps=15)
    picture = koikoi.film.picture(39.34)
    markers = find_markers(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8))
    plane = register(markers, koikoi.zones.size_mm)
    assert plane is not None
    view = plane.from_above(picture)
    lines = lines_mm(view, np.full(view.shape[:2], 255, np.uint8))
    gallery = CardGallery.of(drawn_deck())
    seen = Peeler(view, gallery, BareTable().shows(view)).peel(poses_along(lines, CARD_MM))
    assert {"01-3", "04-4", "07-3", "07-4"} <= {gallery.ids[card.best] for card in seen}


def test_cards_that_touch_and_cross() -> None:
    cards = [("04-1", 300, 300, 0), ("06-2", 333.5, 300, 0), ("07-1", 500, 300, 0), ("08-1", 512, 312, 80)]
    assert names(read(laid(*cards))) == {"04-1", "06-2", "07-1", "08-1"}


def test_cards_of_another_deck_are_not_taken_for_ours() -> None:
    other = painted_deck(seed=9)
    strange = put(
        TABLE, [(other.pictures["03-1"], (300, 250, 0.3)), (other.pictures["08-2"], (420, 250, 1.0))]
    )
    assert read(strange) == []


def test_when_every_card_is_known_to_lie_elsewhere_none_is_found() -> None:
    view = PLANE.from_above(np.asarray(laid(("03-2", 300, 300, 10)), np.uint8))
    everywhere = np.full(view.shape[:2], 255, np.uint8)
    nowhere = np.full(len(GALLERY.ids), -2, np.float32)
    assert Peeler(view, GALLERY, odds=nowhere).peel(poses_along(lines_mm(view, everywhere), CARD_MM)) == []


def test_cards_are_looked_for_only_where_something_is_left_untold() -> None:
    view = PLANE.from_above(np.asarray(laid(("03-1", 300, 300, 10), ("08-1", 450, 300, 50)), np.uint8))
    everywhere = np.full(view.shape[:2], 255, np.uint8)
    proposals = poses_along(lines_mm(view, everywhere), CARD_MM)
    on_the_left = everywhere.copy()
    on_the_left[:, round(view_px(np.array([375.0, 0.0]))[0]) :] = 0
    asked = on_the_left.copy()
    assert names(Peeler(view, GALLERY, untold=on_the_left).peel(proposals)) == {"03-1"}
    assert (on_the_left == asked).all()  # the mask stays its owner's
    assert names(Peeler(view, GALLERY, untold=everywhere).peel(proposals)) == {"03-1", "08-1"}


def test_what_others_cover_of_a_card_says_nothing_of_the_bare_table() -> None:
    pose = np.array([[300.0, 300.0, 0.0]])
    mask = np.zeros(PLANE.view_size_px[::-1], np.uint8)
    mask[:, : int(view_px(np.array([300.0, 300.0]))[0])] = 255  # the card's left half
    right = np.tile(np.arange(COARSE[0]) >= COARSE[0] / 2, (1, COARSE[1]))
    assert 0.4 < share_in(mask, pose, CARD_MM)[0] < 0.6
    assert share_in(mask, pose, CARD_MM, right)[0] == 0
    assert share_in(mask, pose, CARD_MM, ~right)[0] == 1


@pytest.mark.parametrize("sky", [(200, 210, 215), (40, 36, 180)])
def test_the_edge_of_a_black_box_is_no_bare_hill(sky: tuple[int, int, int]) -> None:
    """Below its upper edge a box is as black as a hill and the cloth as even as its sky."""
    hill = np.full((540, 330, 3), sky, np.uint8)
    cv2.ellipse(hill, (165, 540), (190, 300), 0, 0, 360, (14, 14, 16), -1)
    height, width = DECK.pictures["08-4"].shape[:2]
    hill = np.asarray(cv2.resize(hill, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    deck = replace(DECK, pictures={**DECK.pictures, "08-4": hill})
    gallery = CardGallery.of(deck)
    table = painted_table(colour=sky)
    laid_card = put(table, [(hill, (300, 280, 0.1))])
    box = PLANE.pixels(np.array([[450.0, 200.0], [520, 195], [524, 330], [453, 333]]))
    with_box = np.ascontiguousarray(laid_card)
    cv2.fillConvexPoly(with_box, np.rint(box).astype(np.int32), (14, 14, 16))
    view = PLANE.from_above(with_box)
    everywhere = np.full(view.shape[:2], 255, np.uint8)
    proposals = poses_along(lines_mm(view, everywhere), CARD_MM)
    # the worst place: the box's edge runs where the hill ends
    worst = np.array([[485.0, 198.0 + step, 0.0] for step in range(-12, 13, 2)])
    seen = Peeler(view, gallery).peel(np.concatenate([proposals, worst]))
    named = {(gallery.ids[card.best], int(abs(card.pose[0] - 300) < 5)) for card in seen}
    assert named == {("08-4", 1)}
