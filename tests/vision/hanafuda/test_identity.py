"""A card is named from an enrolled deck in any light, and not named if it is from another deck."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.decks.deck import Deck
from calibration.decks.enrolment import enrol_folder
from referee.cards.hanafuda import HANAFUDA
from tests.slow_case import slow_case
from tests.vision.painted_hanafuda import corners, lay, painted_deck
from vision.hanafuda.crops import crop_size_px, rectify
from vision.hanafuda.identity import NAMED, HanafudaReader

DECK = painted_deck()


@pytest.fixture(scope="module")
def reader() -> HanafudaReader:
    return HanafudaReader(DECK)


def kind(card: str) -> tuple[int, str]:
    return HANAFUDA[card].month, HANAFUDA[card].category


def photo(card: str, turn_deg: float, off_px: Any = 0.0) -> Any:
    """A rectified card of 40 px width; `off_px` is how far its corners were mistaken."""
    table = np.full((120, 120, 3), (60, 110, 140), np.uint8)
    where = corners((59.5, 59.5), 40, turn_deg)
    lay(table, DECK.pictures[card], where)
    return rectify(table, where + off_px)


def named(reader: HanafudaReader, crops: list[Any]) -> list[str | None]:
    return [reading.card_id for reading in reader.read(crops)]


def test_every_card_in_any_rotation(reader: HanafudaReader) -> None:
    crops = [photo(card, 31 * i) for i, card in enumerate(HANAFUDA)]
    for card, read in zip(HANAFUDA, named(reader, crops), strict=True):
        assert read is not None
        assert kind(read) == kind(card)


@pytest.mark.parametrize(
    "change",
    [
        lambda crop: crop * 0.4,
        lambda crop: crop * 0.7 + 60,
        lambda crop: crop * np.array([0.7, 1.0, 1.2]),
        lambda crop: cv2.GaussianBlur(crop, (0, 0), 2),
        lambda crop: crop * np.linspace(0.6, 1, crop.shape[1])[None, :, None],
        lambda crop: crop + np.random.default_rng(0).normal(0, 12, crop.shape),
    ],
    ids=["dark", "hazy", "tinted", "blurred", "half in shade", "noisy"],
)
def test_poor_light(reader: HanafudaReader, change: Any) -> None:
    cards = list(HANAFUDA)[::5]
    crops = [np.clip(change(photo(card, 200)), 0, 255).astype(np.uint8) for card in cards]
    for card, read in zip(cards, named(reader, crops), strict=True):
        assert read is not None
        assert kind(read) == kind(card)


def test_what_is_no_card_of_the_deck_stays_unnamed(reader: HanafudaReader) -> None:
    width, height = crop_size_px()
    other: list[Any] = [
        cv2.resize(picture, (width, height)) for picture in painted_deck(seed=7).pictures.values()
    ]
    plain = np.full((height, width, 3), 128, np.uint8)
    noise = np.random.default_rng(0).integers(0, 256, (height, width, 3)).astype(np.uint8)
    readings = reader.read([*other, plain, noise])
    assert [reading.card_id for reading in readings] == [None] * 50
    assert max(reading.confidence for reading in readings) < NAMED


@pytest.mark.shared
@pytest.mark.parametrize("round_name", ["round-00", slow_case("round-01"), slow_case("round-02")])
def test_whole_cards_of_a_filmed_table(shared: Path, round_name: str) -> None:
    """Every card that lies open is named from its true corners."""
    folder = shared / "practice_koikoi" / round_name
    deck = enrol_folder(folder / "deck", "hanafuda", "practice")
    assert isinstance(deck, Deck)
    reader, cards = HanafudaReader(deck), list(HANAFUDA)
    video = cv2.VideoCapture(str(folder / "video.mkv"))
    for seen in json.loads((folder / "truth.json").read_text("utf-8"))["visible"]:
        video.set(cv2.CAP_PROP_POS_MSEC, seen["t_ms"])
        _, frame = video.read()
        whole = [card for card in seen["cards"] if card["visible"] == 1]
        crops = [rectify(np.asarray(frame, np.uint8), np.array(card["corners_px"])) for card in whole]
        for card, read in zip(whole, named(reader, crops), strict=True):
            assert read is not None
            assert kind(read) == kind(cards[card["card"]])
