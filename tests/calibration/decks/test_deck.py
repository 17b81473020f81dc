"""A deck's pictures, and the file in which clubs exchange them."""

import json
import shutil
import zipfile
from pathlib import Path

import numpy as np
import pytest

from calibration.decks.deck import Deck, DeckError
from calibration.decks.deck_file import CARD_WIDTH_PX, GAP_PX, contact_sheet, load_deck, save_deck
from referee.cards.hanafuda import HANAFUDA


def painted_deck(name: str = "club", seed: int = 0) -> Deck:
    dice = np.random.default_rng(seed)
    pictures = {card: dice.integers(0, 256, (324, 198, 3)).astype(np.uint8) for card in HANAFUDA}
    return Deck("hanafuda", name, pictures, notes="taken by 山田")


@pytest.fixture(scope="module")
def deck() -> Deck:
    return painted_deck()


@pytest.fixture
def folder(deck: Deck, tmp_path: Path) -> Path:
    """The deck as a folder with the members of its file."""
    save_deck(deck, tmp_path / "deck.zip")
    with zipfile.ZipFile(tmp_path / "deck.zip") as archive:
        archive.extractall(tmp_path / "unpacked")
    return tmp_path / "unpacked"


def same(a: Deck, b: Deck) -> bool:
    return (a.game, a.name, a.width_mm, a.height_mm, a.notes, list(a.pictures)) == (
        b.game,
        b.name,
        b.width_mm,
        b.height_mm,
        b.notes,
        list(b.pictures),
    ) and all(np.array_equal(a.pictures[card], b.pictures[card]) for card in a.pictures)


def test_a_saved_deck_comes_back_pixel_by_pixel(deck: Deck, tmp_path: Path) -> None:
    save_deck(deck, tmp_path / "a.zip")
    assert same(load_deck(tmp_path / "a.zip"), deck)
    assert [path.name for path in tmp_path.iterdir()] == ["a.zip"]


def test_a_folder_with_the_same_members_is_the_same_deck(deck: Deck, folder: Path) -> None:
    assert same(load_deck(folder), deck)


def test_a_deck_that_another_program_packed_and_a_disk_damaged_is_refused(folder: Path) -> None:
    packed = folder.with_suffix(".deck.zip")
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("deck.json", (folder / "deck.json").read_bytes())
    data = bytearray(packed.read_bytes())
    data[60:80] = bytes(20)
    packed.write_bytes(data)
    with pytest.raises(DeckError, match="expected a deck"):
        load_deck(packed)


def test_a_changed_picture_is_damaged(deck: Deck, folder: Path) -> None:
    shutil.copyfile(folder / "cards/01-1.png", folder / "cards/08-1.png")
    with pytest.raises(DeckError, match=r"card 08-1: cards/08-1\.png is damaged"):
        load_deck(folder)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("format", "zip", '"format": "shinpan deck"'),
        ("version", 2, "reads version 1 .* has version 2"),
        ("game", "tarot", "decks of 'tarot' are not known"),
        ("name", "../../evil", "a deck's name has 1 to 64"),
        ("name", 7, '"name" should be a text, got 7'),
        ("card_width_mm", 0, "10 to 300, got 0"),
        ("card_width_mm", True, "10 to 300, got True"),
        ("card_height_mm", 60.0, "expected a PNG picture of 198 x 360 px"),
        ("cards", [], "card 01-1 is missing"),
        ("cards", "all", '"cards", a list of objects'),
        (
            "cards",
            [{"id": "01-1", "file": "../01-1.png", "sha256": ""}],
            r"expected the file cards/01-1\.png",
        ),
    ],
)
def test_a_wrong_manifest_says_what_is_wrong(folder: Path, key: str, value: object, message: str) -> None:
    manifest = json.loads((folder / "deck.json").read_text("utf-8"))
    (folder / "deck.json").write_text(json.dumps({**manifest, key: value}), "utf-8")
    with pytest.raises(DeckError, match=message):
        load_deck(folder)


def test_what_is_no_zip_or_has_no_manifest_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"not a zip")
    with pytest.raises(DeckError, match="expected a deck, a ZIP file"):
        load_deck(tmp_path / "a.zip")
    with pytest.raises(DeckError, match=r"there is no deck\.json"):
        load_deck(tmp_path)


def test_the_sheet_shows_the_months_as_columns(deck: Deck) -> None:
    white = {card: np.full_like(picture, 255) for card, picture in deck.pictures.items()}
    white["02-1"][:] = (0, 0, 255)
    sheet = contact_sheet(Deck("hanafuda", "white", white))
    red_y, red_x = np.nonzero((sheet == (0, 0, 255)).all(axis=2))
    assert red_x.min() == 2 * GAP_PX + CARD_WIDTH_PX
    assert red_y.min() == GAP_PX
    assert red_x.max() - red_x.min() + 1 == CARD_WIDTH_PX
