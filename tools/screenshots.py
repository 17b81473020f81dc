"""Take pictures of every page of the desk: real states of simulated games, refereed from their pixels.

    uv run python tools/screenshots.py [--only home] [--poems 5] [--seed 7] [--to FOLDER]

Starts `shinpan serve`, sets games up in the browser, opens their pages in the windows below, waits until so
much has been played, and writes `panel-*.jpg`. The film is a simulated one with a built-in voice, and the
phone's camera is the one that Chromium draws; a hall's mats play by dice, without pictures. Needs:
sudo apt-get install chromium fonts-noto-cjk nats-server
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path
from threading import Thread
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.book.season import played, season
from benchmarks.hall.day import hall_day
from desk.log.event_log import EventLog, LogEntry
from desk.phone.camera import PhoneSource, open_camera
from desk.phone.wish import PhoneWish
from desk.practice.events import CODEC, Attempt, Outcome, PracticeOpened
from desk.tables.source_kind import Source
from tests.desk.films.spoken_film import phone_film, reading_sound
from vision.recordings.recording import load_recording
from vision.simulator import single_poem, write_recording

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
FAKE_CAMERA = ("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream=fps=30")
SLOW = "&simulator=%20fps=30"  # pictures a second that a busy machine draws in time


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
            with served(PREPARED.get(name)) as address, sync_playwright() as playwright:
                flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", *FAKE_CAMERA]
                browser = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
                take_part(browser, address, arguments)
                browser.close()


@contextmanager
def served(prepare: Callable[[Path], None] | None = None) -> Iterator[str]:
    """Serve a desk of one part alone, so that no other game slows it down; yields its address.

    Its data lie in a folder of their own, which `prepare` may fill with logs before.
    """
    with tempfile.TemporaryDirectory() as folder:
        logs = Path(folder) / "logs"
        logs.mkdir()
        if prepare is not None:
            prepare(logs)
        words = ["serve", "--port", str(PORT), "--matches", str(logs)]
        desk = subprocess.Popen(
            [sys.executable, "-m", "desk", *words],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "XDG_DATA_HOME": folder},
        )
        try:
            assert desk.stdout is not None
            yield next(line.split()[1] for line in desk.stdout if line.startswith("panel:"))
        finally:
            desk.terminate()
            desk.wait()


def take_home(browser: Browser, address: str, arguments: argparse.Namespace) -> None:
    """Take the home page, and the set-up of a reading."""
    page = open_page(browser, address, "/home?lang=en", {"viewport": {"width": 1440, "height": 820}})
    take(page, "panel-home", arguments.to)
    page = open_page(browser, address, "/enrol/set-up?lang=en", {"viewport": {"width": 1200, "height": 620}})
    take(page, "panel-enrol-set-up", arguments.to)


def take_film(browser: Browser, address: str, arguments: argparse.Namespace) -> None:
    """Hand a simulated film in and let it be judged, with pictures of the films and of the film."""
    page = open_page(browser, address, "/films?lang=en", {"viewport": LAPTOP})
    take(page, "panel-films", arguments.to)
    with tempfile.TemporaryDirectory() as folder:
        match = single_poem("own", 2, 30, (1280, 720), cards_per_side=12)
        recording = write_recording(match, Path(folder) / "clip")
        (reading,) = load_recording(recording).readings
        sound = reading_sound([(reading.t_ms / 1e3, reading.poem)], 6.5)
        film = phone_film(recording, Path(folder) / "club-night.mp4", sound)
        page.locator('input[type="file"]').set_input_files(film)
        page.wait_for_url("**/films/film_*")
    page.locator("#readings button").first.wait_for()
    page.wait_for_timeout(1500)  # the strip of pictures is laid
    take(page, "panel-film", arguments.to)


def take_phone(browser: Browser, _address: str, arguments: argparse.Namespace) -> None:
    """Let Chromium be the phone that is the camera, with a picture of its page."""
    source = open_camera("phone", phone=PhoneWish(port=PORT + 1))
    assert isinstance(source, PhoneSource)
    Thread(target=lambda: [None for _ in source], daemon=True).start()
    link = source.station.links[0]
    door = f"https://localhost:{link.split('/')[2].rpartition(':')[2]}"
    window: dict[str, Any] = {**PHONE, "ignore_https_errors": True}
    page = open_page(browser, f"{door}/join/{link.rpartition('/')[2]}", "", window)
    page.goto(f"{door}/?lang=en")
    page.locator("#start").click()
    page.get_by_text("pictures a second arrive").wait_for()
    take(page, "panel-phone-camera", arguments.to)
    source.close()


def take_practice(browser: Browser, address: str, arguments: argparse.Namespace) -> None:
    """Practise a few cards, with pictures of the set-up, before the start, of the remote and of the end."""
    page = open_page(
        browser,
        address,
        "/practise/set-up?lang=en&simulator=%20fps=15",
        {"viewport": {"width": 1200, "height": 640}},
    )
    take(page, "panel-practice-set-up", arguments.to)
    page.locator('[name="player"]').fill("Hana")
    page.locator('[name="cards"]').fill("12")
    page.locator("#start").click()
    page.locator('[data-act="start"]:not([disabled])').wait_for()
    page.wait_for_timeout(1500)
    take(page, "panel-practice-field", arguments.to)
    page.locator('[data-act="start"]').click()
    phone = open_page(browser, address, "/practise?lang=ja", PHONE)
    phone.locator("#attempts li").nth(2).wait_for()
    take(phone, "panel-practice", arguments.to)
    page.on("dialog", lambda dialog: dialog.accept())
    page.locator('[data-act="end"]').click()
    page.locator("#over-title").wait_for()
    take(page, "panel-practice-over", arguments.to)


def take_book(browser: Browser, address: str, arguments: argparse.Namespace) -> None:
    """Take the book of a season: its players, one of them, and the page to print."""
    page = open_page(browser, address, "/book?lang=en", {"viewport": {"width": 1440, "height": 760}})
    take(page, "panel-book", arguments.to)
    window = {"viewport": {"width": 1440, "height": 1500}}
    take(
        open_page(browser, address, "/book/player?name=Hana&lang=en", window),
        "panel-book-player",
        arguments.to,
    )
    page = open_page(browser, address, "/book/player/sheet?name=Hana&lang=ja", {"viewport": LAPTOP})
    take(page, "panel-book-sheet", arguments.to)


def write_season(logs: Path) -> None:
    """Write the logs of sixty scripted matches, and of a player's practices, up to today."""
    dice, today = random.Random(3), date.today()  # noqa: DTZ011 (the players' own day)
    with tempfile.TemporaryDirectory() as folder:
        originals = [played(number, Path(folder)) for number in range(6)]
    season(logs, 60, originals, first=today - timedelta(days=60))
    for number in range(18):
        wall = f"{today - timedelta(days=54 - 3 * number)}T19:00:00.000+09:00"
        events: list[object] = [PracticeOpened(f"practice_{number}", Source.CAMERA, "Hana", "0")]
        for poem in dice.sample(range(1, 101), 20):
            time_ns = round(dice.gauss(420 - 8 * number, 90) * 1e6)
            events.append(Attempt(poem, Outcome.TAKEN, "", time_ns, 4_000_000))
        with EventLog.create(logs / f"practice_{number}.sqlite") as log:
            log.append(
                [
                    LogEntry(seq, seq, wall, "desk", *CODEC.encode(event))
                    for seq, event in enumerate(events, 1)
                ]
            )


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


def take_hall(browser: Browser, _address: str, arguments: argparse.Namespace) -> None:
    """Take the board of a hall whose mats play a round by dice, and the tournament's page."""
    with hall_day(PORT + 2) as address:
        page = open_page(browser, address, "/tournament?lang=en", {"viewport": LAPTOP})
        page.locator("#draw").click()
        page.locator("#place-round").click()
        board = open_page(browser, address, "/?lang=ja", {"viewport": {"width": 1440, "height": 760}})
        page.locator(".proposed").nth(2).wait_for()
        take(board, "panel-hall", arguments.to)
        page.locator(".proposed").first.click()
        page.locator(".player.won").first.wait_for()
        take(page, "panel-tournament", arguments.to)


def take_karuta(browser: Browser, address: str, arguments: argparse.Namespace) -> None:
    """Set a simulated match up and play it, with pictures of its set-up, of it and of its record."""
    set_up(browser, address, arguments.seed, arguments.to)
    take_match(browser, address, arguments.poems, arguments.to)
    for name, window in AFTERWARDS.items():
        take(open_page(browser, address, *window), name, arguments.to)


def take_table(browser: Browser, address: str, game: str, to: Path) -> Page:
    """Set a simulated game at a card table up, with a picture of the set-up, and start it."""
    page = open_page(
        browser, address, f"/{game}/set-up?lang=en", {"viewport": {"width": 1440, "height": 1040}}
    )
    page.locator("#source-form .primary").click()
    page.locator("#findings li.ok").nth(2).wait_for()
    page.wait_for_timeout(800)
    page.evaluate("scrollTo(0, 0)")
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
    print(picture, flush=True)


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
    "film": take_film,
    "phone": take_phone,
    "practice": take_practice,
    "book": take_book,
    "reading": take_reading,
    "hall": take_hall,
    "karuta": take_karuta,
    "koikoi": take_koikoi,
    "kendo": take_kendo,
}
"""Which part of the desk takes which pictures."""
PREPARED: Mapping[str, Callable[[Path], None]] = {"book": write_season}
"""What fills the folder of logs before a part is served."""


if __name__ == "__main__":
    main()
