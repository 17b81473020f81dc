"""Take pictures of every page of the desk: real states of simulated games, refereed from their pixels.

    uv run python tools/screenshots.py [--only home] [--poems 5] [--seed 7] [--to FOLDER]

Starts `shinpan serve`, sets games up in the browser, opens their pages in the windows below, waits until so
much has been played, and writes `panel-*.jpg`. Needs a Chromium:
sudo apt-get install chromium fonts-noto-cjk
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

IMAGES = Path(__file__).parents[1] / "docs" / "images"
CHROMIUM = "/usr/bin/chromium"
PORT = 8377
LAPTOP = {"width": 1440, "height": 900}
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2}
WINDOWS: Mapping[str, tuple[str, dict[str, Any]]] = {
    "panel-laptop": ("/?lang=en", {"viewport": LAPTOP}),
    "panel-laptop-dark": ("/?lang=ja", {"viewport": LAPTOP, "color_scheme": "dark"}),
    "panel-phone": ("/?lang=ja", PHONE),
    "panel-projector": ("/?lang=ja&mode=projector", {"viewport": {"width": 1920, "height": 1080}}),
}
"""Address and window of each picture of the running match."""
AFTERWARDS: Mapping[str, tuple[str, dict[str, Any]]] = {
    "panel-record": ("/record?lang=en", {"viewport": LAPTOP}),
    "panel-matches": ("/matches?lang=ja", {"viewport": {"width": 1024, "height": 520}}),
}
TABLET = {"viewport": {"width": 820, "height": 1180}}
PATIENCE_MS = 300_000
SLOW = "&simulator=%20fps=30"
"""Pictures a second that a busy machine draws in time."""


def main() -> None:
    """Take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--poems", type=int, default=5, help="so many poems are ruled before (default: 5)")
    parser.add_argument("--seed", type=int, default=7, help="the dice of the match (default: 7)")
    parser.add_argument("--only", choices=tuple(PARTS), help="take the pictures of one part of the desk")
    parser.add_argument("--to", type=Path, default=IMAGES, metavar="FOLDER", help="where the pictures go")
    arguments = parser.parse_args()
    arguments.to.mkdir(parents=True, exist_ok=True)
    for name, take_part in PARTS.items():
        if arguments.only in {None, name}:
            with served() as address, sync_playwright() as playwright:
                flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
                browser = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
                take_part(browser, address, arguments)
                browser.close()


@contextmanager
def served() -> Iterator[str]:
    """Serve a desk of one part alone, so that no other game slows it down; yields its address."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["serve", "--port", str(PORT), "--matches", folder]
        desk = subprocess.Popen([sys.executable, "-m", "desk", *words], stdout=subprocess.PIPE, text=True)
        try:
            assert desk.stdout is not None
            yield next(line.split()[1] for line in desk.stdout if line.startswith("panel:"))
        finally:
            desk.terminate()
            desk.wait()


def take_home(browser: Browser, address: str, arguments: argparse.Namespace) -> None:
    """Take the home page, and the set-up of a reading."""
    page = open_page(browser, address, "/home?lang=en", {"viewport": {"width": 1440, "height": 560}})
    take(page, "panel-home", arguments.to)
    take(open_page(browser, address, "/films?lang=en", {"viewport": LAPTOP}), "panel-films", arguments.to)


def take_reading(browser: Browser, address: str, arguments: argparse.Namespace) -> None:
    """Let the first poem be read, with pictures of the set-up and of the remote control."""
    page = open_page(browser, address, "/recite/set-up?lang=en", {"viewport": {"width": 1200, "height": 780}})
    take(page, "panel-reading-set-up", arguments.to)
    page.locator('label:has([value="none"])').click()
    page.locator('[name="mode"]').select_option("kami-only")
    page.locator("#start").click()
    page.wait_for_url("**/recite")
    phone = open_page(browser, address, "/recite?lang=ja", PHONE)
    phone.locator("#poem:not([hidden]):not(:empty)").wait_for()
    take(phone, "panel-reading", arguments.to)


def take_karuta(browser: Browser, address: str, arguments: argparse.Namespace) -> None:
    """Set a simulated match up and play it, with pictures of its set-up, of it and of its record."""
    set_up(browser, address, arguments.seed, arguments.to)
    take_match(browser, address, arguments.poems, arguments.to)
    for name, window in AFTERWARDS.items():
        take(open_page(browser, address, *window), name, arguments.to)
    page = open_page(browser, address, "/book?lang=en", {"viewport": LAPTOP})
    take(page, "panel-book", arguments.to)
    if page.get_by_role("link", name="Hana").count():
        page.get_by_role("link", name="Hana").first.click()
        take(page, "panel-book-player", arguments.to)


def take_table(browser: Browser, address: str, game: str, to: Path) -> Page:
    """Set a simulated game at a card table up, with a picture of the set-up, and start it."""
    page = open_page(
        browser, address, f"/{game}/set-up?lang=en", {"viewport": {"width": 1440, "height": 1040}}
    )
    page.locator("#source-form .primary").click()
    page.locator("#findings li.ok").nth(2).wait_for()
    page.wait_for_timeout(800)
    take(page, f"panel-{game}-set-up", to)
    for seat, name in enumerate(("Hana", "Jun")):
        page.locator('[name="names"]').nth(seat).fill(name)
    page.locator("#start").click()
    page.locator("#sentence").wait_for()
    return page


def set_up(browser: Browser, address: str, seed: int, to: Path) -> None:
    """Set a simulated match up, with a picture of the set-up on a laptop and on a phone, and start it."""
    page = open_page(
        browser, address, f"/set-up?lang=en{SLOW}", {"viewport": {"width": 1440, "height": 1180}}
    )
    page.locator('[name="seed"]').fill(str(seed))
    page.locator("#source-form .primary").click()
    page.locator("#findings li").nth(9).wait_for()
    page.locator("#field .card").nth(49).wait_for()
    take(page, "panel-set-up", to)
    page.locator('[name="near"]').fill("Hana")
    page.locator('[name="far"]').fill("Jun")
    page.locator("#start").click()
    page.locator("#timeline").wait_for(state="attached")
    page.context.close()


def take_match(browser: Browser, address: str, poems: int, to: Path) -> None:
    """Open every window, wait for the ruling, and take the pictures while it stands."""
    pages = {name: open_page(browser, address, *window) for name, window in WINDOWS.items()}
    for name, page in pages.items():
        page.locator("#timeline li").nth(poems - 1).wait_for()
        page.locator("#badge").wait_for()
        page.locator("#screen[data-index]").wait_for()
        page.keyboard.press("Shift+ArrowRight")  # the replay stands at the first contact
        page.wait_for_timeout(300)
        take(page, name, to)


def open_page(browser: Browser, address: str, path: str, window: dict[str, Any]) -> Page:
    """Open the panel in a window of its own."""
    # without motion the replay does not play by itself
    page = browser.new_context(reduced_motion="reduce", **window).new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(address + path)
    return page


def take(page: Page, name: str, to: Path) -> None:
    """Write what a window shows: a JPEG has a quarter of the size of a PNG."""
    picture = to / f"{name}.jpg"
    page.screenshot(path=picture, type="jpeg", quality=86)
    print(picture)


def take_koikoi(browser: Browser, address: str, arguments: argparse.Namespace) -> None:
    """Play a simulated game of Koi-Koi, with pictures of its set-up, of the page and of a round's story."""
    take_table(browser, address, "koikoi", arguments.to)
    page = open_page(browser, address, "/koikoi?lang=en", TABLET)
    page.locator('[data-player="0"] .cards [data-card]').nth(7).wait_for()
    page.locator(".away").first.wait_for()
    take(page, "panel-koikoi", arguments.to)
    page = open_page(browser, address, "/koikoi/rounds/1?lang=ja", {"viewport": LAPTOP})
    take(page, "panel-koikoi-story", arguments.to)
    for name, path in (("table", "/koikoi/table?lang=en"), ("evening", "/koikoi/evening?lang=en")):
        take(open_page(browser, address, path, {"viewport": LAPTOP}), f"panel-koikoi-{name}", arguments.to)


def take_kendo(browser: Browser, address: str, arguments: argparse.Namespace) -> None:
    """Play a simulated bout of the Kendo cards, with pictures of its set-up and of the page."""
    take_table(browser, address, "kendo", arguments.to)
    page = open_page(browser, address, "/kendo?lang=en", TABLET)
    page.locator("#notes li").nth(5).wait_for()
    page.locator(".side .cards li").first.wait_for()
    take(page, "panel-kendo", arguments.to)


PARTS = {
    "home": take_home,
    "reading": take_reading,
    "karuta": take_karuta,
    "koikoi": take_koikoi,
    "kendo": take_kendo,
}
"""Which part of the desk takes which pictures."""


if __name__ == "__main__":
    main()
