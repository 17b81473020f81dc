"""A film is dropped on the page, one of its poems is corrected, and the annotated clip is downloaded."""

import base64
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import av
import pytest
from playwright.sync_api import Page, expect

from desk.shelf.film_process import FilmProcess
from desk.shelf.shelf import Shelf
from tests.desk.films.spoken_film import phone_film, reading_sound
from tests.desk.karuta.scripted_house import ScriptedHouse
from tests.desk.shelf.judged_shelf import BOUT, IdleProcess, small_film
from tests.e2e.barriers import barriers, too_wide
from tests.e2e.served_desk import Desk
from vision.recordings.recording import RecordedReading, load_recording
from vision.simulator import single_poem, write_recording

pytestmark = pytest.mark.browser
Open = Callable[..., Page]
DROP = """([name, data]) => {
  const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0));
  const handed = new DataTransfer();
  handed.items.add(new File([bytes], name, { type: "video/mp4" }));
  const event = new DragEvent("drop", { dataTransfer: handed, bubbles: true, cancelable: true });
  document.getElementById("drop").dispatchEvent(event);
}"""


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path / "films", tmp_path / "matches", process=FilmProcess(nice=0))


@pytest.fixture
def film_desk(tmp_path: Path, shelf: Shelf) -> Iterator[Desk]:
    running = Desk(tmp_path, house=ScriptedHouse(), films=shelf)
    yield running
    running.run(shelf.close)
    running.close()


def filmed(folder: Path) -> tuple[Path, RecordedReading]:
    """Return a phone's film of one poem, and what is read in it when."""
    match = single_poem("own", 2, 30, (640, 360), cards_per_side=6)
    recording = write_recording(match, folder / "clip")
    (reading,) = load_recording(recording).readings
    sound = reading_sound([(reading.t_ms / 1e3, reading.poem)], 6.5)
    return phone_film(recording, folder / "phone.mp4", sound), reading


def widths_hold(page: Page) -> None:
    """No accessibility faults on a laptop and on a phone, and nothing overflows the page."""
    for width in (1280, 360):
        assert (too_wide(page, (width,)), barriers(page)) == ([], []), width


def test_a_film_is_judged_corrected_by_keyboard_and_its_clip_taken_along(
    film_desk: Desk, open_window: Open, tmp_path: Path
) -> None:
    film, reading = filmed(tmp_path)
    page = open_window(f"{film_desk.address}/films?lang=en", bypass_csp=True)
    widths_hold(page)
    page.evaluate(DROP, ["phone.mp4", base64.b64encode(film.read_bytes()).decode()])
    page.wait_for_url("**/films/film_*")
    marker = page.locator("#readings button")
    patience_ms = 240_000  # what judges leaves the machine to everything else
    expect(marker).to_have_attribute(
        "class", "near", timeout=patience_ms
    )  # the sound told the poem, the picture who took it
    expect(page.locator("#sentence")).to_contain_text("Near takes")
    expect(page.locator("#field .card")).to_have_count(12)
    page.locator("#replay").wait_for()
    widths_hold(page)

    # the poem was another one: the keyboard alone says so
    page.locator("#other-poem").focus()
    page.keyboard.press("Enter")
    dead = next(number for number in range(1, 101) if number != reading.poem and not _lies(page, number))
    page.keyboard.type(str(dead))
    page.keyboard.press("Enter")
    expect(page.locator("#read-poem")).to_contain_text(f"({dead})", timeout=patience_ms)
    expect(page.locator("#sentence")).to_contain_text("Dead card")
    expect(page.locator("#sentence")).to_contain_text("Near faults")

    with page.expect_download() as download:
        page.locator("#clip").focus()
        page.keyboard.press("Enter")
    clip = tmp_path / "shared.mp4"
    download.value.save_as(clip)
    with av.open(str(clip)) as container:
        stream = container.streams.video[0]
        assert (stream.codec_context.name, stream.codec_context.pix_fmt) == ("h264", "yuv420p")
        assert (stream.width, stream.height > 720) == (1280, True)  # the ruling stands under the picture
        assert float(container.duration or 0) / 1e6 > 8  # of a good second, in slow motion

    onset = page.locator("#onset")
    onset.focus()
    before = onset.get_attribute("aria-valuenow")
    page.keyboard.press("Shift+ArrowRight")
    assert int(onset.get_attribute("aria-valuenow") or 0) == int(before or 0) + 100
    expect(page.locator("#onset-set")).to_be_enabled()

    page.goto(f"{page.url.partition('?')[0]}?lang=ja")
    page.locator("#replay").wait_for()
    widths_hold(page)


def _lies(page: Page, card: int) -> bool:
    text: Any = page.evaluate(
        "(card) => JSON.parse(document.getElementById('faces').textContent)[card].join('')", card
    )
    labels = page.locator("#field .card").evaluate_all(
        "(cards) => cards.map((card) => card.getAttribute('aria-label'))"
    )
    return any(str(text) in label for label in labels)


def test_an_upload_goes_on_where_it_stopped(open_window: Open, tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "films", tmp_path / "matches", process=IdleProcess())  # type: ignore[arg-type]
    desk = Desk(tmp_path, house=ScriptedHouse(), films=shelf)
    try:
        _upload(open_window(f"{desk.address}/films?lang=en"), tmp_path)
    finally:
        desk.close()
    assert shelf.uploads.listed() == []


def test_a_card_table_is_walked_through_step_by_step(open_window: Open, tmp_path: Path) -> None:
    process = IdleProcess()
    shelf = Shelf(tmp_path / "films", tmp_path / "matches", process=process)  # type: ignore[arg-type]
    desk = Desk(tmp_path, house=ScriptedHouse(), films=shelf)
    film = small_film(tmp_path / "bout.mp4", seconds=5)
    try:
        page = open_window(f"{desk.address}/films?lang=en", bypass_csp=True)
        page.locator("#file").set_input_files(film)
        page.wait_for_url("**/films/film_*")
        process.finish(BOUT)
        steps = page.locator("#parts .step")
        expect(steps).to_have_count(3)  # the page learns of it by itself
        assert steps.nth(1).get_attribute("aria-current") == "step"  # the first that was flagged
        expect(page.locator("#instant")).to_contain_text("after the cards lay still")
        expect(page.locator("#frame")).to_have_text("frame 1 of 23")
        widths_hold(page)
        steps.nth(2).focus()
        page.keyboard.press("Enter")
        expect(page.locator("#parts .step[aria-current]")).to_contain_text("does not answer")
        expect(page.locator("#bundle")).to_have_attribute("href", re.compile(r"/3\.zip$"))
        page.locator("#again").click()
        page.locator("#answer select[name=game]").select_option("koikoi")
        expect(page.locator("#answer select[name=dealer]")).to_be_visible()
        expect(page.locator("#answer input[name=poems]")).to_be_hidden()
    finally:
        desk.close()


def _upload(page: Page, tmp_path: Path) -> None:
    """Lose the first part of an upload on its way."""
    lost = {"left": 1}

    def break_the_line(route: Any) -> None:
        if lost["left"]:
            lost["left"] -= 1
            route.abort("connectionreset")
        else:
            route.continue_()

    page.route("**/api/films/uploads/*", break_the_line)
    film = tmp_path / "long.mp4"
    film.write_bytes(b"no film" * 2_000_000)  # two parts
    page.locator("#file").set_input_files(film)
    page.wait_for_url("**/films/film_*")
    expect(page.locator("#state")).to_contain_text("Waits for another film")
    (stored,) = tmp_path.glob("films/film_*/film.mp4")
    assert stored.read_bytes() == film.read_bytes()
    assert lost["left"] == 0
