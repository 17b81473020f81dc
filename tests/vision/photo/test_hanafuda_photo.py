"""Whole hanafuda are found and named wherever they lie on a table, and nothing else is."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from referee.cards.hanafuda import HANAFUDA
from tests.vision.painted_hanafuda import corners, lay, painted_deck
from vision.hanafuda.identity import HanafudaReader
from vision.photo.hanafuda_photo import (
    SeenHanafuda,
    find_hanafuda,
    read_hanafuda_photo,
    shared_out,
)
from vision.simulator.art.hanafuda import drawn_deck

DECK = painted_deck()


@pytest.fixture(scope="module")
def reader() -> HanafudaReader:
    return HanafudaReader(DECK)


@pytest.fixture(scope="module")
def drawn() -> HanafudaReader:
    return HanafudaReader(drawn_deck())


def cloth(seed: int = 0, colour: tuple[int, int, int] = (110, 70, 40)) -> Any:
    noise = np.random.default_rng(seed).normal(0, 4, (480, 640, 3))
    return np.clip(np.array(colour) + noise, 0, 255).astype(np.uint8)


def kind(card: str) -> tuple[int, str]:
    return HANAFUDA[card].month, HANAFUDA[card].category


def check(seen: list[SeenHanafuda], laid: dict[str, Any], within_px: float = 2.0) -> None:
    """Every card laid, and no other, was seen in its place with its name and its upper end."""
    assert len(seen) == len(laid)
    for card, where in laid.items():
        (match,) = [s for s in seen if np.abs(s.corners_px - where).max() < within_px]
        assert match.card_id is not None
        assert kind(match.card_id) == kind(card)
        assert match.confidence > 0.5


@pytest.mark.parametrize("first", range(0, 48, 8))
def test_cards_in_any_rotation(reader: HanafudaReader, first: int) -> None:
    table, laid = cloth(first), {}
    for i, card in enumerate(list(HANAFUDA)[first : first + 8]):
        where = corners((90 + 150 * (i % 4), 130 + 220 * (i // 4)), 40, 47 * (first + i))
        lay(table, DECK.pictures[card], where)
        laid[card] = where
    check(find_hanafuda(table, reader), laid)


def test_cards_in_perspective(reader: HanafudaReader) -> None:
    """The table's far side is smaller by a third."""
    view = cv2.getPerspectiveTransform(
        np.array([[0, 0], [640, 0], [640, 480], [0, 480]], np.float32),
        np.array([[110, 40], [530, 40], [640, 470], [0, 470]], np.float32),
    )
    table, laid = cloth(1), {}
    for i, card in enumerate(("01-1", "03-2", "08-1", "12-2")):
        flat = corners((130 + 125 * i, 150 + 60 * i), 52, 70 * i)
        where = cv2.perspectiveTransform(flat[None].astype(np.float32), view)[0].astype(np.float64)
        lay(table, DECK.pictures[card], where)
        laid[card] = where
    check(find_hanafuda(table, reader), laid)


def test_what_is_not_of_the_deck_is_not_named(reader: HanafudaReader) -> None:
    table = cloth()
    lay(table, np.full((324, 198, 3), 250, np.uint8), corners((150, 200), 40, 20))
    lay(table, painted_deck(seed=7).pictures["04-1"], corners((400, 200), 40, 20))
    assert all(card.card_id is None for card in find_hanafuda(table, reader))


def test_a_photo_file(reader: HanafudaReader, tmp_path: Path) -> None:
    table, where = cloth(), corners((300, 200), 60, 215)
    lay(table, DECK.pictures["11-1"], where)
    cv2.imwrite(str(tmp_path / "photo.png"), table)
    check(read_hanafuda_photo(tmp_path / "photo.png", DECK), {"11-1": where})
    (tmp_path / "empty.png").write_bytes(b"")
    with pytest.raises(ValueError, match="is empty"):
        read_hanafuda_photo(tmp_path / "empty.png", DECK)


def test_cards_that_others_cover(reader: HanafudaReader) -> None:
    """A fan below whole cards, which tell how the table lies: what shows enough of its print is named."""
    table, laid = cloth(3), {}
    for i, card in enumerate(("01-1", "04-2", "07-1")):
        laid[card] = corners((120 + 190 * i, 110), 44, 8 * i)
        lay(table, DECK.pictures[card], laid[card])
    for i, card in enumerate(("10-1", "11-2", "12-1")):
        laid[card] = corners((240 + 24 * i, 330), 44, 3)
        lay(table, DECK.pictures[card], laid[card])
    check(find_hanafuda(table, reader), laid, within_px=3.0)


@pytest.mark.parametrize("seed", range(2))
def test_on_a_chessboard_nothing_is_named(drawn: HanafudaReader, seed: int) -> None:
    """Two squares look like a bare hill below its sky, in any deck that has one."""
    dice = np.random.default_rng(seed)
    board = np.kron(np.indices((8, 12)).sum(axis=0) % 2, np.ones((60, 60)))
    board = np.stack([40 + 170 * board + 20 * tone for tone in dice.uniform(-1, 1, 3)], axis=2)
    turned = cv2.getRotationMatrix2D((360, 240), float(dice.uniform(0, 90)), 0.7)
    picture = cv2.warpAffine(board, turned, (720, 480), borderValue=(90, 120, 150))
    picture = np.clip(picture + dice.normal(0, 3, picture.shape), 0, 255).astype(np.uint8)
    seen = find_hanafuda(picture, drawn)
    assert [card for card in seen if card.card_id is not None] == []


@pytest.mark.parametrize("card", ["08-1", "08-2", "08-3"])
def test_a_single_card_of_august_is_named(drawn: HanafudaReader, card: str) -> None:
    """Its hill is round, and below the moon or the geese: no board looks like that."""
    table, where = cloth(12), corners((320, 240), 90, 20)
    lay(table, drawn.deck.pictures[card], where)
    check(find_hanafuda(table, drawn), {card: where}, within_px=3.0)


def test_worn_white_cards_on_white_paper_are_found(reader: HanafudaReader) -> None:
    """Of a rubbed border little is left but a faint edge; wear at the rim says nothing about the print."""
    paper = np.full((480, 640, 3), 235, np.uint8)
    places = {"01-1": corners((150, 150), 80, 12), "05-2": corners((420, 250), 80, 70)}
    for card, where in places.items():
        face = DECK.pictures[card].copy()
        face[:12], face[-12:], face[:, :12], face[:, -12:] = 226, 226, 226, 226
        shade = np.rint(where + 2).astype(np.int32)
        cv2.fillConvexPoly(paper, shade, (200, 202, 204), cv2.LINE_AA)
        lay(paper, face, where)
    soft = np.asarray(cv2.GaussianBlur(paper, (0, 0), 1.0), np.uint8)
    check(find_hanafuda(soft, reader), places, within_px=7.0)


def test_of_many_equal_claims_to_one_card_none_is_named() -> None:
    """A chessboard gave 122 squares that all looked like the same bare hill."""
    shared = shared_out([("08-1", 0.99)] * 122, 0.7)
    assert all(card is None and chance < 0.01 for card, chance in shared)
