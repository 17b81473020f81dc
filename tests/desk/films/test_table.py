"""Films of card tables: the game is recognised, and the recording contains the files named by path."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from desk.card_games import CARD_GAMES
from desk.errors import DeskError
from desk.films import game
from desk.films.film import (
    Ask,
    Film,
    OpenQuestionError,
    Seats,
    bring,
    check_new,
    new_folder,
    open_film,
    write_down,
)
from desk.films.game import deck_of_table, game_of, head_of, seats_of, sections_of
from desk.koikoi.card_game import KOIKOI
from desk.tables.recording import read_zones
from vision.plane.printed_table import MARKER_MM
from vision.plane.table_plane import marker_corners_mm
from vision.recordings.recording import load_recording


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Film:
    """Film a table with four markers."""
    return filmed(tmp_path_factory.mktemp("film") / "table.avi", (373, 267))


def filmed(path: Path, size_mm: tuple[float, float], hidden: int | None = None) -> Film:
    """Film a table of this size with its four markers, one of them hidden."""
    picture, px_per_mm = np.full((480, 640), 220, np.uint8), 560 / size_mm[0]
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for number, corners in marker_corners_mm(size_mm).items():
        side = round(MARKER_MM * px_per_mm)
        x, y = np.rint(corners[0] * px_per_mm).astype(int) + 40
        if number != hidden:
            picture[y : y + side, x : x + side] = cv2.aruco.generateImageMarker(dictionary, number, side)
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 15, (640, 480))
    for _ in range(3):
        writer.write(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR))
    writer.release()
    return open_film(path)


def enrol(monkeypatch: pytest.MonkeyPatch, **decks: list[str]) -> None:
    monkeypatch.setattr(game, "decks_of", lambda kind: decks.get(kind, []))


@pytest.mark.parametrize(("kind", "played"), [("hanafuda", "koikoi"), ("kendo", "kendo")])
def test_the_only_game_of_which_a_deck_is_enrolled_is_played(
    film: Film, monkeypatch: pytest.MonkeyPatch, kind: str, played: str
) -> None:
    enrol(monkeypatch, **{kind: ["mine"]})
    assert game_of(film) == played
    assert deck_of_table(film, CARD_GAMES[played], None) == "mine"
    assert deck_of_table(film, CARD_GAMES[played], "other") == "other"


@pytest.mark.parametrize(
    ("size_mm", "played", "hidden"),
    [((800, 560), "koikoi", None), ((800, 560), "koikoi", 2), ((1000, 640), "kendo", None)],
)
def test_a_printed_table_tells_its_game_by_its_size(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    size_mm: tuple[float, float],
    played: str,
    hidden: int | None,
) -> None:
    enrol(monkeypatch, hanafuda=["mine"], kendo=["yours"])
    table = filmed(tmp_path / "table.avi", size_mm, hidden)
    assert game_of(table) == played
    players = 2 if played == "koikoi" else None
    assert seats_of(table, CARD_GAMES[played], Seats(dealer=1)) == Seats(players, 1)


def test_the_table_of_more_than_two_asks_how_many_play(tmp_path: Path, film: Film) -> None:
    table = filmed(tmp_path / "table.avi", (1000, 560))
    assert game_of(table) == "koikoi"
    with pytest.raises(OpenQuestionError, match="three or four") as asked:
        seats_of(table, KOIKOI, Seats())
    assert asked.value.ask is Ask.PLAYERS
    assert seats_of(table, KOIKOI, Seats(players=3)) == Seats(players=3)
    assert seats_of(film, KOIKOI, Seats()) == Seats(2), "a table of one's own"


def test_a_recording_that_cannot_be_kept_is_told_before_the_film_is_judged(
    film: Film, tmp_path: Path
) -> None:
    check_new(tmp_path / "new" / "folder", film)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").touch()
    with pytest.raises(DeskError, match="cannot be written"):
        check_new(tmp_path / "file" / "folder", film)
    with pytest.raises(DeskError, match="is not empty"):
        check_new(tmp_path, film)


@pytest.mark.parametrize("decks", [{}, {"hanafuda": ["mine"], "kendo": ["yours"]}])
def test_a_table_whose_game_nobody_knows_is_asked_about(
    film: Film, monkeypatch: pytest.MonkeyPatch, decks: dict[str, list[str]]
) -> None:
    enrol(monkeypatch, **decks)
    with pytest.raises(OpenQuestionError, match="shows a card table") as asked:
        game_of(film)
    assert asked.value.ask is Ask.DECK
    assert all(name in str(asked.value) for names in decks.values() for name in names)


def test_a_recording_holds_deck_and_rules_that_were_named_by_their_paths(film: Film, tmp_path: Path) -> None:
    deck, rules = tmp_path / "mine.zip", tmp_path / "house.toml"
    deck.write_bytes(b"cards")
    rules.write_text('base = "kasu-2008"\n', "utf-8")
    seats = Seats(players=3, dealer=1)
    with new_folder(tmp_path / "kept") as made:
        bring(made, film.path, deck, rules)
        head, sections = head_of(KOIKOI, seats, str(rules)), sections_of(KOIKOI, str(deck), seats)
        write_down(made, film, "koikoi", head=head, sections=sections)
    recording = load_recording(tmp_path / "kept")
    assert (recording.game, recording.fps_nominal) == ("koikoi", 15.0)
    assert {path.name for path in recording.path.iterdir()} == {
        "house.toml",
        "mine.zip",
        "recording.toml",
        "table.avi",
    }
    text = (recording.path / "recording.toml").read_text("utf-8")
    assert 'rules = "house.toml"' in text
    assert 'enrol = "mine.zip"' in text
    assert "players = 3\ndealer = 1\n" in text
    zones = read_zones(recording.path / "recording.toml")
    assert sum(zone.name == "capture" for zone in zones.zones) == 3
