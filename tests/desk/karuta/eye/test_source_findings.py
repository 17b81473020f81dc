"""Faults of a source, each made here on purpose: found in the set-up, and told while they last in a match."""

import time
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from desk.karuta.eye.source_findings import PictureChecks, SourceRate, examine
from desk.panel.house.setup_view import FINDINGS
from referee.layout import Layout
from vision.field.layout_reader import LayoutReading, read_layout
from vision.frames.frame import Frame, Gray
from vision.simulator import SimulatedMatch

GOOD = SourceRate(fps=60.0, nominal_fps=60.0, lost=0, exposure_s=0.003)
SECOND_NS = 1_000_000_000
DICE = np.random.default_rng(5)
Scene = tuple[list[Gray], LayoutReading]
Spoil = Callable[[Gray], Gray]


@pytest.fixture(scope="module")
def scene() -> Scene:
    frames = iter(SimulatedMatch(7, fps=60, size=(1280, 720)))
    pictures = [next(frames).gray for _ in range(2)]
    reading = read_layout(pictures)
    assert isinstance(reading, LayoutReading)
    return pictures, reading


def found(scene: Scene, rate: SourceRate = GOOD, spoil: Spoil = lambda gray: gray) -> dict[str, str]:
    pictures, reading = scene
    frames = [Frame(spoil(gray), 1 + index, 1, index) for index, gray in enumerate(pictures)]
    return {finding["id"]: finding["status"] for finding in examine(rate, frames, reading)}


def test_a_good_camera_lacks_nothing(scene: Scene) -> None:
    assert set(found(scene).values()) == {"ok"}
    pictures, reading = scene
    bare = LayoutReading(Layout(()), reading.geometry, (), ())
    assert found((pictures, bare))["in_view"] == "ok", "every card was taken"


def test_outlines_of_which_hardly_one_is_a_card_do_not_tell_what_is_out_of_view(scene: Scene) -> None:
    pictures, reading = scene
    left_px = min(float(corners[:, 0].min()) for corners in reading.corners_px)
    cut = tuple(corners - [left_px + 5, 0] for corners in reading.corners_px)
    astray = replace(reading, corners_px=cut)
    assert found((pictures, astray))["in_view"] == "fail"
    unread = [
        replace(placed, card=placed.card if number < 2 else None)
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
    assert statuses.keys() <= FINDINGS.keys()


def _scaled(factor: float) -> Spoil:
    return lambda gray: np.clip(gray.astype(np.float32) * factor, 0, 255).astype(np.uint8)


def _grainy(gray: Gray) -> Gray:
    return np.clip(gray + DICE.normal(0, 14, gray.shape), 0, 255).astype(np.uint8)


def _blurred(sigma_px: float) -> Spoil:
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
def test_what_the_pictures_show(scene: Scene, spoil: Spoil, lacking: str, status: str) -> None:
    assert found(scene, spoil=spoil)[lacking] == status


# --- once a second in a match ----------------------------------------------------------------------------
@pytest.fixture(scope="module")
def field() -> tuple[Gray, LayoutReading]:
    picture = next(iter(SimulatedMatch(7, fps=60, size=(960, 540), cards_per_side=4))).gray
    reading = read_layout([picture])
    assert isinstance(reading, LayoutReading)
    return picture, reading


class Hall:
    """A source that is checked for some seconds, with two pictures per second."""

    def __init__(self, field: tuple[Gray, LayoutReading]) -> None:
        self.checks = PictureChecks()
        self.picture, self.reading = field
        self.second = 0

    def pass_by(
        self,
        seconds: int,
        spoil: Callable[[Gray, int], Gray] = lambda gray, _second: gray,
        rate: SourceRate = GOOD,
        *,
        moved: bool = False,
        covered: bool = False,
    ) -> set[str]:
        """Let seconds pass, and return the warnings after each."""
        for _ in range(seconds):
            frames = [
                Frame(spoil(self.picture, self.second), self.second * SECOND_NS + at, 1, at)
                for at in (1, SECOND_NS // 2)
            ]
            for frame in frames:
                self.checks.feed(frame, moved=moved, covered=covered)
                moved = False
            deadline_s = time.monotonic() + 10.0
            while not self.checks.is_due(self.reading) and time.monotonic() < deadline_s:
                time.sleep(0.002)
            self.checks.look(rate, frames, self.reading)
            self.second += 1
        return set(self.checks.warnings())


@pytest.fixture
def hall(field: tuple[Gray, LayoutReading]) -> Hall:
    return Hall(field)


def _hunting(gray: Gray, second: int) -> Gray:
    return _blurred(4.0)(gray) if second % 3 == 0 else gray


@pytest.mark.parametrize(
    ("spoil", "says"),
    [(_scaled(0.25), "dark"), (_scaled(1.6), "too_bright"), (_blurred(4.0), "blurred"), (_grainy, "noisy")],
)
def test_a_poor_picture_is_told_within_four_seconds_until_mended(hall: Hall, spoil: Spoil, says: str) -> None:
    assert hall.pass_by(3) == set()
    assert says in hall.pass_by(4, lambda gray, _: spoil(gray))
    assert hall.pass_by(12) == set()


def test_one_poor_picture_alone_is_no_warning_and_a_lens_that_hunts_is_told_all_the_time(hall: Hall) -> None:
    hall.pass_by(3)
    hall.pass_by(1, _hunting)
    assert hall.pass_by(1) == set()
    hall.pass_by(9, _hunting)
    assert all("blurred" in hall.pass_by(1, _hunting) for _ in range(4))


@pytest.mark.parametrize(
    ("rate", "says"),
    [
        (SourceRate(10.0, 10.0, 0, None), {"few_pictures"}),
        (SourceRate(60.0, 60.0, 30, None), {"drops"}),
        (SourceRate(60.0, 60.0, 3, None), set()),
    ],
)
def test_too_few_and_lost_pictures_are_told(hall: Hall, rate: SourceRate, says: set[str]) -> None:
    assert hall.pass_by(4, rate=rate) == says


def test_a_knock_is_told_for_ten_seconds(hall: Hall) -> None:
    assert hall.pass_by(1, moved=True) == {"camera_moved"}
    assert hall.pass_by(8) == {"camera_moved"}
    assert hall.pass_by(3) == set()


def test_hands_that_leave_soon_hide_nothing(hall: Hall) -> None:
    hall.pass_by(1)
    assert hall.pass_by(3, covered=True) == set()
    assert hall.pass_by(2, covered=True) == {"view_blocked"}
    assert hall.pass_by(1) == set()


def test_a_look_that_fails_is_told_and_ends_no_match(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr("desk.karuta.eye.source_findings.examine", broken)
    assert hall.pass_by(3) == set()
    assert capsys.readouterr().err.count("the pictures could not be examined: by zero") == 2


def test_light_that_wanders_is_remembered_with_its_instant(hall: Hall) -> None:
    hall.pass_by(4)
    assert not hall.checks.light_wandered_since(0)
    was_unsteady = hall.checks.light_is_unsteady
    hall.pass_by(3, lambda gray, _: _scaled(0.25)(gray))
    assert hall.checks.light_wandered_since(4 * SECOND_NS)
    assert (was_unsteady, hall.checks.light_is_unsteady) == (False, True)
    assert not hall.checks.light_wandered_since(8 * SECOND_NS)


def test_a_card_that_a_person_names_is_looked_at_though_no_picture_comes(hall: Hall) -> None:
    hall.pass_by(1)
    named, deadline_s = replace(hall.reading), time.monotonic() + 10.0
    while not hall.checks.is_due(named) and time.monotonic() < deadline_s:
        time.sleep(0.002)
    assert hall.checks.is_due(named)
    assert not hall.checks.is_due(hall.reading)
