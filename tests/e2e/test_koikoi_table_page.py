"""The table is drawn over the live picture in a real browser, and the real eye finds its cards there."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from desk.koikoi.card_game import KOIKOI
from desk.koikoi.events import Seen
from desk.tables.drawn_table import DrawnTable
from desk.tables.eye import CardTableEye
from desk.tables.table_opening import OpenedTable
from tests.e2e.served_koikoi import KoiKoiTable
from vision.frames.frame import Frame
from vision.plane.printed_table import koikoi_table
from vision.plane.table_plane import TablePlane, corners_of
from vision.simulator.art.hanafuda import drawn_deck

pytestmark = pytest.mark.browser

PLANE = TablePlane((800.0, 560.0), np.array([[1.12, 0.01, 185.0], [0.02, 1.13, 45.0], [2e-5, 1e-5, 1.0]]))


def bare_cloth(index: int) -> Frame:
    """A cloth without markers."""
    cloth = np.full((720, 1280, 3), (110, 80, 50), np.uint8)
    outline = PLANE.pixels(np.array([[0, 0], [800, 0], [800, 560], [0, 560]], np.float64))
    cv2.polylines(cloth, [np.rint(outline).astype(np.int32)], True, (200, 190, 180), 2)
    return Frame(cloth[:, :, 1], index * 66_000_000, 1, index, None, lambda: cloth)


@pytest.fixture
def eye() -> CardTableEye[Seen]:
    table: Any = None
    eye = KOIKOI.eye(OpenedTable(table, "camera", drawn_deck(), koikoi_table(2).zones))
    for index in range(5):
        eye.feed(bare_cloth(index))
    return eye


@pytest.fixture
def table(tmp_path: Path, eye: CardTableEye[Seen]) -> Iterator[KoiKoiTable]:
    drawn = DrawnTable(eye, eye.zones, tmp_path / "kept.toml")
    running = KoiKoiTable(tmp_path, drawn_table=drawn, preview=eye.preview)
    yield running
    running.close()


def tap(page: Page, x: float, y: float) -> None:
    box = page.locator("#overlay").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])


def tap_mm(page: Page, x_mm: float, y_mm: float) -> None:
    x, y = PLANE.pixels(np.array([x_mm, y_mm])) / (1280, 720)
    tap(page, float(x), float(y))


def test_corners_and_a_zone_are_tapped_and_kept(
    table: KoiKoiTable, eye: CardTableEye[Seen], open_window: Callable[..., Page], tmp_path: Path
) -> None:
    page = open_window(f"{table.address}/koikoi?lang=en")
    page.locator(".camera summary").click()
    page.get_by_role("link", name="Draw the table").click()
    expect(page.locator("#sentence")).to_contain_text("The markers are not seen yet")
    page.locator("#markers").uncheck()
    expect(page.locator("#sentence")).to_contain_text("Tap the table's four corners")
    # in any order: they are put in order around the table
    for x_mm, y_mm in ((800, 560), (0, 0), (0, 560), (800, 0)):
        tap_mm(page, x_mm, y_mm)
    page.get_by_label("Stock", exact=True).check()
    expect(page.locator("#sentence")).to_have_text("Tap two opposite corners: Stock")
    tap_mm(page, 690, 270)
    tap_mm(page, 610, 170)
    page.get_by_label("The middle").check()
    page.get_by_label("left", exact=True).fill("90")
    page.locator("#keep").click()
    expect(page.locator("#sentence")).to_contain_text("Kept: the table counts from now on")
    tapped = eye.zones  # a name of its own: the page changes what the eye holds
    assert tapped.corners is not None
    np.testing.assert_allclose(tapped.corners, corners_of(PLANE, (1280, 720)), atol=0.003)
    zones = {zone.name: zone.rect for zone in tapped.zones}
    np.testing.assert_allclose(zones["stock"], (610, 170, 690, 270), atol=3)
    np.testing.assert_allclose(zones["field"], (90, 180, 560, 380), atol=1e-9)
    page.reload()
    expect(page.locator("#markers")).not_to_be_checked()
    page.locator("#forget").click()
    expect(page.locator("#sentence")).to_have_text("The printed mat counts again")
    printed = eye.zones
    assert printed.corners is None
    assert not (tmp_path / "kept.toml").exists()
