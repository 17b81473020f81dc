"""A card table of the house: sources and games are opened, begun, replaced and ended."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from fastapi import APIRouter, Request

from desk.errors import DeskError
from desk.home.card_table import NO_TABLE, CardTable
from desk.log.event_log import EventLog
from desk.panel.films.port import FilmPage
from desk.panel.pages import Pages
from desk.panel.roles import Role, Roles
from desk.panel.table.seat_links import OPERATOR, VIEWER, SeatLinks
from desk.panel.words import Words, words
from desk.tables.card_game import CardGame, WatchedTable
from desk.tables.desk import Origin
from desk.tables.game_page import GamePage, PageFrame
from desk.tables.simulated.scripted_table import ScriptedTable
from desk.tables.source_kind import Source
from desk.tables.table import Table
from desk.tables.table_events import AtRest, Lying, Unseen
from desk.tables.table_opening import OpenedTable
from vision.frames.frame import Frame
from vision.plane.printed_table import PrintedTable

FPS = 50.0
PATIENCE_S = 20.0


class Rest(AtRest):
    """Two cards lie there, and one that cannot be read."""

    look = SimpleNamespace(t_ms=40.0, cards_seen=Lying(2, 1))


class Eye:
    """Sees two of four markers at once, and the table with three cards in its third picture."""

    def __init__(self) -> None:
        self.plane: object | None = None
        self.markers = frozenset({0, 2})
        self.failures: list[str] = []
        self.seen = self.blank_looks = 0
        self.shows_small_cards = False

    @property
    def watcher(self) -> Eye:
        return self

    def feed(self, frame: Frame) -> list[Rest]:
        self.seen += 1
        self.plane = self if self.seen >= 3 else None
        return [Rest()] if self.seen == 3 else []

    def preview(self) -> bytes | None:
        return b"picture" if self.seen else None


class Desk:
    """Notes what it is told; see `desk.tables.desk.TableDesk`."""

    def __init__(self, log: EventLog, opening: object) -> None:
        self.evidence_folder = log.path.with_suffix(".evidence")
        self.opening, self.failures = opening, list[str]()
        self.game = SimpleNamespace(implied=lambda _event: None)
        self.history: list[tuple[int, object]] = []
        self.listen = lambda _wake: lambda: None
        self.told: list[Any] = []
        self.left_ms, self.unseen = None, Unseen

    def tell(self, event: object, origin: Origin = Origin.EYE) -> None:
        if origin is Origin.EYE:
            self.told.append(event)


class Game(CardGame[str]):
    """A game whose tables are four seconds of a film."""

    name = "koikoi"
    own_deck = "shinpan"
    presets: Any = SimpleNamespace(names=["house"], default="house")

    def __init__(self) -> None:
        self.opened = 0
        self.desks: list[Desk] = []

    def desk(self, log: EventLog, opening: object) -> Any:  # type: ignore[override]
        self.desks.append(Desk(log, opening))
        return self.desks[-1]

    def camera_table(self, where: str, *_: object, **__: object) -> OpenedTable:
        raise DeskError(f"{where} is not a camera")

    def simulated_table(self, text: str, players: int) -> OpenedTable:
        deck_and_zones: Any = None
        return OpenedTable(self._table, "camera", deck_and_zones, deck_and_zones, (), players)

    def _table(self) -> Table:
        def script() -> Iterator[Frame]:
            for number in range(200):
                yield Frame(np.zeros((4, 6), np.uint8), round(number * 1e9 / FPS), 1, number)

        self.opened += 1
        return ScriptedTable(script, Source.SIMULATOR, "film", FPS, 20.0)

    def eye(self, opened: OpenedTable) -> Any:
        return Eye()

    def rules(self, name: str, changes: Mapping[str, str], players: int) -> str:
        if name != "house":
            raise DeskError("there are no such rules")
        return name

    def opening(
        self, game_id: str, opened: OpenedTable, rules: str, names: tuple[str | None, ...]
    ) -> tuple[object, ...]:
        return names, opened.dealer

    def routes(self, page: GamePage[Any], frame: PageFrame) -> APIRouter:
        return APIRouter()

    @staticmethod
    def printed(players: int) -> PrintedTable:
        raise NotImplementedError

    @staticmethod
    def state(desk: Any) -> dict[str, Any]:
        raise NotImplementedError

    @staticmethod
    def film_page(judged: Mapping[str, Any], stories: Sequence[Any], said: Words) -> FilmPage:
        raise NotImplementedError

    @staticmethod
    def minutes(seen: WatchedTable) -> dict[str, Any]:
        raise NotImplementedError

    @staticmethod
    def lines(judged: Mapping[str, Any]) -> list[str]:
        raise NotImplementedError


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not holds():
            await asyncio.sleep(0.005)


def run(play: Callable[[CardTable], Coroutine[Any, Any, None]], game: Game, folder: Path) -> None:
    async def with_table() -> None:
        table = CardTable(game, folder, lambda _players: SeatLinks(), pages=Pages())
        try:
            await play(table)
        finally:
            await table.close()

    asyncio.run(with_table())


def statuses(table: CardTable) -> dict[str, str]:
    return {finding["id"]: finding["status"] for finding in table.state()["findings"]}


def test_a_table_is_looked_at_and_then_played_from_its_beginning(tmp_path: Path) -> None:
    game = Game()

    async def play(table: CardTable) -> None:
        assert await table.start("house", [], 0) == NO_TABLE
        await table.choose("simulator", "seed=7", "", 2)
        await until(lambda: statuses(table) == {"pace": "ok", "markers": "ok", "cards": "warn"})
        assert table.preview() == b"picture"
        assert await table.start("house", [" Hana ", ""], 5) is None
        assert game.desks[0].opening == (("Hana", None), 1)
        assert table.running is not None
        assert table.state()["source"] is None
        await until(lambda: len(game.desks[0].told) == 1)
        assert game.opened == 2  # a film begins anew

    run(play, game, tmp_path)
    assert [path.name.partition("_")[0] for path in tmp_path.glob("*.sqlite")] == ["koikoi"]


def test_a_new_game_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    async def play(table: CardTable) -> None:
        running = []
        for _ in range(2):
            await table.choose("simulator", "seed=7", "", 2)
            assert await table.start("house", [], 0) is None
            running.append(table.running)
        assert running[0] is not None
        assert running[0].over.is_set()
        await table.end()
        assert running[1] is not None
        assert running[1].over.is_set()
        assert table.running is None

    run(play, Game(), tmp_path)
    assert len(list(tmp_path.glob("*.sqlite"))) == 2


def test_a_source_that_cannot_be_opened_says_why(tmp_path: Path) -> None:
    async def play(table: CardTable) -> None:
        await table.choose("camera", "nowhere", "", 2)
        assert table.state()["problem"] == "nowhere is not a camera"
        assert table.state()["findings"] == []
        assert await table.start("house", [], 0) == NO_TABLE

    run(play, Game(), tmp_path)


def test_two_players_of_one_name_begin_nothing(tmp_path: Path) -> None:
    async def play(table: CardTable) -> None:
        await table.choose("simulator", "seed=7", "", 3)
        refusal = await table.start("house", ["父", "子", " 父 "], 0)
        assert refusal is not None
        assert "two players are called 父" in refusal
        assert "「父 2」のように" in words("ja").complaint(refusal)
        assert table.running is None
        assert await table.start("house", ["父", "", ""], 0) is None, "players without a name are no pair"
        await table.end()

    run(play, Game(), tmp_path)


def test_rules_that_do_not_exist_begin_nothing(tmp_path: Path) -> None:
    async def play(table: CardTable) -> None:
        await table.choose("simulator", "seed=7", "", 2)
        assert await table.start("none", [], 0) == "there are no such rules"
        assert table.running is None
        assert await table.start("house", [], 0) is None, "the table is still open"
        await table.end()

    run(play, Game(), tmp_path)
    assert len(list(tmp_path.glob("*.sqlite"))) == 1, "what never began has no log"


def test_a_game_whose_log_cannot_be_kept_does_not_begin(tmp_path: Path) -> None:
    taken = tmp_path / "matches"
    taken.write_text("a file")

    async def play(table: CardTable) -> None:
        await table.choose("simulator", "seed=7", "", 2)
        problem = await table.start("house", [], 0)
        assert problem is not None
        assert "matches" in problem
        assert table.running is None
        assert table.state()["source"] is None, "the source was given back"

    run(play, Game(), taken)


def test_who_operates_the_house_operates_its_tables() -> None:
    links = SeatLinks.fresh(2, Roles({"chief": Role.OPERATOR}))

    def visitor(**cookies: str) -> int | str:
        text = "; ".join(f"{name}={value}" for name, value in cookies.items())
        return links.of_request(Request({"type": "http", "headers": [(b"cookie", text.encode())]}))

    (first,) = (token for token, seat in links.tokens.items() if seat == 0)
    assert visitor(shinpan_token="chief") == OPERATOR
    assert visitor(shinpan_seat=first) == 0
    assert visitor(shinpan_seat=first, shinpan_token="chief") == OPERATOR, "who tried a player's link first"
    assert visitor(shinpan_token="other") == VIEWER
