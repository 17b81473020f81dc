"""Cards of a printing that nobody enrolled are named by their motifs, or not at all."""

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from referee.cards.hanafuda import HANAFUDA
from tests.vision.painted_hanafuda import corners, lay, painted_deck
from vision.hanafuda.identity import HanafudaReader
from vision.hanafuda.kinds import KIND_OF, NONE, KindNet
from vision.photo.hanafuda_photo import SeenHanafuda, find_hanafuda
from vision.simulator.art.hanafuda import drawn_deck

DRAWN = drawn_deck()  # its art is known to the net: it stands for any deck but the enrolled one


@pytest.fixture(scope="module")
def reader() -> HanafudaReader:
    """Of a deck whose art nobody would take for hanafuda."""
    return HanafudaReader(painted_deck())


def cloth(seed: int) -> Any:
    noise = np.random.default_rng(seed).normal(0, 4, (480, 960, 3))
    return np.clip(np.array((110, 70, 40)) + noise, 0, 255).astype(np.uint8)


def kind(card: str) -> tuple[int, str]:
    return HANAFUDA[card].month, HANAFUDA[card].category


def laid(table: Any, deck: Any, cards: list[str], turn_deg: float) -> dict[str, Any]:
    where = {}
    for i, card in enumerate(cards):
        where[card] = corners((100 + 150 * (i % 6), 120 + 220 * (i // 6)), 56, turn_deg * i)
        lay(table, deck.pictures[card], where[card])
    return where


def right_and_wrong(seen: list[SeenHanafuda], where: dict[str, Any]) -> tuple[int, int]:
    right = wrong = 0
    for card, quad in where.items():
        for other in seen:
            if np.abs(other.corners_px.mean(axis=0) - quad.mean(axis=0)).max() < 4 and other.card_id:
                good = kind(other.card_id) == kind(card) and np.abs(other.corners_px - quad).max() < 6
                right, wrong = right + good, wrong + (not good)
    return right, wrong


def test_most_cards_of_another_printing_are_named_and_turned(reader: HanafudaReader) -> None:
    table = cloth(3)
    where = laid(table, DRAWN, list(HANAFUDA)[3::4], 47)
    right, wrong = right_and_wrong(find_hanafuda(table, reader), where)
    assert right >= 9
    assert wrong <= 2


def test_a_printing_of_which_no_card_is_like_any_of_the_deck_is_read_too() -> None:
    """Without any likeness nothing is even taken for a card of the deck."""
    dice, painted = np.random.default_rng(9), painted_deck()
    specks: dict[str, Any] = {
        card: cv2.resize(dice.integers(0, 256, (40, 24, 3), dtype=np.uint8), picture.shape[1::-1])
        for card, picture in painted.pictures.items()
    }
    reader = HanafudaReader(replace(painted, pictures=specks))
    table = cloth(0)
    where = laid(table, DRAWN, list(HANAFUDA)[::4], 47)
    right, wrong = right_and_wrong(find_hanafuda(table, reader), where)
    assert right >= 9
    assert wrong <= 2
    assert find_hanafuda(cloth(1), reader) == []


def test_what_cannot_lie_on_one_table_is_not_named(reader: HanafudaReader) -> None:
    """Cards are of one size: a plane laid through one outline says nothing of the others."""
    table = cloth(2)
    sizes = ((40, 24), (100, 34), (180, 48), (290, 68), (440, 96), (650, 136))
    for card, (x, width_px) in zip(list(HANAFUDA)[::8], sizes, strict=True):
        lay(table, DRAWN.pictures[card], corners((x, 240), width_px, 0.1 * x))
    assert [card.card_id for card in find_hanafuda(table, reader) if card.card_id] == []


def test_a_card_that_is_another_one_upside_down_is_named_only_where_that_is_sure(
    reader: HanafudaReader,
) -> None:
    """Wisteria hangs as bush clover stands; makers differ too much for the net to tell these surely."""
    table = cloth(0)
    where = laid(table, DRAWN, list(HANAFUDA)[3::4], 47)
    wisteria, clover = KIND_OF["04-4"], KIND_OF["07-4"]

    class Unturned(KindNet):
        def logs(self, crops: Any) -> Any:
            logs = super().logs(crops)
            for way in (0, 1):
                shown = np.exp(logs[way, :, wisteria]) > 0.5
                for side, kind, sure in ((way, wisteria, 0.96), (1 - way, clover, 0.9)):
                    logs[side, shown] = np.log(1e-3)
                    logs[side, shown, kind], logs[side, shown, NONE] = np.log(sure), np.log(0.97 - sure)
            return logs

    other = HanafudaReader(painted_deck())
    other.kinds = Unturned()
    seen = find_hanafuda(table, other)
    right, wrong = right_and_wrong(seen, where)
    assert right >= 9
    assert wrong == 0
    assert not {"04-3", "04-4"} & {card.card_id for card in seen}


def test_slips_between_which_a_card_lies_are_not_named(reader: HanafudaReader) -> None:
    """Sheets of plain colours lie about, and one of them is printed like a card."""
    table = cloth(11)
    for i in range(11):
        dice = np.random.default_rng(i)
        slip = np.full((324, 198, 3), dice.uniform(120, 255, 3), np.uint8)
        cv2.putText(
            slip, chr(65 + i), (30, 220), cv2.FONT_HERSHEY_TRIPLEX, 5, dice.uniform(0, 90, 3).tolist(), 9
        )
        lay(table, slip, corners((100 + 150 * (i % 6), 120 + 220 * (i // 6)), 56, 47 * i))
    lay(table, DRAWN.pictures["08-1"], corners((850, 340), 56, 20))
    assert [card.card_id for card in find_hanafuda(table, reader) if card.card_id] == []
