"""A live match with a camera that fails in the middle of it."""

import cv2
import numpy as np
import pytest

from referee.facts import FieldSettled, Gap, PoemStarted, Touch
from vision.departures.card_track import EarlySighting
from vision.frames.frame import Frame
from vision.match.live_watcher import LiveEvent, LiveWatch
from vision.poem.events import PoemSeen
from vision.simulator.hall.match import single_poem

MS = 1_000_000


@pytest.fixture(scope="module")
def clip() -> tuple[PoemStarted, list[Frame], int]:
    """A poem in which one card is taken, its pictures, and when it is touched."""
    match = single_poem("own", 2, 60, (960, 540), "tatami", cards_per_side=8)
    episode = next(match.episodes())
    touched_ns = round(min(touch["t_ms"] for touch in episode.truth["touches"]) * MS)
    return PoemStarted(episode.poem, round(episode.t_s * 1e9), MS), list(match), touched_ns


def played(items: list[Frame | Gap], start: PoemStarted, watch: LiveWatch) -> list[LiveEvent]:
    events: list[LiveEvent] = []
    started = False
    for item in items:
        if isinstance(item, Frame) and not started and item.t_ns >= start.t_ns:
            started = True
            events += watch.poem_started(start)
        events += watch.feed(item)
    return events + watch.close()


def poem_of(events: list[LiveEvent]) -> PoemSeen:
    (seen,) = [event for event in events if isinstance(event, PoemSeen)]
    return seen


def test_a_card_that_moves_is_told_before_the_poem_is_over(
    clip: tuple[PoemStarted, list[Frame], int],
) -> None:
    start, frames, touched_ns = clip
    events = played(list(frames), start, LiveWatch())
    kinds = [type(event) for event in events]
    assert kinds[0] is FieldSettled
    first = next(event for event in events if isinstance(event, EarlySighting))
    assert kinds.index(EarlySighting) < kinds.index(PoemSeen)
    assert 0 <= first.t_ns - touched_ns < 60 * MS
    assert len({event.card for event in events if isinstance(event, EarlySighting)}) == kinds.count(
        EarlySighting
    )
    assert not [fact for fact in poem_of(events).facts if isinstance(fact, Gap)]


def test_an_unplugged_camera_leaves_its_gap_on_the_poem(clip: tuple[PoemStarted, list[Frame], int]) -> None:
    start, frames, touched_ns = clip
    lost = Gap(touched_ns - 60 * MS, touched_ns + 90 * MS, "camera_lost")
    kept = [frame for frame in frames if not lost.t_from_ns < frame.t_ns < lost.t_to_ns]
    at = next(number for number, frame in enumerate(kept) if frame.t_ns >= lost.t_to_ns)
    events = played([*kept[:at], lost, *kept[at:]], start, LiveWatch())
    assert lost in events
    facts = poem_of(events).facts
    assert lost in facts
    assert any(isinstance(fact, Touch) for fact in facts)  # the card that left is not forgotten


def test_a_poem_that_was_not_seen_to_its_end_says_so(clip: tuple[PoemStarted, list[Frame], int]) -> None:
    start, frames, touched_ns = clip
    watch = LiveWatch()
    seen = [frame for frame in frames if frame.t_ns < touched_ns - 50 * MS]
    begins = next(number for number, frame in enumerate(seen) if frame.t_ns >= start.t_ns)
    for frame in seen[:begins]:
        watch.feed(frame)
    watch.poem_started(start)
    for frame in seen[begins:]:
        watch.feed(frame)
    unseen = Gap(touched_ns - 50 * MS, touched_ns - 50 * MS, "watch_stopped")
    assert poem_of(watch.close(unseen)).facts == (unseen,)


def test_a_knock_in_the_middle_of_a_poem_is_told_at_once(clip: tuple[PoemStarted, list[Frame], int]) -> None:
    start, frames, touched_ns = clip
    knocked_ns = touched_ns - 100 * MS
    items: list[Frame | Gap] = []
    for frame in frames:
        gray = frame.gray
        if frame.t_ns >= knocked_ns:
            shift = np.array([[1.0, 0.0, 5.0], [0.0, 1.0, -3.0]])
            gray = np.asarray(
                cv2.warpAffine(gray, shift, gray.shape[::-1], borderMode=cv2.BORDER_REFLECT), np.uint8
            )
        items.append(Frame(gray, frame.t_ns, frame.t_unc_ns, frame.index))
    watch = LiveWatch()
    events: list[LiveEvent] = []
    for item in items:
        if isinstance(item, Frame) and item.t_ns >= start.t_ns and not events[1:]:
            events += watch.poem_started(start)
            events.append(Gap(0, 0, "marker"))
        told = watch.feed(item)
        events += told
        if any(isinstance(event, Gap) and event.reason == "lost_calibration" for event in told):
            assert isinstance(item, Frame)
            assert item.t_ns - knocked_ns < 10**9
    assert any(isinstance(event, Gap) and event.reason == "lost_calibration" for event in events)


def test_another_picture_size_begins_anew(clip: tuple[PoemStarted, list[Frame], int]) -> None:
    start, frames, _ = clip
    turn = next(number for number, frame in enumerate(frames) if frame.t_ns > start.t_ns + 100 * MS)
    small = [
        Frame(cv2.resize(frame.gray, (640, 360)).astype(np.uint8), frame.t_ns, frame.t_unc_ns, frame.index)
        for frame in frames[turn:]
    ]
    changed = Gap(frames[turn - 1].t_ns, small[0].t_ns, "size_changed")
    watch = LiveWatch()
    events = played([*frames[:turn], changed, *small], start, watch)
    assert changed in poem_of(events).facts
    assert watch.watcher.reading is None or watch.watcher.reading.geometry.width_px == 640
    assert [type(event) for event in events].count(PoemSeen) == 1
