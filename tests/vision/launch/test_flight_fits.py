"""Flights fitted for a poem: each once, however often the poem is asked about."""

from collections import deque
from typing import Any

import pytest

from referee.facts import Touch
from tests.vision.painted_table import PaintedTable, Pose, swept
from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.field.slots import Sight
from vision.frames.frame import Frame
from vision.launch import strikes
from vision.launch.flight import Trail, find_trail
from vision.poem.watcher import PoemWatcher


@pytest.fixture(scope="module")
def swipe() -> list[Frame]:
    return swept()


def watched(frames: list[Frame]) -> PoemWatcher:
    table = PaintedTable()
    watcher = PoemWatcher(table.slots, table.resting())
    for frame in frames:
        watcher.feed(frame)
    return watcher


def watched_both(frames: list[Frame]) -> tuple[PoemWatcher, dict[int, Departure], dict[int, deque[Sight]]]:
    """Return the watcher of a poem that is over, and the two cards' departures and sights."""
    watcher = watched(frames)
    watcher.finish()
    departures = {number: watcher._tracks[number].departure for number in (10, 11)}
    both = {number: one for number, one in departures.items() if one is not None}
    return watcher, both, {number: watcher._tracks[number].sights for number in both}


@pytest.fixture
def fits(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Numbers of the slots whose cards' flights are fitted, in order."""
    fitted: list[int] = []

    def noted(field: FieldModel, number: int, departure: Departure, **known: Any) -> Trail | None:
        fitted.append(number)
        return find_trail(field, number, departure, **known)

    monkeypatch.setattr(strikes, "find_trail", noted)
    return fitted


def test_a_poem_that_is_asked_about_again_makes_no_fit_anew(swipe: list[Frame], fits: list[int]) -> None:
    watcher = watched(swipe)
    assert not fits, "nothing is explained before it is asked for"
    expected = watcher.finish()
    assert {fact.card for fact in expected if isinstance(fact, Touch)} >= {12}
    assert sorted(set(fits)) == [10, 11]
    fits.clear()
    later, away = swipe[-1], {card: Pose(700.0, 80.0) for card in (11, 12)}
    watcher.feed(PaintedTable().frame(later.t_ns / 1e6 + 8, PaintedTable().gray(away)))
    assert len(watcher.finish()) == len(expected)
    assert not fits


def test_what_becomes_of_another_card_makes_no_fit_anew(swipe: list[Frame], fits: list[int]) -> None:
    watcher, both, sights = watched_both(swipe)
    fits.clear()
    known = strikes.FlightFits(watcher.field)
    alone = known.flights([11], {11: both[11]}, sights)
    together = known.flights([11], both, sights)
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
