"""Single photos: a few cards in perspective."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from desk import identify as command
from desk.errors import DeskError
from vision.photo import identify, read_photo


@pytest.mark.shared
@pytest.mark.parametrize(
    ("photo", "cards"),
    [("tatsy_level1.jpg", [9]), ("tatsy_level2.jpg", [9, 64, 31]), ("tatsy_torifuda_closeup.jpg", [9])],
)
def test_real_photos_are_read_from_left_to_right(shared: Path, photo: str, cards: list[int]) -> None:
    assert [card.card for card in read_photo(shared / "data" / "torifuda_photos" / photo)] == cards


def test_field_turned_on_its_side_is_read_too(full_field: Any) -> None:
    found = identify(np.ascontiguousarray(np.rot90(full_field.gray)))
    named = {card.card for card in found if card.card is not None}
    assert named <= set(full_field.numbers)
    assert len(named) >= 0.8 * len(full_field.numbers)


def test_empty_table_has_no_cards() -> None:
    assert identify(np.full((480, 640), 130, np.uint8)) == []


def test_missing_photo_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no such file"):
        read_photo(tmp_path / "nothing.jpg")


def test_command_writes_every_card_with_its_corners(tmp_path: Path, full_field: Any, capsys: Any) -> None:
    photo, out = tmp_path / "field.png", tmp_path / "cards.json"
    cv2.imwrite(str(photo), full_field.gray)
    parser = ArgumentParser()
    command.add_arguments(parser)
    assert command.run(parser.parse_args([str(photo), "--game", "karuta", "--json", str(out)])) == 0
    cards = json.loads(out.read_text("utf-8"))["cards"]
    assert {card["card"] for card in cards} >= set(full_field.numbers[:3])
    assert all(np.shape(card["corners_px"]) == (4, 2) and 0 <= card["confidence"] <= 1 for card in cards)
    assert len(capsys.readouterr().out.splitlines()) == len(cards)


def test_command_says_what_is_wrong_with_a_text_file(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("no picture", "utf-8")
    parser = ArgumentParser()
    command.add_arguments(parser)
    with pytest.raises(DeskError, match="not a picture"):
        command.run(parser.parse_args([str(text)]))
