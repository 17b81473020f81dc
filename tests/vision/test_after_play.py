"""After the play: what is moved long after the read card was taken is no contact of that poem."""

import pytest

from referee.facts import Contact, PoemStarted, Touch, Unprovable
from referee.layout import Layout
from referee.sides import Side
from vision.tidying import Fact, Manner, is_play, told_apart

MS = 1_000_000
START = PoemStarted(3, 0, MS)
TAKE = Touch(3, Side.FAR, 800 * MS, 10 * MS, confidence=0.95)


def told(*facts: Fact, manners: dict[int | None, Manner] | None = None) -> list[Fact]:
    return told_apart(facts, manners or {}, START, Layout(()), Layout(()))


def touch(t_ms: float, unc_ms: float = 5) -> Touch:
    return Touch(1, Side.NEAR, round(t_ms * MS), round(unc_ms * MS), confidence=0.95)


@pytest.mark.parametrize("take", [TAKE, Touch(3, Side.FAR, 800 * MS, 10 * MS, Contact.PUSHED_OUT)])
@pytest.mark.parametrize("manners", [{}, {1: Manner.HIDDEN}])
def test_a_card_moved_long_after_the_take_was_tidied(take: Touch, manners: dict[int | None, Manner]) -> None:
    late = told(take, touch(1600), manners=manners)[1]
    assert late == Unprovable(1, Side.NEAR, 1600 * MS, 5 * MS, "after_play")
    assert not is_play(late, START)


def test_neither_did_a_hand_that_lies_there_by_then_touch_it() -> None:
    second = Unprovable(1, Side.NEAR, 1600 * MS, 5 * MS, "second_hand")
    assert told(TAKE, second)[1] == Unprovable(1, Side.NEAR, 1600 * MS, 5 * MS, "after_play")


def test_what_may_have_happened_in_time_stays_a_contact() -> None:
    facts = TAKE, touch(1050), touch(1600, unc_ms=400)
    assert told(*facts) == list(facts)


def test_while_nobody_has_taken_the_card_every_contact_counts() -> None:
    assert told(touch(1600)) == [touch(1600)]


def test_the_card_itself_is_taken_by_whoever_touches_it_however_late() -> None:
    again = Touch(3, Side.NEAR, 1900 * MS, 5 * MS, confidence=0.95)
    assert told(TAKE, again) == [TAKE, again]
