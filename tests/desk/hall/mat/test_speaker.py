"""A mat's own loudspeaker, as far as it goes without a sound."""

from typing import Any

import pytest

pytest.importorskip("nats", reason="the extra 'hall' is not installed (uv sync --extra hall)")

from desk.hall.mat.speaker import Speaker
from desk.hall.messages import PlayCue


class LateClock:
    """A hall's clock that is known only later."""

    is_known = False
    session = "s"


def test_a_clock_that_became_known_is_no_problem_any_more() -> None:
    clock: Any = LateClock()
    speaker = Speaker(clock, silent=True)
    speaker._agreed = ("high", "4-3-1-5")  # no process is needed for this
    cue = PlayCue("s", 1, "kami", "high", "4-3-1-5", 0)
    speaker.play(cue)
    assert speaker.problem == "the hall's clock is not known yet"
    clock.is_known = True
    speaker.play(cue)
    assert speaker.problem is None
