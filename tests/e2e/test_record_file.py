"""The record as one file: it opens from a disk, without the desk, and plays its replays."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.barriers import barriers, too_wide
from tests.e2e.served_desk import Desk, one_take

pytestmark = pytest.mark.browser
Open = Callable[..., Page]


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
