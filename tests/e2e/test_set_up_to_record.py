"""From the set-up of a match to its record, in a real browser and with the real program."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from desk.karuta.house.second_judgement import rejudge, steps_again, watch_again
from desk.log.event_log import EventLog
from tests.e2e.served_program import Program

pytestmark = pytest.mark.browser
Open = Callable[..., Page]
SMALL_PICTURES = "%20fps=30%20size=640x360"


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    running = Program(tmp_path / "matches")
    yield running
    assert running.end() == 0


def set_up(program: Program, open_window: Open) -> Page:
    page = open_window(f"{program.address}/set-up?lang=en&simulator={SMALL_PICTURES}")
    page.locator('[name="seed"]').fill("5")
    page.locator('[name="cards"]').fill("4")
    page.locator('[name="speed"]').fill("50")
    page.get_by_role("button", name="Open").click()
    expect(page.locator("#field .card")).to_have_count(8)
    return page


def test_a_match_from_the_set_up_to_its_record(program: Program, open_window: Open) -> None:
    page = set_up(program, open_window)
    expect(page.locator("#findings li")).to_have_count(10)
    expect(page.locator("#findings")).to_contain_text("4 near, 4 far, 0 not read")
    expect(page.locator('[name="cards_per_side"]')).to_have_value("4")
    page.locator('[name="near"]').fill("Hana")
    page.locator('[name="appeals"]').select_option("1")
    page.get_by_role("button", name="Start the match").click()
    expect(page.locator("#seat-near .name")).to_have_text("Hana")
    expect(page.locator("#seat-near .appeals")).to_have_text("1 appeal left")
    expect(page.locator("body")).to_have_attribute("data-phase", "over", timeout=300_000)
    expect(page.locator("#badge")).to_contain_text("wins")
    poems = page.locator("#timeline li").count()
    assert poems >= 3

    page.get_by_role("link", name="Record").click()
    expect(page.locator(".outcome .sentence")).to_contain_text("wins")
    expect(page.locator(".poems tbody tr")).to_have_count(poems)
    with page.expect_download() as download:
        page.get_by_role("link", name="JSON").click()
    record = json.loads(download.value.path().read_text("utf-8"))
    assert len(record["poems"]) == poems
    assert record["match"]["names"]["near"] == "Hana"

    page.get_by_role("link", name="Matches").click()
    page.locator(".match-names").click()
    expect(page.locator("#timeline li")).to_have_count(poems)
    expect(page.locator("#undo")).to_have_count(0)
    page.locator("#timeline button").first.click()
    expect(page.locator("#replay")).to_be_visible()

    (path,) = program.folder.glob("*.sqlite")
    with EventLog.read(path) as log:
        engine, broken = steps_again(log)
    assert broken is None
    assert rejudge(engine) == []
    assert watch_again(engine, None) == []  # drawn once more, seen once more


def test_every_switch_can_be_set_and_a_match_that_is_played_is_left_only_by_who_says_so_twice(
    program: Program, open_window: Open
) -> None:
    page = set_up(program, open_window)
    page.get_by_role("radio", name="German club").check()
    expect(page.locator('[data-switch="wrong_hand"]')).to_have_value("opponent_takes")
    page.locator(".all-switches summary").click()
    page.locator('[data-switch="may_waive"]').select_option("false")
    page.locator('[name="official"]').uncheck()
    page.get_by_role("button", name="Start the match").click()
    page.locator("#timeline").wait_for(state="attached")
    page.goto(f"{program.address}/matches?lang=ja")
    expect(page.locator(".matches")).to_contain_text("規則：独自の規則")
    (path,) = program.folder.glob("*.sqlite")
    with EventLog.read(path) as log:
        rules = next(log.entries()).payload["settings"]["rules"]
    assert (rules["wrong_hand"], rules["may_waive"]) == ("opponent_takes", False)
    assert (rules["name"], rules["both_fault"]) == ("custom", "cancel_faults")

    again = set_up(program, open_window)
    again.locator("#start").click()
    expect(again.locator("#before-start")).to_contain_text("Another match is still being played")
    expect(again.locator("#start")).to_have_text("Leave it, and start this match")
    assert len(list(program.folder.glob("*.sqlite"))) == 1
    again.locator("#start").click()
    again.locator("#timeline").wait_for(state="attached")
    assert len(list(program.folder.glob("*.sqlite"))) == 2
