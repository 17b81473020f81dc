"""Enrolling a deck from a folder, from photos, and pile by pile before a camera."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import cv2
import httpx
import numpy as np
import pytest

from calibration.decks.deck import Deck
from calibration.decks.enrolment import FailedEnrolment
from calibration.decks.signature import signatures
from desk.commands.cli import main
from desk.enrolment.photos import enrol_photos
from desk.enrolment.port import CameraEnrolment
from desk.enrolment.session import EnrolSession
from desk.machine.decks import decks_folder
from desk.panel.enrolment.routes import Refused, create_enrol_app
from desk.tables.simulated.scripted_table import ScriptedTable
from desk.tables.source_kind import Source
from referee.cards.hanafuda import HANAFUDA
from tests.desk.deck_photo_maker import month_by_column, month_in_a_row, photo_of, save
from vision.frames.frame import Frame
from vision.simulator.art.hanafuda import drawn_deck
from vision.simulator.cardtable.recording import write_deck_folder


@pytest.fixture(autouse=True)
def own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def agreement(deck: Deck) -> float:
    """Return the share of cards that are most like the same kind of card of the drawn deck."""
    own, made = drawn_deck().pictures, deck.pictures
    best = (signatures(list(made.values())) @ signatures(list(own.values())).T).argmax(axis=1)
    kinds = [(card.month, card.category) for card in HANAFUDA.values()]
    return float(np.mean([kinds[found] == kinds[place] for place, found in enumerate(best)]))


def test_a_folder_is_named_without_an_option_and_cards_by_their_numbers(tmp_path: Path) -> None:
    folder = tmp_path / "deck"
    write_deck_folder(drawn_deck(), folder)
    index = folder / "index.csv"
    lines = index.read_text().splitlines()
    numbered = [f"{line.split(',')[0]},{number},x" for number, line in enumerate(lines[1:])]
    index.write_text("\n".join(["file,card_id,remark", *numbered]) + "\n")
    assert main(["enrol", "--game", "hanafuda", "--name", "mine", str(folder)]) == 0
    assert main(["decks", "show", "mine"]) == 0


def test_one_photo_of_twelve_columns_makes_a_deck(tmp_path: Path) -> None:
    photo = save(photo_of(drawn_deck(), month_by_column()), tmp_path / "all.jpg")
    deck = enrol_photos([photo], "hanafuda", "photo")
    assert isinstance(deck, Deck), deck.problems
    assert agreement(deck) == 1.0


def test_a_photo_of_47_cards_says_how_many_it_shows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = month_by_column()
    del places[22]
    photo = save(photo_of(drawn_deck(), places), tmp_path / "all.jpg")
    assert main(["enrol", "--name", "photo", "--photos", str(photo)]) == 1
    assert "47 cards were found (all.jpg 47), a hanafuda deck has 48" in capsys.readouterr().err


def test_cards_in_mixed_directions_are_told(tmp_path: Path) -> None:
    folder = tmp_path / "deck"
    write_deck_folder(drawn_deck(), folder)
    path = folder / "08-3.jpg"
    picture = cv2.imread(str(path))
    assert picture is not None
    cv2.imwrite(str(path), cv2.rotate(picture, cv2.ROTATE_180))
    assert main(["enrol", "--name", "turned", str(folder)]) == 1
    lying = {**month_by_column(), 5: (123.0, 215.0, 90.0)}
    failed = enrol_photos([save(photo_of(drawn_deck(), lying), tmp_path / "b.jpg")], "hanafuda", "photo")
    assert isinstance(failed, FailedEnrolment)


def test_a_photo_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    failed = enrol_photos([tmp_path / "none.jpg"], "hanafuda", "photo")
    assert isinstance(failed, FailedEnrolment)
    assert "none.jpg" in failed.problems[0]


@pytest.mark.slow
def test_a_camera_session_asks_month_by_month() -> None:
    session = EnrolSession("hanafuda", "mine")
    assert session.take(None).refused is Refused.NO_PICTURE
    assert (
        session.take(photo_of(drawn_deck(), {0: (300, 280, 0)}, (1600, 900))).refused is Refused.WRONG_COUNT
    )
    for month in range(12):
        assert session.asked_for == tuple(HANAFUDA)[month * 4 : month * 4 + 4]
        assert session.finished() is None
        photo = photo_of(drawn_deck(), month_in_a_row(month), (1600, 900))
        answer = session.take(photo)
        assert answer.refused is None, (month, answer)
        if month == 3:
            assert session.undo().refused is None
            assert session.take(photo).refused is None
    assert session.take(photo).refused is Refused.COMPLETE
    deck = session.finished()
    assert isinstance(deck, Deck), deck
    assert agreement(deck) == 1.0
    assert session.thumbnail("05-2") is not None


def test_the_page_takes_what_lies_before_the_camera(tmp_path: Path) -> None:
    picture = photo_of(drawn_deck(), month_by_column())
    shown = threading.Event()

    def frames() -> Iterator[Frame]:
        gray = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
        for index in range(3):
            yield Frame(gray, index * 10_000_000, 1, index, render_colour=lambda: picture)
        shown.set()

    table = ScriptedTable(frames, Source.VIDEO, "test", 30.0, 100.0)
    enrolment = CameraEnrolment(EnrolSession("hanafuda", "mine"), table)
    asyncio.run(walk_through(enrolment, shown))


async def walk_through(enrolment: CameraEnrolment, shown: threading.Event) -> None:
    transport = httpx.ASGITransport(create_enrol_app(enrolment))
    client = httpx.AsyncClient(transport=transport, base_url="http://localhost")
    refused = await client.post("/enrol/commands?lang=en", json={"name": "take"})
    assert refused.status_code == 409
    assert refused.json()["error"] == "No picture arrives from the camera."
    enrolment.begin()
    assert shown.wait(10)
    while enrolment.preview() is None:
        threading.Event().wait(0.01)
    try:
        page = await client.get("/enrol?lang=ja")
        assert "並べる札" in page.text
        assert (await client.post("/enrol/commands", json={"name": "keep"})).status_code == 409
        taken = await client.post("/enrol/commands", json={"name": "take"})
        assert taken.status_code == 200, taken.text
        assert taken.json()["state"]["asked_for"] == []
        assert (await client.get("/enrol/cards/12-4.jpg")).headers["content-type"] == "image/jpeg"
        assert (await client.get("/enrol/cards/13-1.jpg")).status_code == 404
        decks_folder().parent.mkdir(parents=True, exist_ok=True)
        decks_folder().touch()  # a file lies where decks are kept
        unkept = await client.post("/enrol/commands", json={"name": "keep"})
        assert unkept.status_code == 409, unkept.text
        decks_folder().unlink()
        kept = await client.post("/enrol/commands", json={"name": "keep"})
        assert kept.status_code == 200, kept.text
        assert enrolment.kept is not None
        assert enrolment.kept.is_file()
    finally:
        enrolment.end()
