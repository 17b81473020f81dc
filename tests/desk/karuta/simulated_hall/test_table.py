"""The pictures of a simulated hall, with the starts of poems between them."""

import threading
from collections.abc import Iterator

import pytest

from desk.karuta.readers.simulated_reader import kimariji_completed, ku_instants_ns
from desk.karuta.simulated_hall.table import PoemRead, happenings
from desk.tables.simulated.scripted_table import ScriptedTable, ahead
from desk.tables.source_kind import Source
from referee.cards.kimariji import kimariji
from referee.cards.poems import POEMS
from referee.facts import Gap, PoemStarted
from tests.desk.karuta.karuta_script import MS
from vision.frames.frame import Frame
from vision.simulator.hall.match import SimulatedMatch


def test_starts_come_just_before_the_picture_that_follows_them() -> None:
    match = SimulatedMatch(3, fps=10, size=(320, 240), cards_per_side=4)
    items = []
    for item in happenings(match):
        items.append(item)
        if sum(isinstance(each, PoemRead) for each in items) == 2 and isinstance(item, Frame):
            break
    starts = [(place, each) for place, each in enumerate(items) if isinstance(each, PoemRead)]
    readings = match.readings
    assert [each.start.poem for _, each in starts] == [reading.poem for reading in readings[:2]]
    for (place, each), reading, true in zip(starts, readings, match.truth["poems"], strict=False):
        before, after = items[place - 1], items[place + 1]
        assert isinstance(before, Frame)
        assert isinstance(after, Frame)
        assert before.t_ns < each.start.t_ns <= after.t_ns
        assert each.start.t_ns == pytest.approx(reading.t_ms * MS, abs=MS)
        assert each.truth.taken_by == true["ruling"]["taken_by"]
        assert each.scenario == true["scenario"]


class TestAhead:
    def test_all_items_come_in_order_and_an_error_where_it_happened(self) -> None:
        def broken() -> Iterator[int]:
            yield from range(1000)
            raise OSError("the camera was unplugged")

        items = ahead(broken(), most=3)
        assert [next(items) for _ in range(1000)] == list(range(1000))
        with pytest.raises(OSError, match="unplugged"):
            next(items)

    def test_it_runs_no_further_ahead_than_asked_and_leaves_no_thread_behind(self) -> None:
        before, made = threading.active_count(), list[int]()

        def count() -> Iterator[int]:
            for number in range(100):
                made.append(number)
                yield number

        items = ahead(count(), most=3)
        next(items)
        threading.Event().wait(0.3)
        assert len(made) <= 6
        items.close()
        assert threading.active_count() == before

    def test_a_table_that_has_begun_renders_before_anybody_asks_and_nothing_twice(self) -> None:
        rendered, asked = threading.Event(), list[int]()

        def script() -> Iterator[Gap]:
            asked.append(1)
            for number in range(3):
                yield Gap(number, number + 1, "dropped_frames")
            rendered.set()

        table = ScriptedTable(script, Source.SIMULATOR, "a test", fps=30.0)
        table.begin()
        assert rendered.wait(10)
        assert [gap.t_from_ns for gap in table.happenings() if isinstance(gap, Gap)] == [0, 1, 2]
        assert asked == [1]


START_NS = 5_000_000_000


@pytest.mark.parametrize("poem", POEMS)
def test_five_ku_follow_each_other_within_the_rhythm(poem: int) -> None:
    instants = ku_instants_ns(PoemStarted(poem, START_NS, 1))
    assert len(instants) == 5
    assert instants == sorted(set(instants))
    assert instants[0] == START_NS
    assert instants[3] - START_NS == 6_000_000_000, "5 s of kami and 1 s of pause"


@pytest.mark.parametrize("poem", POEMS)
def test_the_kimariji_is_said_within_the_kami_and_not_at_once(poem: int) -> None:
    completed = kimariji_completed(PoemStarted(poem, START_NS, 7), POEMS)
    assert completed.poem == poem
    assert completed.t_unc_ns == 7
    assert 0.1e9 * len(kimariji(poem)) / 2 < completed.t_ns - START_NS < 5e9


def test_fewer_unread_poems_decide_sooner() -> None:
    start = PoemStarted(17, START_NS, 1)  # ちは, one sound once no other ち is left
    alone = kimariji_completed(start, {17, 1, 2})
    assert alone.t_ns < kimariji_completed(start, POEMS).t_ns
