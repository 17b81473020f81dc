"""A poem whose name is learnt late, is wrong at first, or never comes: what is seen stays the same."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from referee.facts import PoemStarted, Touch
from vision.frames.frame import Frame
from vision.match.watcher import MatchWatcher
from vision.poem.events import PoemSeen, WatchEvent
from vision.simulator import single_poem

MS = 1_000_000
Act = Callable[[MatchWatcher], object]


@pytest.fixture(scope="module")
def film() -> list[Frame]:
    return list(CLIP)


CLIP = single_poem("own", 2, 30, (640, 360), cards_per_side=6)
START = PoemStarted(CLIP.readings[0].poem, round(CLIP.readings[0].t_ms * MS), 10 * MS)
WRONG = replace(START, poem=START.poem % 100 + 1)


def watch(film: list[Frame], *acts: tuple[float, Act]) -> tuple[MatchWatcher, list[PoemSeen]]:
    """Let an eye see the film, and do each act so many milliseconds after the first sound."""
    eye, told, waiting = MatchWatcher(), list[WatchEvent](), list(acts)
    for frame in film:
        while waiting and START.t_ns + waiting[0][0] * MS <= frame.t_ns:
            waiting.pop(0)[1](eye)
        told += eye.feed(frame)
    told += eye.close()
    return eye, [event for event in told if isinstance(event, PoemSeen)]


def begin_unnamed(eye: MatchWatcher) -> None:
    eye.verse_began(START.t_ns, START.t_unc_ns)


def contacts_of(poem: PoemSeen) -> list[tuple[object, ...]]:
    touches = [fact for fact in poem.facts if isinstance(fact, Touch)]
    return [(touch.card, touch.player, touch.contact) for touch in touches]


@pytest.fixture(scope="module")
def at_once(film: list[Frame]) -> PoemSeen:
    _, (seen,) = watch(film, (0, lambda eye: eye.poem_started(START)))
    assert START.poem in {card for card, *_ in contacts_of(seen)}, "its card is taken"
    return seen


@pytest.mark.parametrize("after_ms", [300, 1_200])
def test_a_poem_that_is_named_late_is_seen_like_one_that_was_known(
    film: list[Frame], at_once: PoemSeen, after_ms: float
) -> None:
    _, (late,) = watch(film, (0, begin_unnamed), (after_ms, lambda eye: eye.poem_named(START)))
    assert late.start == START
    assert contacts_of(late) == contacts_of(at_once)


def test_a_closed_poem_is_told_anew_by_its_right_name(film: list[Frame], at_once: PoemSeen) -> None:
    eye, (wrong,) = watch(film, (0, lambda eye: eye.poem_started(WRONG)))
    assert wrong.start == WRONG
    (renamed,) = eye.poem_renamed(START)
    assert isinstance(renamed, PoemSeen)
    assert renamed.start == START
    assert contacts_of(renamed) == contacts_of(at_once)


def test_a_verse_that_is_withdrawn_leaves_no_poem(film: list[Frame], at_once: PoemSeen) -> None:
    _, (seen,) = watch(
        film,
        (-500, begin_unnamed),
        (-200, MatchWatcher.verse_withdrawn),
        (0, lambda eye: eye.poem_started(START)),
    )
    assert seen.start == START
    assert contacts_of(seen) == contacts_of(at_once)
