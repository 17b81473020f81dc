"""Pictures with a wrong orientation of the field: people get the kind of error and the remedy."""

from collections.abc import Callable
from itertools import islice

import cv2
import numpy as np
import pytest

from calibration.finding import Status
from vision.field.layout_reader import LayoutReading, read_layout
from vision.field.wrong_view import MEND, Wrong, WrongView, held_rightly
from vision.frames.frame import Frame, Gray
from vision.match.camera_check import check_camera
from vision.match.watcher import MatchWatcher
from vision.simulator.hall.match import SimulatedMatch


@pytest.fixture(scope="module")
def upright() -> list[Gray]:
    return [frame.gray for frame in islice(SimulatedMatch(3, 60, (1280, 720), "tatami", 12), 16)]


def looked_at(grays: list[Gray]) -> LayoutReading | WrongView:
    found = read_layout(grays[:1])
    assert isinstance(found, LayoutReading)
    return held_rightly(found, grays[:1])


HOW: dict[Wrong | None, list[Callable[[Gray], Gray]]] = {
    Wrong.MIRRORED: [np.fliplr, np.flipud],
    Wrong.SIDEWAYS: [np.rot90, lambda gray: np.rot90(gray, 3)],
    None: [lambda gray: gray, lambda gray: np.rot90(gray, 2)],
}


@pytest.mark.parametrize(("wrong", "held"), [(wrong, held) for wrong, way in HOW.items() for held in way])
def test_how_pictures_are_held_is_told(
    wrong: Wrong | None, held: Callable[[Gray], Gray], upright: list[Gray]
) -> None:
    told = looked_at([np.ascontiguousarray(held(gray)) for gray in upright])
    assert (told.wrong if isinstance(told, WrongView) else None) is wrong


def test_cards_that_nobody_can_read_are_no_wrong_view(upright: list[Gray]) -> None:
    """A deck with other writing is taken as it is; a person names its cards."""
    legible = read_layout(upright[:1])
    assert isinstance(legible, LayoutReading)
    gray = upright[0].copy()
    for corners in legible.corners_px:
        (left, top), (right, bottom) = corners.min(axis=0).astype(int), corners.max(axis=0).astype(int)
        inside = gray[top + 5 : bottom - 4, left + 5 : right - 4]
        inside[:] = cv2.resize(np.rot90(inside).copy(), inside.shape[::-1])
    unread = read_layout([gray])
    assert isinstance(unread, LayoutReading)
    assert unread.named < len(unread.layout) / 2
    assert held_rightly(unread, [gray]) is unread


def test_the_eye_takes_no_field_from_mirrored_pictures_and_says_why(upright: list[Gray]) -> None:
    watcher = MatchWatcher()
    for index, gray in enumerate(upright * 2):
        watcher.feed(Frame(np.ascontiguousarray(gray[:, ::-1]), index * 16_666_667, 1_000, index))
    assert watcher.reading is None
    assert isinstance(watcher.problem, WrongView)
    assert "mirrored" in str(watcher.problem)


def test_the_camera_check_says_how_to_mend_it(upright: list[Gray]) -> None:
    frames = [
        Frame(np.ascontiguousarray(np.rot90(gray)), index * 16_666_667, 1_000, index)
        for index, gray in enumerate(upright)
    ]
    (field,) = (finding for finding in check_camera(frames) if finding.name == "field")
    assert (field.status, field.advice) == (Status.FAIL, MEND[Wrong.SIDEWAYS])
