"""Fixtures: a desk with its panel, and Debian's Chromium."""

from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from tests.e2e.served_desk import Desk
from tests.null_sink import null_sink

__all__ = ["null_sink"]

CHROMIUM = Path("/usr/bin/chromium")
PATIENCE_MS = 60_000  # time limit: a busy machine may be slow; nothing waits longer than necessary
INSTALL = "sudo apt-get install chromium fonts-noto-cjk"


expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    running = Desk(tmp_path)
    yield running
    running.close()


class KeptBrowser:
    """Debian's Chromium, kept from one file of pages to the next: each start costs 1.5 s of processor.

    Playwright keeps an event loop running in this thread, which other tests must not meet.
    """

    def __init__(self) -> None:
        self._driver: Playwright | None = None
        self._browser: Browser | None = None

    def driver(self) -> Playwright:
        """Return Playwright, or skip where there is no browser."""
        if not CHROMIUM.exists():
            pytest.skip(f"needs a browser at {CHROMIUM}: {INSTALL}")
        if self._driver is None:
            self._driver = sync_playwright().start()
        return self._driver

    def browser(self) -> Browser:
        """Return the browser; one that crashed is replaced."""
        if self._browser is None or not self._browser.is_connected():
            arguments = [
                "--no-sandbox",
                "--disable-gpu",
                "--disable-background-networking",
                "--disable-dev-shm-usage",
            ]
            self._browser = self.driver().chromium.launch(executable_path=CHROMIUM, args=arguments)
        return self._browser

    def close(self) -> None:
        """End browser and Playwright, and with them the event loop."""
        if self._browser is not None:
            self._browser.close()
        if self._driver is not None:
            self._driver.stop()
        self._driver = self._browser = None


KEPT = KeptBrowser()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Generator[None, object, object]:
    """End the browser after the last test of pages, when all that used it has been torn down."""
    try:
        return (yield)
    finally:
        if nextitem is None or nextitem.path.parent != Path(__file__).parent:
            KEPT.close()


@pytest.fixture(scope="module")
def driver() -> Playwright:
    """Playwright, for a file that starts a browser of its own."""
    return KEPT.driver()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    browser = KEPT.browser()
    yield browser
    for context in browser.contexts:
        context.close()


@pytest.fixture
def open_window(chromium: Browser) -> Iterator[Callable[..., Page]]:
    """Open an address in a window of its own, after `script`; a script error on any page fails the test."""
    contexts = []
    errors: list[str] = []

    def open_window(address: str, script: str = "", **options: Any) -> Page:
        options.setdefault("viewport", {"width": 1440, "height": 900})
        options.setdefault("reduced_motion", "reduce")
        context = chromium.new_context(**options)
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.add_init_script(
            "window.seqs = [];"
            "document.addEventListener('shinpan:event', (event) => window.seqs.push(event.detail.seq));"
            f"{script}"
        )
        page.goto(address, wait_until="domcontentloaded")  # a live picture never ends
        return page

    yield open_window
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture
def open_line(open_window: Callable[..., Page]) -> Callable[..., Page]:
    """Open an address and wait for its line."""

    def open_line(address: str, **options: Any) -> Page:
        page = open_window(address, **options)
        page.locator('#line[data-line="connected"]').wait_for()
        return page

    return open_line


@pytest.fixture
def open_page(open_line: Callable[..., Page], desk: Desk) -> Callable[..., Page]:
    """Open the panel of `desk` and wait for its line."""
    return lambda path="/?lang=en", **options: open_line(desk.address + path, **options)
