"""The book in a real browser: every width, both languages, and a player on one printed page."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from desk.panel.app import create_app
from desk.panel.sockets import page_server
from tests.desk.karuta.scripted_house import ScriptedHouse
from tests.desk.panel.book.book_port import small_book

pytestmark = pytest.mark.browser
PLAYER = "name=%3CHana%3E"


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    book = small_book(tmp_path)
    app = create_app(house=ScriptedHouse(), book=book)
    server = page_server(app, log_level="error")
    thread = threading.Thread(target=lambda: asyncio.run(server.serve()))
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the book could not be served"
        threading.Event().wait(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = server.force_exit = True
    thread.join()
    book.close()


def test_axe_finds_nothing_every_width_is_enough_and_a_player_fits_one_page(
    address: str, open_window: Callable[..., Page], tmp_path: Path
) -> None:
    pytest.importorskip(
        "axe_playwright_python", reason="needs axe-core: uv pip install axe-playwright-python"
    )
    axe = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
    page = open_window(f"{address}/book?lang=en", bypass_csp=True)
    page.get_by_role("link", name="<Hana>").click()
    page.get_by_role("link", name="One page to print").click()
    expect(page.get_by_role("heading", name="Slowest cards")).to_be_visible()
    for path, language in (
        ("/book?x=1", "ja"),
        (f"/book/player?{PLAYER}", "en"),
        (f"/book/player?{PLAYER}", "ja"),
        (f"/book/player/sheet?{PLAYER}", "ja"),
    ):
        page.goto(f"{address}{path}&lang={language}")
        for width in (1920, 820, 360):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        page.evaluate(axe)
        found = page.evaluate("axe.run({ resultTypes: ['violations'] })")
        assert [(each["id"], each["nodes"][0]["html"]) for each in found["violations"]] == [], path
    printed = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1
