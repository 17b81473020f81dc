"""A match from pixels: each poem is judged on the layout that lay before it, and tidying is no contact."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from referee.facts import FieldSettled, Gap, PoemStarted, Touch
from vision.frames.frame import Frame
from vision.match.watcher import MatchWatcher
from vision.poem.events import PoemSeen, WatchEvent
from vision.simulator import SimulatedMatch, single_poem

Told = tuple[dict[str, Any], list[WatchEvent]]


def watch(match: SimulatedMatch) -> Iterator[WatchEvent]:
    watcher, readings = MatchWatcher(), list(match.readings)
    for frame in match:
        while readings and readings[0].t_ms * 1e6 <= frame.t_ns:
            start = readings.pop(0)
            yield from watcher.poem_started(PoemStarted(start.poem, round(start.t_ms * 1e6), 10_000_000))
        yield from watcher.feed(frame)
    yield from watcher.close()


@pytest.fixture(scope="module")
def seen() -> Told:
    match = SimulatedMatch(38, fps=30, size=(640, 360), cards_per_side=4)  # four poems, a short match
    return match.truth, list(watch(match))


def poems_of(events: list[WatchEvent]) -> list[PoemSeen]:
    return [event for event in events if isinstance(event, PoemSeen)]


def test_every_poem_of_the_match_is_seen_once_and_in_order(seen: Told) -> None:
    truth, events = seen
    assert [event.start.poem for event in poems_of(events)] == [poem["poem"] for poem in truth["poems"]]


def test_layout_before_each_poem_is_the_true_one(seen: Told) -> None:
    truth, events = seen
    for event, poem in zip(poems_of(events), truth["poems"], strict=True):
        expected = {(card["card"], card["side"], card["row"]) for card in poem["layout_before"]}
        found = {(placed.card, placed.side.value, placed.row) for placed in event.before.layout}
        assert found == expected, f"poem {poem['poem']} ({poem['scenario']})"


def test_tidying_between_poems_is_no_contact(seen: Told) -> None:
    truth, events = seen
    for event, poem in zip(poems_of(events), truth["poems"], strict=True):
        last_ms = max((touch["t_ms"] for touch in poem["touches"]), default=poem["t_ms"])
        touches = [fact for fact in event.facts if isinstance(fact, Touch)]
        # the time of a card that was hidden is vague: late is what cannot have been earlier
        late = [fact for fact in touches if (fact.t_ns - fact.t_unc_ns) / 1e6 > last_ms + 200]
        assert not late, f"poem {poem['poem']} ({poem['scenario']}) ended at {last_ms} ms"


def test_empty_table_has_no_layout_and_says_why() -> None:
    watcher = MatchWatcher()
    rng = np.random.default_rng(1)
    floor = rng.integers(120, 130, (360, 640)).astype(np.uint8)
    events: list[WatchEvent] = []
    for index in range(20):
        events += watcher.feed(Frame(floor, index * 33_000_000, 1_000, index))
    events += watcher.poem_started(PoemStarted(17, 700_000_000, 10_000_000)) + watcher.close()
    assert events == []
    assert watcher.reading is None
    assert watcher.problem is not None


def test_a_read_card_may_lie_where_the_camera_does_not_see() -> None:
    """Half of the field out of view: a card that is not found need not be a dead one."""
    match = single_poem("dead_none", 3, fps=30, size=(1280, 720))
    poem, t_ms = (match.truth["poems"][0][key] for key in ("poem", "t_ms"))
    frames = list(match)
    for visible, reasons in ((1280, []), (760, ["out_of_view"])):
        watcher = MatchWatcher(report_tidying=False)
        events: list[WatchEvent] = []
        for frame in frames:
            if watcher.poem_is_open is False and frame.t_ns >= t_ms * 1e6 > frame.t_ns - 33_400_000:
                events += watcher.poem_started(PoemStarted(poem, round(t_ms * 1e6), 10_000_000))
            part = np.ascontiguousarray(frame.gray[:, :visible])
            events += watcher.feed(replace(frame, picture=part, jpeg=None))
        (seen_poem,) = poems_of([*events, *watcher.close()])
        assert [fact.reason for fact in seen_poem.facts if isinstance(fact, Gap)] == reasons


def test_a_person_may_name_a_card_and_its_name_holds() -> None:
    match = SimulatedMatch(11, fps=30, size=(640, 360), cards_per_side=4)
    watcher, frames = MatchWatcher(), iter(match)
    while watcher.reading is None:
        watcher.feed(next(frames))
    before = watcher.reading.layout.cards
    other = before[1].card
    stranger = next(number for number in range(1, 101) if watcher.reading.layout.find(number) is None)
    (settled,) = watcher.name_card(0, stranger)
    assert isinstance(settled, FieldSettled)
    assert settled.layout.cards[0].card == stranger
    watcher.name_card(0, other)
    assert [placed.card for placed in watcher.reading.layout.cards[:2]] == [other, None]
    assert watcher.given == {other}
    with pytest.raises(IndexError, match="no place 99"):
        watcher.name_card(99, None)


@pytest.fixture
def torison() -> SimulatedMatch:
    """A player who touches a wrong card, leaves the field, and comes back for the right one."""
    return single_poem("torison", 5, fps=60, size=(640, 360))


def test_a_player_who_comes_back_for_the_card_that_was_read_takes_it() -> None:
    (seen,) = poems_of(list(watch(single_poem("torison", 8, fps=60, size=(640, 360)))))
    touched = [fact.card for fact in seen.facts if isinstance(fact, Touch)]
    assert seen.start.poem in touched
    assert len(touched) > 1


@pytest.mark.parametrize(("lies", "ends"), [(False, True), (True, False)])
def test_live_a_poem_that_nobody_plays_ends_once_it_is_read_if_its_card_does_not_lie_there(
    lies: bool, ends: bool
) -> None:
    match = single_poem("dead_none", 3, 30, (640, 360), "tatami", cards_per_side=4)
    watcher, dice = MatchWatcher(), np.random.default_rng(1)
    resting = next(iter(match)).gray
    step_ns, begins_ns, half_read_ns = 100_000_000, 2_000_000_000, 6_000_000_000
    events, since = list[WatchEvent](), list[WatchEvent]()
    for index in range(100):
        t_ns = index * step_ns
        if t_ns == begins_ns:
            assert isinstance(events[0], FieldSettled)
            on_field = {placed.card for placed in events[0].layout if placed.card is not None}
            poem = min(on_field if lies else set(range(1, 101)) - on_field)
            events += watcher.poem_started(PoemStarted(poem, t_ns, 10_000_000))
        noisy = np.clip(resting + dice.normal(0, 1.0, resting.shape), 0, 255).astype(np.uint8)
        told = watcher.feed(Frame(noisy, t_ns, 1_000, index))
        (events if t_ns < begins_ns + half_read_ns else since).extend(told)
    assert not poems_of(events)
    assert [type(event) for event in since] == ([PoemSeen, FieldSettled] if ends else [])
    assert all(not event.facts for event in poems_of(since))
    assert watcher.poem_is_open is not ends
