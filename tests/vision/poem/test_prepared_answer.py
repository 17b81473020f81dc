"""The answer is found before it is asked, and found anew where the cards lie otherwise by then."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from referee.facts import Gap, Testimony
from tests.vision.painted_table import PaintedTable, Pose, swept
from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.frames.frame import Gray
from vision.launch.strikes import explain_steps
from vision.poem.prepared_answer import PreparedAnswer
from vision.poem.spare_time import SpareTime
from vision.poem.watcher import PoemWatcher


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many cards had moved each time it was begun to find out about them; there is time for anything."""
    counts: list[int] = []

    def noted(field: FieldModel, moved: Mapping[int, Departure], *rest: Any, **more: Any) -> Any:
        counts.append(len(moved))
        return explain_steps(field, moved, *rest, **more)

    monkeypatch.setattr("vision.poem.inquiry.explain_steps", noted)
    monkeypatch.setattr(SpareTime, "ends_ns", lambda *_: 2**62)
    return counts


def watched(table: PaintedTable, resting: list[Gray], *, ahead: bool) -> PoemWatcher:
    watcher = PoemWatcher(table.slots, resting)
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
    resting = table.resting()
    expected = watched(table, resting, ahead=False).finish()
    watcher = watched(table, resting, ahead=True)
    asked.clear()
    assert_alike(watcher.finish(), expected)
    assert not asked


def test_a_card_that_lies_elsewhere_since_is_found_out_about(asked: list[int]) -> None:
    table = PaintedTable()
    resting = table.resting()
    late, early = (watched(table, resting, ahead=ahead) for ahead in (False, True))
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


@pytest.mark.parametrize("hands_left", [False, True])
def test_it_is_not_begun_anew_while_nothing_changes(asked: list[int], hands_left: bool) -> None:
    table = PaintedTable()
    watcher = watched(table, table.resting(), ahead=True)
    asked.clear()
    latest, away = swept()[-1], {card: Pose(700.0, 80.0) for card in (11, 12)}
    for step in range(1, 5):
        watcher.feed(table.frame(latest.t_ns / 1e6 + 8 * step, table.gray(away)))
        watcher.work_ahead(hands_left=hands_left)
    watcher.finish()
    assert not asked


def _steps(answer: str) -> Generator[None, None, str]:
    yield
    return answer


def test_steps_are_gone_on_with_where_time_ran_out() -> None:
    prepared = PreparedAnswer({}, _steps("so"))
    assert not prepared.step()
    with pytest.raises(StopIteration) as end:
        next(prepared.steps())
    assert end.value.value == "so"
    assert prepared.step()


@pytest.fixture
def moved() -> dict[int, Departure]:
    """One card that is gone, and one that slid."""
    window = slice(0, 9), slice(0, 9)
    return {
        3: Departure(window, 5, seen_gone_ns=9),
        4: Departure(window, 6, final_shift_px=np.array([1.0, 2.0])),
    }


def test_an_answer_holds_while_no_more_is_known_of_the_cards(moved: dict[int, Departure]) -> None:
    prepared = PreparedAnswer(moved, _steps("so"))
    assert prepared.holds(moved)
    assert not prepared.holds({3: moved[3]})
    assert not prepared.holds(moved | {5: Departure(moved[3].window, 5)})
    assert not prepared.holds(moved | {3: replace(moved[3])})  # it came back, and left anew
    moved[3].bared = True  # which makes it no other card
    assert prepared.holds(moved)
    moved[3].shown_gone_ns = 12
    assert not prepared.holds(moved)


@pytest.mark.parametrize(
    ("at_px", "left", "holds"),
    [
        (np.array([1.05, 2.05]), False, True),
        (np.array([1.1, 2.1]), False, False),
        (None, False, False),
        (np.array([1.0, 2.0]), True, False),
    ],
)
def test_an_answer_holds_while_a_card_that_slid_lies_where_it_did(
    moved: dict[int, Departure], at_px: NDArray[np.float64] | None, left: bool, holds: bool
) -> None:
    prepared = PreparedAnswer(moved, _steps("so"))
    moved[4].final_shift_px, moved[4].left = at_px, left
    assert prepared.holds(moved) is holds


def test_it_is_found_out_anew_once_arms_that_had_met_have_parted(asked: list[int]) -> None:
    table = PaintedTable()
    watcher = watched(table, table.resting(), ahead=True)
    asked.clear()
    watcher.map.partings += 1
    watcher.finish()
    assert asked
