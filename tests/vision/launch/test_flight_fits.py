"""Flights fitted ahead, between frames: the same as those fitted when the poem is over."""

import time
from collections import Counter, deque
from collections.abc import Generator
from typing import Any

import numpy as np
import pytest

from referee.facts import Touch
from tests.vision.aide import Aide
from tests.vision.painted_table import PaintedTable, swept
from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.field.slots import Sight
from vision.frames.frame import Frame, Gray
from vision.hands.frame_map import FrameMap
from vision.hands.player_map import PlayerMap
from vision.launch import errands
from vision.launch import flight_fits as flights
from vision.launch.flight import Trail, finished, trail_steps
from vision.poem.spare_time import SpareTime
from vision.poem.watcher import PoemWatcher
from vision.sightings.spots import Spot


@pytest.fixture(scope="module")
def swipe() -> list[Frame]:
    return swept()


@pytest.fixture
def no_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two frames there is time for anything, however slow this machine is."""
    monkeypatch.setattr(SpareTime, "ends_ns", lambda *_: 2**62)


def watched(frames: list[Frame], *, ahead: bool) -> PoemWatcher:
    table = PaintedTable()
    watcher = PoemWatcher(table.slots, table.resting())
    for frame in frames:
        watcher.feed(frame)
        if ahead:
            watcher.work_ahead()
    return watcher


def watched_both(
    frames: list[Frame],
) -> tuple[PoemWatcher, dict[int, Departure], dict[int, deque[Sight]]]:
    """Return the watcher of a poem that is over, and the two cards' departures and sights."""
    watcher = watched(frames, ahead=False)
    watcher.finish()
    departures = {number: watcher._tracks[number].departure for number in (10, 11)}
    both = {number: one for number, one in departures.items() if one is not None}
    return watcher, both, {number: watcher._tracks[number].sights for number in both}


@pytest.fixture
def fits(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Numbers of the slots whose cards' flights are fitted, in order."""
    fitted: list[int] = []

    def noted(
        field: FieldModel, number: int, departure: Departure, **known: Any
    ) -> Generator[None, None, Trail | None]:
        fitted.append(number)
        return trail_steps(field, number, departure, **known)

    monkeypatch.setattr(errands, "trail_steps", noted)
    return fitted


@pytest.mark.usefixtures("no_hurry")
def test_work_done_ahead_changes_no_fact(swipe: list[Frame], fits: list[int]) -> None:
    late = watched(swipe, ahead=False)
    assert not fits
    expected = late.finish()
    at_the_end = list(fits)
    assert {fact.card for fact in expected if isinstance(fact, Touch)} >= {12}
    assert sorted(set(at_the_end)) == [10, 11]
    fits.clear()
    early = watched(swipe, ahead=True)
    assert Counter(fits) >= Counter(at_the_end)
    assert len(fits) <= 2 * len(at_the_end)  # what may turn out otherwise is tried the other way, once
    fits.clear()
    assert early.finish() == expected
    assert not fits


def test_time_is_not_owed_for_frames_before_anything_was_worked_ahead(
    swipe: list[Frame], fits: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    worked_ns = 0
    monkeypatch.setattr(time, "thread_time_ns", lambda: worked_ns)
    table = PaintedTable()
    watcher = PoemWatcher(table.slots, table.resting())
    for number, frame in enumerate(swipe):
        watcher.feed(frame)
        if number == len(swipe) - 2:
            watcher.work_ahead()
        worked_ns += 2_000_000
    assert fits


def test_what_becomes_of_another_card_makes_no_fit_anew(swipe: list[Frame], fits: list[int]) -> None:
    watcher, both, sights = watched_both(swipe)
    fits.clear()
    known = flights.FlightFits(watcher.field)
    alone = finished(known.steps([11], {11: both[11]}, sights))
    together = finished(known.steps([11], both, sights))
    assert fits == [11]
    assert alone.keys() == together.keys() == {11}


def test_a_view_knows_which_cards_were_away_when_it_was_taken(swipe: list[Frame]) -> None:
    _, both, _ = watched_both(swipe)
    assert any(one.shown_gone_ns is not None for one in both.values())
    for departure in both.values():
        views = departure.after()
        assert views[-1].absent >= {10, 11}
        for view in views:
            assert view.absent >= view.gone
            assert (10 in view.absent) == (view.t_ns > both[10].still_ns)
            for number, one in both.items():
                shown_ns = one.shown_gone_ns
                assert (number in view.gone) == (shown_ns is not None and view.t_ns >= shown_ns)


def test_a_fit_that_was_interrupted_is_gone_on_with(swipe: list[Frame], fits: list[int]) -> None:
    watcher, both, sights = watched_both(swipe)
    expected = finished(flights.FlightFits(watcher.field).steps([10, 11], both, sights))
    known = flights.FlightFits(watcher.field)
    fits.clear()
    for _ in range(200):  # whoever asks gives up after two steps
        steps = known.steps([10, 11], both, sights)
        if next(steps, steps) is steps or next(steps, steps) is steps:
            break
        steps.close()
    found = finished(known.steps([10, 11], both, sights))
    assert {number: flight.launch for number, flight in found.items()} == {
        number: flight.launch for number, flight in expected.items()
    }
    assert len(found) == len(expected) == 2
    assert Counter(fits) == {10: 1, 11: 1}  # each once: their print is seen on their way


def test_a_fit_that_another_ends_is_there_for_who_began_it(swipe: list[Frame], fits: list[int]) -> None:
    watcher, both, sights = watched_both(swipe)
    known = flights.FlightFits(watcher.field)
    fits.clear()
    begun = known.steps([10, 11], both, sights)
    assert next(begun) is None
    ended = finished(known.steps([10, 11], both, sights))
    assert finished(begun) == ended
    assert Counter(fits) == {10: 1, 11: 1}


def test_a_card_whose_print_was_seen_twice_is_followed_once(
    swipe: list[Frame], fits: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    watcher, both, sights = watched_both(swipe)
    spot = Spot(0.0, np.zeros(2))
    for seen, count in (((), 2), ((spot,), 2), ((spot, spot), 1)):

        def steps(*_: object, seen: tuple[Spot, ...] = seen) -> Generator[None, None, list[Spot]]:
            yield
            return list(seen)

        monkeypatch.setattr("vision.launch.flight.spot_steps", steps)
        monkeypatch.setattr("vision.launch.flight.path_steps", lambda *_, none=steps: none(seen=()))
        monkeypatch.setattr(
            "vision.launch.flight.launch_likelihood", lambda _, instants_ns, *__: np.ones(len(instants_ns))
        )
        fits.clear()
        assert len(finished(flights.FlightFits(watcher.field).steps([10, 11], both, sights))) == 2
        assert Counter(fits) == {10: count, 11: count}


def test_cards_that_went_away_are_followed_before_anybody_wants_them(
    swipe: list[Frame], fits: list[int]
) -> None:
    watcher, both, sights = watched_both(swipe)
    aide = Aide()
    known = flights.FlightFits(watcher.field, aide)
    for _ in range(2):
        known.ask_ahead(both, sights.__getitem__)
    assert [errand.number for errand in aide.asked] == [10, 11]
    aide.work()
    fits.clear()
    found = finished(known.steps([10, 11], both, sights))
    assert not fits
    expected = finished(flights.FlightFits(watcher.field).steps([10, 11], both, sights))
    assert [flight.launch for flight in found.values()] == [flight.launch for flight in expected.values()]


def test_pressed_cards_and_those_that_may_only_be_covered_are_not_followed_unasked(
    swipe: list[Frame],
) -> None:
    watcher, both, sights = watched_both(swipe)
    both[10].moved = True
    both[11].seen_gone_ns, both[11]._closed = None, False
    aide = Aide()
    flights.FlightFits(watcher.field, aide).ask_ahead(both, sights.__getitem__)
    assert not aide.asked


def test_what_was_withdrawn_is_asked_for_again(swipe: list[Frame]) -> None:
    watcher, both, sights = watched_both(swipe)
    aide = Aide(begins=False)
    known = flights.FlightFits(watcher.field, aide)
    known.ask_ahead(both, sights.__getitem__)
    known.withdraw()
    assert not aide.asked
    known.ask_ahead(both, sights.__getitem__)
    assert [errand.number for errand in aide.asked] == [10, 11]


def test_a_field_at_rest_is_looked_at_now_and_then(
    swipe: list[Frame], monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[int] = []
    look = PlayerMap.feed

    def counted(self: PlayerMap, gray: Gray, t_ns: int = 1) -> FrameMap:
        looks.append(t_ns)
        return look(self, gray, t_ns)

    monkeypatch.setattr(PlayerMap, "feed", counted)
    table = PaintedTable()
    watcher = PoemWatcher(table.slots, table.resting())
    quiet = [frame for frame in swipe if frame.t_ns < 80_000_000]
    for frame in quiet:
        watcher.feed(frame, at_rest=True)
    assert len(looks) <= len(quiet) / 2
    for frame in swipe[len(quiet) :]:
        watcher.feed(frame, at_rest=frame.t_ns > 330_000_000)  # cards have left: nothing rests yet
    assert set(looks) >= {frame.t_ns for frame in swipe[len(quiet) :]}
    assert watcher.finish() == watched(swipe, ahead=False).finish()
