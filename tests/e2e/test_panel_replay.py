"""The replay of a ruling on the match page and in the record of one file, in a real browser."""

from collections.abc import Callable
from pathlib import Path

import av
import pytest
from playwright.sync_api import Page, expect

from tests.e2e.barriers import barriers, too_wide, until
from tests.e2e.served_desk import FRAME_NS, Desk, one_take

pytestmark = pytest.mark.browser
Open = Callable[..., Page]


def test_a_replay_is_walked_measured_and_compared(desk: Desk, open_page: Open, tmp_path: Path) -> None:
    page = open_page()
    target = one_take(desk, page)
    screen = page.locator("#screen")
    expect(page.locator("#replay")).to_be_visible()
    # contacts at 800 and 830 ms; the frames begin at 400 ms and come every 8.33 ms
    expect(screen).to_have_attribute("data-index", "7030")  # 150 ms before the first contact
    page.keyboard.press("Shift+ArrowRight")
    expect(screen).to_have_attribute("data-index", "7048")
    expect(page.locator("#frame")).to_have_text("frame 49 of 120")
    expect(page.locator("#instant")).to_have_text("800.0 ms after the first sound")
    page.keyboard.press("Shift+ArrowRight")
    expect(screen).to_have_attribute("data-index", "7051")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(screen).to_have_attribute("data-index", "7053")
    page.keyboard.press("ArrowLeft")
    expect(screen).to_have_attribute("data-index", "7052")
    page.locator("#touches button").first.click()
    expect(screen).to_have_attribute("data-index", "7048")
    expect(page.locator("#ruler .moment")).to_have_count(2)
    expect(page.locator("#ruler")).to_have_attribute("aria-valuenow", "49")

    measured_on_the_mat_and_between_two_pictures(page)
    with page.expect_download() as download:
        page.locator("#film").click()
    assert download.value.suggested_filename.endswith(".mp4")
    film = tmp_path / "replay.mp4"
    download.value.save_as(film)
    with av.open(str(film)) as container:
        assert container.streams.video[0].codec_context.name == "h264"
        instants_s = [frame.time for frame in container.decode(video=0)]
    assert len(instants_s) == 121  # every picture at its own instant, and the last one stays a while
    assert instants_s[48] == pytest.approx(48 * 8 * FRAME_NS / 1e9, abs=1e-3)

    desk.settle(target)
    other = desk.card_of("near")
    desk.read(other)
    desk.rule((other, "near", 700))
    page.goto(f"{desk.address}/record?lang=en")
    page.get_by_role("link", name="Two replays side by side").click()
    screens = page.locator(".beside-replay canvas")
    for place in (0, 1):
        expect(screens.nth(place)).to_have_attribute("data-index", "7000")
    first, second = (page.locator(".beside-replay select").nth(place).input_value() for place in (0, 1))
    assert first != second
    page.locator("#at").fill("500")  # the frames begin at the kimariji, and come every 8.33 ms
    for place in (0, 1):
        expect(screens.nth(place)).to_have_attribute("data-index", "7060")
    expect(page.locator("#instant")).to_contain_text("500 ms after the kimariji")
    page.locator("#play").click()
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "true")


def measured_on_the_mat_and_between_two_pictures(page: Page) -> None:
    screen, told = page.locator("#screen"), page.locator("#measured")
    expect(screen).to_have_attribute("width", "320")
    page.locator("#measure").click()
    expect(told).to_contain_text("Tap two points")
    box = screen.bounding_box()
    assert box is not None
    scale = min(box["width"] / 320, box["height"] / 180)
    left, top = (box["width"] - 320 * scale) / 2, (box["height"] - 180 * scale) / 2

    def tap(x_px: float, y_px: float) -> None:
        screen.click(position={"x": left + x_px * scale, "y": top + y_px * scale})

    tap(100, 50)
    tap(130, 90)  # 30 and 40 pixels of 2 mm
    assert abs(float(told.inner_text().removesuffix(" mm")) - 100) < 3
    tap(100, 50)
    for _ in range(3):
        page.locator("#step-on").click()
    tap(130, 90)
    expect(told).to_contain_text("25.0 ms")
    expect(told).to_contain_text("m/s")
    page.locator("#measure").click()
    expect(told).to_be_hidden()


SOUND_WATCHED = """
window.sounded = [];
const start = AudioBufferSourceNode.prototype.start;
AudioBufferSourceNode.prototype.start = function (when, offset) {
  const data = this.buffer.getChannelData(0);
  const click = data.findIndex((value) => Math.abs(value) > 0.2) / this.buffer.sampleRate;
  window.sounded.push({ late: when - this.context.currentTime, offset, click });
  return start.call(this, when, offset);
};
"""


def test_sound_is_heard_in_step_at_real_pace_and_slow_motion_is_silent(desk: Desk, open_page: Open) -> None:
    page = open_page(script=SOUND_WATCHED)
    desk.click_ms = 800
    one_take(desk, page)
    expect(page.locator("#sound-note")).to_be_visible()
    page.locator("#play").click()
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("sounded") == [], "slow motion is silent"
    page.locator("#speed").select_option("1")
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")
    page.locator("#play").click()  # from the beginning, and the sound has arrived
    until(page, "() => sounded.length > 0")
    sounded = page.evaluate("sounded.at(-1)")
    assert sounded["click"] == pytest.approx(0.4, abs=0.002), "800 ms after the first sound"
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")
    page.locator("#sound").click()
    before = page.evaluate("sounded.length")
    page.locator("#play").click()
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")
    assert page.evaluate("sounded.length") == before, "switched off"


@pytest.mark.parametrize("language", ["en", pytest.param("ja", marks=pytest.mark.slow)])
def test_the_record_is_one_file_that_opens_without_the_desk(
    desk: Desk, open_page: Open, open_window: Open, tmp_path: Path, language: str
) -> None:
    page = open_page()
    desk.click_ms = 800
    one_take(desk, page)
    page.goto(f"{desk.address}/record?lang={language}")
    with page.expect_download() as download:
        page.locator('a[href$="/record.html"]').click()
    kept = tmp_path / "record.html"
    download.value.save_as(kept)
    asked: list[str] = []
    alone = open_window("about:blank", offline=True, bypass_csp=True)
    alone.on("request", lambda request: asked.append(request.url))
    alone.goto(kept.as_uri())
    expect(alone.locator(".poems tbody tr")).to_have_count(1)
    alone.locator(".clips summary").click()
    assert barriers(alone) == []
    assert too_wide(alone) == []
    video = alone.locator("video")
    length_s = video.evaluate(
        "video => new Promise((resolve, reject) => {"
        " video.onloadedmetadata = () => resolve(video.duration); video.onerror = reject; video.load(); })"
    )
    assert length_s > 1
    heard = video.evaluate(
        "async (video) => { await video.play(); while (!video.webkitAudioDecodedByteCount && !video.ended)"
        " await new Promise((next) => setTimeout(next, 20)); return video.webkitAudioDecodedByteCount; }"
    )
    assert heard > 0, "the replay has its sound"
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
