"""Enrolment from a folder: a good one gives a deck, a bad one tells everything that is wrong with it."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.decks.deck import Deck
from calibration.decks.enrolment import FailedEnrolment, enrol_folder
from calibration.decks.signature import signatures
from referee.cards.hanafuda import HANAFUDA
from tests.slow_case import slow_case

DECKS = ("jhanafuda", "timomt", *map(slow_case, ("hwatu_aaron", "hwatu_spencjo", "mantia", "shogundo_scan")))


def draw_card(index: int, size: tuple[int, int] = (200, 327)) -> np.ndarray:
    """A white card with a black border and coloured discs in places of its own."""
    dice = np.random.default_rng(index)
    picture = np.full((size[1], size[0], 3), 245, np.uint8)
    for _ in range(6):
        middle = [int(x) for x in dice.uniform(0.1, 0.9, 2) * size]
        colour = [int(x) for x in dice.integers(0, 200, 3)]
        cv2.circle(picture, middle, size[0] // 6, colour, -1)
    cv2.rectangle(picture, (0, 0), (size[0] - 1, size[1] - 1), (20, 20, 20), size[0] // 20)
    return picture


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lines = ["file,card_id"]
    for index, card in enumerate(HANAFUDA):
        cv2.imwrite(str(tmp_path / f"{card}.png"), draw_card(index))
        lines.append(f"{card}.png,{card}")
    (tmp_path / "index.csv").write_text("\n".join(lines) + "\n")
    return tmp_path


def enrol(folder: Path) -> Deck | FailedEnrolment:
    return enrol_folder(folder, "hanafuda", "club")


def problems(folder: Path) -> tuple[str, ...]:
    failed = enrol(folder)
    assert isinstance(failed, FailedEnrolment)
    assert not failed
    return failed.problems


def edit_index(folder: Path, old: str, new: str) -> None:
    path = folder / "index.csv"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_a_good_folder_makes_a_deck(folder: Path) -> None:
    deck = enrol(folder)
    assert isinstance(deck, Deck)
    index = list(HANAFUDA).index("07-2")
    kept, original = signatures([deck.pictures["07-2"], draw_card(index)])
    assert float(kept.dot(original)) > 0.99


@pytest.mark.parametrize(
    ("old", "new", "complaints"),
    [
        ("03-3.png,03-3\n", "", ["a hanafuda deck has 48 cards, the list has 47", "missing: 03-3"]),
        ("03-3.png,03-3\n", "03-3.png,03-4\n", ["card 03-4 is listed 2 times", "missing: 03-3"]),
        (",12-4", ",13-1", ["missing: 12-4", "no card of hanafuda: '13-1'"]),
        (
            "01-1.png,01-1",
            "01-2.png,01-1",
            ["01-2.png is listed 2 times", "cards 01-1 and 01-2 look the same"],
        ),
    ],
    ids=["a card too few", "a double", "a foreign card", "one file for two cards"],
)
def test_a_wrong_list(folder: Path, old: str, new: str, complaints: list[str]) -> None:
    edit_index(folder, old, new)
    for found, wanted in zip(problems(folder), complaints, strict=True):
        assert found.startswith(wanted)


def test_chaff_of_one_month_may_look_the_same(folder: Path) -> None:
    cv2.imwrite(str(folder / "02-4.png"), draw_card(6))
    assert isinstance(enrol(folder), Deck)


def test_everything_wrong_is_said_at_once(folder: Path) -> None:
    cv2.imwrite(str(folder / "01-1.png"), cv2.GaussianBlur(draw_card(0), (0, 0), 8))
    cv2.imwrite(str(folder / "01-2.png"), draw_card(1, (40, 65)))
    cv2.imwrite(str(folder / "01-3.png"), draw_card(2, (300, 320)))
    (folder / "01-4.png").write_bytes(b"no picture")
    (folder / "02-1.png").unlink()
    (folder / "02-2.png").write_bytes(b"")
    cv2.imwrite(str(folder / "02-3.png"), np.full((327, 200, 3), 200, np.uint8))
    edit_index(folder, "12-4.png,12-4\n", "../12-4.png,12-4\n")
    found = problems(folder)
    expected = [
        ("01-1", "is blurred"),
        ("01-2", "too small"),
        ("01-3", "not a card's shape"),
        ("01-4", "cannot be read as a picture"),
        ("02-1", "no such file"),
        ("02-2", "cannot be read as a picture"),
        ("02-3", "is blurred"),
        ("12-4", "a file in the folder"),
    ]
    assert len(found) == len(expected), found
    for problem, (card, words) in zip(found, expected, strict=True):
        assert f"(card {card})" in problem
        assert words in problem


def test_transparent_corners_take_the_edges_colour(folder: Path) -> None:
    picture = np.dstack([draw_card(0), np.full((327, 200), 255, np.uint8)])
    picture[:6, :6] = (0, 255, 0, 0)
    cv2.imwrite(str(folder / "01-1.png"), picture)
    deck = enrol(folder)
    assert isinstance(deck, Deck)
    assert deck.pictures["01-1"][2, 2].max() < 40


@pytest.mark.shared
@pytest.mark.parametrize("name", DECKS)
def test_decks_of_six_editions_are_enrolled(shared: Path, name: str) -> None:
    deck = enrol_folder(shared / "data/hanafuda_decks" / name, "hanafuda", name)
    assert isinstance(deck, Deck), deck


def test_a_picture_is_turned_as_its_camera_noted(folder: Path) -> None:
    """Phones store what they hold upright lying on its side."""
    upright = enrol(folder)
    assert isinstance(upright, Deck)
    turns = {"01-1": (cv2.ROTATE_90_COUNTERCLOCKWISE, 6), "05-3": (cv2.ROTATE_180, 3)}
    for card, (turn, orientation) in turns.items():
        _, packed = cv2.imencode(
            ".jpg", cv2.rotate(np.asarray(cv2.imread(str(folder / f"{card}.png"))), turn)
        )
        exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0" + bytes([orientation, *[0] * 6])
        data = packed.tobytes()
        jpeg = data[:2] + b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif + data[2:]
        (folder / f"{card}.jpg").write_bytes(jpeg)
        edit_index(folder, f"{card}.png", f"{card}.jpg")
    turned = enrol(folder)
    assert isinstance(turned, Deck)
    for card in turns:
        assert np.abs(upright.pictures[card].astype(int) - turned.pictures[card]).mean() < 8, card
