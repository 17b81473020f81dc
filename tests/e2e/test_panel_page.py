"""The match page in a real browser, fed by the real engine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from referee.karuta.flow.events import MemoriseEnded, MemoriseStarted, Pause
from referee.sides import BySide
from tests.e2e.barriers import too_small
from tests.e2e.first_take import begin, one_take
from tests.e2e.served_desk import Desk
from tests.e2e.waiting import until

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


def test_a_live_picture_that_comes_later_than_the_page_is_shown(
    desk: Desk, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_page()
    expect(page.locator("#camera")).to_be_hidden()
    jpeg = cv2.imencode(".jpg", np.full((48, 64), 128, np.uint8))[1].tobytes()
    monkeypatch.setattr(desk.port, "preview", lambda: jpeg)
    expect(page.locator("#camera")).to_be_visible()


def test_a_reason_shows_where_the_rule_stands(desk: Desk, open_page: Open) -> None:
    page = open_page()
    one_take(desk, page, "near")
    page.locator("#reasons button").first.click()
    expect(page.locator("#reason-dialog")).to_be_visible()
    expect(page.locator("#reason-source")).not_to_be_empty()
    expect(page.locator("#reason-paragraph")).not_to_be_empty()
    page.keyboard.press("Escape")
    expect(page.locator("#reason-dialog")).to_be_hidden()


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


def test_a_player_appeals_until_none_is_left(desk: Desk, open_page: Open) -> None:
    page = open_page()
    one_take(desk, page)
    expect(page.locator("#seat-far .appeals")).to_have_text("1 appeal left")
    page.keyboard.press("2")
    expect(page.locator("#pause")).to_have_text("Far appeals: look at the replay")
    expect(page.locator("#seat-far .appeals")).to_have_text("0 appeals left")
    expect(page.locator('.appeal[data-side="far"]')).to_be_disabled()
    expect(page.locator('.appeal[data-side="near"]')).to_be_enabled()


def test_keys_that_follow_each_other_at_once_mean_one_thing_after_the_other(
    desk: Desk, open_page: Open
) -> None:
    page = open_page()
    one_take(desk, page)
    for key in "pppppm":
        page.keyboard.press(key)
    page.locator("#more-dialog[open]").wait_for()  # what was pressed last comes last
    told = [type(each.event).__name__ for each in desk.engine.history]
    assert [name for name in told if name in {"Pause", "Resume"}] == ["Pause", "Resume"] * 2 + ["Pause"]


def test_what_is_pressed_stays_while_the_page_is_drawn_again(desk: Desk, open_page: Open) -> None:
    page = open_page()
    one_take(desk, page)
    reason = page.locator("#reasons button").first
    reason.focus()
    box = reason.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    desk.submit(Pause())
    page.locator("#resume-button").wait_for()
    expect(reason).to_be_focused()
    page.mouse.up()
    expect(page.locator("#reason-dialog")).to_be_visible()


def test_the_policies_are_chosen_on_the_panel_and_hold_from_the_next_ruling_on(
    desk: Desk, open_page: Open
) -> None:
    page = open_page()
    one_take(desk, page)
    page.keyboard.press("m")
    expect(page.locator('[data-policy="take"]')).to_have_value("auto")
    page.locator('[data-policy="take"]').select_option("propose")
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    expect(page.locator("#accept-field")).to_be_hidden()
    desk.read(desk.card_of("near"))
    desk.rule((desk.card_of("near"), "near", 700))
    expect(page.locator("#badge")).to_have_text("Poem 2 · Proposed: a human decides")
    assert desk.engine.policies.take == "propose"


def test_a_refused_command_says_why(desk: Desk, open_page: Open) -> None:
    page = open_page()
    one_take(desk, page)
    page.keyboard.press("s")
    expect(page.locator("#refusal")).to_have_text(
        "The match has begun already: 'Start' is for the set-up and for the time to memorise."
    )


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


def test_an_earlier_poem_can_be_looked_at_again(desk: Desk, open_page: Open) -> None:
    page = open_page()
    target = one_take(desk, page, "near")
    desk.settle(target)
    desk.read(desk.dead_card())
    desk.rule()
    expect(page.locator("#sentence")).to_contain_text("Dead card")
    page.locator("#timeline button").first.click()
    expect(page.locator("#sentence")).to_contain_text("Near takes")
    expect(page.locator("#replay")).to_be_visible()


def test_shortcuts_can_be_switched_off(desk: Desk, open_page: Open) -> None:
    page = open_page()
    page.keyboard.press("?")
    page.locator("#keys-on").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.locator("#help-dialog")).to_be_hidden()
    page.locator("#help").click()
    expect(page.locator("#help-dialog")).to_be_visible()


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


def test_the_projector_shows_no_controls_and_a_big_sentence(desk: Desk, open_page: Open) -> None:
    page = open_page("/?lang=en&mode=projector", viewport={"width": 1920, "height": 1080})
    desk.lay_out()
    expect(page.locator("#field .card")).to_have_count(50)
    expect(page.locator("#undo")).to_be_hidden()
    assert page.evaluate("parseFloat(getComputedStyle(document.querySelector('#sentence')).fontSize)") >= 36
    desk.submit(MemoriseStarted(1), MemoriseEnded())
    target = desk.card_of("far")
    desk.read(target)
    desk.rule((target, "near", 800), (target, "far", 830))
    expect(page.locator("#replay")).to_be_visible()
    expect(page.locator("#timeline li")).to_have_count(1)
    # nobody scrolls a projector
    assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0


def test_near_and_far_are_told_by_shape_and_word_too(desk: Desk, open_page: Open) -> None:
    page = open_page()
    desk.lay_out()
    expect(page.locator("#seat-near .shape")).to_have_text("●")
    expect(page.locator("#seat-far .shape")).to_have_text("◆")
    far, near = page.locator("#seat-far").bounding_box(), page.locator("#seat-near").bounding_box()
    assert far is not None
    assert near is not None
    assert far["y"] < near["y"]
    page.keyboard.press("v")
    far, near = page.locator("#seat-far").bounding_box(), page.locator("#seat-near").bounding_box()
    assert far is not None
    assert near is not None
    assert far["y"] > near["y"]


@pytest.mark.parametrize("width", [375, 1280])
def test_a_long_name_without_a_space_stays_inside_the_page(
    tmp_path: Path, open_line: Open, width: int
) -> None:
    desk = Desk(tmp_path, names=BySide("W" * 60, "Ken"))
    try:
        page = open_line(f"{desk.address}/?lang=en", viewport={"width": width, "height": 800})
        one_take(desk, page)
        page.keyboard.press("m")
        expect(page.locator("#more-dialog")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") == width
        inside = "(box) => box.scrollWidth <= box.clientWidth"
        assert page.locator("#more-dialog").evaluate(inside)
    finally:
        desk.close()
