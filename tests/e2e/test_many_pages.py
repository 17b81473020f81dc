"""Many pages of one browser: each follows the match, and commands get through."""

import asyncio
from collections.abc import Callable

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.e2e.served_desk import PATIENCE_S, Desk, begin

pytestmark = pytest.mark.browser
Open = Callable[..., Page]
MOST_CONNECTIONS = 6  # to one host, in every browser (HTTP/1.1)
NO_SOCKETS = """
window.WebSocket = class { constructor() { setTimeout(() => this.onclose?.(), 0); } close() {} };
"""
"""As where something on the way lets no WebSocket through."""


@pytest.fixture
def asked(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Give the desk a camera, and count how often its picture is asked for."""
    jpeg = cv2.imencode(".jpg", np.full((48, 64), 128, np.uint8))[1].tobytes()
    times: list[int] = []

    def preview() -> bytes:
        times.append(len(times))
        return jpeg + bytes([len(times) % 256])  # a picture that did not change is not sent again

    monkeypatch.setattr(desk.port, "preview", preview)
    return times


def test_commands_get_through_with_many_pages_open(desk: Desk, open_page: Open, asked: list[int]) -> None:
    first = open_page()
    others = []
    for _ in range(MOST_CONNECTIONS + 1):
        page = first.context.new_page()
        page.goto(first.url)
        others.append(page)
    for page in [first, *others]:
        expect(page.locator("#line")).to_have_attribute("data-line", "connected")
        expect(page.locator("#camera")).to_be_visible()
    begin(desk, first)
    first.locator("#pause-button").click()
    for page in [first, *others]:
        expect(page.locator("#resume-button")).to_be_visible()
    assert asked


def test_a_page_follows_without_websockets(desk: Desk, open_window: Open, asked: list[int]) -> None:
    page = open_window(f"{desk.address}/?lang=en", NO_SOCKETS)
    expect(page.locator("#line")).to_have_attribute("data-line", "connected")
    expect(page.locator("#camera")).to_be_visible()
    begin(desk, page)


def test_a_command_that_nobody_answers_says_so(desk: Desk, open_window: Open) -> None:
    soon = "const limit = AbortSignal.timeout; AbortSignal.timeout = () => limit.call(AbortSignal, 200);"
    page = open_window(f"{desk.address}/?lang=en", soon)
    page.locator('#line[data-line="connected"]').wait_for()
    begin(desk, page)

    async def hang(_command: object) -> None:
        await asyncio.sleep(PATIENCE_S)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(desk.port, "command", hang)
        page.locator("#pause-button").click()
        expect(page.locator("#refusal")).to_contain_text("The desk did not answer")
    page.locator("#pause-button").click()
    expect(page.locator("#resume-button")).to_be_visible()
