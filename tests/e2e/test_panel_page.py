"""The match page in a real browser, fed by the real engine."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.barriers import too_small, until
from tests.e2e.served_desk import Desk, begin, one_take

pytestmark = pytest.mark.browser
Open = Callable[..., Page]


def test_a_match_from_the_first_sound_to_an_end_that_is_taken_back(desk: Desk, open_page: Open) -> None:
    page = open_page()
    begin(desk, page)
    target = desk.card_of("far")
    desk.read(target)
    expect(page.locator("#sentence")).to_have_text("Poem 1")
    expect(page.locator("#field .target")).to_have_count(0)
    expect(page.locator("#poem")).to_be_hidden()

    desk.rule((target, "near", 800), (target, "far", 830))
    expect(page.locator("#sentence")).to_have_text(
        "Near takes from Far's territory; Near sends 1 card to Far."
    )
    expect(page.locator("#gap")).to_contain_text("Near was 30.0 ms earlier")
    expect(page.locator("#field .target")).to_have_count(1)
    expect(page.locator("#field .contact")).to_have_count(2)
    expect(page.locator("#poem")).to_be_visible()
    expect(page.locator("#seat-near .owes")).to_have_text("owes 1 card")
    expect(page.locator("#timeline li")).to_have_count(1)
    expect(page.locator("#badge")).to_have_text("Poem 1 · Ruled")

    overruled_with_a_note_and_back(desk, page)
    other = desk.card_of("far", 1)
    desk.read(other)
    desk.rule((other, "near", 800), (other, "far", 801))
    expect(page.locator("#gap")).to_contain_text("Too close to call")
    expect(page.locator("#doubts li")).to_have_count(1)
    expect(page.locator("#badge")).to_have_text("Poem 2 · Proposed: a human decides")
    ended_once_the_ruling_is_decided_and_back(page)


def overruled_with_a_note_and_back(desk: Desk, page: Page) -> None:
    page.keyboard.press("o")
    note = page.locator('#overrule-form [name="note"]')
    note.fill("")
    note.press_sequentially("up and down")  # its letters are no commands
    page.keyboard.press("Escape")
    expect(page.locator("#pause")).to_have_text("")
    assert all(each.event.__class__.__name__ != "Revert" for each in desk.engine.history)

    page.keyboard.press("o")
    page.locator('#overrule-form [name="taken_by"][value="far"]').check()
    page.locator('#overrule-form [name="faults_near"][value="1"]').check()
    note.fill("Seen from the side")
    page.locator('#overrule-form [value="overrule"]').click()
    expect(page.locator("#badge")).to_have_text("Poem 1 · Overruled")
    expect(page.locator("#sentence")).to_have_text(
        "Far takes from their own territory, Near faults; Far sends 1 card to Near."
    )
    expect(page.locator("#note")).to_have_text("Seen from the side")

    page.keyboard.press("u")
    expect(page.locator("#pause")).to_have_text("Paused after taking an event back")
    expect(page.locator("#sentence")).to_contain_text("Near takes from Far's territory")
    expect(page.locator("#undo")).to_contain_text("Take the undo back")
    page.keyboard.press("u")
    expect(page.locator("#badge")).to_contain_text("Overruled")
    page.keyboard.press("p")
    expect(page.locator("#pause")).to_have_text("")


def ended_once_the_ruling_is_decided_and_back(page: Page) -> None:
    open_end_dialog(page)
    nobody = page.locator("#stop-dialog").get_by_role("radio", name="Nobody")
    page.get_by_role("radio", name="finished early").check()
    nobody.check()
    page.locator("#stop-form .primary").click()
    expect(page.locator("#refusal")).to_have_text("A ruling waits: confirm or overrule it first.")
    page.locator("#confirm").click()
    expect(page.locator("#badge")).to_have_text("Poem 2 · Confirmed")
    expect(page.locator("#confirm")).to_be_hidden()

    open_end_dialog(page)
    page.get_by_role("radio", name="forfeit").check()
    expect(nobody).to_be_disabled()
    page.get_by_role("radio", name="no result").check()
    expect(nobody).to_be_checked()
    page.get_by_role("radio", name="time is up").check()  # the side with fewer cards wins
    expect(page.locator("#stop-form [name=winner][value=far]")).to_be_checked()
    expect(page.locator("#stop-counts")).to_be_hidden()  # a simulated match counts nowhere
    page.locator("#stop-form .primary").click()
    expect(page.locator("body")).to_have_attribute("data-phase", "over")
    expect(page.locator("#badge")).to_have_text("Far wins (time is up)")
    page.keyboard.press("m")
    expect(page.get_by_role("button", name="End the match")).to_be_hidden()
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Record").click()
    expect(page.locator(".outcome .sentence")).to_contain_text("Far wins (time is up)")
    page.go_back()
    page.locator('#line[data-line="connected"]').wait_for()
    page.keyboard.press("u")
    expect(page.locator("body")).to_have_attribute("data-phase", "restore")


def open_end_dialog(page: Page) -> None:
    page.keyboard.press("m")
    page.get_by_role("button", name="End the match").click()
    page.locator("#stop-dialog[open]").wait_for()


def test_a_page_that_lost_the_desk_resumes_with_every_event_once(desk: Desk, open_page: Open) -> None:
    page = open_page()
    one_take(desk, page)
    expect(page.locator("#timeline li")).to_have_count(1)
    desk.stop()
    expect(page.locator('#line[data-line="lost"]')).to_be_visible()
    desk.settle(desk.card_of("far"))
    desk.start()
    expect(page.locator('#line[data-line="connected"]')).to_be_visible()
    dead = desk.dead_card()
    desk.do(lambda: None)
    page.keyboard.press("a")
    expect(page.locator("#accept-field")).to_be_hidden()
    desk.read(dead)
    desk.rule()
    expect(page.locator("#timeline li")).to_have_count(2)
    last_seq = desk.engine.last_seq
    until(page, "last => window.seqs.at(-1) >= last", last_seq)
    assert page.evaluate("window.seqs") == list(range(2, last_seq + 1))


@pytest.mark.parametrize(
    "window",
    [
        {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
        {"viewport": {"width": 1440, "height": 900}},
    ],
    ids=["phone", "laptop"],
)
@pytest.mark.parametrize("language", ["ja", pytest.param("en", marks=pytest.mark.slow)])
def test_everything_to_press_is_large_enough_and_nothing_sticks_out(
    desk: Desk, open_page: Open, window: dict[str, Any], language: str
) -> None:
    page = open_page(f"/?lang={language}", **window)
    desk.lay_out()
    expect(page.locator("#start")).to_be_visible()
    page.locator("#start").click()
    page.locator("#start").click()
    target = desk.card_of("far")
    desk.read(target)
    desk.rule((target, "near", 800), (target, "far", 801))
    expect(page.locator("#replay")).to_be_visible()
    assert too_small(page, "button, a[href], select, summary, input:not([type=radio])") == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    verdict, risk = page.locator("#verdict").bounding_box(), page.locator("#risk").bounding_box()
    assert verdict is not None
    assert risk is not None
    assert verdict["y"] < risk["y"], "what is stated of all rulings comes after this one"
