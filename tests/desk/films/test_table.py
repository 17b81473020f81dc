"""Films of card tables: which game it is, and a recording that holds what was named by its path."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from desk.films import game
from desk.films.film import Ask, Film, OpenQuestionError, open_film
from desk.films.folder import bring, new_folder, write_down
from desk.films.game import deck_of_table, game_of
from desk.films.table import Seats, head_of, sections_of
from desk.tables.recording import read_zones
from vision.recordings.recording import load_recording


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Film:
    """Film a table with four markers."""
    path = tmp_path_factory.mktemp("film") / "table.avi"
    picture = np.full((480, 640), 220, np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for number, (x, y) in enumerate(((40, 40), (540, 40), (540, 380), (40, 380))):
        picture[y : y + 60, x : x + 60] = cv2.aruco.generateImageMarker(dictionary, number, 60)
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 15, (640, 480))
    for _ in range(3):
        writer.write(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR))
    writer.release()
    return open_film(path)


def enrol(monkeypatch: pytest.MonkeyPatch, **decks: list[str]) -> None:
    monkeypatch.setattr(game, "decks_of", lambda kind: decks.get(kind, []))


@pytest.mark.parametrize(("kind", "played"), [("hanafuda", "koikoi"), ("kendo", "kendo")])
def test_the_only_game_of_which_a_deck_is_enrolled_is_played(
    film: Film, monkeypatch: pytest.MonkeyPatch, kind: str, played: game.Game
) -> None:
    enrol(monkeypatch, **{kind: ["mine"]})
    assert game_of(film) == played
    assert deck_of_table(film, played, None) == "mine"
    assert deck_of_table(film, played, "other") == "other"


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
        head, sections = head_of("koikoi", seats, str(rules)), sections_of("koikoi", str(deck), seats)
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
    zones = read_zones(recording.path / "recording.toml", "")
    assert sum(zone.name == "capture" for zone in zones.zones) == 3
