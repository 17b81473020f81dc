"""The Koi-Koi page in a real browser, fed by the real referee."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from desk.tables.evidence.events import delete
from tests.e2e.barriers import barriers, too_wide
from tests.e2e.served_koikoi import KoiKoiTable, Table, drawn, played

pytestmark = pytest.mark.browser
Open = Callable[..., Page]

DEALT = (8, 32, 5, 13, 17, 21, 25, 1)
TO_HANAMI = (played(9, 8), drawn(33, 32))
"""The curtain and the sake cup: a yaku of five points in the first turn."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[KoiKoiTable]:
    running = KoiKoiTable(tmp_path)
    yield running
    running.close()


@pytest.fixture
def visit(open_line: Open) -> Open:
    def visit(table: KoiKoiTable, path: str = "/koikoi?lang=en", **options: Any) -> Page:
        return open_line(table.address + path, **options)

    return visit


def test_a_yaku_is_explained_and_the_player_stops_by_a_button(table: KoiKoiTable, visit: Open) -> None:
    page = visit(table)
    expect(page.locator("#sentence")).to_have_text("Deal the cards")
    cards = Table(DEALT)
    table.tell(cards.look())
    expect(page.locator("#field li")).to_have_count(8)
    expect(page.locator("#sentence")).to_have_text("Player 1: play a hand card")
    table.tell(*cards.move(0, TO_HANAMI[0]))
    first = page.locator('.player[data-player="0"]')
    expect(first.locator('[data-away="hanamizake"] [data-card="32"]')).to_have_class("lit")
    expect(first.locator('[data-kind="hikari"] [data-card="8"]')).to_have_count(1)
    expect(first.locator('[data-kind="tan"] [data-card="9"]')).to_have_count(1)
    expect(page.locator("#decide")).to_be_hidden()
    table.tell(*cards.move(0, TO_HANAMI[1]))
    expect(first.locator('[data-yaku="hanamizake"]')).to_contain_text("5 points")
    expect(first.locator(".if-stopped")).to_contain_text("If stopped now: 5 points")
    expect(page.locator("#sentence")).to_have_text("Player 1: koi-koi or stop?")
    page.keyboard.press("k")
    expect(page.locator("#sentence")).to_have_text("Player 2: play a hand card")
    expect(first).to_contain_text("Koi-Koi calls: 1")
    expect(first.locator(".if-stopped")).to_contain_text("5 x 2 (koi-koi) = 10")
    page.locator("#undo").click()
    page.keyboard.press("v")  # the buttons move to who decides, and the far half turns round
    expect(first.locator("#stop")).to_be_visible()
    assert page.locator("#far").evaluate("(far) => getComputedStyle(far).rotate") == "180deg"
    assert page.locator("#sounds").get_attribute("aria-pressed") == "false"
    page.locator("#stop").click()
    expect(page.locator("#sentence")).to_have_text("Player 1 stopped and gets 5 points")
    expect(page.locator("#totals .all td").first).to_have_text("5")
    page.locator(".statistics summary").click()
    expect(page.locator("#statistics tbody tr").first).to_contain_text("Rounds won10")
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    assert "stopped and gets 5 points" in Path(download.value.path()).read_text("utf-8-sig")
    page.get_by_role("link", name="1 card by card").click()
    expect(page.locator(".told .sentence")).to_contain_text("Player 1 stopped and gets 5 points")
    expect(page.locator("#steps .reached")).to_contain_text("sake under the cherry blossoms")
    expect(page.locator("#at")).to_contain_text("Step 4 of 4")  # keys act once the page has drawn its step
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#at")).to_contain_text("Player 1 played poetry ribbon")
    expect(page.locator('#table [data-kind="hikari"] [data-card="8"]')).to_have_class("lit")


def test_a_fault_says_what_to_put_right_and_a_tap_names_the_card(table: KoiKoiTable, visit: Open) -> None:
    page = visit(table)
    cards = Table(DEALT)
    table.tell(cards.look(), *cards.move(0, played(9, 5)), *cards.move(0, drawn(40)))
    table.tell(*cards.move(1, played(28, seat=1)))
    flag = page.locator('[data-flag="wrong_month"]')
    expect(flag).to_contain_text("Cards of different months were taken together")
    expect(flag).to_contain_text("Put the field card back.")
    flag.locator('[data-card="5"] button').click()
    expect(page.locator("#correct-title")).to_contain_text("which card is it really?")
    page.locator("#deck button").nth(8).click()
    expect(page.locator("#flags-section")).to_be_hidden()
    expect(page.locator('.player[data-player="0"] .cards [data-card="8"]')).to_have_count(1)


@pytest.mark.parametrize(
    ("language", "scheme"), [("ja", "light"), pytest.param("en", "dark", marks=pytest.mark.slow)]
)
def test_axe_finds_nothing_on_the_page(table: KoiKoiTable, visit: Open, language: str, scheme: str) -> None:
    page = visit(table, f"/koikoi?lang={language}", color_scheme=scheme, bypass_csp=True)
    cards = Table(DEALT)
    table.tell(cards.look(), *cards.move(0, TO_HANAMI[0]), *cards.move(0, drawn(33, 17)))
    last = list(cards.move(1, played(28, seat=1)))
    table.tell(*last)
    table.film(last[-1].look.t_ms)
    page.locator('[data-flag="wrong_month"]').wait_for()
    assert barriers(page) == []
    page.locator("#help").click()
    assert barriers(page) == []
    page.keyboard.press("Escape")
    page.locator("#field button").first.click()
    assert barriers(page) == []
    page.goto(f"{table.address}/koikoi/rounds/1?lang={language}")
    expect(page.locator("#steps .flag")).to_have_count(1)
    assert barriers(page) == []
    replay_is_walked_by_keyboard(page)
    delete(table.desk.evidence_folder)
    page.locator(".pictures").last.click()
    expect(page.locator("#replay-deleted")).to_be_visible()
    expect(page.locator("#replay")).to_be_hidden()


def replay_is_walked_by_keyboard(page: Page) -> None:
    """Open the pictures of the latest step, go on by one, and close them again."""
    page.locator(".pictures").last.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#screen")).to_have_attribute("data-index", "400")
    page.locator("#step-on").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#screen")).to_have_attribute("data-index", "200")
    assert (too_wide(page), barriers(page)) == ([], [])
    page.keyboard.press("Escape")
    expect(page.locator("#replay-dialog")).to_be_hidden()
    expect(page.locator(".pictures").last).to_be_focused()
