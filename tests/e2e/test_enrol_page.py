"""The enrolment page in a real browser, with a scripted camera."""

from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from desk.enrolment.port import CameraEnrolment
from desk.enrolment.session import EnrolSession
from desk.panel.enrolment.routes import create_enrol_app
from desk.tables.simulated.scripted_table import ScriptedTable
from desk.tables.source_kind import Source
from tests.desk.deck_photo_maker import month_by_column, photo_of
from tests.e2e.barriers import barriers
from tests.e2e.served_table import ServedApp
from vision.frames.frame import Frame
from vision.simulator.art.hanafuda import drawn_deck

pytestmark = pytest.mark.browser


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    picture = photo_of(drawn_deck(), month_by_column(), (1600, 900))
    gray = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)

    def frames() -> Iterator[Frame]:
        for index in range(3):
            yield Frame(gray, index * 10_000_000, 1, index, render_colour=lambda: picture)

    table = ScriptedTable(frames, Source.VIDEO, "test", 30.0, 100.0)
    enrolment = CameraEnrolment(EnrolSession("hanafuda", "mine"), table)
    enrolment.begin()
    served = ServedApp(create_enrol_app(enrolment))
    yield served.address
    served.close()
    enrolment.end()


@pytest.mark.parametrize("language", ["en", pytest.param("ja", marks=pytest.mark.slow)])
def test_a_deck_is_taken_and_kept_and_axe_finds_nothing(
    open_window: Callable[..., Page], address: str, language: str
) -> None:
    page = open_window(f"{address}/enrol?lang={language}", bypass_csp=True)
    expect(page.locator("#asked li")).to_have_count(4)
    page.locator("#take").click()
    expect(page.locator("#taken li")).to_have_count(48)
    page.locator("#keep").click()
    expect(page.locator("#sentence")).to_contain_text("mine.deck.zip")
    assert barriers(page) == []
