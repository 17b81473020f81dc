"""A phone becomes a camera in its browser: the page, its pictures, a lost connection, and the return."""

import threading
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect

from desk.phone.camera import PhoneSource, open_camera
from desk.phone.wish import PhoneWish
from referee.facts import Gap
from tests.e2e.barriers import barriers
from tests.e2e.conftest import CHROMIUM
from vision.frames.frame import Frame

pytestmark = pytest.mark.browser
OFFSETS = """async () => {
  const { TrackClock } = await import("/static/phone/track_clock.js");
  const isRight = (isMissed) => {  // 30 a second, 5000 ms ahead of the page, read after 4 ms
    const clock = new TrackClock();
    for (let number = 0; number < 200; number += 1) {
      const captured = 33.3 * number;
      if (!isMissed(number)) clock.read(captured + 5000, captured + 4 + (number % 3));
      else clock.read(captured + 5033.3, captured + 38);
      clock.shown(captured);
    }
    const [taken, unc] = clock.taken(9000);
    return Math.abs(taken - 4000) <= unc && unc < 40;
  };
  return [isRight(() => false), isRight((number) => number % 3 === 0)];
}"""
"""The clock of a track, without and with pictures that the page missed."""


@pytest.fixture(scope="module")
def phone_browser(driver: Playwright) -> Iterator[Browser]:
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--use-fake-ui-for-media-stream"]
    browser = driver.chromium.launch(
        executable_path=CHROMIUM, args=[*arguments, "--use-fake-device-for-media-stream=fps=30"]
    )
    yield browser
    browser.close()


@pytest.fixture
def phone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PhoneSource]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    source = open_camera("phone", phone=PhoneWish(port=21_421))
    assert isinstance(source, PhoneSource)
    yield source
    source.close()


def test_a_phone_films_and_comes_back_after_a_break(phone: PhoneSource, phone_browser: Browser) -> None:
    items: list[Frame | Gap] = []
    threading.Thread(target=lambda: items.extend(phone), daemon=True).start()
    context = phone_browser.new_context(ignore_https_errors=True, viewport={"width": 360, "height": 740})
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    port = phone.station.links[0].split("/")[2].rpartition(":")[2]
    page.goto(f"https://localhost:{port}/join/{phone.station.links[0].rpartition('/')[2]}")
    page.goto(f"https://localhost:{port}/?lang=en&rate=30&mbit=2")
    page.locator("#start").click()
    expect(page.locator("#state")).to_contain_text("pictures a second arrive")
    phone.station.show_findings([{"id": "angle", "status": "fail", "values": {"tilt_deg": 34}}])
    expect(page.locator("#checks")).to_contain_text("34° from straight down")
    _until(page, lambda: _frames(items) > 10)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert barriers(page) == []

    assert page.evaluate(OFFSETS) == [True, True]
    line = phone.station.line()
    assert line is not None
    line.end("lost")  # as when the network breaks off
    _until(page, lambda: any(isinstance(item, Gap) and item.reason == "camera_lost" for item in items))
    before = _frames(items)
    _until(page, lambda: _frames(items) > before + 5)
    frames = [item for item in items if isinstance(item, Frame)]
    assert all(one.t_ns < other.t_ns for one, other in pairwise(frames))
    assert frames[-1].shape_px == (720, 1280)
    assert errors == []
    context.close()


LENT = """
window.fails = null; window.slow_ms = 0; window.asked = [];
const lend = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
navigator.mediaDevices.getUserMedia = async (wish) => {
  window.asked.push(wish.video.width.ideal);
  if (window.fails) throw new DOMException("", window.fails);
  const stream = await lend(wish);
  await new Promise((resolve) => setTimeout(resolve, window.slow_ms));
  return stream;
};
window.lose = (name) => {
  window.fails = name;
  const [track] = document.querySelector("#view").srcObject.getVideoTracks();
  track.stop();
  track.dispatchEvent(new Event("ended"));
};
window.isLive = () => document.querySelector("#view").srcObject?.getVideoTracks()[0].readyState === "live";
"""
"""A browser's camera that a call takes away (`lose`), and that may be slow."""


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("NotReadableError", "A call or another app has the camera."),
        ("OverconstrainedError", "The chosen lens is not there any more"),
    ],
)
def test_the_camera_comes_back_after_a_call(
    phone: PhoneSource, phone_browser: Browser, name: str, why: str
) -> None:
    context = phone_browser.new_context(ignore_https_errors=True, viewport={"width": 360, "height": 740})
    page = context.new_page()
    page.add_init_script(LENT)
    page.goto(phone.station.links[0] + "?lang=en")
    page.goto(f"{page.url}?lang=en&rate=30&mbit=2")
    start, problem = page.locator("#start"), page.locator("#problem")
    start.click()
    expect(start).to_be_hidden()
    page.evaluate("(name) => window.lose(name)", name)
    expect(problem).to_contain_text(why)
    expect(start).to_be_visible()
    expect(page.locator("#state")).to_contain_text("tried again every few seconds")
    tries = page.evaluate("window.asked.length")
    _until(page, lambda: page.evaluate("window.asked.length") > tries)  # by itself
    expect(problem).to_contain_text(why)
    if name == "NotReadableError":  # the call ends, and somebody comes back to the page
        page.evaluate("window.fails = null; document.dispatchEvent(new Event('visibilitychange'))")
    else:  # another choice starts the camera at once
        page.evaluate("window.fails = null")
        page.locator("#rate").select_option("60")
    expect(start).to_be_hidden()
    expect(problem).to_be_hidden()
    assert page.evaluate("window.isLive()")

    page.evaluate("window.slow_ms = 300; window.asked = []")
    page.locator("#rate").select_option("120")
    page.locator("#size").select_option("1920x1080")  # while the camera starts for the other choice
    _until(page, lambda: page.evaluate("window.asked.at(-1) === 1920 && window.isLive()"))
    assert page.evaluate("window.asked") == [1280, 1920]
    context.close()


def _frames(items: list[Frame | Gap]) -> int:
    return sum(isinstance(item, Frame) for item in items)


def _until(page: Page, is_so: Callable[[], bool]) -> None:
    tries = 600
    for _ in range(tries):
        if is_so():
            return
        page.wait_for_timeout(50)
    raise AssertionError("it did not come to this in time")
