"""A poem whose name is learnt late, is wrong at first, or never comes: what is seen stays the same."""

from collections.abc import Callable

import pytest

from referee.facts import PoemStarted, Touch
from vision.match.watcher import MatchWatcher
from vision.poem.events import PoemSeen
from vision.simulator import SimulatedMatch

MS = 1_000_000
NAMED_LATE_MS = 1_500
Begin = Callable[[MatchWatcher, PoemStarted], object]


@pytest.fixture(scope="module")
def match() -> SimulatedMatch:
    return SimulatedMatch(2, fps=30, size=(640, 360), cards_per_side=4)


def start_of(match: SimulatedMatch) -> PoemStarted:
    """Return the first poem whose card lies on the field."""
    reading = match.readings[3]
    return PoemStarted(reading.poem, round(reading.t_ms * MS), 10 * MS)


def seen_of(match: SimulatedMatch, begin: Begin, name: Begin, name_ms: int = NAMED_LATE_MS) -> PoemSeen:
    """Return a poem that begins with its first sound and is named some time later."""
    eye, start = MatchWatcher(), start_of(match)
    is_begun = is_named = False
    for frame in match:
        if not is_begun and start.t_ns <= frame.t_ns:
            begin(eye, start)
            is_begun = True
        if not is_named and start.t_ns + name_ms * MS <= frame.t_ns:
            name(eye, start)
            is_named = True
        for event in eye.feed(frame):
            if isinstance(event, PoemSeen):
                return event
    raise AssertionError("no poem was seen")


def begin_unnamed(eye: MatchWatcher, start: PoemStarted) -> None:
    eye.verse_began(start.t_ns, start.t_unc_ns)


def begin_wrongly(eye: MatchWatcher, start: PoemStarted) -> None:
    eye.poem_started(PoemStarted(start.poem % 100 + 1, start.t_ns, start.t_unc_ns))


def contacts_of(poem: PoemSeen) -> list[tuple[object, ...]]:
    touches = [fact for fact in poem.facts if isinstance(fact, Touch)]
    return [(touch.card, touch.player, touch.contact) for touch in touches]


@pytest.fixture(scope="module")
def at_once(match: SimulatedMatch) -> PoemSeen:
    seen = seen_of(match, MatchWatcher.poem_started, lambda *_: None)
    assert contacts_of(seen), "somebody plays"
    return seen


def test_a_poem_that_is_named_late_is_seen_like_one_that_was_known(
    match: SimulatedMatch, at_once: PoemSeen
) -> None:
    late = seen_of(match, begin_unnamed, MatchWatcher.poem_named)
    assert (late.start, late.facts) == (at_once.start, at_once.facts)


def test_a_poem_that_is_renamed_while_open_is_told_by_its_right_name(
    match: SimulatedMatch, at_once: PoemSeen
) -> None:
    def rename(eye: MatchWatcher, start: PoemStarted) -> None:
        assert eye.poem_renamed(start) == []

    renamed = seen_of(match, begin_wrongly, rename, name_ms=300)
    assert (renamed.start, renamed.facts) == (at_once.start, at_once.facts)


def test_a_closed_poem_is_told_anew_by_its_right_name(match: SimulatedMatch, at_once: PoemSeen) -> None:
    eye, told, start = MatchWatcher(), list[PoemSeen](), start_of(match)
    for frame in match:
        if frame.t_ns >= start.t_ns and not eye.poem_is_open:
            begin_wrongly(eye, start)
        told += [event for event in eye.feed(frame) if isinstance(event, PoemSeen)]
        if told:
            break
    assert told[0].start.poem != start.poem
    (renamed,) = eye.poem_renamed(start)
    assert isinstance(renamed, PoemSeen)
    assert renamed.start == start
    assert contacts_of(renamed) == contacts_of(at_once)


def test_a_verse_that_is_withdrawn_leaves_no_poem(match: SimulatedMatch, at_once: PoemSeen) -> None:
    eye, found, talk_ns = MatchWatcher(), list[PoemSeen](), 0
    for frame in match:
        if not talk_ns and eye.reading is not None:
            talk_ns = frame.t_ns
            eye.verse_began(talk_ns, MS)
        if frame.t_ns > talk_ns + 300 * MS > 300 * MS:
            eye.verse_withdrawn()
        if frame.t_ns >= at_once.start.t_ns and not eye.poem_is_open:
            eye.poem_started(at_once.start)
        found += [event for event in eye.feed(frame) if isinstance(event, PoemSeen)]
        if found:
            break
    assert [poem.start for poem in found] == [at_once.start]
    assert contacts_of(found[0]) == contacts_of(at_once)
