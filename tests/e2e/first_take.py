"""The first poem of a match, up to its ruling."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.e2e.served_desk import Desk


def begin(desk: Desk, page: Page) -> None:
    """Lay the cards out and let the operator start the match."""
    desk.lay_out()
    expect(page.locator("#field .card")).to_have_count(50)
    page.keyboard.press("s")
    expect(page.locator("#phase")).to_have_text("Memorising")
    page.keyboard.press("s")
    expect(page.locator("#phase")).not_to_have_text("Memorising")


def one_take(desk: Desk, page: Page, side: str = "far") -> int:
    begin(desk, page)
    target = desk.card_of(side)
    desk.read(target)
    desk.rule((target, "near", 800), (target, "far", 830))
    expect(page.locator("#timeline li")).to_have_count(1)
    return target
