"""Small pictures are enlarged twofold; the results are in the original pixels."""

import numpy as np
import pytest

from referee.facts import PoemStarted, Touch
from vision.frames.frame import Frame
from vision.match.watcher import MatchWatcher
from vision.poem.events import PoemSeen, WatchEvent
from vision.simulator import single_poem


@pytest.fixture(scope="module")
def poem() -> list[Frame]:
    return list(single_poem("own", 7, fps=30, size=(640, 360)))


def test_a_poem_in_small_pictures_is_told_in_their_pixels(poem: list[Frame]) -> None:
    (said,) = single_poem("own", 7, fps=30, size=(640, 360)).readings
    start = PoemStarted(said.poem, round(said.t_ms * 1e6), 10_000_000)
    watcher = MatchWatcher(report_tidying=False)
    events: list[WatchEvent] = []
    begun = False
    for frame in poem:
        if not begun and frame.t_ns >= start.t_ns:
            events += watcher.poem_started(start)
            begun = True
        events += watcher.feed(frame)
    (seen,) = (event for event in events if isinstance(event, PoemSeen))
    for reading in (seen.before, watcher.reading):
        assert reading is not None
        assert reading.geometry.width_px == 640
        assert np.stack(reading.corners_px)[..., 0].max() < 640
    assert any(isinstance(fact, Touch) for fact in seen.facts)
