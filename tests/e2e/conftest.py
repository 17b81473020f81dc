"""Fixtures: a desk with its panel, and Debian's Chromium."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.e2e.served_desk import Desk
from tests.null_sink import null_sink

__all__ = ["null_sink"]

CHROMIUM = Path("/usr/bin/chromium")
PATIENCE_MS = 60_000
"""Time limit: a busy machine may be slow; nothing waits longer than necessary."""
INSTALL = "sudo apt-get install chromium fonts-noto-cjk"


expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    running = Desk(tmp_path)
    yield running
    running.close()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    # one browser per module: playwright keeps an event loop running, which other tests must not meet
    if not CHROMIUM.exists():
        pytest.skip(f"needs a browser at {CHROMIUM}: {INSTALL}")
    arguments = [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-dev-shm-usage",
    ]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield browser
        browser.close()


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
        page.goto(address)
        return page

    yield open_window
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture
def open_page(open_window: Callable[..., Page], desk: Desk) -> Callable[..., Page]:
    """Open the panel of `desk` and wait for its line."""

    def open_page(path: str = "/?lang=en", **options: Any) -> Page:
        page = open_window(desk.address + path, **options)
        page.locator('#line[data-line="connected"]').wait_for()
        return page

    return open_page
