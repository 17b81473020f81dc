"""Cards keep their names where they lie, and a sliver's name is no card's for good."""

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.painted_hanafuda import PLANE, painted_deck, painted_table, put
from vision.hanafuda.gallery import CardGallery
from vision.hanafuda.peeling import Peeler
from vision.hanafuda.pose import corners_mm
from vision.hanafuda.seen_card import SeenCard
from vision.plane.table_plane import view_px
from vision.table.memory import TableMemory

DECK = painted_deck()
GALLERY = CardGallery.of(DECK)
TABLE = painted_table()
BELOW = (DECK.pictures["08-3"], (251, 232, 0.1))


def view(*cards: tuple[Any, Any]) -> Any:
    return PLANE.from_above(put(TABLE, cards))


def whereabouts(memory: TableMemory, card: str) -> np.ndarray[Any, Any]:
    (pose,) = [each.seen.pose for each in memory.cards if each.card == GALLERY.ids.index(card)]
    return np.asarray(pose[:2])


def seen_card(x_mm: float, likeness: dict[int, float], visible: float) -> SeenCard:
    alike = np.full(len(GALLERY.ids), 0.1, np.float32)
    alike[list(likeness)] = list(likeness.values())
    return SeenCard(np.array([x_mm, 232.0, 0.0]), int(alike.argmax()), alike, visible)


def test_a_card_that_is_half_covered_keeps_its_name() -> None:
    memory = TableMemory(GALLERY)
    memory.read(view(BELOW))
    memory.read(view(BELOW, (DECK.pictures["08-4"], (239, 242, -0.15))))
    assert np.linalg.norm(whereabouts(memory, "08-3") - (251, 232)) < 3
    assert np.linalg.norm(whereabouts(memory, "08-4") - (239, 242)) < 3


def test_what_is_seen_wholly_takes_its_name_from_a_sliver() -> None:
    memory = TableMemory(GALLERY)
    over = (DECK.pictures["05-2"], (262, 232, 0.1))
    memory.read(view(BELOW, over))
    lying = [card for card in memory.cards if card.seen.visible < 0.5]
    assert len(lying) == 1
    assert not lying[0].sure
    memory.read(view(BELOW, over, (DECK.pictures["01-1"], (500, 232, 0.0))))
    assert all(card.sure for card in memory.cards)
    # the same print elsewhere, wholly: the sliver was read wrongly
    memory.read(view(BELOW, over, (DECK.pictures["08-3"], (400, 232, 0.0))))
    assert np.linalg.norm(whereabouts(memory, "08-3") - (400, 232)) < 3


def test_cards_dealt_anew_where_others_lay_hide_none_of_them() -> None:
    memory = TableMemory(GALLERY)
    places = [(200.0 + 60 * n, 232.0, 0.05) for n in range(4)]
    memory.read(view(*((DECK.pictures[f"0{n + 1}-1"], place) for n, place in enumerate(places))))
    dealt = [f"0{n + 5}-2" for n in range(4)]
    memory.read(view(*((DECK.pictures[card], place) for card, place in zip(dealt, places, strict=True))))
    assert sorted(GALLERY.ids[card.card] for card in memory.cards if card.card is not None) == dealt


def test_a_card_laid_where_its_like_was_just_taken_is_not_that_one() -> None:
    like, other = DECK.pictures["01-3"], DECK.pictures["01-2"]
    nearly = np.asarray(cv2.addWeighted(like, 0.75, other, 0.25, 0), np.uint8)
    deck = replace(DECK, pictures={**DECK.pictures, "01-2": nearly})
    memory, ids = TableMemory(CardGallery.of(deck)), CardGallery.of(deck).ids
    middle, pile = (251.0, 232.0, 0.1), (450.0, 150.0, 0.0)
    memory.read(view((like, middle)))
    memory.read(view((nearly, (252.5, 231.0, 0.12)), (like, pile)))
    lying = {ids[card.card]: card.seen.pose[0] for card in memory.cards if card.card is not None}
    assert lying == {"01-3": pytest.approx(450, abs=3), "01-2": pytest.approx(252.5, abs=3)}


def test_a_card_that_looks_as_it_did_is_not_lost_where_its_neighbour_is_not_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    card, beside, far = (GALLERY.ids.index(name) for name in ("08-3", "01-1", "05-2"))
    lying = [seen_card(251.0, {card: 0.97}, 0.6), seen_card(500.0, {far: 0.97}, 1.0)]
    strip = seen_card(262.0, {beside: 0.97}, 0.4)
    monkeypatch.setattr(Peeler, "peel", lambda *_, **__: [*lying, strip])
    memory = TableMemory(GALLERY)
    memory.read(view(BELOW))
    monkeypatch.setattr(Peeler, "peel", lambda *_, **__: [])
    memory.read(view(BELOW, (DECK.pictures["09-1"], (400, 400, 0.0))))
    assert {each.card for each in memory.cards} == {card, far}
    # but it is where nothing is left of it
    monkeypatch.setattr(Peeler, "peel", lambda *_, **__: [])
    memory.read(view((DECK.pictures["09-1"], (400, 400, 0.0))))
    assert {each.card for each in memory.cards} == {far}


def _where(*cards: tuple[Any, Any]) -> np.ndarray[Any, Any]:
    """Mask where these cards lie, and a little around them."""
    mask = np.zeros(view().shape[:2], np.uint8)
    for _, pose in cards:
        outline = view_px(corners_mm(np.array([pose]), GALLERY.size_mm))[0]
        cv2.fillConvexPoly(mask, np.rint(outline).astype(np.int32), 255)
    return np.asarray(cv2.dilate(mask, np.ones((9, 9), np.uint8)))


def test_a_strip_beside_its_like_is_told_at_a_glance_where_that_is_seen_wholly() -> None:
    one, other = DECK.pictures["01-3"], DECK.pictures["01-4"]
    alike = np.asarray(cv2.addWeighted(one, 0.7, other, 0.3, 0), np.uint8)
    deck = replace(DECK, pictures={**DECK.pictures, "01-4": alike})
    memory, gallery = TableMemory(CardGallery.of(deck)), CardGallery.of(deck)
    memory.read(view((one, (251, 232, 0.1))))
    pile = (alike, (450.0, 150.0, 0.0)), (one, (462.0, 150.0, 0.05))
    seen = memory.glimpse(view(*pile), _where(*pile))
    assert sorted(gallery.ids[each.card] for each in seen if each.card is not None) == ["01-3", "01-4"]


def test_a_known_card_that_has_moved_is_told_at_a_glance() -> None:
    memory = TableMemory(GALLERY)
    memory.read(view(BELOW))
    moved = (DECK.pictures["08-3"], (500.0, 232.0, 0.1))
    (seen,) = memory.glimpse(view(moved), _where(moved))
    assert seen.card == GALLERY.ids.index("08-3")
    known = memory.known(seen.card)
    assert known is not None
    assert np.linalg.norm(known.seen.pose[:2] - (251, 232)) < 3
    assert memory.known(GALLERY.ids.index("01-1")) is None


def test_cards_on_straw_mats_are_found_at_first_sight() -> None:
    straw = cv2.GaussianBlur(np.random.default_rng(0).normal(0, 1, (720, 1280)), (0, 0), sigmaX=60, sigmaY=1)
    colour = (110, 155, 180)
    table = painted_table(0, colour).astype(np.float64)
    mat = np.abs(table - colour).max(axis=2) < 60
    table[mat] += (22 / straw.std() * straw)[mat][:, None]
    table[400:403][mat[400:403]] -= 45
    dice = np.random.default_rng(10)
    cards = [f"{month:02d}-{1 + month % 4}" for month in range(1, 13)]
    laid = []
    for number, card in enumerate(cards):
        x_mm = 150 + 80 * (number % 6) + dice.uniform(-8, 8)
        y_mm = 180 if number < 6 else 320 + dice.uniform(0, 30)
        laid.append((DECK.pictures[card], (x_mm, y_mm, dice.uniform(-0.25, 0.25))))
    memory = TableMemory(GALLERY)
    memory.read(PLANE.from_above(put(np.clip(table, 0, 255).astype(np.uint8), laid)))
    assert sorted(GALLERY.ids[card.card] for card in memory.cards if card.card is not None) == cards


def with_thing(view: Any, middle_mm: tuple[float, float]) -> Any:
    """The view with a phone laid on it."""
    half = np.array([36.0, 74.0])
    ends = view_px(np.array([middle_mm - half, middle_mm + half]))
    picture = view.copy()
    low, high = np.rint(ends).astype(int).tolist()
    cv2.rectangle(picture, low, high, (20, 18, 16), cv2.FILLED)
    return picture


def test_a_card_under_a_phone_lies_there_until_its_place_is_seen_without_it() -> None:
    memory = TableMemory(GALLERY)
    others = [(DECK.pictures["05-2"], (450, 232, 0.1)), (DECK.pictures["01-1"], (560, 300, 0.0))]
    memory.read(view(BELOW, *others))
    index = GALLERY.ids.index("08-3")
    for _ in range(2):
        memory.read(with_thing(view(BELOW, *others), (255.0, 240.0)))
        assert [card.covered for card in memory.cards if card.card == index] == [True]
        assert len(memory.cards) == 3
    memory.read(view(BELOW, *others))
    assert [card.covered for card in memory.cards if card.card == index] == [False]
    memory.read(with_thing(view(BELOW, *others), (255.0, 240.0)))
    memory.read(view(*others))  # somebody has taken it with the phone
    assert index not in [card.card for card in memory.cards]
