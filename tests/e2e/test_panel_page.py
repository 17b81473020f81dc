"""The match page in a real browser, fed by the real engine."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.barriers import too_small, until
from tests.e2e.served_desk import Desk, begin, one_take

pytestmark = pytest.mark.browser
Open = Callable[..., Page]


def test_a_poem_from_the_first_sound_to_the_ruling(desk: Desk, open_page: Open) -> None:
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


def test_the_referee_overrules_with_a_note_and_takes_it_back(desk: Desk, open_page: Open) -> None:
    page = open_page()
    one_take(desk, page)
    expect(page.locator("#badge")).to_have_text("Poem 1 · Ruled")
    page.keyboard.press("o")
    page.locator('#overrule-form [name="taken_by"][value="far"]').check()
    page.locator('#overrule-form [name="faults_near"][value="1"]').check()
    page.locator('#overrule-form [name="note"]').fill("Seen from the side")
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


def test_a_close_race_waits_for_the_referee(desk: Desk, open_page: Open) -> None:
    page = open_page()
    begin(desk, page)
    target = desk.card_of("near")
    desk.read(target)
    desk.rule((target, "far", 800), (target, "near", 801))
    expect(page.locator("#gap")).to_contain_text("Too close to call")
    expect(page.locator("#doubts li")).to_have_count(1)
    expect(page.locator("#badge")).to_have_text("Poem 1 · Proposed: a human decides")
    page.locator("#confirm").click()
    expect(page.locator("#badge")).to_have_text("Poem 1 · Confirmed")
    expect(page.locator("#confirm")).to_be_hidden()


def test_a_page_that_lost_the_desk_resumes_without_a_lost_or_doubled_event(
    desk: Desk, open_page: Open
) -> None:
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


def test_keys_mean_nothing_while_somebody_writes(desk: Desk, open_page: Open) -> None:
    page = open_page()
    one_take(desk, page)
    page.keyboard.press("o")
    page.locator('#overrule-form [name="note"]').fill("")
    page.locator('#overrule-form [name="note"]').press_sequentially("up and down")
    page.keyboard.press("Escape")
    expect(page.locator("#pause")).to_have_text("")
    assert all(each.event.__class__.__name__ != "Revert" for each in desk.engine.history)


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
