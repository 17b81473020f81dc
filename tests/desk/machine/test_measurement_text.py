"""Measurements are reported in sentences, with a remedy if something is wrong."""

from typing import Any

import pytest

from desk.machine.measurement_text import measured_lines

RHYTHM = {"fps": 59.94, "frames": 240, "jitter_95_ns": 412_000.0, "lost": 0}
BEAT = "95 of 100 within 0.4 ms of their beat"
OFFSET = {"unc_ns": 600_000.0, "spread_ns": 2_140_000.0}


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (
            {"fps": 30.0, "claimed_fps": 60.0, "claim_is_false": True},
            [
                f"30.0 pictures a second, not the 60 that were promised; {BEAT}; none lost",
                "the driver promises another rate: switch automatic exposure off, or try another USB port",
            ],
        ),
        (
            {"claimed_fps": 0.0, "lost": 12, "clock": "arrival", "clock_problem": "the stamps stand still"},
            [
                f"59.9 pictures a second; {BEAT}; 12 lost;"
                " timed by their arrival, because the stamps stand still",
                "give the camera a USB port of its own, and close other programs",
            ],
        ),
    ],
)
def test_a_rhythm_is_told_with_what_is_wrong_and_what_to_do(more: dict[str, Any], told: list[str]) -> None:
    first, *advice = told
    assert measured_lines("timing", RHYTHM | more) == [
        f"timing: {first}",
        *(f"        -> {each}" for each in advice),
    ]


@pytest.mark.parametrize(
    ("name", "figures", "told"),
    [
        (
            "shutter",
            {"readout_s": 0.00831, "unc_s": 0.0004, "seen_by": "flicker"},
            "the last row is exposed 8.3 ms after the first (give or take 0.4 ms),"
            " as the lamps' flicker shows",
        ),
        (
            "picture after sound",
            {**OFFSET, "mean_ns": -4_000_000.0, "n": 12},
            "pictures come 4.0 ms before the sound of the same instant"
            " (give or take 0.6 ms; single ones vary by 2.1 ms; of 12 chirps)",
        ),
        ("of a later version", {"what": 3}, "measured; --json shows its figures"),
        ("lens", {"views": 3}, "measured; --json shows its figures"),
    ],
)
def test_a_measurement_is_told(name: str, figures: dict[str, Any], told: str) -> None:
    assert measured_lines(name, figures) == [f"{name}: {told}"]
