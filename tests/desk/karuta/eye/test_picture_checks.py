"""Problems of the pictures during a match are shown within ten seconds, and only while they last."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from desk.karuta.eye.source_findings import PictureChecks, SourceRate
from vision.field.layout_reader import LayoutReading, read_layout
from vision.frames.frame import Frame, Gray
from vision.simulator import SimulatedMatch

GOOD = SourceRate(fps=60.0, nominal_fps=60.0, lost=0, exposure_s=0.003)
SECOND_NS = 1_000_000_000
Spoil = Callable[[Gray, int], Gray]


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
        spoil: Spoil = lambda gray, _second: gray,
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


def _dark(gray: Gray, _second: int) -> Gray:
    return (gray * 0.25).astype(np.uint8)


def _bright(gray: Gray, _second: int) -> Gray:
    return np.asarray(np.clip(gray * 1.6, 0, 255), np.uint8)


def _blurred(gray: Gray, _second: int) -> Gray:
    return np.asarray(cv2.GaussianBlur(gray, (0, 0), 4.0), np.uint8)


def _hunting(gray: Gray, second: int) -> Gray:
    return _blurred(gray, second) if second % 3 == 0 else gray


_DICE = np.random.default_rng(5)


def _grainy(gray: Gray, _second: int) -> Gray:
    grain = _DICE.normal(0, 14, gray.shape).astype(np.float32)
    return np.asarray(np.clip(gray + grain, 0, 255), np.uint8)


@pytest.mark.parametrize(
    ("spoil", "says"), [(_dark, "dark"), (_bright, "too_bright"), (_blurred, "blurred"), (_grainy, "noisy")]
)
def test_a_poor_picture_is_told_within_four_seconds_and_until_it_is_mended(
    hall: Hall, spoil: Spoil, says: str
) -> None:
    assert hall.pass_by(3) == set()
    assert says in hall.pass_by(4, spoil)
    assert hall.pass_by(12) == set()


def test_one_poor_picture_alone_is_no_warning(hall: Hall) -> None:
    hall.pass_by(3)
    hall.pass_by(1, _blurred)
    assert hall.pass_by(1) == set()


def test_a_lens_that_hunts_is_told_all_the_time(hall: Hall) -> None:
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
    hall.pass_by(3, _dark)
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
