"""A card table of the house: sources and games are opened, begun, replaced and ended."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi import Request

from desk.home.card_table import NO_TABLE, CardTable
from desk.koikoi.card_game import KOIKOI
from desk.log.event_log import EventLog
from desk.panel.pages import Pages
from desk.panel.roles import Role, Roles
from desk.panel.table.seat_links import OPERATOR, VIEWER, SeatLinks
from desk.panel.words import words
from desk.tables.table_opening import OpenedTable
from tests.desk.home.test_interrupted import bare_table, under_a_camera

PATIENCE_S = 20.0


@pytest.fixture(autouse=True)
def _tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """A simulated table is one of which a camera sees nothing."""

    def opened(_text: str, players: int) -> OpenedTable:
        return replace(under_a_camera(bare_table), players=players)

    monkeypatch.setattr(KOIKOI, "simulated_table", opened)


def run(play: Callable[[CardTable], Coroutine[Any, Any, None]], folder: Path) -> None:
    async def with_table() -> None:
        table = CardTable(KOIKOI, folder, lambda _players: SeatLinks(), pages=Pages())
        try:
            await play(table)
        finally:
            await table.close()

    asyncio.run(with_table())


def test_a_table_is_looked_at_and_then_played_by_those_who_are_named(tmp_path: Path) -> None:
    async def play(table: CardTable) -> None:
        assert await table.start("nintendo", [], 0) == NO_TABLE
        await table.choose("simulator", "seed=7", "", 2)
        async with asyncio.timeout(PATIENCE_S):
            while (table.preview() or b"")[:2] != b"\xff\xd8":
                await asyncio.sleep(0.005)
        assert [finding["id"] for finding in table.state()["findings"]] == ["pace", "markers", "cards"]
        assert await table.start("nintendo", [" Hana ", ""], 5) is None
        assert table.running is not None
        assert table.state()["source"] is None

    run(play, tmp_path)
    (path,) = tmp_path.glob("koikoi_*.sqlite")
    with EventLog.read(path) as log:
        opening = next(log.entries()).payload
    assert (opening["names"], opening["dealer"]) == (["Hana", None], 1)


def test_a_new_game_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    async def play(table: CardTable) -> None:
        running = []
        for _ in range(2):
            await table.choose("simulator", "seed=7", "", 2)
            assert await table.start("nintendo", [], 0) is None
            running.append(table.running)
        assert running[0] is not None
        assert running[0].over.is_set()
        await table.end()
        assert running[1] is not None
        assert running[1].over.is_set()
        assert table.running is None

    run(play, tmp_path)
    assert len(list(tmp_path.glob("*.sqlite"))) == 2


def test_a_source_that_cannot_be_opened_says_why(tmp_path: Path) -> None:
    async def play(table: CardTable) -> None:
        await table.choose("video", "nowhere", "", 2)
        assert "nowhere" in str(table.state()["problem"])
        assert table.state()["findings"] == []
        assert await table.start("nintendo", [], 0) == NO_TABLE

    run(play, tmp_path)


def test_two_players_of_one_name_begin_nothing(tmp_path: Path) -> None:
    async def play(table: CardTable) -> None:
        await table.choose("simulator", "seed=7", "", 3)
        refusal = await table.start("kasu-2008", ["父", "子", " 父 "], 0)
        assert refusal is not None
        assert "two players are called 父" in refusal
        assert "「父 2」のように" in words("ja").complaint(refusal)
        assert table.running is None
        assert await table.start("kasu-2008", ["父", "", ""], 0) is None, "players without a name are no pair"
        await table.end()

    run(play, tmp_path)


def test_rules_that_do_not_exist_begin_nothing(tmp_path: Path) -> None:
    async def play(table: CardTable) -> None:
        await table.choose("simulator", "seed=7", "", 2)
        assert "'none'" in str(await table.start("none", [], 0))
        assert table.running is None
        assert await table.start("nintendo", [], 0) is None, "the table is still open"
        await table.end()

    run(play, tmp_path)
    assert len(list(tmp_path.glob("*.sqlite"))) == 1, "what never began has no log"


def test_a_game_whose_log_cannot_be_kept_does_not_begin(tmp_path: Path) -> None:
    taken = tmp_path / "matches"
    taken.write_text("a file")

    async def play(table: CardTable) -> None:
        await table.choose("simulator", "seed=7", "", 2)
        problem = await table.start("nintendo", [], 0)
        assert problem is not None
        assert "matches" in problem
        assert table.running is None
        assert table.state()["source"] is None, "the source was given back"

    run(play, taken)


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
