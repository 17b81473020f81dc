"""Cameras that mix each picture with those before it, and how late they show a hand."""

import numpy as np
import pytest

from vision.frames.afterimage import Afterimage
from vision.frames.frame import Gray

_SIZE = (60, 90)
_STEP_NS = 16_666_667
_NO_CARDS = np.zeros((0, 4), np.intp)


def passing_hand(
    share: float,
    *,
    pictures: int = 60,
    px: float = 3.0,
    blur_px: float = 1.0,
    noise: float = 1.0,
    step_ns: int = _STEP_NS,
) -> Afterimage:
    """Return what is measured of a hand that passes, with so much of the last picture in each.

    `px` is how far it goes from picture to picture, `blur_px` how wide its edges are, and `noise` how much
    each picture has, gray.
    """
    dice = np.random.default_rng(3)
    rest = np.full(_SIZE, 150, np.uint8)
    seen, meter = rest.astype(np.float64), Afterimage(rest, _NO_CARDS)
    columns = np.arange(_SIZE[1])
    for index in range(pictures):
        truly = rest + dice.normal(0, noise, _SIZE)
        left = px * index % 120 - 30
        inside = np.clip((columns - left) / blur_px, 0, 1) * np.clip((left + 25 - columns) / blur_px, 0, 1)
        truly[20:40] -= 80.0 * inside
        seen = share * seen + (1 - share) * truly
        meter.note(shown(seen), index * step_ns)
    return meter


def shown(picture: np.ndarray) -> Gray:
    return np.asarray(np.clip(np.rint(picture), 0, 255), np.uint8)


@pytest.mark.parametrize("share", [0.3, 0.5, 0.65, 0.75, 0.85])
@pytest.mark.parametrize("px", [3.0, 7.0])
def test_the_lag_of_a_camera_that_mixes_pictures_is_measured(share: float, px: float) -> None:
    lag_ns = passing_hand(share, px=px).lag_ns
    assert lag_ns is not None
    assert lag_ns == pytest.approx(share / (1 - share) * _STEP_NS, rel=0.2)


def test_noise_hides_no_lag_of_a_slow_camera() -> None:
    step_ns = 2 * _STEP_NS
    lag_ns = passing_hand(0.3, px=5.0, noise=3.0, step_ns=step_ns).lag_ns
    assert lag_ns == pytest.approx(0.3 / 0.7 * step_ns, rel=0.25)


@pytest.mark.parametrize(("px", "blur_px"), [(3.0, 1.0), (7.0, 3.0), (2.0, 2.0)])
def test_a_camera_that_shows_each_picture_alone_has_no_lag(px: float, blur_px: float) -> None:
    assert passing_hand(0.0, px=px, blur_px=blur_px).lag_ns == 0


def test_what_moves_where_cards_lie_tells_nothing_of_the_lag() -> None:
    rest = np.full(_SIZE, 150, np.uint8)
    meter, pictures = Afterimage(rest, np.array([[0, 20, 90, 40]])), [rest.copy() for _ in range(6)]
    for picture, gray in zip(pictures, (70, 90, 105, 116, 124, 130), strict=True):
        picture[20:40] = gray  # a card that slides away below its own print
    for index, picture in enumerate(pictures):
        meter.note(picture, index * _STEP_NS)
    assert meter.lag_ns is None


def test_a_field_at_rest_tells_nothing() -> None:
    meter = passing_hand(0.75, pictures=8)
    assert meter.lag_ns is None
    assert meter.leaves_open(touched=True)
    assert not meter.leaves_open(touched=False)


@pytest.mark.parametrize(("share", "is_late"), [(0.0, False), (0.3, False), (0.5, True), (0.75, True)])
def test_a_camera_that_shows_things_very_late_leaves_all_open(share: float, *, is_late: bool) -> None:
    assert passing_hand(share).leaves_open(touched=False) is is_late


def test_where_too_little_moves_a_camera_is_as_late_as_it_was_found_before() -> None:
    rest = np.full((40, 90), 120, np.uint8)
    meters = [Afterimage(rest, _NO_CARDS, known_ns) for known_ns in (0.0, 4e6, 40e6)]
    assert [meter.lag_ns for meter in meters] == [None, 4e6, 40e6]
    assert [meter.leaves_open(touched=True) for meter in meters] == [True, True, True]
    assert [meter.leaves_open(touched=False) for meter in meters] == [False, False, True]
