"""`shinpan enrol` and `shinpan decks`, as a user calls them."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from desk.commands.cli import main
from desk.machine import decks
from referee.cards.hanafuda import HANAFUDA


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    monkeypatch.setattr(decks, "data_folder", lambda: folder)
    return folder


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    folder = tmp_path / "pictures"
    folder.mkdir()
    lines = ["file,card_id"]
    for index, card in enumerate(HANAFUDA):
        dice = np.random.default_rng(index)
        blocks = dice.integers(0, 256, (8, 5, 3)).astype(np.uint8)
        cv2.imwrite(
            str(folder / f"{card}.png"), cv2.resize(blocks, (200, 327), interpolation=cv2.INTER_NEAREST)
        )
        lines.append(f"{card}.png,{card}")
    (folder / "index.csv").write_text("\n".join(lines))
    return folder


def enrol(folder: Path, name: str = "club", *more: str) -> int:
    return main(["enrol", "--game", "hanafuda", "--name", name, "--folder", str(folder), *more])


def test_enrol_list_show(pictures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["decks", "list"]) == 0
    assert "no deck yet" in capsys.readouterr().out
    assert enrol(pictures, "club", "--notes", "ours") == 0
    assert main(["decks", "list"]) == 0
    assert "club  hanafuda, 48 cards" in capsys.readouterr().out
    assert main(["decks", "show", "club"]) == 0
    shown = capsys.readouterr().out
    assert "33 x 54 mm" in shown
    assert "ours" in shown


def test_a_bad_folder_enrols_nothing(pictures: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (pictures / "05-1.png").unlink()
    (pictures / "06-1.png").unlink()
    assert enrol(pictures) == 1
    said = capsys.readouterr().err
    assert "05-1.png" in said
    assert "06-1.png" in said
    assert "not enrolled: 2 problems" in said
    assert not home.exists()


def test_a_taken_name_is_kept_without_replace(pictures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert enrol(pictures) == 0
    assert enrol(pictures) == 2
    assert "there is a deck 'club' already" in capsys.readouterr().err
    assert enrol(pictures, "club", "--replace") == 0


def test_decks_travel(pictures: Path, tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    enrol(pictures)
    sent = tmp_path / "sent.zip"
    assert main(["decks", "export", "club", str(sent)]) == 0
    assert main(["decks", "export", "club", str(sent)]) == 2
    kept = home / "decks/club.deck.zip"
    assert sent.read_bytes() == kept.read_bytes()
    kept.unlink()
    capsys.readouterr()
    assert main(["decks", "import", str(sent)]) == 0
    assert capsys.readouterr().out.startswith("imported club (hanafuda, 48 cards) to ")
    assert sent.read_bytes() == kept.read_bytes()
    assert main(["decks", "show", str(sent)]) == 0


def test_a_damaged_deck_is_listed_so(pictures: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    enrol(pictures)
    (home / "decks/broken.deck.zip").write_bytes(b"?")
    capsys.readouterr()
    assert main(["decks", "list"]) == 0
    listed = capsys.readouterr().out
    assert "broken  cannot be used" in listed
    assert "club  hanafuda" in listed
    assert main(["decks", "show", "broken"]) == 2
    assert main(["decks", "show", "none"]) == 2
    assert "enrolled decks: broken, club" in capsys.readouterr().err


def test_identify_with_a_deck(pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    enrol(pictures)
    photo = np.full((400, 500, 3), (110, 70, 40), np.uint8)
    photo[100:198, 200:260] = cv2.resize(
        np.asarray(cv2.imread(str(pictures / "08-1.png"))), (60, 98), interpolation=cv2.INTER_AREA
    )
    cv2.imwrite(str(tmp_path / "photo.png"), photo)
    out = tmp_path / "out.json"
    assert main(["identify", str(tmp_path / "photo.png"), "--deck", "club", "--json", str(out)]) == 0
    assert "08-1 moon" in capsys.readouterr().out
    report = json.loads(out.read_text("utf-8"))
    assert (report["game"], report["deck"]) == ("hanafuda", "club")
    (card,) = report["cards"]
    assert (card["card"], card["card_id"]) == (28, "08-1")
    assert card["confidence"] > 0.5
    truth = np.array([[199.5, 99.5], [259.5, 99.5], [259.5, 197.5], [199.5, 197.5]])
    assert np.abs(np.array(card["corners_px"]) - truth).max() < 2
