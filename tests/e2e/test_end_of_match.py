"""A match that people end before a territory is empty: in the panel.

The end from the home page is in `test_home_page`.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.served_desk import Desk, one_take

pytestmark = pytest.mark.browser
Open = Callable[..., Page]


def open_dialog(page: Page) -> None:
    page.keyboard.press("m")
    page.get_by_role("button", name="End the match").click()
    page.locator("#stop-dialog[open]").wait_for()


def test_a_match_is_ended_in_the_panel_and_the_end_is_taken_back(desk: Desk, open_page: Open) -> None:
    page = open_page()
    one_take(desk, page, "near")
    open_dialog(page)
    nobody = page.locator("#stop-dialog").get_by_role("radio", name="Nobody")
    page.get_by_role("radio", name="forfeit").check()
    expect(nobody).to_be_disabled()
    page.get_by_role("radio", name="no result").check()
    expect(nobody).to_be_checked()
    page.get_by_role("radio", name="time is up").check()  # the side with fewer cards wins
    expect(page.locator("#stop-form [name=winner][value=near]")).to_be_checked()
    expect(page.locator("#stop-counts")).to_be_hidden()  # a simulated match counts nowhere
    page.locator("#stop-form .primary").click()
    expect(page.locator("body")).to_have_attribute("data-phase", "over")
    expect(page.locator("#badge")).to_have_text("Near wins (time is up)")
    page.keyboard.press("m")
    expect(page.get_by_role("button", name="End the match")).to_be_hidden()
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Record").click()
    expect(page.locator(".outcome .sentence")).to_contain_text("Near wins (time is up)")
    page.go_back()
    page.locator('#line[data-line="connected"]').wait_for()
    page.keyboard.press("u")
    expect(page.locator("body")).to_have_attribute("data-phase", "restore")


def test_a_ruling_that_waits_is_decided_before_the_end(desk: Desk, open_page: Open) -> None:
    page = open_page()
    one_take(desk, page, "near")
    desk.read(desk.card_of("far", 1))
    desk.rule((desk.card_of("far", 1), "near", 800), (desk.card_of("far", 1), "far", 801))
    expect(page.locator("#confirm")).to_be_visible()
    open_dialog(page)
    page.get_by_role("radio", name="finished early").check()
    page.locator("#stop-dialog").get_by_role("radio", name="Nobody").check()
    page.locator("#stop-form .primary").click()
    expect(page.locator("#refusal")).to_have_text("A ruling waits: confirm or overrule it first.")
    page.keyboard.press("c")
    expect(page.locator("#confirm")).to_be_hidden()
