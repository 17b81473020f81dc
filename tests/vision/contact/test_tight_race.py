"""Two hands that come to the same cards within some milliseconds, as one region in the picture."""

from pathlib import Path

import numpy as np
import pytest
from contact.styles import FAMILIES, drawn_friction, drawn_style, drawn_temper

from benchmarks.judging import judge
from vision.simulator import Pace, SimulatedMatch, write_recording


@pytest.mark.parametrize(
    ("seed", "hall", "fps", "dice"),
    [
        # an arm that had gone aside whole between two pictures seemed to end at its wrist
        pytest.param(819_135, None, 60.0, (35, 662), id="gone-aside"),
        # fingertip met fingertip, and one hand was divided between the players
        pytest.param(8_300_018, 0, 60.0, (18, 8_300_000), id="head-on"),
        pytest.param(8_301_068, 2, 120.0, (68, 8_300_000), id="side-by-side"),
    ],
)
def test_no_hand_is_given_the_fingers_of_the_hand_that_it_meets(
    tmp_path: Path, seed: int, hall: int | None, fps: float, dice: tuple[int, int]
) -> None:
    drawn = np.random.default_rng(dice)
    gap_s = float(drawn.uniform(0.0, 0.02))
    style = "holdout" if hall is None else drawn_style(FAMILIES[hall], drawn)
    race = SimulatedMatch(
        seed,
        fps,
        (1280, 720),
        style,
        int(drawn.integers(8, 20)),
        scenario="race",
        gap_s=gap_s,
        pace=Pace(first_s=0.6, settle_s=0.3),
        restore=False,
        friction=drawn_friction(drawn),
        temper=drawn_temper(drawn),
    )
    write_recording(race, tmp_path / "race")
    (score,) = judge(tmp_path / "race").scores
    assert score.verdict != "WRONG"
