"""What a card table's pictures lack is told once it was found twice, and no longer once it is mended."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from vision.frames.frame import Frame, Gray
from vision.table.picture_checks import Lack, PictureChecks

FPS = 30


def table() -> Gray:
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
        checks.feed(Frame(spoil(table(), t_s), round(t_s * 1e9), 1, number))
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
