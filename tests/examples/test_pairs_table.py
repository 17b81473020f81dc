"""Pairs, a fifth game from one package and one registry entry: rules, log, live page, house, and films."""

import asyncio
import json
from collections.abc import Set
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import av
import httpx
import pytest
from fastapi import FastAPI
from pairs_table import PAIRS, Pairs, PairsDesk, PairsLook, PairsOpened, PairsSeen, PairsUnseen

from calibration.decks.deck_file import save_deck
from desk.card_games import CARD_GAMES
from desk.commands.cli import main
from desk.home.home import Home
from desk.log.event_log import EventLog
from desk.panel.app import create_app
from desk.panel.roles import Roles
from desk.panel.words import words
from desk.shelf.verdicts import Verdicts, table_of
from desk.tables.desk import Attendant
from desk.tables.live_game import game_app, new_desk, page_of
from desk.tables.table import Table
from desk.tables.table_opening import OpenedTable
from tests.vision.painted_hanafuda import frame, painted_deck, painted_table, put

LYING = {"01-1", "01-4", "08-1", "08-2", "03-1", "04-1"}


def at_rest(
    t_s: float, near: Set[str] = frozenset(), far: Set[str] = frozenset(), unread: int = 0
) -> PairsSeen:
    strips = frozenset(near), frozenset(far)
    return PairsSeen(PairsLook(t_s * 1000, strips, frozenset(LYING - near - far), unread))


def told(*events: object) -> list[str]:
    game = Pairs(PairsOpened("pairs", "camera", "mine", (None, None)))
    for event in events:
        game.follow(event)
    return [line for _, line in game.lines]


def test_pairs_count_and_what_is_against_the_rules_is_said() -> None:
    pair = {"01-1", "01-4"}
    lines = told(
        at_rest(1),
        at_rest(2, {"01-1"}),
        at_rest(3, pair),
        at_rest(4, pair | {"03-1", "04-1"}),
        at_rest(5, pair),
        at_rest(6, pair, {"03-1", "04-1"}),
        at_rest(7, pair, unread=1),
    )
    assert lines[0].endswith(": 21 points")
    assert lines[1].endswith("but it is far's turn")
    assert "has put back" in lines[2]
    assert lines[3].endswith("not two cards of one month")
    assert lines[4:] == ["a card cannot be read: lay it free"]


def test_after_a_part_that_nobody_saw_nobody_is_accused() -> None:
    first = {"01-1", "01-4"}
    lines = told(at_rest(1), at_rest(2, first), PairsUnseen(3000, 4000), at_rest(5, first | {"08-1", "08-2"}))
    assert "was not seen" in lines[1]
    assert lines[2].endswith(": 51 points")


def pictures() -> list[Any]:
    """A pair is taken on a painted table."""
    deck, table = painted_deck(), painted_table()
    places = {"01-1": (200, 250), "01-3": (300, 250), "05-2": (400, 250)}
    before = put(table, [(deck.pictures[card], (*at, 0.0)) for card, at in places.items()])
    taken = places | {"01-1": (200, 480), "01-3": (260, 480)}
    after = put(table, [(deck.pictures[card], (*at, 0.0)) for card, at in taken.items()])
    return [*[before] * 8, *[after] * 8]


def asked(app: FastAPI, *paths: str) -> list[httpx.Response]:
    async def ask() -> list[httpx.Response]:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as browser:
            return [await browser.get(path) for path in paths]

    return asyncio.run(ask())


def test_a_pair_is_seen_on_the_table_logged_and_shown_on_its_page(tmp_path: Path) -> None:
    deck = painted_deck()

    def no_table() -> Table:
        raise AssertionError("pictures come by themselves")

    opened = OpenedTable(no_table, "camera", deck, PAIRS.printed(2).zones)
    with EventLog.create(tmp_path / "pairs_1.sqlite") as log:
        desk = new_desk(PAIRS, log, opened, None, ("Hana",))
        assert isinstance(desk, PairsDesk)
        eye, attendant = PAIRS.eye(opened), Attendant(desk)
        for index, picture in enumerate(pictures()):
            for event in eye.feed(frame(picture, index * 1000 / 15, index)):
                attendant.seen(event)
        (line,) = PAIRS.state(desk)["notes"]
        assert "near takes" in line
        assert line.endswith(": 21 points")
        app = game_app(PAIRS, page_of(PAIRS, desk, deck))
        page, english, record = asked(app, "/pairs", "/pairs/view?lang=ja", "/pairs/record.json")
        assert (page.status_code, english.json()["notes"]) == (200, [line])
        assert 'src="/static/plain/page.js"' in page.text
        assert record.json() == {**PAIRS.state(desk), "names": ["Hana", None]}
    with EventLog.open(tmp_path / "pairs_1.sqlite") as log:
        assert PAIRS.state(PAIRS.desk(log)) == PAIRS.state(desk), "read again from its log"


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setitem(CARD_GAMES, PAIRS.name, PAIRS)


@pytest.mark.usefixtures("registered")
def test_one_entry_in_the_registry_sets_it_up_in_the_house(tmp_path: Path) -> None:
    home = Home(tmp_path / "matches", Roles())
    assert list(home.tables) == ["koikoi", "kendo", "pairs"]
    house: Any = SimpleNamespace(match=None)
    page, set_up = asked(create_app(house=house, home=home), "/home", "/pairs/set-up")
    assert 'href="/pairs/set-up"' in page.text
    assert set_up.status_code == 200


@pytest.mark.usefixtures("registered")
def test_a_film_of_it_is_judged_like_any_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    film, deck, out = tmp_path / "film.mkv", tmp_path / "deck.zip", tmp_path / "judged.json"
    save_deck(painted_deck(), deck)
    with av.open(str(film), "w") as container:
        stream = container.add_stream("mjpeg", rate=15, options={"qmin": "2", "qmax": "3"})
        stream.width, stream.height, stream.pix_fmt = 1280, 720, "yuvj420p"
        for picture in pictures():
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, "bgr24")))
        container.mux(stream.encode())
    assert main(["judge", str(film), "--game", "pairs", "--deck", str(deck), "--json", str(out)]) == 0
    assert "near takes" in capsys.readouterr().out
    judged = json.loads(out.read_text("utf-8"))
    assert judged["result"] == "far takes next: near 21, far 0"
    table = table_of(Verdicts("pairs", judged=judged), words("en"))
    assert table is not None
    assert [(step["number"], step["t"]) for step in table["parts"][0]["steps"]] == [
        (1, f"{judged['events'][0]['t_ms'] / 1000:.1f}")
    ]
    assert main(["judge", str(film), "--game", "poker", "--deck", str(deck)]) != 0
    assert "expected one of karuta, koikoi, kendo, pairs" in capsys.readouterr().err
