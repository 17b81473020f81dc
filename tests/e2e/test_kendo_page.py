"""The Kendo page in a real browser, fed by the real referee."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from desk.kendo.card_game import KENDO
from desk.kendo.desk import KendoDesk
from desk.kendo.events import CourtSeen
from desk.panel.table.seat_links import SeatLinks
from desk.tables.live_game import game_app, page_of
from tests.desk.kendo.kendo_script import Court, opened_desk
from tests.e2e.barriers import barriers
from tests.e2e.served_table import ServedTable
from vision.simulator.art.kendo.deck import drawn_kendo_deck

pytestmark = pytest.mark.browser
Open = Callable[..., Page]
LINKS = SeatLinks({"first": 0, "second": 1, "chief": "operator"})


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., ServedTable[KendoDesk]]]:
    running = []

    def serve(links: SeatLinks | None = None) -> ServedTable[KendoDesk]:
        desk = opened_desk(tmp_path)
        running.append(
            ServedTable(desk, game_app(KENDO, page_of(KENDO, desk, drawn_kendo_deck()), links=links))
        )
        return running[-1]

    yield serve
    for table in running:
        table.close()


@pytest.fixture
def visit(open_line: Open) -> Open:
    def visit(table: ServedTable[KendoDesk], path: str = "/kendo?lang=en", **options: Any) -> Page:
        return open_line(table.address + path, **options)

    return visit


def test_an_illegal_play_shows_its_row_until_it_is_taken_back_or_accepted(
    serve: Callable[..., ServedTable[KendoDesk]], visit: Open
) -> None:
    table = serve()
    page = visit(table)
    expect(page.locator("#sentence")).to_have_text("Turn up a brown card each: the higher number opens")
    expect(page.locator("#no-notes")).to_be_visible()
    expect(page.locator("#awaits")).to_contain_text("A brown card of each player is awaited")
    page.keyboard.press("v")  # the far half turns round, with the sentence for who sits there
    assert page.locator(".far").evaluate("(far) => getComputedStyle(far).rotate") == "180deg"
    court = Court()
    table.tell(CourtSeen(court.lay(0, "oshidashi")))
    expect(page.locator(".far .own")).to_have_text("Player 2 answers OSHIDASHI with KAIHI SURU")
    expect(page.locator("#sentence")).to_have_text("Player 2 answers OSHIDASHI with KAIHI SURU")
    table.tell(CourtSeen(court.lay(1, "tsuyoi_kamae")))
    flag = page.locator(".flag.lies")
    expect(flag).to_contain_text("Row of the table: TSUYOI KAMAE")
    expect(page.locator("#awaits")).to_contain_text("is to be taken back")
    expect(page.locator("#offer")).to_contain_text("'Let the play stand'")
    table.tell(CourtSeen(court.take_back(1)))
    expect(flag).to_have_count(0)
    expect(page.locator("#awaits")).to_contain_text("Player 2's card is awaited")
    expect(page.locator("#offer")).to_contain_text("'Does not answer'")
    expect(page.locator("#notes .taken-back")).to_contain_text("TSUYOI KAMAE")
    table.tell(CourtSeen(court.lay(1, "tsuyoi_kamae")))
    expect(flag).to_have_count(1)
    page.keyboard.press("a")
    expect(page.locator("#sentence")).to_have_text("Player 1 opens a round")


def test_a_phone_says_only_its_own_players_words(
    serve: Callable[..., ServedTable[KendoDesk]], visit: Open
) -> None:
    table = serve(LINKS)
    viewer = visit(table, "/kendo?lang=en", viewport={"width": 390, "height": 844})
    second = visit(table, "/kendo/join/second", viewport={"width": 390, "height": 844}, locale="en")
    table.tell(CourtSeen(Court().lay(0, "seme")))
    expect(second.locator("#pass")).to_be_visible()
    expect(viewer.locator("#sentence")).to_contain_text("Player 2 answers SEME")
    expect(viewer.locator("#pass")).to_be_hidden()
    expect(second.locator("#undo")).to_be_hidden()
    second.locator("#pass").click()
    expect(viewer.locator('.side[data-player="0"] .ippon')).to_have_text("IPPON 1")


@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.slow), "ja"])
def test_nothing_keeps_anybody_out(
    language: str, serve: Callable[..., ServedTable[KendoDesk]], visit: Open
) -> None:
    table = serve()
    court = Court()
    looks = (court.lay(0, "oshidashi"), court.lay(1, "tsuyoi_kamae"))
    table.tell(*map(CourtSeen, looks))
    table.film(looks[-1].t_ms)
    page = visit(table, f"/kendo?lang={language}", bypass_csp=True)
    expect(page.locator(".flag").first).to_be_visible()
    for opener, wait_for in ((None, None), (".pictures >> nth=0", "#screen[data-index]"), ("#help", None)):
        if opener is not None:
            page.keyboard.press("Escape")
            page.locator(opener).click()
        if wait_for is not None:
            page.locator(wait_for).wait_for()
        assert barriers(page) == []
