"""Two hands that come to the same cards within some milliseconds, as one region in the picture."""

from pathlib import Path

import numpy as np
from contact.styles import drawn_friction, drawn_temper

from benchmarks.judging import judge
from vision.simulator import Pace, SimulatedMatch, write_recording


def test_no_hand_is_given_the_fingers_of_the_hand_that_it_meets(tmp_path: Path) -> None:
    """An arm that had gone aside whole between two pictures seemed to end at its wrist."""
    dice = np.random.default_rng([35, 662])
    gap_s, cards = float(dice.uniform(0.0, 0.02)), int(dice.integers(8, 20))
    race = SimulatedMatch(
        819_135,
        60.0,
        (1280, 720),
        "holdout",
        cards,
        scenario="race",
        gap_s=gap_s,
        pace=Pace(first_s=0.6, settle_s=0.3),
        restore=False,
        friction=drawn_friction(dice),
        temper=drawn_temper(dice),
    )
    write_recording(race, tmp_path / "race")
    (score,) = judge(tmp_path / "race").scores
    assert score.verdict != "WRONG"
