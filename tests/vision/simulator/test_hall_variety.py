"""Halls differ in hands, lamps, friction and temper; the truth knows what that does to the cards."""

from dataclasses import replace

import numpy as np
import pytest

from vision.simulator import STYLES, SimulatedMatch, single_poem
from vision.simulator.drawing.style import HandShape, Style
from vision.simulator.play.friction import Temper

SIZE = (320, 180)


def pushed_late_ms(lies_s: float) -> float:
    """Return how long after its first touch a card that pushes others out has moved half a millimetre."""
    clip = single_poem("pushout", 5, fps=30, size=SIZE, temper=Temper(lies_s=lies_s))
    episode = next(clip.episodes())
    first = min(episode.truth["touches"], key=lambda touch: touch["t_ms"])
    track = episode.tracks[first["card"]]
    moved_m = np.hypot(*(track.pose[:, :2] - track.pose[0, :2]).T)
    return float(track.t_s[np.argmax(moved_m > 0.0005)]) * 1000 - float(first["t_ms"])


def test_fingers_that_gather_speed_on_a_card_touch_it_before_it_is_seen_to_move() -> None:
    assert pushed_late_ms(0.0) < 3.0
    assert pushed_late_ms(0.04) > 20.0


def still(style: Style) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return next(iter(SimulatedMatch(5, 30, SIZE, replace(style, noise=(0.0, 0.0)), 8).pictures()))[1]


@pytest.mark.parametrize(
    "change",
    [
        {"second_lamp": ((0.5, 0.5), 0.5)},
        {"near": replace(STYLES["tatami"].near, shape=HandShape(size=1.15))},
        {"near": replace(STYLES["tatami"].near, shape=HandShape(spread=0.5, reach=(0.5, 1.0, 1.0, 0.5)))},
    ],
    ids=["a second lamp", "larger hands", "bent and spread fingers"],
)
def test_lamps_and_hands_differ_from_hall_to_hall(change: dict[str, object]) -> None:
    usual, other = still(STYLES["tatami"]), still(replace(STYLES["tatami"], **change))  # type: ignore[arg-type]
    assert np.count_nonzero(usual != other) > 20
