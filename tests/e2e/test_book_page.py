"""The book in a real browser: every width, both languages, and a player on one printed page."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from desk.panel.app import create_app
from tests.desk.karuta.scripted_house import ScriptedHouse
from tests.desk.panel.book.book_port import small_book
from tests.e2e.barriers import barriers, too_wide
from tests.e2e.served_table import ServedApp

pytestmark = pytest.mark.browser
PLAYER = "name=%3CHana%3E"


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    book = small_book(tmp_path)
    served = ServedApp(create_app(house=ScriptedHouse(), book=book))
    yield served.address
    served.close()
    book.close()


def test_axe_finds_nothing_every_width_is_enough_and_a_player_fits_one_page(
    address: str, open_window: Callable[..., Page], tmp_path: Path
) -> None:
    page = open_window(f"{address}/matches?lang=en", bypass_csp=True)
    page.locator('a[href="/book"]').click()
    page.wait_for_url("**/book*")
    page.get_by_role("link", name="<Hana>").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/book/**")
    page.locator("summary").first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("table").nth(1)).to_be_visible()
    assert (too_wide(page), barriers(page)) == ([], [])
    page.get_by_role("link", name="One page to print").click()
    expect(page.get_by_role("heading", name="Slowest cards")).to_be_visible()
    for path, language in (
        ("/book?x=1", "ja"),
        (f"/book/player?{PLAYER}", "en"),
        (f"/book/player?{PLAYER}", "ja"),
        (f"/book/player/sheet?{PLAYER}", "ja"),
    ):
        page.emulate_media(color_scheme="dark" if language == "ja" else "light")
        page.goto(f"{address}{path}&lang={language}")
        assert (too_wide(page), barriers(page)) == ([], []), path
    printed = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1
