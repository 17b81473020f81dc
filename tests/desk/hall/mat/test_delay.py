"""The delay of the reading at a mat, and what a mat makes of the hall's cues."""

import random
from unittest.mock import create_autospec

import pytest

from desk.errors import DeskError
from desk.hall.clock import HallClock
from desk.hall.mat.cue_reader import CueReader
from desk.hall.mat.delay import Delay, DelayMeter, delay_of, measured, told_delay
from desk.hall.messages import FirstSoundCue, PoemCue
from desk.karuta.readers.recital import HeardPoem
from referee.karuta.flow.follow_ups import ReadPoem

MS = 1_000_000


@pytest.mark.parametrize("metres", [-1.0, 201.0, float("nan")])
def test_no_hall_is_that_large(metres: float) -> None:
    with pytest.raises(DeskError, match="expected 0 to 200 m"):
        delay_of(metres)


def test_a_measured_delay_is_taken_with_its_uncertainty() -> None:
    assert told_delay("87,4") == Delay(87 * MS, 4 * MS)
    assert told_delay("87").unc_ns >= 19 * MS, "who does not say how well it is known knows it badly"
    delay = Delay(86_600_000, 18_300_000)
    again = told_delay(delay.told())
    assert abs(again.ns - delay.ns) <= MS
    assert again.unc_ns >= delay.unc_ns


@pytest.mark.parametrize("told", ["-1", "nan", "87,0", "87,nan", "87,4,2", "soon", ""])
def test_a_delay_that_is_none_is_refused(told: str) -> None:
    with pytest.raises(DeskError, match="--reading-delay: expected 0 to 583 ms"):
        told_delay(told)


def test_what_was_heard_is_paired_with_what_was_cued() -> None:
    meter = DelayMeter()
    for reading in range(6):
        t_ns = reading * 30_000 * MS
        meter.cued(t_ns, 2 * MS)
        if reading != 3:  # somebody coughed
            meter.heard(t_ns + (60 + reading) * MS)
        meter.heard(t_ns + 6_000 * MS)  # the lower half
    delay = meter.delay
    assert delay is not None
    assert meter.count == 5
    assert abs(delay.ns - 62 * MS) <= 1 * MS
    assert 2 * MS <= delay.unc_ns <= 10 * MS, "five readings tell little"


@pytest.mark.parametrize("readings", [5, 6, 8, 12, 30])
def test_the_interval_of_few_readings_holds_the_delay(readings: int) -> None:
    dice = random.Random(readings)
    trials, inside = 1500, 0
    for _ in range(trials):
        delay = measured([round(dice.gauss(87, 6) * MS) for _ in range(readings)], 0)
        assert delay is not None
        inside += abs(delay.ns - 87 * MS) <= delay.unc_ns
    error = (0.95 * 0.05 / trials) ** 0.5
    assert 0.95 - 3 * error < inside / trials < 0.965 + 3 * error


S = 1_000_000_000


@pytest.mark.parametrize(
    ("told", "believed"), [(1.0, 1.0), (0.93, 0.93), (7.5, 1.0), (-1.0, 0.0), (float("nan"), 0.0)]
)
def test_a_mat_is_no_surer_of_a_poem_than_the_hall_and_no_cue_stops_it(told: float, believed: float) -> None:
    reader = CueReader(create_autospec(HallClock, is_known=False), Delay(0, 1), clock=lambda: 5 * S)
    reader.follow(ReadPoem(), ())
    reader.hear(FirstSoundCue("s", 1, S, 5))
    reader.hear(PoemCue("s", 1, 17, S, 5, confidence=told))
    (poem,) = [sound for sound in reader.sounds() if isinstance(sound, HeardPoem)]
    assert (poem.start.poem, poem.start.confidence) == (17, believed)
