"""A target that left its place in a sweep without a visible hand on it."""

import pytest

from referee.facts import Contact, Gap, Unprovable
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


SURE, WEAK, SWEPT = touch(2, NEAR, confidence=0.95), touch(2, NEAR, confidence=0.8), swept(OWN, NEAR)


@pytest.mark.parametrize(
    ("poem", "facts", "taker", "doubts"),
    [
        (OWN, (WEAK, SWEPT), NEAR, ("low_confidence",)),  # told by no surer hand than the sweep's
        (OWN, (WEAK, SWEPT, touch(52, FAR)), NEAR, ("low_confidence",)),
        # what happened elsewhere, floor and a hand over another card say nothing of it
        (OWN, (SURE, SWEPT, touch(52, FAR)), NEAR, ()),
        (OWN, (SURE, SWEPT, swept(4, None, 90, "floor_shock")), NEAR, ()),
        (OWN, (SURE, SWEPT, swept(4, FAR, 300, "hand_over")), NEAR, ()),
        # but it is nobody's where another hand may have been
        (OWN, (SURE, SWEPT, touch(4, FAR, 300, confidence=0.5)), None, ("contact_unseen",)),
        (OWN, (SURE, SWEPT, swept(4, FAR, 300, "second_hand")), None, ("contact_unseen",)),
        (OWN, (SURE, SWEPT, swept(OWN, FAR, 300, "hand_over")), None, ("contact_unseen",)),
        (OWN, (SURE, SWEPT, swept(3, None, 300, "view_blocked")), None, ("contact_unseen",)),
        (OWN, (SURE, SWEPT, swept(99, FAR, 300, "second_hand")), None, ("contact_unseen",)),
        # or where the hand touched nothing there: cards that flew over pushed it aside, or out
        (OTHERS, (SURE, swept(OTHERS, NEAR)), None, ("contact_unseen",)),
        (
            OTHERS,
            (touch(52, NEAR, contact=Contact.PUSHED_OUT), swept(OTHERS, NEAR)),
            None,
            ("contact_unseen",),
        ),
        # or only nudged it
        (OWN, (touch(2, NEAR), swept(OWN, NEAR, reason="pushed_by_card")), None, ("contact_unseen",)),
        (OWN, (touch(2, NEAR), swept(3, NEAR)), None, ()),
    ],
)
def test_whose_a_swept_target_is(
    poem: int, facts: tuple[PoemFact, ...], taker: Side | None, doubts: tuple[str, ...]
) -> None:
    ruling = judge(poem, *facts)
    assert ruling.taken_by is taker
    assert ruling.doubts == doubts
    assert taker is not None or "nobody_took" in ruling.reasons
    if taker is not None and SURE in facts:
        assert ruling.faults == BySide(0, int(facts[2] == touch(52, FAR)))
        assert by_contacts(poem, *facts) == pytest.approx(0.95 * 0.95 * ALL)


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
