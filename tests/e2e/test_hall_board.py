"""The board of a hall in a browser: a round is drawn, placed and decided, and everybody can use it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from desk.hall.page.app import create_hall_app
from referee.tournament.division import System
from tests.desk.hall.page.hall_port import Floor, entrants_csv, every_state, tables_in
from tests.e2e.barriers import barriers
from tests.e2e.served_table import ServedApp

pytestmark = pytest.mark.browser
Open = Callable[..., Page]
LOOKS = [("en", "light", 360), ("ja", "dark", 820), ("ja", "dark", 1920)]


class Served(ServedApp):
    """A board on a free port."""

    def __init__(self, folder: Path) -> None:
        self.floor = Floor(every_state(32))
        self.tables, _ = tables_in(folder)
        self.tables.enter(entrants_csv(6), "list.csv", System.ELIMINATION, None)
        super().__init__(create_hall_app(self.floor, self.tables))


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    board = Served(tmp_path)
    yield board
    board.close()


def test_a_round_is_drawn_placed_and_decided_and_any_width_served(served: Served, open_window: Open) -> None:
    page = open_window(f"{served.address}/tournament?lang=en", bypass_csp=True)
    page.locator("#standings .name").first.click()  # before anything is drawn
    expect(page.locator("#withdraw-means")).to_contain_text("cannot be taken back")
    page.locator("#entrant-dialog").get_by_role("button", name="Close").click()
    page.locator("#draw").click()
    expect(page.locator(".pairing")).to_have_count(2)
    page.locator("#place-round").click()
    expect(page.locator(".board-line .chip")).to_have_count(2)
    page.locator(".enter").first.click()
    dialog = page.locator("#result-dialog")
    assert barriers(page) == []
    dialog.get_by_role("radio").nth(1).check()
    dialog.get_by_label("Cards the loser had left").fill("7")
    dialog.get_by_label("Mat", exact=True).fill("7")
    dialog.get_by_role("button", name="Save the result").click()
    expect(page.locator(".board-line[data-match='A-1-1'] .chip")).to_have_text("Mat 7")
    assert served.tables.state.course("A").rounds[0].pairings[0].boards[0].mat == "mat-07"
    expect(page.locator(".board-line").first).to_contain_text("by 7")
    expect(page.locator(".pairing").first.locator(".player.won")).to_have_count(1)
    page.locator(".pairing").nth(1).locator(".name").first.click()
    page.get_by_role("button", name="Withdraw from the tournament").click()
    expect(page.locator(".board-line").nth(1)).to_contain_text("by default")
    page.locator("#draw").click()
    expect(page.locator("#rounds h3")).to_have_text("Semi-finals")
    page.locator("#rounds summary").click()
    expect(page.locator("#rounds details")).to_contain_text("To correct one, cancel the later draw")
    page.locator("#entries summary").click()
    for language, scheme, width in LOOKS:
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(f"{served.address}/tournament?lang={language}")
        page.locator('#line[data-line="connected"]').wait_for()
        assert barriers(page) == [], width
        assert page.evaluate("document.documentElement.scrollWidth") <= width
