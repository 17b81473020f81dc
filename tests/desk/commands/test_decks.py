"""`shinpan enrol` and `shinpan decks`, as a user calls them."""

import json
import zipfile
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


def test_a_taken_name_is_kept_unless_replace_is_said(
    pictures: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert enrol(pictures) == 0
    assert enrol(pictures) == 2
    assert "there is a deck 'club' already" in capsys.readouterr().err
    assert enrol(pictures, "club", "--replace") == 0


def test_a_deck_travels(
    pictures: Path, tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
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


def test_a_name_with_two_meanings_is_the_enrolled_deck_unless_the_folder_holds_one(
    pictures: Path,
    tmp_path: Path,
    home: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    enrol(pictures)
    monkeypatch.chdir(tmp_path)
    pictures.rename(tmp_path / "club")
    capsys.readouterr()
    assert main(["decks", "list"]) == 0
    assert "club  hanafuda, 48 cards" in capsys.readouterr().out
    assert main(["decks", "show", "club"]) == 0
    told = capsys.readouterr()
    assert told.out.startswith("name   club")
    assert "the enrolled deck is taken" in told.err
    with zipfile.ZipFile(home / "decks/club.deck.zip") as archive:
        archive.extractall(tmp_path / "club")
    assert main(["decks", "show", "club"]) == 0
    assert "the deck in the folder club is taken, not the enrolled one" in capsys.readouterr().err


def test_a_damaged_deck_is_listed_as_such(
    pictures: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
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


def test_the_sheet_is_a_picture(pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    enrol(pictures)
    assert main(["decks", "sheet", "club", str(tmp_path / "sheet.png")]) == 0
    sheet = cv2.imread(str(tmp_path / "sheet.png"))
    assert sheet is not None
    assert sheet.shape[1] > 12 * 99
    assert main(["decks", "sheet", "club", str(tmp_path / "sheet.words")]) == 2
    assert "expected the name of a picture" in capsys.readouterr().err


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


@pytest.mark.parametrize(
    "options", [["--deck", "none"], ["--game", "hanafuda"], ["--game", "karuta", "--deck", "a"]]
)
def test_identify_needs_a_deck_that_is_there(
    tmp_path: Path, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite(str(tmp_path / "photo.png"), np.zeros((100, 100, 3), np.uint8))
    assert main(["identify", str(tmp_path / "photo.png"), *options]) == 2
    assert "decks" in capsys.readouterr().err


def test_the_deck_drawn_by_shinpan_itself_needs_no_enrolment(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["decks", "show", "shinpan"]) == 0
    assert "33 x 54 mm" in capsys.readouterr().out
    file = tmp_path / "drawn.deck.zip"
    assert main(["decks", "export", "shinpan", str(file)]) == 0
    assert main(["decks", "import", str(file)]) == 0
    assert main(["decks", "list"]) == 0
    assert "shinpan  hanafuda, 48 cards" in capsys.readouterr().out


def test_torifuda_of_ones_own_are_enrolled_in_the_same_format(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ["file,card_id"]
    for poem in range(1, 101):
        blocks = np.random.default_rng(poem).integers(0, 256, (7, 5, 3)).astype(np.uint8)
        picture = cv2.resize(blocks, (104, 146), interpolation=cv2.INTER_NEAREST)
        cv2.imwrite(str(tmp_path / f"{poem}.png"), picture)
        lines.append(f"{poem}.png,{poem}")
    (tmp_path / "index.csv").write_text("\n".join(lines))
    assert main(["enrol", "--game", "karuta", "--name", "brush", str(tmp_path)]) == 0
    assert main(["decks", "show", "brush"]) == 0
    assert "52 x 73 mm" in capsys.readouterr().out


@pytest.fixture
def exported(pictures: Path, tmp_path: Path) -> Path:
    enrol(pictures)
    main(["decks", "export", "club", str(tmp_path / "club.deck.zip")])
    return tmp_path / "club.deck.zip"


def packed_again(source: Path, target: Path, place: str, *extra: str) -> Path:
    """Pack a deck as other programs do, each member named by a pattern such as `club/{}`."""
    with zipfile.ZipFile(source) as archive, zipfile.ZipFile(target, "w") as again:
        for name in extra:
            again.writestr(name, b"\0\5\26\7")
        for name in archive.namelist():
            again.writestr(place.format(name), archive.read(name))
    return target


def test_a_deck_that_was_unpacked_and_packed_again_is_the_same(exported: Path, tmp_path: Path) -> None:
    finder = packed_again(
        exported,
        tmp_path / "f.zip",
        "club/{}",
        "__MACOSX/club/._deck.json",
        "__MACOSX/deck.json",
        "club/.DS_Store",
    )
    windows = tmp_path / "w.zip"
    with zipfile.ZipFile(exported) as archive, zipfile.ZipFile(windows, "w") as again:
        for name in archive.namelist():
            again.writestr("club\\" + name.replace("/", "\\"), archive.read(name))
    unpacked = tmp_path / "unpacked"
    with zipfile.ZipFile(finder) as archive:
        archive.extractall(unpacked)
    for number, source in enumerate((finder, windows, unpacked)):
        assert main(["decks", "import", str(source), "--name", f"deck{number}"]) == 0
        made = decks.deck_at(decks.deck_path(f"deck{number}"))
        assert made.name == f"deck{number}"
        assert len(made.pictures) == 48


def test_two_decks_in_one_file_are_none(
    exported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with zipfile.ZipFile(tmp_path / "two.zip", "w") as two:
        for folder in ("a", "b"):
            two.writestr(f"{folder}/deck.json", "{}")
    assert main(["decks", "import", str(tmp_path / "two.zip")]) == 2
    assert "there is no deck.json in it" in capsys.readouterr().err


def test_a_name_that_is_taken_can_be_another_one(exported: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["decks", "import", str(exported)]) == 2
    assert "choose another --name, or add --replace" in capsys.readouterr().err
    assert main(["decks", "import", str(exported), "--name", "theirs"]) == 0
    assert sorted(decks.deck_names()) == ["club", "theirs"]
    assert main(["decks", "import", str(exported), "--name", "../x"]) == 2
