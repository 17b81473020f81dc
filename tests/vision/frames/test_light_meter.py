"""Steadiness of the light, measured in pictures with known ripple and change."""

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from tests.vision.disturbances import Ripple
from vision.frames.frame import Frame, Gray
from vision.frames.light_meter import LightMeter

SHAPE = (360, 640)


def hall(seconds: float, fps: float = 60.0) -> Iterator[tuple[int, Gray]]:
    """Yield pictures of a floor on which a dark arm sweeps from side to side."""
    floor = np.random.default_rng(3).integers(90, 150, SHAPE).astype(np.uint8)
    for number in range(round(seconds * fps)):
        picture = floor.copy()
        left = round(220 + 200 * np.sin(number / fps * 9))
        picture[:240, left : left + 90] = 40
        yield round(number / fps * 1e9), picture


def metered(pictures: Iterator[tuple[int, Gray]], spoil: Callable[[Gray, float], Gray]) -> LightMeter:
    meter = LightMeter()
    for index, (t_ns, picture) in enumerate(pictures):
        meter.feed(Frame(spoil(picture, t_ns / 1e9), t_ns, 1, index))
    return meter


def test_arms_and_bystanders_are_no_flicker() -> None:
    def leant_over(picture: Gray, t_s: float) -> Gray:
        picture[:, : round(np.clip(400 * (t_s - 1.8), 0, 160))] = 42
        return picture

    meter = metered(hall(3.0), leant_over)
    assert max(meter.ripple, meter.change) < 0.05


@pytest.mark.parametrize(("mains_hz", "fps"), [(50, 60.0), (50, 30.0), (60, 50.0)])
@pytest.mark.parametrize("readout_s", [0.0, 0.01])
def test_lamps_on_the_mains_ripple(mains_hz: int, fps: float, readout_s: float) -> None:
    meter = metered(hall(1.5, fps), Ripple(0.0, 2.0 * mains_hz, 0.3, readout_s).apply)
    assert 0.25 < meter.ripple < 0.42


def test_a_rate_that_fits_the_mains_sees_no_ripple() -> None:
    assert metered(hall(1.5), Ripple(0.0, 120.0, 0.3).apply).ripple < 0.05


def test_bands_that_wander_are_a_change() -> None:
    meter = metered(hall(3.0), Ripple(0.0, 119.9, 0.3).apply)
    assert meter.ripple < 0.05
    assert meter.change > 0.15


def test_a_lamp_that_was_switched_on_is_told_for_two_seconds() -> None:
    def lit(picture: Gray, t_s: float) -> Gray:
        return (picture * (1.0 if t_s < 2.0 else 1.3)).astype(np.uint8)

    assert metered(hall(3.0), lit).change == pytest.approx(0.3, abs=0.03)
    assert metered(hall(5.0), lit).change < 0.05
