"""The process that follows cards: it finds what the eye would, and can be lost at any time."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from referee.facts import Touch
from tests.vision.painted_table import PaintedTable, swept
from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.frames.frame import Frame
from vision.hand_cues.shade import SeenPrint
from vision.launch.errands import Errand, TrailErrand
from vision.launch.flight import Flight, Trail, finished, trail_steps
from vision.launch.flight_fits import FlightFits
from vision.poem.foresight import LooksErrand
from vision.poem.helper_process import TrailHelper
from vision.poem.spare_time import SpareTime
from vision.poem.watcher import PoemWatcher

pytestmark = pytest.mark.live

_SOON_S = 20.0


@pytest.fixture(scope="module")
def helper() -> Iterator[TrailHelper]:
    with TrailHelper() as one:
        yield one


@pytest.fixture(scope="module")
def swipe() -> list[Frame]:
    return swept()


class Table:
    """A swipe that is over: the watcher, and the departures and sights of the two cards."""

    def __init__(self, frames: list[Frame]) -> None:
        table = PaintedTable()
        self.watcher = PoemWatcher(table.slots, table.resting())
        for frame in frames:
            self.watcher.feed(frame)
        self.watcher.finish()
        self.departures: dict[int, Departure] = {}
        for number in (10, 11):
            departure = self.watcher._tracks[number].departure
            assert departure is not None
            self.departures[number] = departure
        self.sights = {number: self.watcher._tracks[number].sights for number in self.departures}

    def errand(self, number: int = 10, field: FieldModel | None = None) -> TrailErrand:
        field = field or self.watcher.field
        return TrailErrand(field, number, self.departures[number], tuple(self.sights[number]), ())

    def trail(self, number: int = 10) -> Trail:
        found = finished(
            trail_steps(
                self.watcher.field, number, self.departures[number], sights=tuple(self.sights[number])
            )
        )
        assert found is not None
        return found


@pytest.fixture(scope="module")
def table(swipe: list[Frame]) -> Table:
    return Table(swipe)


def awaited(helper: TrailHelper, errand: Errand) -> Errand:
    until_s = time.monotonic() + _SOON_S
    while not (errand.is_done or errand.is_lost):
        assert time.monotonic() < until_s
        helper.go_on(0.05)
    return errand


def assert_same(one: Flight, other: Flight) -> None:
    for attribute in fields(Flight):
        left, right = (getattr(flight, attribute.name) for flight in (one, other))
        if attribute.name == "spots":
            assert [(spot.t_ns, spot.turn_deg, *spot.shift_px) for spot in left] == [
                (spot.t_ns, spot.turn_deg, *spot.shift_px) for spot in right
            ]
        else:
            np.testing.assert_equal(left, right)


def test_it_finds_what_would_be_found_here(helper: TrailHelper, table: Table) -> None:
    for number in (10, 11):
        errand = awaited(helper, helper.ask(table.errand(number)))
        assert errand.is_done
        assert errand.answer is not None
        assert errand.answer.flight.slot is table.watcher.field.slots[number]
        assert errand.answer.past_ms == table.trail(number).past_ms
        assert_same(errand.answer.flight, table.trail(number).flight)


def test_what_it_looks_at_shows_what_would_be_seen_here(helper: TrailHelper, table: Table) -> None:
    departure = table.departures[10]
    here = replace(departure, _found={})
    finished(LooksErrand(table.watcher.field, 10, here, 0).steps({}))
    errand = awaited(helper, helper.ask(LooksErrand(table.watcher.field, 10, departure, 0)))
    assert errand.is_done
    assert set(errand.answer) == set(here.looks)
    prints = [key for key in here.looks if isinstance(key, tuple) and key[0] == "print"]
    assert prints
    for key in prints:
        for attribute in fields(SeenPrint):
            there, seen = (getattr(looks[key], attribute.name) for looks in (errand.answer, here.looks))
            np.testing.assert_array_equal(there, seen)


def test_facts_are_the_same_with_and_without_it(
    helper: TrailHelper, swipe: list[Frame], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SpareTime, "ends_ns", lambda *_: 2**62)  # time for anything between two frames
    painted, found = PaintedTable(), []
    resting = painted.resting()
    for one in (None, helper):
        watcher = PoemWatcher(painted.slots, resting, helper=one)
        for frame in swipe:
            watcher.feed(frame)
            watcher.work_ahead()
        found.append(watcher.finish())
    assert found[0] == found[1]
    assert any(isinstance(fact, Touch) for fact in found[0])


def test_an_errand_is_as_things_were_when_it_was_asked(helper: TrailHelper, table: Table) -> None:
    blocking = [helper.ask(table.errand()) for _ in range(3)]
    departure = table.departures[11]
    errand = helper.ask(table.errand(11))
    views = list(departure.views)
    del departure.views[3:]
    try:
        assert awaited(helper, errand).answer is not None
    finally:
        departure.views[:] = views
    assert errand.answer is not None
    assert_same(errand.answer.flight, table.trail(11).flight)
    assert all(one.is_done for one in blocking)


def test_what_was_not_begun_can_be_taken_back(helper: TrailHelper, table: Table) -> None:
    errands = [helper.ask(table.errand()) for _ in range(4)]
    assert not helper.take_back(errands[0])
    assert helper.take_back(errands[3])
    assert errands[3].is_lost
    assert not helper.take_back(errands[3])
    assert all(awaited(helper, errand).is_done for errand in errands[:3])


def test_errands_of_an_earlier_field_are_lost_unless_begun(helper: TrailHelper, table: Table) -> None:
    errands = [helper.ask(table.errand()) for _ in range(4)]
    field = FieldModel(table.watcher.field.picture, table.watcher.field.slots)
    later = helper.ask(table.errand(11, field))
    assert [errand.is_lost for errand in errands] == [False, False, True, True]
    assert awaited(helper, later).is_done
    assert all(errand.is_done for errand in errands[:2])


def test_what_it_fails_at_is_left_to_who_asked(helper: TrailHelper, table: Table) -> None:
    broken = table.errand()
    broken.number = 999  # there is no such slot
    assert awaited(helper, helper.ask(broken)).is_lost
    assert awaited(helper, helper.ask(table.errand())).is_done


def test_cards_are_followed_although_it_is_killed(table: Table) -> None:
    expected = finished(FlightFits(table.watcher.field).steps([10, 11], table.departures, table.sights))
    with TrailHelper() as helper:
        assert awaited(helper, helper.ask(table.errand())).is_done
        os.kill(helper._process.pid or 0, signal.SIGKILL)
        found = finished(
            FlightFits(table.watcher.field, helper).steps([10, 11], table.departures, table.sights)
        )
        assert helper.ask(table.errand()).is_lost
    for number, flight in expected.items():
        assert_same(found[number], flight)


def test_it_ends_when_it_is_closed() -> None:
    with TrailHelper() as helper:
        process = helper._process
        assert process.is_alive()
    assert not process.is_alive()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_it_ends_when_who_asks_is_killed() -> None:
    code = (
        "import time\nfrom vision.poem.helper_process import TrailHelper\n"
        "if __name__ == '__main__':\n"
        "    print(TrailHelper()._process.pid, flush=True)\n    time.sleep(60)\n"
    )
    asking = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert asking.stdout is not None
    number = int(asking.stdout.readline())
    asking.kill()
    asking.wait()
    asking.stdout.close()
    until_s = time.monotonic() + _SOON_S
    while _is_running(number):
        assert time.monotonic() < until_s
        time.sleep(0.05)


def _is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_a_single_core_is_not_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    assert TrailHelper.where_it_pays() is None


def test_where_no_process_can_begin_it_is_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: TrailHelper) -> None:
        raise OSError("no more processes")

    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(TrailHelper, "__init__", refuse)
    assert TrailHelper.where_it_pays() is None
