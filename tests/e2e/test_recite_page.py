"""The page of the reading in a real browser: remote control, poems after their reading, loudspeaker."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Event, Thread
from typing import Any

import pytest
from playwright.sync_api import Page, Request, expect

from desk.machine.config import first_free, is_free
from desk.reciter.page import recite_page
from desk.reciter.session import ReciteSession
from recitation.playback.player import Player, ReadingSettings
from recitation.playback.reports import PhraseStarted
from recitation.reading.plan import Spacing
from recitation.reading.practice import steps
from tests.e2e.barriers import barriers

pytestmark = pytest.mark.browser
Open = Callable[..., Page]
ORDER = (17, 64)


@dataclass
class Evening:
    """A reading that is served, and what its player has reported."""

    address: str
    started: list[PhraseStarted]


@pytest.fixture
def evening(request: pytest.FixtureRequest) -> Iterator[Evening]:
    """Serve a silent reading of two poems; if `streamed`, the browser is the loudspeaker."""
    streamed = getattr(request, "param", None) == "streamed"
    reading = ReadingSettings(
        steps(ORDER, "kami-only", joka=False),
        silent=not streamed,
        streamed=streamed,
        by_hand=True,
        spacing=Spacing(lead_s=0.2, wait_s=0.1),
    )
    number = first_free("127.0.0.1", 8400)
    started: list[PhraseStarted] = []
    over = Event()
    with Player(reading) as player:
        session = ReciteSession(player, reading.steps, streamed)

        def pump() -> None:
            while not over.is_set():
                for report in player.reports(0.05):
                    session.take(report)
                    if isinstance(report, PhraseStarted):
                        started.append(report)

        pumping = Thread(target=pump)
        pumping.start()
        try:
            with recite_page(session, number):
                deadline_s = time.monotonic() + 20
                while is_free("127.0.0.1", number) and time.monotonic() < deadline_s:
                    time.sleep(0.05)
                yield Evening(f"http://127.0.0.1:{number}", started)
        finally:
            over.set()
            pumping.join()


def test_a_phone_leads_the_reading(evening: Evening, open_window: Open) -> None:
    phone = {"width": 390, "height": 844}
    page = open_window(f"{evening.address}/recite?lang=en", viewport=phone, bypass_csp=True)
    assert barriers(page) == []
    status = page.get_by_role("status")
    expect(status).to_have_text("Waiting for 'Next'")
    page.get_by_role("button", name="Next").click()
    expect(status).to_have_text("First half")
    expect(page.locator("#poem")).to_be_hidden()
    page.get_by_role("button", name="Pause").click()
    expect(status).to_have_text("The reading is paused")
    page.keyboard.press("p")
    expect(status).to_have_text("First half")
    expect(status).to_have_text("Waiting for 'Next'")
    expect(page.locator("#poem rt").first).to_have_text("かみよ")
    expect(page.locator("#poem-number")).to_have_text("No. 17, kimariji ち")
    page.get_by_role("button", name="Repeat").click()
    expect(status).to_have_text("First half")
    page.get_by_role("button", name="Skip").click()
    expect(status).to_have_text("Waiting for 'Next'")
    assert [start.phrase.poem for start in evening.started] == [17, 17]
    box = page.get_by_role("button", name="Next").bounding_box()
    assert box is not None
    assert box["height"] >= 44


@pytest.mark.parametrize("evening", ["streamed"], indirect=True)
def test_the_browser_is_the_loudspeaker(evening: Evening, open_window: Open) -> None:
    page = open_window(f"{evening.address}/recite?lang=en")
    heard: list[dict[str, Any]] = []

    def note(request: Request) -> None:
        if "/heard" in request.url:
            heard.append(dict(request.post_data_json or {}))

    page.on("request", note)
    page.get_by_role("button", name="This device is the loudspeaker").click()
    expect(page.locator("#loudspeaker")).to_have_attribute("aria-pressed", "true")
    deadline_s = time.monotonic() + 20
    while len(heard) < 6 and time.monotonic() < deadline_s:
        page.wait_for_timeout(200)
    assert len(heard) >= 6, "the browser tells when its samples are heard"
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("status")).to_have_text("First half")
    expect(page.get_by_role("status")).to_have_text("Waiting for 'Next'")
    (start,) = evening.started
    assert start.t_unc_ns < 300_000_000, "the browser's word, no guess any more"
    steady = [told["t_ns"] - told["sample"] * 1e9 / 48_000 for told in heard[-4:]]
    assert max(steady) - min(steady) < 60_000_000 or heard[-1]["underruns"] > 0


@pytest.mark.parametrize("evening", ["streamed"], indirect=True)
def test_a_reading_without_a_loudspeaker_waits_and_says_so(evening: Evening, open_window: Open) -> None:
    page = open_window(f"{evening.address}/recite?lang=ja")
    problem, status = page.locator("#problem"), page.get_by_role("status")
    expect(problem).to_contain_text("音を出す端末がありません")
    page.request.post(f"{evening.address}/api/recite/acts", data={"name": "go"})  # as another device would
    page.wait_for_timeout(1000)
    expect(status).to_have_text("「次へ」を待っています")
    assert evening.started == []

    page.keyboard.press("Enter")
    expect(page.locator("#loudspeaker")).to_have_attribute("aria-pressed", "true")
    expect(problem).to_be_hidden()
    expect(status).to_have_text("上の句")
    page.locator("#loudspeaker").click()  # the loudspeaker is switched off in the middle of a half
    expect(problem).to_be_visible()
    expect(status).to_have_text("読みを一時停止しています")
    page.get_by_role("button", name="次へ").click()
    expect(problem).to_be_hidden()
    expect(status).to_have_text("上の句")
