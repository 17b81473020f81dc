"""Small pictures are enlarged twofold; the results are in the original pixels."""

import numpy as np
import pytest

from referee.facts import PoemStarted, Touch
from vision.field.layout_reader import LayoutReading, read_layout
from vision.field.picture_quality import as_delivered, enlarged
from vision.frames.frame import Frame
from vision.match.watcher import MatchWatcher
from vision.poem.events import PoemSeen, WatchEvent
from vision.simulator import single_poem


@pytest.fixture(scope="module")
def poem() -> list[Frame]:
    return list(single_poem("own", 7, fps=30, size=(640, 360)))


def test_what_was_read_is_told_in_the_pictures_own_pixels(poem: list[Frame]) -> None:
    delivered = read_layout([poem[0].gray])
    read = read_layout([enlarged(poem[0]).gray])
    assert isinstance(delivered, LayoutReading)
    assert isinstance(read, LayoutReading)
    told = as_delivered(read, 640)
    assert (told.geometry.width_px, told.geometry.height_px) == (640, 360)
    assert told.layout == read.layout
    assert [one.card for one in told.layout] == [one.card for one in delivered.layout]
    np.testing.assert_allclose(np.stack(told.corners_px), np.stack(delivered.corners_px), atol=0.5)
    at_m = np.array([[placed.x_m, placed.y_m] for placed in told.layout])
    middles_px = np.mean(told.corners_px, axis=1)
    np.testing.assert_allclose(told.geometry.to_image(at_m), middles_px, atol=0.5)
    assert as_delivered(told, 640) is told


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
