"""The set-up finds the faults of a source in its pictures; each fault is made here on purpose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from desk.karuta.eye.source_findings import SourceRate, examine
from desk.panel.house.findings import FINDINGS
from referee.layout import Layout
from vision.field.layout_reader import LayoutReading, read_layout
from vision.field.picture_quality import edge_blur_px
from vision.frames.frame import Frame, Gray
from vision.simulator import SimulatedMatch

GOOD = SourceRate(fps=60.0, nominal_fps=60.0, lost=0, exposure_s=0.003)
Scene = tuple[list[Gray], LayoutReading]


@pytest.fixture(scope="module")
def scene() -> Scene:
    frames = iter(SimulatedMatch(7, fps=60, size=(1280, 720)))
    pictures = [next(frames).gray for _ in range(2)]
    reading = read_layout(pictures)
    assert isinstance(reading, LayoutReading)
    return pictures, reading


def found(
    scene: Scene, rate: SourceRate = GOOD, spoil: Callable[[Gray], Gray] = lambda gray: gray
) -> dict[str, str]:
    pictures, reading = scene
    frames = [Frame(spoil(gray), 1 + index, 1, index) for index, gray in enumerate(pictures)]
    return {finding["id"]: finding["status"] for finding in examine(rate, frames, reading)}


def test_a_good_camera_lacks_nothing(scene: Scene) -> None:
    assert set(found(scene).values()) == {"ok"}


def test_a_field_from_which_every_card_was_taken_is_examined_as_well(scene: Scene) -> None:
    pictures, reading = scene
    bare = LayoutReading(Layout(()), reading.geometry, (), ())
    assert found((pictures, bare))["in_view"] == "ok"


def test_outlines_of_which_hardly_one_is_a_card_do_not_tell_what_is_out_of_view(scene: Scene) -> None:
    pictures, reading = scene
    left_px = min(float(corners[:, 0].min()) for corners in reading.corners_px)
    cut = tuple(corners - [left_px + 5, 0] for corners in reading.corners_px)
    astray = replace(reading, corners_px=cut)
    assert found((pictures, astray))["in_view"] == "fail"
    few = 2
    unread = [
        replace(placed, card=placed.card if number < few else None)
        for number, placed in enumerate(reading.layout)
    ]
    assert found((pictures, replace(astray, layout=Layout(tuple(unread)))))["in_view"] == "unknown"


@pytest.mark.parametrize(
    ("rate", "lacking", "status"),
    [
        (SourceRate(31.0, 60.0, 0, 0.003), "fps", "warn"),
        (SourceRate(12.0, 60.0, 0, 0.003), "fps", "fail"),
        (SourceRate(None, None, 0, 0.003), "fps", "unknown"),
        (SourceRate(60.0, 60.0, 3, 0.003), "steady", "warn"),
        (SourceRate(60.0, 60.0, 0, 0.016), "exposure", "warn"),
        (SourceRate(60.0, 60.0, 0, None), "exposure", "unknown"),
    ],
)
def test_how_the_pictures_come(scene: Scene, rate: SourceRate, lacking: str, status: str) -> None:
    statuses = found(scene, rate)
    assert statuses.pop(lacking) == status
    assert set(statuses.values()) == {"ok"}


def test_what_a_camera_may_still_change_by_itself_is_told_before_the_match(scene: Scene) -> None:
    statuses = found(scene, replace(GOOD, automatic=("exposure", "focus")))
    assert {name for name, status in statuses.items() if status == "warn"} == {"exposure_held", "focus_held"}
    for name in statuses:
        assert name in FINDINGS
    assert set(found(scene, replace(GOOD, automatic=())).values()) == {"ok"}


def _scaled(factor: float) -> Callable[[Gray], Gray]:
    return lambda gray: np.clip(gray.astype(np.float32) * factor, 0, 255).astype(np.uint8)


def _grainy(gray: Gray) -> Gray:
    dice = np.random.default_rng(int(gray[0, :8].sum()))
    return np.clip(gray + dice.normal(0, 14, gray.shape), 0, 255).astype(np.uint8)


def _blurred(sigma_px: float) -> Callable[[Gray], Gray]:
    return lambda gray: cv2.GaussianBlur(gray, (0, 0), sigma_px).astype(np.uint8)


@pytest.mark.parametrize(
    ("spoil", "lacking", "status"),
    [
        (_scaled(0.25), "light", "fail"),
        (_scaled(0.4), "light", "warn"),
        (_scaled(1.6), "light", "fail"),
        (_grainy, "noise", "fail"),
        (_blurred(2.2), "blur", "warn"),
        (_blurred(4.0), "blur", "fail"),
    ],
    ids=["very dark", "dark", "too bright", "grainy", "soft", "out of focus"],
)
def test_what_the_pictures_show(
    scene: Scene, spoil: Callable[[Gray], Gray], lacking: str, status: str
) -> None:
    assert found(scene, spoil=spoil)[lacking] == status


@pytest.mark.parametrize("sigma_px", [1.0, 2.0, 3.0, 4.0])
def test_blur_is_measured_in_pixels(sigma_px: float) -> None:
    page = np.full((400, 400), 90, np.uint8)
    page[100:300, 100:300] = 210
    blurred = cv2.GaussianBlur(page, (0, 0), sigma_px).astype(np.uint8)
    measured = edge_blur_px(blurred)
    assert measured is not None
    assert measured == pytest.approx(sigma_px, rel=0.25, abs=0.3)
    assert edge_blur_px(np.full((400, 400), 90, np.uint8)) is None


@pytest.mark.parametrize(("cut_px", "status"), [(110, "warn"), (126, "fail")])
def test_a_small_field_that_leaves_the_picture_is_told(cut_px: int, status: str) -> None:
    small = iter(SimulatedMatch(7, fps=30, size=(640, 360)))
    pictures = [next(small).gray for _ in range(2)]
    frames = [Frame(gray[:, cut_px:], 1 + index, 1, index) for index, gray in enumerate(pictures)]
    reading = read_layout([frame.gray for frame in frames])
    assert isinstance(reading, LayoutReading)
    statuses = {finding["id"]: finding["status"] for finding in examine(GOOD, frames, reading)}
    assert statuses["scale"] == "fail"
    assert statuses["in_view"] == status


def test_without_a_field_the_picture_itself_is_looked_at(scene: Scene) -> None:
    (first, second), _ = scene
    frames = [Frame(_blurred(6.0)(gray), 1 + index, 1, index) for index, gray in enumerate((first, second))]
    statuses = {finding["id"]: finding["status"] for finding in examine(GOOD, frames, None)}
    assert statuses["blur"] == "fail"
    assert "cards" not in statuses
