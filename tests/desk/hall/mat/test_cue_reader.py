"""What a mat makes of the hall's cues."""

from unittest.mock import create_autospec

import pytest

from desk.hall.clock import HallClock
from desk.hall.mat.cue_reader import CueReader
from desk.hall.mat.delay import Delay
from desk.hall.messages import FirstSoundCue, PoemCue
from desk.karuta.readers.recital import HeardPoem
from referee.karuta.flow.follow_ups import ReadPoem

S = 1_000_000_000


@pytest.mark.parametrize(
    ("told", "believed"), [(1.0, 1.0), (0.93, 0.93), (7.5, 1.0), (-1.0, 0.0), (float("nan"), 0.0)]
)
def test_a_mat_is_no_surer_of_the_poem_than_the_hall_and_no_cue_stops_it(
    told: float, believed: float
) -> None:
    reader = CueReader(create_autospec(HallClock, is_known=False), Delay(0, 1), clock=lambda: 5 * S)
    reader.follow(ReadPoem(), ())
    reader.hear(FirstSoundCue("s", 1, S, 5))
    reader.hear(PoemCue("s", 1, 17, S, 5, confidence=told))
    (poem,) = [sound for sound in reader.sounds() if isinstance(sound, HeardPoem)]
    assert (poem.start.poem, poem.start.confidence) == (17, believed)
