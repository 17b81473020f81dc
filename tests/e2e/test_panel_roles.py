"""Players and audience on their own phones: everybody sees everything, and has only their own rights."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from desk.panel.roles import Role, Roles
from referee.karuta.flow.events import Appeal, MemoriseEnded, MemoriseStarted, Pause
from referee.sides import Side
from tests.e2e.served_desk import Desk

pytestmark = pytest.mark.browser
Open = Callable[..., Page]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def hall_desk(tmp_path: Path) -> Iterator[Desk]:
    """A desk that phones have joined, after a first take."""
    running = Desk(tmp_path, Roles({"near-link": Role.NEAR, "chief-link": Role.OPERATOR}))
    running.lay_out()
    running.submit(MemoriseStarted(1), MemoriseEnded())
    target = running.card_of("far")
    running.read(target)
    running.rule((target, "near", 800), (target, "far", 830))
    yield running
    running.close()


def test_the_audience_commands_nothing_and_players_appeal(hall_desk: Desk, open_window: Open) -> None:
    page = open_window(f"{hall_desk.address}/?lang=en", **PHONE)
    expect(page.locator("#sentence")).to_contain_text("Near takes")
    expect(page.locator("#replay")).to_be_visible()
    expect(page.locator(".controls")).to_have_count(0)
    page.keyboard.press("p")
    page.keyboard.press("?")  # answered here at once, after the key before it
    page.locator("#help-dialog[open]").wait_for()
    assert not hall_desk.engine.state.paused

    page = open_window(f"{hall_desk.address}/join/near-link", locale="en-US", **PHONE)
    expect(page.locator("#timeline li")).to_have_count(1)
    expect(page.locator('.appeal[data-side="far"]')).to_have_count(0)
    expect(page.locator("#overrule")).to_have_count(0)
    page.locator("#pause-button").tap()
    expect(page.locator("#pause")).to_have_text("Paused by the operator")
    page.locator('.appeal[data-side="near"]').tap()
    expect(page.locator('.appeal[data-side="near"]')).to_be_disabled()
    told = [each.event for each in hall_desk.engine.history]
    assert sum(isinstance(event, Pause) for event in told) == 2, "his own, and that of an appeal"
    assert [event.player for event in told if isinstance(event, Appeal)] == [Side.NEAR]
