"""The answer is found before it is asked, and found anew where the cards lie otherwise by then."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest
from painted_table import PaintedTable, Pose, swept

from referee.facts import Gap, Testimony
from vision.departure import Departure
from vision.ending import End, Ending
from vision.frames import Frame
from vision.inquiry import Inquiry, Outcome
from vision.prepared import Prepared
from vision.slots import Sight
from vision.spare_time import SpareTime
from vision.touches import PoemWatcher

AT_A_PX = np.array([1.0, 2.0])


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many cards had moved each time it was begun to find out about them; there is time for anything."""
    counts: list[int] = []
    found = Inquiry.outcome_steps

    def noted(
        self: Inquiry, moved: Mapping[int, Departure], sights: Mapping[int, Sequence[Sight]]
    ) -> Generator[None, None, Outcome]:
        counts.append(len(moved))
        return (yield from found(self, moved, sights))

    monkeypatch.setattr(Inquiry, "outcome_steps", noted)
    monkeypatch.setattr(SpareTime, "ends_ns", lambda *_: 2**62)
    return counts


def watched(table: PaintedTable, *, ahead: bool) -> PoemWatcher:
    watcher = PoemWatcher(table.slots, table.resting())
    for frame in swept():
        watcher.feed(frame)
        if ahead:
            watcher.work_ahead(hands_left=True)
    return watcher


def assert_alike(facts: Sequence[Testimony], others: Sequence[Testimony]) -> None:
    """An answer of a picture before may take an instant for one that is some nanoseconds off."""
    assert facts
    for fact, other in zip(facts, others, strict=True):
        assert not isinstance(fact, Gap)
        assert not isinstance(other, Gap)
        assert fact.t_ns == pytest.approx(other.t_ns, abs=2_000)
        assert fact.t_unc_ns == pytest.approx(other.t_unc_ns, abs=2_000)
        assert replace(fact, t_ns=0, t_unc_ns=1) == replace(other, t_ns=0, t_unc_ns=1)


def test_what_is_asked_is_known_by_then(asked: list[int]) -> None:
    table = PaintedTable()
    expected = watched(table, ahead=False).finish()
    watcher = watched(table, ahead=True)
    asked.clear()
    assert_alike(watcher.finish(), expected)
    assert not asked


def test_a_card_that_lies_elsewhere_since_is_found_out_about(asked: list[int]) -> None:
    table = PaintedTable()
    late, early = (watched(table, ahead=ahead) for ahead in (False, True))
    latest, number = swept()[-1], 2
    assert table.slots[number - 1].card == number
    away = {card: Pose(700.0, 80.0) for card in (11, 12)}
    pictures = [
        table.frame(latest.t_ns / 1e6 + 8 * step, table.gray(away | {number: Pose(3.0, 0.0)}))
        for step in range(1, 9)
    ]
    for picture in pictures:
        late.feed(picture)
        early.feed(picture)
    asked.clear()
    facts = early.finish()
    assert asked
    assert_alike(facts, late.finish())
    assert number in {fact.card for fact in facts if not isinstance(fact, Gap)}


@pytest.mark.usefixtures("asked")
def test_it_is_not_begun_anew_while_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even where a guess of one card says something else than a look at all of them."""
    table = PaintedTable()
    watcher = watched(table, ahead=True)
    assert watcher._prepared is not None
    begun: list[int] = []
    whole = PoemWatcher._asked

    def noted(self: PoemWatcher, frame: Frame, *, hands_left: bool = True) -> Prepared:
        begun.append(frame.t_ns)
        return whole(self, frame, hands_left=hands_left)

    monkeypatch.setattr(PoemWatcher, "_asked", noted)
    monkeypatch.setattr(watcher._prepared, "ends", {})
    latest, away = swept()[-1], {card: Pose(700.0, 80.0) for card in (11, 12)}
    for step in range(1, 5):
        watcher.feed(table.frame(latest.t_ns / 1e6 + 8 * step, table.gray(away)))
        watcher.work_ahead(hands_left=True)
    assert not begun


def _steps(facts: list[Testimony]) -> Generator[None, None, list[Testimony]]:
    yield
    return facts


def test_steps_are_gone_on_with_where_time_ran_out() -> None:
    facts: list[Testimony] = []
    prepared = Prepared(0, {}, _steps(facts))
    prepared.go_on(0)
    prepared.go_on(2**62)
    with pytest.raises(StopIteration) as end:
        next(prepared.steps())
    assert end.value.value is facts


@pytest.mark.parametrize(
    ("ends", "holds"),
    [
        ({}, True),
        ({3: Ending(End.GONE)}, True),
        ({3: Ending(End.HIDDEN)}, False),
        ({4: Ending(End.MOVED, AT_A_PX + 0.05)}, True),
        ({4: Ending(End.MOVED, AT_A_PX + 0.1)}, False),
        ({4: Ending(End.MOVED)}, False),
        ({3: Ending(End.GONE), 4: Ending(End.IN_PLACE)}, False),
    ],
)
def test_an_answer_holds_while_cards_look_as_they_did(ends: dict[int, Ending], holds: bool) -> None:
    prepared = Prepared("so", {3: Ending(End.GONE), 4: Ending(End.MOVED, AT_A_PX)}, _steps([]))
    assert prepared.holds("so", ends) is holds
    assert not prepared.holds("otherwise", ends)
