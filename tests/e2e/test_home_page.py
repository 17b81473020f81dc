"""From the home page to the first ruling of every game, with accessible pages."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from desk.home.home import Home
from desk.karuta.house.agreement import Agreement
from desk.karuta.house.house import House
from desk.panel.app import create_app
from desk.panel.home.port import HomePort
from desk.panel.roles import Roles
from tests.desk.karuta.scripted_house import ScriptedHouse
from tests.desk.panel.home.scripted_home import EVENING, ScriptedHome
from tests.e2e.barriers import barriers, too_small, too_wide
from tests.e2e.served_table import ServedApp

pytestmark = pytest.mark.browser
Open = Callable[..., Page]
MOST_CLICKS = 3
SMALL = "&simulator=%20size=800x450%20fps=15%20speed=4"  # pictures that a busy machine draws in time


def serve(home: HomePort, house: House | None = None) -> Iterator[ServedApp]:
    async def close() -> None:
        if isinstance(home, Home):
            await home.close()
        if house is not None:
            await house.close()

    nothing_played = ScriptedHouse()
    nothing_played.match = None
    served = ServedApp(create_app(house=house or nothing_played, home=home), closing=close)
    yield served
    served.close()


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ServedApp]:
    """Serve the real home with its logs in a folder of their own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    folder = tmp_path / "matches"
    yield from serve(Home(folder, Roles()), House(folder, Agreement()))


@pytest.fixture
def scripted() -> Iterator[ServedApp]:
    home = ScriptedHome()
    home.shown = EVENING
    yield from serve(home)


class Hand:
    """Clicks, and counts how often."""

    def __init__(self, page: Page) -> None:
        self.page, self.clicks = page, 0

    def click(self, what: str) -> None:
        self.page.locator(what).click()
        self.clicks += 1


def test_koikoi_and_kendo_are_three_clicks_from_a_first_ruling(served: ServedApp, open_window: Open) -> None:
    small = "&simulator=%20size=640x360%20fps=10"
    for game, ruled, said in (
        ("koikoi", "#last", "Player"),
        ("kendo", "#notes li:nth-child(1)", "opens the bout"),
    ):
        hand = Hand(open_window(f"{served.address}/?lang=en"))
        page = hand.page
        hand.click(f'[data-game="{game}"] .primary')
        page.goto(f"{page.url}?lang=en{small}")  # a busy machine draws small pictures in time
        page.locator('[name="speed"]').fill("4")
        hand.click("#source-form .primary")
        expect(page.locator("#findings li.ok")).to_have_count(3)
        expect(page.locator("#before-start")).to_have_text("Everything is ready.")
        hand.click("#start")
        expect(page.locator(ruled)).to_contain_text(said)
        assert hand.clicks <= MOST_CLICKS
        page.goto(f"{served.address}/home")
        page.locator(f'[data-end="{game}"]').click()
        page.locator(f'[data-end="{game}"]').click()
        expect(page.locator(f'[data-game="{game}"]')).not_to_contain_text("To the running game")


def asked_of(page: Page) -> list[str]:
    """Return the list of what a page asks the desk from now on, over sockets as well."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("websocket", lambda socket: asked.append(socket.url))
    return asked


def test_pages_of_a_game_ended_elsewhere_say_so_and_ask_no_more(served: ServedApp, open_window: Open) -> None:
    match = open_window(f"{served.address}/set-up?lang=ja{SMALL}")
    match.locator('[name="cards"]').fill("4")
    match.locator("#source-form .primary").click()
    expect(match.locator("#field .card")).to_have_count(8)
    match.locator("#start").click()
    expect(match.locator('#line[data-line="connected"]')).to_be_attached()
    reading = open_window(f"{served.address}/recite/set-up?lang=ja")
    reading.locator('label:has([value="browser"])').click()
    reading.locator("#start").click()
    reading.locator("#loudspeaker").click()
    expect(reading.locator("#loudspeaker")).to_have_attribute("aria-pressed", "true")
    home = open_window(f"{served.address}/home?lang=ja")
    for game in ("karuta", "recite"):
        for _ in range(2):  # asked twice
            home.locator(f'[data-end="{game}"]').click()
        expect(home.locator(f'[data-game="{game}"][data-running]')).to_have_count(0)
    expect(match.locator("#ended")).to_contain_text("この試合は終わりました。")
    expect(reading.locator("#ended")).to_contain_text("この読み上げは終わりました。")
    expect(reading.locator("#loudspeaker")).to_have_attribute("aria-pressed", "false")
    expect(reading.locator("#problem")).to_be_hidden()
    for page in (match, reading):
        expect(page.locator("main")).to_have_attribute("inert", "")
        asked = asked_of(page)
        page.keyboard.press("p")  # means pause while the game goes on
        page.wait_for_timeout(2500)  # a page that goes on asks once a second
        assert asked == []
    match.locator("#ended-record").click()
    expect(match.locator(".outcome .sentence")).to_be_visible()


def test_a_reading_is_three_clicks_away_and_a_browser_without_a_game_is_led_to_the_set_up(
    served: ServedApp, open_window: Open
) -> None:
    hand = Hand(open_window(f"{served.address}/?lang=en"))
    hand.click('[data-game="recite"] .primary')
    hand.click('label:has([value="none"])')
    hand.click("#start")
    expect(hand.page.get_by_role("status")).to_have_text(re.compile("joka|half"))
    assert hand.clicks <= MOST_CLICKS
    hand.page.goto(f"{served.address}/kendo")
    expect(hand.page).to_have_url(f"{served.address}/kendo/set-up")


def test_karuta_is_three_clicks_from_its_first_ruling(served: ServedApp, open_window: Open) -> None:
    hand = Hand(open_window(f"{served.address}/?lang=en"))
    page = hand.page
    hand.click('[data-game="karuta"] .primary')
    page.goto(f"{page.url}?lang=en{SMALL}%20cards=4")
    hand.click("#source-form .primary")
    expect(page.locator("#field .card")).to_have_count(8)
    hand.click("#start")
    expect(page.locator("#timeline li")).not_to_have_count(0)
    assert hand.clicks <= MOST_CLICKS


def test_a_practice_is_three_clicks_away_and_axe_finds_nothing(served: ServedApp, open_window: Open) -> None:
    hand = Hand(open_window(f"{served.address}/?lang=en", bypass_csp=True))
    page = hand.page
    hand.click('[data-game="practise"] .primary')
    page.goto(f"{page.url}?lang=en{SMALL}")
    page.locator('[name="cards"]').fill("4")
    page.locator('[name="player"]').fill("Hana")
    hand.click("#start")
    expect(page.locator("#cards")).to_have_text("4 cards are read.")
    assert (too_wide(page), barriers(page)) == ([], [])
    hand.click('[data-act="start"]')
    expect(page.locator("#attempts li")).not_to_have_count(0)
    assert hand.clicks <= MOST_CLICKS
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="End the practice").click()
    expect(page.locator("#over-title")).to_be_visible()
    assert (too_wide(page), barriers(page)) == ([], [])


PAGES = (
    "/home",
    "/koikoi/set-up",
    "/kendo/set-up",
    "/recite/set-up",
    "/koikoi/evening",
    "/enrol/set-up",
    "/practise/set-up",
    "/memorise",
)


@pytest.mark.parametrize(
    ("language", "scheme"),
    [
        ("ja", "dark"),
        *(
            pytest.param(*look, marks=pytest.mark.slow)
            for look in [("ja", "light"), ("en", "dark"), ("en", "light")]
        ),
    ],
)
def test_axe_finds_nothing_and_every_width_is_enough(
    scripted: ServedApp, open_window: Open, language: str, scheme: str
) -> None:
    page = open_window(f"{scripted.address}/home?lang=en", color_scheme=scheme, bypass_csp=True)
    card = page.evaluate(
        "import('/static/dom.js').then(({ el }) => el('p', {}, 'Card もも (100)').innerHTML)"
    )
    assert card == 'Card <span lang="ja">もも</span> (100)'
    for path in PAGES:
        page.goto(f"{scripted.address}{path}?lang={language}")
        if path == "/koikoi/set-up":  # by keyboard alone
            page.locator('[name="kind"]:checked').focus()
            page.keyboard.press("Enter")
            expect(page.locator("#findings li.fail")).to_have_count(1)
        assert (too_wide(page), barriers(page)) == ([], []), path
        assert too_small(page) == [], path
