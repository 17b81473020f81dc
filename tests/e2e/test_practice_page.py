"""The page of a practice in a real browser, over the real practice."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from desk.panel.practice.routes import create_practice_app
from desk.practice.plan import Plan
from desk.tables.source_kind import Source
from tests.desk.practice.scripted_practice import Evening
from tests.e2e.barriers import barriers
from tests.e2e.served_table import ServedApp

pytestmark = pytest.mark.browser


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Evening]:
    evening = Evening(tmp_path, Plan(wanted=(17, 66), by_hand=True, seed=1), source=Source.CAMERA)
    yield evening
    evening.practice.close()


@pytest.fixture
def page(alone: Evening, open_window: Callable[..., Page]) -> Iterator[Page]:
    served = ServedApp(create_practice_app(alone.practice))
    yield open_window(f"{served.address}/practise?lang=en", bypass_csp=True)
    served.close()


def test_the_page_says_what_it_waits_for_and_the_button_that_goes_on(alone: Evening, page: Page) -> None:
    awaits, offer = page.locator("#awaits"), page.locator("#offer")
    expect(awaits).to_contain_text("The cards on your territory are awaited")
    alone.lay()
    expect(offer).to_have_text("'Start' begins.")
    page.locator('[data-act="start"]').click()
    expect(awaits).to_have_text("The next poem is read in a moment.")
    page.keyboard.press("Enter")
    expect(page.locator("#refusal")).to_contain_text("'Next' is for the time after a poem's first sound")
    poem = alone.hear()
    expect(awaits).to_contain_text("The time comes as soon as no hand and no head is over the field")
    alone.eye.obstacle = "hand"
    expect(awaits).to_have_text("A hand or a head is over the field: the time comes as soon as it is away.")
    expect(offer).to_contain_text("'Next' reads on")
    alone.see(poem, (poem, 900))
    expect(offer).to_have_text("'Next' reads it.")
    page.locator('[data-act="pause"]').click()
    expect(offer).to_have_text("'Go on' continues it.")
    assert barriers(page) == []
