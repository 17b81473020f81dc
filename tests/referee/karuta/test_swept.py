"""A target that left its place in a sweep without a visible hand on it."""

import pytest

from referee.facts import Contact, Gap, Touch, Unprovable
from referee.karuta.contacts import PoemFact
from referee.sides import BySide, Side
from tests.referee.karuta.judged_poem import ALL, FAR, MS, NEAR, OTHERS, OWN, by_contacts, judge, touch


def swept(card: int, player: Side | None, t_ms: float = 103, reason: str = "swept_along") -> Unprovable:
    return Unprovable(card, player, round(t_ms * MS), 5 * MS, reason)


def test_a_swept_target_is_the_only_players_whose_hand_was_there() -> None:
    facts = touch(52, NEAR, confidence=0.95), swept(OTHERS, NEAR)
    ruling = judge(OTHERS, *facts)
    assert (ruling.taken_by, ruling.faults, ruling.sends) == (NEAR, BySide.both(0), BySide(1, 0))
    assert ruling.reasons[:2] == ("take_from_opponent", "swept_by_one_player")
    assert (ruling.take, ruling.doubts) == (None, ())
    assert by_contacts(OTHERS, *facts) == pytest.approx(0.95 * 0.95 * ALL)


def test_a_swept_target_is_told_by_no_surer_hand_than_the_sweeps() -> None:
    ruling = judge(OWN, touch(2, NEAR, confidence=0.8), swept(OWN, NEAR))
    assert (ruling.taken_by, ruling.doubts) == (NEAR, ("low_confidence",))


@pytest.mark.parametrize(
    "other",
    [
        touch(4, FAR, 300, confidence=0.5),
        swept(4, FAR, 300, "second_hand"),
        swept(OWN, FAR, 300, "hand_over"),
        swept(3, None, 300, "view_blocked"),
        swept(99, FAR, 300, "second_hand"),  # not known where that is
    ],
)
def test_a_swept_target_is_nobodys_where_another_hand_may_have_been(other: PoemFact) -> None:
    ruling = judge(OWN, touch(2, NEAR), swept(OWN, NEAR), other)
    assert ruling.taken_by is None
    assert "contact_unseen" in ruling.doubts


def test_what_another_hand_touched_beyond_the_targets_territory_says_nothing_of_it() -> None:
    facts = touch(2, NEAR, confidence=0.95), swept(OWN, NEAR), touch(52, FAR)
    ruling = judge(OWN, *facts)
    assert (ruling.taken_by, ruling.faults, ruling.doubts) == (NEAR, BySide(0, 1), ())
    assert by_contacts(OWN, *facts) == pytest.approx(0.95 * 0.95 * ALL)


def test_nor_does_a_card_that_the_floor_moved() -> None:
    ruling = judge(OWN, touch(2, NEAR, confidence=0.95), swept(OWN, NEAR), swept(4, None, 90, "floor_shock"))
    assert (ruling.taken_by, ruling.doubts) == (NEAR, ())


def test_nor_does_a_hand_over_a_card_beside_it_that_another_hand_moved() -> None:
    facts = touch(2, NEAR, confidence=0.95), swept(OWN, NEAR), swept(4, FAR, 300, "hand_over")
    ruling = judge(OWN, *facts)
    assert (ruling.taken_by, ruling.doubts) == (NEAR, ())
    assert by_contacts(OWN, *facts) == pytest.approx(0.95 * 0.95 * ALL)


def test_nor_does_how_sure_that_hand_is_make_the_sweep_surer() -> None:
    ruling = judge(OWN, touch(2, NEAR, confidence=0.8), swept(OWN, NEAR), touch(52, FAR))
    assert (ruling.taken_by, ruling.doubts) == (NEAR, ("low_confidence",))


@pytest.mark.parametrize(
    "contact", [touch(2, NEAR, confidence=0.95), touch(52, NEAR, contact=Contact.PUSHED_OUT)]
)
def test_a_sweep_that_touched_nothing_in_the_targets_territory_leaves_open_where_it_lies(
    contact: Touch,
) -> None:
    """Cards that flew there from the other territory pushed it aside, or out."""
    ruling = judge(OTHERS, contact, swept(OTHERS, NEAR))
    assert ruling.taken_by is None
    assert "contact_unseen" in ruling.doubts


@pytest.mark.parametrize("target", [swept(OWN, NEAR, reason="pushed_by_card"), swept(3, NEAR)])
def test_a_target_that_was_only_nudged_is_nobodys(target: Unprovable) -> None:
    ruling = judge(OWN, touch(2, NEAR), target)
    assert ruling.taken_by is None
    assert "nobody_took" in ruling.reasons


def test_frames_that_were_lost_may_hide_who_else_was_there() -> None:
    lost = Gap(90 * MS, 110 * MS, "dropped_frames")
    assert "gap" in judge(OWN, touch(2, NEAR), swept(OWN, NEAR), lost).doubts


@pytest.mark.parametrize(
    ("others", "sure"),
    [
        ((), 0.95 * 0.9),
        ((touch(52, FAR, confidence=0.99),), 0.95 * 0.9 * 0.99),
        ((touch(3, FAR, confidence=0.99),), 0.6),
        ((swept(3, None, 300, "view_blocked"),), 0.6),
        ((swept(OWN, FAR, 300, "hand_over"),), 0.6),
    ],
    ids=["nobody else", "beyond", "beside it", "hidden", "over it"],
)
def test_a_target_that_may_only_have_been_swept_along_is_the_only_players_whose_hand_was_there(
    others: tuple[PoemFact, ...], sure: float
) -> None:
    facts = touch(OWN, NEAR, confidence=0.6, whose=0.9), touch(2, NEAR, confidence=0.9), *others
    assert judge(OWN, *facts).taken_by is NEAR
    assert by_contacts(OWN, *facts) == pytest.approx(sure * ALL)
