"""An arm that reaches in over the picture's edge is told from the table."""

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.painted_hanafuda import frame, painted_table
from vision.frames.frame import Frame, Gray
from vision.plane.table_plane import plane_of_corners
from vision.table.stillness import Lack, PictureChecks, TableHoles, TableStillness

TABLE = painted_table()


def with_arm(x_px: int, reach_px: int) -> Any:
    """An arm over the lower edge."""
    picture = TABLE.copy()
    cv2.rectangle(picture, (x_px, 720 - reach_px), (x_px + 90, 720), (150, 170, 210), -1)
    return picture


class Watch:
    """Shows pictures ten times a second."""

    def __init__(self) -> None:
        self.stillness, self.t_ms = TableStillness(), 0

    def show(self, *pictures: Any) -> frozenset[str]:
        for picture in pictures:
            self.t_ms += 100
            self.stillness.feed(frame(picture, self.t_ms))
        return self.stillness.arms


def test_an_arm_is_told_while_it_reaches_in_and_no_longer() -> None:
    watch = Watch()
    assert not watch.show(*[TABLE] * 6)
    assert watch.show(with_arm(500, 200), with_arm(510, 300), with_arm(510, 300)) == {"bottom"}
    assert not watch.show(TABLE, TABLE)


def test_an_arm_that_was_there_from_the_first_picture_does_not_pass_for_the_table() -> None:
    watch = Watch()
    watch.show(*(with_arm(500 + 20 * step, 250) for step in range(8)))
    assert not watch.show(*[TABLE] * 7)
    assert watch.show(with_arm(500, 200), with_arm(510, 300)) == {"bottom"}


@pytest.mark.parametrize("rests_s", [4, 14])
@pytest.mark.parametrize("is_played", [False, True])
def test_an_arm_that_lies_over_the_table_as_a_game_goes_on_does_not_become_the_table(
    rests_s: int, *, is_played: bool
) -> None:
    watch = Watch()
    watch.show(*[TABLE] * 6, *(played(TABLE, step) for step in range(150)))
    watch.show(*(played(with_arm(500, 200), step if is_played else 0) for step in range(10 * rests_s)))
    assert not watch.show(*(played(TABLE, step) for step in range(6)))
    assert watch.show(with_arm(300, 200), with_arm(310, 300)) == {"bottom"}


def played(picture: Any, step: int) -> Any:
    """A card that wanders about in the middle of the table, so that it never rests."""
    picture = picture.copy()
    cv2.rectangle(picture, (300 + 40 * (step % 5), 300), (360 + 40 * (step % 5), 390), (40, 40, 200), -1)
    return picture


_MS = 1_000_000
PLANE = plane_of_corners([(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)], (800.0, 560.0), (320, 180))


def holes_of(pictures: dict[int, np.ndarray], *, read_ms: int = 0) -> list[tuple[int, int]]:
    """Return in ms what was not seen of pictures at these instants in ms."""
    stillness, holes, found = TableStillness(), TableHoles(), []
    for t_ms, gray in pictures.items():
        stillness.feed(Frame(gray, t_ms * _MS, 0, 0))
        hole = holes.feed(t_ms * _MS, stillness, PLANE, 320)
        if hole is not None:
            found.append((hole[0] // _MS, hole[1] // _MS))
        if t_ms == read_ms:
            holes.remember(stillness.small)
    return found


def table(*, card_at: int | None = None, blocked: bool = False) -> np.ndarray:
    gray = np.full((180, 320), 90, np.uint8)
    gray[:90, :160] = 110
    if card_at is not None:
        gray[60:90, card_at : card_at + 20] = 230
    if blocked:
        gray[:, 40:] = 20
    return gray


def every(first_ms: int, last_ms: int, step_ms: int, gray: np.ndarray) -> dict[int, np.ndarray]:
    return dict.fromkeys(range(first_ms, last_ms, step_ms), gray)


def test_a_table_that_lies_otherwise_after_lost_pictures_was_not_seen() -> None:
    film = every(0, 1000, 40, table()) | every(3000, 4000, 40, table(card_at=100))
    assert holes_of(film) == [(960, 3000)]


def test_a_blocked_view_is_a_hole() -> None:
    moving = {t_ms: np.roll(table(blocked=True), t_ms // 40 % 5, 0) for t_ms in range(1000, 3000, 40)}
    film = every(0, 1000, 40, table()) | moving | every(3000, 4000, 40, table(card_at=100))
    assert holes_of(film) == [(960, 3000)]


FPS = 30


def table_with_cards() -> Gray:
    """Return white cards on a gray table."""
    picture = np.full((360, 640), 90, np.uint8)
    for x_px in range(20, 620, 60):
        picture[100:160, x_px : x_px + 40] = 210
    return picture


def told(
    seconds: float, fps: float = FPS, spoil: Callable[[Gray, float], Gray] = lambda gray, t_s: gray
) -> list[Lack]:
    checks = PictureChecks()
    for number in range(round(seconds * fps) + 1):
        t_s = number / fps
        checks.feed(Frame(spoil(table_with_cards(), t_s), round(t_s * 1e9), 1, number))
    return checks.lacks()


def lit(share: float) -> Callable[[Gray, float], Gray]:
    return lambda gray, t_s: (gray * share).astype(np.uint8)


def blurred(gray: Gray, t_s: float) -> Gray:
    return np.asarray(cv2.GaussianBlur(gray, (0, 0), 2.0), np.uint8)


def flickering(gray: Gray, t_s: float) -> Gray:
    share = 0.8 + 0.2 * float(np.sin(2 * np.pi * 10 * t_s))
    return (gray * share).astype(np.uint8)


@pytest.mark.parametrize(
    ("lack", "fps", "spoil"),
    [(Lack.FEW_PICTURES, 10, lit(1.0)), (Lack.DARK, FPS, lit(0.25)), (Lack.BLURRED, FPS, blurred),
     (Lack.UNSTEADY_LIGHT, FPS, flickering)],
)  # fmt: skip
def test_what_lacks_is_told_at_the_second_look(
    lack: Lack, fps: float, spoil: Callable[[Gray, float], Gray]
) -> None:
    assert told(1.5, fps, spoil) == []
    assert told(3.5, fps, spoil) == [lack]


def test_a_table_that_is_never_at_rest_is_told() -> None:
    def reached_over(gray: Gray, t_s: float) -> Gray:
        if 1.0 < t_s < 11.0:
            gray[: int(120 + 40 * np.sin(7 * t_s)), 200:330] = 60
        return gray

    assert told(8.9, spoil=reached_over) == []
    assert told(9.5, spoil=reached_over) == [Lack.REST]
    assert told(12.0, spoil=reached_over) == []
