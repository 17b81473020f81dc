"""The loop that every watcher of a table shares takes items until it shall end, and tells what failed."""

from collections.abc import Iterator
from threading import Event
from typing import Any, cast

import pytest

from desk.tables.table import Table
from desk.tables.watch_thread import WatchThread
from referee.facts import Gap

GAPS = [Gap(number, number + 1, "lost") for number in range(5)]


class GapTable:
    """A table that shows five gaps, and breaks after some of them."""

    def __init__(self, breaks_after: int = 9) -> None:
        self.breaks_after, self.left, self.is_closed = breaks_after, Event(), False

    def happenings(self) -> Iterator[Gap]:
        try:
            for number, gap in enumerate(GAPS):
                if number == self.breaks_after:
                    raise OSError("unplugged")
                yield gap
        finally:
            self.left.set()

    def close(self) -> None:
        self.is_closed = True


class Listener:
    """Notes what it is told; `wants` items are enough."""

    def __init__(self, table: GapTable, wants: int = 9) -> None:
        self.taken: list[Any] = []
        self.told: list[Any] = []
        self._wants = wants
        self.watch = WatchThread(
            cast("Table", table), self._take, over=lambda: self.told.append("over"), failed=self.told.append
        )
        self.watch.begin()
        assert table.left.wait(5)
        self.watch.leave()

    def _take(self, item: object) -> bool:
        self.taken.append(item)
        return len(self.taken) == self._wants


@pytest.mark.parametrize(("wants", "over"), [(3, []), (9, ["over"])])
def test_it_ends_when_enough_was_taken_or_the_table_is_over(wants: int, over: list[str]) -> None:
    table = GapTable()
    listener = Listener(table, wants)
    assert listener.taken == GAPS[:wants]
    assert listener.told == over
    assert not listener.watch.is_alive()
    assert not table.is_closed, "whoever leaves it may watch it anew"
    listener.watch.close()
    assert table.is_closed


def test_an_error_ends_it_and_is_told() -> None:
    listener = Listener(GapTable(breaks_after=2))
    assert listener.taken == GAPS[:2]
    assert listener.told == [listener.watch.failure]
    assert str(listener.watch.failure) == "unplugged"
    assert (listener.watch.latest, listener.watch.fps(1.0)) == (None, None)
