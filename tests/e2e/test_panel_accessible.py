"""Nothing stands in the way of people with keyboards, screen readers or weak eyes."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.desk.karuta.scripted_house import ScriptedHouse
from tests.e2e.barriers import barriers
from tests.e2e.served_desk import Desk

pytestmark = pytest.mark.browser
Open = Callable[..., Page]


@pytest.fixture
def house_desk(tmp_path: Path) -> Iterator[Desk]:
    running = Desk(tmp_path, house=ScriptedHouse())
    yield running
    running.close()


@pytest.mark.parametrize(
    ("language", "scheme"), [pytest.param("en", "light", marks=pytest.mark.slow), ("ja", "dark")]
)
def test_axe_finds_nothing(desk: Desk, open_page: Open, language: str, scheme: str) -> None:
    desk.click_ms = 800  # its replays have sound
    page = open_page(f"/?lang={language}", color_scheme=scheme, bypass_csp=True)
    assert barriers(page) == []
    desk.lay_out()
    expect(page.locator("#field .card")).to_have_count(50)
    page.locator("#start").click()
    page.locator("#timer").wait_for()
    assert barriers(page) == []
    page.locator("#start").click()
    target = desk.card_of("far")
    desk.read(target)
    desk.rule((target, "near", 800), (target, "far", 801), (desk.card_of("near"), "far", 900))
    page.locator("#replay").wait_for()
    assert barriers(page) == []
    for button in ("#overrule", "#more", "#help"):
        page.locator(button).click()
        page.locator("dialog[open]").wait_for()
        assert barriers(page) == []
        page.keyboard.press("Escape")
        page.locator("dialog[open]").wait_for(state="detached")
    page.goto(f"{desk.address}/record?lang={language}")
    assert barriers(page) == []


@pytest.mark.parametrize(
    ("language", "scheme"), [pytest.param("en", "light", marks=pytest.mark.slow), ("ja", "dark")]
)
def test_axe_finds_nothing_around_a_match(
    house_desk: Desk, open_window: Open, language: str, scheme: str
) -> None:
    page = open_window(f"{house_desk.address}/set-up?lang={language}", color_scheme=scheme, bypass_csp=True)
    assert barriers(page) == []
    page.get_by_role("radio").first.check()
    page.locator("#source-form .primary").click()
    expect(page.locator("#field .card")).to_have_count(50)
    assert barriers(page) == []
    page.locator("#field .card").first.click()
    page.locator("#correct-dialog[open]").wait_for()
    assert barriers(page) == []
    for path in ("/matches", "/matches/earlier/", "/matches/earlier/record", "/invite"):
        page.goto(f"{house_desk.address}{path}?lang={language}")
        assert barriers(page) == [], path


def test_everything_has_a_name_and_is_reached_by_keyboard(desk: Desk, open_page: Open) -> None:
    page = open_page()
    desk.lay_out()
    expect(page.get_by_role("listitem", name="Near, upper row").first).to_be_attached()
    expect(page.get_by_role("status")).to_be_attached()
    expect(page.locator("#start")).to_be_visible()
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll('button, a[href], select')]
            .filter((element) => element.checkVisibility())
            .filter((element) => !(element.innerText || element.ariaLabel || element.labels?.[0]?.innerText))
            .map((element) => element.outerHTML)"""
    )
    assert unnamed == []
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    seen = []
    for _ in range(25):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.id"))
        if seen[-1] == "start":
            break
    assert seen[-1] == "start"
    assert {"turn", "dark", "projector", "help"} <= set(seen)
    page.keyboard.press("Enter")
    expect(page.locator("#phase")).to_have_text("Memorising")
